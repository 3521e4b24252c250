"""Who is there: written down by the hub for all streams together, read by every page."""

from __future__ import annotations

import time
from collections.abc import Callable

from game.live import presence
from game.live.beats import There, write
from game.models import Audience, Game, Player
from tests.cast import Device, fresh
from tests.live.conftest import Stream

Listen = Callable[..., Stream]


def until(happened: Callable[[], bool]) -> None:
    """Fails when it has not happened after ten seconds."""
    end = time.monotonic() + 10
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def unseen(game: Game) -> Game:
    game.players.update(seen=None)
    return game


def seen(game: Game) -> set[object]:
    return set(Player.objects.filter(game=game).values_list("seen", flat=True))


def test_who_opens_the_page_of_a_seat_is_seen_there(listen: Listen, device: Device) -> None:
    game = unseen(device.game())
    listen(game, device).version()
    until(lambda: None not in seen(game))


def test_watchers_are_counted_by_browser_and_not_with_the_players(listen: Listen, device: Device) -> None:
    game, curious = device.game(), Device()
    pages = [listen(game, who) for who in (device, curious, curious, Device())]
    for page in pages:
        page.version()
    until(lambda: presence(fresh(game)).watching == 2)
    pages[-1].close()
    until(lambda: presence(fresh(game)).watching == 1)


def test_a_seat_of_one_game_is_not_seen_because_another_game_is_open(listen: Listen, device: Device) -> None:
    open_game, closed_game = unseen(device.game()), unseen(device.game())
    listen(open_game, device).version()
    until(lambda: None not in seen(open_game))
    assert seen(closed_game) == {None}


def test_games_that_are_gone_meanwhile_do_no_harm(device: Device) -> None:
    game = device.game()
    write("a", There({("A" * 22, 1)}, {game.pk: 2, game.pk + 999: 3}))
    assert list(Audience.objects.values_list("game", "watchers")) == [(game.pk, 2)]


def test_what_is_written_again_replaces_what_was_written_before(device: Device) -> None:
    game = device.game()
    for watchers in (1, 5, 0):
        write("a", There(set(), {game.pk: watchers}))
        assert presence(fresh(game)).watching == watchers
    assert not Audience.objects.exists()


def test_everybody_together_is_few_queries(
    device: Device, django_assert_max_num_queries: Callable[..., object]
) -> None:
    games: list[Game] = [device.game() for _ in range(8)]
    visitor = device.browser.visitor()
    assert visitor
    there = There({(game.code, visitor.pk) for game in games}, {game.pk: 1 for game in games})
    with django_assert_max_num_queries(12):
        write("a", there)
