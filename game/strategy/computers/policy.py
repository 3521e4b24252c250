"""Playing by expected points, more or less noisily."""

from collections.abc import Sequence
from dataclasses import dataclass

from game.rules import Dice, Move, Ruleset, State
from game.strategy.arrays import np
from game.strategy.computers.winning_moves import is_lost
from game.strategy.splitmix import hash64, to_unit
from game.strategy.turn import Option, list_options, solve_points_of


@dataclass(frozen=True)
class NoisyPolicy:
    """How a computer misjudges expected points, in shares of the expected points of a shot from fresh dice.

    `bank_bias`: how much a bank is overrated or, below 0, underrated. `noise`: by how much at most an option is
    overrated at random. Together they bound what one decision can cost. `straights`: a straight is never broken up.
    """

    bank_bias: float = 0.0
    noise: float = 0.0
    straights: bool = True

    @property
    def bound(self) -> float:
        """The most that a decision can cost, in those shares, unless a straight or the end of the game is at stake."""
        return abs(self.bank_bias) + self.noise


# Unbiased expected points.
EXACT = NoisyPolicy(straights=False)


def choose_by_points(state: State, policy: NoisyPolicy) -> Move:
    """Choose the option that seems to be worth the most.

    Raises `ValueError` where no choice of dice is due, `NoBestPlay` where points have no bound.
    """
    score, options = state.players[state.player].score, list_options(state)
    if not options or state.shot is None:
        raise ValueError("There is nothing to keep.")
    dice = tuple(sorted(state.shot.dice))
    useful = [option for option in options if option.then != "bank" or not is_lost(state, score + option.total)]
    useful = useful or [*options]  # after the last throw of a shot a losing bank may be the only option
    if policy.straights:
        straights = find_straights(state.ruleset, dice)
        useful = [option for option in useful if holds_straight(option.keep.dice, straights)] or useful
    fresh = solve_points_of(state).expected()
    bonuses = perceived_bonus(policy, hash_context(state, dice), useful)
    best, _ = max(zip(useful, bonuses, strict=True), key=lambda pair: pair[0].points + fresh * pair[1])
    return best.move


def prefers_offer(state: State, policy: NoisyPolicy) -> bool:
    """Return whether the dice on offer seem to be worth more than fresh ones. Raises `NoBestPlay`."""
    if state.pick_up is None:
        return False
    dice, points = state.pick_up
    player = state.players[state.player]
    solved = solve_points_of(state)
    fresh, graph = solved.expected(), solved.graph
    kind = solved.kind(player.entered, player.streak, picked_up=True)
    taken = solved.throw(graph.plain_column(dice, entered=player.entered), points, kind)
    number = hash_context(state, ())
    bonus = policy.noise * (to_unit(hash64(number, 1)) - to_unit(hash64(number, 0)))
    return bool(taken + fresh * bonus[0] > solved.expected(player.entered, player.streak))


def hash_context(state: State, dice: Dice) -> int:
    """Return a hash of the public state of a choice, which gives away nothing about dice to come."""
    shot, score = state.shot, state.players[state.player].score
    others = sum(state.players[seat].score for seat in state.active) - score
    points = shot.points if shot else state.pick_up[1] if state.pick_up else 0
    return int(hash64(score, others, points, encode_dice(dice))[0])


def encode_dice(dice: Dice) -> int:
    """Return a number that stands for sorted dice: their faces as digits to the base 7."""
    number = 0
    for die in dice:
        number = 7 * number + die
    return number


def perceived_bonus(policy: NoisyPolicy, context: int, options: Sequence[Option]) -> list[float]:
    """Return by how much each option is overrated, in the shares of `NoisyPolicy`."""
    banks = np.array([option.then == "bank" for option in options])
    codes = np.array([2 * encode_dice(option.keep.dice) for option in options]) + banks
    bonuses: list[float] = (policy.bank_bias * banks + policy.noise * to_unit(hash64(context, codes))).tolist()
    return bonuses


def find_straights(ruleset: Ruleset, dice: Dice) -> tuple[Dice, ...]:
    """Find the straights in a throw that count more than their dice would alone, longest first."""
    points = {
        (1, 2, 3, 4, 5, 6): ruleset.straight,
        (1, 2, 3, 4, 5): ruleset.low_straight,
        (2, 3, 4, 5, 6): ruleset.high_straight,
    }
    alone = ruleset.singles
    return tuple(run for run, worth in points.items() if worth > sum(alone[f - 1] for f in run) and {*run} <= {*dice})


def holds_straight(keep: Dice, straights: Sequence[Dice]) -> bool:
    """Return whether these dice contain one of the straights, or there are no straights."""
    return not straights or any({*run} <= {*keep} for run in straights)
