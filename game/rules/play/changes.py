"""What may be changed while a game runs: the target, the players, the mode."""

from game.rules.events import Handed, Joined, ModeSet, Paid, Renamed, Skipped, SteppedIn, SteppedOut, TargetSet
from game.rules.names import check_free, clean_name, is_computer_name
from game.rules.play.moves import Hand, Join, Rename, SetMode, SetTarget, Skip, StepIn, StepOut
from game.rules.play.start import DEFAULT_LEVEL, check_level, check_target, seat_player
from game.rules.play.state import PlayerState, State, Step, alter, with_player
from game.rules.play.turns import end_shot, finish_game, give_shot_away, leave_tie
from game.rules.refusals import IllegalMove


def set_target(state: State, change: SetTarget) -> Step:
    """Play to another target; whether somebody has reached it is judged when the next shot ends."""
    check_target(state.ruleset, change.value)
    if state.ruleset.ending == "rounds":
        raise IllegalMove("target_rounds")
    if state.ruleset.exact != "no":
        if any(player.score >= change.value for player in state.players):
            raise IllegalMove("target_exact", least=state.ruleset.least_value)
        if state.shot is not None:  # every keep of the dice on the table might go beyond the new target
            raise IllegalMove("target_turn")
    return Step(alter(state, target=change.value), (TargetSet(change.value),))


def rename_player(state: State, change: Rename) -> Step:
    """Rename a player. A star added to the beginning makes the player a computer; without it they are a person.

    After the end of the game a star can be neither added nor removed, because a lost game would then drop out of the
    player's statistics, and of the winner's.
    """
    player = _player_at(state, change.player)
    name = clean_name(change.name)
    check_free(name, [other.name for other in state.players if other is not player])
    level = player.level
    if is_computer_name(name) != is_computer_name(player.name):
        if state.finished:
            raise IllegalMove("star_after_end")
        level = DEFAULT_LEVEL if is_computer_name(name) else None
    return Step(with_player(state, change.player, name=name, level=level), (Renamed(change.player, name),))


def add_player(state: State, change: Join) -> Step:
    """Add a player at the end of the order, to play in this round if no shot of it has ended, else from the next."""
    if state.starting:
        raise IllegalMove("starting")
    if state.final:
        raise IllegalMove("final_round")
    if len(state.players) >= state.ruleset.max_players:
        raise IllegalMove("full", most=state.ruleset.max_players)
    seat, ante = len(state.players), state.ruleset.ante
    player = seat_player(change.name, change.level, state.players)
    joined = Joined(seat, player.name, state.round_begun)
    player = alter(player, waiting=state.round_begun, since=state.shots)
    state = alter(state, players=(*state.players, player), order=(*state.order, seat), pot=state.pot + ante)
    return Step(state, (joined, Paid(seat, ante)) if ante else (joined,))


def step_out(state: State, change: StepOut) -> Step:
    """Skip a player from now on. A player who is due forgoes the shot; after a throw it ends with nothing."""
    player = _player_at(state, change.player)
    if state.starting:
        raise IllegalMove("starting")
    if not player.active:
        raise IllegalMove("is_eliminated" if player.eliminated else "is_out")
    due = change.player == state.player
    shot = state.shot if due else None
    event = SteppedOut(change.player, shot.points if shot else 0)
    state = with_player(state, change.player, active=False)
    if not state.active:
        return finish_game(state, ()).preceded_by(event)
    state = leave_tie(state, change.player)
    if len(state.tied) == 1:
        return finish_game(state, state.tied).preceded_by(event)
    if shot and shot.throws:
        return end_shot(state).preceded_by(event)
    return give_shot_away(state).preceded_by(event) if due else Step(state, (event,))


def step_in(state: State, change: StepIn) -> Step:
    """Let a player who has stepped out take part again, with the score they had."""
    if _player_at(state, change.player).active:
        raise IllegalMove("is_in")
    if state.players[change.player].eliminated:
        raise IllegalMove("is_eliminated")
    return Step(with_player(state, change.player, active=True), (SteppedIn(change.player),))


def hand_seat(state: State, change: Hand) -> Step:
    """Hand a seat to a computer, or back to a person; a player whose name has a star stays a computer."""
    player = _player_at(state, change.player)
    check_level(change.level)
    level = change.level
    if level is None and is_computer_name(player.name):
        level = DEFAULT_LEVEL
    return Step(with_player(state, change.player, level=level), (Handed(change.player, level),))


def skip_player(state: State, _change: Skip) -> Step:
    """Skip the shot of the player who is due; the points of a running shot are lost."""
    if state.starting:
        raise IllegalMove("starting")
    return end_shot(state).preceded_by(Skipped(state.player, state.shot.points if state.shot else 0))


def set_mode(state: State, change: SetMode) -> Step:
    """Throw dice here, or enter real ones, from the next shot on."""
    return Step(alter(state, mode=change.mode), (ModeSet(change.mode),))


def _player_at(state: State, seat: int) -> PlayerState:
    if not 0 <= seat < len(state.players):
        raise IllegalMove("no_player")
    return state.players[seat]
