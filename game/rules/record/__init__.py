"""The game file: a whole game as data, read, replayed and checked."""

from game.rules.record.model import FORMAT, VERSION, Flaw, Record, RecordError, RecordEvent, ShotRecord
from game.rules.record.reading import from_json
from game.rules.record.replay import ReplayedGame, replay, result_of
from game.rules.record.strict_json import BYTES_MOST
from game.rules.record.undo import cancel_shots, undo

__all__ = [
    "BYTES_MOST", "FORMAT", "VERSION", "Flaw", "Record", "RecordError", "RecordEvent", "ReplayedGame", "ShotRecord",
    "cancel_shots", "from_json", "replay", "result_of", "undo",
]  # fmt: skip
