"""The computer players. They see the public state of a game: never the seed, never the dice to come.

Their moves depend on that state alone, so asking again gives the same move, whatever the dice will be.
"""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

from game.rules import DEFAULT_LEVEL, Move, State, Throw, keeps_now, legal_moves
from game.strategy.computers.policy import EXACT, NoisyPolicy, choose_by_points, prefers_offer
from game.strategy.computers.rule_of_thumb import choose_by_thumb
from game.strategy.computers.winning_moves import find_winning_move
from game.strategy.preload import request_readiness
from game.strategy.turn import NoBestPlay
from game.strategy.turn.graph import build_graph
from game.strategy.win import rate_pick_up, rate_state

__all__ = ["BEST", "COMPUTERS", "EXACT", "choose_move"]

BEST = "best"
# The levels, the weakest first. The best one plays by the chance to win where there is a win table.
COMPUTERS: Mapping[str, NoisyPolicy] = MappingProxyType(
    {
        "beginner": NoisyPolicy(bank_bias=0.1, noise=1.0),
        "careful": NoisyPolicy(bank_bias=0.25, noise=0.35),
        "balanced": NoisyPolicy(noise=0.25),
        "bold": NoisyPolicy(bank_bias=-0.03, noise=0.02),
        BEST: EXACT,
    }
)

# Under rulesets with more positions than this, expected points take too long to wait for.
POSITIONS_MOST = 20


def choose_move(state: State) -> Move:
    """Choose the move of the computer that is due. Raises `ValueError` if there is nothing to choose.

    Takes at most 15 ms once the ruleset is preloaded (`game.strategy.preload`), and up to 5 s before that; where it
    would take longer, it goes by a rule of thumb until then. An unknown level plays as `DEFAULT_LEVEL`.
    """
    if not legal_moves(state):
        raise ValueError("There is nothing to choose.")
    move = find_winning_move(state)
    if move is None:
        with suppress(NoBestPlay):
            move = _choose_by_values(state) if _has_values(state) else None
    if move is None:
        move = choose_by_thumb(state) if keeps_now(state) else Throw()
    return move


def _has_values(state: State) -> bool:
    """Return whether expected points are ready, or will be soon enough. Raises `NoBestPlay`."""
    few = len(build_graph(state.ruleset).positions) <= POSITIONS_MOST
    return few or request_readiness(state.ruleset, state.target) != "not yet"


def _choose_by_values(state: State) -> Move:
    """Choose by chance to win, or by expected points. Raises `NoBestPlay`."""
    level = state.players[state.player].level or DEFAULT_LEVEL
    policy = COMPUTERS.get(level, COMPUTERS[DEFAULT_LEVEL])
    if not keeps_now(state):
        chances = rate_pick_up(state) if level == BEST else None
        return Throw(pick_up=chances[0] > chances[1] if chances else prefers_offer(state, policy))
    best = rate_state(state)[0] if level == BEST else None
    return choose_by_points(state, policy) if best is None or best.win is None else best.option.move
