"""The computer players. They see the public state of a game: never the seed, never the dice to come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from game.rules import Bank, Keep, Move, State, Throw, Win, keeps_now, legal_moves, points_with
from game.rules.ruleset import DICE
from game.strategy.odds import bust_chance

# What a shot of six fresh dice brings, roughly, with busts counted in: what picked-up dice have to be better than.
FRESH_SHOT = 450


class Computer(Protocol):
    """Somebody who plays."""

    level: str

    def choose(self, state: State) -> Move:
        """The move to make; a choice must be due."""


class Balanced:
    """Keeps everything that scores, and banks with three dice or fewer left."""

    level = "balanced"
    banks_with = 3

    def choose(self, state: State) -> Move:
        """One of the legal moves of the state. Raises `ValueError` if there is none."""
        moves = legal_moves(state)
        if not moves:
            raise ValueError("There is nothing to choose.")
        if not keeps_now(state):
            return Throw(pick_up=self._picks_up(state))
        wins = [move for move in moves if isinstance(move, Win)]
        return wins[0] if wins else self._keep(state, moves)

    def _keep(self, state: State, moves: tuple[Move, ...]) -> Move:
        shot = state.shot
        if shot is None:
            raise ValueError("There is nothing to keep.")
        best = max(keeps_now(state), key=lambda keep: (points_with(shot, keep), len(keep.dice)))
        bank = Bank(best.dice)
        return bank if bank in moves and self._has_enough(state, best) else Throw(best.dice)

    def _has_enough(self, state: State, keep: Keep) -> bool:
        """Whether to bank: with few dice left; in the final round only when ahead, and then always as the last."""
        shot = state.shot
        if shot is None or (state.final and not _beats_the_others(state, points_with(shot, keep))):
            return False
        if state.due == (state.player,):
            return True
        left = len(shot.dice) - len(keep.dice) or DICE
        return left <= self.banks_with

    def _picks_up(self, state: State) -> bool:
        """Whether the points on offer, weighed by the chance to lose them, are more than a fresh shot brings."""
        if state.pick_up is None:
            return False
        dice, points = state.pick_up
        risk = bust_chance(state.ruleset, dice)
        if dice == 1:
            risk **= state.ruleset.last_die_throws
        return (1 - risk) * points > FRESH_SHOT


def _beats_the_others(state: State, points: int) -> bool:
    """Whether these points make a score that wins, or shares the win where that is possible."""
    score = state.players[state.player].score + points
    others = [state.players[seat].score for seat in state.active if seat != state.player]
    best = max(others, default=0)
    return score > best or (score == best and state.ruleset.tie != "leader_stands")


COMPUTERS: Mapping[str, Computer] = {Balanced.level: Balanced()}


def choose(state: State) -> Move:
    """What the computer whose seat is due does; a level without a player of its own plays as "balanced"."""
    level = state.players[state.player].level
    return COMPUTERS.get(level or Balanced.level, COMPUTERS[Balanced.level]).choose(state)
