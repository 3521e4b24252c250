"""Tables for spreadsheets, as CSV. Their headers are for programs, so they are not translated."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from game.currencies import count_decimals
from game.history import statistics
from game.history.evenings import Evening
from game.history.replay import Turn, list_turns_of
from game.models import Game, Visitor

TURN_COLUMNS = ("turn", "round", "player", "outcome", "throws", "points", "lost", "score", "real dice", "undone")
# Where spreadsheets see the start of a formula: at the start of a cell, or after what some take for the end of one.
FORMULA = re.compile(r"(?:^|(?<=[;,|]))(?=\s*[=+@＝＋－＠-])")


def write_table(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, with formulas defused."""
    text = io.StringIO()
    csv.writer(text).writerows([defuse_text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue()


def defuse_text(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula."""
    return FORMULA.sub("'", text)


def write_turns(game: Game) -> str:
    """Return the turns of a game as CSV, a row for each."""
    names = [seat.name for seat in game.seats]
    turns = enumerate(list_turns_of(game), 1)
    return write_table([TURN_COLUMNS, *(list_cells(n, turn, names[turn.seat]) for n, turn in turns)])


def list_cells(n: int, turn: Turn, name: str) -> tuple[object, ...]:
    """Return `TURN_COLUMNS` of a turn; one that has not ended has no score yet."""
    banked = turn.points if turn.outcome == "bank" else 0
    score = turn.score if turn.outcome else ""
    marks = ("yes" if mark else "" for mark in (turn.manual, turn.cancelled))
    return (n, turn.round, name, turn.outcome, turn.count, banked, turn.points - banked, score, *marks)


def write_evening(evening: Evening) -> str:
    """Return the standings of an evening as CSV, a row for each player."""
    pots = [f"pot {currency}".strip() for currency in evening.currencies]
    rows: list[Sequence[object]] = [
        ["player", *(f"game {n}" for n in range(1, len(evening.games) + 1)), "wins", "points", *pots]
    ]
    for standing in evening.standings:
        scores = [standing.scores.get(game.code, "") for game in evening.games]
        balances = [
            Decimal(standing.pot[currency]).scaleb(-count_decimals(currency)) for currency in evening.currencies
        ]
        rows.append([standing.name, *scores, len(standing.wins), standing.points, *balances])
    return write_table(rows)


def write_statistics(visitor: Visitor | None) -> Iterator[str]:
    """Yield CSV with a row for each seat that a visitor's people had in games that count, a few hundred at a time."""
    yield write_table([statistics.COLUMNS])
    for rows in statistics.list_counted_seats(visitor) if visitor else ():
        yield write_table(rows)
