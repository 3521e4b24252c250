"""What computers are about to do, worked out before taking the lock."""

from dataclasses import dataclass

from game.models import Game
from game.rules import Move, State, Step, Throw, apply, throw
from game.services.dice import throw_sealed_dice
from game.storage import load_state
from game.strategy import computers


@dataclass(frozen=True)
class Plan:
    """The moves of the computers that are due, valid for this version of the game only."""

    version: int
    moves: tuple[Move, ...] = ()

    def move(self, game: Game, step: int) -> Move:
        """Return the move of this step; choose it anew if the game has changed meanwhile."""
        if self.version == game.version - 1 and step < len(self.moves):
            return self.moves[step]
        return choose_move(load_state(game))


# For games in which there is nothing to do.
NO_PLAN = Plan(-1)


def plan_moves(game: Game, most: int) -> Plan:
    """Return up to `most` moves from the current state, up to a person's turn.

    Nothing is written, but the row is used up: its count of throws moves on. The dice
    are those that will fall; each computer is shown only those that lie on the table when it chooses.
    """
    moves: list[Move] = []
    state = load_state(game)
    while len(moves) < most and not state.finished and is_computer_due(state):
        move = choose_move(state)
        moves.append(move)
        state = make_move(state, move).state
        if state.to_throw and len(moves) < most:
            state = throw(state, throw_sealed_dice(game, state.to_throw)).state
    return Plan(game.version, tuple(moves))


def choose_move(state: State) -> Move:
    """Return what the computer that is due does. If a game file ends before a throw, only that throw is left to do."""
    return Throw() if state.to_throw else computers.choose_move(state)


def make_move(state: State, move: Move) -> Step:
    """Make a move. Dice that were due where a game file ended are thrown by the next press. Raises `IllegalMove`."""
    return Step(state) if state.to_throw and move == Throw() else apply(state, move)


def is_computer_due(state: State) -> bool:
    """Return whether the player who is due is played by a computer."""
    return state.players[state.player].level is not None
