"""The options of a decision: every way to keep dice of a throw and then bank or throw, with its expected points."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from game.rules import Bank, Keep, State, Throw, Win, keeps_now
from game.rules.play.banking import is_last_throw, points_with, why_not_bank_in
from game.strategy.turn.points import ShotPoints, solve_shot_points
from game.strategy.turn.positions import position_after, position_of


@dataclass(frozen=True)
class Option:
    """A keep, and what is done after it (`then`).

    `total`: the points of the shot with the keep. `column`: where it leads in the graph. `points`: the expected points
    of the shot with the best play from then on. `bust`: the chance, 0 to 1, that the throw that follows ends the shot
    with nothing; 0 if none follows.
    """

    keep: Keep
    then: Literal["bank", "throw", "win"]
    total: int
    column: int
    points: float
    bust: float

    @property
    def move(self) -> Bank | Throw | Win:
        """The move of the rules that takes this option."""
        if self.then == "win":
            return Win(self.keep.dice)
        return Bank(self.keep.dice) if self.then == "bank" else Throw(self.keep.dice)


def list_options(state: State) -> tuple[Option, ...]:
    """List every option that the rules allow with the dice on the table, the most expected points first.

    Empty for a bust, and where no choice of dice is due. Raises `NoBestPlay` if points have no bound.
    """
    keeps = () if state.to_throw or state.finished else keeps_now(state)
    if not keeps:
        return ()
    solved = solve_points_of(state)
    options = (option for keep in keeps for option in _options_with(solved, state, keep))
    return tuple(sorted(options, key=lambda option: -option.points))


def solve_points_of(state: State) -> ShotPoints:
    """Solve the expected points of the shot of the player to move; cached. Raises `NoBestPlay`."""
    score, seats = state.players[state.player].score, list_seats_in_turn(state)
    taken = len(seats) > 1 and (state.players[seats[1]].entered or state.ruleset.pick_up_by == "all")
    return solve_shot_points(state.ruleset, taken, missing=state.target - score, lost=score)


def list_seats_in_turn(state: State) -> tuple[int, ...]:
    """List the seats of the active players in turn, from the one to move."""
    place = state.order.index(state.player)
    turn = state.order[place:] + state.order[:place]
    return tuple(seat for seat in turn if state.players[seat].active)


def _options_with(solved: ShotPoints, state: State, keep: Keep) -> Iterator[Option]:
    graph, shot, player = solved.graph, state.shot, state.players[state.player]
    assert shot is not None  # the keep is of its dice
    kind = solved.kind(player.entered, player.streak, picked_up=shot.picked_up is not None)
    total = points_with(shot, keep)
    if keep.wins:
        yield Option(keep, "win", total, graph.win, total + solved.rewards.prize, 0.0)
        return
    position = position_of(graph.ruleset, shot, entered=player.entered)
    column = graph.find_column(position_after(graph.ruleset, position, keep))
    if not is_last_throw(graph.ruleset, shot):
        risk = solved.bust_chance(column, total, kind)
        yield Option(keep, "throw", total, column, solved.throw(column, total, kind), risk)
    if why_not_bank_in(state, shot, keep) is None:
        yield Option(keep, "bank", total, column, solved.bank(column, total), 0.0)
