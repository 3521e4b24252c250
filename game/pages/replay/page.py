"""The page of a replay: a stored game as it stood at one step."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from game.history import replay
from game.history.replay import Turn
from game.history.reviews import find_marks
from game.history.scores import Score
from game.models import ChangeRow, Game, ShotRow, ThrowRow
from game.pages.parts.components import ScoreCard, ScoreChart, Tray
from game.pages.parts.dice import fill_tray, find_aside, find_taken_over, lay_aside, lay_shown, sort_throws
from game.pages.parts.language import gettext as _
from game.pages.parts.score_chart import build_score_chart, place_round
from game.pages.parts.scoreboard import build_cards
from game.pages.parts.text import describe_winner, join_names, list_figures, number
from game.pages.replay import sentences
from game.pages.replay.steps import ASKED, HIDDEN, SHOWN, Steps, parse_step
from game.pages.replay.turn_list import ListedTurn, build_turn_list
from game.prefs import Prefs
from game.rules import State
from game.rules.play.start import find_ahead, follow_start
from game.storage import load_state
from game.storage.reading import find_start_values


@dataclass
class Replay:
    """A game at one step, read with the same few queries whatever its length.

    Some fields have the names of `Board`, because the page uses its partials.
    """

    game: Game
    state: State
    turns: Sequence[Turn]
    start: Sequence[ThrowRow]
    changes: Sequence[ChangeRow]
    steps: Steps
    prefs: Prefs
    yours: Collection[int] = ()  # seats called "You"

    @cached_property
    def turn(self) -> Turn | None:
        """The turn that is shown; None while dice are thrown for the first player."""
        return self.turns[self.steps.index] if self.steps.index is not None else None

    @cached_property
    def throws(self) -> list[ThrowRow]:
        """The throws of the turn that is shown."""
        throws = replay.list_throws_of_turn(self.turn) if self.turn else []
        return list(sort_throws(throws)) if self.prefs.order == "sorted" else throws

    @property
    def index(self) -> int:
        """Which throw of its turn is on the table, from 0."""
        return self.steps.now - self.turn.first if self.turn else 0

    @property
    def ends_turn(self) -> bool:
        """Whether the turn ended with this step, and its choice is shown."""
        turn = self.turn
        return turn is not None and bool(turn.outcome) and self.steps.now == turn.last and not self.steps.hidden

    @property
    def over(self) -> bool:
        """Whether this is the end of a finished game."""
        return self.steps.now == self.steps.last and self.state.finished and not self.steps.hidden

    @cached_property
    def before(self) -> list[Turn]:
        """The turns that counted when this one began, in order."""
        index = self.steps.index
        return [] if index is None else replay.list_turns_counted_at(self.turns, self.state.order, index)

    @property
    def begins_at(self) -> int:
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
        shots = replay.list_shots_with_throws(self.before[-until:] if until else self.before)
        if self.prefs.order == "sorted":
            for shot in shots:
                shot.fallen = list(sort_throws(shot.fallen))
        return find_taken_over(self.throws, shots)

    @property
    def at_risk(self) -> int:
        """The points of the turn that are not banked yet; 0 once the turn has ended."""
        if not self.throws or self.ends_turn:
            return 0
        before, after = replay.list_points_by_throw(self.throws, self.begins_at)[self.index]
        return before if self.steps.hidden else after

    @cached_property
    def tray(self) -> Tray | None:
        """The tray with the dice as they lay, and nothing to press; None if none were thrown here."""
        if self.turn is None or not self.throws:
            return None
        throws, index, hidden = self.throws, self.index, self.steps.hidden
        throw, is_last, tries = throws[index], index == len(throws) - 1, _count_misses(throws, index)
        missed = len(throw.dice) == 1 and (tries > 0 or not (throw.kept or is_last))
        before, after = replay.list_points_by_throw(throws, self.begins_at)[index]
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
            hot=not (hidden or is_last) and len(throws[index + 1].dice) == self.state.ruleset.dice,
            lost=self.turn.outcome == ShotRow.Outcome.BUST and is_last and not hidden,
        )

    @property
    def title(self) -> str:
        """Who won; before the end, who plays."""
        if self.yours and set(self.state.winners) == set(self.yours):
            return _("You win!")
        if self.state.finished:
            won = [turn.outcome for turn in self.turns if not turn.cancelled][-1:] == [ShotRow.Outcome.WIN]
            return describe_winner(self.state, won, self.yours)
        return join_names(self.names)

    @property
    def names(self) -> list[str]:
        """The players' names by seat, with "You" for a viewer who needs none."""
        return [_("You") if seat in self.yours else player.name for seat, player in enumerate(self.state.players)]

    @property
    def has_steps(self) -> bool:
        """Whether anything has been thrown or entered."""
        return bool(self.turns or self.start)

    @property
    def has_throws(self) -> bool:
        """Whether any throw is known that counts: without one, there is nothing to review."""
        return any(turn.count and not turn.cancelled for turn in self.turns)

    @property
    def where(self) -> str:
        """The round, and whose turn it is: "Round 5 · Bruno"."""
        if self.turn is None:
            return _("Throwing to see who goes first")
        return _("Round %(n)s · %(name)s") % {"n": number(self.turn.round), "name": self.names[self.turn.seat]}

    @cached_property
    def choice(self) -> str:
        """What was done at this step, after what was picked up: "Kept 3 3 3 for 300, then threw 2 dice."."""
        if self.turn is None:
            first = self.state.order[0]
            return (
                _("You go first.") if first in self.yours else _("%(name)s goes first.") % {"name": self.names[first]}
            )
        total = (
            replay.list_points_by_throw(self.throws, self.begins_at)[self.index][1] if self.throws else self.turn.points
        )
        texts = [] if self.steps.hidden else [sentences.describe_move_made(self.turn, self.throws, self.index, total)]
        if self.turn.picked_up and self.index == 0:
            texts.insert(0, sentences.describe_pick_up(self.turn, self.begins_at))
        return " ".join(texts)

    @cached_property
    def start_rounds(self) -> list[tuple[str, list[tuple[int, int, bool]]]]:
        """Each round of throws for the first player, as (throws in words, (seat, face, whether it is ahead) …)."""
        ruleset, rounds = self.state.ruleset, []
        thrown = (throw.faces for throw in self.start)
        for fallen in follow_start(ruleset, thrown, len(self.names)):
            label = list_figures((self.names[seat], face) for seat, face in fallen.items())
            ahead = find_ahead(ruleset, fallen)
            rounds.append((label, [(seat + 1, face, seat in ahead) for seat, face in fallen.items()]))
        return rounds

    @property
    def live(self) -> str:
        """The step in words, for readers who can't see the dice."""
        if not self.has_steps:
            return ""
        of = _("%(n)s of %(total)s.") % {"n": number(self.steps.now), "total": number(self.steps.last)}
        dice = [label for label, _faces in self.start_rounds] if self.turn is None else []
        if self.throws:
            dice = [sentences.describe_dice(self.throws[self.index])]
        return " ".join([of, f"{self.where}.", *dice, self.choice])

    @property
    def turn_list(self) -> tuple[tuple[ListedTurn, ...], str, str]:
        """The turns beside the tray, and the addresses of those before and after them."""
        return build_turn_list(self.steps, self.names, self.throws, find_marks(self.game), self.yours)

    @cached_property
    def cards(self) -> tuple[ScoreCard, ...]:
        """The scoreboard at this step, without those who joined later."""
        now = self.turn.place if self.turn else 0
        later = {c.player.seat for c in self.changes if c.kind == "join" and c.player and c.place > now}
        state = self.state if self.over else self.state_then
        cards = build_cards(state, ["here"] * len(self.names), self.at_risk, self.yours)
        return tuple(card for seat, card in enumerate(cards) if seat not in later)

    @property
    def state_then(self) -> State:
        """The state as far as the scoreboard shows it: scores, target, turn, which players are out, and computers."""
        now = self.turn.place if self.turn else 0
        earlier, later = ([c for c in self.changes if (c.place > now) == is_later] for is_later in (False, True))
        past = [turn for turn in self.before if turn.outcome]
        if self.ends_turn and self.turn:
            past.append(self.turn)
        scores = {turn.seat: turn.score for turn in past}
        entered = {turn.seat for turn in past if turn.outcome == ShotRow.Outcome.BANK}
        out = {turn.seat for turn in past if turn.outcome == ShotRow.Outcome.ELIMINATED}
        absent = list_absent(past, earlier)
        players = tuple(
            replace(
                player,
                level=find_start_values(row.pk, row.name, row.level, later)[1],
                score=scores.get(seat, 0),
                entered=seat in entered,
                active=seat not in out | absent,
                eliminated=seat in out,
                streak=0,
            )
            for seat, (player, row) in enumerate(zip(self.state.players, self.game.seats, strict=True))
        )
        return replace(
            self.state,
            players=players,
            player=self.turn.seat if self.turn else self.state.order[0],
            target=self.target_then,
            final=False,
            tied=(),
            finished=False,
            winners=(),
        )

    @property
    def target_then(self) -> int:
        """The target when the turn began."""
        value: int = self.game.target
        for change in self.changes:
            if change.kind == "target" and self.turn and change.place < self.turn.place:
                value = change.data["value"]
        return value

    @cached_property
    def scores(self) -> list[Score]:
        """The seat, the round and the score after each turn that counts."""
        return replay.list_counted_scores(self.turns)

    @property
    def chart(self) -> ScoreChart | None:
        """The scores by round; None before the first turn."""
        return build_score_chart(self.names, self.state.goal, self.scores)

    @property
    def cursor(self) -> float | None:
        """Where this step is in the chart."""
        rounds = max((round_ for _seat, round_, _score in self.scores), default=0)
        return place_round(min(self.turn.round, rounds), rounds) if self.turn and rounds else None


