"""The page of a replay: a stored game as it stood at one step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from game.history import replay as rows
from game.history.replay import Turn
from game.history.reviews import find_marks
from game.models import ChangeRow, Game, ShotRow, ThrowRow
from game.pages.parts.components import Banner, ScoreCard, Tray
from game.pages.parts.dice import fill_tray, find_aside, find_taken_over, lay_aside, lay_shown, sort_throws
from game.pages.parts.language import gettext as _
from game.pages.parts.score_chart import build_score_chart, place_round
from game.pages.parts.scoreboard import build_cards
from game.pages.parts.text import describe_winner, join_names, list_figures, number
from game.pages.replay import sentences
from game.pages.replay.components import Replay, ReplayStep
from game.pages.replay.steps import ASKED, HIDDEN, SHOWN, Steps, parse_step
from game.pages.replay.turn_list import build_turn_list
from game.prefs import Prefs
from game.rules import State
from game.rules.play.start import find_ahead, follow_start
from game.storage import load_state


@dataclass
class Moment:
    """A game at one step, read with the same few queries whatever its length."""

    game: Game
    state: State
    turns: Sequence[Turn]
    start: Sequence[ThrowRow]
    changes: Sequence[ChangeRow]
    steps: Steps
    prefs: Prefs

    @cached_property
    def turn(self) -> Turn | None:
        """The turn that is shown; None while dice are thrown for the first player."""
        return self.turns[self.steps.index] if self.steps.index is not None else None

    @cached_property
    def throws(self) -> list[ThrowRow]:
        """The throws of the turn that is shown."""
        throws = rows.list_throws_of_turn(self.turn) if self.turn else []
        return list(sort_throws(throws)) if self.prefs.order == "sorted" else throws

    @property
    def index(self) -> int:
        """Which throw of its turn is on the table, from 0."""
        return self.steps.now - self.turn.first if self.turn else 0

    @property
    def hidden(self) -> bool:
        """Whether the choice made at this step is not shown yet."""
        return self.steps.choices == HIDDEN

    @property
    def ends_turn(self) -> bool:
        """Whether the turn ended with this step, and its choice is shown."""
        turn = self.turn
        return turn is not None and bool(turn.outcome) and self.steps.now == turn.last and not self.hidden

    @property
    def over(self) -> bool:
        """Whether this is the end of a finished game."""
        return self.steps.now == self.steps.last and self.state.finished and not self.hidden

    @cached_property
    def before(self) -> list[Turn]:
        """The turns that counted when this one began, in order."""
        index = self.steps.index
        return [] if index is None else rows.turns_counted_at(self.turns, self.state.order, index)

    @property
    def base(self) -> int:
        """The points that came with the dice picked up from the turn before; 0 if none were."""
        banked = [turn for turn in self.before if turn.outcome]
        worth = self.state.ruleset.pick_up_worth
        if not (self.turn and self.turn.picked_up and banked):
            return 0
        return worth if isinstance(worth, int) else banked[-1].points

    @property
    def taken_over(self) -> dict[int, int]:
        """Column → face of the dice that lay aside when the turn began because the others were picked up."""
        if self.turn is None or self.turn.picked_up is None:
            return {}
        until = next((n for n, turn in enumerate(reversed(self.before), 1) if turn.picked_up is None), None)
        shots = rows.shots_with_throws(self.before[-until:] if until else self.before)
        if self.prefs.order == "sorted":
            for shot in shots:
                shot.fallen = list(sort_throws(shot.fallen))
        return find_taken_over(self.throws, shots)

    @property
    def at_risk(self) -> int:
        """The points of the turn that are not banked yet; 0 once the turn has ended."""
        if not self.throws or self.ends_turn:
            return 0
        before, after = rows.points_by_throw(self.throws, self.base)[self.index]
        return before if self.hidden else after

    @property
    def tray(self) -> Tray | None:
        """The tray with the dice as they lay, and nothing to press; None if none were thrown here."""
        if self.turn is None or not self.throws:
            return None
        throws, index, hidden = self.throws, self.index, self.hidden
        throw, is_last, tries = throws[index], index == len(throws) - 1, _count_misses(throws, index)
        missed = len(throw.dice) == 1 and (tries > 0 or not (throw.kept or is_last))
        before, after = rows.points_by_throw(throws, self.base)[index]
        shown = lay_shown(throw, () if hidden else throw.kept_columns, has_tries=missed and not hidden)
        return fill_tray(
            lay_aside(find_aside(throws[:index], self.taken_over)) + shown,
            before,
            0 if hidden else after - before,
            yours=False,
            throw_number=throw.pk,
            seat=self.turn.seat + 1,
            tries_used=tries,
            rules=self.state.ruleset,
            lost=self.turn.outcome == ShotRow.Outcome.BUST and is_last and not hidden,
        )


def _count_misses(throws: Sequence[ThrowRow], index: int) -> int:
    """Return how many tries with the last die had missed before this throw."""
    misses = 0
    while index - misses > 0 and len(throws[index].dice) == 1 and not throws[index - misses - 1].kept:
        misses += 1
    return misses


def load_moment(game: Game, step: str, choices: str, prefs: Prefs, address: str = "") -> Moment:
    """Return the game at a step. `step`: as in a URL, a number or "last".

    `choices`: "hidden", "asked", or anything else to show them; `address`: of the page on which the steps are, if that
    is not the game's own.
    """
    turns, start = rows.turns_of(game), rows.start_throws(game)
    last = turns[-1].last if turns else 0
    first = 0 if start or not turns else 1
    now = parse_step(step, first, last)
    choices = choices if choices in (HIDDEN, ASKED) else SHOWN
    steps = Steps(address or game.get_absolute_url(), turns, first, last, now, choices)
    return Moment(game, load_state(game), turns, start, rows.table_changes(game), steps, prefs)


def build_replay(at: Moment) -> Replay:
    """Return the page of the step that `at.steps` names."""
    shown = _describe_position(at) if at.turns or at.start else None
    names = [player.name for player in at.state.players]
    turns, earlier, later = build_turn_list(at.steps, names, at.throws, at.hidden, find_marks(at.game))
    return Replay(
        code=at.game.code,
        url=at.game.get_absolute_url(),
        version=at.game.version,
        title=_write_title(at),
        cards=_build_cards(at),
        position=shown,
        turns=turns,
        earlier=earlier,
        later=later,
        live=_write_announcement(at, shown),
        banner=_build_banner(at.game),
        tray=at.tray,
        chart=build_score_chart(names, at.state.goal, rows.counted_scores(at.turns)),
        cursor=_find_cursor(at),
    )


def _write_title(at: Moment) -> str:
    """Return who won; before the end, who plays."""
    if at.state.finished:
        won = [turn.outcome for turn in at.turns if not turn.cancelled][-1:] == [ShotRow.Outcome.WIN]
        return describe_winner(at.state, won)
    return join_names([player.name for player in at.state.players])


def _build_banner(game: Game) -> Banner | None:
    match game.status:
        case Game.Status.RUNNING:
            return Banner("info", _("This game is still being played. You can see it up to the last finished turn."))
        case Game.Status.ABANDONED:
            return Banner("info", _("This game was abandoned. You can see it up to where it stopped."))
    return None


def _describe_position(at: Moment) -> ReplayStep:
    steps = at.steps
    return ReplayStep(
        number=number(steps.now),
        total=number(steps.last),
        where=_name_place(at),
        choice=_describe_choice(at),
        cancelled=bool(at.turn and at.turn.cancelled),
        hidden=at.hidden and at.turn is not None,
        hides=steps.choices != SHOWN,
        address=steps.address(steps.now, steps.choices),
        switch=steps.address(steps.now, ASKED if at.hidden else HIDDEN),
        revealing=steps.address(steps.now, SHOWN),
        links=steps.links_back(),
        onward=steps.links_onward(),
        faces=() if at.turn else _list_start_throws(at),
    )


def _name_place(at: Moment) -> str:
    if at.turn is None:
        return _("Throwing to see who goes first")
    return _("Round %(n)s · %(name)s") % {"n": number(at.turn.round), "name": at.state.players[at.turn.seat].name}


def _describe_choice(at: Moment) -> str:
    """Return what was done at this step, after what was picked up."""
    if at.turn is None:
        return _("%(name)s goes first.") % {"name": at.state.players[at.state.order[0]].name}
    total = rows.points_by_throw(at.throws, at.base)[at.index][1] if at.throws else at.turn.points
    texts = [] if at.hidden else [sentences.describe_move_made(at.turn, at.throws, at.index, total)]
    if at.turn.picked_up and at.index == 0:
        texts.insert(0, sentences.describe_pick_up(at.turn, at.base))
    return " ".join(texts)


def _list_start_throws(at: Moment) -> tuple[tuple[str, str, tuple[tuple[int, int, bool], ...]], ...]:
    """Return each round of throws for the first player, as (number, throws in words, (seat, face, is ahead) …)."""
    ruleset, rounds = at.state.ruleset, []
    thrown = (throw.faces for throw in at.start)
    for n, fallen in enumerate(follow_start(ruleset, thrown, len(at.state.players)), 1):
        label = list_figures((at.state.players[seat].name, face) for seat, face in fallen.items())
        seats = find_ahead(ruleset, fallen)
        rounds.append((number(n), label, tuple((seat + 1, face, seat in seats) for seat, face in fallen.items())))
    return tuple(rounds)


def _write_announcement(at: Moment, shown: ReplayStep | None) -> str:
    """Return the step in words, for readers who can't see the dice."""
    if shown is None:
        return ""
    of = _("%(n)s of %(total)s.") % {"n": shown.number, "total": shown.total}
    dice = [sentences.describe_dice(at.throws[at.index])] if at.throws else [label for _n, label, _faces in shown.faces]
    return " ".join([of, f"{shown.where}.", *dice, shown.choice])


