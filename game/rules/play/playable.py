"""Whether a ruleset can be played at all: a shot can score, and always comes to an end."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from game.rules.combinations import Dice
from game.rules.marking import gettext_noop
from game.rules.play.banking import is_last_throw, why_not_bank_in
from game.rules.play.choosing import is_lone_five, is_nothing_throw, keeps_scored
from game.rules.play.shot import keep_in_shot
from game.rules.play.start import Entry, new_game
from game.rules.play.state import Shot, State, alter, with_player
from game.rules.ruleset import Ruleset
from game.rules.scoring import Keep, all_throws, find_effect
from game.rules.setting_values import Problem

# Rules that take more looks at positions are refused: strangers can send a bank step of 9,973, and a look takes a
# millisecond or two. The rulesets that come with the app have at most 84 positions, which take 105 looks.
LOOKED_AT_MOST = 1_250

# A position between two throws; of those that differ only in points, the one with the most stands for all.
_Position = tuple[object, ...]


class _Offered(NamedTuple):
    """What a throw can bring: keeps that differ in something that counts, a bust, or points and the same dice again.

    `again`: those points, which may be 0; None if no throw is made again.
    """

    keeps: tuple[Keep, ...]
    bust: bool
    again: int | None


@lru_cache(maxsize=128)
def why_unplayable(ruleset: Ruleset) -> Problem | None:
    """Return why no game can be played by these rules, or None. Takes milliseconds, a second for complex rules.

    Rules so complex that it would take longer are refused.
    """
    try:
        problem = find_problem(ruleset, entered=False)
        if problem is None and is_entry_harder(ruleset):
            return None  # whoever is on the board may keep, bank and throw all that the others may
        return find_problem(ruleset, entered=True) or problem
    except TooManyPositions:
        sentence = gettext_noop(
            "A turn under these rules can go in too many ways to be checked. Use rounder points, or smaller steps."
        )
        return Problem("ruleset", sentence)


def is_entry_harder(ruleset: Ruleset) -> bool:
    """Return whether players not on the board may keep the same as the others, and need at least as many points."""
    return ruleset.entry_needs != "singles" and ruleset.entry_minimum >= ruleset.bank_minimum


def find_problem(ruleset: Ruleset, *, entered: bool) -> Problem | None:
    """Return why a turn cannot be played by these rules, or None.

    `entered`: whether the player is on the board. Raises `TooManyPositions`.
    """
    search = _Search(begin_alone(ruleset, entered))
    if not search.comes_to_something:
        sentence = gettext_noop("Under these rules no turn of a player on the board can be banked or won.")
        other = gettext_noop("Under these rules no turn of a player who is not on the board can be banked or won.")
        return Problem("ruleset", sentence if entered else other)
    if not search.always_ends():
        return Problem("ruleset", gettext_noop("Under these rules a turn can go on forever and never end."))
    return None


@lru_cache(maxsize=128)
def begin_alone(ruleset: Ruleset, entered: bool) -> State:
    """Return a game in which the first player is due, to ask the rules what a shot allows, whatever the scores."""
    players = [Entry(f"P{seat}") for seat in range(ruleset.min_players)]
    state = new_game(ruleset, players).state
    return with_player(alter(state, starting=(), to_throw=0, player=0), 0, entered=entered)


def await_dice(ruleset: Ruleset, dice: int) -> State:
    """Return a game in which a player on the board throws this many dice next, with none set aside and no points."""
    return alter(begin_alone(ruleset, entered=True), shot=Shot(0, left=dice), to_throw=dice)


class TooManyPositions(Exception):
    """A turn can reach too many positions to check them all."""


class _Search:
    """All positions that a shot from fresh dice can reach, the steps between them, and where it can end.

    Raises `TooManyPositions` beyond `LOOKED_AT_MOST`.
    """

    def __init__(self, state: State) -> None:
        self.state, self.ruleset = state, state.ruleset
        self.enough = max(self.ruleset.entry_minimum, self.ruleset.bank_minimum)
        self.step = self.ruleset.bank_step or 1
        self.offered: dict[_Position, _Offered] = {}
        self.leads_to: dict[_Position, set[_Position]] = {}
        self.ends: set[_Position] = set()
        self.comes_to_something = False
        self._explore(Shot(0, left=self.ruleset.dice))

    def _explore(self, start: Shot) -> None:
        most: dict[_Position, int] = {self._position(start): start.points}
        waiting, looked_at = [start], 0
        while waiting:
            shot = waiting.pop()
            here = self._position(shot)
            if shot.points < most[here]:
                continue  # meanwhile this position was reached with more points
            looked_at += 1
            if looked_at > LOOKED_AT_MOST:
                raise TooManyPositions
            after = self.leads_to.setdefault(here, set())
            for further in self._throw(shot, here):
                there = self._position(further)
                after.add(there)
                if further.points > most.get(there, -1):
                    most[there] = further.points
                    waiting.append(further)

    def _position(self, shot: Shot) -> _Position:
        throws = shot.throws if self.ruleset.throws_most else min(shot.throws, 1)
        return shot.left, shot.aside, shot.memory, throws, shot.points % self.step

    def _throw(self, shot: Shot, here: _Position) -> Iterator[Shot]:
        """Yield the shots that the next throw can lead to, and note whether the shot can end there."""
        ruleset = self.ruleset
        lying = alter(shot, dice=(0,) * shot.left, throws=shot.throws + 1)
        last = is_last_throw(ruleset, lying)
        offered = self._offer(lying)
        if offered.bust or last:
            self.ends.add(here)
        if offered.again is not None and not last:
            yield self._capped(alter(shot, points=shot.points + offered.again, throws=lying.throws))
        for keep in offered.keeps:
            if keep.wins or why_not_bank_in(self.state, lying, keep) is None:
                self.ends.add(here)
                self.comes_to_something = True
            if not keep.wins and not last:
                yield self._after(lying, keep)

    def _after(self, lying: Shot, keep: Keep) -> Shot:
        """Return the shot after this keep; dice aside are remembered only where three pairs may be made with them."""
        after = keep_in_shot(self.ruleset, lying, keep)
        return self._capped(after if self.ruleset.three_pairs_across_throws else alter(after, aside=(), aside_points=0))

    def _capped(self, shot: Shot) -> Shot:
        """Return the shot with its points cut to what any minimum asks for, but with the same remainder by the step."""
        return alter(shot, points=min(shot.points, self.enough + (shot.points - self.enough) % self.step))

    def _offer(self, lying: Shot) -> _Offered:
        """Return what throws of this many dice can bring here."""
        key = (lying.left, lying.aside, lying.memory.growing, lying.memory.raised, lying.throws == 1)
        if key not in self.offered:
            made: dict[int, Keep] = {}  # by identity: throws share most of their keeps, and comparing them is slow
            bust, again = False, None
            for dice in all_throws(lying.left):
                shot = alter(lying, dice=dice)
                scored = keeps_scored(self.state, shot)
                if not scored:
                    again_now = self._points_again(shot, dice)
                    bust, again = bust or again_now is None, again if again_now is None else again_now
                elif not is_lone_five(self.ruleset, shot, scored):
                    made |= {id(keep): keep for keep in scored}
            by_values: dict[tuple[object, ...], Keep] = {}
            for keep in made.values():
                kept = keep.dice if self.ruleset.three_pairs_across_throws else len(keep.dice)
                by_values[(kept, *list(vars(keep).values())[1:])] = keep
            self.offered[key] = _Offered(tuple(by_values.values()), bust, again)
        return self.offered[key]

    def _points_again(self, shot: Shot, dice: Dice) -> int | None:
        ruleset = self.ruleset
        if ruleset.nothing != "again" or not is_nothing_throw(ruleset, shot) or find_effect(ruleset, dice):
            return None
        return ruleset.nothing_bonus * shot.factor(ruleset)

    def always_ends(self) -> bool:
        """Return whether a bust, a bank or a win can follow from every position."""
        sure, unsure = self.ends, self.leads_to.keys() - self.ends
        while more := {here for here in unsure if not sure.isdisjoint(self.leads_to[here])}:
            sure, unsure = sure | more, unsure - more
        return not unsure
