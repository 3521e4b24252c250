"""Many shots played side by side, throw by throw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from game.strategy.arena.choices import Choices
from game.strategy.splitmix import Numbers, mixed
from game.strategy.turn.graph import Floats, Places

Flags = NDArray[np.bool_]

# More points than any shot has.
NEVER = 10**9


@dataclass(frozen=True, eq=False)
class Shots:
    """Shots about to begin, an entry each: what the players know of their games.

    `dice`: a number from which the dice of the game follow; `throws` of the game so far. `own`: the player's score,
    `others`: the sum of the others' scores. `entered`, `streak`: of the player; `taken`: whether the next player may
    pick up what is left. `offered` dice with so many `points`, 0 for none. From `won_from` points on a bank wins the
    game there and then; below `lost_below` it leaves the player behind for good.
    """

    dice: Numbers
    throws: Places
    own: Places
    others: Places
    entered: Flags
    streak: Places
    taken: Flags
    offered: Places
    points: Places
    won_from: Places
    lost_below: Places

    def part(self, which: Places) -> Shots:
        """Some of the shots."""
        return Shots(**{name: value[which] for name, value in vars(self).items()})


@dataclass(frozen=True, eq=False)
class Played:
    """How the shots ended: with `points` banked, by six equal dice (`won`), or bust (neither).

    `left`: the dice that a bank leaves to the next player; `throws` of the game after it.
    """

    points: Places
    banked: Flags
    won: Flags
    left: Places
    throws: Places


@dataclass(frozen=True, eq=False)
class Offers:
    """The choices of some throws, one throw after the other.

    `owner`: the place of its throw; `first`, for each throw: where its choices begin. `shot`: the place in `Shots`,
    `choice`: in `Choices`. `to`: the column it leads to; `total`: the points of the shot with it, `before`: without;
    `dice`: a number for the throw.
    """

    owner: Places
    first: Places
    shot: Places
    choice: Places
    to: Places
    total: Places
    before: Places
    dice: Places


class Sight(Protocol):
    """How a computer sees its choices."""

    def picks_up(self, shots: Shots) -> Flags:
        """Which of the shots begin with the dice on offer; asked where all have some."""

    def look(self, shots: Shots, offers: Offers) -> tuple[Floats, Floats]:
        """What each choice seems to be worth with a bank after it, and with a throw; -inf for what is not allowed."""


def play_shots(choices: Choices, sight: Sight, tries: int, shots: Shots) -> Played:
    """Play all shots to their ends. `tries`: how often a single die may be thrown."""
    size = len(shots.throws)
    columns, points = _begin(choices, sight, shots)
    throws, misses = shots.throws.copy(), np.zeros(size, dtype=np.intp)
    banked, won, running = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool), np.arange(size)
    while len(running):
        slots = choices.slots(columns[running], mixed(shots.dice[running], throws[running]))
        throws[running] += 1
        none = choices.count[slots] == 0
        misses[running] = np.where(none, misses[running] + 1, 0)
        again = none & (choices.left[columns[running]] == 1) & (misses[running] < tries)
        points[running[none & ~again]] = 0
        hit = running[~none]
        picked, banks = _decide(choices, sight, shots, hit, slots[~none], points)
        points[hit] += choices.rise[picked]
        columns[hit] = choices.to[picked]
        won[hit] = columns[hit] == choices.graph.win
        banked[hit] = banks & ~won[hit]
        running = np.sort(np.concatenate([running[again], hit[~banked[hit] & ~won[hit]]]))
    return Played(points, banked, won, choices.left[np.where(banked, columns, 0)], throws)


def _begin(choices: Choices, sight: Sight, shots: Shots) -> tuple[Places, Places]:
    """The columns and points with which the shots begin: six fresh dice, or those picked up."""
    columns = np.full(len(shots.throws), choices.graph.start)
    points = np.zeros(len(shots.throws), dtype=np.intp)
    offered = np.flatnonzero(shots.offered)
    if len(offered):
        takes = offered[sight.picks_up(shots.part(offered))]
        # Without anything set aside the column of so many dice is one less than their number.
        columns[takes], points[takes] = shots.offered[takes] - 1, shots.points[takes]
    return columns, points


def _decide(
    choices: Choices, sight: Sight, shots: Shots, hit: Places, slots: Places, points: Places
) -> tuple[Places, Flags]:
    """For each throw that offers something, the choice that seems to be worth the most, and whether to bank."""
    if not len(hit):
        return slots, np.zeros(0, dtype=bool)
    offers = _offers(choices, hit, slots, points)
    bank, throw = sight.look(shots, offers)
    best = np.maximum(bank, throw)
    most = np.maximum.reduceat(best, offers.first)
    top = np.flatnonzero(best == most[offers.owner])
    first = np.empty(len(hit), dtype=np.intp)
    first[offers.owner[top[::-1]]] = top[::-1]
    return offers.choice[first], bank[first] >= throw[first]


def _offers(choices: Choices, hit: Places, slots: Places, points: Places) -> Offers:
    count = choices.count[slots]
    owner = np.repeat(np.arange(len(slots)), count)
    first = np.cumsum(count) - count
    choice = np.arange(len(owner)) + (choices.start[slots] - first)[owner]
    before = points[hit][owner]
    return Offers(
        owner,
        first,
        hit[owner],
        choice,
        choices.to[choice],
        before + choices.rise[choice],
        before,
        choices.dice[slots][owner],
    )
