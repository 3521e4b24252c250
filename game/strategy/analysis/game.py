"""A whole game, shot by shot, and what it comes to for each seat."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from game.rules.play.state import State
from game.rules.record.model import Record, ShotRecord
from game.rules.record.replay import Replay, replay
from game.strategy.analysis.model import (
    Account,
    Analysis,
    By,
    Decision,
    ReviewedThrow,
    StepPlace,
    TypedShot,
    Worth,
    accuracy_of,
)
from game.strategy.analysis.shot import Scale, Walk
from game.strategy.win.score_situation import WinTable
from game.strategy.win.store import find_table
from game.strategy.win.table import ProgressCallback

# The chance at the beginning of a shot differs from that at the end of the shot before by no more than this, as long
# as nothing but the shot happened: both come from the same table, rounded to four bytes.
SEAM = 1e-5

Step = Decision | ReviewedThrow | TypedShot
# A shot that counts, with its event and the state in which it began.
Counted = tuple[int, ShotRecord, State]


def analyse_game(record: Record, on_progress: ProgressCallback | None = None) -> Analysis:
    """The analysis of a game, finished or not. A game of 60 shots takes about half a second, warm.

    `told` hears the share that is done, 0 to 1. Raises `RecordError` for a record that does not replay, and
    `EndlessShot` under rules by which expected points have no bound.
    """
    replayed = replay(replace(record, result=None, proof=None))
    shots = _counted(record, replayed)
    by = _by([state for _, _, state in shots])
    ledger = _Ledger(by)
    first_steps = _first_steps(record)
    for done, (event, shot, state) in enumerate(shots, 1):
        table = find_table(state.ruleset, state.target) if by != "points" else None
        ledger.add(shot, state, table, StepPlace(shot.player, 0, first_steps[event], state.round))
        if on_progress:
            on_progress(done / len(shots))
    return ledger.close(replayed.state)


def _counted(record: Record, replayed: Replay) -> list[Counted]:
    """The shots that were not taken back and came to anything."""
    before = [replayed.start.state, *(step.state for step in replayed.steps)]
    return [
        (place, event, before[place])
        for place, event in enumerate(record.events)
        if isinstance(event, ShotRecord) and not event.cancelled and (event.throws or event.manual)
    ]


def _first_steps(record: Record) -> list[int]:
    """The step at which each event begins."""
    steps = (max(1, len(event.throws)) if isinstance(event, ShotRecord) else 0 for event in record.events)
    return list(accumulate(steps, initial=1))


def _by(states: list[State]) -> By:
    """How the game can be judged: by what its weakest shot allows."""
    known = states and all(len(each.active) > 1 and find_table(each.ruleset, each.target) for each in states)
    if not known:
        return "points"
    return "win" if len({frozenset(each.active) for each in states}) == 1 and len(states[0].active) == 2 else "estimate"


class _Ledger:
    """The steps so far, and in a game of two the chance of the one who began (`first`), carried from shot to shot."""

    def __init__(self, by: By) -> None:
        self.by = by
        self.steps: list[Step] = []
        self.first: int | None = None
        self.start: float | None = None
        self.chance: float | None = None
        self.outside = 0.0

    def add(self, shot: ShotRecord, state: State, table: WinTable | None, at: StepPlace) -> None:
        """One shot."""
        walk = Walk(state, shot, Scale.of(state, shot, table), at)
        if self.by == "win" and walk.worth.win is not None:
            walk.worth = self._carried(shot.player, walk.worth, walk.worth.win)
        self.steps += walk.steps()
        if self.by == "win" and walk.worth.win is not None:
            self.chance = self._of_first(shot.player, walk.worth.win)

    def _carried(self, seat: int, worth: Worth, begin: float) -> Worth:
        """The worth of beginning a shot, with the chance that the shot before ended with where that is the same."""
        if self.start is None or self.chance is None:
            self.first = seat
            self.start = self.chance = begin
            return worth
        gap = self._of_first(seat, begin) - self.chance
        if abs(gap) > SEAM:
            self.outside += gap
            return worth
        return replace(worth, win=self._of_first(seat, self.chance))

    def _of_first(self, seat: int, chance: float) -> float:
        """A chance of this seat as one of the seat that began, or the other way round."""
        return chance if seat == self.first else 1 - chance

    def close(self, state: State) -> Analysis:
        """The whole analysis of a game that has come to this state."""
        if self.chance is not None and state.winners:
            result = (self.first in state.winners) / len(state.winners)
            self.outside += result - self.chance
        return Analysis(self.by, tuple(self.steps), tuple(self._account(seat) for seat in range(len(state.players))))

    def _account(self, seat: int) -> Account:
        mine = [step for step in self.steps if step.at.seat == seat]
        falls = [step for step in mine if isinstance(step, ReviewedThrow)]
        decisions = [step for step in mine if isinstance(step, Decision)]
        typed = [step for step in mine if isinstance(step, TypedShot)]
        lucks = [fall.luck for fall in falls if fall.luck is not None]
        outside = self.outside if seat == self.first else -self.outside
        return Account(
            start=None if self.start is None else self._of_first(seat, self.start),
            luck=sum(lucks) if self.by != "points" and falls else None,
            luck_points=sum(fall.luck_points for fall in falls) if falls else None,
            loss=sum(decision.loss for decision in decisions),
            typed=sum(step.gain for step in typed),
            outside=outside,
            busts=sum(fall.bust for fall in falls),
            expected=sum(fall.risk for fall in falls) if falls else None,
            accuracy=accuracy_of(decisions),
        )
