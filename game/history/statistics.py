"""Statistics of a visitor: over the people at this browser, in games that count."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform

from game.consistent_read import consistent_read
from game.models import Player, Visitor

REVIEWED_MOST = 30
LATELY = 500
COLUMNS = (
    "game", "ended", "rules", "players", "player", "score", "won", "turns with known dice", "banks", "banked",
    "best bank", "busts", "expected busts", "accuracy", "luck",
)  # fmt: skip
FIELDS = (
    "pk", "game", "seat", "game__review__data__players", "game__code", "game__touched", "rules", "name",
    "score", "won", "turns", "banks", "banked", "best_bank", "busts", "expected_busts",
)  # fmt: skip
ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class Statistics:
    """Counts over all games that count: played here from the start to the end, with no throw undone.

    `contests`: games against a computer, or somebody on another device. `wins` counts only those, since in a game
    played only here somebody here wins in any case. `accuracy`, 0 to 100 for each game, oldest first, and `luck`, in
    points, are of the last games that were reviewed. `ruleset`: slug and name of the one played most often lately.
    """

    games: int
    contests: int
    wins: int
    turns: int
    banks: int
    banked: int
    busts: int
    expected_busts: float
    ruleset: tuple[str, str] | None
    accuracy: tuple[float, ...]
    luck: float | None


def read_statistics(visitor: Visitor) -> Statistics | None:
    """Return the figures of a visitor; None before the first game that counts. Three queries."""
    # Only people whose turns were summed up at the end of their games.
    seats = query_counted_seats(visitor)
    sums = seats.aggregate(
        games=Count("game", distinct=True),
        contests=Count("game", distinct=True, filter=Q(contest=True)),
        wins=Count("game", distinct=True, filter=Q(contest=True, won=True)),
        **{name: Sum(name) for name in ("turns", "banks", "banked", "busts", "expected_busts")},
    )
    if not sums["games"]:
        return None
    accuracy, luck = read_reviewed_figures(seats)
    return Statistics(**sums, ruleset=find_favourite_ruleset(seats), accuracy=accuracy, luck=luck)


def find_favourite_ruleset(seats: QuerySet[Player]) -> tuple[str, str] | None:
    """Return slug and name of the ruleset played most often lately; None if none was one of this site's."""
    lately = seats.filter(game__ruleset__isnull=False).order_by("-game_id")
    named = list(lately.values_list("game_id", "game__ruleset__slug", "game__ruleset__name")[:LATELY])
    by_game = {game: slug for game, slug, _name in named}  # on a shared device, several of its people played
    names = {slug: name for _game, slug, name in reversed(named)}  # the newest of each
    return next(((slug, names[slug]) for slug, _times in Counter(by_game.values()).most_common(1)), None)


def read_reviewed_figures(seats: QuerySet[Player]) -> tuple[tuple[float, ...], float | None]:
    """Return the accuracy by game, 0 to 100, oldest first, and the total luck, in points, from the latest reviews."""
    lately = seats.filter(pk__in=seats.order_by("-game_id").values("pk")[:LATELY])
    with_review = lately.filter(game__review__data__isnull=False).order_by("-game_id", "seat")
    rows = with_review.values_list("game_id", "seat", "game__review__data__players")[:REVIEWED_MOST]
    reviews = [(game, players[seat]) for game, seat, players in rows if players and seat < len(players)]
    by_game: dict[int, list[float]] = {}  # on a shared device, several of its people played
    for game, review in reversed(reviews):
        if review.get("accuracy") is not None:
            by_game.setdefault(game, []).append(review["accuracy"])
    luck = [review["luck"] for _game, review in reviews if review.get("luck") is not None]
    return tuple(map(fmean, by_game.values())), sum(luck) if luck else None


def query_counted_seats(visitor: Visitor) -> QuerySet[Player]:
    """Return the seats of a visitor's people in games that count."""
    return Player.objects.filter(visitor=visitor, level="", turns__isnull=False)


def count_seats(visitor: Visitor) -> int:
    """Return how many rows the table of a visitor has. One query."""
    return query_counted_seats(visitor).count()


def list_counted_seats(visitor: Visitor) -> Iterator[list[tuple[object, ...]]]:
    """Yield `COLUMNS` of each seat, oldest game first, a few hundred at a time: two queries for each batch."""
    # As text: a name such as "10.000" would else be read as a number.
    seats = query_counted_seats(visitor).annotate(rules=KeyTextTransform("name", "game__settings")).order_by("pk")
    last = 0
    while True:
        with consistent_read():  # a game may be deleted while the table is being sent
            batch = list(seats.filter(pk__gt=last).values_list(*FIELDS)[:ROWS_AT_ONCE])
            others = Player.objects.filter(game__in={row[1] for row in batch}).values_list("game").annotate(Count("pk"))
            players = dict(others.order_by())
        if not batch:
            return
        last = batch[-1][0]
        yield [build_table_row(row, players[row[1]]) for row in batch]


def build_table_row(row: tuple[Any, ...], players: int) -> tuple[object, ...]:
    """Return `COLUMNS` of a seat from its `FIELDS`. `players`: how many the game has.

    Turns and busts are those with known dice, as on the page; without any such turn they are left empty.
    """
    _pk, _game, seat, reviews, code, ended, rules, name, score, won, turns, *banks, busts, expected = row
    review = reviews[seat] if reviews and seat < len(reviews) else {}
    about_game = (code, ended.isoformat(), rules, players)
    judged = (review.get("accuracy"), review.get("luck"))
    known = (turns, *banks, busts, round(expected, 2)) if turns else ("", *banks, "", "")
    return (*about_game, name, score, "yes" if won else "", *known, *judged)
