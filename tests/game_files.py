"""Records written as game files, for tests to read and replay. The site itself writes its files from rows."""

from typing import Any

from game.rules.play.moves import Faces, Hand, Join, Rename, SetTarget, StepIn, StepOut
from game.rules.record import FORMAT, VERSION, Record, RecordEvent, ShotRecord
from game.rules.record.model import Proof

_TYPES = {SetTarget: "target", Rename: "rename", Join: "join", StepOut: "out", StepIn: "in", Hand: "hand"}


def to_json(record: Record) -> dict[str, Any]:
    """Return the game file as JSON values, without fields for what is absent."""
    return _drop_none(
        {
            "format": FORMAT,
            "version": VERSION,
            "ruleset": record.ruleset.to_json(),
            "target": record.target,
            "players": [_drop_none({"name": entry.name, "level": entry.level}) for entry in record.players],
            "start": record.start and [list(faces) for faces in record.start],
            "events": [_write_event(event) for event in record.events],
            "result": record.result and {name: list(seats) for name, seats in vars(record.result).items()},
            "proof": record.proof and _write_proof(record.proof),
        }
    )


def _write_proof(proof: Proof) -> dict[str, Any]:
    return {
        "code": proof.code,
        "words": list(proof.words),
        "epochs": [dict(vars(epoch)) for epoch in proof.epochs],
        "numbers": list(proof.numbers),
    }


def _drop_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _write_event(event: RecordEvent) -> dict[str, Any]:
    if isinstance(event, ShotRecord):
        return _write_shot(event)
    return _drop_none({"type": _TYPES[type(event)], **vars(event)})


def _write_shot(shot: ShotRecord) -> dict[str, Any]:
    return _drop_none(
        {
            "type": "shot",
            "player": shot.player,
            "cancelled": shot.cancelled or None,
            "manual": shot.manual or None,
            "pick_up": shot.pick_up,
            "throws": [_write_faces(faces) for faces in shot.throws] or None,
            "end": shot.end,
            "points": shot.points,
            "dice_left": shot.dice_left,
            "lost": shot.lost or None,
            "nothing": shot.nothing or None,
        }
    )


def _write_faces(faces: Faces) -> dict[str, Any]:
    return _drop_none({"dice": list(faces.dice), "keep": faces.keep and list(faces.keep)})
