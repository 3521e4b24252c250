"""The boundary between rows and rules: no rules of the game in rows, and no database in the rules.

`load_state` makes a game's state from its rows, `record_step` makes rows from a step. Shots, throws, changes and the
start alone are enough to replay a game; the state stored beside them is a cache with a format number.
"""

from game.storage.reading import (
    event_rows,
    file_of,
    is_shot,
    load_state,
    query_level_then,
    record_of,
    state_from_rows,
    state_of,
    state_with_mode,
)
from game.storage.writing import EventContext, Writer, keep_state, player_fields, record_step

__all__ = [
    "EventContext", "Writer", "event_rows", "file_of", "is_shot", "keep_state", "load_state", "player_fields",
    "query_level_then", "record_of", "record_step", "state_from_rows", "state_of", "state_with_mode",
]  # fmt: skip
