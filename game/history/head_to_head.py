"""Head to head: how often each of two players won, and how they bank, over all games that count for statistics.

docs/decisions/0007 says who counts as one player. The sums are read from the seats each time, by two dedicated indexes,
so changes of seats and games show at once.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from operator import itemgetter
from statistics import fmean

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from game.history.statistics import REVIEWED_MOST, query_counted_seats
from game.models import Game, Player, Review, Visitor
from game.rules.names import is_computer_name

SEATS_MOST = 120  # newest seats of the people here: at least ten games, and usually one game per seat
LATELY = 100  # newest games that are searched for opponents
OPPONENTS_MOST = 12
MEETINGS_SHOWN = 10

# The games of the people here, all of them as one or each by name, with those whom they met there, in groups. One
# player may have several groups: under other names, or sitting beside others at one device. `whom` leaves out what is
# not asked for before anything is sorted into groups, because with thousands of games that takes most of the time.
MEETINGS = """
SELECT {here}, their.name, CASE WHEN their.level = '' THEN their.visitor_id END, their.level, {shares}, COUNT(*),
    SUM(CASE WHEN NOT their.won AND (mine.won = 1 OR mine.score > their.score) THEN 1 ELSE 0 END),
    SUM(CASE WHEN mine.won = 0 AND (their.won OR mine.score < their.score) THEN 1 ELSE 0 END),
    SUM(mine.banks), SUM(mine.banked), MAX(mine.best_bank), SUM(their.banks), SUM(their.banked), MAX(their.best_bank),
    MIN(mine.game_id), MAX(mine.game_id)
FROM ({mine}) mine JOIN game_player their ON their.game_id = mine.game_id AND their.turns IS NOT NULL
WHERE {whom} GROUP BY 1, 2, 3, 4, 5
"""
SHARES = """CASE WHEN their.level = '' AND their.visitor_id IS NOT NULL AND EXISTS (
        SELECT 1 FROM game_player beside WHERE beside.visitor_id = their.visitor_id AND beside.level = ''
        AND beside.game_id = their.game_id AND beside.seat <> their.seat AND beside.turns IS NOT NULL
    ) THEN 1 ELSE 0 END"""
ELSEWHERE = MEETINGS.format(
    here="''",
    shares=SHARES,
    mine="""SELECT game_id, MAX(CASE WHEN won THEN 1 ELSE 0 END) AS won, MAX(score) AS score, SUM(banks) AS banks,
    SUM(banked) AS banked, MAX(best_bank) AS best_bank
    FROM game_player WHERE visitor_id = %s AND level = '' AND turns IS NOT NULL GROUP BY game_id""",
    whom="""(their.visitor_id IS NULL OR their.visitor_id <> %s OR their.level > '')
    AND (their.name IN ({names}) OR their.level = '' AND their.visitor_id IN ({visitors}))""",
)
HERE = MEETINGS.format(  # no two players of a game have the same name
    here="mine.name",
    shares="1",
    mine="""SELECT game_id, name, CASE WHEN won THEN 1 ELSE 0 END AS won, score, banks, banked, best_bank
    FROM game_player WHERE visitor_id = %s AND level = '' AND turns IS NOT NULL""",
    whom="their.visitor_id = %s AND their.level = '' AND their.name <> mine.name AND their.name = %s",
)
CALLED = """SELECT called.visitor_id FROM game_player called WHERE called.name = %s AND called.level = ''
    AND called.visitor_id IS NOT NULL AND called.turns IS NOT NULL
    AND called.game_id IN (
        SELECT game_id FROM game_player WHERE visitor_id = %s AND level = '' AND turns IS NOT NULL
    )"""


@dataclass(frozen=True)
class Opponent:
    """An opponent of the people at this browser, identified by more than a name.

    `visitor`: the primary key of a person at another browser; `level`: a computer's. A person with neither gave up the
    seat, unless `here` names the person at this browser who played against them.
    """

    name: str
    visitor: int | None = None
    level: str = ""
    here: str = ""


@dataclass(frozen=True)
class Side:
    """What one of the two banked. `banks`: how often; `banked`: points in all; `best`: points of the best turn."""

    banks: int
    banked: int
    best: int

    @property
    def mean(self) -> float | None:
        """Mean points of a bank; None without one."""
        return self.banked / self.banks if self.banks else None

    def __add__(self, other: "Side") -> "Side":
        return Side(self.banks + other.banks, self.banked + other.banked, max(self.best, other.best))


@dataclass(frozen=True)
class HeadToHead:
    """The games of the people here against one opponent; `won` and `lost` by those here. `first`, `last`: games' keys.

    The winner is whoever won the game; if neither or both did, whoever had more points. `called`: the opponent's newest
    name.
    """

    opponent: Opponent
    called: str
    games: int
    won: int
    lost: int
    mine: Side
    theirs: Side
    first: int
    last: int

    @property
    def even(self) -> int:
        """How many games neither of the two won."""
        return self.games - self.won - self.lost

    def __add__(self, other: "HeadToHead") -> "HeadToHead":
        return HeadToHead(
            self.opponent,
            max(self, other, key=lambda heads: heads.last).called,
            self.games + other.games,
            self.won + other.won,
            self.lost + other.lost,
            self.mine + other.mine,
            self.theirs + other.theirs,
            min(self.first, other.first),
            max(self.last, other.last),
        )


@dataclass(frozen=True)
class SeatGroup:
    """Games against one seat's name. `shares`: in these games others sat beside it at the same device."""

    sums: HeadToHead
    shares: bool

    def is_of(self, wanted: Opponent) -> bool:
        """Return whether the games are this opponent's: decided by the visitor alone, if that is one person."""
        if wanted.visitor is None or self.shares:
            return self.sums.opponent == wanted
        return self.sums.opponent.visitor == wanted.visitor


