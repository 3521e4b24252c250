"""From a game's state to what its choices are worth: the public state only, never the dice to come."""

from __future__ import annotations

from game.rules import Bank, Move, State, Throw, Win
from game.strategy.turn import Spot, Way
from game.strategy.win.options import Rated, rate_ways
from game.strategy.win.score_situation import Seat, Standing
from game.strategy.win.store import table_of


def rate(state: State) -> tuple[Rated, ...]:
    """Every way to keep of the dice on the table, best first; empty where no choice of dice is due."""
    spot = spot_of(state)
    if spot is None:
        return ()
    return rate_ways(state.ruleset, spot, standing_of(state), table_of(state.ruleset, state.target))


def move_of(way: Way) -> Move:
    """The move that a way to keep is."""
    if way.then == "win":
        return Win(way.keep.dice)
    return Bank(way.keep.dice) if way.then == "bank" else Throw(way.keep.dice)


def spot_of(state: State) -> Spot | None:
    """The choice that is due; None if none is."""
    shot = state.shot
    if shot is None or not shot.dice or state.to_throw or state.finished:
        return None
    player = state.players[state.player]
    return Spot(
        tuple(sorted(shot.dice)),
        shot.points,
        shot.aside,
        shot.aside_points,
        player.entered,
        player.streak,
        next_may_take(state),
    )


def next_may_take(state: State) -> bool:
    """Whether the next player may pick up what the player leaves."""
    seats = _in_turn(state)
    return len(seats) > 1 and state.players[seats[1]].entered


def standing_of(state: State) -> Standing:
    """The active players in turn from the one to move."""
    seats = _in_turn(state)
    first = seats.index(next(seat for seat in state.order if seat in seats))
    due = tuple(seats.index(seat) for seat in state.due if seat != state.player)
    players = (state.players[seat] for seat in seats)
    return Standing(tuple(Seat(each.score, each.entered) for each in players), first, due if state.final else None)


def _in_turn(state: State) -> tuple[int, ...]:
    place = state.order.index(state.player)
    turn = state.order[place:] + state.order[:place]
    return tuple(seat for seat in turn if state.players[seat].active)
