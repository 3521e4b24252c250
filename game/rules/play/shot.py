"""One shot with dice: throws, what may be kept of them, banking, the win at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from game.rules.events import Began, Kept, Missed, PickedUp, Swept, Threw
from game.rules.play.moves import Bank, Move, Throw, Win
from game.rules.play.state import Shot, State, alter
from game.rules.play.turns import Told, bank, bust, finish
from game.rules.refusals import IllegalMove
from game.rules.ruleset import DICE
from game.rules.scoring import Dice, Keep, dice_left, gain, keeps, set_aside


def keeps_now(state: State) -> tuple[Keep, ...]:
    """What may be kept of the dice that lie on the table, best first; none if no choice of dice is due."""
    shot = state.shot
    if shot is None or not shot.dice:
        return ()
    return keeps(state.ruleset, shot.dice, shot.aside, shot.aside_points)


def find_keep(state: State, dice: Sequence[int]) -> Keep | None:
    """Return the keep of exactly these dice, in any order, or None if they may not be kept now."""
    wanted = tuple(sorted(dice))
    return next((keep for keep in keeps_now(state) if keep.dice == wanted), None)


def points_with(shot: Shot, keep: Keep) -> int:
    """The points of the shot once this is kept."""
    return shot.points + gain(keep, shot.aside_points)


def nearest_keep(found: Sequence[Keep], wanted: Sequence[int]) -> Keep:
    """Of some keeps the one that differs least from these dice; of equal ones the one with the most points."""
    dice = tuple(wanted)
    return min(found, key=lambda keep: len(_beyond(keep.dice, dice)) + len(_beyond(dice, keep.dice)))


def minimum(state: State) -> int:
    """The points that the player needs to bank: to get in before the first bank, afterwards to bank at all."""
    entered = state.players[state.player].entered
    return state.ruleset.bank_minimum if entered else state.ruleset.entry_minimum


def score_after(state: State, keep: Keep) -> int:
    """What banking with this keep would make of the player's score."""
    return state.players[state.player].score + (points_with(state.shot, keep) if state.shot else 0)


def may_pick_up(state: State) -> bool:
    """Whether the player may begin with the dice that the player before left."""
    return state.pick_up is not None


def legal_moves(state: State) -> tuple[Move, ...]:
    """Every move that the player may make now, best keeps first; none while dice are due and after the end."""
    if state.finished or state.to_throw or state.by_hand:
        return ()
    if state.shot is None:
        return (Throw(), Throw(pick_up=True)) if may_pick_up(state) else (Throw(),)
    if not state.shot.dice:
        return (Throw(),)
    found: list[Move] = []
    for keep in keeps_now(state):
        goes_on, ends = _moves_with(keep)
        found.append(goes_on)
        if not keep.wins and _may_bank(state, state.shot, keep):
            found.append(ends)
    return tuple(found)


@lru_cache(maxsize=4096)
def _moves_with(keep: Keep) -> tuple[Move, Move]:
    return Win(keep.dice) if keep.wins else Throw(keep.dice), Bank(keep.dice)


def _may_bank(state: State, shot: Shot, keep: Keep) -> bool:
    return not _must_throw(state, shot, keep) and points_with(shot, keep) >= minimum(state)


def _must_throw(state: State, shot: Shot, keep: Keep) -> bool:
    return len(keep.dice) == len(shot.dice) and state.ruleset.sweep == "must_throw"


def why_not_bank(state: State, keep: Keep) -> IllegalMove | None:
    """What stands against banking with this keep, if anything."""
    shot = state.shot
    if shot is None:
        return IllegalMove("nothing_to_keep")
    if _must_throw(state, shot, keep):
        return IllegalMove("must_throw")
    need, have = minimum(state), points_with(shot, keep)
    if have >= need:
        return None
    entered = state.players[state.player].entered
    return IllegalMove("bank_minimum" if entered else "entry_minimum", need=need, have=have)


def why_not_move(state: State, move: Move) -> IllegalMove | None:
    """What stands against a move, if anything: `apply` makes exactly those against which nothing does."""
    if state.finished:
        return IllegalMove("over")
    if state.to_throw:
        return IllegalMove("throw_first")
    if state.by_hand:
        return IllegalMove("real_dice")
    shot = state.shot
    if isinstance(move, Throw) and (shot is None or move.pick_up):
        return _why_not_begin(state, move)
    if shot is None:
        return IllegalMove("throw_first")
    if not shot.dice:
        fits = isinstance(move, Throw) and not move.keep
        return None if fits else IllegalMove("tries")
    return _why_not_keep(state, shot, move)


