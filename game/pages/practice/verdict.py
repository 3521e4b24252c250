"""A position, an answer and all ways to keep in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from game.pages.parts import coach
from game.pages.parts.text import dice_count, number, percent
from game.rules import State, dice_left, minimum
from game.rules.scoring import Dice
from game.strategy.coach import Advice, give_advice
from game.strategy.win import RatedOption, rate_state

# What is lost below this is no mistake: chance to win, points.
NO_CHANCE, NO_POINTS = 0.0005, 0.5


@dataclass(frozen=True)
class Row:
    """A way to keep in the table after the answer."""

    dice: Dice
    then: str
    win: str
    points: str
    bust: str
    best: bool
    yours: bool


@dataclass(frozen=True)
class Verdict:
    right: bool
    title: str
    sentence: str
    rows: tuple[Row, ...]
    by_chance: bool


def situation(state: State) -> str:
    """Who stands where, and what this turn has."""
    me, shot = state.players[state.player], state.shot
    assert shot is not None
    if me.entered:
        said = [_("You have %(score)s.") % {"score": number(me.score)}]
    else:
        said = [_("You are not in yet: %(need)s needed.") % {"need": number(minimum(state))}]
    for seat in state.active:
        other = state.players[seat]
        if seat != state.player:
            said.append(_("%(name)s has %(score)s.") % {"name": other.name, "score": number(other.score)})
    if shot.points:
        said.append(_("This turn so far: %(points)s.") % {"points": number(shot.points)})
    if state.final:
        said.append(_("Final round: this is your last turn."))
    else:
        said.append(_("The target is %(n)s.") % {"n": number(state.target)})
    return " ".join(said)


def judge(state: State, keep: Sequence[int], then: str) -> Verdict | None:
    """What an answer is worth; None where it is no way to keep. Raises `ValueError` where nothing can be expected."""
    rated = rate_state(state)
    faces = tuple(sorted(keep))
    chosen = next(
        (each for each in rated if each.option.keep.dice == faces and each.option.then in (then, "win")), None
    )
    if chosen is None:
        return None
    found = give_advice(state, rated)
    title = title_of(found, chosen, rated)
    thrown = state.shot.dice if state.shot else ()
    rows = tuple(row(thrown, each, each == found.best, each == chosen) for each in rated)
    return Verdict(not title, title or _("Right."), coach.sentence(state, found), rows, chosen.win is not None)


def title_of(found: Advice, chosen: RatedOption, rated: Sequence[RatedOption]) -> str:
    """What the answer costs; empty for a right one."""
    best = found.best
    if chosen == best:
        return ""
    if best.win is not None and chosen.win is not None:
        if best.win - chosen.win < NO_CHANCE:
            return ""
        return _("That costs %(loss)s points of the chance to win: %(got)s instead of %(best)s.") % {
            "loss": number(round(100 * best.win, 1) - round(100 * chosen.win, 1), 1),  # as the reader would count
            "got": coach.chance(chosen.win),
            "best": coach.chance(best.win),
        }
    if best != rated[0]:
        return _("There is something better here.")  # the end of a game, in which points are not what counts
    lost = best.option.points - chosen.option.points
    if lost < NO_POINTS:
        return ""
    got, most = coach.apart(chosen.option.points, best.option.points)
    return _("That costs %(loss)s points on average: %(got)s instead of %(best)s.") % {
        "loss": number(max(1, round(best.option.points) - round(chosen.option.points))),
        "got": got,
        "best": most,
    }


def row(thrown: Dice, rated: RatedOption, best: bool, yours: bool) -> Row:
    way = rated.option
    if way.then == "throw":
        then = _("throw %(dice)s") % {"dice": dice_count(dice_left(thrown, way.keep.dice))}
    else:
        then = _("bank %(points)s") % {"points": number(way.total)} if way.then == "bank" else _("win")
    win = "" if rated.win is None else coach.chance(rated.win)
    bust = percent(way.bust) if way.then == "throw" else "–"
    return Row(way.keep.dice, then, win, number(way.points, 0), bust, best, yours)
