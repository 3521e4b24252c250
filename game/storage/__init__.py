"""The boundary between rows and rules: no rules of the game in rows, and no database in the rules.

`load_state` makes a game's state from its rows, `record_step` makes rows from a step. Shots, throws, changes and the
start alone are enough to replay a game; the state stored beside them is a cache with a format number.
"""

from game.storage.reading import (
    build_file_data,
    list_event_rows,
    load_checkpoint,
    load_record,
    load_state,
    load_target,
    query_level_then,
    replay_rows,
    restore_mode,
)
from game.storage.writing import EventContext, Writer, keep_state, list_player_fields, record_step, update_players

__all__ = [
    "EventContext", "Writer", "build_file_data", "keep_state", "list_event_rows", "list_player_fields",
    "load_checkpoint", "load_record", "load_state", "load_target", "query_level_then", "record_step", "replay_rows",
    "restore_mode", "update_players",
]  # fmt: skip
