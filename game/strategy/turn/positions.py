"""The positions of a shot between two throws, and what every throw leads to there, according to the rules.

No rule is implemented here: `game.rules` says what scores, what may be kept and banked, and what a shot remembers of a
keep. Only what depends on points is ignored: minimums, the step, the exact target.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from game.rules import Dice, Ruleset
from game.rules.marking import gettext_noop
from game.rules.play.banking import is_last_throw, note_keep, points_with, why_not_bank_in, why_too_many_left
from game.rules.play.choosing import is_lone_five, is_nothing_throw, keeps_scored
from game.rules.play.playable import begin_alone
from game.rules.play.state import Shot, ShotMemory, State, alter
from game.rules.scoring import Keep, all_throws, find_effect, keeps, points_gained
from game.strategy.odds import count_orders

NOTHING_NOTED = ShotMemory()
# More points than any minimum asks for.
PLENTY = 1_000_000
# Shots with more positions are not solved: strangers can send rules of which one shot would take minutes and gigabytes.
# Those of the rulesets that come with the app have at most 44.
POSITIONS_MOST = 250
TOO_COMPLEX = gettext_noop("Under these rules a turn can go in too many ways to work out what it is worth.")


@dataclass(frozen=True, order=True)
class ShotPosition:
    """A number of dice about to be thrown (`left`), and whatever else matters about the shot so far.

    `aside`, sorted, with its `aside_points`: the dice set aside since the last sweep, remembered only where they can
    still become three pairs together with a throw. `first`: whether it is the first throw, where that matters.
    `entering`: whether the player has not entered, where that makes a difference to the shot. `bound`: whether the dice
    have to be thrown, because the last throw is made again. `throws`: how many there have been, where they are limited.
    `tries`: the misses with the last die, where tries count one by one. `memory`: what the rules note about the keeps.
    """

    left: int
    aside: Dice = ()
    aside_points: int = 0
    first: bool = False
    entering: bool = False
    bound: bool = False
    throws: int = 0
    tries: int = 0
    memory: ShotMemory = NOTHING_NOTED


@dataclass(frozen=True, order=True)
class ShotEnd:
    """An end of a shot by the dice: a win, an elimination ("out"), or a bust that costs points.

    `cost`: what the dice of such a bust cost, in points.
    """

    kind: Literal["win", "out", "bust"]
    cost: int = 0


WIN = ShotEnd("win")
BUST = ShotEnd("bust")

# A choice: where it leads, and by how many points the shot rises.
Transition = tuple[ShotPosition | ShotEnd, int]
# The chance, 0 to 1, of each set of choices that a throw can offer; the empty set is a bust without an end of its own.
Outcomes = Mapping[frozenset[Transition], float]


class NoBestPlay(ValueError):
    """There is no best play to find: a shot can go on for ever without risk, nothing scores, or it is too complex."""


@dataclass(frozen=True)
class _Thrown:
    """What a throw brings: keeps, or an end, or `again` points and another throw of the same dice; else a miss.

    The keeps come from `ShotPositions`, which has one object for all keeps that lead to the same position.
    """

    keeps: tuple[Keep, ...] = ()
    end: ShotEnd | None = None
    again: int | None = None


def is_shot_split(ruleset: Ruleset) -> bool:
    """Return whether other shots are possible for a player who has not entered than for one who has, minimums aside."""
    return ruleset.entry_in != "shot" or ruleset.entry_needs != "any"


def start_position(ruleset: Ruleset, *, entered: bool) -> ShotPosition:
    """Return the position in which a shot from fresh dice begins."""
    first = ruleset.nothing_when == "first_throw"
    return ShotPosition(ruleset.dice, first=first, entering=is_shot_split(ruleset) and not entered)


def position_of(ruleset: Ruleset, shot: Shot, *, entered: bool) -> ShotPosition:
    """Return the position from which the dice of a shot are thrown, or were thrown if they lie on the table."""
    lies = bool(shot.dice)
    entering = is_shot_split(ruleset) and not entered
    throws = shot.throws - lies
    return ShotPosition(
        len(shot.dice) or shot.left,
        tuple(sorted(shot.aside)),
        shot.aside_points,
        first=ruleset.nothing_when == "first_throw" and throws == 0 and shot.picked_up is None,
        entering=entering,
        throws=throws if ruleset.throws_most else 0,
        tries=shot.tries if _counts_tries(ruleset) else 0,
        memory=_clear_memory(shot.memory, entering=entering),
    )


def position_after(ruleset: Ruleset, position: ShotPosition, keep: Keep) -> ShotPosition:
    """Return the position that a keep leads to."""
    left, swept = position.left - len(keep.dice), position.left == len(keep.dice)
    memory = position.memory
    if not ruleset.is_plain:
        noted = note_keep(ruleset, _lay_dice(position, (0,) * position.left), keep).memory
        memory = _clear_memory(noted, entering=position.entering)
    after = ShotPosition(
        left or ruleset.dice,
        memory=memory,
        throws=position.throws + 1 if ruleset.throws_most else 0,
        entering=position.entering,
    )
    if swept or not (position.left == ruleset.dice or position.aside):
        return after
    aside = tuple(sorted(position.aside + keep.dice))
    if not _may_make_pairs(ruleset, aside):
        return after
    return replace(after, aside=aside, aside_points=position.aside_points + keep.points)


@lru_cache(maxsize=4096)
def _may_make_pairs(ruleset: Ruleset, aside: Dice) -> bool:
    """Return whether these dice can still become three pairs with dice of another throw."""
    if not ruleset.three_pairs_across_throws:
        return False
    throws = all_throws(ruleset.dice - len(aside))
    return any(keep.with_aside for throw in throws for keep in keeps(ruleset, throw, aside, 0))


def _clear_memory(memory: ShotMemory, *, entering: bool) -> ShotMemory:
    """Return the memory without what no longer matters: what a first bank needs matters only before entering."""
    flags = {} if entering else {"big_keep": False, "has_set": False}
    return alter(memory, base=0, **flags) if memory.base or not entering else memory


def _counts_tries(ruleset: Ruleset) -> bool:
    """Return whether tries with the last die are told apart; otherwise their chances are taken together."""
    return ruleset.last_die_throws > 1 and (ruleset.throws_most > 0 or ruleset.exact != "no")


def _lay_dice(position: ShotPosition, dice: Dice) -> Shot:
    """Return a shot whose dice lie on the table, thrown from this position."""
    return Shot(
        0,
        position.left,
        dice=dice,
        aside=position.aside,
        aside_points=position.aside_points,
        tries=position.tries,
        picked_up=None if position.first else position.left,
        throws=position.throws + 1,
        memory=position.memory,
    )


class ShotPositions:
    """All positions of a shot under a ruleset, with what every throw brings there.

    `outcomes`: by position; empty where no throw is left. `banks`: whether a shot that arrives at a position may be
    banked; `banks_at_target`: the same where the bank makes exactly the target, which needs less. `retries`: the
    position in which the last die is thrown again after a miss, where it can be; a die whose keep is struck is a miss,
    too. Raises `NoBestPlay` for more than `POSITIONS_MOST`.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.outcomes: dict[ShotPosition, Outcomes] = {}
        self.banks: dict[ShotPosition, bool] = {}
        self.banks_at_target: dict[ShotPosition, bool] = {}
        self.retries: dict[ShotPosition, ShotPosition] = {}
        self._thrown: dict[tuple[object, ...], list[tuple[_Thrown, int]]] = {}
        # The rules offer the same keep with many throws, so the one used here is found by its `id`. The entry holds the
        # keep as well, so that no other object gets this `id`.
        self._plain_keeps: dict[int, tuple[Keep, Keep]] = {}
        self._by_values: dict[tuple[object, ...], Keep] = {}
        entering = (False, True) if is_shot_split(ruleset) else (False,)
        # A shot may also begin with the dice that somebody left.
        self.plain = tuple(ShotPosition(left, entering=new) for new in entering for left in range(1, ruleset.dice + 1))
        starts = (start_position(ruleset, entered=not new) for new in entering)
        waiting = list(dict.fromkeys([*self.plain, *starts]))
        while waiting:
            position = waiting.pop()
            if position not in self.outcomes:
                if len(self.outcomes) >= POSITIONS_MOST:
                    raise NoBestPlay(TOO_COMPLEX)
                self.outcomes[position] = self._list_outcomes(position)
                targets = (target for choices in self.outcomes[position] for target, _ in choices)
                waiting += (to for to in targets if isinstance(to, ShotPosition) and to not in self.outcomes)

    def in_order(self) -> tuple[ShotPosition, ...]:
        """Return the positions of 1 to all dice with nothing to remember, then the others, sorted."""
        others = self.outcomes.keys() - set(self.plain)
        return (*self.plain, *sorted(others))

    def may_bank(self, position: ShotPosition) -> bool:
        """Return whether a shot that arrives here may be banked, minimums, step and exact target aside."""
        few = why_too_many_left(self.ruleset, position.left) is None
        return self.banks.get(position, few and position.left < self.ruleset.dice and not position.bound)

    def _list_outcomes(self, position: ShotPosition) -> Outcomes:
        """Compute the chances, 0 to 1, of every set of choices."""
        ruleset = self.ruleset
        if ruleset.throws_most and position.throws >= ruleset.throws_most:
            return {}
        orders: Counter[frozenset[Transition]] = Counter({frozenset(): 0})
        again, busts, everything = 0, 0, 6**position.left
        for thrown, count in self._group_throws(position):
            if thrown.keeps:
                orders[frozenset(self._follow_keeps(position, thrown.keeps))] += count
            elif thrown.again is not None:
                bound = self._throw_again(position)
                if replace(bound, bound=position.bound) == position and not thrown.again:
                    again += count
                else:
                    orders[frozenset([(bound, thrown.again)])] += count
            elif thrown.end == BUST:
                busts += count
            elif thrown.end:
                orders[frozenset([(thrown.end, position.aside_points)])] += count
            else:
                orders[frozenset()] += count
        # A throw that is made again with nothing changed only makes the others more likely.
        chances = {choices: count / (everything - again) for choices, count in orders.items()}
        return self._add_busts(position, chances, busts / (everything - again))

    def _add_busts(self, position: ShotPosition, chances: dict[frozenset[Transition], float], bust: float) -> Outcomes:
        """Return the chances with misses of the last die thrown again, and busts added.

        `bust`: the chance, 0 to 1, of a bust that no further try follows.
        """
        ruleset, miss = self.ruleset, frozenset[Transition]()
        tries = ruleset.last_die_throws if position.left == 1 else 1
        if _counts_tries(ruleset):
            last = is_last_throw(ruleset, _lay_dice(position, (0,)))
            if position.tries + 1 < tries and not last:
                bound = replace(self._throw_again(position), tries=position.tries + 1)
                self.retries[position] = bound
                chances[frozenset([(bound, 0)])] = chances[miss]
                chances[miss] = 0.0
        elif tries > 1:
            # A further try comes about only after a miss, so each is less likely than the one before by that chance.
            missed = chances[miss]
            again = sum(missed**k for k in range(tries))
            chances = {offered: chance * again if offered else missed**tries for offered, chance in chances.items()}
            bust *= again
        if bust:
            chances[miss] += bust
        if ruleset.bust_cost == "shot":
            chances[frozenset([(BUST, position.aside_points)])] = chances[miss]
            chances[miss] = 0.0
        return chances

    def _throw_again(self, position: ShotPosition) -> ShotPosition:
        throws = position.throws + 1 if self.ruleset.throws_most else 0
        return replace(position, throws=throws, first=False, bound=True, tries=0)

    def _follow_keeps(self, position: ShotPosition, offered: Iterable[Keep]) -> Iterator[Transition]:
        for keep in offered:
            rise = position.aside_points + points_gained(keep, position.aside_points)
            if keep.wins:
                yield WIN, rise
                continue
            after = position_after(self.ruleset, position, keep)
            if after not in self.banks:
                self._ask_banks(position, after, keep)
            yield after, rise - after.aside_points

    def _ask_banks(self, position: ShotPosition, after: ShotPosition, keep: Keep) -> None:
        state, shot = begin_alone(self.ruleset, not position.entering), _lay_dice(position, (0,) * position.left)
        step = self.ruleset.bank_step or 1
        shot = alter(shot, points=PLENTY * step - points_with(alter(shot, points=0), keep))
        self.banks[after] = why_not_bank_in(state, shot, keep) is None
        state = alter(state, target=state.players[0].score + points_with(shot, keep))
        self.banks_at_target[after] = why_not_bank_in(state, shot, keep) is None

    def _group_throws(self, position: ShotPosition) -> list[tuple[_Thrown, int]]:
        """Group the throws from a position by what they bring, with the number of ordered throws of each group."""
        last = bool(self.ruleset.throws_most) and position.throws + 1 >= self.ruleset.throws_most
        memory = position.memory
        aside = (position.aside, position.aside_points)
        key = (position.left, aside, memory.growing, memory.raised, position.first, position.entering, last)
        if key not in self._thrown:
            state = begin_alone(self.ruleset, not position.entering)
            groups: dict[tuple[object, ...], _Thrown] = {}
            counts: Counter[tuple[object, ...]] = Counter()
            for dice in all_throws(position.left):
                thrown = self._describe_throw(state, _lay_dice(position, dice), last=last)
                # Keeps by identity, because equal ones can still differ in what they prove.
                group = (*map(id, thrown.keeps), thrown.end, thrown.again)
                counts[group] += count_orders(dice)
                groups.setdefault(group, thrown)
            self._thrown[key] = [(groups[group], count) for group, count in counts.items()]
        return self._thrown[key]

    def _describe_throw(self, state: State, shot: Shot, *, last: bool) -> _Thrown:
        ruleset = self.ruleset
        if effect := find_effect(ruleset, shot.dice):
            return _Thrown(end=ShotEnd("out" if effect.effect == "out" else "bust", effect.cost))
        scored = keeps_scored(state, shot)
        if scored and not is_lone_five(ruleset, shot, scored):
            return _Thrown(self._differing_keeps(scored))
        if scored:
            return _Thrown() if last else _Thrown(again=0)
        if not is_nothing_throw(ruleset, shot):
            return _Thrown()
        if ruleset.nothing == "again" and not last:
            return _Thrown(again=ruleset.nothing_bonus * shot.factor(ruleset))
        return _Thrown(end=ShotEnd("bust", ruleset.nothing_cost)) if ruleset.nothing_cost else _Thrown()

    def _differing_keeps(self, scored: Iterable[Keep]) -> tuple[Keep, ...]:
        """Return one keep for all that lead to the same position; which dice it has matters only for three pairs."""
        differing: dict[int, Keep] = {}
        for keep in scored:
            entry = self._plain_keeps.get(id(keep))
            if entry is None:
                entry = self._plain_keeps[id(keep)] = keep, self._make_plain(keep)
            differing[id(entry[1])] = entry[1]
        return tuple(differing.values())

    def _make_plain(self, keep: Keep) -> Keep:
        dice = keep.dice if self.ruleset.three_pairs_across_throws else (0,) * len(keep.dice)
        plain = alter(keep, dice=dice)
        return self._by_values.setdefault(tuple(vars(plain).values()), plain)
