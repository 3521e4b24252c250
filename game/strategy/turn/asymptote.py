"""Expected points of a shot that has very many: beyond some row every value is a straight line in the points.

Far up, one way to play is the best for all larger points: slope and intercept of each value follow from it. Whether
that holds from some points on is checked, not assumed: a choice that is the best there, and whose slope is the largest
of all the choices, stays the best for ever; so the lines satisfy Bellman's equation for all larger points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from game.strategy.turn.graph import Floats, Graph, Indices, Layer

ITERATIONS_MOST = 200
# Relative change of the lines below which value iteration has converged; slopes this near count as equal.
LINE_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class ShotRewards:
    """What a shot is played for, in points; arrays have one entry per kind of player (batch).

    `minimum`: points needed to bank. `bust`: the value of a bust. `prize`: the value of a win at once, on top of the
    points. `fresh`: what a shot from six fresh dice is worth to the next player, who picks up what is left where that
    is worth more; None where nothing can be picked up.
    """

    minimum: Floats
    bust: Floats
    prize: float
    fresh: float | None

    def bank(self, points: Floats, thrown: Floats) -> Floats:
        """Return the value of banking `points`, where throwing the dice left would be worth `thrown` to anybody."""
        return points if self.fresh is None else points - np.maximum(thrown - self.fresh, 0.0)


@dataclass(frozen=True, eq=False)
class Lines:
    """Values that are slope * points + intercept (columns x batch)."""

    slope: Floats
    intercept: Floats

    def at(self, points: Floats | float) -> Floats:
        """Return the values at these points."""
        value: Floats = self.slope * points + self.intercept
        return value


def linear_tail(graph: Graph, rewards: ShotRewards, points: float) -> tuple[Lines, Lines, bool] | None:
    """Find the values of throwing and of arriving from these points on, by value iteration on lines.

    Returns the two sets of lines, and whether they are proved for all larger points; None if they do not converge:
    the points are too few for one way to play, or the values have no bound.
    """
    kinds = len(rewards.bust)
    choices = [_LayerChoices.of(graph, layer) for layer in graph.layers]
    banked = Lines(np.ones((graph.width, kinds)), np.zeros((graph.width, kinds)))
    banked.intercept[graph.win] = rewards.prize
    arriving = banked
    for _ in range(ITERATIONS_MOST):
        throwing, choices_hold = _throw_lines(choices, rewards, arriving, points)
        after, banks_hold = _arrive_lines(graph, rewards, throwing, banked, points)
        slope_change = np.abs(after.slope - arriving.slope).max()
        change = slope_change * points + np.abs(after.intercept - arriving.intercept).max()
        arriving = after
        if change < LINE_TOLERANCE * points:
            return throwing, arriving, choices_hold and banks_hold
    return None


@dataclass(frozen=True, eq=False)
class _LayerChoices:
    """The choices of the classes of a layer (classes x choices): the column of each, and the points that it adds."""

    layer: Layer
    columns: Indices
    gains: Floats

    @classmethod
    def of(cls, graph: Graph, layer: Layer) -> Self:
        choices = layer.choices.T
        columns, offsets = choices % graph.width, graph.offsets
        owner = layer.columns[(layer.weights > 0).argmax(axis=0)]
        gains = choices // graph.width * graph.unit + offsets[columns] - offsets[owner][:, None]
        return cls(layer, columns, gains.astype(np.float64)[..., None])


def _throw_lines(
    choices: Sequence[_LayerChoices], rewards: ShotRewards, arriving: Lines, points: float
) -> tuple[Lines, bool]:
    """Compute the lines of throwing, and whether the best choices are the best for all larger points."""
    throwing = Lines(arriving.slope.copy(), arriving.intercept.copy())
    holds = True
    for offered in choices:
        layer = offered.layer
        slope = arriving.slope[offered.columns]
        intercept = arriving.intercept[offered.columns] + slope * offered.gains
        best = (slope * points + intercept).argmax(axis=1, keepdims=True)
        best_slope = np.take_along_axis(slope, best, axis=1)[:, 0]
        holds = holds and bool((best_slope >= slope.max(axis=1) - LINE_TOLERANCE).all())
        throwing.slope[layer.columns] = layer.weights @ best_slope
        constant = np.take_along_axis(intercept, best, axis=1)[:, 0]
        throwing.intercept[layer.columns] = layer.weights @ constant + layer.bust[:, None] * rewards.bust
    return throwing, holds


def _arrive_lines(
    graph: Graph, rewards: ShotRewards, throwing: Lines, banked: Lines, points: float
) -> tuple[Lines, bool]:
    """Compute the lines of arriving, where the shot may be banked as well, and whether that choice holds for ever."""
    slope, intercept = banked.slope, banked.intercept
    if rewards.fresh is not None:
        picked_up = throwing.at(points) > rewards.fresh
        slope = slope - np.where(picked_up, throwing.slope, 0.0)
        intercept = intercept - np.where(picked_up, throwing.intercept - rewards.fresh, 0.0)
    banks = graph.bankable[:, None] & (slope * points + intercept >= throwing.at(points))
    steeper = np.where(banks, throwing.slope - slope, slope - throwing.slope)
    holds = bool((steeper[graph.bankable] <= LINE_TOLERANCE).all())
    banks[graph.win] = True
    after = Lines(np.where(banks, slope, throwing.slope), np.where(banks, intercept, throwing.intercept))
    after.slope[graph.win], after.intercept[graph.win] = 1.0, rewards.prize
    return after, holds
