"""What a visitor's games come to: of people at this browser, in games that count."""

from collections import Counter
from dataclasses import dataclass
from statistics import fmean

from django.db.models import Count, Q, QuerySet, Sum

from game.models import Player, Visitor

REVIEWED_MOST = 30
LATELY = 500


@dataclass(frozen=True)
class Statistics:
    """Counts over all games that count: played here from the start to the end, and nothing in them undone.

    `contests`: games against a computer, or somebody on another device; `wins` are of those. In a game that is only
    passed round here somebody here wins in any case, which says nothing.
    `accuracy`: 0 to 100 a game, oldest first, and `luck` in points: of the last games that were reviewed. `ruleset`:
    what was played most of late.
    """

    games: int
    contests: int
    wins: int
    turns: int
    banks: int
    banked: int
    busts: int
    expected_busts: float
    ruleset: str
    accuracy: tuple[float, ...]
    luck: float | None


def statistics_of(visitor: Visitor) -> Statistics | None:
    """Return the figures of a visitor; None before the first game that counts. Three queries."""
    # Of people whose turns were added up at the end of their games.
    seats = Player.objects.filter(visitor=visitor, level="", turns__isnull=False)
    sums = seats.aggregate(
        games=Count("game", distinct=True),
        contests=Count("game", distinct=True, filter=Q(contest=True)),
        wins=Count("game", distinct=True, filter=Q(contest=True, won=True)),
        turns=Sum("turns"),
        banks=Sum("banks"),
        banked=Sum("banked"),
        busts=Sum("busts"),
        expected_busts=Sum("expected_busts"),
    )
    if not sums["games"]:
        return None
    accuracy, luck = reviewed_figures(seats)
    return Statistics(**sums, ruleset=favourite_ruleset(seats), accuracy=accuracy, luck=luck)


def favourite_ruleset(seats: QuerySet[Player]) -> str:
    """Return the name of the ruleset played most of late; empty where ours was none."""
    lately = seats.filter(game__ruleset__isnull=False).order_by("-game_id")
    names = lately.values_list("game__ruleset__name", flat=True)[:LATELY]
    return next((name for name, _times in Counter(names).most_common(1)), "")


def reviewed_figures(seats: QuerySet[Player]) -> tuple[tuple[float, ...], float | None]:
    """Return the accuracy by game, oldest first, and the luck of all together, as far as reviews say."""
    with_review = seats.filter(game__review__data__isnull=False).order_by("-game_id", "seat")
    rows = with_review.values_list("game_id", "seat", "game__review__data__players")[:REVIEWED_MOST]
    reviews = [(game, players[seat]) for game, seat, players in rows if players and seat < len(players)]
    by_game: dict[int, list[float]] = {}  # where a device was passed round, several of its people played
    for game, review in reversed(reviews):
        if review.get("accuracy") is not None:
            by_game.setdefault(game, []).append(review["accuracy"])
    luck = [review["luck"] for _game, review in reviews if review.get("luck") is not None]
    return tuple(map(fmean, by_game.values())), sum(luck) if luck else None
