"""The play that maximises the chance to win: exact for two players, an estimate for more."""

from game.strategy.win.endgame import solve_endgame
from game.strategy.win.memory import estimate_bytes
from game.strategy.win.race import NoTable, Race, make_race, never_has_table
from game.strategy.win.race_bounds import ProgressCallback
from game.strategy.win.race_solver import FIRST_STEP, cut_table, solve_race
from game.strategy.win.rating import (
    RatedOption,
    make_score_situation,
    rate_options,
    rate_pick_up,
    rate_state,
    rate_with_chances,
    solve_beginnings,
)
from game.strategy.win.rough_table import make_rough_table
from game.strategy.win.score_situation import ScoreSituation, SeatScore, ShotChances, solve_shot_chances
from game.strategy.win.store import (
    TABLE_SOURCES,
    decode_table,
    encode_table,
    find_table,
    is_shipped,
    map_tables_in,
    prepare_table,
    save_table,
    table_digest,
)
from game.strategy.win.win_table import WinTable

__all__ = [
    "FIRST_STEP", "TABLE_SOURCES", "NoTable", "ProgressCallback", "Race", "RatedOption", "ScoreSituation", "SeatScore",
    "ShotChances", "WinTable", "cut_table", "decode_table", "encode_table", "estimate_bytes", "find_table",
    "is_shipped", "make_race", "make_rough_table", "make_score_situation", "map_tables_in", "never_has_table",
    "prepare_table", "rate_options", "rate_pick_up", "rate_state", "rate_with_chances", "save_table",
    "solve_beginnings", "solve_endgame", "solve_race", "solve_shot_chances", "table_digest",
]  # fmt: skip
