"""Ways to keep: every legal keep of the throw on the table, best by points first, with odds where they are wanted."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from game.models.shots import columns_of
from game.pages.parts import coach
from game.pages.parts.choices import gain, left_after, risk
from game.pages.parts.components import KeepRow, WaysToKeep
from game.pages.parts.text import dice_count, number, percent
from game.pages.parts.view_of_game import Facts
from game.rules import Keep, keeps_now

SHOWN_FIRST = 8


def ways(facts: Facts, chosen: Collection[int]) -> WaysToKeep | None:
    """None for who has nothing (more) to choose in this game. `chosen`: the faces ticked now."""
    if not facts.people or facts.over:
        return None
    if facts.hints == "off":
        return WaysToKeep(level="off", rows=()) if facts.game.hints else None
    if not facts.yours or not facts.throws or not facts.running.dice:
        return before_a_throw(facts)
    advice = coach.advised(facts.state) if facts.hints == "coach" else None
    best = advice.best.option.keep if advice else None
    rows = tuple(way(facts, keep, tuple(sorted(chosen)), keep == best) for keep in in_order(facts, best))
    more = max(0, len(rows) - SHOWN_FIRST)
    return WaysToKeep(
        level=facts.hints,
        rows=rows,
        more=more,
        more_text=_("Show all %(n)s") % {"n": len(rows)} if more else "",
        sentence=coach.sentence(facts.state, advice) if advice else "",
    )


def before_a_throw(facts: Facts) -> WaysToKeep | None:
    """Nothing to choose yet, or only whether to pick up dice."""
    offered = facts.yours and not facts.throws and facts.offer and facts.hints == "coach"
    said = coach.offered(facts.state) if offered else ""
    if facts.state.by_hand and not said:
        return None
    return WaysToKeep(level=facts.hints, rows=(), sentence=said)


def in_order(facts: Facts, best: Keep | None) -> list[Keep]:
    """By points; but the best way is never among those that are shown only when asked for."""
    found = sorted(keeps_now(facts.state), key=lambda keep: (-gain(facts, keep), keep.dice))
    hidden = best in found[SHOWN_FIRST:]
    return sorted(found, key=lambda keep: keep != best) if hidden else found


def way(facts: Facts, keep: Keep, chosen: tuple[int, ...], best: bool) -> KeepRow:
    left, aside = left_after(facts, keep)
    chance = risk(facts, left, aside)
    columns = columns_of(facts.throws[-1].by_column, keep.dice)
    return KeepRow(
        dice=keep.dice,
        linked=facts.running.aside if keep.with_aside else (),
        points=number(keep.points),
        left=dice_count(left),
        bust=percent(chance, 1),
        bar=round(100 * chance, 1),
        url=f"{facts.addresses}?{facts.asked}keep={','.join(map(str, columns))}",
        keep="".join(map(str, keep.dice)),
        chosen=keep.dice == chosen,
        best=best,
    )
