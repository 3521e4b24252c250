"""The moves that computers are about to make, worked out before taking the lock."""

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
        """Return the move of this step; choose it now if the game has changed since, or none was planned."""
        if self.version == game.version - 1 and step < len(self.moves):
            return self.moves[step]
        return choose_move(load_state(game))


def plan_moves(game: Game, most: int) -> Plan:
    """Return up to `most` moves of computers from the current state, ending before a person's turn.

    Nothing is written, but don't use or save `game` afterwards, because its count of throws has moved on. The dice are
    those that will fall; each computer is shown only those that lie on the table when it chooses.
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
    """Return the move of the computer that is due. Where a game file ended before a throw, it is that throw."""
    return Throw() if state.to_throw else computers.choose_move(state)


def make_move(state: State, move: Move) -> Step:
    """Return the step of a move. Raises `IllegalMove`.

    Where a game file ended before a throw, a `Throw` changes nothing yet: the caller throws the dice that are due.
    """
    return Step(state) if state.to_throw and move == Throw() else apply(state, move)


def is_computer_due(state: State) -> bool:
    """Return whether the player who is due is played by a computer."""
    return state.players[state.player].level is not None
