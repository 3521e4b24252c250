"""From rows to values of the rules: a game's state, and the whole game as a record."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from game.models import ChangeRow, Checkpoint, Game, ShotRow, ThrowRow
from game.rules import STATE_FORMAT, State, record, state_from_json
from game.rules.play.start import follow_start

Json = dict[str, Any]


def load_state(game: Game) -> State:
    """Return the game's state: the stored one, or a replay of the rows if another release stored it.

    It is read once for each `Game` object; `record_step` and `keep_state` keep it up to date.
    """
    if game.known_state is None:
        if game.state_format == STATE_FORMAT:
            game.known_state = state_from_json(game.rules, game.state_data)
        else:
            game.known_state = replay_rows(game)
    return game.known_state


def load_target(game: Game) -> int:
    """Return the game's target, which can be changed while it is played."""
    return game.target if game.status == Game.Status.WAITING else load_state(game).target


def replay_rows(game: Game) -> State:
    """Return the state from a replay of the rows. Five queries, and slower the longer the game."""
    return restore_mode(game, record.replay(load_record(game)).state)


def restore_mode(game: Game, state: State) -> State:
    """Return a replayed state with the mode of the next turn, which a game file does not contain. One query."""
    mode = game.changes.filter(kind="mode").last()
    return replace(state, mode=mode.data["value"] if mode else "auto")


def load_record(game: Game, after: Checkpoint | None = None) -> record.Record:
    """Return the game as a record without its result, which a replay finds. Four queries.

    `after`: only what followed this checkpoint and was not undone, to be replayed from the checkpoint's state.
    Raises `RecordError` for inconsistent rows.
    """
    return record.from_json(build_file_data(game) if after is None else build_file_data_after(game, after))


def build_file_data(game: Game) -> Json:
    """Return the game file's data without result and proof. Four queries of light rows, as a long game has many."""
    changes = list(query_file_changes(game))
    joined = {change.player_id for change in changes if change.kind == "join"}
    starters = [(seat.pk, seat.name, seat.level) for seat in game.seats if seat.pk not in joined]
    players = [encode_player(*find_start_values(pk, name, level, changes)) for pk, name, level in starters]
    throws = group_throws(game.throws.all())
    start = {}
    if None in throws:
        fallen = follow_start(game.rules, (throw["dice"] for throw in throws[None]), len(players))
        start["start"] = [[faces.get(seat) for seat in range(len(players))] for faces in fallen]
    return build_file_head(game, players) | start | {"events": list_events(changes, game.shots.all(), throws)}


def build_file_data_after(game: Game, checkpoint: Checkpoint) -> Json:
    """Return what followed a checkpoint as the data of a game file, with the players as they were then."""
    shots = game.shots.filter(place__gt=checkpoint.place, cancelled=False)
    throws = group_throws(game.throws.filter(shot__place__gt=checkpoint.place, shot__cancelled=False))
    players = [encode_player(player.name, player.level) for player in load_checkpoint(game, checkpoint).players]
    changes = query_file_changes(game).filter(place__gt=checkpoint.place)
    return build_file_head(game, players) | {"events": list_events(changes, shots, throws)}


def load_checkpoint(game: Game, checkpoint: Checkpoint) -> State:
    """Return the state that a checkpoint holds, with mode "auto" as in every replay: game files don't contain it."""
    return replace(state_from_json(game.rules, checkpoint.state_data), mode="auto")


def build_file_head(game: Game, players: list[Json]) -> Json:
    """Return what a game file begins with."""
    return {
        "format": record.FORMAT,
        "version": record.VERSION,
        "ruleset": game.settings,
        "target": game.target,
        "players": players,
    }


def list_events(
    changes: Iterable[ChangeRow], shots: QuerySet[ShotRow], throws: dict[int | None, list[Json]]
) -> list[Json]:
    """Return the events of a game file, in their order."""
    events = [(change.place, encode_change(change)) for change in changes]
    events += [(shot["place"], encode_shot(shot, throws.get(shot["pk"]))) for shot in shots.values(*SHOT_COLUMNS)]
    return [event for _place, event in sorted(events, key=itemgetter(0))]


