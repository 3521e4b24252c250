"""Lists of games: a visitor's, by status and players, and those watched lately."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from game.models import Game, Player, Visitor
from game.models.compiled import CompiledQuery

SEATS_FEW = 1000
OPEN_MOST = 20  # open games that are looked at for the home page
PAGE = 25  # games


@dataclass(frozen=True)
class GameFilter:
    """The filters of a list; empty means everything."""

    player: str = ""  # part of somebody's name
    ruleset: str = ""  # a slug
    result: str = ""  # 'won' 'lost' 'nobody' 'abandoned'
    seats: int | None = None  # number of players
    since: date | None = None  # the last move was on this day or later
    until: date | None = None  # the last move was on this day or before
    zone: ZoneInfo | None = None  # whose days are meant; UTC by default
    order: str = ""  # 'oldest' 'score', or the last played first

    def __bool__(self) -> bool:
        return any(value for name, value in vars(self).items() if name != "zone")


def list_open_games(visitor: Visitor) -> list[Game]:
    """Return the open games in which a visitor has a part, at most `OPEN_MOST`, last played first. Two queries."""
    games = OPEN_GAMES(visitor.pk, visitor.pk, most=OPEN_MOST)
    if not games:
        return []
    by_key = {game.pk: game for game in games}
    for game in games:
        game.seats = []
    for player in SEATS_OF_GAMES(*by_key, *[games[0].pk] * (OPEN_MOST - len(games))):
        player.game = by_key[player.game_id]
        player.game.seats.append(player)
    return games


def query_game_keys(visitor: Visitor, statuses: Collection[str], wanted: GameFilter) -> QuerySet[Game, int]:
    """Return the keys of a visitor's games that pass the filters, in order. Keys, as whole rows are slow to sort."""
    mine = query_games_with_part(visitor, statuses)
    if wanted.player:
        mine = mine.filter(Exists(Player.objects.filter(find_in_name(wanted.player), game=OuterRef("pk"))))
    if wanted.ruleset:
        mine = mine.filter(ruleset__slug=wanted.ruleset)
    if wanted.result:
        mine = filter_by_result(mine, wanted.result, visitor)
    if wanted.since:
        mine = mine.filter(touched__gte=begin_day(wanted.since, wanted.zone))
    if wanted.until:
        mine = mine.filter(touched__lt=begin_day(wanted.until + timedelta(days=1), wanted.zone))
    if wanted.seats:
        seats = Player.objects.filter(game=OuterRef("pk"))
        mine = mine.filter(Exists(seats.filter(seat=wanted.seats - 1)), ~Exists(seats.filter(seat=wanted.seats)))
    return order_games(mine, wanted.order, visitor).values_list("pk", flat=True)


def find_in_name(part: str) -> Q:
    """Return the condition for players with this part of a name, in capitals or not.

    Without a regular expression SQLite knows the capitals of a to z alone; with one it takes longer.
    """
    return Q(name__icontains=part) if part.isascii() else Q(name__iregex=re.escape(part))


def begin_day(day: date, zone: ZoneInfo | None) -> datetime:
    """Return the moment at which a day begins in a time zone, by default in UTC."""
    return datetime.combine(day, time.min, zone or UTC)


def order_games(games: QuerySet[Game], order: str, visitor: Visitor) -> QuerySet[Game]:
    """Return the games oldest first, or by the best score of a person of this visitor, or the last played first."""
    if order == "oldest":
        return games.order_by("touched", "pk")
    if order == "score":
        mine = Player.objects.filter(game=OuterRef("pk"), visitor=visitor, level="").order_by("-score")
        return games.order_by(Subquery(mine.values("score")[:1]).desc(nulls_last=True), "-touched", "-pk")
    return games.order_by("-touched", "-pk")


def query_games_with_part(visitor: Visitor, statuses: Collection[str]) -> QuerySet[Game]:
    """Return a visitor's games with this status, without those that have lapsed. At most one query.

    Few games of a site are open, so each of those is checked for whose it is. Nearly all games are over. If few of them
    are the visitor's, only the status of those is checked, and in an expression, because given the indexed column
    SQLite would go through all games of the site.
    """
    if Game.OPEN.issuperset(statuses):
        seats = Player.objects.filter(game=OuterRef("pk"), visitor=visitor)
        return Game.objects.filter(Q(host=visitor) | Exists(seats), ~query_lapsed_games(), status__in=statuses)
    games = query_games_of(visitor)
    if not Player.objects.filter(visitor=visitor)[SEATS_FEW : SEATS_FEW + 1].exists():
        return games.alias(stands=Coalesce("status", Value(""))).filter(stands__in=statuses)
    return games.filter(status__in=statuses)


