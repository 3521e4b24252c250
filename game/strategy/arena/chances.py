"""Playing many shots by the chance to win: the same table serves all shots that begin from one pair of scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from game.strategy.arena.batch_policy import judged
from game.strategy.arena.choices import Choices
from game.strategy.arena.shots import Flags, Offers, Shots
from game.strategy.turn.graph import Floats, Places
from game.strategy.win import ScoreSituation, WinTable, solve_shot_chances
from game.strategy.win.table import Pairs, value_shots

# So many pairs of scores are valued side by side.
LANES = 96
# By so much throwing is taken to be worse where a bank is known to be the better.
LESS = 1e-9


@dataclass(frozen=True, eq=False)
class ByChance:
    """The chance to win of every choice. `plane` and `bank` as in `Shots` of `win.table`; `lanes`: one of each shot."""

    choices: Choices
    plane: Floats
    bank: Floats
    low: int
    lanes: Places

    def picks_up(self, shots: Shots) -> Flags:
        """Nothing: rulesets with a table have no pick-up."""
        return np.zeros(len(shots.throws), dtype=bool)

    def look(self, shots: Shots, offers: Offers) -> tuple[Floats, Floats]:
        """The chance to win. Beyond the plane, where banking is the best in any case, every score counts alike."""
        lanes = self.lanes[offers.shot]
        scores = (shots.own[offers.shot] + offers.total) // self.choices.graph.unit
        rows = np.minimum(scores - self.low, len(self.plane) - 1)
        best, bank = self.plane[rows, offers.to, lanes], self.bank[rows, lanes]
        banks = self.choices.graph.bankable[offers.to] & (bank >= best)
        return judged(self.choices, shots, offers, bank, np.where(banks, best - LESS, best))


def between_two(
    table: WinTable, choices: Choices, role: int, mine: Places, theirs: Places
) -> Iterator[tuple[ByChance, Places]]:
    """Ways to see shots of players in this role at these places of the table, and which shots each is good for."""
    size = table.chances.shape[-1]
    pairs, owner = np.unique(mine * size + theirs, return_inverse=True)
    order = np.argsort(owner, kind="stable")
    begins = np.searchsorted(owner[order], np.arange(0, len(pairs) + LANES, LANES))
    for number, first in enumerate(range(0, len(pairs), LANES)):
        part = pairs[first : first + LANES]
        which = order[begins[number] : begins[number + 1]]
        both = Pairs(role, part // size, part % size)
        bust = 1 - table.chances[table.race.other(role), both.other, both.own]
        found = value_shots(table.race, table.ends, table.chances, both, bust)
        yield ByChance(choices, found.plane, found.bank, found.low, owner[which] - first), which


def among_all(table: WinTable, choices: Choices, standings: list[ScoreSituation]) -> Iterator[tuple[ByChance, Places]]:
    """The same for any number of players, and for the end of a game."""
    owners: dict[ScoreSituation, list[int]] = {}
    for shot, standing in enumerate(standings):
        owners.setdefault(standing, []).append(shot)
    for standing, which in owners.items():
        found = solve_shot_chances(table, standing)
        lanes = np.zeros(len(which), dtype=np.intp)
        yield ByChance(choices, found.plane, found.banks, found.low, lanes), np.array(which, dtype=np.intp)
