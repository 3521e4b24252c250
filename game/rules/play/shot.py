"""One shot with dice: its throws, what may be kept of them, banking, the win at once."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from game.rules.combinations import Dice
from game.rules.events import Began, Kept, Missed, PickedUp, Swept, Threw, ThrownAgain
from game.rules.play.banking import is_last_throw, must_throw, note_keep, points_needed, points_with, why_not_bank_in
from game.rules.play.choosing import is_allowed, is_beyond, is_lone_five, is_nothing_throw, keeps_scored
from game.rules.play.moves import Bank, Move, Throw, Win
from game.rules.play.state import Shot, ShotMemory, State, Step, alter
from game.rules.play.turns import bank_points, bust_shot, eliminate_player, end_beyond_target, finish_game
from game.rules.refusals import IllegalMove
from game.rules.ruleset import Ruleset
from game.rules.scoring import Keep, dice_left, find_effect, set_aside


def keeps_now(state: State) -> tuple[Keep, ...]:
    """Return what may be kept of the dice on the table, best first; empty if no choice of dice is due."""
    shot = state.shot
    if shot is None or not shot.dice:
        return ()
    scored = keeps_scored(state, shot)
    return scored if state.ruleset.is_plain else tuple(keep for keep in scored if is_allowed(state, shot, scored, keep))


def find_keep(state: State, dice: Sequence[int]) -> Keep | None:
    """Return the keep of exactly these dice, in any order, or None if they may not be kept now."""
    shot = state.shot
    if shot is None or not shot.dice:
        return None
    wanted, scored = tuple(sorted(dice)), keeps_scored(state, shot)
    for keep in scored:
        if keep.dice == wanted:
            return keep if is_allowed(state, shot, scored, keep) else None
    return None


def nearest_keep(choices: Sequence[Keep], wanted: Sequence[int]) -> Keep:
    """Return the keep that differs from these dice by the fewest dice; among equals, the first of the choices."""
    return min(choices, key=lambda keep: len(_take_away(keep.dice, wanted)) + len(_take_away(wanted, keep.dice)))


def score_after(state: State, keep: Keep) -> int:
    """Return what the player's score would be after banking with this keep."""
    return state.players[state.player].score + (points_with(state.shot, keep) if state.shot else 0)


