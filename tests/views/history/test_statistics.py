"""The statistics of this browser's games: which games, wins and turns count, and the sums that are kept of them."""

import re
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from itertools import product

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User

from game import services
from game.history.spreadsheets import write_statistics
from game.history.statistics import read_statistics
from game.models import Game, Player, Review, RulesetRow
from game.rules import Entry, keeps, preset
from game.services import Command, accounts, tidying
from game.services.shipped_rulesets import list_shipped_rulesets
from game.services.tidying import add_up_games
from game.storage import sums
from game.strategy.odds import bust_chance
from tests.cast import (
    ANA,
    BRUNO,
    HAL,
    IN,
    Device,
    bank,
    bust,
    let_time_pass,
    make_key,
    reload_game,
    reseal_until,
    throw,
)
from tests.require import require
from tests.services.database.test_one_moment import delete_games_after


def read_figures(device: Device) -> dict[str, str]:
    html = device.client.get("/games").content.decode()
    return dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", html))


def start_game(device: Device, *names: str, ruleset: str = "wikipedia") -> Game:
    """Return a new game of this device, with real dice and a target of 1,000."""
    row = RulesetRow.objects.get(slug=ruleset, latest=True)
    entries = [Entry(name, "balanced" if name == HAL else None) for name in names]
    return services.create_game(device.browser, make_key(), row, entries, target=1000, mode="manual")


def enter_points(device: Device, game: Game, points: int) -> None:
    end = "bank" if points else "bust"
    assert device.do(game, "points", points=points, end=end).status_code in (200, 303)


def play_with_undone_throw(device: Device) -> Game:
    """Return a finished game of Ana's that began with a throw on screen and its undo."""
    game = start_game(device, ANA)
    device.do(game, "mode", mode="auto")
    for press in ("throw", "undo"):
        device.do(game, press)
    device.do(game, "mode", mode="manual")
    for points in (600, 400):
        enter_points(device, game, points)
    assert reload_game(game).status == "finished"
    return game


@pytest.fixture
def played(device: Device) -> Game:
    """A finished game that Ana has won: she banked 600 and 400, Bruno banked 550 and busted."""
    game = start_game(device, ANA, BRUNO)
    for points in (600, 550, 400, 0):
        enter_points(device, game, points)
    assert reload_game(game).status == "finished"
    return game


def test_before_the_first_finished_game_there_are_no_statistics(device: Device) -> None:
    start_game(device, ANA, BRUNO)
    assert "You have not finished a game yet." in device.client.get("/games").content.decode()


def test_if_no_finished_game_counts_the_page_says_why(device: Device) -> None:
    play_with_undone_throw(device)
    html = device.client.get("/games").content.decode()
    assert "None of your finished games counts." in html and "games with an undo don’t count" in html
    assert "Correcting a turn with real dice is fine." in html
    assert "No open games." in html and "You have not finished a game yet." not in html


def test_games_and_turns_are_counted(device: Device, played: Game) -> None:
    shown = read_figures(device)
    assert shown["Games"] == "1"
    assert shown["Average bank"] == "517" and shown["Favourite ruleset"] == "Dice 10,000"


def test_the_favourite_ruleset_is_named_in_the_readers_language(device: Device, played: Game) -> None:
    device.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert "Dice 10.000" in read_figures(device).values()


def test_rules_of_ones_own_are_no_favourite_ruleset(device: Device, played: Game) -> None:
    for _game in range(2):
        own = start_game(device, ANA, ruleset="classic")
        enter_points(device, own, 1000)
        Game.objects.filter(pk=own.pk).update(ruleset=None)
    assert read_figures(device)["Favourite ruleset"] == "Dice 10,000"


def test_a_renamed_ruleset_is_one_favourite_ruleset_under_its_new_name(device: Device) -> None:
    house = preset("classic").to_json() | {"slug": "house", "name": "House"}
    row = services.save_ruleset(None, house)
    played = [start_game(device, ANA, ruleset="house") for _game in range(2)]
    services.save_ruleset(row, house | {"name": "Home"})
    played += [start_game(device, ANA, ruleset=slug) for slug in ("house", "classic", "classic")]
    for game in played:
        enter_points(device, game, 1000)
    assert read_figures(device)["Favourite ruleset"] == "Home"


