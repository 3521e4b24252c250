"""Ways to keep: every legal keep of the throw on the table, most points first, with odds if wanted."""

from dataclasses import dataclass

from game.pages.parts import coach
from game.pages.parts.view_of_game import LegalKeep, ViewerGame
from game.storage.columns import pick_columns
from game.strategy.preload import request_readiness

SHOWN_FIRST = 4  # rows for which the panel has room; the others are shown on demand


@dataclass(frozen=True)
class KeepRow:
    """A row of Ways to keep."""

    way: LegalKeep
    linked: tuple[int, ...]  # dice set aside before that the set includes (three pairs across throws)
    columns: tuple[int, ...]
    best: bool


@dataclass(frozen=True)
class WaysToKeep:
    """The panel of ways to keep."""

    level: str  # 'off' 'points' 'odds' 'coach'
    rows: tuple[KeepRow, ...] = ()
    sentence: str = ""


def build_ways(game: ViewerGame) -> WaysToKeep | None:
    """Return the panel; None for viewers who have nothing to choose in this game, or nothing more."""
    if not game.people or game.is_over:
        return None
    if game.hints == "off":
        return WaysToKeep(game.hints) if game.row.hints else None
    if game.hints == "coach":
        request_readiness(game.state.ruleset, game.state.target)  # so that the values are there by the first throw
    if not game.is_yours or not game.keeps:
        offered = game.is_yours and not game.throws and game.state.pick_up and game.hints == "coach"
        sentence = coach.advise_pick_up(game.state) if offered else ""
        return None if game.state.by_hand and not sentence else WaysToKeep(game.hints, sentence=sentence)
    advice = coach.find_advice(game.state) if game.hints == "coach" else None
    best = advice.best.option.keep if advice else None
    keeps = sorted(game.keeps, key=lambda keep: (not keep.keep.wins, -keep.gain, keep.keep.dice))
    if any(keep.keep == best for keep in keeps[SHOWN_FIRST:]):  # the best way is never hidden
        keeps.sort(key=lambda keep: keep.keep != best)
    shot, last = game.state.shot, game.throws[-1]
    columns = last.table_columns or {column: column for column in last.by_column}
    lying = {columns[column]: face for column, face in last.by_column.items()}
    rows = tuple(
        KeepRow(
            way=keep,
            linked=shot.aside if shot and keep.keep.with_aside else (),
            columns=pick_columns(lying, keep.keep.dice),
            best=keep.keep == best,
        )
        for keep in keeps
    )
    return WaysToKeep(game.hints, rows, coach.describe_advice(game.state, advice) if advice else "")
