"""Crews on the screen: what one is called, who is in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from game.models import Crew, CrewPerson, Visitor
from game.pages.parts.text import join_names
from game.services.crews import crews_of

NAMES_SHOWN = 6
COLOUR_CHOICES = (
    ("", _("By seat")),
    ("1", _("Red")),
    ("2", _("Blue")),
    ("3", _("Purple")),
    ("4", _("Green")),
    ("5", _("Ochre")),
    ("6", _("Pink")),
    ("7", _("Olive")),
    ("8", _("Grey")),
)


@dataclass(frozen=True)
class CrewCard:
    """A crew where several are listed."""

    url: str
    title: str
    names: str


def list_crews(visitor: Visitor | None, most: int | None = None) -> list[CrewCard]:
    """Return a visitor's crews, last used first. Two queries."""
    if visitor is None:
        return []
    listed = Prefetch("people", CrewPerson.objects.filter(listed=True))
    crews = crews_of(visitor).prefetch_related(listed)
    return [build_card(crew, list(crew.people.all())) for crew in crews[:most]]


def build_card(crew: Crew, people: Sequence[CrewPerson]) -> CrewCard:
    """Return what a list says of a crew."""
    names = [person.name for person in people[:NAMES_SHOWN]]
    shown = join_names(names) if len(people) <= NAMES_SHOWN else ", ".join(names) + " …"
    return CrewCard(crew.get_absolute_url(), name_crew(crew), shown or gettext("Nobody yet"))


def name_crew(crew: Crew) -> str:
    """Return what a crew is called."""
    return crew.name or gettext("My crew")
