"""The door between rows and rules: no rule of the game in a row, and no database in a rule.

`load_state` is the way from the rows to where a game stands, `record_step` the way back. Shots, throws, changes and the
start alone are enough to replay a game; the state that is stored beside them is a cache, which has a format number.
"""

from game.storage.reading import (
    event_rows,
    file_of,
    is_shot,
    load_state,
    record_of,
    state_from_rows,
    state_of,
    state_with_mode,
)
from game.storage.writing import EventContext, Writer, keep_state, player_fields, record_step

__all__ = [
    "EventContext", "Writer", "event_rows", "file_of", "is_shot", "keep_state", "load_state", "player_fields",
    "record_of", "record_step", "state_from_rows", "state_of", "state_with_mode",
]  # fmt: skip
