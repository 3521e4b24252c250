"""The tallies behind the frequencies on the page about fair dice."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from game.models import Game, RulesetRow, Tally, ThrowRow
from game.rules import Entry, Rename
from game.services import Command, change_own_seat, create_game, dice_counts
from game.services.dice_counts import count_new_throws
from tests.cast import ANA, BRUNO, Device, make_key, reload_game
from tests.services.database.test_one_moment import delete_games_after

AN_HOUR_AGO = timezone.now() - timedelta(hours=1)  # one moment for all, because tallies are kept by the day


def begin_game(device: Device, slug: str = "classic", *names: str) -> Game:
    seats = [Entry(name) for name in names or (ANA, BRUNO)]
    return create_game(device.browser, make_key(), RulesetRow.objects.get(slug=slug, latest=True), seats)


def store_throw(game: Game, number: int | None, dice: str, *, turn: int = 1, **more: Any) -> ThrowRow:
    """Store a throw of the site's dice, made an hour ago."""
    shot, _new = game.shots.get_or_create(
        place=turn, defaults={"player": game.players.get(seat=(turn - 1) % 2), "round": turn, "outcome": "bust"}
    )
    row = game.throws.create(shot=shot, number=number, dice=dice, columns="123456"[: len(dice)], **more)
    age_throws(game.throws.filter(pk=row.pk))
    return row


def age_throws(throws: Any) -> None:
    throws.update(created=AN_HOUR_AGO)


def list_totals() -> list[tuple[bool, int, int, int]]:
    """(computer, dice, throws, busts) of every tally."""
    rows = Tally.objects.order_by("computer", "-dice")
    return [(tally.computer, tally.dice, tally.throws, tally.busts) for tally in rows]


def count_faces() -> Counter[int]:
    times: Counter[int] = Counter()
    for tally in Tally.objects.all():
        times.update(dict(enumerate(tally.faces, 1)))
    return +times


def test_faces_and_busts_are_added_up_by_number_of_dice(device: Device) -> None:
    game = begin_game(device)
    store_throw(game, 1, "123466")
    store_throw(game, 2, "2346")
    store_throw(game, 3, "2236")
    assert count_new_throws() == 3
    assert list_totals() == [(False, 6, 1, 0), (False, 4, 2, 2)]
    assert count_faces() == Counter(map(int, "12346623462236"))


def test_people_and_computers_are_counted_apart(device: Device) -> None:
    game = begin_game(device, "classic", ANA, "*HAL")
    store_throw(game, 1, "123466")
    store_throw(game, 2, "223346", turn=2)
    count_new_throws()
    assert list_totals() == [(False, 6, 1, 0), (True, 6, 1, 1)]


def test_a_person_whose_seat_went_to_a_computer_later_threw_as_a_person(device: Device) -> None:
    game = begin_game(device)
    store_throw(game, 1, "123466")
    handed = {"level": "bold", "level_before": ""}
    game.changes.create(place=2, kind="hand", player=game.players.get(seat=0), data=handed)
    store_throw(game, 2, "223346", turn=3)
    game.players.filter(seat=0).update(level="bold")
    count_new_throws()
    assert list_totals() == [(False, 6, 1, 0), (True, 6, 1, 1)]


def test_each_throw_counts_for_who_had_the_seat_before_it_was_renamed(device: Device) -> None:
    game = begin_game(device, "classic", "*HAL", ANA)
    for number, dice, name in ((1, "123466", BRUNO), (2, "223346", "*HAL")):
        store_throw(game, number, dice, turn=2 * number - 1)
        Game.objects.filter(pk=game.pk).update(place=2 * number - 1)
        change_own_seat(game.code, Command(device.browser.visitor(), make_key(), None, ""), Rename(0, name))
    count_new_throws()
    assert list_totals() == [(False, 6, 1, 1), (True, 6, 1, 0)]