@dataclass(frozen=True)
class Meeting:
    """A game against somebody, from one side: `result` is 1 for won, -1 for lost, 0 for even."""

    game: Game
    result: int
    score: int
    their_score: int


@dataclass(frozen=True)
class ReviewedFigures:
    """What the reviews of the last games say of both: mean accuracy, 0 to 100, and total luck, in points, or None."""

    games: int
    accuracy: float | None
    luck: float | None
    their_accuracy: float | None
    their_luck: float | None


def find_opponents(visitor: Visitor, name: str) -> list[HeadToHead]:
    """Return everybody of this name whom the people of a browser met, in the order of the first games. Two queries."""
    pk = visitor.pk
    elsewhere = read_groups(ELSEWHERE.format(names="%s", visitors=CALLED), pk, pk, name, name, pk)
    groups = elsewhere + read_groups(HERE, pk, pk, name)
    wanted = dict.fromkeys(group.sums.opponent for group in groups if group.sums.opponent.name == name)
    return sorted((sum_up(groups, opponent) for opponent in wanted), key=lambda heads: heads.first)


def find_heads(game: Game, visitor: int) -> dict[int, HeadToHead]:
    """Return, by seat, the head to head against those who sit in a game elsewhere, and its computers. One query.

    `visitor`: the primary key of whoever asks. Opponents whom nobody here has met are left out.
    """
    wanted = {
        seat.seat: Opponent(seat.name, None if seat.level else seat.visitor_id, seat.level)
        for seat in game.seats
        if (not seat.is_person if seat.level else seat.visitor_id not in (None, visitor))
    }
    if not wanted:
        return {}
    names = [opponent.name for opponent in wanted.values()]
    visitors = [opponent.visitor for opponent in wanted.values() if opponent.visitor is not None]
    sql = ELSEWHERE.format(names=list_placeholders(names), visitors=list_placeholders(visitors))
    groups = read_groups(sql, visitor, visitor, *names, *visitors)
    return {
        seat: sum_up(groups, opponent)
        for seat, opponent in wanted.items()
        if any(group.is_of(opponent) for group in groups)
    }


def find_heads_here(visitor: int, here: str, name: str) -> HeadToHead | None:
    """Return the head to head of two people at the browser with this primary key; None without a game. One query."""
    groups = read_groups(HERE, visitor, visitor, name)
    return next((group.sums for group in groups if group.sums.opponent.here == here), None)


def list_placeholders(values: Sequence[object]) -> str:
    """Return placeholders for values in an SQL list; NULL if there are none, since the list may not be empty."""
    return ", ".join(["%s"] * len(values)) or "NULL"


def list_opponents(visitor: Visitor) -> list[str]:
    """Return the names met most often in the last games that count, most often first. One query.

    People at this browser who met each other are included. A person's seat that a computer played at the end belongs to
    nobody.
    """
    lately = query_counted_seats(visitor).order_by("-game_id")
    seats = Player.objects.filter(game__in=lately.values("game").distinct()[:LATELY]).order_by("game_id", "seat")
    names: Counter[str] = Counter()
    for _game, of_game in groupby(seats.values_list("game", "visitor", "level", "name"), key=itemgetter(0)):
        players = [seat for seat in of_game if is_computer_name(seat[3]) == bool(seat[2])]
        here = [name for _game, holder, level, name in players if holder == visitor.pk and not level]
        names.update(name for *_rest, name in players if name not in here or len(here) > 1)
    return [name for name, _times in names.most_common(OPPONENTS_MOST)]


