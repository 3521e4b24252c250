"""Fair dice: how the throws of the whole site fell, and those of one game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from game.history import fair, seat_words
from game.history.frequencies import FEWEST, Figure, GroupCounts, recent_frequencies
from game.models import Game, Player
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import number, percent
from game.rules.ruleset import DICE
from game.storage import load_state

# The published test vector: any implementation of these dice must give the same results.
EXAMPLE = {
    "seed": bytes(range(32)).hex(),
    "code": "A" * 22,
    "seal": "c384d16f07bae79d73b003a5b53d1fc50bb99e63f00fb1377a3de58f0403fd5c",
    "table": "133ae228048095e1331575ce00d2e50cb71bb2a5f0f286fd8bb43f70b50d6912",
    "throws": ((1, "4 1 6 1 2 3"), (2, "1 3 2"), (3, "5"), (4, "1 1 4 1 2 4")),
}


@dataclass(frozen=True)
class ShareCell:
    """A figure in words: its share, the range in which fair dice fall, and the sample size."""

    share: str
    reach: str
    of: str
    is_within: bool


def describe_frequencies() -> dict[str, object]:
    """Return how the last million throws of the site fell, in words."""
    seen = recent_frequencies()
    groups = seen.people, seen.computers
    return {
        "enough": seen.is_enough,
        "throws": number(seen.throws),
        "fewest": number(FEWEST),
        "since": seen.since,
        "heads": [(_("People"), count_throws(seen.people)), (_("Computers"), count_throws(seen.computers))],
        "faces": [(face, [describe_figure(group.face(face)) for group in groups]) for face in range(1, 7)],
        "busts": [(dice, [describe_figure(group.bust(dice)) for group in groups]) for dice in range(DICE, 0, -1)],
    }


def count_throws(group: GroupCounts) -> str:
    """Return how many throws a group has made."""
    count = sum(group.throws.values())
    return ngettext("%(n)s throw", "%(n)s throws", count) % {"n": number(count)}


def describe_figure(figure: Figure | None) -> ShareCell | None:
    """Return a figure in words; None for too few throws."""
    if figure is None:
        return None
    share, least, most = (percent(chance, 2) for chance in (figure.share, *figure.reach))
    return ShareCell(share, f"{least} – {most}", number(figure.of), figure.is_within)


# A long game has more than a thousand throws: rows put together here take a tenth of a template's time.
ROW = """<tr{}><th scope="row">{}</th><td class="text"><span class="fell">{}</span>{}</td><td class="text">{}</td>\
<td class="text" dir="auto">{}</td><td>{}</td></tr>
"""


def describe_game(game: Game) -> dict[str, object]:
    """Return what the page of a game's dice shows: the seals, and what was sealed once that may be seen."""
    seeds = fair.epochs_of(game)
    opened = {seed.epoch for seed in seeds if fair.is_open(game, seed)}
    fallen = fair.fallen_throws(game, seeds)
    names = {player.seat: player.name for player in game.seats}
    put_in = seat_words(game)
    ours = any(throw.number is not None for throw in fallen)
    return {
        "game": game,
        "sealed": game.is_over or ours or fair.uses_sealed_dice(game, find_mode(game)),
        "over": game.is_over,
        "opened": bool(opened),
        "begun": game.status != Game.Status.WAITING,
        "epochs": [(seed, bytes(seed.seed).hex() if seed.epoch in opened else "") for seed in seeds],
        "has_words": any(put_in),
        "seats": [(player, describe_word(player, bool(opened))) for player in game.seats[: len(put_in)]],
        "count": len(fallen),
        "ours": ours,
        "rows": write_throws(fallen, names, opened) if opened else "",
    }


def find_mode(game: Game) -> str:
    """Return which dice the next turn is played with."""
    return game.mode if game.status == Game.Status.WAITING else load_state(game).mode


def describe_word(player: Player, opened: bool) -> str:
    """Return what a player added to the dice before the start; the word itself only once a seed may be seen."""
    if player.word:
        return player.word if opened else _("added a word")
    return _("a computer has none") if player.level else _("no word")


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
