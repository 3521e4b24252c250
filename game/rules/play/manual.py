"""Shots with real dice: only the outcome is entered, and checked against what the rules make possible."""

from game.rules.play.banking import makes_exact_target, why_off_step, why_too_few, why_too_many_left
from game.rules.play.choosing import is_beyond
from game.rules.play.known_throws import check_banked, check_pick_up, play_throws
from game.rules.play.moves import Manual
from game.rules.play.shot import begin_shot
from game.rules.play.state import Shot, State, Step, alter
from game.rules.play.turns import bank_points, bust_shot, eliminate_player, end_beyond_target, finish_game
from game.rules.refusals import IllegalMove
from game.rules.scoring import dice_left
from game.rules.totals import SHOT_POINTS_MOST, can_make, may_bank_sweep, nearest_totals, rules_before_bank


def enter_shot(state: State, shot: Manual) -> Step:
    """Enter a whole shot with real dice. Raises `IllegalMove` for points that are impossible or may not be banked."""
    check_real_dice(state)
    check_pick_up(state, shot.pick_up)
    begun, began = begin_shot(state, pick_up=shot.pick_up is not None)
    _check_fields(state, shot, begun)
    if shot.throws:
        return _enter_faces(state, shot)
    if shot.end in ("bust", "over", "eliminated"):
        return _end_without_points(state, shot, begun).preceded_by(began)
    if shot.end == "win":
        return finish_game(alter(state, shots=state.shots + 1), (state.player,), at_once=True).preceded_by(began)
    _check_points(state, shot, begun)
    return bank_points(state, shot.points, shot.dice_left).preceded_by(began)


def check_real_dice(state: State) -> None:
    """Raise `IllegalMove` unless a shot with real dice can be entered now."""
    if state.to_throw or state.shot is not None:
        raise IllegalMove("starting" if state.starting else "shot_begun")
    if state.mode != "manual":
        raise IllegalMove("mode")


def _end_without_points(state: State, entered: Manual, shot: Shot) -> Step:
    """End a shot without points. Only its outcome is known, and what it gathered if a bust costs that."""
    state = alter(state, shot=alter(shot, points=shot.points + entered.lost))
    if entered.end == "bust":
        return bust_shot(state, nothing=entered.nothing)
    return end_beyond_target(state) if entered.end == "over" else eliminate_player(state)


def _check_fields(state: State, shot: Manual, begun: Shot) -> None:
    ruleset = state.ruleset
    if shot.end == "win" and not (ruleset.six_of_a_kind_wins or ruleset.has_effect("wins")):
        raise IllegalMove("no_win")
    if shot.end == "over" and ruleset.exact != "stay":
        raise IllegalMove("no_over")
    if shot.end == "eliminated" and not ruleset.has_effect("out"):
        raise IllegalMove("no_eliminated")
    if shot.end != "bank" and shot.points:
        raise IllegalMove("cannot_make", points=shot.points, below=None, above=None)
    may_be_left = range(1, ruleset.dice + 1) if shot.end == "bank" and ruleset.pick_up else ()
    if shot.dice_left is not None and shot.dice_left not in may_be_left:
        raise IllegalMove("dice_left")
    if shot.nothing and not (ruleset.nothing_cost and shot.end == "bust" and not shot.throws):
        raise IllegalMove("nothing")
    picked_up = shot.pick_up is not None
    if shot.nothing and ruleset.nothing_when == "first_throw" and (shot.lost or picked_up):
        raise IllegalMove("nothing_first")
    if shot.lost:
        left = ruleset.dice if shot.nothing else None  # a throw of nothing has all dice: hot dice came before it
        counts = ruleset.bust_cost == "shot" and shot.end == "bust" and not shot.throws
        if not counts or not can_make(rules_before_bank(ruleset), shot.lost, begun.left, left, picked_up=picked_up):
            raise IllegalMove("lost")
        if is_beyond(state, begun.points + shot.lost):  # no keep that goes beyond was allowed
            raise IllegalMove("above_target", target=state.target)


def _check_points(state: State, shot: Manual, begun: Shot) -> None:
    """Raise `IllegalMove` for an impossible bank. `begun`: the shot before its first throw."""
    ruleset, dice, base = state.ruleset, begun.left, begun.points
    made = shot.points - base
    if is_beyond(state, shot.points):
        raise IllegalMove("above_target", target=state.target)
    at_target = makes_exact_target(state, shot.points)
    if may_bank_sweep(ruleset, at_target=at_target):
        ruleset = rules_before_bank(ruleset)
    picked_up = shot.pick_up is not None
    if made <= 0 < base:
        raise IllegalMove("without_base", base=base)
    if shot.points > SHOT_POINTS_MOST or not can_make(ruleset, made, dice, picked_up=picked_up):
        nearest = nearest_totals(ruleset, made, dice, picked_up=picked_up)
        below, above = (near if near is None else near + base for near in nearest)
        raise IllegalMove("cannot_make", points=shot.points, below=below, above=above)
    if shot.dice_left is not None:
        if not can_make(ruleset, made, dice, shot.dice_left, picked_up=picked_up):
            raise IllegalMove("dice_left")
        if not at_target and (refusal := why_too_many_left(ruleset, shot.dice_left % ruleset.dice)):
            raise refusal
    if not at_target and (refusal := why_off_step(ruleset, shot.points)):
        raise refusal
    if not (at_target and state.players[state.player].entered) and (refusal := why_too_few(state, shot.points)):
        raise refusal


def _enter_faces(state: State, shot: Manual) -> Step:
    """Enter the same shot face by face, as if it had been thrown and kept here."""
    after, events = play_throws(alter(state, mode="auto"), shot.throws, shot.end, pick_up=shot.pick_up is not None)
    check_banked(events, shot.points)
    if shot.dice_left is None:
        return Step(alter(after, mode=state.mode, offer=None), events)
    last = shot.throws[-1]
    if shot.dice_left != dice_left(last.dice, last.keep or (), state.ruleset.dice):
        raise IllegalMove("dice_left")
    return Step(alter(after, mode=state.mode), events)
