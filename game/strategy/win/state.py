"""From a game's state to what its choices are worth: the public state only, never the dice to come."""

from __future__ import annotations

from game.rules import State
from game.strategy.turn import DecisionPoint
from game.strategy.win.options import RatedOption, rate_options
from game.strategy.win.score_situation import ScoreSituation, SeatScore
from game.strategy.win.store import find_table


def rate_state(state: State) -> tuple[RatedOption, ...]:
    """Every way to keep of the dice on the table, best first; empty where no choice of dice is due."""
    spot = find_decision_point(state)
    if spot is None:
        return ()
    return rate_options(state.ruleset, spot, make_score_situation(state), find_table(state.ruleset, state.target))


def find_decision_point(state: State) -> DecisionPoint | None:
    """The choice that is due; None if none is."""
    shot = state.shot
    if shot is None or not shot.dice or state.to_throw or state.finished:
        return None
    player = state.players[state.player]
    return DecisionPoint(
        tuple(sorted(shot.dice)),
        shot.points,
        shot.aside,
        shot.aside_points,
        player.entered,
        player.streak,
        next_may_pick_up(state),
    )


def next_may_pick_up(state: State) -> bool:
    """Whether the next player may pick up what the player leaves."""
    seats = _in_turn(state)
    return len(seats) > 1 and state.players[seats[1]].entered


def make_score_situation(state: State) -> ScoreSituation:
    """The active players in turn from the one to move."""
    seats = _in_turn(state)
    first = seats.index(next(seat for seat in state.order if seat in seats))
    due = tuple(seats.index(seat) for seat in state.due if seat != state.player)
    players = (state.players[seat] for seat in seats)
    return ScoreSituation(
        tuple(SeatScore(each.score, each.entered) for each in players), first, due if state.final else None
    )


def _in_turn(state: State) -> tuple[int, ...]:
    place = state.order.index(state.player)
    turn = state.order[place:] + state.order[:place]
    return tuple(seat for seat in turn if state.players[seat].active)
