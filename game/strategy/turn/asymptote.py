"""Expected points of a shot that has very many points: from some row on, every value is a straight line in the points.

From that row on, the same choices stay the best for all larger points, and they give the slope and the intercept of
every value. Whether this holds from a given row on is checked, not assumed: a choice that is the best there, and has
the largest slope of all choices, stays the best for ever. So the lines satisfy Bellman's equation for all larger
points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from game.strategy.arrays import Floats, Indices, np
from game.strategy.turn.graph import STRUCK, Graph, Layer
from game.strategy.turn.rewards import Lines, ShotRewards

ITERATIONS_MOST = 200
# Value iteration has converged when the lines change by less than this, relatively; slopes this close count as equal.
LINE_TOLERANCE = 1e-10


def find_linear_tail(graph: Graph, rewards: ShotRewards, points: float) -> tuple[Lines, Lines, bool] | None:
    """Find the values of throwing and of arriving from these points on, by value iteration on lines.

    Returns the two sets of lines, and whether they are proved for all larger points. Returns None if they do not
    converge, because the points are too few for one way to play, or because the values have no bound.
    """
    kinds = len(rewards.bust)
    choices = _list_choices(graph)
    banked = Lines(np.ones((graph.width, kinds)), np.zeros((graph.width, kinds)))
    ends = rewards.end_lines(graph.ends)
    banked.slope[graph.win :], banked.intercept[graph.win :] = ends.slope, ends.intercept
    arriving = banked
    for _ in range(ITERATIONS_MOST):
        throwing = _throw_lines(choices, rewards, arriving, points)
        after, banks_hold = _arrive_lines(graph, rewards, throwing, banked, points)
        slope_change = np.abs(after.slope - arriving.slope).max()
        change = slope_change * points + np.abs(after.intercept - arriving.intercept).max()
        if change < LINE_TOLERANCE * points:
            return throwing, after, banks_hold and all(offered.holds(arriving, points) for offered in choices)
        arriving = after
    return None


@dataclass(frozen=True, eq=False)
class _LayerChoices:
    """The choices of the classes of a layer, each as one of a few lines, because many classes share the same choices.

    `columns`, `gains` (lines): the column that a choice leads to, and the points that it adds. `places`
    (classes x choices): the line of each choice.
    """

    layer: Layer
    columns: Indices
    gains: Floats
    places: Indices

    @classmethod
    def of(cls, graph: Graph, layer: Layer) -> Self:
        choices = layer.choices.T
        columns, offsets = choices % graph.width, graph.offsets
        owner = layer.columns[(layer.weights > 0).argmax(axis=0)]
        gains = choices // graph.width * graph.unit + offsets[columns] - offsets[owner][:, None]
        lines, places = np.unique(gains * graph.width + columns, return_inverse=True)
        far = (lines // graph.width).astype(np.float64)[:, None]
        return cls(layer, lines % graph.width, far, places.reshape(choices.shape))

    def find_best(self, arriving: Lines, points: float) -> tuple[Floats, Floats]:
        """Return the slope and the intercept (classes x kinds) of the best choice at these points."""
        slope = arriving.slope[self.columns]
        intercept = arriving.intercept[self.columns] + slope * self.gains
        offered = (slope * points + intercept).T.take(self.places, axis=1)
        best = np.take_along_axis(self.places, offered.argmax(axis=2).T.copy(), axis=1)
        kinds = np.arange(slope.shape[1])
        return slope[best, kinds], intercept[best, kinds]

    def holds(self, arriving: Lines, points: float) -> bool:
        """Return whether the best choices at these points are the best for all larger points, too."""
        if not self.layer.ranks:
            return True
        steepest = arriving.slope[self.columns].T.take(self.places, axis=1).max(axis=2)
        slope, _ = self.find_best(arriving, points)
        return bool((slope >= steepest.T - LINE_TOLERANCE).all())


@lru_cache(maxsize=4)
def _list_choices(graph: Graph) -> tuple[_LayerChoices, ...]:
    """Return the choices of all layers; cached, because lines are looked for from more and more points on."""
    return tuple(_LayerChoices.of(graph, layer) for layer in graph.layers)


def _throw_lines(choices: Sequence[_LayerChoices], rewards: ShotRewards, arriving: Lines, points: float) -> Lines:
    """Compute the lines of throwing, by the choices that are the best at these points."""
    throwing = Lines(arriving.slope.copy(), arriving.intercept.copy())
    for offered in choices:
        layer = offered.layer
        if not layer.ranks:
            throwing.slope[layer.columns] = 0.0
            throwing.intercept[layer.columns] = STRUCK if layer.is_spent else rewards.bust
            continue
        slope, constant = offered.find_best(arriving, points)
        struck = constant < STRUCK / 2
        slope, constant = np.where(struck, -rewards.lost, slope), np.where(struck, rewards.bust, constant)
        throwing.slope[layer.columns] = layer.weights @ slope
        throwing.intercept[layer.columns] = layer.weights @ constant + layer.bust[:, None] * rewards.bust
    return throwing


def _arrive_lines(
    graph: Graph, rewards: ShotRewards, throwing: Lines, banked: Lines, points: float
) -> tuple[Lines, bool]:
    """Compute the lines of arriving, where the shot may also be banked.

    Second, return whether the choice between banking and throwing stays the same for all larger points.
    """
    slope, intercept = banked.slope, banked.intercept
    if rewards.offers is not None and rewards.fresh is not None:
        intercept = intercept - np.maximum(rewards.offers[graph.offers] - rewards.fresh, 0.0)[:, None]
    elif rewards.fresh is not None:
        taken = Lines(*(line[graph.offers][:, [rewards.kinds.next]] for line in (throwing.slope, throwing.intercept)))
        picked_up = taken.at(points) > rewards.fresh
        slope = slope - np.where(picked_up, taken.slope, 0.0)
        intercept = intercept - np.where(picked_up, taken.intercept - rewards.fresh, 0.0)
    banks = graph.bankable[:, None] & (slope * points + intercept >= throwing.at(points))
    steeper = np.where(banks, throwing.slope - slope, slope - throwing.slope)
    holds = bool((steeper[graph.bankable] <= LINE_TOLERANCE).all())
    after = Lines(np.where(banks, slope, throwing.slope), np.where(banks, intercept, throwing.intercept))
    after.slope[graph.win :], after.intercept[graph.win :] = banked.slope[graph.win :], banked.intercept[graph.win :]
    return after, holds
