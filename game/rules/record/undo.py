"""Undoing the last shot of a record: it stays there, marked as cancelled."""

from collections.abc import Collection
from dataclasses import replace

from game.rules.play.state import State
from game.rules.record.model import Record, RecordError, ShotRecord
from game.rules.record.replay import replay, result_of
from game.rules.refusals import IllegalMove


def undo(record: Record, before: State | None = None) -> tuple[Record, tuple[int, ...]]:
    """Return the record without its last shot, and the indices of the events that this cancels.

    The last shot is the running one, else the last finished one; computers' shots after a person's last one are
    cancelled with it. `before`: as in `replay`; with it, the record has to hold a shot of a person. Raises
    `IllegalMove` if there is no shot to undo, or if the record would not replay without it; `RecordError` for a bad
    record.
    """
    cancelled = _last_shots(record, before)
    if not cancelled:
        raise IllegalMove("nothing_to_undo")
    return cancel_shots(record, cancelled, before), cancelled


def cancel_shots(record: Record, cancelled: Collection[int], before: State | None = None) -> Record:
    """Return the record with the shots at these indices marked as cancelled. `before`: as in `replay`.

    Raises `IllegalMove` if the record would not replay without them.
    """
    events = tuple(
        replace(event, cancelled=True) if index in cancelled and isinstance(event, ShotRecord) else event
        for index, event in enumerate(record.events)
    )
    undone = replace(record, events=events, result=None, proof=None)
    try:
        state = replay(undone, before).state
    except RecordError:
        raise IllegalMove("undo") from None
    return replace(undone, result=result_of(state))


def _last_shots(record: Record, before: State | None) -> tuple[int, ...]:
    steps = replay(record, before).steps
    indices: list[int] = []
    for index in reversed(range(len(steps))):
        event = record.events[index]
        if isinstance(event, ShotRecord) and not event.cancelled:
            indices.append(index)
            if steps[index].state.players[event.player].level is None:
                return tuple(sorted(indices))
    return tuple(sorted(indices)) if before is None else ()
