"""From rows back to a whole game: the game file's data, and the state where the stored one cannot be used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeGuard

from game.rules import State, record

if TYPE_CHECKING:
    from game.models.tables import Change, Game, Shot, Throw

Json = dict[str, Any]


def state_from_rows(game: Game) -> State:
    """The state that the rows give when they are replayed. Six queries; as slow as the game is long."""
    return in_its_mode(game, record.replay(record_of(game)).state)


def in_its_mode(game: Game, state: State) -> State:
    """The replayed state with the mode of the next turn, which is no part of a game file."""
    mode = game.changes.filter(kind="mode").last()
    return replace(state, mode=mode.data["value"] if mode else "auto")


def record_of(game: Game) -> record.Record:
    """The whole game as a record, without a result: that is what replaying finds."""
    return record.from_json(file_of(game))


def file_of(game: Game) -> Json:
    """The game file's data, without result and proof."""
    rows = rows_in_order(game)
    changes = [row for row in rows if not is_shot(row)]
    joined = {c.player_id for c in changes if c.kind == "join"}
    began = [(p.pk, p.name, p.level) for p in game.seats if p.pk not in joined]
    players = [named(*as_it_began(pk, name, level, changes)) for pk, name, level in began]
    data: Json = {
        "format": "ten-thousand-game",
        "version": 1,
        "ruleset": game.settings,
        "target": game.target,
        "players": players,
    }
    start = list(game.throws.filter(shot=None).order_by("pk"))
    if start:
        data["start"] = list(start_rounds([t.faces for t in start], len(players)))
    data["events"] = [shot_event(row) if is_shot(row) else change_event(row) for row in rows]
    return data


def rows_in_order(game: Game) -> list[Shot | Change]:
    """The rows behind the events of the game file, in its order. A switch of the mode is no event of its own there."""
    shots = game.shots.select_related("player").prefetch_related("throws")
    changes = game.changes.filter(kind__in=game.changes.model.TOLD).select_related("player")
    return sorted(chain(shots, changes), key=lambda row: row.place)


def is_shot(row: Shot | Change) -> TypeGuard[Shot]:
    return hasattr(row, "outcome")


def named(name: str, level: str | None) -> Json:
    return {"name": name, "level": level} if level else {"name": name}


def as_it_began(player: int, name: str, level: str, changes: Iterable[Change]) -> tuple[str, str | None]:
    """Name and level at the start: what the first change of either replaced, else what stands now."""
    was_name, was_level = None, None
    for change in changes:
        if change.player_id == player and change.kind in ("rename", "hand"):
            was_name = was_name or change.data.get("before")
            was_level = change.data["level_before"] if was_level is None else was_level
    return was_name or name, (level if was_level is None else was_level) or None


def start_rounds(rounds: Sequence[tuple[int, ...]], players: int) -> Iterable[list[int | None]]:
    """Who threw in each round for the first player: everybody, then those who tied for the highest."""
    seats = list(range(players))
    for faces in rounds:
        fallen = dict(zip(seats, faces, strict=True))
        yield [fallen.get(seat) for seat in range(players)]
        seats = [seat for seat, face in fallen.items() if face == max(faces)]


def shot_event(shot: Shot) -> Json:
    event: Json = {"type": "shot", "player": shot.player.seat}
    throws = [throw_event(throw) for throw in shot.throws.all()]
    told = {
        "cancelled": shot.cancelled or None,
        "manual": shot.manual or None,
        "pick_up": shot.picked_up,
        "throws": throws or None,
        "end": shot.outcome or None,
        "points": shot.points if shot.outcome == "bank" else None,
        "dice_left": shot.dice_left,
    }
    return event | {name: value for name, value in told.items() if value is not None}


def throw_event(throw: Throw) -> Json:
    event: Json = {"dice": list(throw.faces)}
    if throw.kept:
        event["keep"] = list(throw.kept_faces)
    return event


def change_event(change: Change) -> Json:
    seat = change.player.seat if change.player else None
    data = change.data
    match change.kind:
        case "target":
            return {"type": "target", "value": data["value"]}
        case "rename":
            return {"type": "rename", "player": seat, "name": data["name"]}
        case "join":
            return {"type": "join"} | named(data["name"], data["level"])
        case "hand":
            event = {"type": "hand", "player": seat}
            return event | {"level": data["level"]} if data["level"] else event
    return {"type": change.kind, "player": seat}
