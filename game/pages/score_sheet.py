"""The score sheet: every turn of a game as a table of rounds and players; and a blank sheet."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from game import services
from game.history.replay import Turn, list_turns_of
from game.models import Game, RulesetRow, ShotRow, Visitor
from game.pages.rulesets import summary
from game.pages.rulesets.face_points import build_value_grid
from game.pages.rulesets.values import describe_length
from game.rules import Ruleset
from game.storage import load_target
from game.strategy.duration import estimate_rounds

# To fill in by hand, unless a number of rounds ends the game. With the most, nearly every ruleset's sheet is one page.
ROWS_LEAST, ROWS_MOST = 15, 19
BLANK_PLAYERS = 6


@dataclass(frozen=True)
class SheetTurn:
    """A turn, the points that it took off its player's score, and whether it got the player on the board."""

    turn: Turn
    penalty: int
    entered: bool


@dataclass(frozen=True)
class PointsField:
    """A field for the points of an earlier turn with real dice. `value`: what it holds, or what was typed into it."""

    shot: ShotRow
    name: str  # of the field
    value: str


def build_sheet(game: Game, visitor: Visitor | None, typed: Mapping[str, str]) -> dict[str, object]:
    """Return what the sheet of a game shows to a visitor. `typed`: what a refused form had, by field."""
    played = list_rounds(list_turns_of(game))
    target = load_target(game)
    return {
        "game": game,
        "length": describe_length(game.rules, target),
        "players": game.seats,
        "rounds": played,
        "corrections": [build_points_field(shot, typed) for shot in services.list_correctable(game, visitor)][::-1],
        "takes_part": services.has_part(game, visitor),
        "empty": () if game.is_over else list_empty_rounds(len(played), game.rules, len(game.seats), target),
    }


def build_points_field(shot: ShotRow, typed: Mapping[str, str]) -> PointsField:
    """Return the field for a turn's points."""
    name = f"points-{shot.place}"
    return PointsField(shot, name, typed.get(name, str(services.find_typed_points(shot))))


def build_blank_sheet(slug: str | None) -> dict[str, object]:
    """Return what a blank sheet shows, with what scores under the ruleset of this slug, or else under the first."""
    rulesets = list(RulesetRow.query_offered())
    row = next((row for row in rulesets if row.slug == slug), rulesets[0] if rulesets else None)
    return {
        "game": None,
        "row": row,
        "rulesets": rulesets,
        "grid": build_value_grid(row.rules) if row else (),
        "scores": summary.list_scoring_dice(row.rules) if row else (),
        "length": describe_length(row.rules) if row else "",
        "players": range(BLANK_PLAYERS),
        "rounds": (),
        "empty": list_empty_rounds(0, row.rules, BLANK_PLAYERS) if row else range(1, 1 + ROWS_LEAST),
    }


def list_empty_rounds(after: int, rules: Ruleset, players: int, target: int | None = None) -> range:
    """Return the rounds to fill in by hand: as many as a game usually takes, if one page has room for them.

    `after`: how many have been played; `target`: None for the ruleset's own.
    """
    usual = min(estimate_rounds(rules, target) or 0, ROWS_MOST if players <= BLANK_PLAYERS else ROWS_LEAST)
    last = rules.rounds if rules.rounds > after else max(usual, after + ROWS_LEAST)
    return range(after + 1, last + 1)


def list_rounds(played: Iterable[Turn]) -> list[tuple[int, dict[int, SheetTurn]]]:
    """Return (round, its turns by seat), from the first round on, without undone turns and one that has not ended."""
    rows: dict[int, dict[int, SheetTurn]] = {}
    scores: dict[int, int] = {}
    seen: set[int] = set()
    for turn in played:
        if turn.cancelled or not turn.outcome:
            continue
        gets_in = turn.outcome == ShotRow.Outcome.BANK and turn.seat not in seen
        if gets_in:
            seen.add(turn.seat)
        penalty = scores.get(turn.seat, 0) - turn.score
        rows.setdefault(turn.round, {})[turn.seat] = SheetTurn(turn, penalty, gets_in)
        scores[turn.seat] = turn.score
    return sorted(rows.items())