def test_a_game_of_many_people_at_one_device_is_one_game_of_its_ruleset(device: Device) -> None:
    many = start_game(device, ANA, BRUNO, "Cem", "Dora")
    for points in (1000, 0, 0, 0):
        enter_points(device, many, points)
    for _game in range(2):
        enter_points(device, start_game(device, ANA, ruleset="classic"), 1000)
    assert read_figures(device)["Games"] == "3" and read_figures(device)["Favourite ruleset"] == "Classic 10,000"


def test_turns_entered_without_their_dice_say_nothing_about_busts(device: Device, played: Game) -> None:
    assert "Bust rate" not in read_figures(device)
    shot = played.shots.create(player=played.seats[0], place=9, round=3, outcome="bust", count=1)
    played.throws.create(shot=shot, dice="234466", columns="123456")
    sums.add_up(reload_game(played))
    assert read_figures(device)["Bust rate"] == "100% of 1 turn with known dice, 2.3% expected"


def test_best_banks_are_kept_and_found_in_games_of_the_release_before(played: Game) -> None:
    assert list(played.players.values_list("best_bank", flat=True)) == [600, 550]
    Player.objects.update(best_bank=0)
    import_module("game.migrations.0019_best_bank").find_best_banks(apps, None)
    assert list(played.players.values_list("best_bank", flat=True)) == [600, 550]


def test_turns_that_a_computer_played_for_somebody_are_not_theirs(device: Device) -> None:
    game = start_game(device, ANA, BRUNO)
    for points in (600, 550):
        enter_points(device, game, points)
    reseal_until(reload_game(game), lambda dice: not keeps(game.rules, tuple(dice)))
    let_time_pass(game, dice_changed=timedelta(minutes=4))
    device.do(game, "skip", do="hand")
    device.do(game, "advance")
    assert reload_game(game).shots.get(round=2).outcome == "bust"
    device.do(game, "hand", seat=0)
    for points in (0, 400, 0):
        enter_points(device, game, points)
    assert read_figures(device)["Average bank"] == "517" and "Bust rate" not in read_figures(device)


def test_a_game_at_one_device_counts_no_wins(device: Device, played: Game) -> None:
    assert "Wins" not in read_figures(device)


@pytest.mark.parametrize(("won", "wins"), [(True, "1"), (False, "0")])
def test_a_win_against_somebody_elsewhere_counts(
    device: Device, other_device: Device, played: Game, won: bool, wins: str
) -> None:
    other_device.takes(played, 1 if won else 0)
    assert read_figures(device)["Wins"] == wins


def test_two_winners_at_one_device_count_as_one_win(device: Device, other_device: Device) -> None:
    game = start_game(device, ANA, BRUNO, "Cem")
    other_device.takes(game, 2)
    game.players.update(turns=3)
    game.players.exclude(seat=2).update(won=True)
    assert read_figures(device)["Wins"] == "1"


def add_game_against_others(device: Device, other_device: Device) -> None:
    """Add a game against somebody elsewhere to the one that was played at one device."""
    contest = start_game(device, ANA, BRUNO)
    contest.players.update(turns=3)
    other_device.takes(contest, 1)


def test_with_games_of_both_kinds_the_page_says_which_wins_count(
    device: Device, other_device: Device, played: Game
) -> None:
    add_game_against_others(device, other_device)
    assert read_figures(device)["Games"] == "2" and read_figures(device)["Wins"] == "0 of 1 against others"


def test_a_game_between_browsers_of_one_account_no_longer_counts_as_a_win(
    device: Device, other_device: Device, played: Game
) -> None:
    other_device.takes(played, 1)
    assert read_figures(device)["Wins"] == "1"
    user = User.objects.create_user("ana")
    for browser in (device.browser, other_device.browser):
        accounts.give_all(require(browser.visitor()), accounts.find_or_make_visitor(user))
    statistics = require(read_statistics(accounts.find_or_make_visitor(user)))
    assert (statistics.games, statistics.contests) == (1, 0)


def test_a_game_whose_seats_came_to_one_device_no_longer_counts_as_a_win(
    device: Device, other_device: Device, played: Game
) -> None:
    other_device.takes(played, 1)
    token = services.offer_transfer(played.code, Command(other_device.browser.visitor(), make_key(), None, ""))
    services.claim_transfer(device.browser, token, make_key(), "")
    assert read_figures(device)["Games"] == "1" and "Wins" not in read_figures(device)