def list_absent(turns: Sequence[Turn], changes: Iterable[ChangeRow]) -> set[int]:
    """Return the seats that have stepped out, during a turn or between turns, and not in again."""
    during = [(turn.place, turn.seat, True) for turn in turns if turn.outcome == ShotRow.Outcome.OUT]
    between = [(c.place, c.player.seat, c.kind == "out") for c in changes if c.player and c.kind in ("out", "in")]
    last = {seat: is_out for _place, seat, is_out in sorted(during + between)}
    return {seat for seat, is_out in last.items() if is_out}


def _count_misses(throws: Sequence[ThrowRow], index: int) -> int:
    """Return how many tries with the last die had missed before this throw."""
    misses = 0
    while index - misses > 0 and len(throws[index].dice) == 1 and not throws[index - misses - 1].kept:
        misses += 1
    return misses


def load_replay(
    game: Game, step: str, choices: str, prefs: Prefs, address: str = "", yours: Collection[int] = ()
) -> Replay:
    """Return the game at a step. `step`: as in a URL, a number or "last".

    `choices`: "hidden", "asked", or anything else to show them; `address`: that of the page with the steps, unless it
    is the game's own; `yours`: seats called "You".
    """
    turns, start = replay.list_turns_of(game), replay.list_start_throws(game)
    last = turns[-1].last if turns else 0
    first = 0 if start or not turns else 1
    now = parse_step(step, first, last)
    choices = choices if choices in (HIDDEN, ASKED) else SHOWN
    steps = Steps(address or game.get_absolute_url(), turns, first, last, now, choices)
    return Replay(game, load_state(game), turns, start, replay.list_table_changes(game), steps, prefs, yours)
