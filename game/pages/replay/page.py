"""From a game's rows to one moment of its replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _

from game.history import replay as rows
from game.history.replay import Turn
from game.models import ChangeRow, Game, ShotRow, ThrowRow
from game.pages.parts.components import Banner, ScoreCard
from game.pages.parts.score_chart import across, chart
from game.pages.parts.scoreboard import card
from game.pages.parts.text import name_list, number, winner_sentence
from game.pages.replay import sentences
from game.pages.replay.components import Position, Replay
from game.pages.replay.steps import ASKED, HIDDEN, SHOWN, Steps, asked_step
from game.pages.replay.tray import points_by_throw, tray
from game.pages.replay.turn_list import earlier, later, moves
from game.rules import State


@dataclass
class Moment:
    """A game at one step. A handful of queries, whatever its length."""

    game: Game
    state: State
    turns: Sequence[Turn]
    start: Sequence[ThrowRow]
    changes: Sequence[ChangeRow]
    steps: Steps

    @cached_property
    def turn(self) -> Turn | None:
        return self.turns[self.steps.index] if self.steps.index is not None else None

    @cached_property
    def throws(self) -> list[ThrowRow]:
        return rows.throws_of(self.turn) if self.turn else []

    @property
    def index(self) -> int:
        """Which throw of its turn is on the table."""
        return self.steps.now - self.turn.first if self.turn else 0

    @property
    def hidden(self) -> bool:
        return self.steps.choices == HIDDEN

    @property
    def ends_turn(self) -> bool:
        """The turn ended with this step, and that is told."""
        return bool(self.turn and self.turn.outcome) and self.steps.now == self.turn.last and not self.hidden

    @property
    def over(self) -> bool:
        return self.steps.now == self.steps.last and self.state.finished and not self.hidden

    @cached_property
    def before(self) -> list[Turn]:
        return rows.standing(self.turns, self.state.order, self.steps.index) if self.turn else []

    @property
    def base(self) -> int:
        """The points that were picked up with the dice of the turn before."""
        banked = [turn for turn in self.before if turn.outcome]
        return banked[-1].points if self.turn and self.turn.picked_up and banked else 0

    @property
    def at_risk(self) -> int:
        if not self.throws or self.ends_turn:
            return 0
        before, after = points_by_throw(self.throws, self.base)[self.index]
        return before if self.hidden else after


def moment(game: Game, asked: str, choices: str) -> Moment:
    found, start = rows.turns(game), rows.start_throws(game)
    last = found[-1].last if found else 0
    first = 0 if start or not found else 1
    now = asked_step(asked, first, last)
    choices = choices if choices in (HIDDEN, ASKED) else SHOWN
    steps = Steps(game.get_absolute_url(), found, first, last, now, choices)
    return Moment(game, game.state(), found, start, rows.table_changes(game), steps)


def build(at: Moment) -> Replay:
    """The page as values. `at.steps` says which step it shows."""
    shown = position(at) if at.turns or at.start else None
    drawing = at_cursor(at)
    names = [player.name for player in at.state.players]
    return Replay(
        code=at.game.code,
        url=at.game.get_absolute_url(),
        version=at.game.version,
        title=title(at),
        ruleset=at.state.ruleset.name,
        cards=cards(at),
        position=shown,
        moves=moves(at.steps, names, at.throws, at.hidden, rows.marks(at.game)),
        earlier=earlier(at.steps),
        later=later(at.steps),
        live=spoken(at, shown),
        banner=banner(at.game),
        tray=tray(at.turn, at.throws, at.index, at.base, at.hidden) if at.turn and at.throws else None,
        chart=chart(names, at.state.target, rows.counted(at.turns)),
        cursor=drawing,
    )


def title(at: Moment) -> str:
    """Who won; before the end who plays."""
    if at.state.finished:
        won = [turn.outcome for turn in at.turns if not turn.cancelled][-1:] == [ShotRow.Outcome.WIN]
        return winner_sentence(at.state, won)
    return name_list([player.name for player in at.state.players])


def banner(game: Game) -> Banner | None:
    match game.status:
        case Game.Status.RUNNING:
            return Banner("info", _("This game is still being played. You see it up to the last finished turn."))
        case Game.Status.ABANDONED:
            return Banner("info", _("This game was abandoned. You see it up to where it stopped."))
    return None


def position(at: Moment) -> Position:
    steps = at.steps
    return Position(
        number=number(steps.now),
        total=number(steps.last),
        where=where(at),
        seat=at.turn.seat + 1 if at.turn else 0,
        choice=said(at),
        cancelled=bool(at.turn and at.turn.cancelled),
        hidden=at.hidden and at.turn is not None,
        hides=steps.choices != SHOWN,
        switch=steps.address(steps.now, ASKED if at.hidden else HIDDEN),
        told=steps.address(steps.now, SHOWN),
        links=steps.back(),
        onward=steps.onward(),
        faces=() if at.turn else for_the_start(at),
    )


def where(at: Moment) -> str:
    if at.turn is None:
        return _("Throwing for the first player")
    return _("Round %(n)s · %(name)s") % {"n": number(at.turn.round), "name": at.state.players[at.turn.seat].name}


def said(at: Moment) -> str:
    """What was done at this step; with what was picked up in front of it."""
    if at.turn is None:
        return _("%(name)s begins.") % {"name": at.state.players[at.state.order[0]].name}
    total = points_by_throw(at.throws, at.base)[at.index][1] if at.throws else at.turn.points
    told = [] if at.hidden else [sentences.choice(at.turn, at.throws, at.index, total)]
    if at.turn.picked_up and at.index == 0:
        told.insert(0, sentences.picked_up(at.turn, at.base))
    return " ".join(told)


def for_the_start(at: Moment) -> tuple[tuple[str, str, tuple[tuple[int, int, bool], ...]], ...]:
    """Each round of throwing: (its number, the throw in words, (seat, face, whether it is the highest) …)."""
    joined = {change.player.seat for change in at.changes if change.kind == "join" and change.player}
    seats = [seat for seat in range(len(at.state.players)) if seat not in joined]
    found = []
    for n, throw in enumerate(at.start, 1):
        fallen = tuple(zip(seats, throw.faces, strict=True))
        top = max(throw.faces)
        label = ", ".join(f"{at.state.players[seat].name} {face}" for seat, face in fallen)
        found.append((number(n), label, tuple((seat + 1, face, face == top) for seat, face in fallen)))
        seats = [seat for seat, face in fallen if face == top]
    return tuple(found)


def spoken(at: Moment, shown: Position | None) -> str:
    """The step in words, for who does not see the dice."""
    if shown is None:
        return ""
    of = _("%(n)s of %(total)s.") % {"n": shown.number, "total": shown.total}
    dice = [sentences.fell(at.throws[at.index])] if at.throws else [label for _n, label, _faces in shown.faces]
    return " ".join([of, f"{shown.where}.", *dice, shown.choice])


# ── the standing then ──


def cards(at: Moment) -> tuple[ScoreCard, ...]:
    state = at.state if at.over else then(at)
    now = at.turn.place if at.turn else 0
    later = {c.player.seat for c in at.changes if c.kind == "join" and c.player and c.place > now}
    return tuple(
        card(state, seat, player, at.at_risk) for seat, player in enumerate(state.players) if seat not in later
    )


def then(at: Moment) -> State:
    """The state as far as the scoreboard shows it: scores, who was in, the target and whose turn it was."""
    past = [turn for turn in at.before if turn.outcome]
    if at.ends_turn and at.turn:
        past.append(at.turn)
    scores = {turn.seat: turn.score for turn in past}
    entered = {turn.seat for turn in past if turn.outcome == ShotRow.Outcome.BANK}
    players = tuple(
        replace(player, score=scores.get(seat, 0), entered=seat in entered, active=True, streak=0)
        for seat, player in enumerate(at.state.players)
    )
    return replace(
        at.state,
        players=players,
        player=at.turn.seat if at.turn else at.state.order[0],
        target=target(at),
        final=False,
        finished=False,
        winners=(),
    )


def target(at: Moment) -> int:
    """The target when the turn began."""
    value = at.game.target
    for change in at.changes:
        if change.kind == "target" and at.turn and change.place < at.turn.place:
            value = change.data["value"]
    return value


def at_cursor(at: Moment) -> float | None:
    rounds = max((round_ for _seat, round_, _score in rows.counted(at.turns)), default=0)
    return across(min(at.turn.round, rounds), rounds) if at.turn and rounds else None
