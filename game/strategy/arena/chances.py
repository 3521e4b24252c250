"""Policies that play many shots by the chance to win: shots that begin from the same pair of scores share values."""

from collections.abc import Iterator
from dataclasses import dataclass

from game.strategy.arena.batch_policy import PointsPolicy, apply_game_end
from game.strategy.arena.choices import ChoiceArrays
from game.strategy.arena.shots import Candidates, Shots
from game.strategy.arrays import Floats, Indices, np
from game.strategy.win import ScoreSituation, WinTable, solve_shot_chances
from game.strategy.win.grid import ScorePairs
from game.strategy.win.race_shots import solve_shots, values_of_busts

# This many pairs of scores are valued side by side while games are played.
PAIRS_AT_ONCE = 96
# Where a bank is at least as good as throwing, throwing is valued this much lower, so that the bank is chosen.
BANK_MARGIN = 1e-9


@dataclass(frozen=True, eq=False)
class ChancePolicy:
    """The policy of the level that plays by the chance to win.

    `values`, `bank` and `first`: as in `ShotValues`. `pairs`: for each shot, the place of its pair of scores in those.
    """

    choices: ChoiceArrays
    values: Floats
    bank: Floats
    first: Indices
    pairs: Indices

    def evaluate(self, shots: Shots, candidates: Candidates) -> tuple[Floats, Floats]:
        """Return the chance to win, 0 to 1, by banking and by throwing.

        All scores beyond the last row count the same, because banking is best there in any case.
        """
        pairs = self.pairs[candidates.shot]
        graph, most = self.choices.graph, len(self.values) - 1
        gathered = (shots.own[candidates.shot] + candidates.total) // graph.unit - self.first[pairs]
        rows = np.minimum(gathered, most)
        left_out = graph.offsets[candidates.to] // graph.unit
        best = self.values[np.minimum(gathered - left_out, most), candidates.to, pairs]
        bank = self.bank[rows, 0, pairs]
        banks = graph.bankable[candidates.to] & (bank >= best)
        return apply_game_end(self.choices, shots, candidates, bank, np.where(banks, best - BANK_MARGIN, best))


@dataclass(frozen=True, eq=False)
class EndPolicy:
    """The policy that plays by expected points, and by rough chances to win where the end of the game is in reach."""

    points: PointsPolicy
    chances: ChancePolicy
    target: int
    final: bool

    def evaluate(self, shots: Shots, candidates: Candidates) -> tuple[Floats, Floats]:
        """Return the values of banking and of throwing: chances for shots that can end the game, points for others."""
        highest = np.zeros_like(shots.own)
        np.maximum.at(highest, candidates.shot, candidates.total)
        at_end = (self.final | (shots.own + highest >= self.target))[candidates.shot]
        bank, throw = self.points.evaluate(shots, candidates)
        won_by_bank, won_by_throw = self.chances.evaluate(shots, candidates)
        return np.where(at_end, won_by_bank, bank), np.where(at_end, won_by_throw, throw)


def policies_for_two(
    table: WinTable, choices: ChoiceArrays, role: int, mine: Indices, theirs: Indices
) -> Iterator[tuple[ChancePolicy, Indices]]:
    """Yield policies for the shots of players in this role, each with the places of the shots it is for.

    `mine`, `theirs` (shots): where the scores of the player to move and of the other stand in the table.
    """
    size = table.chances.shape[-1]
    pairs, owner = np.unique(mine * size + theirs, return_inverse=True)
    order = np.argsort(owner, kind="stable")
    begins = np.searchsorted(owner[order], np.arange(0, len(pairs) + PAIRS_AT_ONCE, PAIRS_AT_ONCE))
    for number, first in enumerate(range(0, len(pairs), PAIRS_AT_ONCE)):
        part = pairs[first : first + PAIRS_AT_ONCE]
        which = order[begins[number] : begins[number + 1]]
        both = ScorePairs(np.full(len(part), role), part // size, part % size)
        bust = values_of_busts(table, both)
        shots = solve_shots(table, both, bust)
        yield ChancePolicy(choices, shots.values, shots.bank, shots.first, owner[which] - first), which


def policies_for_any(
    table: WinTable, choices: ChoiceArrays, situations: list[ScoreSituation]
) -> Iterator[tuple[ChancePolicy, Indices]]:
    """Yield policies as `policies_for_two` does, for any number of players and the end of a game.

    `situations`: one for each shot.
    """
    owners: dict[ScoreSituation, list[int]] = {}
    for shot, situation in enumerate(situations):
        owners.setdefault(situation, []).append(shot)
    for situation, which in owners.items():
        chances = solve_shot_chances(table, situation)
        pairs = np.zeros(len(which), dtype=np.intp)
        policy = ChancePolicy(choices, chances.values, chances.banks, np.array([chances.low]), pairs)
        yield policy, np.array(which, dtype=np.intp)
