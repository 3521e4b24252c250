"""The head to head between the people of a browser and an opponent: which to show, and where it is."""

from django.urls import reverse
from django.utils.http import urlencode

from game.history.head_to_head import HeadToHead, find_heads_here
from game.pages.parts.view_of_game import ViewerGame


def list_heads(game: ViewerGame) -> list[HeadToHead]:
    """Return what to show after a game: the viewer against each opponent, and the two people of one device.

    One query; two at most.
    """
    heads = [game.heads[seat] for seat in sorted(game.heads)]
    if game.viewer and len(game.people) == 2:
        here, name = (game.state.players[seat].name for seat in sorted(game.people))
        both = find_heads_here(game.viewer.pk, here, name)
        heads += [both] if both else []
    return heads


def find_heads_address(name: str, who: int | None = None) -> str:
    """Return the address of the head-to-head page for a name. `who`: which opponent of that name, counted from 1."""
    query = {} if who is None else {"who": str(who)}
    if {".", ".."}.isdisjoint(name.split("/")):
        address = reverse("game:head-to-head", args=[name])
    else:  # browsers remove "." and ".." from a path, however they are escaped
        address, query = reverse("game:head-to-head"), {"name": name, **query}
    return f"{address}?{urlencode(query)}" if query else address
