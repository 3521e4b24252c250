"""Tidying: what is deleted when its time is over and what is kept, and the other work of the worker."""

import runpy
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import models
from django.utils import timezone
from django_tasks import task
from django_tasks.signals import task_finished
from django_tasks_db.models import DBTaskResult

from game import services
from game.management.commands import work
from game.models import Audience, Game, Invite, PlayedRuleset, RulesetRow, Tally, Transfer
from game.rules import Entry, Ruleset, RulesetError, preset
from game.services.own_rules import find_played, keep_ruleset
from game.services.refusals import StaleMove
from game.services.shots import advance_unattended
from game.services.tidying import abandon_if_silent, hand_over_hosts, tidy_site
from game.storage import load_state
from tests.cast import IN, Device, bank, make_key, reload_game, reseal_until, share_game
from tests.require import require

WITH_HAL = ("Ana", "*HAL")


def age_row(row: models.Model, **back: float) -> None:
    """Make a row older by moving all its dates back."""
    dates = [field.name for field in row._meta.fields if isinstance(field, models.DateTimeField)]
    moved = {name: getattr(row, name) - timedelta(**back) for name in dates if getattr(row, name)}
    type(row)._default_manager.filter(pk=row.pk).update(**moved)


def make_waiting_game(device: Device) -> Game:
    return services.create_game(
        device.browser, make_key(), RulesetRow.objects.get(slug="classic"), [Entry("Ana")], wait=True
    )


def test_a_game_that_nobody_started_within_a_week_is_deleted(device: Device) -> None:
    old, new = make_waiting_game(device), make_waiting_game(device)
    age_row(old, days=8)
    age_row(new, days=6)
    assert tidy_site()["waiting games"] == 1
    assert list(Game.objects.all()) == [new]


def test_a_game_that_nobody_started_within_a_week_is_in_no_list(device: Device, other_device: Device) -> None:
    game = make_waiting_game(device)
    other_device.page(game)
    lists = [(device, "/"), (device, "/games"), (other_device, "/games?show=watching")]
    for lapsed in (False, True):
        age_row(reload_game(game), days=8 if lapsed else 6)
        for one, address in lists:
            assert (game.code in one.client.get(address).content.decode()) is not lapsed, address
    assert "Open (" not in device.client.get("/games").content.decode()


def make_waiting_game_under(device: Device, rules: Ruleset) -> Game:
    return services.create_game(device.browser, make_key(), rules, [Entry("Ana")], wait=True)


def test_rules_that_were_never_played_are_deleted_after_the_games_that_waited(device: Device) -> None:
    chosen, kept, played = (replace(preset("classic"), straight=points) for points in (1550, 1600, 1650))
    for rules in (chosen, kept, played):
        age_row(make_waiting_game_under(device, rules), days=8)
    services.create_game(device.browser, make_key(), played, [Entry("Ana"), Entry("Bo")])
    keep_ruleset(device.browser, require(find_played(kept.digest)), "Ours")
    assert tidy_site()["rules that nobody played"] == 0
    for row in PlayedRuleset.objects.all():
        age_row(row, days=8)
    assert tidy_site()["rules that nobody played"] == 1
    assert {row.digest for row in PlayedRuleset.objects.all()} == {kept.digest, played.digest}


def test_the_rules_of_a_waiting_game_are_kept(device: Device) -> None:
    rules = replace(preset("classic"), straight=1550)
    make_waiting_game_under(device, rules)
    age_row(PlayedRuleset.objects.get(), days=8)
    make_waiting_game_under(device, rules)
    assert tidy_site()["rules that nobody played"] == 0


def test_an_invite_ends_after_a_week_and_a_transfer_when_used_or_after_ten_minutes(
    device: Device,
) -> None:
    game, visitor = make_waiting_game(device), require(device.browser.visitor())
    age_row(game.invite, days=8)
    for token, minutes, used in (("old", 11, None), ("used", 1, timezone.now()), ("good", 9, None)):
        age_row(game.transfers.create(visitor=visitor, token_hash=token, used=used), minutes=minutes)
    done = tidy_site()
    assert (done["invites"], done["transfers"]) == (1, 2)
    assert not Invite.objects.exists() and Transfer.objects.get().token_hash == "good"


def test_a_game_without_a_move_for_a_month_is_abandoned_and_shows_its_seed(device: Device) -> None:
    game, resting = device.game(bank(0, 1000, IN)), device.game(bank(0, 1000, IN))
    age_row(game, days=31)
    age_row(resting, days=29)
    assert tidy_site()["abandoned games"] == 1
    assert (reload_game(game).status, reload_game(resting).status) == ("abandoned", "running")
    assert load_state(reload_game(game)).players[0].score == 1000
    assert device.do(game, "throw").status_code == 409
    assert game.seeds.get().seed.hex() in device.client.get(f"/g/{game.code}/fair").content.decode()


