"""Expected points where the shot has very many: beyond some row every value is a straight line in the points.

Far up, one way to play is the best for all larger points: slope and intercept of each value follow from it. Whether
that is so from some points on is checked, not assumed: a choice that is the best there, and whose slope is the largest
of all the choices, stays the best for ever; so the lines satisfy Bellman's equation for all larger points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from game.strategy.turn.graph import Floats, Graph, Level, Places

ROUNDS_MOST = 200
NEAR = 1e-10


class EndlessShot(ValueError):
    """Under this ruleset a shot can go on for ever without risk: no shot has the largest expected points."""


@dataclass(frozen=True, eq=False)
class Terms:
    """What a shot is played for, lane by lane.

    `minimum`: points needed to bank. `bust`: what a bust is worth. `prize`: what a win at once is worth on top of the
    points. `fresh`: what a shot from six fresh dice is worth to the next player, who takes what is left where that is
    worth more; None where nothing can be picked up.
    """

    minimum: Floats
    bust: Floats
    prize: float
    fresh: float | None

    def bank(self, points: Floats, thrown: Floats) -> Floats:
        """What banking is worth where throwing on would be worth `thrown`, to the next player as well."""
        return points if self.fresh is None else points - np.maximum(thrown - self.fresh, 0.0)


@dataclass(frozen=True, eq=False)
class Lines:
    """Values that are slope * points + intercept (columns x lanes)."""

    slope: Floats
    intercept: Floats

    def at(self, points: Floats | float) -> Floats:
        """The values at these points."""
        value: Floats = self.slope * points + self.intercept
        return value


def lines_from(graph: Graph, terms: Terms, points: float) -> tuple[Lines, Lines, bool] | None:
    """Values of throwing and of arriving for these points and more, and whether they hold for all larger points.

    None if they do not settle: the points are too few for one way to play, or the values have no bound.
    """
    lanes = len(terms.bust)
    choices = [_Choices.of(graph, level) for level in graph.levels]
    start = Lines(np.ones((graph.width, lanes)), np.zeros((graph.width, lanes)))
    start.intercept[graph.win] = terms.prize
    arriving = start
    for _ in range(ROUNDS_MOST):
        throwing, sure = _throw(choices, terms, arriving, points)
        after, sure_too = _arrive(graph, terms, throwing, start, points)
        change = (
            np.abs(after.slope - arriving.slope).max() * points + np.abs(after.intercept - arriving.intercept).max()
        )
        arriving = after
        if change < NEAR * points:
            return throwing, arriving, sure and sure_too
    return None


@dataclass(frozen=True, eq=False)
class _Choices:
    """The choices of the classes of throws of a level (classes x choices): where each leads, and what it adds."""

    level: Level
    columns: Places
    gains: Floats

    @classmethod
    def of(cls, graph: Graph, level: Level) -> _Choices:
        places = level.choices.T
        return cls(level, places % graph.width, _gains(graph, level, places)[..., None])


def _throw(choices: Sequence[_Choices], terms: Terms, arriving: Lines, points: float) -> tuple[Lines, bool]:
    """The lines of throwing, and whether the choices are the best for all larger points."""
    throwing = Lines(arriving.slope.copy(), arriving.intercept.copy())
    sure = True
    for each in choices:
        level = each.level
        slope = arriving.slope[each.columns]
        intercept = arriving.intercept[each.columns] + slope * each.gains
        pick = (slope * points + intercept).argmax(axis=1, keepdims=True)
        chosen = np.take_along_axis(slope, pick, axis=1)[:, 0]
        sure = sure and bool((chosen >= slope.max(axis=1) - NEAR).all())
        throwing.slope[level.columns] = level.weights @ chosen
        constant = np.take_along_axis(intercept, pick, axis=1)[:, 0]
        throwing.intercept[level.columns] = level.weights @ constant + level.bust[:, None] * terms.bust
    return throwing, sure


def _arrive(graph: Graph, terms: Terms, throwing: Lines, banked: Lines, points: float) -> tuple[Lines, bool]:
    """The lines of arriving, where the shot may be banked as well."""
    slope, intercept = banked.slope, banked.intercept
    if terms.fresh is not None:
        taken = throwing.at(points) > terms.fresh
        slope = slope - np.where(taken, throwing.slope, 0.0)
        intercept = intercept - np.where(taken, throwing.intercept - terms.fresh, 0.0)
    banks = graph.bankable[:, None] & (slope * points + intercept >= throwing.at(points))
    steeper = np.where(banks, throwing.slope - slope, slope - throwing.slope)
    sure = bool((steeper[graph.bankable] <= NEAR).all())
    banks[graph.win] = True
    after = Lines(np.where(banks, slope, throwing.slope), np.where(banks, intercept, throwing.intercept))
    after.slope[graph.win], after.intercept[graph.win] = 1.0, terms.prize
    return after, sure


def _gains(graph: Graph, level: Level, places: Places) -> Floats:
    """What each choice adds to the points of the shot."""
    owner = level.columns[(level.weights > 0).argmax(axis=0)]
    offsets = graph.offsets
    gains: Places = places // graph.width * graph.unit + offsets[places % graph.width] - offsets[owner][:, None]
    return gains.astype(np.float64)
