"""Crews on the screen: their names, and who is in them."""

from collections.abc import Sequence

from django.db.models import Prefetch, prefetch_related_objects

from game.history.evenings import Evening
from game.models import Crew, CrewPerson, Visitor
from game.pages.game_list import name_winners
from game.pages.parts.language import gettext
from game.pages.parts.text import join_names
from game.sentences import isolate
from game.services.crews import crews_of

NAMES_SHOWN = 6


def list_crews(visitor: Visitor | None, most: int | None = None) -> list[tuple[Crew, str]]:
    """Return a visitor's crews, last used first, with the names of their people. Two queries."""
    if visitor is None:
        return []
    listed = Prefetch("people", CrewPerson.objects.filter(listed=True))
    crews = crews_of(visitor, most)
    prefetch_related_objects(crews, listed)
    return [(crew, list_names([person.name for person in crew.people.all()])) for crew in crews]


def list_names(names: Sequence[str]) -> str:
    """Return the names of a crew's people, as many as lists have room for."""
    shown = join_names(names) if len(names) <= NAMES_SHOWN else ", ".join(map(isolate, names[:NAMES_SHOWN])) + " …"
    return shown or gettext("Nobody yet")


def describe_evening(crew: Crew, evening: Evening) -> dict[str, object]:
    """Return what the page of an evening shows."""
    return {
        "crew": crew,
        "title": name_crew(crew),
        "evening": evening,
        "winners": [name_winners(game.seats) for game in evening.games],
    }


def name_crew(crew: Crew) -> str:
    """Return what a crew is called."""
    return crew.name or gettext("My crew")