def _why_not_begin(state: State, move: Throw) -> IllegalMove | None:
    if move.keep:
        return IllegalMove("nothing_to_keep")
    if move.pick_up and not may_pick_up(state):
        return IllegalMove("pick_up")
    return None


def _why_not_keep(state: State, shot: Shot, move: Move) -> IllegalMove | None:
    keep = find_keep(state, move.keep)
    if keep is None:
        return what_is_wrong(shot.dice, move.keep, keeps_now(state))
    if keep.wins != isinstance(move, Win):
        return IllegalMove("keep_wins" if keep.wins else "no_win")
    return why_not_bank(state, keep) if isinstance(move, Bank) else None


def what_is_wrong(thrown: Dice, wanted: Dice, found: Sequence[Keep]) -> IllegalMove:
    """The reason that names the dice at fault: not thrown, or adding nothing."""
    if not wanted:
        return IllegalMove("keep_something")
    absent = _beyond(wanted, thrown)
    if absent:
        return IllegalMove("not_thrown", dice=absent)
    inside = [keep.dice for keep in found if not _beyond(keep.dice, wanted)]
    fewest = min((_beyond(wanted, dice) for dice in inside), key=len, default=tuple(sorted(wanted)))
    return IllegalMove("cannot_keep", dice=fewest)


def _beyond(dice: Dice, others: Dice) -> Dice:
    """The dice that are more than those others, sorted."""
    rest = list(others)
    more = []
    for die in sorted(dice):
        if die in rest:
            rest.remove(die)
        else:
            more.append(die)
    return tuple(more)


def make_move(state: State, move: Move, told: Told) -> State:
    """Make a move. Raises `IllegalMove`, naming the reason."""
    refusal = why_not_move(state, move)
    if refusal is not None:
        raise refusal
    shot = state.shot
    if shot is None:
        return _begin(state, isinstance(move, Throw) and move.pick_up, told)
    if not shot.dice:
        return alter(state, to_throw=shot.left)
    keep = next(keep for keep in keeps_now(state) if keep.dice == tuple(sorted(move.keep)))
    told.append(Kept(shot.player, keep.dice, keep.points, keep.with_aside))
    if keep.wins:
        return finish(alter(state, shots=state.shots + 1), (state.player,), told, at_once=True)
    shot = _keep_dice(shot, keep)
    if shot.swept:
        told.append(Swept(shot.player, shot.points))
    if isinstance(move, Bank):
        return bank(state, shot.points, shot.left, told)
    return alter(state, shot=shot, to_throw=shot.left)


def _begin(state: State, picks_up: bool, told: Told) -> State:
    shot = Shot(state.player, left=DICE)
    if picks_up and state.pick_up:
        dice, points = state.pick_up
        shot = Shot(state.player, left=dice, points=points, picked_up=dice)
        told.append(PickedUp(state.player, dice, points))
    else:
        told.append(Began(state.player, DICE))
    return alter(state, shot=shot, to_throw=shot.left)


def _keep_dice(shot: Shot, keep: Keep) -> Shot:
    points, left = points_with(shot, keep), dice_left(shot.dice, keep.dice)
    if left == DICE:
        return alter(shot, points=points, dice=(), aside=(), aside_points=0, left=DICE, tries=0, swept=True)
    aside = tuple(sorted(set_aside(shot.aside, shot.dice, keep.dice)))
    aside_points = shot.aside_points + keep.points
    return alter(shot, points=points, dice=(), aside=aside, aside_points=aside_points, left=left, swept=False)


def fall(state: State, shot: Shot, dice: Dice, told: Told) -> State:
    """The dice of a shot have fallen: a choice is due, or another try with the last die, or the shot is bust."""
    told.append(Threw(shot.player, dice))
    shot = alter(shot, dice=dice, throws=shot.throws + 1, swept=False)
    if keeps(state.ruleset, dice, shot.aside, shot.aside_points):
        return alter(state, shot=shot, to_throw=0)
    tries = shot.tries + 1
    if len(dice) > 1 or tries >= state.ruleset.last_die_throws:
        return bust(alter(state, shot=shot), told)
    told.append(Missed(shot.player, tries))
    return alter(state, shot=alter(shot, dice=(), tries=tries), to_throw=0)