def _build_cards(at: Moment) -> tuple[ScoreCard, ...]:
    state = at.state if at.over else _rebuild_state(at)
    now = at.turn.place if at.turn else 0
    later = {c.player.seat for c in at.changes if c.kind == "join" and c.player and c.place > now}
    cards = build_cards(state, ["here"] * len(state.players), at.at_risk)
    return tuple(card for seat, card in enumerate(cards) if seat not in later)


def _rebuild_state(at: Moment) -> State:
    """Return the state as far as the scoreboard shows it: scores, target, turn, and which players are out."""
    past = [turn for turn in at.before if turn.outcome]
    if at.ends_turn and at.turn:
        past.append(at.turn)
    scores = {turn.seat: turn.score for turn in past}
    entered = {turn.seat for turn in past if turn.outcome == ShotRow.Outcome.BANK}
    out = {turn.seat for turn in past if turn.outcome == ShotRow.Outcome.ELIMINATED}
    players = tuple(
        replace(
            player,
            score=scores.get(seat, 0),
            entered=seat in entered,
            active=seat not in out,
            eliminated=seat in out,
            streak=0,
        )
        for seat, player in enumerate(at.state.players)
    )
    return replace(
        at.state,
        players=players,
        player=at.turn.seat if at.turn else at.state.order[0],
        target=_find_target(at),
        final=False,
        finished=False,
        winners=(),
    )


def _find_target(at: Moment) -> int:
    """Return the target when the turn began."""
    value: int = at.game.target
    for change in at.changes:
        if change.kind == "target" and at.turn and change.place < at.turn.place:
            value = change.data["value"]
    return value


def _find_cursor(at: Moment) -> float | None:
    rounds = max((round_ for _seat, round_, _score in rows.counted_scores(at.turns)), default=0)
    return place_round(min(at.turn.round, rounds), rounds) if at.turn and rounds else None
