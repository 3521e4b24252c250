"""Many shots played side by side, throw by throw."""

from dataclasses import dataclass
from typing import Protocol, Self

from game.strategy.arena.choices import ChoiceArrays
from game.strategy.arrays import Flags, Floats, Hashes, Indices, np
from game.strategy.splitmix import hash64

# More points than any shot has.
NEVER = 10**9


@dataclass(frozen=True, eq=False)
class Shots:
    """Shots about to begin, and what the players know of their games; all arrays have an entry for each shot.

    `dice`: a number from which the dice of the game follow. `throws`: those of the game so far. `own`: the player's
    score. `others`: the sum of the other scores. `entered`: whether the player has. `streak`: their busts in a row.
    `taken`: whether the next player may pick up what is left. `offered`: the dice on offer, 0 for none, with this many
    `points`. `won_from`: the points of the shot from which on a bank wins the game there and then. `lost_below`: the
    points below which a bank leaves the player behind for good.
    """

    dice: Hashes
    throws: Indices
    own: Indices
    others: Indices
    entered: Flags
    streak: Indices
    taken: Flags
    offered: Indices
    points: Indices
    won_from: Indices
    lost_below: Indices

    def part(self, which: Indices) -> Self:
        """Return some of the shots."""
        return type(self)(**{name: value[which] for name, value in vars(self).items()})


@dataclass(frozen=True, eq=False)
class PlayedShots:
    """How the shots ended: with `points` `banked`, with dice that win at once (`won`), or with a bust (neither).

    `left`: the dice that a bank leaves to the next player. `throws`: those of the game, including this shot.
    """

    points: Indices
    banked: Flags
    won: Flags
    left: Indices
    throws: Indices


@dataclass(frozen=True, eq=False)
class Candidates:
    """The choices of some throws, one throw after the other; arrays other than `first` have an entry for each choice.

    `owner`: the place of the choice's throw. `first` (throws): where the choices of each throw begin. `shot`: the place
    of the shot in `Shots`. `choice`: the place in `ChoiceArrays`. `to`: the column that the choice leads to. `total`:
    the points of the shot with it; `before`: without it. `dice`: a number that stands for the throw.
    """

    owner: Indices
    first: Indices
    shot: Indices
    choice: Indices
    to: Indices
    total: Indices
    before: Indices
    dice: Indices


class BatchPolicy(Protocol):
    """How computers play, for many shots at once."""

    def evaluate(self, shots: Shots, candidates: Candidates) -> tuple[Floats, Floats]:
        """Return the values of each choice: with a bank after it, and with a throw; -inf for what is not allowed."""


def play_shots(choices: ChoiceArrays, policy: BatchPolicy, tries: int, shots: Shots) -> PlayedShots:
    """Play all shots to their ends. All dice on offer are picked up.

    `tries`: how often the last die may be thrown before it is a bust.
    """
    size = len(shots.throws)
    # With nothing set aside, the column of a number of dice is that number less one.
    columns = np.where(shots.offered, shots.offered - 1, choices.graph.start)
    points = np.where(shots.offered, shots.points, 0)
    throws, misses = shots.throws.copy(), np.zeros(size, dtype=np.intp)
    banked, won, running = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool), np.arange(size)
    while len(running):
        slots = choices.slots(columns[running], hash64(shots.dice[running], throws[running]))
        throws[running] += 1
        none = choices.count[slots] == 0
        misses[running] = np.where(none, misses[running] + 1, 0)
        again = none & (choices.left[columns[running]] == 1) & (misses[running] < tries)
        points[running[none & ~again]] = 0
        hit = running[~none]
        if len(hit):
            candidates = _list_candidates(choices, hit, slots[~none], points)
            picked, banks = _pick_best(candidates, *policy.evaluate(shots, candidates))
            points[hit] += choices.rise[picked]
            columns[hit] = choices.to[picked]
            won[hit] = columns[hit] == choices.graph.win
            banked[hit] = banks & ~won[hit]
        running = np.sort(np.concatenate([running[again], hit[~banked[hit] & ~won[hit]]]))
    return PlayedShots(points, banked, won, choices.left[np.where(banked, columns, 0)], throws)


def _list_candidates(choices: ChoiceArrays, hit: Indices, slots: Indices, points: Indices) -> Candidates:
    """List the choices of the throws in these slots; `hit`: the shots in which they were thrown."""
    count = choices.count[slots]
    owner = np.repeat(np.arange(len(slots)), count)
    first = np.cumsum(count) - count
    choice = np.arange(len(owner)) + (choices.start[slots] - first)[owner]
    before = points[hit][owner]
    total, dice = before + choices.rise[choice], choices.dice[slots][owner]
    return Candidates(owner, first, hit[owner], choice, choices.to[choice], total, before, dice)


def _pick_best(candidates: Candidates, bank: Floats, throw: Floats) -> tuple[Indices, Flags]:
    """Return the choice of each throw with the largest value, the first of equals, and whether to bank after it."""
    value = np.maximum(bank, throw)
    largest = np.maximum.reduceat(value, candidates.first)
    top = np.flatnonzero(value == largest[candidates.owner])
    best = np.empty(len(candidates.first), dtype=np.intp)
    best[candidates.owner[top[::-1]]] = top[::-1]
    return candidates.choice[best], bank[best] >= throw[best]
