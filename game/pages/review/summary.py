"""What a stored review says in short: how each player did, and the decisions that cost most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from game.models import Game, Review
from game.pages.parts.components import DecisionRow, PlayerReview, ReviewSummary
from game.pages.parts.text import number, percent
from game.pages.parts.turn_log import name_mark
from game.pages.review import sentences
from game.pages.review.chart import Fall
from game.pages.review.progress import state_of
from game.pages.review.sentences import Option

COSTLIEST = 3
LUCK_BAR = 1000  # points of luck that fill the bar, where nobody had more


class StoredReview:
    """A review that is done, and the game that it is of."""

    def __init__(self, game: Game, data: dict[str, Any]) -> None:
        self.game, self.data, self.by = game, data, data["by"]
        self.seats = game.seats
        self.falls = [Fall(*fall) for fall in data["throws"]]
        self.decisions: list[dict[str, Any]] = data["decisions"]
        self.people = [seat.seat for seat in self.seats if not seat.level]

    def options(self, index: int) -> list[Option]:
        return [Option(*option) for option in self.decisions[index]["options"]]

    def is_persons(self, index: int) -> bool:
        return not self.decisions[index]["computer"]

    def costliest(self) -> list[int]:
        """Decisions of people that lost something, the worst first."""
        lost = [i for i, each in enumerate(self.decisions) if self.is_persons(i) and each["mark"] in ("??", "?", "?!")]
        return sorted(lost, key=lambda i: -self.decisions[i]["loss"])


def summarize_review(game: Game) -> ReviewSummary:
    """For the page of a game that is over."""
    stored = Review.objects.filter(game=game).first()
    if stored is None or stored.data is None:
        return ReviewSummary(state_of(stored), percent(stored.progress / 100) if stored else "")
    review = StoredReview(game, stored.data)
    if review.by is None:
        return ReviewSummary("nothing", "")
    worst = [describe_decision(review, i, False) for i in review.costliest()[:COSTLIEST]]
    return ReviewSummary("done", "", describe_players(review, review.people), tuple(worst))


def describe_players(review: StoredReview, seats: Iterable[int]) -> tuple[PlayerReview, ...]:
    most = max([LUCK_BAR, *(abs(each["luck"] or 0) for each in review.data["players"])])
    return tuple(describe_player(review, seat, most) for seat in seats)


def describe_player(review: StoredReview, seat: int, most: int) -> PlayerReview:
    """`most`: the luck in points that fills the bar."""
    player, its = review.seats[seat], review.data["players"][seat]
    accuracy, luck, luck_win = its["accuracy"], its["luck"], its["luck_win"]
    bar = 50 * abs(luck or 0) / most
    return PlayerReview(
        seat=seat + 1,
        name=player.name,
        computer=bool(player.level),
        accuracy="" if accuracy is None else number(accuracy),
        accuracy_bar=accuracy or 0,
        luck="" if luck is None else sentences.signed(luck),
        luck_from=50 if (luck or 0) > 0 else 50 - bar,
        luck_bar=bar,
        luck_win="" if luck_win is None else sentences.signed(luck_win, 2),
        busts=sentences.busts(its["busts"], its["expected_busts"]),
    )


def describe_decision(review: StoredReview, index: int, every: bool, shown: bool = False) -> DecisionRow:
    each, options = review.decisions[index], review.options(index)
    best, taken = options[0], options[each["chosen"]]
    against = sentences.against(best, taken)
    url = review.game.get_absolute_url()
    return DecisionRow(
        index=index,
        url=f"{url}/analysis?{'all=1&' if every else ''}d={index}#decision",
        replay=f"{url}?at={each['step']}",
        seat=each["seat"] + 1,
        name=review.seats[each["seat"]].name,
        place=sentences.place(each["round"], each["throw"]),
        place_label=sentences.place_label(each["round"], each["throw"]),
        mark=each["mark"],
        word=name_mark(each["mark"]),
        text=sentences.chosen(taken),
        better=sentences.better(best) if against else "",
        against=against,
        loss=sentences.lost(best, taken) if against else "",
        shown=shown,
    )
