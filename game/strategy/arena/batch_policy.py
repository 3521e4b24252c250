"""How the levels see their choices, for many shots at once: the same as `game.strategy.computers` does for one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from game.rules.ruleset import Ruleset
from game.strategy.arena.choices import Choices, choices_of
from game.strategy.arena.shots import Flags, Offers, Shots
from game.strategy.computers.policy import NoisyPolicy
from game.strategy.splitmix import mixed, share
from game.strategy.turn import ShotPoints, solve_shot_points
from game.strategy.turn.backward_induction import throw_values
from game.strategy.turn.graph import Floats, Places

ROWS_AT_ONCE = 64
# What a bank that wins the game there and then is worth, more points of the shot on top.
WIN = 1e15


def may_bank(choices: Choices, shots: Shots, offers: Offers) -> Flags:
    """Which choices the rules let be banked."""
    ruleset = choices.graph.ruleset
    minimum = np.where(shots.entered[offers.shot], ruleset.bank_minimum, ruleset.entry_minimum)
    allowed: Flags = choices.graph.bankable[offers.to] & (offers.total >= minimum)
    return allowed


def judged(choices: Choices, shots: Shots, offers: Offers, bank: Floats, throw: Floats) -> tuple[Floats, Floats]:
    """The worth of banking and throwing, once the rules and the end of the game have been heard."""
    allowed = may_bank(choices, shots, offers)
    six = offers.to == choices.graph.win
    wins = six | (allowed & (offers.total >= shots.won_from[offers.shot]))
    useful = allowed & (offers.total >= shots.lost_below[offers.shot])
    bank = np.where(wins, WIN + offers.total, np.where(useful, bank, -np.inf))
    return bank, np.where(six, -np.inf, throw)


@dataclass(frozen=True, eq=False)
class Board:
    """Expected points as arrays, the lanes of a next player who picks up first, then those of one who cannot."""

    choices: Choices
    sides: tuple[ShotPoints, ...]
    thrown: tuple[Floats, ...]

    def throw(self, side: int, points: Places, columns: Places, lanes: Places) -> Floats:
        """Expected points of throwing with so many points from these columns."""
        graph, thrown = self.choices.graph, self.thrown[side]
        rows = (points - graph.offsets[columns]) // graph.unit
        values: Floats = thrown[np.minimum(rows, len(thrown) - 1), columns, lanes]
        far = np.flatnonzero(rows >= len(thrown))
        if len(far):
            lines = self.sides[side].throwing
            at = columns[far], lanes[far]
            values[far] = lines.slope[at] * points[far] + lines.intercept[at]
        return values

    def lanes(self, side: int, shots: Shots) -> Places:
        """The lanes of the players."""
        last = len(self.sides[side].terms.bust) - 1
        return np.where(shots.entered, np.minimum(shots.streak, last - 1), last)


@lru_cache(maxsize=4)
def board_of(ruleset: Ruleset) -> Board:
    """The board of a ruleset. Takes up to a second more than its values; kept afterwards. Raises `EndlessShot`."""
    sides = tuple(solve_shot_points(ruleset, taken) for taken in ((True, False) if ruleset.pick_up else (False,)))
    return Board(choices_of(ruleset), sides, tuple(_thrown(side) for side in sides))


def _thrown(values: ShotPoints) -> Floats:
    """Expected points of throwing, at every row and column (rows x columns x lanes)."""
    thrown = np.zeros((values.top, *values.plane.shape[1:]))
    for low in range(0, values.top, ROWS_AT_ONCE):
        rows = np.arange(low, min(low + ROWS_AT_ONCE, values.top), dtype=np.intp)
        for level in values.graph.levels:
            thrown[rows[:, None], level.columns] = throw_values(level, values.plane, rows, values.terms.bust)
    return thrown


@dataclass(frozen=True, eq=False)
class ByPoints:
    """Expected points, to somebody's taste."""

    board: Board
    taste: NoisyPolicy

    def picks_up(self, shots: Shots) -> Flags:
        """Whether the dice on offer seem to be worth more than six fresh ones."""
        takes = np.zeros(len(shots.throws), dtype=bool)
        for side, which in self._sides(shots.taken):
            part = shots.part(which)
            lanes = self.board.lanes(side, part)
            taken = self.board.throw(side, part.points, part.offered - 1, lanes)
            fresh = self.board.throw(
                side, np.zeros_like(part.points), np.full_like(lanes, self.board.choices.graph.start), lanes
            )
            number = mixed(part.own, part.others, part.points, 0)
            seems = self.taste.spread * (share(mixed(number, 1)) - share(mixed(number, 0)))
            takes[which] = taken + self.board.sides[side].expected() * seems > fresh
        return takes

    def look(self, shots: Shots, offers: Offers) -> tuple[Floats, Floats]:
        """Expected points, more or less."""
        bank, throw = np.empty(len(offers.to)), np.empty(len(offers.to))
        for side, which in self._sides(shots.taken[offers.shot]):
            bank[which], throw[which] = self._look(side, shots, offers, which)
        if self.taste.straights:
            whole = self.board.choices.whole[offers.choice]
            bank[~whole] = throw[~whole] = -np.inf
        return judged(self.board.choices, shots, offers, bank, throw)

    def _sides(self, taken: Flags) -> list[tuple[int, Places]]:
        if len(self.board.sides) == 1:
            return [(0, np.arange(len(taken)))]
        return [(0, np.flatnonzero(taken)), (1, np.flatnonzero(~taken))]

    def _look(self, side: int, shots: Shots, offers: Offers, which: Places) -> tuple[Floats, Floats]:
        owner, total, to = offers.shot[which], offers.total[which], offers.to[which]
        throw = self.board.throw(side, total, to, self.board.lanes(side, shots)[owner])
        values = self.board.sides[side]
        bank = values.terms.bank(total.astype(np.float64), throw)
        if self.taste.bound:
            number = mixed(shots.own[owner], shots.others[owner], offers.before[which], offers.dice[which])
            kept, fresh = 2 * self.board.choices.kept[offers.choice[which]], values.expected()
            bank = bank + fresh * (self.taste.bank + self.taste.spread * share(mixed(number, kept + 1)))
            throw = throw + fresh * self.taste.spread * share(mixed(number, kept))
        return bank, throw