def why_not_bank(state: State, keep: Keep) -> IllegalMove | None:
    """Return the reason why the player may not bank with this keep, or None if there is none."""
    return why_not_bank_in(state, state.shot, keep) if state.shot else IllegalMove("nothing_to_keep")


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return every move with the dice that the player may make now, best keeps first; none if no choice is due."""
    if state.finished or state.to_throw or state.by_hand:
        return ()
    shot = state.shot
    if shot is None:
        return (Throw(), Throw(pick_up=True)) if state.pick_up else (Throw(),)
    if not shot.dice:
        return (Throw(),)
    need, plain = points_needed(state), state.ruleset.is_plain
    last = is_last_throw(state.ruleset, shot)
    moves: list[Move] = []
    for keep in keeps_now(state):
        onward, banking = _moves_with(keep)
        if keep.wins or not last:
            moves.append(onward)
        if keep.wins or (plain and points_with(shot, keep) < need):
            continue
        if not must_throw(state, shot, keep) if plain else why_not_bank_in(state, shot, keep) is None:
            moves.append(banking)
    return tuple(moves)


@lru_cache(maxsize=4096)
def _moves_with(keep: Keep) -> tuple[Move, Move]:
    return Win(keep.dice) if keep.wins else Throw(keep.dice), Bank(keep.dice)


def make_move(state: State, move: Move) -> Step:
    """Make a move with the dice. Raises `IllegalMove` with the reason."""
    if state.finished:
        raise IllegalMove("over")
    if state.to_throw:
        raise IllegalMove("must_throw" if state.shot and state.shot.swept else "throw_first")
    if state.by_hand:
        raise IllegalMove("real_dice")
    shot = state.shot
    if isinstance(move, Throw) and (shot is None or move.pick_up):
        if move.keep:
            raise IllegalMove("nothing_to_keep")
        shot, began = begin_shot(state, pick_up=move.pick_up)
        return Step(alter(state, shot=shot, to_throw=shot.left), (began,))
    if shot is None:
        raise IllegalMove("throw_first")
    if shot.dice:
        return _keep_dice(state, shot, move)
    if not isinstance(move, Throw) or move.keep:  # only another throw of the same dice is possible
        tries = "tries" if state.ruleset.last_die_throws == 3 else "two_tries"
        raise IllegalMove(tries if shot.tries else "throw_again")
    return Step(alter(state, to_throw=shot.left))


def begin_shot(state: State, *, pick_up: bool) -> tuple[Shot, Began | PickedUp]:
    """Return a shot before its first throw, with its event. Raises `IllegalMove` if there is nothing to pick up."""
    seat = state.player
    if not pick_up:
        dice = state.ruleset.dice
        return Shot(seat, left=dice), Began(seat, dice)
    if state.pick_up is None:
        raise IllegalMove("pick_up")
    dice, points = state.pick_up
    memory = ShotMemory(base=points if state.ruleset.bust_cost == "shot" else 0)
    return Shot(seat, left=dice, points=points, picked_up=dice, memory=memory), PickedUp(seat, dice, points)


def _keep_dice(state: State, shot: Shot, move: Move) -> Step:
    """Set dice aside, and do with the rest what the move says."""
    keep = find_keep(state, move.keep)
    if keep is None:
        raise explain_keep(shot.dice, move.keep, keeps_now(state))
    if keep.wins != isinstance(move, Win):
        raise IllegalMove("keep_wins" if keep.wins else "no_win")
    if isinstance(move, Bank) and (refusal := why_not_bank(state, keep)):
        raise refusal
    if isinstance(move, Throw) and is_last_throw(state.ruleset, shot):
        raise IllegalMove("last_throw")
    kept = Kept(shot.player, keep.dice, keep.points, keep.with_aside)
    if keep.wins:
        return finish_game(alter(state, shots=state.shots + 1), (state.player,), at_once=True).preceded_by(kept)
    shot = keep_in_shot(state.ruleset, shot, keep)
    events = (kept, Swept(shot.player, shot.points)) if shot.swept else (kept,)
    if isinstance(move, Bank):
        return bank_points(state, shot.points, shot.left).preceded_by(*events)
    return Step(alter(state, shot=shot, to_throw=shot.left), events)


def keep_in_shot(ruleset: Ruleset, shot: Shot, keep: Keep) -> Shot:
    """Return the shot after this keep, its next throw still to come."""
    points, left = points_with(shot, keep), dice_left(shot.dice, keep.dice, ruleset.dice)
    shot = note_keep(ruleset, shot, keep)
    if len(keep.dice) == len(shot.dice):
        return alter(shot, points=points, dice=(), aside=(), aside_points=0, left=left, tries=0, swept=True)
    aside = tuple(sorted(set_aside(shot.aside, shot.dice, keep.dice)))
    aside_points = shot.aside_points + keep.points
    return alter(shot, points=points, dice=(), aside=aside, aside_points=aside_points, left=left, swept=False)


def throw_in_shot(state: State, shot: Shot, dice: Dice) -> Step:
    """Let the dice of a shot fall: what follows is a choice, another throw of the same dice, or the end of the shot."""
    ruleset, threw = state.ruleset, Threw(shot.player, dice)
    shot = alter(shot, dice=dice, throws=shot.throws + 1, swept=False)
    if ruleset.combinations and (effect := find_effect(ruleset, dice)):
        state = alter(state, shot=shot)
        ended = eliminate_player(state) if effect.effect == "out" else bust_shot(state, cost=effect.cost)
        return ended.preceded_by(threw)
    scored = keeps_scored(state, shot)
    if any(is_allowed(state, shot, scored, keep) for keep in scored):
        return Step(alter(state, shot=shot, to_throw=0), (threw,))
    return _follow_nothing_kept(state, shot, scored).preceded_by(threw)


def _follow_nothing_kept(state: State, shot: Shot, scored: Sequence[Keep]) -> Step:
    """Apply what follows when a throw leaves nothing to keep, whether or not something in it scored."""
    ruleset = state.ruleset
    last = is_last_throw(ruleset, shot)
    nothing = not scored and is_nothing_throw(ruleset, shot)
    points = ruleset.nothing_bonus * shot.factor(ruleset) if nothing and ruleset.nothing == "again" else 0
    again = nothing and ruleset.nothing == "again" and not is_beyond(state, shot.points + points)
    if not last and (again or is_lone_five(ruleset, shot, scored)):
        shot = alter(shot, dice=(), points=shot.points + points)
        return Step(alter(state, shot=shot, to_throw=0), (ThrownAgain(shot.player, points),))
    tries = shot.tries + 1
    if len(shot.dice) == 1 and tries < ruleset.last_die_throws and not last:
        shot = alter(shot, dice=(), tries=tries)
        return Step(alter(state, shot=shot, to_throw=0), (Missed(shot.player, tries),))
    state = alter(state, shot=shot)
    beyond = scored and all(is_beyond(state, points_with(shot, keep)) for keep in scored)
    if ruleset.exact == "stay" and beyond and not is_lone_five(ruleset, shot, scored):
        return end_beyond_target(state)
    return bust_shot(state, nothing=nothing)


def explain_keep(thrown: Dice, wanted: Dice, choices: Sequence[Keep]) -> IllegalMove:
    """Return the refusal that names the dice at fault: those not thrown, or those that add nothing."""
    if not wanted:
        return IllegalMove("keep_something")
    absent = _take_away(wanted, thrown)
    if absent:
        return IllegalMove("not_thrown", dice=absent)
    inside = [keep.dice for keep in choices if not _take_away(keep.dice, wanted)]
    fewest = min((_take_away(wanted, dice) for dice in inside), key=len, default=tuple(sorted(wanted)))
    return IllegalMove("cannot_keep", dice=fewest)


def _take_away(dice: Sequence[int], others: Sequence[int]) -> Dice:
    """Return what is left of the dice without the others, sorted."""
    return tuple(sorted((Counter(dice) - Counter(others)).elements()))
