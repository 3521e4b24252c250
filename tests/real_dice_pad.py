"""Turns with real dice, entered on the pad without JavaScript."""

import re
from typing import Any

from game.models import Game, ShotRow
from game.storage import load_state
from tests.cast import BOTH_IN, Device, Response, reload_game
from tests.require import require


def start_with_real_dice(device: Device, *events: Any, **more: Any) -> Game:
    game = device.game(*(events or BOTH_IN), **more)
    device.do(game, "mode", mode="manual")
    return game


def read_hidden_fields(html: str) -> dict[str, Any]:
    """The hidden fields of the pad on the page."""
    form = html.partition('id="tray"')[2].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="(key|version|pick_up|by)" value="([^"]*)">', form))


def press_pad(device: Device, game: Game, what: str, **data: Any) -> str:
    """Press a button of the pad with these fields; return the page that follows."""
    answer = device.client.post(f"{game.get_absolute_url()}/pad?do={what}", data)
    if answer.status_code == 303:
        answer = device.client.get(answer["Location"])
    return str(answer.content.decode())


def open_tap_pad(device: Device, game: Game) -> str:
    device.client.post(f"{game.get_absolute_url()}/pad", {"entry": "tap"})
    return device.page(game)


def lay_faces(device: Device, game: Game, html: str, faces: str) -> str:
    return press_pad(device, game, "faces", faces=faces, **read_hidden_fields(html))


def keep_and_throw(device: Device, game: Game, html: str, keep: str) -> str:
    return press_pad(device, game, "throw", keep=[*keep], **read_hidden_fields(html))


def keep_and_bank(device: Device, game: Game, html: str, keep: str = "", **data: Any) -> Response:
    return device.do(game, "points", keep=[*keep], **read_hidden_fields(html), **data)


def find_last_turn(game: Game) -> ShotRow:
    return require(game.shots.order_by("place").last())


def load_scores(game: Game) -> list[int]:
    return [player.score for player in load_state(reload_game(game)).players]
