"""Lists of games: those of a visitor, by where they stand and who plays in them, and those lately watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from game.models import Game, Player, Visitor

OPEN = (Game.Status.WAITING, Game.Status.RUNNING)
OVER = (Game.Status.FINISHED, Game.Status.ABANDONED)


@dataclass(frozen=True)
class Wanted:
    """What a list is narrowed to; empty is everything."""

    player: str = ""  # part of somebody's name
    ruleset: str = ""  # a slug
    result: str = ""  # 'won' 'lost' 'nobody' 'abandoned'

    def __bool__(self) -> bool:
        return any((self.player, self.ruleset, self.result))


def games_of(visitor: Visitor, statuses: Sequence[str]) -> QuerySet[Game]:
    """The games in which this visitor holds a seat or which it made, last played first; players come along."""
    return with_players(Game.objects.filter(pk__in=parts_of(visitor), status__in=statuses)).order_by("-touched", "-pk")


def numbers_of(visitor: Visitor, statuses: Sequence[str], wanted: Wanted) -> QuerySet[Game, int]:
    """The same games by their rows' numbers alone: what a page is cut from, since whole rows are heavy to sort."""
    mine = Game.objects.filter(pk__in=parts_of(visitor), status__in=statuses)
    if wanted.player:
        mine = mine.filter(pk__in=Player.objects.filter(name__icontains=wanted.player).values("game"))
    if wanted.ruleset:
        mine = mine.filter(ruleset__slug=wanted.ruleset)
    if wanted.result:
        wins = Player.objects.filter(visitor=visitor, level="", won=True)
        mine = by_result(mine, wanted.result, wins)
    return mine.order_by("-touched", "-pk").values_list("pk", flat=True)


def parts_of(visitor: Visitor) -> QuerySet[Player]:
    """The numbers of all games in which a visitor has a part. A union is answered by two indexes, an OR by none."""
    seats = Player.objects.filter(visitor=visitor).order_by().values("game")
    return seats.union(Game.objects.filter(host=visitor).order_by().values("pk"))


def by_result(games: QuerySet[Game], result: str, wins: QuerySet[Player]) -> QuerySet[Game]:
    """`wins`: the seats of people at this browser that have won."""
    if result == "abandoned":
        return games.filter(status=Game.Status.ABANDONED)
    games = games.filter(status=Game.Status.FINISHED)
    if result == "won":
        return games.filter(pk__in=wins.values("game"))
    won_by_any = Player.objects.filter(won=True).values("game")
    if result == "nobody":
        return games.exclude(pk__in=won_by_any)
    return games.filter(pk__in=won_by_any).exclude(pk__in=wins.values("game"))


def with_players(games: QuerySet[Game]) -> QuerySet[Game]:
    return games.select_related("ruleset").prefetch_related("players")


def by_numbers(numbers: Sequence[int]) -> list[Game]:
    """The games of one page, in its order. Two queries."""
    found = with_players(Game.objects.all()).in_bulk(list(numbers))
    return [found[number] for number in numbers if number in found]


def watched(codes: Sequence[str], visitor: Visitor | None) -> list[Game]:
    """The games behind these links that may be watched and in which this visitor has no part. Two queries."""
    games = with_players(Game.objects.filter(code__in=codes, watching=True))
    if visitor:
        games = games.exclude(pk__in=parts_of(visitor))
    return sorted(games, key=lambda game: codes.index(game.code))
