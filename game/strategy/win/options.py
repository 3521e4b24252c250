"""The ways to keep dice of a throw by chance to win, and by expected points where no table tells the chance."""

from __future__ import annotations

from dataclasses import dataclass

from game.rules.ruleset import Ruleset
from game.strategy.turn.options import DecisionPoint, Option, list_options
from game.strategy.win.score_situation import ScoreSituation, ShotChances, WinTable, solve_shot_chances


@dataclass(frozen=True)
class RatedOption:
    """A way to keep, and the chance to win with it, 0 to 1; None where it is not known."""

    option: Option
    win: float | None


def rate_options(
    ruleset: Ruleset, spot: DecisionPoint, standing: ScoreSituation, table: WinTable | None
) -> tuple[RatedOption, ...]:
    """Every way to keep, best first: by chance to win where there is a table, of equal ones by expected points."""
    found = list_options(ruleset, spot)
    if table is None or not found or len(standing.seats) < 2:
        return _rate(found, None, 0)
    score = standing.seats[0].score
    return _rate(found, solve_shot_chances(table, standing, score + max(way.total for way in found)), score)


def rate_with_chances(
    ruleset: Ruleset, spot: DecisionPoint, chances: ShotChances | None, score: int
) -> tuple[RatedOption, ...]:
    """The same where the chances of the whole shot are known already; `score` is the player's before it."""
    return _rate(list_options(ruleset, spot), chances, score)


def _rate(found: tuple[Option, ...], chances: ShotChances | None, score: int) -> tuple[RatedOption, ...]:
    if chances is None:
        return tuple(RatedOption(way, None) for way in found)
    rated = ((way, _chance(chances, way, score)) for way in found)
    return tuple(RatedOption(way, win) for way, win in sorted(rated, key=lambda each: (-each[1], -each[0].points)))


def _chance(chances: ShotChances, way: Option, score: int) -> float:
    if way.then == "win":
        return 1.0
    after = score + way.total
    return chances.bank(after) if way.then == "bank" else chances.throw(way.column, after)
