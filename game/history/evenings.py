"""The evenings of a crew: the results of games begun within six hours of each other, even past midnight."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from game.history import count_board_busts
from game.models import Crew, CrewPerson, CrewSeat, Game, Player
from game.rules.names import fold_name
from game.storage import load_state

GAP = timedelta(hours=6)  # between the starts of two games: a longer one ends an evening
EVENINGS_SHOWN = 50
GAMES_MOST = 2000  # newest games of a crew that are looked through
EXACT_MOST = 12  # for so few people the fewest payments are found; each further person doubles the work

Someone = TypeVar("Someone", bound=Hashable)


@dataclass(frozen=True)
class EveningDate:
    """When an evening began, the code of its first game, and how many games were finished."""

    began: datetime
    code: str
    games: int


@dataclass
class Standing:
    """Somebody's result of an evening. `pot`: won less paid in, in the smallest coin, by currency."""

    name: str
    scores: dict[str, int] = field(default_factory=dict)  # by the game's code
    wins: set[str] = field(default_factory=set)  # codes of games
    pot: Counter[str] = field(default_factory=Counter)

    @property
    def points(self) -> int:
        """The scores of all games together."""
        return sum(self.scores.values())


@dataclass(frozen=True)
class Payment:
    """Who pays whom how much, in the smallest coin of a currency."""

    payer: str
    payee: str
    coins: int
    currency: str


@dataclass(frozen=True)
class Evening:
    """The finished games of an evening, everybody's result, and how the pots are settled."""

    began: datetime
    games: tuple[Game, ...]
    standings: tuple[Standing, ...]
    payments: tuple[Payment, ...]

    @property
    def currencies(self) -> list[str]:
        """The currencies that were played for, "" for one without a name."""
        return sorted({currency for standing in self.standings for currency in standing.pot})


def list_evenings(crew: Crew) -> list[EveningDate]:
    """Return the newest evenings of a crew, at most `EVENINGS_SHOWN`, the newest first. One query."""
    return [EveningDate(games[0][1], games[0][0], len(games)) for games in group_games(crew)[:EVENINGS_SHOWN]]


def group_games(crew: Crew) -> list[list[tuple[str, datetime]]]:
    """Return (code, start) of the finished games of each evening: the newest evening first, its first game first.

    One query.
    """
    played = CrewSeat.objects.filter(person__crew=crew).values("player__game")
    games = Game.objects.filter(pk__in=played, status=Game.Status.FINISHED).order_by("-created", "-pk")
    evenings: list[list[tuple[str, datetime]]] = []
    for code, start in games.values_list("code", "created")[:GAMES_MOST]:
        if not evenings or evenings[-1][0][1] - start > GAP:
            evenings.append([])
        evenings[-1].insert(0, (code, start))
    return evenings


def read_evening(crew: Crew, code: str) -> Evening | None:
    """Return the evening that a game belongs to, or None. A constant number of queries.

    People of the crew have the name of their line, whatever name they played under; others that of their seat. Those of
    one name are the same person, who may have joined a game before being listed, unless they sat in the same game.
    """
    wanted = next((games for games in group_games(crew) if any(code == played for played, _start in games)), None)
    if wanted is None:
        return None
    codes = [played for played, _start in wanted]
    games = tuple(Game.with_seats(Game.objects.filter(code__in=codes).order_by("created", "pk")))
    sat = CrewSeat.objects.filter(player__game__in=games, person__crew=crew).select_related("person")
    people = {seat.player_id: seat.person for seat in sat}
    standings = add_up_evening(games, people)
    best_first = sorted(standings.values(), key=lambda standing: (-len(standing.wins), -standing.points, standing.name))
    return Evening(games[0].created, games, tuple(best_first), tuple(settle_pots(standings)))