SHOT_COLUMNS = (
    "pk", "place", "player__seat", "cancelled", "manual", "picked_up", "outcome", "points", "dice_left",
    "lost", "nothing",
)  # fmt: skip


def group_throws(rows: QuerySet[ThrowRow]) -> dict[int | None, list[Json]]:
    """Return the throws as the game file has them, in order, by shot; those for the first player under None."""
    throws: dict[int | None, list[Json]] = {}
    for shot, *throw in rows.order_by("pk").values_list("shot", "dice", "columns", "kept"):
        throws.setdefault(shot, []).append(encode_throw(*throw))
    return throws


def query_file_changes(game: Game) -> QuerySet[ChangeRow]:
    """Return the changes that are events of the game file, with their players."""
    return game.changes.filter(kind__in=ChangeRow.IN_FILE).select_related("player")


def list_event_rows(game: Game, after: Checkpoint | None = None) -> list[ShotRow | ChangeRow]:
    """Return the rows behind the events of `load_record`, in its order. A switch of the mode is not an event there."""
    shots, changes = game.shots.select_related("player").prefetch_related("throws"), query_file_changes(game)
    if after:
        shots = shots.filter(place__gt=after.place, cancelled=False)
        changes = changes.filter(place__gt=after.place)
    return sorted(chain(shots, changes), key=lambda row: row.place)


def query_level_then() -> Coalesce:
    """Return an expression for rows of turns: the level of the computer that played the turn, "" for a person."""
    later = ChangeRow.objects.filter(
        player=OuterRef("player"), place__gt=OuterRef("place"), kind__in=("rename", "hand")
    ).order_by("place")
    replaced = later.annotate(level_before=KT("data__level_before")).values("level_before")[:1]
    return Coalesce(Subquery(replaced), "player__level", output_field=TextField())


def encode_player(name: str, level: str | None) -> Json:
    """Return a player as the game file has it."""
    return {"name": name, "level": level} if level else {"name": name}


def find_start_values(player: int, name: str, level: str, changes: Iterable[ChangeRow]) -> tuple[str, str | None]:
    """Return name and level at the start: what the first change of either replaced, else the current ones."""
    was_name, was_level = None, None
    for change in changes:
        if change.player_id == player and change.kind in ("rename", "hand"):
            was_name = was_name or change.data.get("before")
            was_level = change.data["level_before"] if was_level is None else was_level
    return was_name or name, (level if was_level is None else was_level) or None


def encode_shot(shot: Json, throws: list[Json] | None) -> Json:
    """Return a turn as the game file has it; false flags are left out."""
    settings = {
        "cancelled": shot["cancelled"] or None,
        "manual": shot["manual"] or None,
        "pick_up": shot["picked_up"],
        "throws": throws,
        "end": shot["outcome"] or None,
        "points": shot["points"] if shot["outcome"] == "bank" else None,
        "dice_left": shot["dice_left"],
        "lost": shot["lost"] or None,
        "nothing": shot["nothing"] or None,
    }
    event: Json = {"type": "shot", "player": shot["player__seat"]}
    return event | {name: value for name, value in settings.items() if value is not None}


def encode_throw(dice: str, columns: str, kept: str) -> Json:
    """Return a throw as the game file has it: faces as they fell, and those kept, sorted."""
    entry: Json = {"dice": [*map(int, dice)]}
    if kept:
        entry["keep"] = sorted(int(face) for column, face in zip(columns, dice, strict=True) if column in kept)
    return entry


def encode_change(change: ChangeRow) -> Json:
    """Return a change apart from the dice as the game file has it."""
    seat = change.player.seat if change.player else None
    data = change.data
    match change.kind:
        case "target":
            return {"type": "target", "value": data["value"]}
        case "rename":
            return {"type": "rename", "player": seat, "name": data["name"]}
        case "join":
            return {"type": "join"} | encode_player(data["name"], data["level"])
        case "hand":
            event = {"type": "hand", "player": seat}
            return event | {"level": data["level"]} if data["level"] else event
    return {"type": change.kind, "player": seat}
