"""One shot, throw by throw: what each moment was worth, and each choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from game.rules.play import apply, throw
from game.rules.play.moves import Faces, Throw
from game.rules.play.state import Shot, State
from game.rules.record.model import ShotRecord
from game.rules.ruleset import DICE, Ruleset
from game.rules.scoring import Dice, dice_left, keeps
from game.strategy.analysis.model import Decision, ReviewedOption, ReviewedThrow, StepPlace, TypedShot, Worth
from game.strategy.odds import bust_chance
from game.strategy.turn import ShotPoints, solve_shot_points
from game.strategy.win.options import RatedOption, rate_with_chances
from game.strategy.win.score_situation import ShotChances, WinTable, solve_shot_chances
from game.strategy.win.state import find_decision_point, make_score_situation, next_may_pick_up


@dataclass(frozen=True)
class Scale:
    """What the moments of one shot are worth to its player. `score`: before the shot."""

    ruleset: Ruleset
    values: ShotPoints
    lane: int
    chances: ShotChances | None
    score: int

    @classmethod
    def of(cls, state: State, shot: ShotRecord, table: WinTable | None) -> Scale:
        """For a shot that begins in this state; without a table by points alone. Takes 2 to 5 ms."""
        ruleset, player = state.ruleset, state.players[state.player]
        values = solve_shot_points(ruleset, next_may_pick_up(state) or not ruleset.pick_up)
        highest = player.score + (shot.points or 0) + sum(_most(ruleset, faces) for faces in shot.throws)
        chances = solve_shot_chances(table, make_score_situation(state), highest) if table else None
        return cls(ruleset, values, values.lane(player.entered, player.streak), chances, player.score)

    @property
    def unit(self) -> float:
        """Expected points of a whole shot of a player who has entered."""
        return max(self.values.expected(), 1.0)

    @property
    def fresh(self) -> Worth:
        """Of beginning with six dice."""
        win = self.chances.begin if self.chances else None
        return Worth(win, self.values.throw(self.values.graph.start, 0, self.lane))

    @property
    def bust(self) -> Worth:
        """Of having gone bust."""
        return Worth(self.chances.bust if self.chances else None, float(self.values.terms.bust[self.lane]))

    def banked(self, points: int) -> float | None:
        """The chance after banking so many points."""
        return self.chances.bank(self.score + points) if self.chances else None

    def with_dice(self, dice: int, points: int) -> Worth:
        """Of beginning with dice that were left, in points."""
        return Worth(None, self.values.throw(self.values.graph.column(dice), points, self.lane))

    def after_miss(self, before: Worth, miss: float, tries: int) -> Worth:
        """Of having missed so many times with the last die. `before`: of the first try; `miss`: the chance of each."""
        most, bust = self.ruleset.last_die_throws, self.bust

        def left(first: float, lost: float) -> float:
            hit = (first - miss**most * lost) / sum(miss**k for k in range(most))
            return hit * sum(miss**k for k in range(most - tries)) + miss ** (most - tries) * lost

        win = None if before.win is None or bust.win is None else left(before.win, bust.win)
        return Worth(win, left(before.points, bust.points))


def _most(ruleset: Ruleset, faces: Faces) -> int:
    """The most points that can be kept of a throw."""
    return next((keep.points for keep in keeps(ruleset, faces.dice)), 0)


class Walk:
    """The steps of one shot. `worth`: of the moment reached, to the player; at first that of beginning it."""

    def __init__(self, state: State, shot: ShotRecord, scale: Scale, at: StepPlace) -> None:
        self.state, self.shot, self.scale, self.at = state, shot, scale, at
        self.computer = state.players[shot.player].level is not None
        self.risk = 0.0
        self.first_try = scale.fresh
        offer = state.pick_up
        self.beginnings = self._beginnings(offer) if offer and (shot.throws or shot.pick_up is not None) else ()
        self.worth = self.beginnings[0].worth if self.beginnings else scale.fresh

    def _beginnings(self, offer: tuple[int, int]) -> tuple[ReviewedOption, ...]:
        dice, points = offer
        graph = self.scale.values.graph
        fresh = ReviewedOption((), "fresh", 0, DICE, replace(self.scale.fresh, win=None), graph.bust(graph.start))
        taken = ReviewedOption(
            (), "pick_up", points, dice, self.scale.with_dice(dice, points), graph.bust(graph.column(dice))
        )
        return tuple(sorted((fresh, taken), key=lambda option: -option.worth.points))

    def steps(self) -> Iterator[Decision | ReviewedThrow | TypedShot]:
        """All steps in order."""
        if not self.shot.throws:
            if self.shot.manual:
                yield self._typed()
            return
        yield from self._begin()
        for faces in self.shot.throws:
            yield self._fall(faces)
            if faces.keep:
                yield from self._keep(faces)
            elif self.state.shot and not self.state.shot.dice and faces is not self.shot.throws[-1]:
                self.state = apply(self.state, Throw()).state

    def _begin(self) -> Iterator[Decision]:
        picks_up = self.shot.pick_up is not None
        if self.beginnings:
            chosen = [option.then for option in self.beginnings].index("pick_up" if picks_up else "fresh")
            yield self._decision((), self.beginnings, chosen)
            self.worth, self.risk = self.beginnings[chosen].worth, self.beginnings[chosen].bust
        else:
            self.risk = self.scale.values.graph.bust(self.scale.values.graph.start)
        self.state = apply(self.state, Throw(pick_up=picks_up)).state

    def _fall(self, faces: Faces) -> ReviewedThrow:
        before, thrown = self.worth, self.state.shot
        if thrown is None:
            raise ValueError("No dice are due.")
        if not thrown.tries:
            self.first_try = before
        risk = 0.0 if thrown.tries else self.risk
        self.at = replace(self.at, throw=self.at.throw + 1, step=self.at.step + (self.at.throw > 0))
        self.state = throw(self.state, faces.dice).state
        after = self.state.shot
        if after is None:
            self.worth = self.scale.bust
            return ReviewedThrow(self.at, faces.dice, True, risk, before, self.worth)
        self.worth = self._best() if after.dice else self._missed(after)
        return ReviewedThrow(self.at, faces.dice, False, risk, before, self.worth)

    def _missed(self, shot: Shot) -> Worth:
        return self.scale.after_miss(self.first_try, bust_chance(self.state.ruleset, 1, shot.aside), shot.tries)

    def _rated(self) -> tuple[RatedOption, ...]:
        spot = find_decision_point(self.state)
        return rate_with_chances(self.state.ruleset, spot, self.scale.chances, self.scale.score) if spot else ()

    def _best(self) -> Worth:
        self.rated = self._rated()
        return Worth(self.rated[0].win, max(each.option.points for each in self.rated))

    def _keep(self, faces: Faces) -> Iterator[Decision]:
        last = faces is self.shot.throws[-1]
        then = self.shot.end if last and self.shot.end in ("bank", "win") else "throw"
        keep = tuple(sorted(faces.keep or ()))
        options = tuple(_option(each, faces.dice) for each in self.rated)
        chosen = next(place for place, each in enumerate(options) if (each.keep, each.then) == (keep, then))
        if len(options) > 1:
            yield self._decision(faces.dice, options, chosen)
        self.worth, self.risk = options[chosen].worth, options[chosen].bust
        if not last:
            self.state = apply(self.state, Throw(keep)).state

    def _decision(self, dice: tuple[int, ...], options: tuple[ReviewedOption, ...], chosen: int) -> Decision:
        points = self.state.shot.points if self.state.shot else 0
        return Decision(self.at, self.computer, dice, points, self.scale.score, options, chosen, self.scale.unit)

    def _typed(self) -> TypedShot:
        before = self.worth.win
        if before is None:
            after = None
        elif self.shot.end == "win":
            after = 1.0
        else:
            after = self.scale.bust.win if self.shot.end == "bust" else self.scale.banked(self.shot.points or 0)
        self.worth = replace(self.worth, win=after)
        return TypedShot(self.at, before, after)


def _option(rated: RatedOption, thrown: Dice) -> ReviewedOption:
    way = rated.option
    left = dice_left(thrown, way.keep.dice)
    return ReviewedOption(way.keep.dice, way.then, way.total, left, Worth(rated.win, way.points), way.bust)