def test_games_of_the_release_before_are_recognised_as_against_others(
    device: Device, other_device: Device, played: Game
) -> None:
    """Games that were played at one device stay what they were."""
    add_game_against_others(device, other_device)
    before = read_figures(device)
    Player.objects.update(contest=False)
    assert read_figures(device) != before
    import_module("game.migrations.0009_contests").look_for_others(apps, None)
    assert read_figures(device) == before


def test_expected_busts_are_the_chances_of_the_throws(device: Device) -> None:
    game = device.game()
    shot = game.shots.create(player=game.seats[0], place=9, round=1, outcome="bust", count=3)
    for dice, columns, kept in (("111346", "123456", "123"), ("522", "456", "4"), ("46", "56", "")):
        game.throws.create(shot=shot, dice=dice, columns=columns, kept=kept)
    game.loaded = False
    sums.add_up(game)
    chances = [bust_chance(game.rules, dice) for dice in (6, 3, 2)]
    ana = Player.objects.get(game=game, seat=0)
    assert ana.expected_busts == pytest.approx(sum(chances)) and (ana.turns, ana.busts) == (1, 1)


def test_only_the_last_try_with_the_last_die_can_bust(device: Device) -> None:
    throws = [(1, dice, "6", kept, 0) for dice, kept in (("4", ""), ("3", ""), ("6", ""))]
    for rules in (preset("farkle"), replace(preset("farkle"), slug="own", nothing_bonus=500)):
        assert list(sums.bust_chances(rules, throws)) == [bust_chance(rules, 1)]


def test_the_last_throw_of_a_turn_with_a_limit_is_also_the_last_try() -> None:
    rules = replace(preset("classic"), slug="own", last_die_throws=3, throws_most=3, bank_minimum=350)
    tries = [(1, "111554", "123456", "12345", 1100), (1, "4", "6", "", 0), (1, "3", "6", "", 0)]
    assert list(sums.bust_chances(rules, tries)) == [bust_chance(rules, 6), pytest.approx(4 / 6)]
    short = [(1, "551346", "123456", "12", 100), (1, "5534", "3456", "34", 100), (1, "34", "56", "", 0)]
    *_, last = sums.bust_chances(rules, short)
    assert last == pytest.approx(1 - 3 / 36)  # two ones, or a one and a 5, bring the points that a bank needs


def test_a_throw_that_is_thrown_again_had_no_bust_risk() -> None:
    rules = replace(preset("classic"), slug="own", nothing="again", nothing_bonus=50)
    throws = [(1, "223346", "123456", "", 50), (1, "112346", "123456", "12", 200), (1, "2346", "3456", "", 0)]
    first, again, last = sums.bust_chances(rules, throws)
    assert first == again == 0
    assert last == pytest.approx(bust_chance(rules, 4))


def test_a_lone_five_thrown_again_counts_once_in_the_expected_busts() -> None:
    rules = replace(preset("classic"), slug="own", lone_five="rethrow")
    throws = [(1, dice, "456", kept, 0) for dice, kept in (("523", ""), ("654", ""), ("146", "4"))]
    assert list(sums.bust_chances(rules, throws)) == [pytest.approx(60 / (6**3 - 48))]


def test_the_last_throw_of_a_turn_with_a_limit_also_busts_below_the_minimum() -> None:
    """With three throws a turn and 350 to bank, 200 points and three dice need 150 more."""
    rules = list_shipped_rulesets()["berliner-macke"]
    throws = [(1, "13446", "12345", "1", 100), (1, "1346", "2345", "2", 100), (1, "346", "345", "", 0)]
    singles = {1: 100, 5: 50}
    short = [
        dice
        for dice in product(range(1, 7), repeat=3)
        if len(set(dice)) > 1 and sum(singles.get(face, 0) for face in dice) < 150
    ]
    first, second, last = sums.bust_chances(rules, throws)
    assert (first, second) == pytest.approx((bust_chance(rules, 5), bust_chance(rules, 4)))
    assert last == pytest.approx(len(short) / 6**3)


