"""A game turn by turn, for its replay: light rows of the whole game, the dice of one turn at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet, Sum
from django.db.models.functions import Greatest

from game.models import ChangeRow, Game, ShotRow, ThrowRow
from game.models.compiled import CompiledQuery
from game.models.shots import FALLEN

COLUMNS = (
    "pk", "place", "player__seat", "round", "outcome", "points", "score", "count", "cancelled", "manual", "picked_up",
    "cost",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that can be replayed: columns of its row, and the number of its first step, counted from 1.

    Each throw is a step, and so is a turn without any: real dice, or a player who was skipped. Undone turns keep their
    steps, so that the URL of a throw stays valid.
    """

    first: int
    pk: int
    place: int
    seat: int
    round: int
    outcome: str
    points: int
    score: int
    count: int
    cancelled: bool
    manual: bool
    picked_up: int | None
    cost: int

    @property
    def steps(self) -> int:
        """How many steps it has."""
        return count_steps(self.count)

    @property
    def last(self) -> int:
        """The number of its last step."""
        return self.first + self.steps - 1


def count_steps(throws: int) -> int:
    """Return the steps of a turn of this many throws."""
    return max(1, throws)


def list_turns_of(game: Game) -> list[Turn]:
    """Return all turns in order, including undone ones, but not the one being played. One query."""
    rows = game.shots.all()
    if game.status == Game.Status.RUNNING:
        rows = rows.exclude(outcome="", cancelled=False)
    return list_turns(rows)


def list_turns(shots: QuerySet[ShotRow]) -> list[Turn]:
    """Return the turns of these rows, in order. They must begin with the first of a game. One query."""
    turns, first = [], 1
    for row in shots.order_by("place").values_list(*COLUMNS):
        turns.append(Turn(first, *row))
        first += turns[-1].steps
    return turns


def list_counted_scores(turns: Sequence[Turn]) -> list[tuple[int, int, int]]:
    """Return (seat, round, score) after each finished turn that counts."""
    return [(turn.seat, turn.round, turn.score) for turn in turns if turn.outcome and not turn.cancelled]


def list_throws_of_turn(turn: Turn) -> list[ThrowRow]:
    """Return the throws of a turn, in order. One query."""
    return FALLEN(turn.pk)


def list_points_by_throw(throws: Iterable[ThrowRow], base: int) -> list[tuple[int, int]]:
    """Return the points of the turn before and after each throw's choice. `base`: those that were picked up.

    The points of a combination with dice set aside replace the points of those dice.
    """
    points, aside, pairs = base, 0, []
    for throw in throws:
        before = points
        points += throw.points - aside if throw.with_aside else throw.points  # a throw of nothing may count, too
        if throw.kept:
            aside = 0 if len(throw.kept) == len(throw.dice) else aside + throw.points
        pairs.append((before, points))
    return pairs


def list_shots_with_throws(turns: Sequence[Turn]) -> list[ShotRow]:
    """Return the rows of these turns, newest first, each with its throws. Two queries."""
    shots = ShotRow.objects.filter(pk__in=[turn.pk for turn in turns]).order_by("-place").prefetch_related("throws")
    for shot in shots:
        shot.fallen = list(shot.throws.all())
    return list(shots)


def find_first_steps(game: Game, shots: Sequence[ShotRow]) -> dict[int, int]:
    """Return what `find_first_steps_before` does, without knowing the last step's number. One query."""
    if not shots:
        return {}
    before = sum(steps for [steps] in STEPS_BEFORE.tuples(game.pk, shots[-1].place))  # a sum, or none at all
    return find_first_steps_before(before + sum(count_steps(shot.count) for shot in shots), shots)


STEPS_BEFORE = CompiledQuery(
    lambda game, place: (
        ShotRow.objects.filter(game=game, place__lt=place)
        .order_by()
        .values("game")
        .annotate(steps=Sum(Greatest("count", 1)))
        .values_list("steps")
    ),
    -1,
    999_999,
)


def find_first_steps_before(last: int, shots: Sequence[ShotRow]) -> dict[int, int]:
    """Return the number of the first step of each of the last turns, by primary key. `last`: the last step's number.

    `shots`: the turns, newest first.
    """
    firsts = {}
    for shot in shots:
        firsts[shot.pk] = last = last + 1 - count_steps(shot.count)
        last -= 1
    return firsts


def list_start_throws(game: Game) -> list[ThrowRow]:
    """Return the throws for the first player, a row for each round of them."""
    return list(game.throws.filter(shot=None).order_by("pk"))


def list_table_changes(game: Game) -> list[ChangeRow]:
    """Return in order who joined, stepped out and in or played a seat, and each target: what the turns don't say."""
    kinds = ("join", "out", "in", "rename", "hand", "target")
    return list(game.changes.filter(kind__in=kinds).select_related("player"))


def list_turns_counted_at(turns: Sequence[Turn], order: Sequence[int], index: int) -> list[Turn]:
    """Return the turns that counted when the one at `index` began: including those undone later, if it was undone too.

    `order`: the seats in the order of play. An undo takes turns from the end, so a turn replaces those undone
    that were played at the same point of the game or after it.
    """

    def point(turn: Turn) -> tuple[int, int]:
        return turn.round, order.index(turn.seat)

    stack: list[Turn] = []
    for turn in turns[: index + 1]:
        while stack and stack[-1].cancelled and (not turn.cancelled or point(stack[-1]) >= point(turn)):
            stack.pop()
        stack.append(turn)
    return stack[:-1]