def settle_pots(standings: Mapping[Hashable, Standing]) -> Iterator[Payment]:
    """Yield the payments that settle the pots of every currency.

    They are the fewest for up to `EXACT_MOST` people; for one fewer each time that there are twice as many currencies.
    """
    currencies = sorted({currency for standing in standings.values() for currency in standing.pot})
    exact_most = EXACT_MOST - (len(currencies) - 1).bit_length()  # bounds the work on all together
    for currency in currencies:
        balances = {key: standing.pot[currency] for key, standing in standings.items()}
        for payer, payee, coins in settle_debts(balances, exact_most):
            yield Payment(standings[payer].name, standings[payee].name, coins, currency)


def add_up_evening(games: Sequence[Game], people: Mapping[int, CrewPerson]) -> dict[Hashable, Standing]:
    """Return everybody's result over the games. One query, and none if nobody played for a pot."""
    staked = [game for game in games if game.rules.ante or game.rules.bust_penalty]
    busts = count_board_busts(staked) if staked else {}
    standings: dict[Hashable, Standing] = {}
    for game in games:
        played_for = load_state(game) if game in staked else None
        # Without a winner the stakes go back: nobody has won or paid anything.
        shares = played_for.shares if played_for and played_for.winners else ()
        for player in sorted(game.seats, key=lambda seat: seat.pk not in people):  # or a guest could get their row
            person = people.get(player.pk)
            name = person.name if person else player.name
            standing = standings.setdefault(fold_name(name), Standing(name))
            if game.code in standing.scores:
                standing = standings.setdefault(player.pk, Standing(name))
            standing.scores[game.code] = player.score
            if player.won:
                standing.wins.add(game.code)
            if shares:
                standing.pot[game.rules.currency] += shares[player.seat] - pay_in(game, player, busts)
    return standings


def pay_in(game: Game, player: Player, busts: Mapping[int, int]) -> int:
    """Return what a player has paid into the pot, in the smallest coin.

    `busts`: how often each player went bust when already on the board, by primary key.
    """
    return game.rules.ante + game.rules.bust_penalty * busts.get(player.pk, 0)


def settle_debts(balances: Mapping[Someone, int], exact_most: int) -> list[tuple[Someone, Someone, int]]:
    """Return the fewest payments (payer, payee, amount) after which everybody is even. The balances add up to 0.

    People are put into as many groups as possible whose balances each add up to 0: a group of n needs n − 1 payments,
    so more groups need fewer payments. More people than `exact_most` are all one group.
    """
    owing = [(someone, coins) for someone, coins in balances.items() if coins]
    groups = find_even_groups([coins for _someone, coins in owing]) if len(owing) <= exact_most else [range(len(owing))]
    return [payment for group in groups for payment in settle_group([owing[n] for n in group])]


def find_even_groups(amounts: Sequence[int]) -> list[list[int]]:
    """Return the indexes of the amounts in as many groups as possible, each adding up to 0.

    Uses dynamic programming over all sets: in the best order of adding the amounts up, the running sum is 0 most often.
    """
    sums, most = [0], [0]
    for chosen in range(1, 1 << len(amounts)):
        low = (chosen & -chosen).bit_length() - 1
        sums.append(sums[chosen & (chosen - 1)] + amounts[low])
        before = max(most[chosen & ~(1 << n)] for n in range(len(amounts)) if chosen >> n & 1)
        most.append(before + (sums[chosen] == 0))
    groups: list[list[int]] = [[]]
    left = (1 << len(amounts)) - 1
    while left:
        here = most[left] - (sums[left] == 0)
        last = next(n for n in range(len(amounts)) if left >> n & 1 and most[left & ~(1 << n)] == here)
        groups[-1].append(last)
        left &= ~(1 << last)
        if left and sums[left] == 0:
            groups.append([])
    return groups


def settle_group(balances: Sequence[tuple[Someone, int]]) -> list[tuple[Someone, Someone, int]]:
    """Return the payments within a group, fewer than it has people, since each payment makes somebody even.

    If the balances don't add up to 0, the rest stays with whoever has it.
    """
    left = dict(balances)
    payments = []
    while left:
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        coins = min(-left[payer], left[payee])
        if coins <= 0:
            break
        payments.append((payer, payee, coins))
        left[payer] += coins
        left[payee] -= coins
    return payments