def test_nobody_is_asked_anything_in_a_game_that_was_abandoned(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    device.do(game, "undo")
    age_row(reload_game(game), days=31)
    assert tidy_site()["abandoned games"] == 1
    assert reload_game(game).asking is None


def test_a_game_that_somebody_has_just_continued_is_not_abandoned(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    with pytest.raises(StaleMove):
        abandon_if_silent(reload_game(game))
    assert reload_game(game).status == "running"


def test_keys_of_forms_are_kept_for_two_days(device: Device) -> None:
    game = device.game()
    device.do(game, "throw")
    assert tidy_site()["request keys"] == 0
    age_row(game.requests.get(), days=3)
    assert tidy_site()["request keys"] == 1


def test_spectators_of_a_process_that_ended_long_ago_are_forgotten(device: Device) -> None:
    game = device.game()
    for process, hours in (("ended", 2), ("runs", 0)):
        seen = timezone.now() - timedelta(hours=hours)
        Audience.objects.create(game=game, process=process, watchers=1, seen=seen)
    assert tidy_site()["audiences"] == 1
    assert Audience.objects.get().process == "runs"


def test_tidying_again_does_nothing_more(device: Device) -> None:
    age_row(device.game(), days=40)
    tidy_site()
    assert not any(tidy_site().values())


def test_a_chore_that_fails_keeps_no_other_from_being_done(device: Device) -> None:
    game = services.create_game(
        device.browser, make_key(), RulesetRow.objects.get(slug="classic"), [Entry("Ana"), Entry("Bo")]
    )
    device.do(game, "throw")
    age_row(game.throws.get(), hours=1)
    RulesetRow.objects.filter(slug="greed").update(settings={"target": 0})  # so which tables to keep is unknown
    with pytest.raises(ExceptionGroup) as failed:
        tidy_site()
    assert [type(error) for error in failed.value.exceptions] == [RulesetError]
    assert Tally.objects.get().throws == 1


def test_when_the_host_goes_away_the_first_to_sit_down_becomes_host_and_the_log_says_so(
    device: Device, other_device: Device
) -> None:
    game = device.game(players=("Ana", "Bruno", "Chloé"))
    other = other_device.browser.visitor_or_new()
    game.players.filter(seat__gt=0).update(visitor=other, seen=timezone.now())
    assert hand_over_hosts() == 0
    age_row(game, minutes=11)
    game.players.filter(seat=0).update(seen=timezone.now() - timedelta(minutes=11))
    assert (hand_over_hosts(), hand_over_hosts()) == (1, 0)
    assert reload_game(game).host == other
    assert require(game.changes.get(kind="host").player).name == "Bruno"


# ── computers where no page is open ──


def test_a_computer_plays_on_when_everybody_has_closed_the_page(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=WITH_HAL)
    age_row(game, seconds=20)
    work.play_unattended(work.LONG_AGO)
    state = load_state(reload_game(game))
    assert (state.player, state.round) == (0, 2)
    assert reload_game(game).version > game.version


def test_a_computer_plays_on_although_the_worker_looked_at_the_moment_of_its_last_step(device: Device) -> None:
    game = reseal_until(device.game(bank(0, 1000, IN), players=WITH_HAL), lambda dice: 1 in dice)
    device.do(game, "advance", htmx=True)
    age_row(reload_game(game), seconds=20)
    assert load_state(reload_game(game)).player == 1
    work.play_unattended(reload_game(game).dice_changed_at - timedelta(microseconds=1))
    assert load_state(reload_game(game)).player == 0


def test_a_computer_plays_on_although_the_clock_was_set_back(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=WITH_HAL)
    age_row(game, seconds=20)
    work.play_unattended(timezone.now() + timedelta(hours=1))
    assert load_state(reload_game(game)).player == 0


def test_the_worker_leaves_a_game_alone_while_a_page_may_be_playing_it(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=WITH_HAL)
    work.play_unattended(work.LONG_AGO)
    assert reload_game(game).version == game.version and not game.throws.filter(number__gt=0).exists()


def test_the_worker_plays_no_game_that_a_page_has_just_played(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=WITH_HAL)
    with pytest.raises(StaleMove):
        advance_unattended(game.code)
    age_row(game, seconds=20)
    advance_unattended(game.code)
    assert load_state(reload_game(game)).player == 0


@pytest.mark.parametrize("broken", [False, True], ids=["a person is due", "it cannot be read"])
def test_a_computer_plays_on_whatever_the_worker_meets_in_another_game(device: Device, broken: bool) -> None:
    first, game, last = (device.game(*events, players=WITH_HAL) for events in ((), (bank(0, 1000, IN),), ()))
    for other, code in ((first, "0" * 22), (last, "z" * 22)):  # so one comes before the game in any order
        Game.objects.filter(pk=other.pk).update(code=code)
    if broken:
        Game.objects.exclude(pk=game.pk).update(state_data={})
    for row in (first, game, last):
        age_row(row, seconds=20)
    work.play_unattended(work.LONG_AGO)
    assert load_state(reload_game(game)).player == 0


def test_the_worker_does_not_play_for_people(device: Device) -> None:
    game = device.game(players=WITH_HAL)
    age_row(game, seconds=20)
    work.play_unattended(work.LONG_AGO)
    assert (reload_game(game).version, reload_game(game).thrown) == (game.version, 0)


# ── the worker ──


@task
def note_text(text: str) -> str:
    if text == "boom":
        raise ValueError(text)
    return text.upper()


@pytest.mark.django_db(transaction=True)
def test_a_worker_does_all_waiting_tasks_even_when_one_fails() -> None:
    for text in ("boom", "done"):
        note_text.enqueue(text)
    call_command("work", once=True)
    assert {row.args_kwargs["args"][0]: row.status for row in DBTaskResult.objects.all()} == {
        "boom": "FAILED",
        "done": "SUCCESSFUL",
    }
    assert DBTaskResult.objects.get(status="SUCCESSFUL").return_value == "DONE"


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_works_once_does_its_tasks_after_a_chore_that_failed_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    RulesetRow.objects.filter(slug="greed").update(settings={"target": 0})  # so the site cannot be tidied
    note_text.enqueue("done")
    with pytest.raises(CommandError, match=r"^Not everything could be done\. The log says why\.$") as failed:
        call_command("work", once=True)
    assert failed.value.returncode == 1
    assert DBTaskResult.objects.get().status == "SUCCESSFUL"


@pytest.mark.django_db
def test_a_task_whose_worker_died_is_begun_again_a_limited_number_of_times() -> None:
    for tries in (1, work.TRIES):
        note_text.enqueue("x")
        DBTaskResult.objects.filter(status="READY").update(status="RUNNING", worker_ids=["gone"] * tries)
    work.put_back(DBTaskResult.objects.running().filter(worker_ids__icontains="gone"))
    assert sorted(DBTaskResult.objects.values_list("status", flat=True)) == ["FAILED", "READY"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("hours", "status"), [(7, "SUCCESSFUL"), (5, "RUNNING")])
def test_a_worker_begins_a_task_again_that_another_left_running_hours_ago(hours: int, status: str) -> None:
    note_text.enqueue("x")
    DBTaskResult.objects.get().claim("gone")
    DBTaskResult.objects.update(started_at=timezone.now() - timedelta(hours=hours))
    call_command("work", once=True)
    assert DBTaskResult.objects.get().status == status


@pytest.mark.django_db
def test_a_task_survives_any_number_of_restarts_of_the_site() -> None:
    note_text.enqueue("x")
    for number in range(2 * work.TRIES):
        running = DBTaskResult.objects.get()
        running.claim(f"stopped-{number}")
        work.put_back(DBTaskResult.objects.running().filter(worker_ids__icontains=f"stopped-{number}"), died=False)
        assert DBTaskResult.objects.get().status == "READY"


@pytest.mark.one_database
def test_workers_of_two_containers_that_start_in_the_same_second_have_different_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)  # and both have the process id of this test
    names = {runpy.run_path(work.__file__)["NAME"] for _ in range(2)}
    assert len(names) == 2


@task
def lose_own_row() -> None:
    DBTaskResult.objects.running().delete()


@pytest.mark.django_db(transaction=True)
def test_tasks_go_on_after_one_whose_row_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(BaseException):
        """Ends the worker's endless loop."""

    def stop(**_about: object) -> None:
        raise Stopped

    monkeypatch.setattr(work, "LOOK_SECONDS", 0)
    lose_own_row.enqueue()
    note_text.enqueue("done")
    task_finished.connect(stop)  # which the task without a row does not reach
    try:
        with pytest.raises(Stopped):
            work.work_on_tasks("default")
    finally:
        task_finished.disconnect(stop)
    assert DBTaskResult.objects.get().args_kwargs["args"] == ["done"]
