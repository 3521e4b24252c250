"""From rows back to a whole game: the game file's data, and the state where the stored one cannot be used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeGuard

from game.rules import State, record

if TYPE_CHECKING:
    from game.models.games import Game
    from game.models.shots import ChangeRow, ShotRow

Json = dict[str, Any]


def state_from_rows(game: Game) -> State:
    """The state that the rows give when they are replayed. Five queries; as slow as the game is long."""
    return in_its_mode(game, record.replay(record_of(game)).state)


def in_its_mode(game: Game, state: State) -> State:
    """The replayed state with the mode of the next turn, which is no part of a game file."""
    mode = game.changes.filter(kind="mode").last()
    return replace(state, mode=mode.data["value"] if mode else "auto")


def record_of(game: Game) -> record.Record:
    """The whole game as a record, without a result: that is what replaying finds."""
    return record.from_json(file_of(game))


def file_of(game: Game) -> Json:
    """The game file's data, without result and proof. Four queries, of light rows: a long game has many."""
    changes = list(told_changes(game))
    joined = {c.player_id for c in changes if c.kind == "join"}
    began = [(p.pk, p.name, p.level) for p in game.seats if p.pk not in joined]
    players = [named(*as_it_began(pk, name, level, changes)) for pk, name, level in began]
    thrown = throws_by_shot(game)
    data: Json = {
        "format": "ten-thousand-game",
        "version": 1,
        "ruleset": game.settings,
        "target": game.target,
        "players": players,
    }
    if None in thrown:
        data["start"] = list(start_rounds([tuple(throw["dice"]) for throw in thrown[None]], len(players)))
    events = [(change.place, change_event(change)) for change in changes]
    events += [(shot["place"], shot_event(shot, thrown.get(shot["pk"]))) for shot in game.shots.values(*TOLD_OF_A_SHOT)]
    data["events"] = [event for _place, event in sorted(events, key=itemgetter(0))]
    return data


TOLD_OF_A_SHOT = (
    "pk",
    "place",
    "player__seat",
    "cancelled",
    "manual",
    "picked_up",
    "outcome",
    "points",
    "dice_left",
)


def throws_by_shot(game: Game) -> dict[int | None, list[Json]]:
    """The throws as the game file tells them, in order; under None those for the first player."""
    found: dict[int | None, list[Json]] = {}
    for shot, *throw in game.throws.order_by("pk").values_list("shot", "dice", "columns", "kept"):
        found.setdefault(shot, []).append(throw_event(*throw))
    return found


def told_changes(game: Game) -> Iterable[ChangeRow]:
    return game.changes.filter(kind__in=game.changes.model.TOLD).select_related("player")


def rows_in_order(game: Game) -> list[ShotRow | ChangeRow]:
    """The rows behind the events of the game file, in its order. A switch of the mode is no event of its own there."""
    shots = game.shots.select_related("player").prefetch_related("throws")
    return sorted(chain(shots, told_changes(game)), key=lambda row: row.place)


def is_shot(row: ShotRow | ChangeRow) -> TypeGuard[ShotRow]:
    return hasattr(row, "outcome")


def named(name: str, level: str | None) -> Json:
    return {"name": name, "level": level} if level else {"name": name}


def as_it_began(player: int, name: str, level: str, changes: Iterable[ChangeRow]) -> tuple[str, str | None]:
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


def shot_event(shot: Json, throws: list[Json] | None) -> Json:
    told = {
        "cancelled": shot["cancelled"] or None,
        "manual": shot["manual"] or None,
        "pick_up": shot["picked_up"],
        "throws": throws,
        "end": shot["outcome"] or None,
        "points": shot["points"] if shot["outcome"] == "bank" else None,
        "dice_left": shot["dice_left"],
    }
    event: Json = {"type": "shot", "player": shot["player__seat"]}
    return event | {name: value for name, value in told.items() if value is not None}


def throw_event(dice: str, columns: str, kept: str) -> Json:
    event: Json = {"dice": [*map(int, dice)]}
    if kept:
        event["keep"] = sorted(int(face) for column, face in zip(columns, dice, strict=True) if column in kept)
    return event


def change_event(change: ChangeRow) -> Json:
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
