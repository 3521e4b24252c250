"""Crews on the screen: their names, and who is in them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, prefetch_related_objects

from game.history.evenings import Evening
from game.models import Crew, CrewMember, CrewPerson, Visitor
from game.pages.game_list import name_winners
from game.pages.parts.language import gettext, ngettext
from game.pages.parts.text import join_names
from game.sentences import isolate
from game.services.crews import find_crews
from game.storage import load_state

NAMES_SHOWN = 6


@dataclass(frozen=True)
class ListedCrew:
    """A crew in a list."""

    crew: Crew
    names: str
    asking: str  # "Zoë asks to be let in", for its holder


def list_crews(visitor: Visitor | None) -> list[ListedCrew]:
    """Return a visitor's crews: those that somebody asks to join, then the others, each last used first.

    Three queries, one if there are none.
    """
    if visitor is None:
        return []
    listed = Prefetch("people", CrewPerson.objects.filter(listed=True))
    asking = Prefetch("members", CrewMember.objects.filter(admitted=None, crew__holder=visitor))
    crews = find_crews(visitor)
    prefetch_related_objects(crews, listed, asking)
    lines = [
        ListedCrew(
            crew,
            list_names([person.name for person in crew.people.all()]),
            describe_asking([member.name for member in crew.members.all()]),
        )
        for crew in crews
    ]
    return sorted(lines, key=lambda line: not line.asking)


def describe_asking(names: Sequence[str]) -> str:
    """Return who asks to be let in; empty for nobody."""
    text = ngettext("%(names)s asks to be let in", "%(names)s ask to be let in", len(names))
    return text % {"names": list_names(names)} if names else ""


def list_names(names: Sequence[str]) -> str:
    """Return the names of a crew's people, as many as lists have room for."""
    shown = join_names(names) if len(names) <= NAMES_SHOWN else ", ".join(map(isolate, names[:NAMES_SHOWN])) + " …"
    return shown or gettext("Nobody yet")


def build_evening(crew: Crew, evening: Evening) -> dict[str, object]:
    """Return what the page of an evening shows."""
    return {
        "crew": crew,
        "title": name_crew(crew),
        "evening": evening,
        "winners": [name_winners(game.seats) for game in evening.games],
        "goals": [load_state(game).goal for game in evening.games],
    }


def name_crew(crew: Crew) -> str:
    """Return what a crew is called."""
    return crew.name or gettext("My crew")
