"""Turns with real dice, entered on the pad without JavaScript."""

import re
from typing import Any

from game.models import Game, ShotRow
from game.storage import load_state
from tests.cast import IN, Device, Response, banked, fresh, throw
from tests.known import known

BOTH_IN = (banked(0, 1000, IN), banked(1, 1000, IN))
LEFT_FOR_OTHERS = banked(0, 200, throw("155236", "155"))


def with_real_dice(device: Device, *events: Any, **more: Any) -> Game:
    game = device.game(*(events or BOTH_IN), **more)
    device.do(game, "mode", mode="manual")
    return game


def entered(html: str) -> dict[str, Any]:
    """The hidden fields of the pad on the page."""
    form = html.partition('id="tray"')[2].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="(key|version|pick_up|by)" value="([^"]*)">', form))


def more(device: Device, game: Game, what: str, **data: Any) -> str:
    """Press a button of the pad with these fields; return the page that follows."""
    answer = device.client.post(f"{game.get_absolute_url()}/pad?do={what}", data)
    if answer.status_code == 303:
        answer = device.client.get(answer["Location"])
    return str(answer.content.decode())


def tap(device: Device, game: Game) -> str:
    device.client.post(f"{game.get_absolute_url()}/pad", {"entry": "tap"})
    return device.page(game)


def lay(device: Device, game: Game, html: str, faces: str) -> str:
    return more(device, game, "faces", faces=faces, **entered(html))


def go(device: Device, game: Game, html: str, keep: str) -> str:
    return more(device, game, "throw", keep=[*keep], **entered(html))


def bank(device: Device, game: Game, html: str, keep: str = "", **data: Any) -> Response:
    return device.do(game, "points", keep=[*keep], **entered(html), **data)


def last_turn(game: Game) -> ShotRow:
    return known(game.shots.order_by("place").last())


def scores(game: Game) -> list[int]:
    return [player.score for player in load_state(fresh(game)).players]
