"""Scores by round as a chart needs them; of a long game, only as many as can be told apart."""

from collections.abc import Sequence
from functools import lru_cache

from django.db.models import F, Max, Q, QuerySet

from game.models import Game, ShotRow
from game.models.compiled import CompiledQuery
from game.storage import load_state

Score = tuple[int, int, int]  # the seat, the round and the score after a finished turn that counts
DRAWN_MOST = 60  # more points than this cannot be told apart at the drawn size
GAMES_KEPT = 64
ROUNDS_LISTED = 20  # the score sheet lists all rounds, but what every turn sends must not grow with the game


def find_step(rounds: int) -> int:
    """Return how many rounds lie between two points of the chart of a game of this many rounds."""
    return rounds // DRAWN_MOST + 1


def list_scores_by_round(game: Game) -> Sequence[Score]:
    """Return the scores in order of play; of a long game, only the last ones before each point of its chart.

    One query, for the first page that shows them in this process after a turn or an undo.
    """
    seats = tuple((player.pk, player.seat) for player in game.seats)
    return _read_scores(game.pk, load_state(game).round, seats, game.code, game.epoch, game.turn_version, game.place)


@lru_cache(maxsize=GAMES_KEPT)
def _read_scores(game: int, rounds: int, seats: tuple[tuple[int, int], ...], *_moment: str | int) -> tuple[Score, ...]:
    """Return the scores of a game at a moment; a turn's end, an undo and a restored backup each make a new entry."""
    numbers = dict(seats)
    step = find_step(rounds)
    if step == 1:
        rows = SCORES.tuples(game)
    else:
        rows = THIN_SCORES.tuples(game, game, step - 1, step, rounds - ROUNDS_LISTED - 1)
    return tuple((numbers[player], round_, score) for player, round_, score in rows)


def query_finished_scores(game: int) -> QuerySet[ShotRow, tuple[int, int, int]]:
    """Return the query of (player's row, round, score) after each finished turn that counts."""
    finished = ShotRow.objects.filter(game=game, cancelled=False).exclude(outcome="")
    return finished.order_by("place").values_list("player", "round", "score")


SCORES = CompiledQuery(query_finished_scores, -1)


def query_thin_scores(
    game: int, same_game: int, less: int, step: int, listed_after: int
) -> QuerySet[ShotRow, tuple[int, int, int]]:
    """Return the query of the scores that a chart shows, one for each `step` rounds, and all after a round.

    Later turns have higher primary keys. `less` is one less than the step. Each value of a compiled query may occur
    only once in its SQL, so the game is given twice.
    """
    finished = ShotRow.objects.filter(game=same_game, cancelled=False).exclude(outcome="").order_by()
    points = finished.annotate(point=(F("round") + less) / step).values("player", "point")
    shown = Q(pk__in=points.annotate(last=Max("pk")).values("last")) | Q(round__gt=listed_after)
    return query_finished_scores(game).filter(shown)


# Django drops a condition that every round meets, so the last sample is one that a round can have.
THIN_SCORES = CompiledQuery(query_thin_scores, -1, -2, -3, -4, 5)


def thin_scores(scores: Sequence[Score]) -> list[Score]:
    """Return those of a game's scores that its chart shows, in order of play."""
    rounds = max((round_ for _seat, round_, _score in scores), default=0)
    step = find_step(rounds)
    last = {(seat, -(-round_ // step)): n for n, (seat, round_, _score) in enumerate(scores)}
    shown = set(last.values())
    return [score for n, score in enumerate(scores) if n in shown or score[1] > rounds - ROUNDS_LISTED - 1]
