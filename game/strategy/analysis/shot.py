"""The review of one shot, throw by throw: what each moment and each choice was worth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from game.rules import Dice, Faces, Manual, Ruleset, Throw, apply, dice_left, keeps, throw
from game.rules.events import Bust, Cost, Eliminated, Event, Over
from game.rules.play.state import PlayerState, Shot, State, alter
from game.rules.record.model import ShotRecord
from game.strategy.analysis.model import Decision, ReviewedOption, ReviewedThrow, StepPlace, TypedShot, Worth
from game.strategy.odds import bust_chance
from game.strategy.turn import ShotPoints, solve_points_of
from game.strategy.win import RatedOption, ShotChances, WinTable, rate_state, rate_with_chances, solve_beginnings


@dataclass(frozen=True)
class ShotScale:
    """The values by which the moments of one shot are judged.

    `solved`: the expected points. `kind`: the kind of player in `solved`. `begun`: the chances to win with fresh dice,
    and with those on offer; None where only points are known. `player`: as they stood before the shot.
    """

    ruleset: Ruleset
    solved: ShotPoints
    kind: int
    begun: tuple[ShotChances, ShotChances] | None
    player: PlayerState
    picked_up: bool

    @classmethod
    def of(cls, state: State, shot: ShotRecord, table: WinTable | None) -> Self:
        """Make the scale of a shot that begins in this state; without a table it has only points. Takes 2 to 5 ms."""
        ruleset, player = state.ruleset, state.players[state.player]
        solved = solve_points_of(state)
        highest = player.score + (shot.points or 0) + sum(_bound_points(ruleset, faces) for faces in shot.throws)
        highest += state.pick_up[1] if state.pick_up else 0
        begun = solve_beginnings(table, state, highest) if table else None
        picked_up = shot.pick_up is not None
        kind = solved.kind(player.entered, player.streak, picked_up=picked_up)
        return cls(ruleset, solved, kind, begun, player, picked_up)

    @property
    def chances(self) -> ShotChances | None:
        """The chances to win in the shot as it was begun, with fresh dice or picked up; None if unknown."""
        return self.begun[self.picked_up] if self.begun else None

    @property
    def unit(self) -> float:
        """The expected points of a whole shot of a player who has entered."""
        return max(self.solved.expected(), 1.0)

    def throw(self, shot: Shot) -> Worth:
        """Return the worth of throwing the dice of a shot that are due."""
        column = self.solved.graph.column_of(shot, entered=self.player.entered)
        win = self.chances.throw(column, self.player.score + shot.points) if self.chances else None
        return Worth(win, self.solved.throw(column, shot.points, self.kind))

    @property
    def bust(self) -> Worth:
        """The worth of having gone bust, with nothing gathered."""
        return Worth(self.chances.bust if self.chances else None, float(self.solved.rewards.bust[self.kind]))

    def end(self, events: Sequence[Event]) -> Worth:
        """Return the worth after a throw that ended the shot without points, with these events."""
        rewards, bust = self.solved.rewards, self.bust
        if any(isinstance(event, Eliminated) for event in events):
            return Worth(None if bust.win is None else 0.0, -rewards.prize)
        if rewards.over is not None and any(isinstance(event, Over) for event in events):
            win = self.chances.after_over if self.chances else None
            return Worth(win, float(rewards.over[self.kind]))
        gathered = sum(event.lost for event in events if isinstance(event, Bust))
        costs = sum(event.points for event in events if isinstance(event, Cost)) - self.picked_up_cost
        cost = max(costs, 0)
        win = self.chances.end(cost, self.player.score + gathered) if self.chances else None
        return Worth(win, bust.points - float(rewards.lost[self.kind]) * gathered - cost)

    @property
    def picked_up_cost(self) -> int:
        """The points that a bust of this shot costs for having picked up, if its kind already includes them; else 0."""
        kinds = self.solved.rewards.kinds
        own = self.kind >= kinds.streaks + kinds.entry_streaks
        return self.ruleset.pick_up_cost if own else 0

    def after_miss(self, before: Worth, miss: float, tries: int) -> Worth:
        """Return the worth after this many misses with the last die, before the next try.

        `before`: the worth before the first try; `miss`: the chance, 0 to 1, of a miss in one try.
        """
        most, bust = self.ruleset.last_die_throws, self.bust

        def left(first: float, lost: float) -> float:
            hit = (first - miss**most * lost) / sum(miss**k for k in range(most))
            return hit * sum(miss**k for k in range(most - tries)) + miss ** (most - tries) * lost

        win = None if before.win is None or bust.win is None else left(before.win, bust.win)
        return Worth(win, left(before.points, bust.points))


def _bound_points(ruleset: Ruleset, faces: Faces) -> int:
    """Return points that a throw cannot exceed, whatever the shot has had before."""
    bonus = ruleset.nothing_bonus if ruleset.nothing == "again" else 0
    across = ruleset.three_pairs if ruleset.three_pairs_across_throws else 0
    kept = max(next((keep.points for keep in keeps(ruleset, faces.dice)), bonus), across)
    grown = max(map(max, ruleset.of_a_kind)) if ruleset.sets_grow == "of_a_kind" else 0
    return (kept + grown) * ruleset.sweep_multiplier


class ShotReview:
    """The review of one shot.

    `worth`: that of the moment reached so far, at first that of beginning the shot. `risk`: the chance of a bust by the
    next throw. `first_try`: the worth before the first try with the last die. `rated`: the options of the choice that
    is due. `beginnings`: the ways to begin the shot, best first; a single one without dice on offer.
    """

    def __init__(self, state: State, shot: ShotRecord, scale: ShotScale, at: StepPlace) -> None:
        self.state, self.shot, self.scale, self.at = state, shot, scale, at
        self.computer = state.players[shot.player].level is not None
        self.risk = 0.0
        self.rated: tuple[RatedOption, ...] = ()
        options = [self._begin_with("fresh", state.ruleset.dice, 0)]
        if state.pick_up:
            options.append(self._begin_with("pick_up", *state.pick_up))
        self.beginnings = sorted(options, key=lambda option: (-(option.worth.win or 0.0), -option.worth.points))
        most = max(option.worth.points for option in options)
        self.first_try = self.worth = Worth(self.beginnings[0].worth.win, most)

    def _begin_with(self, then: Literal["fresh", "pick_up"], dice: int, points: int) -> ReviewedOption:
        solved, player = self.scale.solved, self.scale.player
        picks_up = then == "pick_up"
        graph, entered = solved.graph, player.entered
        column = graph.plain_column(dice, entered=entered) if picks_up else graph.start_column(entered)
        kind = solved.kind(player.entered, player.streak, picked_up=picks_up)
        begun = self.scale.begun
        win = begun[picks_up].throw(column, player.score + points) if begun else None
        worth = Worth(win, solved.throw(column, points, kind))
        return ReviewedOption((), then, points, dice, worth, solved.bust_chance(column, points, kind))

    def steps(self) -> Iterator[Decision | ReviewedThrow | TypedShot]:
        """Yield all steps in order."""
        if not self.shot.throws:
            if self.shot.manual:
                yield self._review_typed()
            return
        yield from self._review_beginning()
        for faces in self.shot.throws:
            yield self._review_throw(faces)
            if faces.keep:
                yield from self._review_keep(faces)
            elif self.state.shot and not self.state.shot.dice and faces is not self.shot.throws[-1]:
                self.state = apply(self.state, Throw()).state

    def _review_beginning(self) -> Iterator[Decision]:
        picks_up = self.shot.pick_up is not None
        chosen = [option.then for option in self.beginnings].index("pick_up" if picks_up else "fresh")
        if len(self.beginnings) > 1:
            yield self._make_decision((), self.beginnings, chosen)
            self.worth = self.beginnings[chosen].worth
        self.risk = self.beginnings[chosen].bust
        self.state = apply(self.state, Throw(pick_up=picks_up)).state

    def _review_throw(self, faces: Faces) -> ReviewedThrow:
        before, thrown = self.worth, self.state.shot
        if thrown is None:
            raise ValueError("No dice are due.")
        if not thrown.tries:
            self.first_try = before
        # The risk of a throw includes that of making it again, unless it brings points.
        risk, self.risk = self.risk, 0.0
        self.at = replace(self.at, throw=self.at.throw + 1, step=self.at.step + (self.at.throw > 0))
        self.state, events = throw(self.state, faces.dice)
        after = self.state.shot
        if after is None:
            self.worth = self.scale.end(events)
        elif after.dice:
            chances = self.scale.chances
            self.rated = rate_with_chances(self.state, chances) if chances else rate_state(self.state)
            self.worth = self._measure(Worth(self.rated[0].win, max(rated.option.points for rated in self.rated)))
        elif not after.tries or self.state.ruleset.throws_most or self.state.ruleset.exact != "no":
            self.worth = self.scale.throw(after)
            if after.points > thrown.points:
                solved = self.scale.solved
                column = solved.graph.column_of(after, entered=self.scale.player.entered)
                self.risk = solved.bust_chance(column, after.points, self.scale.kind)
        else:
            miss = bust_chance(self.state.ruleset, 1, after.aside)
            self.worth = self.scale.after_miss(self.first_try, miss, after.tries)
        return ReviewedThrow(self.at, faces.dice, after is None, risk, before, self.worth)

    def _measure(self, worth: Worth) -> Worth:
        """Return the worth without its chance to win where chances are known only at the end of the game."""
        return worth if self.scale.chances else replace(worth, win=None)

    def _review_keep(self, faces: Faces) -> Iterator[Decision]:
        last = faces is self.shot.throws[-1]
        then = self.shot.end if last and self.shot.end in ("bank", "win") else "throw"
        keep = tuple(sorted(faces.keep or ()))
        options = [_review_option(rated, faces.dice, self.state.ruleset.dice) for rated in self.rated]
        chosen = [(option.keep, option.then) for option in options].index((keep, then))
        if len(options) > 1:
            yield self._make_decision(faces.dice, options, chosen)
        self.worth, self.risk = self._measure(options[chosen].worth), options[chosen].bust
        if not last:
            self.state = apply(self.state, Throw(keep)).state

    def _make_decision(self, dice: Dice, options: Sequence[ReviewedOption], chosen: int) -> Decision:
        points, scale = self.state.shot.points if self.state.shot else 0, self.scale
        return Decision(self.at, self.computer, dice, points, scale.player.score, tuple(options), chosen, scale.unit)

    def _review_typed(self) -> TypedShot:
        before, chances, shot = self.worth.win, self.scale.chances, self.shot
        after: float | None = None
        if before is None or chances is None:
            pass
        elif shot.end == "bank":
            column = self.scale.solved.graph.plain_column(shot.dice_left) if shot.dice_left else None
            after = chances.bank(column, self.scale.player.score + (shot.points or 0))
        elif shot.end == "win":
            after = 1.0
        elif shot.end in ("bust", "over", "eliminated"):
            entered = Manual(0, shot.end, shot.pick_up, lost=shot.lost, nothing=shot.nothing)
            after = self.scale.end(apply(alter(self.state, mode="manual"), entered).events).win
        self.worth = replace(self.worth, win=after)
        return TypedShot(self.at, before, after)


def _review_option(rated: RatedOption, thrown: Dice, fresh: int) -> ReviewedOption:
    option = rated.option
    keep, worth = option.keep.dice, Worth(rated.win, option.points)
    return ReviewedOption(keep, option.then, option.total, dice_left(thrown, keep, fresh), worth, option.bust)
