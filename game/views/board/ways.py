"""Ways to keep: every legal keep of the throw on the table, best by points first, with odds where they are wanted."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from game.rules import Keep, keeps_now
from game.views.board import Way, Ways
from game.views.board import dice as lie
from game.views.board.choices import gain, left_after, risk
from game.views.board.facts import Facts
from game.views.board.words import dice_count, number

SHOWN_FIRST = 8


def ways(facts: Facts, chosen: Collection[int]) -> Ways | None:
    """None where there is nothing to choose. `chosen`: the faces ticked now."""
    if not facts.yours or facts.shot is None or not facts.running.dice:
        return None
    if facts.hints == "off":
        return Ways(level="off", rows=()) if facts.game.hints else None
    found = sorted(keeps_now(facts.state), key=lambda keep: (-gain(facts, keep), keep.dice))
    rows = tuple(way(facts, keep, tuple(sorted(chosen))) for keep in found)
    more = max(0, len(rows) - SHOWN_FIRST)
    return Ways(
        level=facts.hints,
        rows=rows,
        more=more,
        more_text=_("Show all %(n)s") % {"n": len(rows)} if more else "",
    )


def way(facts: Facts, keep: Keep, chosen: tuple[int, ...]) -> Way:
    thrown = lie.last_throw(facts.shot)
    assert thrown is not None  # a state with dice on the table has their row
    left, aside = left_after(facts, keep)
    chance = risk(facts, left, aside)
    columns = lie.columns_of(thrown.by_column, keep.dice)
    url = facts.game.get_absolute_url()
    return Way(
        dice=keep.dice,
        linked=facts.running.aside if keep.with_aside else (),
        points=number(keep.points),
        left=left,
        left_text=dice_count(left),
        bust=number(100 * chance, 1) + "%",
        bar=round(100 * chance, 1),
        url=f"{url}?keep={','.join(map(str, columns))}",
        keep="".join(map(str, keep.dice)),
        chosen=keep.dice == chosen,
    )
