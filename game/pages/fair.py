"""The dice of one game: their seals, and how each throw fell."""

from collections.abc import Collection, Mapping, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from game.history import fair
from game.models import Game
from game.pages.parts.language import gettext as _
from game.pages.parts.text import number
from game.storage import load_state

# A long game has more than a thousand throws: rows put together here take a tenth of a template's time.
ROW = """<tr{}><th scope="row">{}</th><td class="text"><span class="fell">{}</span>{}</td><td class="text">{}</td>\
<td class="text" dir="auto">{}</td><td>{}</td></tr>
"""


def build_fair_page(game: Game) -> dict[str, object]:
    """Return what the page of a game's dice shows: the seals, and what was sealed once that may be seen."""
    seeds = fair.list_epochs(game)
    opened = {seed.epoch for seed in seeds if fair.is_open(game, seed)}
    fallen = fair.list_fallen_throws(game, seeds)
    names = {player.seat: player.name for player in game.seats}
    put_in = fair.list_seat_words(game)
    ours = any(throw.number is not None for throw in fallen)
    return {
        "game": game,
        "sealed": game.is_over or ours or fair.uses_sealed_dice(game, find_mode(game)),
        "over": game.is_over,
        "opened": bool(opened),
        "begun": game.status != Game.Status.WAITING,
        "epochs": [(seed, bytes(seed.seed).hex() if seed.epoch in opened else "") for seed in seeds],
        "has_words": any(put_in),
        "seats": game.seats[: len(put_in)],
        "count": len(fallen),
        "ours": ours,
        "rows": write_throws(fallen, names, opened) if opened else "",
    }


def find_mode(game: Game) -> str:
    """Return which dice the next turn is played with."""
    return game.mode if game.status == Game.Status.WAITING else load_state(game).mode


def write_throws(fallen: Sequence[fair.FallenThrow], names: Mapping[int, str], opened: Collection[int]) -> SafeString:
    """Return the rows of the table. Those that can be checked carry epoch and number, for the script of the page."""
    back = format_html(" <small>{}</small>", _("undone"))
    start, foreign, closed = _("to see who goes first"), _("not thrown here"), _("still sealed")
    return format_html_join(
        "",
        ROW,
        (
            (
                format_html(' data-epoch="{}" data-number="{}"', throw.epoch, throw.number)
                if throw.number is not None and throw.epoch in opened
                else "",
                number(throw.place),
                " ".join(throw.dice),
                back if throw.cancelled else "",
                foreign if throw.number is None else "" if throw.epoch in opened else closed,
                start if throw.seat is None else names[throw.seat],
                "–" if throw.number is None else number(throw.number),
            )
            for throw in fallen
        ),
    )
