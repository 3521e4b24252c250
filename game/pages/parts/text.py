"""The sentences of the game page: numbers and names in, one whole translated sentence out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from game.rules import State


def number(value: int | float, places: int | None = None) -> str:
    """In the reader's way: 4,350 · 4.350 · 4 350. Rounded, where Django's own would cut off."""
    return _number(value, places, get_language())


@lru_cache(maxsize=4096, typed=True)  # a page says a hundred numbers, and mostly the same ones
def _number(value: int | float, places: int | None, _language: str | None) -> str:
    return number_format(value if places is None else round(value, places), places, force_grouping=True)


def percent(chance: float, places: int | None = None) -> str:
    """A chance 0–1 with so many decimals; unless said, as the buttons say it: whole per cent, one decimal below ten."""
    if places is None:
        places = 1 if chance < 0.0995 else 0
    return number(100 * chance, places) + "%"


def faces(dice: Iterable[int]) -> str:
    return " ".join(map(str, dice))


def die_name(column: int, face: int) -> str:
    return _die_name(column, face, get_language())


@lru_cache
def _die_name(column: int, face: int, _language: str | None) -> str:
    return _("Die %(column)s: %(face)s") % {"column": column, "face": face_name(face)}


def face_name(face: int) -> str:
    return _face_names(get_language())[face - 1]


@lru_cache
def _face_names(_language: str | None) -> tuple[str, ...]:
    return _("one"), _("two"), _("three"), _("four"), _("five"), _("six")


def face_names(face: int) -> str:
    """More than one die of a face: part of three 3s."""
    return f"{face}s"


def dice_count(n: int) -> str:
    return _dice_count(n, get_language())


@lru_cache
def _dice_count(n: int, _language: str | None) -> str:
    return ngettext("%(n)s die", "%(n)s dice", n) % {"n": n}


def money(coins: int) -> str:
    """An amount in the smallest coin, as 1.45."""
    return number(coins / 100, 2)


def name_list(names: Sequence[str]) -> str:
    return str(get_text_list(list(names), _("and")))


def winner_sentence(state: State, by_six_alike: bool) -> str:
    """As in: Bruno wins with 10,200, 550 ahead of Ana."""
    winners = [state.players[seat] for seat in state.winners]
    if not winners:
        return _("The game is over. Nobody is left to win it.")
    if by_six_alike:
        return _("Six alike. %(name)s wins at once.") % {"name": winners[0].name}
    score = winners[0].score
    if len(winners) > 1:
        return _("%(names)s share the win with %(score)s.") % {
            "names": name_list([player.name for player in winners]),
            "score": number(score),
        }
    others = [p for i, p in enumerate(state.players) if i not in state.winners and p.active]
    if not others:
        return _("%(name)s wins with %(score)s.") % {"name": winners[0].name, "score": number(score)}
    second = max(others, key=lambda player: player.score)
    if second.score == score:
        return _("%(name)s wins with %(score)s, reached before %(second)s.") % {
            "name": winners[0].name,
            "score": number(score),
            "second": second.name,
        }
    return _("%(name)s wins with %(score)s, %(n)s ahead of %(second)s.") % {
        "name": winners[0].name,
        "score": number(score),
        "n": number(score - second.score),
        "second": second.name,
    }
