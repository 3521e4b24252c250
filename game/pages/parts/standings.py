"""How it stands between the people of a browser and somebody they play, in a few words."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext as _

from game.history.head_to_head import HeadToHead
from game.pages.parts.components import ShortStanding
from game.pages.parts.text import number


def shorten_heads(heads: Mapping[int, HeadToHead]) -> dict[int, ShortStanding]:
    """Return how it stands against each seat."""
    return {
        seat: ShortStanding(address_of(one.opponent.name), write_standing(one), write_sentence(one))
        for seat, one in heads.items()
    }


def address_of(name: str) -> str:
    """Return the address of the page about somebody of this name."""
    return reverse("game:head-to-head", args=[name])


def write_standing(heads: HeadToHead) -> str:
    """Return the games won by either as "12 : 9"."""
    return f"{number(heads.won)} : {number(heads.lost)}"


def write_sentence(heads: HeadToHead) -> str:
    """Return how often who has won."""
    values = {
        "name": heads.called,
        "here": heads.opponent.here,
        "won": number(heads.won),
        "lost": number(heads.lost),
        "even": number(heads.even),
    }
    if heads.opponent.here:
        if heads.even:
            return _("%(here)s has won %(won)s, %(name)s %(lost)s, and %(even)s ended even.") % values
        return _("%(here)s has won %(won)s, %(name)s %(lost)s.") % values
    if heads.even:
        return _("You have won %(won)s, %(name)s %(lost)s, and %(even)s ended even.") % values
    return _("You have won %(won)s, %(name)s %(lost)s.") % values
