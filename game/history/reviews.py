"""The review of a game: whether there is one, and what other pages show of it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from game.models import Game, Review, Visitor
from game.models.compiled import CompiledQuery

COSTLIEST = 10
REVIEWS = CompiledQuery(lambda game: Review.objects.filter(game=game).only("progress"), -1)


def find_review(game: Game) -> Review | None:
    """Return the review of a game, if there is one, with nothing but its progress loaded.

    In a row the data comes before the times, so SQLite reads through all of it to get at those. For a long game that
    takes as long as the page.
    """
    return REVIEWS.first(game.pk)


def find_marks(game: Game) -> Mapping[int, str]:
    """Return how the review marks decisions, by step; empty without a review."""
    review = find_review(game)
    return _read_marks(review.pk, game.code) if review and review.is_done else {}


@lru_cache(maxsize=64)
def _read_marks(review: int, _code: str) -> Mapping[int, str]:
    """Return the marks of a review that is done: they never change, but a restored backup may use its key again."""
    data = Review.objects.values_list("data", flat=True).get(pk=review)
    return {decision["step"]: decision["mark"] for decision in (data or {})["decisions"] if decision["mark"]}


def pick_costliest(game: Game, visitor: Visitor | None, decisions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the costliest choices of dice that people made: the visitor's own, or all if they hold no seat."""
    people = [seat for seat in game.seats if not seat.level]
    own = {seat.seat for seat in people if visitor and seat.visitor_id == visitor.pk} or {seat.seat for seat in people}
    lost = [d for d in decisions if d["seat"] in own and not d["computer"] and d["throw"] and d["loss"] > 0]
    return sorted(lost, key=lambda d: (-d["loss"], d["step"]))[:COSTLIEST]
