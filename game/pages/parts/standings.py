"""The head to head between the people of a browser and an opponent, in a few words."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.http import urlencode

from game.history.head_to_head import HeadToHead, find_heads_here
from game.pages.parts.components import ShortStanding
from game.pages.parts.language import gettext as _
from game.pages.parts.text import number
from game.pages.parts.view_of_game import ViewerGame


def shorten_heads(heads: Mapping[int, HeadToHead]) -> dict[int, ShortStanding]:
    """Return the standing against each seat."""
    return {seat: shorten_standing(against) for seat, against in heads.items()}


def shorten_standing(heads: HeadToHead) -> ShortStanding:
    """Return the standing against one opponent."""
    return ShortStanding(
        address_of(heads.opponent.name), f"{number(heads.won)} : {number(heads.lost)}", write_sentence(heads)
    )


def list_standings(game: ViewerGame) -> tuple[ShortStanding, ...]:
    """Return the standings to show after a game: the viewer against each opponent, and the two people of one device.

    One query; two at most.
    """
    heads = [game.heads[seat] for seat in sorted(game.heads)]
    if game.visitor and len(game.people) == 2:
        here, name = (game.state.players[seat].name for seat in sorted(game.people))
        both = find_heads_here(game.visitor, here, name)
        heads += [both] if both else []
    return tuple(map(shorten_standing, heads))


def address_of(name: str, who: int | None = None) -> str:
    """Return the address of the head-to-head page for a name. `who`: which opponent of that name, counted from 1."""
    query = {} if who is None else {"who": str(who)}
    if {".", ".."}.isdisjoint(name.split("/")):
        address = reverse("game:head-to-head", args=[name])
    else:  # browsers remove "." and ".." from a path, however they are escaped
        address, query = reverse("game:head-to-head"), {"name": name, **query}
    return f"{address}?{urlencode(query)}" if query else address


def write_sentence(heads: HeadToHead) -> str:
    """Return how often each side has won."""
    values = {
        "name": heads.called,
        "here": heads.opponent.here,
        "won": number(heads.won),
        "lost": number(heads.lost),
        "even": number(heads.even),
    }
    if heads.opponent.here:
        if heads.even:
            return _("%(here)s has won %(won)s, %(name)s %(lost)s, and %(even)s ended in a tie.") % values
        return _("%(here)s has won %(won)s, %(name)s %(lost)s.") % values
    if heads.even:
        return _("You have won %(won)s, %(name)s %(lost)s, and %(even)s ended in a tie.") % values
    return _("You have won %(won)s, %(name)s %(lost)s.") % values
