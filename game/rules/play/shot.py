"""One shot with dice: its throws, what may be kept of them, banking, the win at once."""

from collections.abc import Sequence
from functools import lru_cache

from game.rules.events import Began, Kept, Missed, PickedUp, Swept, Threw
from game.rules.play.moves import Bank, Move, Throw, Win
from game.rules.play.state import Shot, State, Step, alter
from game.rules.play.turns import bank_points, bust_shot, finish_game
from game.rules.refusals import IllegalMove
from game.rules.ruleset import DICE, Dice
from game.rules.scoring import Keep, dice_left, keeps, points_gained, set_aside


def keeps_now(state: State) -> tuple[Keep, ...]:
    """Return what may be kept of the dice on the table, best first; nothing if no choice of dice is due."""
    shot = state.shot
    if shot is None or not shot.dice:
        return ()
    return keeps(state.ruleset, shot.dice, shot.aside, shot.aside_points)


def find_keep(state: State, dice: Sequence[int]) -> Keep | None:
    """Return the keep of exactly these dice, in any order, or None if they may not be kept now."""
    wanted = tuple(sorted(dice))
    for keep in keeps_now(state):
        if keep.dice == wanted:
            return keep
    return None


def nearest_keep(choices: Sequence[Keep], wanted: Sequence[int]) -> Keep:
    """Return the keep that differs from these dice by the fewest dice; among equals, the first of the choices."""
    dice = tuple(wanted)
    return min(choices, key=lambda keep: len(_surplus(keep.dice, dice)) + len(_surplus(dice, keep.dice)))


def points_with(shot: Shot, keep: Keep) -> int:
    """Return the points of the shot once this is kept."""
    return shot.points + points_gained(keep, shot.aside_points)


def score_after(state: State, keep: Keep) -> int:
    """Return what the player's score would be after banking with this keep."""
    return state.players[state.player].score + (points_with(state.shot, keep) if state.shot else 0)


def points_needed(state: State) -> int:
    """Return the fewest points that the player may bank: the entry minimum until the first bank."""
    entered = state.players[state.player].entered
    return state.ruleset.bank_minimum if entered else state.ruleset.entry_minimum


def why_not_bank(state: State, keep: Keep) -> IllegalMove | None:
    """Return the reason why the player may not bank with this keep, or None if there is none."""
    shot = state.shot
    if shot is None:
        return IllegalMove("nothing_to_keep")
    if _must_throw(state, shot, keep):
        return IllegalMove("must_throw")
    return why_too_few(state, points_with(shot, keep))


