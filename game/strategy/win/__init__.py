"""The play with the largest chance to win: exact for two players, an estimate for more."""

from game.strategy.win.ends import NoTable, Race, ends_of, race_of
from game.strategy.win.options import Rated, rate_in_shot, rate_ways
from game.strategy.win.score_situation import Seat, ShotChances, Standing, Table, shot_chances
from game.strategy.win.state import move_of, next_may_take, rate, spot_of, standing_of
from game.strategy.win.store import (
    add_source,
    as_file,
    comes_solved,
    digest,
    load_file,
    remove_source,
    save_table,
    table_from,
    table_of,
)
from game.strategy.win.table import solve

__all__ = [
    "NoTable",
    "Race",
    "Rated",
    "Seat",
    "ShotChances",
    "Standing",
    "Table",
    "add_source",
    "as_file",
    "comes_solved",
    "digest",
    "ends_of",
    "load_file",
    "move_of",
    "next_may_take",
    "race_of",
    "rate",
    "rate_in_shot",
    "rate_ways",
    "remove_source",
    "save_table",
    "shot_chances",
    "solve",
    "spot_of",
    "standing_of",
    "table_from",
    "table_of",
]