def query_lapsed_games() -> Q:
    """Return the condition for games that nobody has started in time: they count as gone, even if not deleted yet."""
    return Q(status=Game.Status.WAITING, created__lt=timezone.now() - Game.WAITING_LASTS)


def query_games_of(visitor: Visitor) -> QuerySet[Game]:
    """Return the games in which a visitor holds a seat or is the host."""
    return Game.objects.filter(pk__in=query_keys_with_part(visitor, visitor))


def query_keys_with_part(seated: Visitor | int, host: Visitor | int) -> QuerySet[Player, int]:
    """Return the keys of the games in which `seated` holds a seat or that `host` hosts: pass the same visitor twice.

    A union can use two indexes, an OR none.
    """
    seats = Player.objects.filter(visitor=seated).order_by().values_list("game", flat=True)
    return seats.union(Game.objects.filter(host=host).order_by().values_list("pk", flat=True))


OPEN_GAMES = CompiledQuery(
    lambda seated, host: (
        Game.objects.select_related("host")
        .filter(pk__in=query_keys_with_part(seated, host), status__in=sorted(Game.OPEN))
        # By the database's clock, as compiled queries take no times; and last, as SQLite is slow to work it out.
        .exclude(status=Game.Status.WAITING, created__lt=Now() - Game.WAITING_LASTS)
        .order_by("-touched", "-pk")
    ),
    -1,
    -2,
)
SEATS_OF_GAMES = CompiledQuery(
    lambda *games: Player.objects.filter(game__in=games).order_by("game_id", "seat"), *range(-OPEN_MOST, 0)
)


def filter_by_result(games: QuerySet[Game], result: str, visitor: Visitor) -> QuerySet[Game]:
    """Narrow games to a result. Won: a person at this browser won; lost: others won, and nobody here."""
    if result == "abandoned":
        return games.filter(status=Game.Status.ABANDONED)
    winners = Player.objects.filter(game=OuterRef("pk"), won=True)
    won, won_here = Exists(winners), Exists(winners.filter(visitor=visitor, level=""))
    conditions = {"won": won_here, "lost": won & ~won_here, "nobody": ~won}
    return games.filter(conditions[result], status=Game.Status.FINISHED)


@dataclass(frozen=True)
class GamePage:
    """The keys of the games on one page of the list."""

    keys: Sequence[int] = ()
    number: int = 1
    more: bool = False


def find_page(visitor: Visitor | None, statuses: Collection[str], wanted: GameFilter, number: int | None) -> GamePage:
    """Return a page of a list; if its number is too high, the last page, for which the rows are counted."""
    if visitor is None or not statuses:
        return GamePage()
    keys = query_game_keys(visitor, statuses, wanted)
    page = cut_page(keys, number)
    if page.keys or page.number == 1:
        return page
    return cut_page(keys, -(-keys.count() // PAGE) or 1)


def cut_page(keys: QuerySet[Game, int], page: int | None) -> GamePage:
    """Return the rows of a page; none for an impossible page number."""
    if page is None:
        return GamePage(number=0)
    begin = (page - 1) * PAGE
    cut = list(keys[begin : begin + PAGE + 1])
    return GamePage(cut[:PAGE], page, len(cut) > PAGE)


def list_games_by_keys(keys: Sequence[int]) -> list[Game]:
    """Return the games of one page, in its order. Two queries."""
    games = Game.with_seats(Game.objects.select_related("host")).in_bulk(list(keys))
    return [games[key] for key in keys if key in games]


def list_watched_games(codes: Sequence[str], visitor: Visitor | None) -> list[Game]:
    """Return the games behind these links that may be watched and that this visitor does not play in. Two queries."""
    watched = Game.objects.filter(~query_lapsed_games(), code__in=codes, watching=True)
    games = Game.with_seats(watched.select_related("host"))
    if visitor:
        games = games.exclude(pk__in=query_keys_with_part(visitor, visitor))
    return sorted(games, key=lambda game: codes.index(game.code))


def list_recent_games(visitor: Visitor | None, most: int) -> list[Game]:
    """Return the games that this visitor sat down to last, newest first, with their seats. Two queries at most."""
    if visitor is None:
        return []
    keys = Player.objects.filter(visitor=visitor).order_by("-game_id").values_list("game_id", flat=True).distinct()
    games = Game.with_seats(Game.objects.defer("state_data").select_related("ruleset")).in_bulk(list(keys[:most]))
    return sorted(games.values(), key=lambda game: -game.pk)
