"""Crews on the screen: their names, and who is in them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, prefetch_related_objects

from game.history.evenings import Evening
from game.models import Crew, CrewPerson, Visitor
from game.pages.game_list import name_winners
from game.pages.parts.language import gettext
from game.pages.parts.text import format_money, join_names, number
from game.pages.rulesets.names import name_stored
from game.sentences import isolate
from game.services.crews import crews_of

NAMES_SHOWN = 6


@dataclass(frozen=True)
class CrewCard:
    """A crew in a list of crews."""

    url: str
    title: str
    names: str


def list_crews(visitor: Visitor | None, most: int | None = None) -> list[CrewCard]:
    """Return a visitor's crews, last used first. Two queries."""
    if visitor is None:
        return []
    listed = Prefetch("people", CrewPerson.objects.filter(listed=True))
    crews = crews_of(visitor, most)
    prefetch_related_objects(crews, listed)
    return [build_crew_card(crew, list(crew.people.all())) for crew in crews]


def build_crew_card(crew: Crew, people: Sequence[CrewPerson]) -> CrewCard:
    """Return a crew as lists show it."""
    names = [person.name for person in people[:NAMES_SHOWN]]
    shown = join_names(names) if len(people) <= NAMES_SHOWN else ", ".join(map(isolate, names)) + " …"
    return CrewCard(crew.get_absolute_url(), name_crew(crew), shown or gettext("Nobody yet"))


@dataclass(frozen=True)
class StandingRow:
    """Somebody's line in the table of an evening. `scores`: (score, won) by game, None for games they did not play."""

    name: str
    scores: tuple[tuple[str, bool] | None, ...]
    wins: int
    points: str
    pots: tuple[str, ...]


def describe_evening(crew: Crew, evening: Evening) -> dict[str, object]:
    """Return what the page of an evening shows."""
    return {
        "crew": crew,
        "title": name_crew(crew),
        "evening": evening,
        "rows": list_evening_standings(evening),
        "payments": list_payments(evening),
        "games": [  # (address, rules, who won)
            (game.get_absolute_url(), name_stored(game.settings), name_winners(game.seats)) for game in evening.games
        ],
    }


def list_evening_standings(evening: Evening) -> list[StandingRow]:
    """Return the lines of an evening's table, most wins first."""
    return [
        StandingRow(
            name=standing.name,
            scores=tuple(
                (number(standing.scores[game.code]), game.code in standing.wins)
                if game.code in standing.scores
                else None
                for game in evening.games
            ),
            wins=len(standing.wins),
            points=number(standing.points),
            pots=tuple(format_balance(standing.pot[currency], currency) for currency in evening.currencies),
        )
        for standing in evening.standings
    ]


def format_balance(coins: int, currency: str) -> str:
    """Return what somebody won or lost, with its sign: "+1.45 USD", "−0.80 USD"."""
    return ("+" if coins > 0 else "") + format_money(coins, currency)


def list_payments(evening: Evening) -> list[str]:
    """Return how the pots are settled, a sentence for each payment."""
    return [
        gettext("%(payer)s pays %(payee)s %(amount)s.")
        % {"payer": payment.payer, "payee": payment.payee, "amount": format_money(payment.coins, payment.currency)}
        for payment in evening.payments
    ]


def name_crew(crew: Crew) -> str:
    """Return what a crew is called."""
    return crew.name or gettext("My crew")
