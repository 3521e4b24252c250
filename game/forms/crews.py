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
from game.forms.new import NewGameForm, check_player_count, list_offered
from game.forms.seats import ROW_BUTTON, SeatEntries, SeatEntry, check_row, move_row, rename_computer
from game.forms.shared_rules import write_shared_rules
from game.models import Crew, CrewPerson, RulesetRow
from game.pages.parts.colours import read_colour
from game.pages.parts.computer_levels import suggest_computer_name
from game.pages.parts.names import is_free
from game.rules import DEFAULT_LEVEL, IllegalMove, Ruleset
from game.rules.play.moves import read_mode
from game.rules.ruleset import PLAYERS_MOST
from game.services.crews import OWN_RULES, PEOPLE_MOST, CrewSettings, ListedPerson


@dataclass(frozen=True)
class CrewLine:
    """A line of the list. `person`: the key of its stored row, if any; `row`: its number in the form, from 1.

    `here`: ticked, because this person plays tonight.
    """

    entry: SeatEntry
    person: int | None = None
    here: bool = True
    row: int = 0

    @property
    def id(self) -> str:
        """The part that identifies the line in the ids of its controls."""
        return str(self.person or f"new-{self.row}")


def read_lines(data: QueryDict) -> tuple[CrewLine, ...]:
    """Return the lines of the form that have a name, with an error at each whose name is taken by a line above it."""
    names, here = data.getlist("name")[: PEOPLE_MOST + 1], set(data.getlist("here"))
    others = (data.getlist(field)[: len(names)] for field in ("level", "colour", "person"))
    lines: list[CrewLine] = []
    for n, (name, level, colour, key) in enumerate(zip_longest(names, *others, fillvalue=""), 1):
        entry = SeatEntry(name, level, colour=read_colour(colour))
        entry = check_row(entry) if name.strip(" *") or level else SeatEntry()
        if entry.name and not entry.problem and not is_free(entry.name, [line.entry.name for line in lines]):
            entry = replace(entry, problem=IllegalMove("name_taken"))
        if entry.name or entry.problem:
            person = read_number(key)
            ticked = str(n) in here or person is None  # somebody just added counts as here
            lines.append(CrewLine(entry, person, ticked, n))
    return tuple(lines)


def press_line_button(lines: tuple[CrewLine, ...], button: str) -> tuple[list[CrewLine], str]:
    """Return the lines after a press of one of their buttons, and the button to focus. An unknown one does nothing."""
    rows = list(lines)
    if button == "add-computer" and len(rows) < PEOPLE_MOST:
        name = suggest_computer_name([line.entry.name for line in rows], DEFAULT_LEVEL)
        rows.append(CrewLine(SeatEntry(name, DEFAULT_LEVEL)))
    match = ROW_BUTTON.match(button)
    at = next((n for n, line in enumerate(rows) if match and line.row == int(match[2])), None)
    if not match or at is None:
        return rows, button
    match match[1]:
        case "remove":
            del rows[at]
            button = f"remove-{min(at + 1, len(rows))}" if rows else "add"
        case "level":
            entries = rename_computer(SeatEntries(tuple(line.entry for line in rows)), at + 1).rows
            rows[at] = replace(rows[at], entry=entries[at])
        case "up" | "down":
            button = move_row(rows, at + 1, match[1])
    return rows, button


def list_stored(lines: Sequence[CrewLine]) -> list[ListedPerson]:
    """Return the lines as the services store them."""
    return [
        ListedPerson(line.entry.name, line.entry.level, line.entry.colour, line.here, line.person) for line in lines
    ]


class CrewForm(NewGameForm):
    """A crew's name and what it plays, as for a new game; its people are in `lines`."""

    title = NameField(optional=True)

    def __init__(self, data: QueryDict, rulesets: list[RulesetRow]) -> None:
        super().__init__(data, rulesets)
        self.lines = read_lines(data)
        self.version = read_number(data.get("version", ""))  # of the crew that the page showed; None if never sent

    def clean(self) -> dict[str, Any]:
        if any(line.entry.problem for line in self.lines):
            self.add_error(None, ValidationError(_("Check the names."), code="names"))
        if len(self.lines) > PEOPLE_MOST:
            self.add_error(None, ValidationError(_("A crew can have at most 24 people. Remove some."), code="add"))
        return self.cleaned_data

    @property
    def unsaved(self) -> str:
        """Return a sentence about the lines that are not stored, "" if all are."""
        is_new = any(line.person is None for line in self.lines)
        return _("What you added is at the end of the list, not saved yet.") if is_new else ""

    @property
    def settings(self) -> CrewSettings:
        """The chosen rules and settings. The form has to be valid."""
        chosen = self.cleaned_data["ruleset"]
        own, slug = (None, chosen.slug) if isinstance(chosen, RulesetRow) else (chosen, OWN_RULES)
        return CrewSettings(slug, own, self.cleaned_data["target"], read_mode(self.cleaned_data["mode"]))

    def row_problems(self) -> list[tuple[str, str]]:
        """Return (id of the control, sentence) for each line with an error."""
        return [(f"name-{line.id}", line.entry.refusal) for line in self.lines if line.entry.problem]

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
    return CrewForm(data, list_offered(crew.ruleset))
