"""Reviews of games that are over: asked for, worked out in the background, gone when the end is taken back."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django_tasks import task

from game.lock import write_lock
from game.models import Game, Review
from game.services.background import NotWanted, Progress
from game.services.refusals import NotOver
from game.storage import record_of
from game.strategy.analysis import Analysis, Decision, ReviewedOption, ReviewedThrow, SeatBalance, analyse_game
from game.strategy.turn import EndlessShot

# A review of which nothing was heard for so long is begun anew when somebody asks.
REVIEW_STUCK = timedelta(minutes=2)
# Of so many ways the best are kept with a decision, and the one that was chosen.
OPTIONS_MOST = 12


def begin_review(game: Game) -> None:
    """Has a game reviewed that has just ended, if somebody may want to read it: people played."""
    if any(not seat.level for seat in game.seats):
        enqueue_review(game)


def request_review(game: Game) -> None:
    """Has a game reviewed that ended some time ago. Nothing happens where that is done or under way.

    Raises `NotOver` for a game that still runs.
    """
    with write_lock(), transaction.atomic():
        # Locked and asked again: an end that is taken back meanwhile must not leave half a game's review behind.
        over = Game.objects.select_for_update().filter(pk=game.pk, status__in=Game.OVER)
        if not over.exists():
            raise NotOver
        enqueue_review(game)


def enqueue_review(game: Game) -> None:
    """In a transaction: the row that the page looks at, and the task that fills it."""
    review, is_new = Review.objects.get_or_create(game=game)
    if is_new or is_stuck(review):
        Review.objects.filter(pk=review.pk).update(progress=0, touched=timezone.now())
        review_game.enqueue(review.pk)


def is_stuck(review: Review) -> bool:
    """Nobody has worked on it for a while, and it is not done."""
    return review.data is None and timezone.now() - review.touched > REVIEW_STUCK


@task()
def review_game(pk: int) -> None:
    """Works the review out. Where the end of the game was taken back meanwhile, nobody wants it any more."""
    review = Review.objects.select_related("game").filter(pk=pk, data__isnull=True).first()
    if review is None:
        return
    progress = Progress(review)
    with suppress(NotWanted):
        progress.done(compute_review(review.game, progress))


def compute_review(game: Game, progress: Progress) -> dict[str, Any]:
    """The review as it is stored; with "by" none where the rules allow no judgement."""
    try:
        return review_as_data(analyse_game(record_of(game), progress))
    except EndlessShot:
        return {"by": None, "players": [], "decisions": [], "throws": []}


# ── as it is stored ──


def review_as_data(analysis: Analysis) -> dict[str, Any]:
    """Short lists rather than names where there are many: `OPTION` and `THROW` say what stands where."""
    return {
        "by": analysis.by,
        "start": [round_chance(seat_balance.start) for seat_balance in analysis.balances],
        "players": [player_as_data(seat_balance) for seat_balance in analysis.balances],
        "decisions": [decision_as_data(decision) for decision in analysis.decisions],
        "throws": [throw_as_list(fall) for fall in analysis.throws],
        "typed": len(analysis.typed),
    }


OPTION = ("keep", "then", "total", "left", "win", "points", "bust")
THROW = ("step", "seat", "round", "win", "luck_win", "luck", "bust")


def player_as_data(seat_balance: SeatBalance) -> dict[str, Any]:
    return {
        "accuracy": None if seat_balance.accuracy is None else round(seat_balance.accuracy),
        "luck": None if seat_balance.luck_points is None else round(seat_balance.luck_points),
        "luck_win": round_chance(seat_balance.luck),
        "busts": seat_balance.busts,
        "expected_busts": None if seat_balance.expected is None else round(seat_balance.expected, 1),
    }


def decision_as_data(decision: Decision) -> dict[str, Any]:
    kept = list(range(min(len(decision.options), OPTIONS_MOST)))
    if decision.chosen not in kept:
        kept[-1] = decision.chosen
    return {
        "seat": decision.at.seat,
        "computer": decision.computer,
        "step": decision.at.step,
        "throw": decision.at.throw,
        "round": decision.at.round,
        "dice": "".join(map(str, decision.dice)),
        "points": decision.points,
        "score": decision.score,
        "options": [option_as_list(decision.options[place]) for place in kept],
        "chosen": kept.index(decision.chosen),
        "loss": round(decision.loss, 5),
        "mark": decision.mark,
    }


def option_as_list(way: ReviewedOption) -> list[Any]:
    keep = "".join(map(str, way.keep))
    return [
        keep,
        way.then,
        way.total,
        way.left,
        round_chance(way.worth.win),
        round(way.worth.points, 1),
        round(way.bust, 4),
    ]


def throw_as_list(fall: ReviewedThrow) -> list[Any]:
    at = fall.at
    lucks = round_chance(fall.luck), round(fall.luck_points, 1)
    return [at.step, at.seat, at.round, round_chance(fall.after.win), *lucks, int(fall.bust)]


def round_chance(value: float | None) -> float | None:
    return None if value is None else round(value, 5)
