"""Undoing the last shot of a record: it stays in there, marked as cancelled."""

from dataclasses import replace

from game.rules.record.model import Record, RecordError, ShotRecord
from game.rules.record.replay import replay, result_of
from game.rules.refusals import IllegalMove


def undo(record: Record) -> tuple[Record, tuple[int, ...]]:
    """Return the record without its last shot, and the indices of the events that this cancels.

    That is the running shot, else the last finished one; shots of computers go along, back to the last of a person.
    Raises `IllegalMove` if there is none, or if the record would not replay without it; `RecordError` for a bad record.
    """
    cancelled = _last_shots(record)
    if not cancelled:
        raise IllegalMove("nothing_to_undo")
    events = tuple(
        replace(event, cancelled=True) if index in cancelled and isinstance(event, ShotRecord) else event
        for index, event in enumerate(record.events)
    )
    undone = replace(record, events=events, result=None, proof=None)
    try:
        state = replay(undone).state
    except RecordError:
        raise IllegalMove("undo") from None
    return replace(undone, result=result_of(state)), cancelled


def _last_shots(record: Record) -> tuple[int, ...]:
    steps = replay(record).steps
    indices: list[int] = []
    for index in reversed(range(len(steps))):
        event = record.events[index]
        if isinstance(event, ShotRecord) and not event.cancelled:
            indices.append(index)
            if steps[index].state.players[event.player].level is None:
                break
    return tuple(sorted(indices))
