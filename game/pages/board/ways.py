"""Ways to keep: every legal keep of the throw on the table, most points first, with odds if wanted."""

from game.pages.board.components import KeepRow, WaysToKeep
from game.pages.parts import coach
from game.pages.parts.choices import may_go_over
from game.pages.parts.components import Tray
from game.pages.parts.language import gettext as _
from game.pages.parts.text import format_dice_count, number, write_percent
from game.pages.parts.view_of_game import ViewerGame
from game.storage.columns import columns_of

SHOWN_FIRST = 4  # rows for which the panel has room; the others are shown on demand


def build_ways(game: ViewerGame, tray: Tray | None) -> WaysToKeep | None:
    """Return the panel; None for viewers who have nothing to choose in this game, or nothing more.

    `tray`: the one they see, which says what is chosen.
    """
    if not game.people or game.is_over:
        return None
    if game.hints == "off":
        return WaysToKeep(level="off", rows=()) if game.row.hints else None
    if not game.is_yours or not game.keeps:
        offered = game.is_yours and not game.throws and game.state.pick_up and game.hints == "coach"
        sentence = coach.advise_pick_up(game.state) if offered else ""
        return None if game.state.by_hand and not sentence else WaysToKeep(game.hints, (), sentence=sentence)
    advice = coach.find_advice(game.state) if game.hints == "coach" else None
    best = advice.best.option.keep if advice else None
    keeps = sorted(game.keeps, key=lambda keep: (not keep.keep.wins, -keep.gain, keep.keep.dice))
    if any(keep.keep == best for keep in keeps[SHOWN_FIRST:]):  # the best way is never hidden
        keeps.sort(key=lambda keep: keep.keep != best)
    chosen = tray.chosen if tray else ""
    shot, last = game.state.shot, game.throws[-1]
    columns = last.table_columns or {column: column for column in last.by_column}
    lying = {columns[column]: face for column, face in last.by_column.items()}
    rows = tuple(
        KeepRow(
            dice=keep.keep.dice,
            linked=shot.aside if shot and keep.keep.with_aside else (),
            points=number(keep.keep.points),
            left=format_dice_count(keep.left),
            bust="" if keep.bust is None else write_percent(keep.bust, 1),
            bar=round(100 * (keep.bust or 0), 1),
            url=f"{game.url}?keep={','.join(map(str, columns_of(lying, keep.keep.dice)))}",
            keep=keep.key,
            chosen=keep.key == chosen,
            best=keep.keep == best,
        )
        for keep in keeps
    )
    return WaysToKeep(
        level=game.hints,
        rows=rows,
        more=_("Show all %(n)s") % {"n": len(rows)} if len(rows) > SHOWN_FIRST else "",
        sentence=coach.describe_advice(game.state, advice) if advice else "",
        over=may_go_over(game.state.ruleset),
    )
