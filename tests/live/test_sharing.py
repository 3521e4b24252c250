"""Choices and reactions that are shared at a table: all who listen hear them at once, and they are stored nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from game import live
from game.live import Broadcast
from game.live.hub import Room
from game.live.hub import Stream as HubStream
from game.live.live_snapshot import LiveSnapshot
from game.live.token import Listener
from game.models import Game
from game.services import REACTIONS
from game.serving import rate_limits
from game.serving.responses import Message
from game.serving.streams import send_news
from tests.cast import IN, Device, bank, open_turn, reload_game, share_game, throw
from tests.live.conftest import Stream, run_beside
from tests.require import require

Listen = Callable[..., Stream]

ALL_ON_THE_BOARD = (bank(0, 1000, IN), bank(1, 1000, IN))


def start_choosing(host: Device, guest: Device) -> Game:
    """Ana chooses among 1 1 5 2 3 6; Bruno sits at another device."""
    return share_game(host, guest, *ALL_ON_THE_BOARD, open_turn(0, throw("115236")))


def name_choice(game: Game, columns: str) -> str:
    return f"{require(reload_game(game).last_throw).pk} {columns}"


def test_everybody_hears_which_dice_are_set_aside(listen: Listen, device: Device, other_device: Device) -> None:
    game = start_choosing(device, other_device)
    pages = [listen(game, device), listen(game, other_device), listen(game)]
    for page in pages:
        page.read_version()
    assert device.do(game, "choice", keep=["3", "1"]).status_code == 204
    assert [page.read_broadcast("choice") for page in pages] == [name_choice(game, "13")] * 3


def test_a_page_opened_during_a_choice_hears_which_dice_are_set_aside(
    listen: Listen, device: Device, other_device: Device
) -> None:
    game = start_choosing(device, other_device)
    there = listen(game, other_device)
    for keep in ("1", "3"):
        device.do(game, "choice", keep=keep)
        there.read_broadcast("choice")
    assert listen(game).read_broadcast("choice") == name_choice(game, "3")


def test_setting_nothing_aside_is_a_choice_too(listen: Listen, device: Device, other_device: Device) -> None:
    game = start_choosing(device, other_device)
    page = listen(game, other_device)
    page.read_version()
    assert device.do(game, "choice").status_code == 204
    assert page.read_broadcast("choice") == name_choice(game, "")


def test_sharing_a_choice_writes_nothing_to_the_database(device: Device, other_device: Device) -> None:
    game = start_choosing(device, other_device)
    with CaptureQueriesContext(connection) as queries:
        assert device.do(game, "choice", keep="1").status_code == 204
    written = [query["sql"] for query in queries if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert written == []


@pytest.mark.parametrize(
    ("keep", "late", "status"),
    [("3", False, 204), ("4", False, 422), ("34", False, 422), ("7", False, 422), ("3", True, 409)],
    ids=["scores", "does not score", "only in part", "no such die", "the throw is over"],
)
def test_a_choice_that_the_rules_refuse_is_shown_to_nobody(
    listen: Listen, device: Device, other_device: Device, keep: str, late: bool, status: int
) -> None:
    game = start_choosing(device, other_device)
    page, before = listen(game, other_device), game.version
    page.read_version()
    if late:
        device.do(game, "throw", keep=["1", "2"])
    assert device.do(game, "choice", keep=[*keep], version=before).status_code == status
    live.send_broadcast(game, live.Broadcast("choice", "the next one"))
    assert page.read_broadcast("choice") == (name_choice(game, keep) if status == 204 else "the next one")


def test_before_a_throw_there_is_nothing_to_choose(device: Device) -> None:
    assert device.do(device.game(), "choice").status_code == 422


def test_a_page_of_another_seat_cannot_choose_for_the_player_due(device: Device, other_device: Device) -> None:
    game = start_choosing(device, other_device)
    refused = other_device.do(game, "choice", keep="1")
    assert (refused.status_code, refused.content.decode()) == (409, "It is Ana’s turn.")


def test_a_change_at_the_table_does_not_make_a_choice_stale(device: Device, other_device: Device) -> None:
    game = start_choosing(device, other_device)
    other_device.do(game, "seats", do="rename", seat=1, name="Bea")
    assert device.do(game, "choice", keep="1", version=game.version).status_code == 204


def test_with_watching_closed_no_spectator_hears_of_a_choice(
    listen: Listen, device: Device, other_device: Device
) -> None:
    game = start_choosing(device, other_device)
    player, spectator = listen(game, other_device), listen(game)
    player.read_version(), spectator.read_version()
    device.do(game, "watching", allowed="0")
    device.do(game, "choice", keep="1")
    assert player.read_broadcast("choice") == name_choice(game, "1")
    assert b"choice" not in spectator.read_rest()


def test_choices_are_limited_in_rate_and_do_not_use_up_the_limit_of_moves(
    device: Device, other_device: Device, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "COUNTS", rate_limits.Counts())
    settings.LIMITS = {"share": (2, 3600), "move": (1, 3600)}
    game = start_choosing(device, other_device)
    assert [device.do(game, "choice", keep="1").status_code for _ in range(3)] == [204, 204, 429]
    assert device.do(game, "throw", keep="1").status_code == 303


# ── reactions ──


def test_everybody_hears_a_reaction_with_the_seat_of_its_sender(
    listen: Listen, device: Device, other_device: Device
) -> None:
    game = start_choosing(device, other_device)
    pages = [listen(game, device), listen(game, other_device), listen(game)]
    for page in pages:
        page.read_version()
    assert other_device.do(game, "reaction", reaction="😱").status_code == 204
    assert [page.read_broadcast("reaction") for page in pages] == ["1 😱"] * 3
    assert reload_game(game).version == game.version


def test_a_page_opened_after_a_reaction_does_not_show_it(listen: Listen, device: Device, other_device: Device) -> None:
    game = start_choosing(device, other_device)
    there = listen(game)
    there.read_version()
    device.do(game, "reaction", reaction="🐢")
    assert there.read_broadcast("reaction") == "0 🐢"
    late = listen(game)
    late.read_version()
    device.do(game, "reaction", reaction="🍀")
    assert late.read_broadcast("reaction") == "0 🍀"


def test_a_page_that_does_not_read_is_sent_the_newest_reactions_alone() -> None:
    """What waits for it takes memory."""
    room = Room("A" * 22)
    page = HubStream(Listener(room.code, "a browser", None), "127.0.0.1", room)
    room.streams.add(page)
    for number in range(100):
        room.pass_on(Broadcast("reaction", str(number)))
    assert [broadcast.text for broadcast in page.broadcasts] == [str(number) for number in range(92, 100)]


def test_a_spectator_who_reads_slowly_hears_nothing_from_after_watching_was_closed() -> None:
    snapshot = LiveSnapshot(game=1, version=1, watching=True, belonging=frozenset())
    room = Room("A" * 22, snapshot)
    page = HubStream(Listener(room.code, "a browser", None), "127.0.0.1", room)
    room.streams.add(page)
    sent: list[bytes] = []

    async def send(message: Message) -> None:
        sent.append(message["body"])
        if b"before" in sent[-1]:  # while this is on its way
            room.apply(replace(snapshot, version=2, watching=False))
            room.pass_on(Broadcast("choice", "after"))

    room.pass_on(Broadcast("choice", "before"))
    run_beside(send_news(page, send))
    assert sent == [b"data: 1\n\n", b"event: choice\ndata: before\n\n"]


def test_on_a_shared_device_the_player_due_reacts_or_else_the_first_one(listen: Listen, device: Device) -> None:
    game, guest = device.game(*ALL_ON_THE_BOARD, players=("Ana", "Bruno", "Chloé", "*HAL")), Device()
    guest.takes(game, 1, 2)
    page = listen(game)
    page.read_version()
    guest.do(game, "reaction", reaction="🐢")
    device.do(game, "reaction", reaction="🍀")
    assert [page.read_broadcast("reaction") for _ in range(2)] == ["2 🐢", "0 🍀"], "Chloé is due"
    guest.do(game, "throw")
    guest.do(game, "seats", do="out", seat="2")
    guest.do(game, "reaction", reaction="🐢")
    assert page.read_broadcast("reaction") == "1 🐢"


def test_every_reaction_has_a_button_and_is_named_in_the_preferences(device: Device, other_device: Device) -> None:
    game = start_choosing(device, other_device)
    page = device.client.get(game.get_absolute_url()).content.decode()
    assert tuple(re.findall('data-react="([^"]+)"', page)) == REACTIONS
    assert f": {' '.join(REACTIONS)}." in device.client.get("/prefs").content.decode()


@pytest.mark.parametrize("sign", ["", "👍", "👏👏", "hello", "<b>"])
def test_no_other_reaction_can_be_sent(device: Device, other_device: Device, sign: str) -> None:
    game = start_choosing(device, other_device)
    assert device.do(game, "reaction", reaction=sign).status_code == 400


def test_reactions_are_limited_in_rate(
    device: Device, other_device: Device, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "COUNTS", rate_limits.Counts())
    settings.LIMITS = {"react": (2, 3600)}
    game = start_choosing(device, other_device)
    assert [device.do(game, "reaction", reaction="👏").status_code for _ in range(3)] == [204, 204, 429]
    assert device.do(game, "choice", keep="1").status_code == 204