def test_a_throw_that_was_counted_is_not_counted_again(device: Device) -> None:
    game = begin_game(device)
    store_throw(game, 1, "123466")
    assert [count_new_throws(), count_new_throws()] == [1, 0]
    store_throw(game, 2, "12346")
    assert count_new_throws() == 1
    assert list_totals() == [(False, 6, 1, 0), (False, 5, 1, 0)]


def test_many_throws_are_counted_in_batches(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice_counts, "THROWS_AT_ONCE", 3)
    game = begin_game(device)
    for number in range(1, 9):
        store_throw(game, number, "123466"[: 1 + number % 6])
    assert count_new_throws() == 8
    assert sum(throws for _, _, throws, _ in list_totals()) == 8


def test_a_batch_that_another_process_has_counted_changes_nothing(device: Device) -> None:
    game = begin_game(device)
    store_throw(game, 1, "123466")
    count_new_throws()
    before = Tally.objects.get()
    store_throw(game, 2, "123466")
    late = dice_counts.list_new_throws(before.last)
    count_new_throws()
    assert not dice_counts.add_batch(before, dice_counts.count_batch(late), late[-1].pk)
    assert list_totals() == [(False, 6, 2, 0)]


def test_the_first_batch_of_all_is_counted_once(device: Device) -> None:
    store_throw(begin_game(device), 1, "123466")
    throws = dice_counts.list_new_throws(0)
    counts = dice_counts.count_batch(throws)
    assert [dice_counts.add_batch(None, counts, throws[-1].pk) for _time in range(2)] == [True, False]
    assert list_totals() == [(False, 6, 1, 0)]


@pytest.mark.django_db(transaction=True)
def test_a_game_that_is_deleted_while_its_throws_are_counted_does_no_harm() -> None:
    store_throw(begin_game(Device()), 1, "123466")
    with delete_games_after("game_throw"):
        assert count_new_throws() == 1
    assert list_totals() == [(False, 6, 1, 0)]


def test_dice_that_we_did_not_throw_are_left_out(device: Device) -> None:
    store_throw(begin_game(device), None, "123466")
    loaded = device.game()
    store_throw(loaded, 1, "123466")
    assert count_new_throws() == 0


def test_an_undone_throw_that_falls_again_counts_once(device: Device) -> None:
    game = begin_game(device)
    device.do(game, "throw")
    device.do(game, "undo")
    device.do(game, "throw")
    age_throws(ThrowRow.objects)
    count_new_throws()
    assert reload_game(game).undone
    assert [throws for _, _, throws, _ in list_totals()] == [1]


def test_a_throw_of_this_minute_is_not_counted_yet(device: Device) -> None:
    device.do(begin_game(device), "throw")
    assert count_new_throws() == 0


def test_a_throw_after_one_of_this_minute_waits_for_it(device: Device) -> None:
    game = begin_game(device)
    new = store_throw(game, 1, "123466")
    game.throws.filter(pk=new.pk).update(created=timezone.now())
    store_throw(game, 2, "2346")  # at once, on a server whose clock is slow
    assert count_new_throws() == 0
    age_throws(game.throws.filter(pk=new.pk))
    assert count_new_throws() == 2


def test_the_throws_for_the_first_player_are_not_counted(device: Device) -> None:
    game = begin_game(device, "farkle")
    age_throws(game.throws)
    assert count_new_throws() == 0


def test_expected_busts_are_those_of_the_rules_of_the_game(device: Device) -> None:
    store_throw(begin_game(device), 1, "4")
    count_new_throws()
    assert Tally.objects.get().expected == pytest.approx(4 / 6)


def test_three_pairs_with_dice_kept_before_are_no_bust(device: Device) -> None:
    game = begin_game(device, "boxcars")
    store_throw(game, 1, "115246", kept="12")
    store_throw(game, 2, "4466")
    store_throw(game, 3, "4466", turn=2)
    count_new_throws()
    assert list_totals() == [(False, 6, 1, 0), (False, 4, 2, 1)]
