"""What a bank brings at the end of a game: what is won by it, and what is lost."""

from __future__ import annotations

from collections.abc import Iterable

from game.rules import Bank, Move, State, Win, apply, keeps_now, legal_moves, points_with


def winning_move(state: State) -> Move | None:
    """The move that ends the game and wins it alone, with the most points where there are several; None without one."""
    shot = state.shot
    if shot is None or not shot.dice:
        return None
    points = {keep.dice: points_with(shot, keep) for keep in keeps_now(state)}
    ends = (move for move in legal_moves(state) if _may_end(state, move, points[move.keep]))
    return max(_winning(state, ends), key=lambda move: points[move.keep], default=None)


def _may_end(state: State, move: Move, points: int) -> bool:
    """Whether it is worth asking the rules: most banks are far from any end."""
    reached = state.players[state.player].score + points >= state.target
    return isinstance(move, Win) or (isinstance(move, Bank) and reached)


def _winning(state: State, moves: Iterable[Move]) -> Iterable[Move]:
    for move in moves:
        after = apply(state, move).state
        if after.finished and after.winners == (state.player,):
            yield move


def is_lost(state: State, score: int) -> bool:
    """Whether a bank that makes this score in the final round leaves the player behind for good."""
    if not state.final:
        return False
    best = max((state.players[seat].score for seat in state.active if seat != state.player), default=0)
    return score < best or (score == best and state.ruleset.tie == "leader_stands")
