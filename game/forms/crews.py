"""The posted list of a crew: people with check boxes, in their order, and what they play."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from game.forms.commands import read_number
from game.forms.fields import NameField
from game.forms.new import NewGameForm, check_player_count
from game.forms.seats import ROW_BUTTON, SeatEntry, check_row, press_row_button
from game.forms.shared_rules import write_shared_rules
from game.models import Crew, CrewPerson, RulesetRow
from game.pages.parts.colours import read_colour
from game.pages.parts.computer_levels import suggest_computer_name
from game.pages.parts.names import is_free
from game.pages.rulesets.shortlist import list_rest
from game.rules import DEFAULT_LEVEL, IllegalMove, Ruleset
from game.rules.ruleset import PLAYERS_MOST
from game.services.crews import PEOPLE_MOST, ListedPerson


@dataclass(frozen=True)
class CrewLine(SeatEntry):
    """A line of the list. `person`: the key of its stored row, if any; `row`: its number in the form, from 1.

    `here`: ticked, because this person plays tonight.
    """

    person: int | None = None
    here: bool = True
    row: int = 0

    @property
    def id(self) -> str:
        """The part that identifies the line in the ids of its controls."""
        return str(self.person or f"new-{self.row}")


def read_lines(data: QueryDict) -> list[CrewLine]:
    """Return the lines of the form that have a name, with an error at each whose name is taken by a line above it."""
    names, here = data.getlist("name")[: PEOPLE_MOST + 1], set(data.getlist("here"))
    others = (data.getlist(field)[: len(names)] for field in ("level", "colour", "person"))
    lines: list[CrewLine] = []
    for n, (name, level, colour, key) in enumerate(zip_longest(names, *others, fillvalue=""), 1):
        if not (name.strip(" *") or level):
            continue
        person = read_number(key)
        ticked = str(n) in here or not key  # somebody just added, who has no box to tick yet, counts as here
        line = check_row(CrewLine(name, level, None, read_colour(colour), person, ticked, n))
        if line.name and not line.problem and not is_free(line.name, [other.name for other in lines]):
            line = replace(line, problem=IllegalMove("name_taken"))
        if line.name or line.problem:
            lines.append(line)
    return lines


def press_line_button(lines: list[CrewLine], button: str) -> str:
    """Change the lines as one of their buttons asks, and return the button to focus. An unknown one does nothing."""
    if button == "add-computer" and len(lines) < PEOPLE_MOST:
        lines.append(CrewLine(suggest_computer_name([line.name for line in lines], DEFAULT_LEVEL), DEFAULT_LEVEL))
    match = ROW_BUTTON.match(button)
    at = next((n for n, line in enumerate(lines, 1) if match and line.row == int(match[2])), 0)
    return press_row_button(lines, at, match[1]) if match and at else button


def list_stored(lines: Sequence[CrewLine]) -> list[ListedPerson]:
    """Return the lines as the services store them."""
    return [ListedPerson(line.name, line.level, line.colour, line.here, line.person) for line in lines]


class CrewForm(NewGameForm):
    """A crew's name and what it plays, as for a new game; its people are in `lines`."""

    title = NameField(optional=True)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.lines = read_lines(data)
        self.version = read_number(data.get("version", ""))  # of the crew that the page showed; None if never sent

    def clean(self) -> dict[str, Any]:
        if any(line.problem for line in self.lines):
            self.add_error(None, ValidationError(_("Check the names."), code="names"))
        if len(self.lines) > PEOPLE_MOST:
            self.add_error(None, ValidationError(_("A crew can have at most 24 people. Remove some."), code="add"))
        return self.cleaned_data

    @property
    def rest(self) -> list[RulesetRow]:
        """All other rulesets: the page of all rules leads to a new game, not back to a crew."""
        return list_rest(self.rulesets)

    @property
    def unsaved(self) -> str:
        """A sentence about the lines that are not stored, "" if all are."""
        is_new = any(line.person is None for line in self.lines)
        return _("What you added is at the end of the list, not saved yet.") if is_new else ""

    def row_problems(self) -> list[tuple[str, str]]:
        """Return (id of the control, sentence) for each line with an error."""
        return [(f"name-{line.id}", line.refusal) for line in self.lines if line.problem]

    def find_problems(self, *, begins: bool) -> list[tuple[str, str]]:
        """Return (id of the control, sentence) for all errors. `begins`: also if the people ticked cannot play."""
        if not self.is_valid():
            return self.problems()
        why = self.why_not_start() if begins else ""
        return [("crew-people", why)] if why else []

    def why_not_start(self) -> str:
        """Return why the people ticked cannot play by these rules, "" if they can. The form has to be valid."""
        players = sum(line.here for line in self.lines)
        if not players:
            return _("Tick who is here tonight.") if self.lines else _("Add the people who are here tonight.")
        if players > PLAYERS_MOST:
            return _("A game can have at most %(n)s players. Untick some.") % {"n": PLAYERS_MOST}
        return check_player_count(self.cleaned_data["ruleset"], players, more=False)


def open_form(crew: Crew, people: list[CrewPerson], sent: Sequence[ListedPerson] = ()) -> CrewForm:
    """Return the form of a crew as its page first shows it, with what is stored in the shape of a post.

    `sent`: a list that was not saved. Those whom it adds stand at the end, unless their name is on the list by now.
    """
    names = [row.name for row in people]
    added = [line for line in sent if line.person is None and is_free(line.name, names)]
    listed: list[CrewPerson | ListedPerson] = [*people, *added]
    data = QueryDict(mutable=True)
    data["title"], data["ruleset"], data["mode"] = crew.name, crew.ruleset, crew.mode
    data["target"] = str(crew.target or "")
    if crew.settings:
        data["own"] = write_shared_rules(Ruleset.from_json(crew.settings))
    data.setlist("name", [line.name for line in listed])
    data.setlist("level", [line.level for line in listed])
    data.setlist("colour", [str(line.colour or "") for line in listed])
    data.setlist("person", [str(row.pk) for row in people])  # those added have none
    data.setlist("here", [str(n) for n, row in enumerate(people, 1) if row.here])
    return CrewForm(data)
