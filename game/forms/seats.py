"""The rows of players on the new game page, read from a form, changed by their buttons, and checked at the start."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TypeVar

from django.http import QueryDict

from game.forms.fields import clean_player_name
from game.models import Player
from game.pages.parts.colours import read_colour
from game.pages.parts.computer_levels import STAR, describe_play, is_given_name, suggest_computer_name
from game.pages.parts.names import is_free, suggest_person_name
from game.pages.parts.refusals import describe_refusal
from game.rules import DEFAULT_LEVEL, Entry, IllegalMove
from game.rules.ruleset import PLAYERS_MOST
from game.strategy.computers import COMPUTERS

ROW_BUTTON = re.compile(r"(up|down|remove|level|colour)-([1-9][0-9]?)\Z")


@dataclass(frozen=True)
class SeatEntry:
    """One row. `level`: empty for a person; `colour`: 1 to 8, if chosen. A computer's name begins with a star."""

    name: str = ""
    level: str = ""
    problem: IllegalMove | None = None
    colour: int | None = None

    @property
    def bare(self) -> str:
        """The name without the star."""
        return self.name.strip().lstrip(STAR).strip()

    @property
    def computer(self) -> bool:
        """Whether a computer is to play."""
        return bool(self.level) or self.name.strip().startswith(STAR)

    @property
    def refusal(self) -> str:
        """What is wrong with the row, "" for nothing."""
        return describe_refusal(self.problem) if self.problem else ""

    @property
    def play(self) -> str:
        """How a computer of this level plays."""
        return describe_play(self.level) if self.computer else ""


AnyEntry = TypeVar("AnyEntry", bound=SeatEntry)


def suggest_name(rows: Sequence[SeatEntry], n: int) -> str:
    """Return the name that a row, counted from 1, gets if none is typed."""
    row, taken = rows[n - 1], [row.name for row in rows]
    return suggest_computer_name(taken, row.level) if row.computer else suggest_person_name(n, taken)


def read_seats(data: QueryDict) -> list[SeatEntry]:
    """Return the posted rows; one without a level is a person's, unless the typed name begins with a star."""
    names = data.getlist("name")[: PLAYERS_MOST + 1]
    sent = zip_longest(names, *(data.getlist(field)[: len(names)] for field in ("level", "colour")), fillvalue="")
    rows = (SeatEntry(name, level, colour=read_colour(colour)) for name, level, colour in sent)
    return [replace(row, level=DEFAULT_LEVEL) if row.computer and not row.level else row for row in rows]


def press_button(rows: list[SeatEntry], button: str) -> str:
    """Change the rows as one of their buttons asks, and return the control to focus. An unknown one does nothing."""
    if button in ("add", "add-computer"):
        return add_row(rows, DEFAULT_LEVEL if button == "add-computer" else "")
    match = ROW_BUTTON.match(button)
    focus = press_row_button(rows, int(match[2]), match[1]) if match and int(match[2]) <= len(rows) else ""
    return "add" if focus == "remove-1" and len(rows) == 1 else focus  # the only row cannot be removed


def press_row_button(rows: list[AnyEntry], row: int, do: str) -> str:
    """Change a row, counted from 1, as its button asks, and return the control to focus."""
    match do:
        case "remove":
            del rows[row - 1]
            return f"remove-{min(row, len(rows))}" if rows else "add"
        case "level":
            rename_computer(rows, row)
        case "up" | "down":
            return move_row(rows, row, do)
    return f"{do}-{row}"


def add_row(rows: list[SeatEntry], level: str) -> str:
    """Add a row, with a name of its level if it is a computer's, unless the table is full; return what to focus."""
    if len(rows) >= PLAYERS_MOST:
        return ""
    rows.append(SeatEntry(suggest_computer_name([row.name for row in rows], level) if level else "", level))
    return f"name-{len(rows)}"


def rename_computer(rows: list[AnyEntry], row: int) -> None:
    """Give a computer whose level has changed a default name of the new level, unless it has a name of its own."""
    seat = rows[row - 1]
    if is_given_name(seat.name):
        taken = [other.name for other in rows if other is not seat]
        rows[row - 1] = replace(seat, name=suggest_computer_name(taken, seat.level))


def move_row(rows: list[AnyEntry], row: int, way: str) -> str:
    """Swap a row, counted from 1, with its neighbour; return the button to focus: one that the row still has there."""
    to = row - 1 if way == "up" else row + 1
    if not 1 <= to <= len(rows):
        return ""
    rows[row - 1], rows[to - 1] = rows[to - 1], rows[row - 1]
    if to in (1, len(rows)):
        way = "down" if to == 1 else "up"
    return f"{way}-{to}"


def read_new_player(data: QueryDict, code: str, *, computer: bool) -> tuple[str, str | None]:
    """Return the name and level of a player who joins this game; the name has a default. Raises `IllegalMove`."""
    taken = list(Player.objects.filter(game__code=code).values_list("name", flat=True))
    row = SeatEntry(data.get("name", ""), (data.get("level") or DEFAULT_LEVEL) if computer else "")
    if not row.computer:
        return clean_player_name(row.bare or suggest_person_name(len(taken) + 1, taken)), None
    level = row.level or DEFAULT_LEVEL
    return name_computer(row, level, taken), level


def read_new_name(data: QueryDict, code: str, player: int) -> str:
    """Return the new name of a player in this game's lobby. Raises `IllegalMove`.

    A computer stays one, with or without a typed star, unless the star is all that its name has lost.
    """
    names = {seat.pk: (seat.name, seat.level) for seat in Player.objects.filter(game__code=code)}
    before, level = names.pop(player, ("", ""))
    row = SeatEntry(data.get("name", ""), level)
    if not row.computer or row.name.strip() in ("", before.removeprefix(STAR)):
        return clean_player_name(row.name)
    return name_computer(row, row.level or DEFAULT_LEVEL, [name for name, _level in names.values()])


def name_computer(row: SeatEntry, level: str, taken: Sequence[str]) -> str:
    """Return the name in a computer's row with its star, or a default name of its level. Raises `IllegalMove`."""
    return clean_player_name(STAR + row.bare if row.bare else suggest_computer_name(taken, level))


def check_seats(seats: Sequence[SeatEntry]) -> list[SeatEntry]:
    """Return the rows with their final names, with defaults for empty ones, and with an error at each wrong row."""
    rows = [check_row(row) for row in seats]
    names: list[str] = []
    for n, row in enumerate(rows):
        if not row.name and not row.problem:
            rows[n] = replace(row, name=suggest_name(rows, n + 1))
        elif not row.problem and not is_free(row.name, names):
            rows[n] = replace(row, problem=IllegalMove("name_taken"))
        names.append(rows[n].name)
    return rows


def check_row(row: AnyEntry) -> AnyEntry:
    """Return a row with its name cleaned, or with its error; the name is empty if it is to get a default."""
    level = row.level or (DEFAULT_LEVEL if row.computer else "")
    if level and level not in COMPUTERS:
        return replace(row, level=DEFAULT_LEVEL, problem=IllegalMove("level"))
    if not row.name.strip(STAR + " "):
        return replace(row, name="", level=level)  # a lone star asks for a computer
    try:
        return replace(row, name=clean_player_name(STAR + row.bare if level else row.name), level=level)
    except IllegalMove as refused:
        return replace(row, level=level, problem=refused)


def list_entries(seats: Sequence[SeatEntry]) -> tuple[Entry, ...]:
    """Return the rows as the rules take them."""
    return tuple(Entry(row.name, row.level or None) for row in seats)
