"""From JSON to a record: only known fields, of the right type, within their limits. The replay checks the meaning."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args

from game.rules.marking import gettext_noop
from game.rules.play.moves import Faces, Hand, Join, Rename, SetTarget, StepIn, StepOut
from game.rules.play.start import Entry
from game.rules.play.state import LEVELS
from game.rules.presets import UnknownPreset, preset
from game.rules.record.fields import read_fields, read_list, read_number, read_switch, read_text, refuse_at
from game.rules.record.model import (
    FORMAT,
    PROBLEMS_MOST,
    VERSION,
    End,
    Epoch,
    Flaw,
    Proof,
    Record,
    RecordError,
    RecordEvent,
    RecordResult,
    ShotRecord,
    event_place,
)
from game.rules.record.strict_json import parse_json
from game.rules.refusals import SENTENCES
from game.rules.ruleset import DICE, PLAYERS_MOST, Ruleset, is_target
from game.rules.setting_values import RulesetError
from game.rules.totals import SHOT_POINTS_MOST

EVENTS_MOST = 20_000
WORD_LONGEST = 64
ENDS = get_args(End)

DIE = gettext_noop("A die must be a whole number from %(least)s to %(most)s.")
SCORE = gettext_noop("A score must be a whole number from %(least)s to %(most)s.")
WINNER = gettext_noop("A winner must be a whole number from %(least)s to %(most)s.")
THROW_NUMBER = gettext_noop("A throw number must be a whole number from %(least)s to %(most)s.")
WORD = gettext_noop("A word must be text.")

T = TypeVar("T")


def from_json(data: object) -> Record:
    """Return the record in a game file (bytes or text), or in JSON values parsed from one.

    Raises `RecordError` with up to five problems. The record is not replayed yet. A file without a result makes no
    claim that could be checked, and is read like any other.
    """
    fields = read_fields(
        "file",
        parse_json(data) if isinstance(data, bytes | str) else data,
        ("format", "version", "ruleset", "target", "players", "events"),
        ("start", "result", "proof"),
    )
    if fields["format"] != FORMAT:
        refuse_at("format", gettext_noop("This is not a game file."))
    if type(fields["version"]) is not int or fields["version"] != VERSION:
        refuse_at("version", gettext_noop("Only version 1 can be read."))
    problems: list[Flaw] = []
    values: dict[str, Any] = {
        name: _read_or_note(problems, read, fields[name]) for name, read in _TOP.items() if name in fields
    }
    if problems:
        raise RecordError(problems)
    return Record(**values)


def _read_or_note(problems: list[Flaw], read: Callable[..., T], *given: Any) -> T | None:
    """Return what was read; or add its problems to the list and return None."""
    try:
        return read(*given)
    except RecordError as error:
        problems.extend(error.problems)
        return None


def _read_ruleset(value: object) -> Ruleset:
    try:
        return preset(value) if isinstance(value, str) else Ruleset.from_json(value)
    except UnknownPreset:
        refuse_at("ruleset", gettext_noop("There is no such ruleset."))
    except RulesetError as error:
        raise RecordError(Flaw("ruleset", problem.sentence, problem.args) for problem in error.problems) from None


def _read_target(value: object, place: str = "target") -> int:
    if not isinstance(value, int) or not is_target(value):
        refuse_at(place, SENTENCES["target"])
    return value


def _read_level(place: str, fields: Mapping[str, Any]) -> str | None:
    if "level" not in fields:
        return None
    if fields["level"] not in LEVELS:
        refuse_at(place, gettext_noop("level must be one of %(levels)s."), levels=", ".join(LEVELS))
    return str(fields["level"])


def _read_players(value: object) -> tuple[Entry, ...]:
    listed = read_list("players", value, 1, PLAYERS_MOST)
    return tuple(_read_entry(f"player {seat}", entry) for seat, entry in enumerate(listed))


def _read_entry(place: str, value: object) -> Entry:
    fields = read_fields(place, value, ("name",), ("level",))
    return Entry(read_text(place, "name", fields["name"]), _read_level(place, fields))


def _read_start(value: object) -> tuple[tuple[int | None, ...], ...]:
    rounds = (read_list("start", faces, 1, PLAYERS_MOST) for faces in read_list("start", value, 1, EVENTS_MOST))
    return tuple(tuple(face if face is None else _read_face("start", face) for face in faces) for faces in rounds)


def _read_face(place: str, value: object) -> int:
    return read_number(place, "", value, (1, 6), DIE)


def _read_dice(place: str, value: object) -> tuple[int, ...]:
    return tuple(_read_face(place, die) for die in read_list(place, value, 1, DICE))


def _read_events(value: object) -> tuple[RecordEvent | None, ...]:
    listed = read_list("events", value, 0, EVENTS_MOST)
    problems: list[Flaw] = []
    events = []
    for index, item in enumerate(listed):
        event = _read_or_note(problems, _read_event, event_place(index), item)
        if isinstance(event, ShotRecord) and not (event.end or event.cancelled) and index < len(listed) - 1:
            problems.append(Flaw(event_place(index), gettext_noop("A turn without an end must be the last event.")))
        if len(problems) >= PROBLEMS_MOST:
            break
        events.append(event)
    if problems:
        raise RecordError(problems)
    return tuple(events)


def _read_event(place: str, value: object) -> RecordEvent:
    if not isinstance(value, dict):
        refuse_at(place, gettext_noop("An object with fields is expected here."))
    read = _EVENTS.get(value["type"]) if isinstance(value.get("type"), str) else None
    if read is None:
        refuse_at(place, gettext_noop("type must be one of %(types)s."), types=", ".join(_EVENTS))
    return read(place, value)


def _read_seat(place: str, fields: Mapping[str, Any]) -> int:
    return read_number(place, "player", fields["player"], (0, PLAYERS_MOST - 1))


def _read_set_target(place: str, value: object) -> SetTarget:
    return SetTarget(_read_target(read_fields(place, value, ("type", "value"))["value"], place))


def _read_rename(place: str, value: object) -> Rename:
    fields = read_fields(place, value, ("type", "player", "name"))
    return Rename(_read_seat(place, fields), read_text(place, "name", fields["name"]))


def _read_join(place: str, value: object) -> Join:
    fields = read_fields(place, value, ("type", "name"), ("level",))
    return Join(read_text(place, "name", fields["name"]), _read_level(place, fields))


def _read_step_out(place: str, value: object) -> StepOut:
    return StepOut(_read_seat(place, read_fields(place, value, ("type", "player"))))


def _read_step_in(place: str, value: object) -> StepIn:
    return StepIn(_read_seat(place, read_fields(place, value, ("type", "player"))))


def _read_hand(place: str, value: object) -> Hand:
    fields = read_fields(place, value, ("type", "player"), ("level",))
    return Hand(_read_seat(place, fields), _read_level(place, fields))


def _read_shot(place: str, value: object) -> ShotRecord:
    optional = ("throws", "end", "points", "manual", "cancelled", "pick_up", "dice_left", "lost", "nothing")
    fields = read_fields(place, value, ("type", "player"), optional)
    if "end" in fields and fields["end"] not in ENDS:
        refuse_at(place, gettext_noop("end must be one of %(ends)s."), ends=", ".join(ENDS))
    limits = {
        "points": (1, SHOT_POINTS_MOST),
        "pick_up": (1, DICE),
        "dice_left": (1, DICE),
        "lost": (0, SHOT_POINTS_MOST),
    }
    numbers: dict[str, Any] = {
        name: read_number(place, name, fields[name], limits[name]) for name in limits if name in fields
    }
    switches: dict[str, Any] = {
        name: read_switch(place, name, fields[name]) for name in ("manual", "cancelled", "nothing") if name in fields
    }
    throws = _read_throws(place, fields["throws"]) if "throws" in fields else ()
    shot = ShotRecord(_read_seat(place, fields), fields.get("end"), throws, **numbers, **switches)
    _check_shot(place, shot)
    return shot


def _check_shot(place: str, shot: ShotRecord) -> None:
    """Raise `RecordError` for fields that do not go together, whatever happened before the shot."""
    if (shot.points is not None) != (shot.end == "bank"):
        missing, needless = gettext_noop("points is missing."), gettext_noop("points belongs to a bank only.")
        refuse_at(place, missing if shot.end == "bank" else needless)
    if shot.manual and shot.end is None:
        refuse_at(place, gettext_noop("A turn with real dice needs an end."))
    if not shot.throws and not shot.manual and (shot.end != "skip" or shot.pick_up is not None):
        refuse_at(place, gettext_noop("throws is missing."))
    if shot.dice_left is not None and not (shot.manual and shot.end == "bank"):
        refuse_at(place, gettext_noop("dice_left belongs to a manual bank only."))
    if (shot.lost or shot.nothing) and not (shot.manual and shot.end == "bust"):
        refuse_at(place, gettext_noop("lost and nothing belong to a manual bust only."))


def _read_throws(place: str, value: object) -> tuple[Faces, ...]:
    listed = read_list(place, value, 1, EVENTS_MOST)
    return tuple(_read_faces(f"{place}, throw {number}", faces) for number, faces in enumerate(listed, 1))


def _read_faces(place: str, value: object) -> Faces:
    fields = read_fields(place, value, ("dice",), ("keep",))
    keep = _read_dice(place, fields["keep"]) if "keep" in fields else None
    return Faces(_read_dice(place, fields["dice"]), keep)


def _read_result(value: object) -> RecordResult:
    fields = read_fields("result", value, ("scores", "winners"))
    scores = read_list("result", fields["scores"], 1, PLAYERS_MOST)
    winners = read_list("result", fields["winners"], 0, PLAYERS_MOST)
    return RecordResult(
        tuple(read_number("result", "", score, (-(10**12), 10**12), SCORE) for score in scores),
        tuple(read_number("result", "", seat, (0, PLAYERS_MOST - 1), WINNER) for seat in winners),
    )


def _read_proof(value: object) -> Proof:
    fields = read_fields("proof", value, ("code", "words", "epochs", "numbers"))
    words = tuple(read_text("proof", "", word, WORD) for word in read_list("proof", fields["words"], 1, PLAYERS_MOST))
    if any(len(word) > WORD_LONGEST for word in words):
        refuse_at("proof", gettext_noop("A word can have at most %(most)s characters."), most=WORD_LONGEST)
    numbers = read_list("proof", fields["numbers"], 0, 10 * EVENTS_MOST)
    return Proof(
        _read_pattern("code", fields["code"], r"[A-Za-z0-9_-]{22}"),
        words,
        tuple(_read_epoch(epoch) for epoch in read_list("proof", fields["epochs"], 1, EVENTS_MOST)),
        tuple(n if n is None else read_number("proof", "", n, (1, 10**9), THROW_NUMBER) for n in numbers),
    )


def _read_epoch(value: object) -> Epoch:
    fields = read_fields("proof", value, ("epoch", "seal", "seed", "first"))
    return Epoch(
        read_number("proof", "epoch", fields["epoch"], (1, EVENTS_MOST)),
        _read_pattern("seal", fields["seal"], r"[0-9a-f]{64}"),
        _read_pattern("seed", fields["seed"], r"[0-9a-f]{64}"),
        read_number("proof", "first", fields["first"], (1, 10**9)),
    )


def _read_pattern(name: str, value: object, pattern: str) -> str:
    if not re.fullmatch(pattern, read_text("proof", name, value)):
        refuse_at("proof", gettext_noop("%(name)s is not in the expected format."), name=name)
    return str(value)


_TOP: Mapping[str, Callable[[object], Any]] = {
    "ruleset": _read_ruleset, "target": _read_target, "players": _read_players, "start": _read_start,
    "events": _read_events, "result": _read_result, "proof": _read_proof,
}  # fmt: skip
_EVENTS: Mapping[str, Callable[[str, object], RecordEvent]] = {
    "shot": _read_shot, "target": _read_set_target, "rename": _read_rename, "join": _read_join,
    "out": _read_step_out, "in": _read_step_in, "hand": _read_hand,
}  # fmt: skip