def test_dice_that_may_join_a_growing_set_lower_the_expected_busts() -> None:
    rules = list_shipped_rulesets()["hot-dice"]
    throws = [(1, "444236", "123456", "123", 400), (1, "423", "456", "4", 400), (1, "14", "56", "5", 100)]
    throws.append((1, "2", "6", "", 0))
    without = [dice for dice in product((2, 3, 6), repeat=3) if len(set(dice)) > 1]
    first, *later = sums.bust_chances(rules, throws)
    assert first == pytest.approx(bust_chance(rules, 6))
    assert later == pytest.approx([len(without) / 6**3, 1 / 4, 1 / 2])
    fresh_dice = [(1, "444115", "123456", "123456", 650), (1, "236", "123", "", 0)]
    assert list(sums.bust_chances(rules, fresh_dice))[1] == pytest.approx(bust_chance(rules, 3))


def test_an_exact_target_that_is_near_raises_the_expected_busts(device: Device) -> None:
    """In the last two turns 100 points are missing, which only a 1 or 5s can give."""
    rules = list_shipped_rulesets()["le-5000"]
    turns = bank(0, 1000, throw("11123", "111")), bust(0, throw("44423")), bank(0, 100, throw("12346", "1"))
    game = device.game(*turns, players=(ANA,), ruleset=rules.to_json(), target=1100)
    game.loaded = False
    sums.add_up(game)
    ana = Player.objects.get(game=game)
    assert (ana.turns, ana.busts) == (3, 1)
    assert ana.expected_busts == pytest.approx(bust_chance(game.rules, 5) + 2 * (4 / 6) ** 5)


@pytest.mark.parametrize(
    ("slug", "again"), [("hot-dice", 1), ("dix-mille-com", 1), ("zilch-growing", 1), ("classic", 0)]
)
def test_games_of_the_release_before_are_added_up_again_where_it_expected_wrong_busts(
    device: Device, slug: str, again: int
) -> None:
    device.game(bank(0, 1000, IN), players=(ANA,), ruleset=list_shipped_rulesets()[slug].to_json())
    Game.objects.update(loaded=False, status=Game.Status.FINISHED)
    Player.objects.update(turns=1)
    import_module("game.migrations.0036_expected_busts").forget_sums(apps, None)
    assert add_up_games() == again


def test_points_set_aside_leave_less_room_below_an_exact_target() -> None:
    rules = list_shipped_rulesets()["dix-mille-com"]
    throws = [(1, "122346", "123456", "1", 100), (1, "52346", "23456", "2", 50), (1, "2346", "3456", "", 0)]
    assert list(sums.bust_chances(rules, throws, 150))[1:] == [pytest.approx((5 / 6) ** 5), 1]
    assert list(sums.bust_chances(rules, throws, 5000)) == list(sums.bust_chances(rules, throws))


def test_what_saves_the_first_throw_of_a_turn_saves_no_later_one() -> None:
    rules = list_shipped_rulesets()["zilch-growing"]
    throws = [(1, "111155", "123456", "123456", 2100), (1, "223346", "123456", "", 0)]
    assert list(sums.bust_chances(rules, throws)) == [0, pytest.approx(bust_chance(rules, 6))]


def test_loaded_games_do_not_count(device: Device, played: Game) -> None:
    Game.objects.update(loaded=True)
    Player.objects.update(turns=None)
    sums.add_up(reload_game(played))
    assert read_figures(device) == {}


def test_a_game_with_an_undone_throw_does_not_count(device: Device) -> None:
    play_with_undone_throw(device)
    assert read_figures(device) == {}


def test_a_game_with_a_corrected_entry_for_real_dice_counts_as_corrected(device: Device, played: Game) -> None:
    for _turn in ("Bruno's bust", "Ana's 400"):
        device.do(played, "undo")
    assert read_figures(device) == {}
    for points in (650, 0):
        enter_points(device, played, points)
    ana = Player.objects.get(game=played, seat=0)
    assert (ana.banks, ana.banked, ana.best_bank) == (2, 600 + 650, 650)
    assert read_figures(device)["Games"] == "1"


