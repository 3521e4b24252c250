"""What a refused form of a game's page holds, to be shown again and corrected."""

from django.http import QueryDict

from game.pages.board.real_dice_pad import TypedTurn
from game.pages.parts.components import NOTHING_REFUSED, RefusedInput
from game.sentences import quote_input

TURN_MOST = 11  # characters of a typed number, or of six faces with spaces between them, that are shown again
TEXT_MOST = 80  # the same for a name, a word or a target
NAMING = ("rename", "join", "add", "free")  # the buttons of forms with a name that take it over


def read_refused_turn(data: QueryDict) -> TypedTurn:
    """Return what the form holds of a turn with real dice."""
    return TypedTurn(
        value=quote_input(data.get("points") or data.get("faces", ""))[:TURN_MOST],
        picked_up="pick_up" in data,
        dice_left=data.get("dice_left", ""),
        lost=quote_input(data.get("lost", ""))[:TURN_MOST],
        nothing="nothing" in data,
    )


def read_refused_input(data: QueryDict, why: str, status: int, *, stays: bool = False) -> RefusedInput:
    """Return the name, word or target that the form holds, if that was refused (422).

    `why`: the refusal; `stays`: the page is not loaded again, so the input still has what was typed.
    """
    name = next((name for name in ("word", "target", "name") if name in data), "")
    if status != 422 or not name or (name == "name" and data.get("do") not in NAMING):
        return NOTHING_REFUSED
    return RefusedInput(find_input(data, name), None if stays else data.get(name, "")[:TEXT_MOST], why)


def find_input(data: QueryDict, name: str) -> str:
    """Return the id of the input that a value of this name was typed into."""
    if name == "target":
        return name
    kind = "seat" if name == "name" and "waiting" not in data else name
    return f"{kind}-{data.get('player') or data.get('seat') or 'new'}"
