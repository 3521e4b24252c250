"""A whole game, shot by shot, with the totals of each seat."""

from dataclasses import replace
from itertools import accumulate

from game.rules.names import is_computer_name
from game.rules.play.state import State
from game.rules.record.model import Record, ShotRecord
from game.rules.record.replay import ReplayedGame, replay
from game.strategy.analysis.grading import compute_accuracy
from game.strategy.analysis.model import (
    Analysis,
    Decision,
    Measure,
    ReviewedThrow,
    SeatBalance,
    StepPlace,
    TypedShot,
    Worth,
)
from game.strategy.analysis.shot import ShotReview, ShotScale
from game.strategy.win import ProgressCallback, WinTable, find_table, prepare_table

# The chance at the beginning of a shot differs from that at the end of the shot before by no more than this if nothing
# happened in between: both come from the same table, whose chances are rounded to four bytes, and offers to fewer.
SEAM = 1e-4


def analyse_game(record: Record, on_progress: ProgressCallback | None = None) -> Analysis:
    """Analyse a game, finished or not. A game of 60 shots takes about half a second, warm.

    Raises `RecordError` for a record that does not replay, and `NoBestPlay` if expected points have no bound under its
    rules.
    """
    replayed = replay(replace(record, result=None, proof=None))
    shots = _list_shots(record, replayed)
    for ruleset, target in {(state.ruleset, state.target) for _, _, state in shots}:
        prepare_table(ruleset, target)
    by = _find_measure([state for _, _, state in shots])
    ledger = _Ledger(by)
    # The step at which each event begins, and the one after the last event.
    steps = (max(1, len(event.throws)) if isinstance(event, ShotRecord) else 0 for event in record.events)
    first_steps = list(accumulate(steps, initial=1))
    for done, (event, shot, state) in enumerate(shots, 1):
        table = find_table(state.ruleset, state.target) if by != "points" else None
        ledger.add(shot, state, table, StepPlace(shot.player, 0, first_steps[event], state.round))
        if on_progress:
            on_progress(done / len(shots))
    return ledger.close(replayed.state)


def _list_shots(record: Record, replayed: ReplayedGame) -> list[tuple[int, ShotRecord, State]]:
    """List the shots that count, as (place of the event, shot, state in which it began).

    Shots that were undone, or that have neither throws nor an entered outcome, do not count.
    """
    before = [replayed.start.state, *(step.state for step in replayed.steps)]
    return [
        (place, event, before[place])
        for place, event in enumerate(record.events)
        if isinstance(event, ShotRecord) and not event.cancelled and (event.throws or event.manual)
    ]


def _find_measure(states: list[State]) -> Measure:
    """Find the measure for the whole game: the best that is known at every one of its shots."""
    if not states or not all(len(state.active) > 1 and find_table(state.ruleset, state.target) for state in states):
        return "points"
    seats = {frozenset(state.active) for state in states}
    return "win" if len(seats) == 1 and len(states[0].active) == 2 else "estimate"


class _Ledger:
    """The steps so far and, in a game of two, the chance to win of the player who began, carried from shot to shot.

    `first`: the seat of that player. `start`: their chance at the beginning.
    """

    def __init__(self, by: Measure) -> None:
        self.by = by
        self.steps: list[Decision | ReviewedThrow | TypedShot] = []
        self.first: int | None = None
        self.start: float | None = None
        self.chance: float | None = None

    def add(self, shot: ShotRecord, state: State, table: WinTable | None, at: StepPlace) -> None:
        """Add one shot."""
        review = ShotReview(state, shot, ShotScale.of(state, shot, table), at)
        if self.by == "win" and review.worth.win is not None:
            review.worth = self._carry_over(shot.player, review.worth, review.worth.win)
        self.steps += review.steps()
        if self.by == "win" and review.worth.win is not None:
            self.chance = self._of_first(shot.player, review.worth.win)

    def _carry_over(self, seat: int, worth: Worth, begin: float) -> Worth:
        """Return the worth of beginning a shot, with the chance that stood at the end of the shot before.

        A chance that differs from that by more than rounding stays.
        """
        if self.start is None or self.chance is None:
            self.first = seat
            self.start = self.chance = begin
            return worth
        if abs(self._of_first(seat, begin) - self.chance) > SEAM:
            return worth
        return replace(worth, win=self._of_first(seat, self.chance))

    def _of_first(self, seat: int, chance: float) -> float:
        """Convert a chance of this seat to one of the seat that began, or back."""
        return chance if seat == self.first else 1 - chance

    def close(self, state: State) -> Analysis:
        """Return the whole analysis of a game that ended in this state."""
        computers = [is_computer_name(player.name) for player in state.players]
        balances = tuple(self._balance_seat(seat, computer=computer) for seat, computer in enumerate(computers))
        return Analysis(self.by, tuple(self.steps), balances)

    def _balance_seat(self, seat: int, *, computer: bool) -> SeatBalance:
        mine = [step for step in self.steps if step.at.seat == seat]
        throws = [step for step in mine if isinstance(step, ReviewedThrow)]
        decisions = [step for step in mine if isinstance(step, Decision)]
        lucks = [throw.luck for throw in throws if throw.luck is not None]
        return SeatBalance(
            start=None if self.start is None else self._of_first(seat, self.start),
            luck=sum(lucks) if self.by != "points" and throws else None,
            luck_points=sum(throw.luck_points for throw in throws) if throws else None,
            busts=sum(throw.bust for throw in throws),
            expected=sum(throw.risk for throw in throws) if throws else None,
            accuracy=compute_accuracy(decision.at_stake for decision in decisions if decision.computer == computer),
        )
