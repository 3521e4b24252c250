"""Correcting the points of earlier turns with real dice, which saves undoing and entering again all that came since.

Only where nobody on another device has to agree: `consent` has the undo for everybody else.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile

from game.models import Game, ShotRow, Visitor
from game.rules import Manual, apply, record
from game.services.refusals import NotCorrectable, TurnsWouldDiffer
from game.services.seat_changes import decides_alone
from game.services.shots import GameAndEvents
from game.services.transaction import Command, locked_change
from game.services.undo import LastTurn, cancel_turn
from game.storage import list_event_rows, load_record, load_state, record_step

CORRECTED_MOST = 40  # turns that one correction may enter again, since others wait for its end


def list_correctable(game: Game, visitor: Visitor | None) -> list[ShotRow]:
    """Return the turns whose points this visitor may correct, in order: the latest ones, all with typed points.

    A turn of other dice, and every change of players or target, ends the list.
    """
    if game.status != Game.Status.RUNNING or visitor is None or visitor.pk not in game.belonging:
        return []
    if load_state(game).mode != "manual" or not decides_alone(game, visitor):
        return []
    rows = [row for row in list_event_rows(game) if not (isinstance(row, ShotRow) and row.cancelled)]
    latest = takewhile(is_typed, reversed(rows))
    return [row for row, _place in zip(latest, range(CORRECTED_MOST), strict=False) if isinstance(row, ShotRow)][::-1]


def is_typed(row: object) -> bool:
    """Return whether a row is a turn with real dice of which only the points are known."""
    return isinstance(row, ShotRow) and row.manual and row.outcome in ("bank", "bust") and not row.throws.all()


def find_typed_points(shot: ShotRow) -> int:
    """Return the points that were typed for a turn with real dice: 0 for a bust."""
    return shot.points if shot.outcome == ShotRow.Outcome.BANK else 0


def correct_turns(code: str, command: Command, points: Mapping[int, int]) -> GameAndEvents:
    """Give earlier turns with real dice other points, and enter all turns since again.

    `points`: those of the whole turn, 0 for a bust, by the turn's place. Raises a `Refusal`, also if another turn would
    have come next with these points, and `IllegalMove` for points that the rules do not allow.
    """
    with locked_change(code, command) as game:
        shots = {shot.place: shot for shot in list_correctable(game, command.known_visitor)}
        if not points.keys() <= shots.keys():
            raise NotCorrectable
        wrong = [place for place, typed in points.items() if typed != find_typed_points(shots[place])]
        if wrong:
            enter_again(game, [shot for place, shot in shots.items() if place >= min(wrong)], points)
        return game, ()


def enter_again(game: Game, shots: list[ShotRow], points: Mapping[int, int]) -> None:
    """Cancel the last turns of a game, and enter each again in its order, with the points given for its place."""
    saved, places = load_record(game), [row.place for row in list_event_rows(game)]
    entries = dict(zip(places, saved.events, strict=True))
    cancelled = record.cancel_shots(saved, [places.index(shot.place) for shot in shots])
    draft, due = game.draft, load_state(game).player
    cancel_turn(game, LastTurn(shots, record.replay(cancelled).state))
    for shot in shots:
        event = entries[shot.place]
        assert isinstance(event, record.ShotRecord)
        entry, state = event.find_entry(), load_state(game)
        assert entry is not None
        if state.finished or state.player != event.player:
            raise TurnsWouldDiffer
        entry = change_points(entry, points.get(shot.place, find_typed_points(shot)))
        record_step(game, apply(state, entry), manual=entry)
    if load_state(game).by_hand and load_state(game).player == due:
        game.draft = draft  # what is entered of the running turn stays
        game.save(update_fields=["draft"])


def change_points(entry: Manual, points: int) -> Manual:
    """Return an entry with other points, 0 for a bust."""
    if points == entry.points:
        return entry
    if not points:
        return Manual(0, "bust", entry.pick_up)
    return replace(entry, points=points, end="bank", lost=0, nothing=False)
