"""The score sheet: every turn of a game as a table of rounds and players; and a blank sheet."""

from collections.abc import Sequence

from game.history.replay import Turn, turns_of
from game.models import Game, RulesetRow, ShotRow
from game.pages.parts.text import number
from game.pages.rulesets import summary
from game.pages.rulesets.face_points import build_value_grid
from game.pages.rulesets.names import name_stored
from game.pages.rulesets.values import describe_length
from game.storage import load_state

EMPTY_ROWS = 15
BROAD = 6  # with more players than this the sheet is printed in landscape
BLANK_PLAYERS = 6


# A turn, the points that it took off the score, and whether it got its player on the board.
SheetTurn = tuple[Turn, int, bool]


def build_sheet(game: Game, *, takes_part: bool) -> dict[str, object]:
    """Return what the sheet of a game shows. `takes_part`: the viewer has a part in the game."""
    played = list_rounds(len(game.seats), turns_of(game))
    return {
        "game": game,
        "ruleset": name_stored(game.settings),
        "length": describe_length(
            game.rules, game.target if game.status == Game.Status.WAITING else load_state(game).target
        ),
        "players": [(seat.name, number(seat.score)) for seat in game.seats],
        "rounds": played,
        "empty": () if game.is_over else list_empty_rounds(len(played), game.rules.rounds),
        "broad": len(game.seats) > BROAD,
        "takes_away": game.is_over or (bool(played) and takes_part),
    }


def build_blank_sheet(rulesets: Sequence[RulesetRow], slug: str | None) -> dict[str, object]:
    """Return what a blank sheet shows, with what scores under the ruleset of this slug, or else under the first."""
    row = next((row for row in rulesets if row.slug == slug), rulesets[0] if rulesets else None)
    return {
        "row": row,
        "rulesets": rulesets,
        "grid": build_value_grid(row.rules) if row else (),
        "scores": summary.list_scoring_dice(row.rules) if row else (),
        "length": describe_length(row.rules) if row else "",
        "entry": number(row.rules.least_first_bank) if row and row.rules.entry_minimum else "",
        "players": [("", "")] * BLANK_PLAYERS,
        "rounds": (),
        "empty": list_empty_rounds(0, row.rules.rounds if row else 0),
    }


def list_empty_rounds(after: int, rounds: int) -> list[str]:
    """Return the numbers of the rounds to fill in by hand. `after`: how many have been played.

    `rounds`: how many the game has; 0 if it does not end after a number of them.
    """
    left = rounds - after if rounds > after else EMPTY_ROWS
    return [number(after + n) for n in range(1, left + 1)]


def list_rounds(players: int, played: Sequence[Turn]) -> list[tuple[str, list[SheetTurn | None]]]:
    """Return (round, a cell for each seat), from the first round on, without undone turns."""
    rows: dict[int, list[SheetTurn | None]] = {}
    scores: dict[int, int] = {}
    seen: set[int] = set()
    for turn in played:
        if turn.cancelled:
            continue
        gets_in = turn.outcome == ShotRow.Outcome.BANK and turn.seat not in seen
        if gets_in:
            seen.add(turn.seat)
        row = rows.setdefault(turn.round, [None] * players)
        row[turn.seat] = turn, scores.get(turn.seat, 0) - turn.score, gets_in
        scores[turn.seat] = turn.score
    return [(number(round_), rows[round_]) for round_ in sorted(rows)]
