"""Reviews of games that are over: requested, computed in the background, gone when the end is undone."""

from contextlib import suppress
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django_tasks import task

from game.lock import write_lock
from game.models import Game, Review
from game.services.background import NotWanted, Progress
from game.services.refusals import NotOver
from game.services.win_tables import solve_for_game
from game.storage import load_record
from game.strategy.analysis import Analysis, Decision, ReviewedOption, ReviewedThrow, SeatBalance, analyse_game
from game.strategy.turn import NoBestPlay

# A review without progress for this long is begun again when somebody asks.
REVIEW_STUCK = timedelta(minutes=2)
# At most how many options are stored with a decision: the best ones, and in any case the one that was chosen.
OPTIONS_MOST = 12


def begin_review(game: Game) -> None:
    """Queue a review of a game that has just ended, if people played in it."""
    if any(not seat.level for seat in game.seats):
        enqueue_review(game)


def request_review(game: Game) -> None:
    """Queue a review of a game that ended some time ago. Does nothing if one is done or under way.

    Raises `NotOver` for a game that still runs.
    """
    with write_lock(), transaction.atomic():
        # Locked and read again: if the end is undone meanwhile, no review of half a game may stay behind.
        over = Game.objects.select_for_update().filter(pk=game.pk, status__in=Game.OVER)
        if not over.exists():
            raise NotOver
        enqueue_review(game)


def enqueue_review(game: Game) -> None:
    """Create the row that the page reads, and the task that fills it. Call it within a transaction."""
    review, is_new = Review.objects.get_or_create(game=game)
    if is_new or is_stuck(review):
        Review.objects.filter(pk=review.pk).update(progress=0, touched=timezone.now())
        review_game.enqueue(review.pk)


def is_stuck(review: Review) -> bool:
    """Return whether a review is not done and has made no progress for `REVIEW_STUCK`."""
    return not review.is_done and timezone.now() - review.touched > REVIEW_STUCK


@task()
def review_game(pk: int) -> None:
    """Compute a review, unless the end of the game was undone meanwhile."""
    review = Review.objects.select_related("game").filter(pk=pk, data__isnull=True).first()
    if review is None:
        return
    progress = Progress(review)
    with suppress(NotWanted):
        progress.save_result(compute_review(review.game, progress))
        with suppress(NoBestPlay):
            solve_for_game(review.game.rules, review.game.target)


def compute_review(game: Game, progress: Progress) -> dict[str, Any]:
    """Return the review as it is stored; "by" is None if decisions under the ruleset cannot be judged."""
    try:
        return encode_review(analyse_game(load_record(game), progress))
    except NoBestPlay:
        return {"by": None, "players": [], "decisions": [], "throws": []}


class StoredOption(NamedTuple):
    """An option of a decision, stored as a list in this order. Chances are 0 to 1."""

    keep: str
    then: str
    total: int
    left: int
    win: float | None
    points: float
    bust: float


class StoredThrow(NamedTuple):
    """A throw, stored as a list in this order. `win`: the chance to win after it. Luck: as a chance, and in points."""

    step: int
    seat: int
    round: int
    win: float | None
    luck_win: float | None
    luck: float
    bust: int


def encode_review(analysis: Analysis) -> dict[str, Any]:
    """Return the analysis as JSON data. Options and throws are many, so they are lists, not dicts. Chances: 0 to 1."""
    return {
        "by": analysis.by,
        "start": [round_chance(seat_balance.start) for seat_balance in analysis.balances],
        "players": [encode_player(seat_balance) for seat_balance in analysis.balances],
        "decisions": [encode_decision(decision) for decision in analysis.decisions],
        "throws": [store_throw(throw) for throw in analysis.throws],
        "typed": len(analysis.typed),
    }


def encode_player(seat_balance: SeatBalance) -> dict[str, Any]:
    """Return a player's part: accuracy 0 to 100, luck in points and in chance to win."""
    return {
        "accuracy": None if seat_balance.accuracy is None else round(seat_balance.accuracy),
        "luck": None if seat_balance.luck_points is None else round(seat_balance.luck_points),
        "luck_win": round_chance(seat_balance.luck),
        "busts": seat_balance.busts,
        "expected_busts": None if seat_balance.expected is None else round(seat_balance.expected, 1),
    }


def encode_decision(decision: Decision) -> dict[str, Any]:
    """Return a decision with its best options and the chosen one."""
    places = list(range(min(len(decision.options), OPTIONS_MOST)))
    if decision.chosen not in places:
        places[-1] = decision.chosen
    return {
        "seat": decision.at.seat,
        "computer": decision.computer,
        "step": decision.at.step,
        "throw": decision.at.throw,
        "round": decision.at.round,
        "dice": "".join(map(str, decision.dice)),
        "points": decision.points,
        "score": decision.score,
        "options": [store_option(decision.options[place]) for place in places],
        "chosen": places.index(decision.chosen),
        "loss": round(decision.loss, 5),
        "mark": decision.mark,
    }


def store_option(option: ReviewedOption) -> StoredOption:
    """Return an option as it is stored."""
    keep, worth = "".join(map(str, option.keep)), option.worth
    values = round_chance(worth.win), round(worth.points, 1), round(option.bust, 4)
    return StoredOption(keep, option.then, option.total, option.left, *values)


def store_throw(throw: ReviewedThrow) -> StoredThrow:
    """Return a throw as it is stored."""
    at = throw.at
    lucks = round_chance(throw.luck), round(throw.luck_points, 1)
    return StoredThrow(at.step, at.seat, at.round, round_chance(throw.after.win), *lucks, int(throw.bust))


def round_chance(value: float | None) -> float | None:
    """Return a chance rounded to five decimals, which is more than anybody can see; None for None."""
    return None if value is None else round(value, 5)
