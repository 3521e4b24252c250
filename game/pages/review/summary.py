"""A review in short: how far it has come, then how each player did, and the decisions that cost the most."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from django.utils import timezone

from game.models import Game, Review
from game.pages.parts.language import find_language
from game.pages.parts.language import gettext as _
from game.pages.parts.text import add_percent, number, sign_number, write_percent
from game.pages.parts.turn_log import name_mark
from game.pages.review import sentences
from game.pages.review.components import DecisionRow, PlayerReview, ReviewSummary
from game.services.reviews import REVIEW_STUCK, StoredOption, StoredThrow, is_stuck

COSTLIEST = 3
LUCK_BAR = 1000  # points of luck, on the usual scale, that fill the bar, unless somebody had more


class StoredReview:
    """A finished review and its game."""

    def __init__(self, game: Game, data: dict[str, Any], yours: Collection[int] = ()) -> None:
        """Read a review. `yours`: seats called "You"."""
        self.game, self.data, self.by = game, data, data["by"]
        self.seats = game.seats
        self.names = [_("You") if seat.seat in yours else seat.name for seat in self.seats]
        self.throws = [StoredThrow(*throw) for throw in data["throws"]]
        self.decisions: list[dict[str, Any]] = data["decisions"]
        self.people = [seat.seat for seat in self.seats if not seat.level]

    def options(self, index: int) -> list[StoredOption]:
        """Return the options of a decision, best first."""
        return [StoredOption(*option) for option in self.decisions[index]["options"]]

    def is_persons(self, index: int) -> bool:
        """Return whether a person took the decision."""
        return not self.decisions[index]["computer"]

    def costliest(self) -> list[int]:
        """Return the indexes of people's decisions that lost something, the worst first."""
        bad = ("??", "?", "?!")
        lost = [i for i, decision in enumerate(self.decisions) if self.is_persons(i) and decision["mark"] in bad]
        return sorted(lost, key=lambda i: -self.decisions[i]["loss"])


def find_review_state(review: Review | None) -> str:
    """Return "none", "waiting", "idle" (no worker is running), "working", "stuck" (begun and abandoned) or "done"."""
    if review is None:
        return "none"
    if review.is_done:
        return "done"
    if review.progress:
        return "stuck" if is_stuck(review) else "working"
    return "idle" if is_stuck(review) and not _is_worker_busy() else "waiting"


def _is_worker_busy() -> bool:
    """Return whether a worker reviewed another game lately: games are reviewed one after the other."""
    return Review.objects.filter(progress__gt=0, touched__gt=timezone.now() - REVIEW_STUCK).exists()


def summarise_review(game: Game, stored: Review | None, yours: frozenset[int] = frozenset()) -> ReviewSummary:
    """Return what the page of a finished game says of its review, or of its progress. `yours`: seats called "You"."""
    if stored is None or not stored.is_done:
        return ReviewSummary(find_review_state(stored), write_percent(stored.progress / 100) if stored else "")
    seats = tuple((seat.name, seat.level) for seat in game.seats)
    try:
        return _summarise_data(game, yours, stored.pk, game.code, seats, find_language())
    except Review.DoesNotExist:  # the end of the game has just been undone
        return ReviewSummary("none", "")


@lru_cache(maxsize=64)
def _summarise_data(game: Game, yours: frozenset[int], pk: int, _code: str, *_wording: object) -> ReviewSummary:
    """Return what the page says of a finished review, cached for as long as the names and the language stay the same.

    Reading every decision of a long game would take longer than all else on its page. Caching is safe, because the data
    of a finished review never change.
    """
    data = Review.objects.values_list("data", flat=True).get(pk=pk)
    assert data is not None  # it is done
    review = StoredReview(game, data, yours)
    figures = summarise_players(review, review.people)
    if not any(player.accuracy or player.luck for player in figures):
        return ReviewSummary("empty", "")
    worst = [build_decision_row(review, i, False) for i in review.costliest()[:COSTLIEST]]
    return ReviewSummary("done", "", figures, tuple(worst))


def summarise_players(review: StoredReview, seats: Iterable[int]) -> tuple[PlayerReview, ...]:
    """Return how the players of these seats did; nothing where decisions cannot be judged."""
    if review.by is None:
        return ()
    full = review.game.rules.scale_points(LUCK_BAR)
    most = max([full, *(abs(player["luck"] or 0) for player in review.data["players"])])
    return tuple(_describe_player(review, seat, most) for seat in seats)


def _describe_player(review: StoredReview, seat: int, most: int) -> PlayerReview:
    """Return how one player did. `most`: the luck in points that fills the bar."""
    player, its = review.seats[seat], review.data["players"][seat]
    accuracy, luck, luck_win = its["accuracy"], its["luck"], its["luck_win"]
    bar = 50 * abs(luck or 0) / most
    return PlayerReview(
        seat=seat + 1,
        name=review.names[seat],
        computer=bool(player.level),
        accuracy="" if accuracy is None else number(accuracy),
        accuracy_bar=accuracy or 0,
        luck="" if luck is None else sign_number(luck),
        luck_from=50 if (luck or 0) > 0 else 50 - bar,
        luck_bar=bar,
        luck_win="" if luck_win is None else add_percent(sign_number(100 * luck_win)),
        busts=sentences.count_busts(its["busts"], its["expected_busts"]),
    )


def build_decision_row(review: StoredReview, index: int, every: bool, *, shown: bool = False) -> DecisionRow:
    """Return a decision as a row. `every`: its link shows it in the list of all decisions."""
    decision, options = review.decisions[index], review.options(index)
    best, taken = options[0], options[decision["chosen"]]
    against = sentences.compare_options(best, taken)
    url = review.game.get_absolute_url()
    return DecisionRow(
        url=f"{url}/analysis?{'all=1&' if every else ''}d={index}#decision",
        replay=f"{url}?at={decision['step']}",
        seat=decision["seat"] + 1,
        name=review.names[decision["seat"]],
        place=sentences.number_place(decision["round"], decision["throw"]),
        place_label=sentences.name_moment(decision["round"], decision["throw"]),
        mark=decision["mark"],
        mark_name=name_mark(decision["mark"]),
        text=sentences.describe_taken_option(taken),
        better=sentences.describe_better(best) if against else "",
        against=against,
        loss=sentences.sign_loss(best, taken) if against else "",
        shown=shown,
    )