def test_games_of_the_release_before_count_if_only_entries_were_corrected(device: Device, played: Game) -> None:
    play_with_undone_throw(device)
    device.do(played, "undo")
    enter_points(device, played, 0)
    counted = read_figures(device)
    Game.objects.update(undone=True)
    forget_sums(played)
    import_module("game.migrations.0034_corrected_games").count_corrected_games(apps, None)
    assert add_up_games() == 1 and read_figures(device) == counted


def test_computers_are_not_counted(device: Device, played: Game) -> None:
    Player.objects.filter(seat=0).update(name=HAL, level="balanced")
    sums.update_contest_flag(played)
    assert read_figures(device)["Wins"] == "0"


def test_somebody_elses_games_are_not_counted(device: Device, other_device: Device, played: Game) -> None:
    assert read_figures(other_device) == {}


def store_review(game: Game, accuracy: float | None, luck: float | None) -> None:
    player = {"accuracy": accuracy, "luck": luck, "luck_win": None, "busts": 0, "expected_busts": 0.0}
    data = {"players": [player, player], "decisions": []}
    Review.objects.update_or_create(game=game, defaults={"progress": 100, "data": data})


def test_accuracy_and_luck_come_from_reviews(device: Device, played: Game) -> None:
    store_review(played, 80, -150)
    again = start_game(device, ANA, BRUNO)
    for points in (600, 550, 400, 0):
        enter_points(device, again, points)
    store_review(again, 90, -50)
    html = device.client.get("/games").content.decode()
    assert "<dt>Games</dt><dd>2</dd>" in html
    assert "−400 points" in html and "Over the last 2 games: 85 on average, 90 in the last one." in html
    assert 'class="trend"' in html


@pytest.mark.parametrize("data", [None, {"by": None, "players": [], "decisions": [], "throws": []}])
def test_an_empty_review_adds_nothing(device: Device, played: Game, data: object) -> None:
    Review.objects.update_or_create(game=played, defaults={"data": data})
    assert "Luck in recent games" not in read_figures(device) and read_figures(device)["Games"] == "1"


def test_a_missing_accuracy_or_luck_is_left_out(device: Device, played: Game) -> None:
    store_review(played, None, None)
    assert "Luck in recent games" not in read_figures(device)


def test_the_same_press_counts_once(device: Device) -> None:
    game = start_game(device, ANA)
    command = Command(device.browser.visitor(), make_key(), reload_game(game).version, "x")
    from game.rules import Manual

    services.enter_points(game.code, command, lambda _state, _turn: Manual(1000))
    with pytest.raises(services.AlreadyDone):
        services.enter_points(game.code, command, lambda _state, _turn: Manual(1000))
    assert read_figures(device)["Games"] == "1"


def forget_sums(game: Game) -> None:
    """Make this a game that ended before sums were kept."""
    game.players.update(turns=None, banks=0, banked=0, busts=0, expected_busts=0)


def test_a_game_that_ended_before_there_were_statistics_is_counted_once(device: Device, played: Game) -> None:
    before = read_figures(device)
    forget_sums(played)
    assert read_figures(device) == {}
    assert [add_up_games(), add_up_games()] == [1, 0]
    assert read_figures(device) == before


def test_many_games_without_sums_are_added_up_a_few_at_a_time(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "ADDED_UP_MOST", 2)
    for _game in range(3):
        game = start_game(device, ANA, BRUNO)
        for points in (600, 0, 400, 0):
            enter_points(device, game, points)
        forget_sums(game)
    assert [add_up_games(), add_up_games(), add_up_games()] == [2, 1, 0]
    assert read_figures(device)["Games"] == "3"


@pytest.mark.parametrize("why", [{"loaded": True}, {"undone": True}, {"status": "abandoned"}])
def test_games_that_do_not_count_are_not_added_up_later_either(
    device: Device, played: Game, why: dict[str, object]
) -> None:
    forget_sums(played)
    Game.objects.update(**why)
    assert add_up_games() == 0 and read_figures(device) == {}


@pytest.mark.django_db(transaction=True)
def test_a_table_can_be_downloaded_while_one_of_its_games_is_deleted() -> None:
    device = Device()
    game = start_game(device, ANA, BRUNO)
    for points in (600, 550, 400, 0):
        enter_points(device, game, points)
    with delete_games_after("expected_busts"):
        table = "".join(write_statistics(device.browser.visitor()))
    assert len(table.splitlines()) == 3
