"""The rulesets of the site: shipped ones are present, an edit makes a version, and saving at once loses nothing."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from django.db import connections, transaction

from game import rules, services
from game.lock import write_lock
from game.models import Game, PlayedRuleset, RulesetRow
from game.services.own_rules import remember_played
from game.services.rulesets import Presentation, RulesetMovedOn, ShippedRuleset, SlugTaken
from game.services.shipped_rulesets import list_shipped_rulesets
from tests.cast import ANA, BRUNO, IN, Device, bank, bust, throw

TOGETHER = 4


def load_classic() -> RulesetRow:
    return RulesetRow.objects.get(slug="classic")


def save_house_rules(**changed: object) -> RulesetRow:
    settings = {**load_classic().settings, "slug": "house", "name": "House"}
    return services.save_ruleset(None, settings | changed)


# ── the shipped ones ──


@pytest.mark.django_db
def test_all_shipped_rulesets_are_there_from_the_start_in_the_documented_order() -> None:
    rows = RulesetRow.objects.filter(shipped=True)
    assert [row.slug for row in rows] == list(list_shipped_rulesets())
    assert all(row.rules == list_shipped_rulesets()[row.slug] for row in rows)


@pytest.mark.django_db
def test_loading_the_shipped_rulesets_again_changes_nothing() -> None:
    before = list(RulesetRow.objects.values())
    services.load_shipped_rulesets()
    assert list(RulesetRow.objects.values()) == before


@pytest.mark.django_db
def test_a_missing_shipped_ruleset_comes_back_and_a_retired_one_stays_retired() -> None:
    RulesetRow.objects.get(slug="greed").delete()
    services.retire_ruleset(load_classic())
    services.load_shipped_rulesets()
    assert RulesetRow.objects.filter(slug="greed").count() == 1
    assert load_classic().retired


@pytest.mark.django_db
def test_a_shipped_ruleset_cannot_be_edited() -> None:
    with pytest.raises(ShippedRuleset):
        services.save_ruleset(load_classic(), {**load_classic().settings, "straight": 9000})
    assert load_classic().version == 1


# ── versions ──


@pytest.mark.django_db
def test_an_edit_is_a_new_version_and_the_old_one_stays() -> None:
    first = save_house_rules()
    second = services.save_ruleset(first, first.settings | {"three_pairs": 750})
    assert (second.version, second.latest, second.rules.three_pairs) == (2, True, 750)
    first.refresh_from_db()
    assert (first.version, first.latest, first.settings["three_pairs"]) == (1, False, 1000)


@pytest.mark.django_db
def test_saving_without_a_change_makes_no_version() -> None:
    first = save_house_rules()
    assert services.save_ruleset(first, first.settings) == first
    assert RulesetRow.objects.filter(slug="house").count() == 1


@pytest.mark.django_db
def test_the_name_in_links_stays_whatever_the_edit_says() -> None:
    second = services.save_ruleset(save_house_rules(), {"slug": "other", "name": "Other", "straight": 100})
    assert (second.slug, second.settings["slug"], second.name) == ("house", "house", "Other")


def test_how_a_ruleset_is_presented_holds_for_its_older_versions_too(device: Device) -> None:
    first = save_house_rules()
    won = bank(0, 1000, IN), bust(1, throw("223446"))
    game = device.game(*won, ruleset=first.settings, target=1000)
    Game.objects.filter(pk=game.pk).update(ruleset=first)
    newest = services.save_ruleset(first, first.settings | {"straight": 9000})
    services.present_ruleset(newest, Presentation(None, True, "", "", True))
    assert RulesetRow.objects.get(home=True, latest=True) == newest
    device.do(game, "rematch")
    assert [seat.name for seat in Game.objects.get(follows=game).seats] == [ANA, BRUNO]


def test_a_running_game_keeps_the_version_it_began_with(device: Device) -> None:
    first = save_house_rules()
    game = services.create_game(device.browser, "k" * 22, first, [rules.Entry("Ana"), rules.Entry("Bruno")])
    services.save_ruleset(first, first.settings | {"straight": 9000})
    game.refresh_from_db()
    assert game.ruleset == first
    assert game.rules.straight == 1500


@pytest.mark.django_db
def test_an_edit_of_an_outdated_version_is_refused() -> None:
    first = save_house_rules()
    services.save_ruleset(first, first.settings | {"straight": 2000})
    with pytest.raises(RulesetMovedOn):
        services.save_ruleset(first, first.settings | {"straight": 3000})
    assert RulesetRow.objects.get(slug="house", latest=True).rules.straight == 2000


@pytest.mark.django_db
def test_an_edit_of_a_retired_ruleset_stays_retired() -> None:
    first = save_house_rules()
    services.retire_ruleset(first)
    assert services.save_ruleset(first, first.settings | {"straight": 2000}).retired


@pytest.mark.django_db
def test_settings_that_cannot_be_played_by_are_refused_by_name() -> None:
    with pytest.raises(rules.RulesetError) as refused:
        save_house_rules(target=1025)
    assert [problem.setting for problem in refused.value.problems] == ["target"]
    assert not RulesetRow.objects.filter(slug="house").exists()


@pytest.mark.django_db
def test_a_name_in_links_is_taken_once() -> None:
    save_house_rules()
    with pytest.raises(SlugTaken):
        save_house_rules()


# ── copies, retiring ──


@pytest.mark.django_db
def test_a_copy_has_the_settings_and_a_free_name_and_is_not_saved() -> None:
    copy = services.copy_ruleset(load_classic())
    assert (copy["slug"], copy["name"]) == ("classic-copy", "Copy of Classic 10000")
    assert rules.Ruleset.from_json(copy).straight == 1500
    assert RulesetRow.objects.count() == len(list_shipped_rulesets())


@pytest.mark.django_db
def test_a_copy_of_a_copy_finds_a_name_too() -> None:
    saved = services.save_ruleset(None, services.copy_ruleset(load_classic()))
    assert services.copy_ruleset(saved)["slug"] == "classic-copy-2"


@pytest.mark.django_db
def test_a_copy_of_a_ruleset_with_the_longest_name_fits() -> None:
    long = save_house_rules(slug="x" * 50, name="y" * 60)
    copy = services.save_ruleset(None, services.copy_ruleset(long))
    assert (len(copy.slug), len(copy.name)) == (50, 60)


@pytest.mark.django_db
def test_a_retired_ruleset_can_be_offered_again() -> None:
    row = save_house_rules()
    services.retire_ruleset(row)
    assert RulesetRow.objects.get(pk=row.pk).retired
    services.offer_ruleset_again(row)
    assert RulesetRow.objects.get(pk=row.pk).retired is None


# ── two at once ──


def save_at_once(do: Callable[[int], object]) -> Counter[str]:
    line = Barrier(TOGETHER)

    def go(number: int) -> str:
        line.wait()
        try:
            do(number)
            return "saved"
        except services.Refusal as refused:
            return type(refused).__name__
        finally:
            connections.close_all()

    with ThreadPoolExecutor(TOGETHER) as threads:
        return Counter(threads.map(go, range(TOGETHER)))


@pytest.mark.django_db(transaction=True)
def test_if_several_save_an_edit_at_once_one_is_first_and_the_others_are_refused() -> None:
    first = save_house_rules()
    outcomes = save_at_once(lambda n: services.save_ruleset(first, first.settings | {"straight": 2000 + n}))
    assert outcomes == {"saved": 1, "RulesetMovedOn": TOGETHER - 1}
    assert list(RulesetRow.objects.filter(slug="house").values_list("version", "latest")) == [(1, False), (2, True)]


@pytest.mark.django_db(transaction=True)
def test_if_several_take_a_name_in_links_at_once_only_one_gets_it() -> None:
    assert save_at_once(lambda n: save_house_rules(straight=2000 + n)) == {"saved": 1, "SlugTaken": TOGETHER - 1}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("straight", range(1600, 1900, 100))
def test_several_games_can_begin_under_the_same_new_rules_at_once(straight: int) -> None:
    own = replace(load_classic().rules, straight=straight)

    def begin(_number: int) -> None:
        with write_lock(), transaction.atomic():
            remember_played(own)

    assert save_at_once(begin) == {"saved": TOGETHER}
    assert PlayedRuleset.objects.get(digest=own.digest).played
