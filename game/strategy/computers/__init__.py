"""The computer players. They see the public state of a game: never the seed, never the dice to come.

What they do follows from that state alone, so whoever asks again, and whatever the dice will be, gets the same move.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

from game.rules import Move, State, Throw, keeps_now, legal_moves
from game.strategy.computers.ends import winning_move
from game.strategy.computers.plain import keep_all
from game.strategy.computers.policy import EXACT, NoisyPolicy, choose_dice, picks_up
from game.strategy.preload import request_readiness
from game.strategy.turn import EndlessShot
from game.strategy.turn.graph import graph_of
from game.strategy.win import rate_state

__all__ = ["BEST", "COMPUTERS", "EXACT", "FIRST_LEVEL", "NoisyPolicy", "choose_move"]

BEST = "best"
FIRST_LEVEL = "balanced"
# The levels, the weakest first. The best one plays by the chance to win where a table of it is stored.
COMPUTERS: Mapping[str, NoisyPolicy] = MappingProxyType(
    {
        "beginner": NoisyPolicy(bank=0.1, spread=1.0),
        "careful": NoisyPolicy(bank=0.25, spread=0.35),
        "balanced": NoisyPolicy(spread=0.25),
        "bold": NoisyPolicy(bank=-0.03, spread=0.02),
        BEST: EXACT,
    }
)


# Under rulesets with more positions than this, expected points take too long for anybody to wait for them.
POSITIONS_MOST = 20


def choose_move(state: State) -> Move:
    """What the computer whose seat is due does. Raises `ValueError` if there is nothing to choose.

    Takes at most 15 ms once the ruleset is ready (`game.strategy.warm`), before that up to 3 s; where it would be more,
    a rule of thumb serves until then. An unknown level plays as the first.
    """
    if not legal_moves(state):
        raise ValueError("There is nothing to choose.")
    level = state.players[state.player].level or FIRST_LEVEL
    taste = COMPUTERS.get(level, COMPUTERS[FIRST_LEVEL])
    chosen = winning_move(state)
    if chosen is None and _has_values(state):
        with suppress(EndlessShot):
            chosen = _by_values(state, level, taste)
    if chosen is None:
        chosen = keep_all(state) if keeps_now(state) else Throw()
    return chosen


def _has_values(state: State) -> bool:
    """Whether expected points are there, or soon enough."""
    few = len(graph_of(state.ruleset).positions) <= POSITIONS_MOST
    return few or request_readiness(state.ruleset, state.target) != "not yet"


def _by_values(state: State, level: str, taste: NoisyPolicy) -> Move:
    """By chance to win, or expected points."""
    if not keeps_now(state):
        return Throw(pick_up=picks_up(state, taste))
    best = rate_state(state)[0] if level == BEST else None
    return choose_dice(state, taste) if best is None or best.win is None else best.option.move
