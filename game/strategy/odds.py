"""Exact chances and mean points of a single throw under a ruleset."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod

from game.rules import Dice, Ruleset, Shot, State, Throw, apply, events
from game.rules.play.playable import await_dice
from game.rules.play.shot import throw_in_shot
from game.rules.play.state import with_player
from game.rules.scoring import Keep, all_throws, keeps


def bust_chance(ruleset: Ruleset, dice: int, aside: Dice = (), growing: Dice = (), room: int | None = None) -> float:
    """Return the chance, 0 to 1, that one throw of this many dice offers nothing to keep.

    `aside` are the dice set aside since the last sweep: they matter only where three pairs may be made across throws.
    `growing`: the set among them that may grow. `room`: how many points more an exact target leaves, None for enough.
    With several tries for the last die, this is the chance for one try.
    """
    return _bust_chance(ruleset, dice, tuple(sorted(aside)) if ruleset.three_pairs_across_throws else (), growing, room)


@lru_cache(maxsize=4096)
def _bust_chance(ruleset: Ruleset, dice: int, aside: Dice, growing: Dice, room: int | None) -> float:
    def saves(keep: Keep) -> bool:
        return room is None or keep.wins or keep.points <= room

    busts = (throw for throw in all_throws(dice) if not any(map(saves, keeps(ruleset, throw, aside, growing=growing))))
    return float(Fraction(sum(count_orders(throw) for throw in busts), 6**dice))


def chance_to_end(state: State) -> float:
    """Return the chance, 0 to 1, that throwing the dice that are due ends the shot without a bank.

    That is a bust, an elimination, or a shot that is over beyond an exact target. All tries of the last die count
    together, and so do throws that have to be made again without points. Where more matters than the dice, it asks the
    rules about every throw, which takes milliseconds.
    """
    shot, everything, total = state.shot, 6**state.to_throw, 0.0
    assert shot is not None  # dice of a shot are due
    if state.ruleset.is_plain:
        chance = bust_chance(state.ruleset, shot.left, shot.aside)
        return chance ** (state.ruleset.last_die_throws - shot.tries) if shot.left == 1 else chance
    again: tuple[State, int] | None = None
    for dice in all_throws(state.to_throw):
        step = throw_in_shot(state, shot, dice)
        weight = count_orders(dice)
        if any(_is_made_again(event) for event in step.events):
            again = step.state, weight + (again[1] if again else 0)
        elif any(isinstance(event, events.Bust | events.Over | events.Eliminated) for event in step.events):
            total += weight
    if again:
        after, weight = again
        if _is_thrown_alike(state.ruleset, shot, after.shot):
            # It only makes the other throws more likely.
            everything -= weight
        else:
            total += weight * chance_to_end(replace(after, to_throw=state.to_throw))
    return total / everything if total else 0.0


def _is_made_again(event: events.Event) -> bool:
    """Return whether the same dice have to be thrown again, and nothing was gained."""
    return isinstance(event, events.Missed) or (isinstance(event, events.ThrownAgain) and not event.points)


def _is_thrown_alike(ruleset: Ruleset, before: Shot, after: Shot | None) -> bool:
    """Return whether dice that are thrown again have the same chances as the throw before."""
    first = ruleset.nothing_when == "first_throw" and not before.throws
    return after is not None and not ruleset.throws_most and not first and before.tries == after.tries


def chance_to_end_next(state: State, move: Throw) -> float:
    """Return the chance, 0 to 1, that the next throw ends the shot without a bank, all tries of the last die together.

    `move`: the one that leads to this throw, unless its dice are due already.
    """
    return chance_to_end(state if state.to_throw else apply(state, move).state)


@lru_cache(maxsize=1024)
def chance_to_end_with(
    ruleset: Ruleset, dice: int, *, throws: int = 0, points: int = 0, growing: Dice = (), room: int | None = None
) -> float:
    """Return the chance, 0 to 1, that throwing this many dice ends the turn of a player on the board without a bank.

    All tries of the last die count together. `throws` and `points`: how many the turn has had before. `room`: how many
    points more an exact target leaves, by default as many as ever count. Of the dice set aside, only the set that is
    `growing` counts.
    """
    state = await_dice(ruleset, dice)
    assert state.shot is not None  # its dice are due
    shot = replace(state.shot, throws=throws, points=points, memory=replace(state.shot.memory, growing=growing))
    score = 0 if room is None else state.target - points - room
    return chance_to_end(replace(with_player(state, state.player, score=score), shot=shot))


@lru_cache(maxsize=1024)
def room_needed(ruleset: Ruleset, dice: int) -> int:
    """Return how many points an exact target has to leave so that no throw of this many dice that scores is a bust."""
    offered = (keeps(ruleset, throw) for throw in all_throws(dice))
    return max((min(keep.points for keep in kept) for kept in offered if kept), default=0)


@lru_cache(maxsize=1024)
def sweep_chance(ruleset: Ruleset, dice: int) -> float:
    """Return the chance, 0 to 1, that every die of a throw of this many dice may be kept."""
    sweeps = (throw for throw in all_throws(dice) if any(len(keep.dice) == dice for keep in keeps(ruleset, throw)))
    return float(Fraction(sum(count_orders(throw) for throw in sweeps), 6**dice))


@lru_cache(maxsize=1024)
def average_points(ruleset: Ruleset, dice: int) -> float:
    """Return the mean, over all throws of this many dice, of the most points that can be kept; a bust counts 0."""
    best = ((throw, keeps(ruleset, throw)) for throw in all_throws(dice))
    return float(Fraction(sum(count_orders(throw) * keep[0].points for throw, keep in best if keep), 6**dice))


def count_orders(throw: Dice) -> int:
    """Return in how many orders dice with these faces can fall: n! / (n1! n2! …), with one factor for each face."""
    return factorial(len(throw)) // prod(factorial(count) for count in Counter(throw).values())