def why_too_few(state: State, points: int) -> IllegalMove | None:
    """Return the refusal of a bank of so many points if they are too few, else None."""
    need = points_needed(state)
    if points >= need:
        return None
    entered = state.players[state.player].entered
    return IllegalMove("bank_minimum" if entered else "entry_minimum", need=need, have=points)


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return every move that the player may make now, best keeps first; none while dice are due or after the end."""
    if state.finished or state.to_throw or state.by_hand:
        return ()
    shot = state.shot
    if shot is None:
        return (Throw(), Throw(pick_up=True)) if state.pick_up else (Throw(),)
    if not shot.dice:
        return (Throw(),)
    need = points_needed(state)
    moves: list[Move] = []
    for keep in keeps_now(state):
        onward, banking = _moves_with(keep)
        moves.append(onward)
        if not keep.wins and points_with(shot, keep) >= need and not _must_throw(state, shot, keep):
            moves.append(banking)
    return tuple(moves)


@lru_cache(maxsize=4096)
def _moves_with(keep: Keep) -> tuple[Move, Move]:
    return Win(keep.dice) if keep.wins else Throw(keep.dice), Bank(keep.dice)


def _must_throw(state: State, shot: Shot, keep: Keep) -> bool:
    return len(keep.dice) == len(shot.dice) and state.ruleset.sweep == "must_throw"


def make_move(state: State, move: Move) -> Step:
    """Make a move with the dice. Raises `IllegalMove` with the reason."""
    if state.finished:
        raise IllegalMove("over")
    if state.to_throw:
        raise IllegalMove("throw_first")
    if state.by_hand:
        raise IllegalMove("real_dice")
    shot = state.shot
    if isinstance(move, Throw) and (shot is None or move.pick_up):
        return _begin_shot(state, move)
    if shot is None:
        raise IllegalMove("throw_first")
    if shot.dice:
        return _keep_dice(state, shot, move)
    if not isinstance(move, Throw) or move.keep:
        raise IllegalMove("tries")
    return Step(alter(state, to_throw=shot.left))


def _begin_shot(state: State, move: Throw) -> Step:
    seat = state.player
    if move.keep:
        raise IllegalMove("nothing_to_keep")
    if not move.pick_up:
        return Step(alter(state, shot=Shot(seat, left=DICE), to_throw=DICE), (Began(seat, DICE),))
    if state.pick_up is None:
        raise IllegalMove("pick_up")
    dice, points = state.pick_up
    shot = Shot(seat, left=dice, points=points, picked_up=dice)
    return Step(alter(state, shot=shot, to_throw=dice), (PickedUp(seat, dice, points),))


def _keep_dice(state: State, shot: Shot, move: Move) -> Step:
    """Set dice aside, and do with the rest what the move says."""
    keep = find_keep(state, move.keep)
    if keep is None:
        raise explain_keep(shot.dice, move.keep, keeps_now(state))
    if keep.wins != isinstance(move, Win):
        raise IllegalMove("keep_wins" if keep.wins else "no_win")
    if isinstance(move, Bank) and (refusal := why_not_bank(state, keep)):
        raise refusal
    kept = Kept(shot.player, keep.dice, keep.points, keep.with_aside)
    if keep.wins:
        return finish_game(alter(state, shots=state.shots + 1), (state.player,), at_once=True).preceded_by(kept)
    shot = _shot_with(shot, keep)
    events = (kept, Swept(shot.player, shot.points)) if shot.swept else (kept,)
    if isinstance(move, Bank):
        return bank_points(state, shot.points, shot.left).preceded_by(*events)
    return Step(alter(state, shot=shot, to_throw=shot.left), events)


def _shot_with(shot: Shot, keep: Keep) -> Shot:
    """Return the shot with this kept, its next throw still to come."""
    points, left = points_with(shot, keep), dice_left(shot.dice, keep.dice)
    if left == DICE:
        return alter(shot, points=points, dice=(), aside=(), aside_points=0, left=left, tries=0, swept=True)
    aside = tuple(sorted(set_aside(shot.aside, shot.dice, keep.dice)))
    aside_points = shot.aside_points + keep.points
    return alter(shot, points=points, dice=(), aside=aside, aside_points=aside_points, left=left, swept=False)


def throw_in_shot(state: State, shot: Shot, dice: Dice) -> Step:
    """Let the dice of a shot fall: then a choice is due, or another try with the last die, or the shot is bust."""
    threw = Threw(shot.player, dice)
    shot = alter(shot, dice=dice, throws=shot.throws + 1, swept=False)
    if keeps(state.ruleset, dice, shot.aside, shot.aside_points):
        return Step(alter(state, shot=shot, to_throw=0), (threw,))
    tries = shot.tries + 1
    if len(dice) > 1 or tries >= state.ruleset.last_die_throws:
        return bust_shot(alter(state, shot=shot)).preceded_by(threw)
    shot = alter(shot, dice=(), tries=tries)
    return Step(alter(state, shot=shot, to_throw=0), (threw, Missed(shot.player, tries)))


def explain_keep(thrown: Dice, wanted: Dice, choices: Sequence[Keep]) -> IllegalMove:
    """Return the refusal that names the dice at fault: those that were not thrown, or that add nothing."""
    if not wanted:
        return IllegalMove("keep_something")
    absent = _surplus(wanted, thrown)
    if absent:
        return IllegalMove("not_thrown", dice=absent)
    inside = [keep.dice for keep in choices if not _surplus(keep.dice, wanted)]
    fewest = min((_surplus(wanted, dice) for dice in inside), key=len, default=tuple(sorted(wanted)))
    return IllegalMove("cannot_keep", dice=fewest)


def _surplus(dice: Dice, others: Dice) -> Dice:
    """Return the dice that are more than those others, sorted."""
    rest = list(others)
    more = []
    for die in sorted(dice):
        if die in rest:
            rest.remove(die)
        else:
            more.append(die)
    return tuple(more)
