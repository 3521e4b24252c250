"""The game file: a whole game as data, read and written, replayed and checked."""

from game.rules.record.model import (
    Epoch,
    Flaw,
    Proof,
    Record,
    RecordError,
    RecordEvent,
    RecordResult,
    ShotRecord,
    event_place,
)  # fmt: skip
from game.rules.record.reading import EVENTS_MOST, from_json
from game.rules.record.replay import ReplayedGame, replay, result_of
from game.rules.record.strict_json import BYTES_MOST
from game.rules.record.undo import undo
from game.rules.record.writing import to_json, write_proof, write_result

__all__ = [
    "BYTES_MOST", "EVENTS_MOST", "Epoch", "Flaw", "Proof", "Record", "RecordError", "RecordEvent", "RecordResult",
    "ReplayedGame", "ShotRecord", "event_place", "from_json", "replay", "result_of", "to_json", "undo",
    "write_proof", "write_result",
]  # fmt: skip
