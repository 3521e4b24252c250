"""From JSON to a record: every field known, of the right type, within its limits. What it means is for the replay."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from game.rules.marking import gettext_noop
from game.rules.play.moves import Faces, Hand, Join, Rename, SetTarget, StepIn, StepOut
from game.rules.play.start import Entry
from game.rules.play.state import LEVELS
from game.rules.presets import UnknownPreset, preset
from game.rules.record.fields import read_fields, read_list, read_number, read_switch, read_text, refuse
from game.rules.record.model import (
    FORMAT,
    PROBLEMS_MOST,
    VERSION,
    Epoch,
    Flaw,
    Proof,
    Record,
    RecordError,
    RecordEvent,
    Result,
    ShotRecord,
    event_place,
)
from game.rules.record.strict import parse
from game.rules.refusals import SENTENCES
from game.rules.ruleset import DICE, PLAYERS_MOST, Ruleset, RulesetError, is_target

EVENTS_MOST = 20_000
POINTS_LIMIT = 999_999_999
WORD_LONGEST = 64
ENDS = ("bank", "bust", "win", "out", "skip")

DIE = gettext_noop("A die has to be a whole number from %(least)s to %(most)s.")
SCORE = gettext_noop("A score has to be a whole number from %(least)s to %(most)s.")
WINNER = gettext_noop("A winner has to be a whole number from %(least)s to %(most)s.")
THROW_NUMBER = gettext_noop("A number has to be a whole number from %(least)s to %(most)s.")
WORD = gettext_noop("A word has to be text.")

T = TypeVar("T")


def from_json(data: object) -> Record:
    """The record that a game file (bytes or text), or what was parsed from it, stands for.

    Raises `RecordError` with up to five problems. It is not replayed yet. A file without a result makes no claim that
    could be wrong, so it is read like any other.
    """
    fields = read_fields(
        "file",
        parse(data) if isinstance(data, bytes | str) else data,
        ("format", "version", "ruleset", "target", "players", "events"),
        ("start", "result", "proof"),
    )
    if fields["format"] != FORMAT:
        refuse("format", gettext_noop("This is not a game file."))
    if type(fields["version"]) is not int or fields["version"] != VERSION:
        refuse("version", gettext_noop("Only version 1 can be read."))
    problems: list[Flaw] = []
    values: dict[str, Any] = {
        name: _collect(problems, read, fields[name]) for name, read in _TOP.items() if name in fields
    }
    if problems:
        raise RecordError(problems)
    return Record(**values)


def _collect(problems: list[Flaw], read: Callable[..., T], *given: Any) -> T | None:
    """What was read, or None with the problem noted."""
    try:
        return read(*given)
    except RecordError as error:
        problems.extend(error.problems)
        return None


def _ruleset(value: object) -> Ruleset:
    try:
        return preset(value) if isinstance(value, str) else Ruleset.from_json(value)
    except UnknownPreset:
        refuse("ruleset", gettext_noop("There is no such ruleset."))
    except RulesetError as error:
        raise RecordError(Flaw("ruleset", problem.sentence, problem.args) for problem in error.problems) from None


def _target(value: object, place: str = "target") -> int:
    if not isinstance(value, int) or not is_target(value):
        refuse(place, SENTENCES["target"])
    return value


def _level(place: str, fields: Mapping[str, Any]) -> str | None:
    if "level" not in fields:
        return None
    if fields["level"] not in LEVELS:
        refuse(place, gettext_noop("level has to be one of %(levels)s."), levels=", ".join(LEVELS))
    return str(fields["level"])


def _players(value: object) -> tuple[Entry, ...]:
    return tuple(
        _entry(f"player {seat}", each) for seat, each in enumerate(read_list("players", value, 1, PLAYERS_MOST))
    )


def _entry(place: str, value: object) -> Entry:
    fields = read_fields(place, value, ("name",), ("level",))
    return Entry(read_text(place, "name", fields["name"]), _level(place, fields))


def _start(value: object) -> tuple[tuple[int | None, ...], ...]:
    rounds = (read_list("start", each, 1, PLAYERS_MOST) for each in read_list("start", value, 1, EVENTS_MOST))
    return tuple(tuple(face if face is None else _face("start", face) for face in each) for each in rounds)


def _face(place: str, value: object) -> int:
    return read_number(place, "", value, 1, 6, DIE)


def _dice(place: str, value: object) -> tuple[int, ...]:
    return tuple(_face(place, die) for die in read_list(place, value, 1, DICE))


def _events(value: object) -> tuple[RecordEvent | None, ...]:
    listed = read_list("events", value, 0, EVENTS_MOST)
    problems: list[Flaw] = []
    found = []
    for index, each in enumerate(listed):
        event = _collect(problems, _event, event_place(index), each)
        if isinstance(event, ShotRecord) and _stops_short(event) and index < len(listed) - 1:
            problems.append(Flaw(event_place(index), gettext_noop("A turn without an end has to be the last event.")))
        if len(problems) >= PROBLEMS_MOST:
            break
        found.append(event)
    if problems:
        raise RecordError(problems)
    return tuple(found)


def _stops_short(shot: ShotRecord) -> bool:
    return shot.end is None and not shot.cancelled


def _event(place: str, value: object) -> RecordEvent:
    if not isinstance(value, dict):
        refuse(place, gettext_noop("This has to be an object with fields."))
    read = _EVENTS.get(value["type"]) if isinstance(value.get("type"), str) else None
    if read is None:
        refuse(place, gettext_noop("type has to be one of %(types)s."), types=", ".join(_EVENTS))
    return read(place, value)


def _seat(place: str, fields: Mapping[str, Any]) -> int:
    return read_number(place, "player", fields["player"], 0, PLAYERS_MOST - 1)


def _set_target(place: str, value: object) -> SetTarget:
    return SetTarget(_target(read_fields(place, value, ("type", "value"))["value"], place))


def _rename(place: str, value: object) -> Rename:
    fields = read_fields(place, value, ("type", "player", "name"))
    return Rename(_seat(place, fields), read_text(place, "name", fields["name"]))


def _join(place: str, value: object) -> Join:
    fields = read_fields(place, value, ("type", "name"), ("level",))
    return Join(read_text(place, "name", fields["name"]), _level(place, fields))


def _out(place: str, value: object) -> StepOut:
    return StepOut(_seat(place, read_fields(place, value, ("type", "player"))))


def _in(place: str, value: object) -> StepIn:
    return StepIn(_seat(place, read_fields(place, value, ("type", "player"))))


def _hand(place: str, value: object) -> Hand:
    fields = read_fields(place, value, ("type", "player"), ("level",))
    return Hand(_seat(place, fields), _level(place, fields))


def _shot(place: str, value: object) -> ShotRecord:
    optional = ("throws", "end", "points", "manual", "cancelled", "pick_up", "dice_left")
    fields = read_fields(place, value, ("type", "player"), optional)
    if "end" in fields and fields["end"] not in ENDS:
        refuse(place, gettext_noop("end has to be one of %(ends)s."), ends=", ".join(ENDS))
    limits = {"points": (1, POINTS_LIMIT), "pick_up": (1, DICE), "dice_left": (1, DICE)}
    numbers: dict[str, Any] = {
        name: read_number(place, name, fields[name], *limits[name]) for name in limits if name in fields
    }
    switches: dict[str, Any] = {
        name: read_switch(place, name, fields[name]) for name in ("manual", "cancelled") if name in fields
    }
    throws = _throws(place, fields["throws"]) if "throws" in fields else ()
    shot = ShotRecord(_seat(place, fields), fields.get("end"), throws, **numbers, **switches)
    _check_shot(place, shot)
    return shot


def _check_shot(place: str, shot: ShotRecord) -> None:
    """What has to stand with what in a shot, whatever happened before it."""
    if (shot.points is not None) != (shot.end == "bank"):
        missing, needless = gettext_noop("points is missing."), gettext_noop("points stands only with a bank.")
        refuse(place, missing if shot.end == "bank" else needless)
    if shot.manual and shot.end is None:
        refuse(place, gettext_noop("A turn with real dice needs an end."))
    if not shot.throws and not shot.manual and (shot.end != "skip" or shot.pick_up is not None):
        refuse(place, gettext_noop("throws is missing."))
    if shot.dice_left is not None and not (shot.manual and shot.end == "bank"):
        refuse(place, gettext_noop("dice_left stands only with a manual bank."))


def _throws(place: str, value: object) -> tuple[Faces, ...]:
    listed = read_list(place, value, 1, EVENTS_MOST)
    return tuple(_faces(f"{place}, throw {number}", each) for number, each in enumerate(listed, 1))


def _faces(place: str, value: object) -> Faces:
    fields = read_fields(place, value, ("dice",), ("keep",))
    keep = _dice(place, fields["keep"]) if "keep" in fields else None
    return Faces(_dice(place, fields["dice"]), keep)


def _result(value: object) -> Result:
    fields = read_fields("result", value, ("scores", "winners"))
    scores = read_list("result", fields["scores"], 1, PLAYERS_MOST)
    winners = read_list("result", fields["winners"], 0, PLAYERS_MOST)
    return Result(
        tuple(read_number("result", "", each, 0, 10**12, SCORE) for each in scores),
        tuple(read_number("result", "", each, 0, PLAYERS_MOST - 1, WINNER) for each in winners),
    )


def _proof(value: object) -> Proof:
    fields = read_fields("proof", value, ("code", "words", "epochs", "numbers"))
    words = tuple(read_text("proof", "", each, WORD) for each in read_list("proof", fields["words"], 1, PLAYERS_MOST))
    if any(len(word) > WORD_LONGEST for word in words):
        refuse("proof", gettext_noop("A word has at most %(most)s characters."), most=WORD_LONGEST)
    numbers = read_list("proof", fields["numbers"], 0, 10 * EVENTS_MOST)
    return Proof(
        _pattern("code", fields["code"], r"[A-Za-z0-9_-]{22}"),
        words,
        tuple(_epoch(each) for each in read_list("proof", fields["epochs"], 1, EVENTS_MOST)),
        tuple(each if each is None else read_number("proof", "", each, 1, 10**9, THROW_NUMBER) for each in numbers),
    )


def _epoch(value: object) -> Epoch:
    fields = read_fields("proof", value, ("epoch", "seal", "seed", "first"))
    return Epoch(
        read_number("proof", "epoch", fields["epoch"], 1, EVENTS_MOST),
        _pattern("seal", fields["seal"], r"[0-9a-f]{64}"),
        _pattern("seed", fields["seed"], r"[0-9a-f]{64}"),
        read_number("proof", "first", fields["first"], 1, 10**9),
    )


def _pattern(name: str, value: object, pattern: str) -> str:
    if not re.fullmatch(pattern, read_text("proof", name, value)):
        refuse("proof", gettext_noop("%(name)s does not look like one."), name=name)
    return str(value)


_TOP: Mapping[str, Callable[[object], Any]] = {
    "ruleset": _ruleset, "target": _target, "players": _players, "start": _start, "events": _events,
    "result": _result, "proof": _proof,
}  # fmt: skip
_EVENTS: Mapping[str, Callable[[str, object], RecordEvent]] = {
    "shot": _shot, "target": _set_target, "rename": _rename, "join": _join, "out": _out, "in": _in, "hand": _hand,
}  # fmt: skip
