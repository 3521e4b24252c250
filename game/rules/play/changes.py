"""What may be changed while a game runs: the target, the players, the mode."""

from __future__ import annotations

from game.rules.events import (
    Handed,
    Joined,
    ModeSet,
    Paid,
    Renamed,
    Skipped,
    SteppedIn,
    SteppedOut,
    TargetSet,
)
from game.rules.names import check_free, clean_name, is_computer_name
from game.rules.play.moves import Hand, Join, Rename, SetMode, SetTarget, Skip, StepIn, StepOut
from game.rules.play.start import DEFAULT_LEVEL, check_level, seat_player
from game.rules.play.state import Player, State, alter, with_player
from game.rules.play.turns import Told, advance, end_shot, finish, spend_shot
from game.rules.refusals import IllegalMove
from game.rules.ruleset import is_target


def set_target(state: State, change: SetTarget, told: Told) -> State:
    """Another target; who has reached it is judged when the next shot ends."""
    if not is_target(change.value):
        raise IllegalMove("target")
    told.append(TargetSet(change.value))
    return alter(state, target=change.value)


def rename(state: State, change: Rename, told: Told) -> State:
    """Another name. A star at its beginning that comes or goes makes the player a computer or a person."""
    player = _player(state, change.player)
    name = clean_name(change.name)
    check_free(name, [other.name for other in state.players if other is not player])
    level = player.level
    if is_computer_name(name) != is_computer_name(player.name):
        level = DEFAULT_LEVEL if is_computer_name(name) else None
    told.append(Renamed(change.player, name))
    return with_player(state, change.player, name=name, level=level)


def join(state: State, change: Join, told: Told) -> State:
    """A new player at the end of the order, from the next round unless no shot of this one has ended."""
    if state.starting:
        raise IllegalMove("starting")
    if state.final:
        raise IllegalMove("final_round")
    if len(state.players) >= state.ruleset.max_players:
        raise IllegalMove("full", most=state.ruleset.max_players)
    player = seat_player(change.name, change.level, state.players)
    seat = len(state.players)
    told.append(Joined(seat, player.name, state.round_begun))
    if state.ruleset.ante:
        told.append(Paid(seat, state.ruleset.ante))
    player = alter(player, waiting=state.round_begun, since=state.shots)
    players, order = (*state.players, player), (*state.order, seat)
    return alter(state, players=players, order=order, pot=state.pot + state.ruleset.ante)


def step_out(state: State, change: StepOut, told: Told) -> State:
    """A player is passed over from now on. Who is due gives that shot away; who has thrown ends it with nothing."""
    player = _player(state, change.player)
    if state.starting:
        raise IllegalMove("starting")
    if not player.active:
        raise IllegalMove("is_out")
    due = change.player == state.player
    shot = state.shot if due else None
    told.append(SteppedOut(change.player, shot.points if shot else 0))
    state = with_player(state, change.player, active=False)
    if not state.active:
        return finish(state, (), told)
    if shot and shot.throws:
        return end_shot(state, told)
    return advance(spend_shot(state), told) if due else state


def step_in(state: State, change: StepIn, told: Told) -> State:
    """A player who is out takes part again, with the score that stands on the board."""
    if _player(state, change.player).active:
        raise IllegalMove("is_in")
    told.append(SteppedIn(change.player))
    return with_player(state, change.player, active=True)


def hand(state: State, change: Hand, told: Told) -> State:
    """A seat goes to a computer, or back to a person; a name with a star stays a computer's."""
    player = _player(state, change.player)
    check_level(change.level)
    level = change.level
    if level is None and is_computer_name(player.name):
        level = DEFAULT_LEVEL
    told.append(Handed(change.player, level))
    return with_player(state, change.player, level=level)


def skip(state: State, change: Skip, told: Told) -> State:
    """The player who is due is passed over; the points of a running shot are lost."""
    if state.starting:
        raise IllegalMove("starting")
    told.append(Skipped(state.player, state.shot.points if state.shot else 0))
    return end_shot(state, told)


def set_mode(state: State, change: SetMode, told: Told) -> State:
    """Dice here, or real ones, from the next shot on."""
    told.append(ModeSet(change.mode))
    return alter(state, mode=change.mode)


def _player(state: State, seat: int) -> Player:
    if not 0 <= seat < len(state.players):
        raise IllegalMove("no_player")
    return state.players[seat]
