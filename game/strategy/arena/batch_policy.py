"""The policies of the levels for many shots at once; those of `game.strategy.computers` do the same for one shot."""

from dataclasses import dataclass
from functools import lru_cache

from game.rules.ruleset import Ruleset
from game.strategy.arena.choices import ChoiceArrays, build_choice_arrays
from game.strategy.arena.shots import Candidates, Shots
from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.computers.policy import NoisyPolicy
from game.strategy.splitmix import hash64, to_unit
from game.strategy.turn import ShotPoints, solve_shot_points
from game.strategy.turn.backward_induction import throw_values

ROWS_AT_ONCE = 64
# The worth of a bank that wins the game on the spot, plus the points of the shot.
WIN_WORTH = 1e15


def apply_game_end(
    choices: ChoiceArrays, shots: Shots, candidates: Candidates, bank: Floats, throw: Floats
) -> tuple[Floats, Floats]:
    """Return the values of banking and of throwing, adjusted for the rules and for the end of the game.

    Banks that are illegal or pointless become -inf, and banks that win the game `WIN_WORTH` plus their points. Throwing
    becomes -inf where dice win at once. `bank`, `throw` (candidates): the values to adjust.
    """
    ruleset, owner = choices.graph.ruleset, candidates.shot
    minimum = np.where(shots.entered[owner], ruleset.bank_minimum, ruleset.entry_minimum)
    allowed = choices.graph.bankable[candidates.to] & (candidates.total >= minimum)
    six = candidates.to == choices.graph.win
    wins = six | (allowed & (candidates.total >= shots.won_from[owner]))
    useful = allowed & (candidates.total >= shots.lost_below[owner])
    bank = np.where(wins, WIN_WORTH + candidates.total, np.where(useful, bank, -np.inf))
    return bank, np.where(six, -np.inf, throw)


@dataclass(frozen=True, eq=False)
class PointValues:
    """Expected points of throwing, as arrays.

    `sides`: the solved shots, first for a next player who may pick up, then for one who may not; only the latter in
    rulesets without pick-up. `thrown`: for each side, rows x columns x kinds of player.
    """

    choices: ChoiceArrays
    sides: tuple[ShotPoints, ...]
    thrown: tuple[Floats, ...]

    def throw(self, side: int, points: Indices, columns: Indices, kinds: Indices) -> Floats:
        """Return the expected points of throwing from these columns with this many points, an entry for each shot."""
        graph, thrown = self.choices.graph, self.thrown[side]
        rows = (points - graph.offsets[columns]) // graph.unit
        values: Floats = thrown[np.minimum(rows, len(thrown) - 1), columns, kinds]
        far = np.flatnonzero(rows >= len(thrown))
        lines = self.sides[side].throwing
        if len(far) and lines:
            at = columns[far], kinds[far]
            values[far] = lines.slope[at] * points[far] + lines.intercept[at]
        return values

    def bank(self, side: int, points: Indices, columns: Indices) -> Floats:
        """Return the values of banking this many points, less what the dice that are left bring the next player."""
        rewards, banked = self.sides[side].rewards, points.astype(np.float64)
        if rewards.fresh is None:
            return banked
        kinds = np.full_like(points, rewards.kinds.next)
        left = self.throw(side, points, self.choices.graph.offers[columns], kinds)
        return banked - np.maximum(left - rewards.fresh, 0.0)

    def kinds(self, side: int, shots: Shots) -> Indices:
        """Return the kinds of the players, as `ShotPoints.kind` does."""
        streaks = self.sides[side].rewards.kinds.streaks
        return np.where(shots.entered, np.minimum(shots.streak, streaks - 1), streaks)


@lru_cache(maxsize=4)
def build_point_values(ruleset: Ruleset) -> PointValues:
    """Build the values of a ruleset. Takes up to a second more than solving them; cached. Raises `NoBestPlay`."""
    sides = tuple(solve_shot_points(ruleset, taken) for taken in ((True, False) if ruleset.pick_up else (False,)))
    return PointValues(build_choice_arrays(ruleset), sides, tuple(_tabulate_throws(side) for side in sides))


def _tabulate_throws(solved: ShotPoints) -> Floats:
    """Compute the expected points of throwing at every row and column (rows x columns x kinds of player)."""
    thrown = np.zeros((solved.top, *solved.values.shape[1:]))
    for low in range(0, solved.top, ROWS_AT_ONCE):
        rows = np.arange(low, min(low + ROWS_AT_ONCE, solved.top), dtype=np.intp)
        for layer in solved.graph.layers:
            thrown[rows[:, None], layer.columns] = throw_values(
                solved.graph, layer, solved.values, rows, solved.rewards.bust
            )
    return thrown


@dataclass(frozen=True, eq=False)
class PointsPolicy:
    """The policy of a level that plays by expected points."""

    values: PointValues
    noisy: NoisyPolicy

    def picks_up(self, shots: Shots, offered: Indices) -> Flags:
        """Return which of these shots seem to be worth more with the dice on offer than with fresh ones."""
        shots, takes = shots.part(offered), np.zeros(len(offered), dtype=bool)
        for side, which in self._split_sides(shots.taken):
            part = shots.part(which)
            kinds = self.values.kinds(side, part)
            start = np.full_like(kinds, self.values.choices.graph.start)
            taken = self.values.throw(side, part.points, part.offered - 1, kinds)
            fresh = self.values.throw(side, np.zeros_like(part.points), start, kinds)
            number = hash64(part.own, part.others, part.points, 0)
            bonus = self.noisy.noise * (to_unit(hash64(number, 1)) - to_unit(hash64(number, 0)))
            takes[which] = taken + self.values.sides[side].expected() * bonus > fresh
        return takes

    def evaluate(self, shots: Shots, candidates: Candidates) -> tuple[Floats, Floats]:
        """Return the perceived expected points of banking and of throwing."""
        bank, throw = np.empty(len(candidates.to)), np.empty(len(candidates.to))
        for side, which in self._split_sides(shots.taken[candidates.shot]):
            bank[which], throw[which] = self._perceive(side, shots, candidates, which)
        if self.noisy.straights:
            whole = self.values.choices.whole[candidates.choice]
            bank[~whole] = throw[~whole] = -np.inf
        return apply_game_end(self.values.choices, shots, candidates, bank, throw)

    def _split_sides(self, taken: Flags) -> list[tuple[int, Indices]]:
        if len(self.values.sides) == 1:
            return [(0, np.arange(len(taken)))]
        return [(0, np.flatnonzero(taken)), (1, np.flatnonzero(~taken))]

    def _perceive(self, side: int, shots: Shots, candidates: Candidates, which: Indices) -> tuple[Floats, Floats]:
        owner, total, to = candidates.shot[which], candidates.total[which], candidates.to[which]
        throw = self.values.throw(side, total, to, self.values.kinds(side, shots)[owner])
        solved, noisy = self.values.sides[side], self.noisy
        bank = self.values.bank(side, total, to)
        if noisy.bound:
            number = hash64(shots.own[owner], shots.others[owner], candidates.before[which], candidates.dice[which])
            kept, fresh = 2 * self.values.choices.kept[candidates.choice[which]], solved.expected()
            bank = bank + fresh * (noisy.bank_bias + noisy.noise * to_unit(hash64(number, kept + 1)))
            throw = throw + fresh * noisy.noise * to_unit(hash64(number, kept))
        return bank, throw
