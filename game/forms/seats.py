"""The rows of players on the new game page: read, changed by the row buttons, checked at the start."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.http import QueryDict

from game.forms.fields import clean_player_name
from game.models import Player
from game.pages.parts.computer_levels import STAR, is_given_name, suggest_computer_name
from game.pages.parts.names import is_free, suggest_person_name
from game.rules import Entry, IllegalMove
from game.rules.ruleset import PLAYERS_MOST
from game.strategy.computers import COMPUTERS, FIRST_LEVEL

ROW_BUTTON = re.compile(r"(up|down|remove|level)-([1-9][0-9]?)\Z")


@dataclass(frozen=True)
class Seat:
    """One row. `level` is empty for a person; a computer's name begins with a star."""

    name: str = ""
    level: str = ""
    problem: IllegalMove | None = None

    @property
    def bare(self) -> str:
        return self.name.strip().lstrip(STAR).strip()

    @property
    def computer(self) -> bool:
        return bool(self.level) or self.name.strip().startswith(STAR)


@dataclass(frozen=True)
class Seats:
    """All rows in seating order. `focus` names the control that a person would use next."""

    rows: tuple[Seat, ...]
    focus: str = ""

    def __len__(self) -> int:
        return len(self.rows)


def of_post(data: QueryDict) -> Seats:
    """The rows as they were sent; a row without a level is a person's."""
    names, levels = data.getlist("name")[: PLAYERS_MOST + 1], data.getlist("level")[: PLAYERS_MOST + 1]
    levels += [""] * (len(names) - len(levels))
    return Seats(tuple(Seat(name, level) for name, level in zip(names, levels, strict=False)))


def press(seats: Seats, button: str) -> Seats:
    """What a button in the rows does. One that is not there does nothing."""
    if button in ("add", "add-computer"):
        return add(seats, FIRST_LEVEL if button == "add-computer" else "")
    match = ROW_BUTTON.match(button)
    row = int(match[2]) if match else 0
    if not match or row > len(seats):
        return seats
    if match[1] == "level":
        return rename(seats, row)
    return remove(seats, row) if match[1] == "remove" else move(seats, row, match[1])


def add(seats: Seats, level: str) -> Seats:
    if len(seats) >= PLAYERS_MOST:
        return seats
    name = suggest_computer_name([row.name for row in seats.rows], level) if level else ""
    return Seats((*seats.rows, Seat(name, level)), focus=f"name-{len(seats) + 1}")


def remove(seats: Seats, row: int) -> Seats:
    rows = (*seats.rows[: row - 1], *seats.rows[row:])
    return Seats(rows, focus=f"remove-{min(row, len(rows))}" if rows else "add")


def rename(seats: Seats, row: int) -> Seats:
    """Another level was chosen: a computer that goes by one of our names gets one of that level."""
    rows, seat = list(seats.rows), seats.rows[row - 1]
    if is_given_name(seat.name):
        taken = [other.name for other in rows if other is not seat]
        rows[row - 1] = replace(seat, name=suggest_computer_name(taken, seat.level))
    return Seats(tuple(rows), focus=f"level-{row}")


def move(seats: Seats, row: int, way: str) -> Seats:
    """Swaps a row with its neighbour; the focus goes along, to a button that the row still has."""
    rows, to = list(seats.rows), row - 1 if way == "up" else row + 1
    if not 1 <= to <= len(rows):
        return seats
    rows[row - 1], rows[to - 1] = rows[to - 1], rows[row - 1]
    if to in (1, len(rows)):
        way = "down" if to == 1 else "up"
    return Seats(tuple(rows), focus=f"{way}-{to}")


def names_in(code: str) -> list[str]:
    """The names that are taken in a game."""
    return list(Player.objects.filter(game__code=code).values_list("name", flat=True))


def joining(data: QueryDict, taken: Sequence[str], *, computer: bool) -> tuple[str, str | None]:
    """Name and level of who sits down at a game that is there; an empty name is filled in. Raises `IllegalMove`."""
    row = Seat(data.get("name", ""), (data.get("level") or FIRST_LEVEL) if computer else "")
    if not row.computer:
        return clean_player_name(row.bare or suggest_person_name(len(taken) + 1, taken)), None
    level = row.level or FIRST_LEVEL
    return clean_player_name(STAR + row.bare if row.bare else suggest_computer_name(taken, level)), level


def checked(seats: Seats) -> Seats:
    """Names as they will stand, empty ones filled in, what is wrong with a row at the row."""
    rows = [check_row(row) for row in seats.rows[: PLAYERS_MOST + 1]]
    for n, row in enumerate(rows):
        if not row.name and not row.problem:
            taken = [other.name for other in rows]
            name = suggest_computer_name(taken, row.level) if row.level else suggest_person_name(n + 1, taken)
            rows[n] = replace(row, name=name)
    return Seats(tuple(refuse_twins(rows)))


def check_row(row: Seat) -> Seat:
    level = row.level or (FIRST_LEVEL if row.computer else "")
    if level and level not in COMPUTERS:
        return replace(row, level=FIRST_LEVEL, problem=IllegalMove("level"))
    if not row.name.strip(STAR + " "):
        return Seat("", level)  # a star alone asks for a computer, whose name we fill in
    try:
        return Seat(clean_player_name(STAR + row.bare if level else row.name), level)
    except IllegalMove as refused:
        return replace(row, level=level, problem=refused)


def refuse_twins(rows: Sequence[Seat]) -> Iterable[Seat]:
    seen: list[str] = []
    for row in rows:
        taken = not row.problem and not is_free(row.name, seen)
        seen.append(row.name)
        yield replace(row, problem=IllegalMove("name_taken")) if taken else row


def entries(seats: Seats) -> tuple[Entry, ...]:
    return tuple(Entry(row.name, row.level or None) for row in seats.rows)