def sum_up(groups: Iterable[SeatGroup], opponent: Opponent) -> HeadToHead:
    """Return the sums of all groups of an opponent, of which there has to be at least one."""
    total = reduce(HeadToHead.__add__, (group.sums for group in groups if group.is_of(opponent)))
    return replace(total, opponent=opponent)


def read_groups(sql: str, *values: int | str) -> list[SeatGroup]:
    """Return the groups that a query finds. A person's seat that a computer played at the end belongs to nobody."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows = cursor.fetchall()
    groups = []
    for here, name, visitor, level, shares, *row in rows:
        games, won, lost, banks, banked, best, their_banks, their_banked, their_best, first, last = map(int, row)
        if is_computer_name(name) == bool(level):
            mine, theirs = Side(banks, banked, best), Side(their_banks, their_banked, their_best)
            opponent = Opponent(name, None if here else visitor, level, here)
            sums = HeadToHead(opponent, name, games, won, lost, mine, theirs, first, last)
            groups.append(SeatGroup(sums, bool(shares)))
    return groups


def list_own_seats(visitor: Visitor, heads: HeadToHead) -> list[tuple[int, int, int]]:
    """Return (game, own seat, opponent's seat) of the newest games between them, newest first. One query."""
    theirs = find_seats(heads.opponent, visitor).order_by("seat").values("seat")[:1]
    mine = query_counted_seats(visitor).filter(game__gte=heads.first, game__lte=heads.last)
    if heads.opponent.here:
        mine = mine.filter(name=heads.opponent.here)
    met = mine.annotate(theirs=Subquery(theirs)).filter(theirs__isnull=False).order_by("-game_id", "seat")
    return list(met.values_list("game", "seat", "theirs")[:SEATS_MOST])


def find_seats(wanted: Opponent, visitor: Visitor) -> QuerySet[Player]:
    """Return the seats of an opponent within the game of an outer query."""
    seats = Player.objects.filter(game=OuterRef("game"), level=wanted.level, turns__isnull=False)
    if wanted.level:
        return seats.filter(name=wanted.name)
    if wanted.visitor is None:
        return seats.filter(name=wanted.name, visitor=visitor if wanted.here else None)
    beside = Player.objects.filter(game=OuterRef("game"), visitor=wanted.visitor, level="")
    return seats.filter(Q(name=wanted.name) | ~Exists(beside.exclude(seat=OuterRef("seat"))), visitor=wanted.visitor)


def list_meetings(own: Sequence[tuple[int, int, int]]) -> list[Meeting]:
    """Return the newest games among those of `list_own_seats`. Two queries."""
    seats: dict[int, list[int]] = {}
    theirs = {}
    for game, seat, their_seat in own:
        seats.setdefault(game, []).append(seat)
        theirs[game] = their_seat
    games = Game.with_seats(Game.objects.defer("state_data")).in_bulk(list(seats)[:MEETINGS_SHOWN])
    return [build_meeting(games[game], seats[game], theirs[game]) for game in seats if game in games]


def build_meeting(game: Game, mine: Sequence[int], theirs: int) -> Meeting:
    """Return a game as these seats played it against another: won if any of them won, and with their best score."""
    other = game.seats[theirs]
    own = [game.seats[seat] for seat in mine]
    score, won = max(seat.score for seat in own), any(seat.won for seat in own)
    ahead, behind = (won, other.won) if won != other.won else (score, other.score)
    result = 0 if won and other.won else (ahead > behind) - (ahead < behind)
    return Meeting(game, result, score, other.score)


def read_reviewed(own: Sequence[tuple[int, int, int]]) -> ReviewedFigures | None:
    """Return what the reviews of those games of `list_own_seats` say; None if none was reviewed. One query."""
    reviews = Review.objects.filter(game__in={game for game, *_seats in own}, data__isnull=False)
    newest = dict(reviews.order_by("-game_id").values_list("game", "data__players")[:REVIEWED_MOST])
    mine, theirs = [], {}
    for game, seat, their_seat in own:
        players = newest.get(game)
        if players and max(seat, their_seat) < len(players):
            mine.append(players[seat])
            theirs[game] = players[their_seat]
    if not theirs:
        return None
    figures = (*find_means(mine), *find_means(theirs.values()))
    return ReviewedFigures(len(theirs), *figures)


def find_means(reviews: Iterable[Mapping[str, float | None]]) -> tuple[float | None, float | None]:
    """Return the mean accuracy and the total luck of one side."""
    reviews = list(reviews)
    accuracy, luck = (
        [value for review in reviews if (value := review.get(name)) is not None] for name in ("accuracy", "luck")
    )
    return (fmean(accuracy) if accuracy else None), (sum(luck) if luck else None)
