"""From JSON to a record: only known fields, of the right type, within their limits. The replay checks the meaning."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from inspect import signature
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


def _read_target(place: str, _name: str, value: object) -> int:
    if not isinstance(value, int) or not is_target(value):
        refuse_at(place, SENTENCES["target"])
    return value


def _read_one_of(known: Sequence[str], sentence: str, place: str, name: str, value: object) -> str:
    if value not in known:
        refuse_at(place, sentence, **{f"{name}s": ", ".join(known)})
    return str(value)


def _read_players(value: object) -> tuple[Entry, ...]:
    listed = read_list("players", value, 1, PLAYERS_MOST)
    return tuple(_read_object(Entry, f"player {seat}", entry) for seat, entry in enumerate(listed))


def _read_start(value: object) -> tuple[tuple[int | None, ...], ...]:
    rounds = (read_list("start", faces, 1, PLAYERS_MOST) for faces in read_list("start", value, 1, EVENTS_MOST))
    return tuple(tuple(face if face is None else _read_face("start", face) for face in faces) for faces in rounds)


def _read_face(place: str, value: object) -> int:
    return read_number(place, "", value, (1, 6), DIE)


def _read_dice(place: str, _name: str, value: object) -> tuple[int, ...]:
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
    kind = _EVENTS.get(value["type"]) if isinstance(value.get("type"), str) else None
    if kind is None:
        refuse_at(place, gettext_noop("type must be one of %(types)s."), types=", ".join(_EVENTS))
    event = _read_object(kind, place, {name: field for name, field in value.items() if name != "type"})
    if isinstance(event, ShotRecord):
        _check_shot(place, event)
    return event


def _read_object(kind: Callable[..., T], place: str, value: object) -> T:
    """Return an object of this class, whose fields are those of the file: required unless they have a default."""
    required, optional = _list_fields(kind)
    fields = read_fields(place, value, required, optional)
    return kind(**{name: read(place, name, fields[name]) for name, read in _VALUES.items() if name in fields})


@cache
def _list_fields(kind: Callable[..., object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of a class that have no default, and those that have one."""
    parameters = signature(kind).parameters.values()
    required = tuple(field.name for field in parameters if field.default is field.empty)
    return required, tuple(field.name for field in parameters if field.name not in required)


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


def _read_throws(place: str, _name: str, value: object) -> tuple[Faces, ...]:
    listed = read_list(place, value, 1, EVENTS_MOST)
    return tuple(_read_object(Faces, f"{place}, throw {number}", faces) for number, faces in enumerate(listed, 1))


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
        _read_pattern("proof", "code", fields["code"], r"[A-Za-z0-9_-]{22}"),
        words,
        tuple(_read_object(Epoch, "proof", epoch) for epoch in read_list("proof", fields["epochs"], 1, EVENTS_MOST)),
        tuple(n if n is None else read_number("proof", "", n, (1, 10**9), THROW_NUMBER) for n in numbers),
    )


def _read_pattern(place: str, name: str, value: object, pattern: str) -> str:
    if not re.fullmatch(pattern, read_text(place, name, value)):
        refuse_at(place, gettext_noop("%(name)s is not in the expected format."), name=name)
    return str(value)


_TOP: Mapping[str, Callable[[object], Any]] = {
    "ruleset": _read_ruleset, "target": partial(_read_target, "target", "target"), "players": _read_players,
    "start": _read_start, "events": _read_events, "result": _read_result, "proof": _read_proof,
}  # fmt: skip
_EVENTS: Mapping[str, Callable[..., RecordEvent]] = {
    "shot": ShotRecord, "target": SetTarget, "rename": Rename, "join": Join, "out": StepOut, "in": StepIn, "hand": Hand,
}  # fmt: skip
# How each field of an event, a throw, a player or an epoch is read, in the order in which they are checked.
_VALUES: Mapping[str, Callable[[str, str, object], Any]] = {
    "value": _read_target,
    "end": partial(_read_one_of, get_args(End), gettext_noop("end must be one of %(ends)s.")),
    "points": partial(read_number, limits=(1, SHOT_POINTS_MOST)),
    "pick_up": partial(read_number, limits=(1, DICE)),
    "dice_left": partial(read_number, limits=(1, DICE)),
    "lost": partial(read_number, limits=(0, SHOT_POINTS_MOST)),
    "manual": read_switch,
    "cancelled": read_switch,
    "nothing": read_switch,
    "throws": _read_throws,
    "keep": _read_dice,
    "dice": _read_dice,
    "player": partial(read_number, limits=(0, PLAYERS_MOST - 1)),
    "name": read_text,
    "epoch": partial(read_number, limits=(1, EVENTS_MOST)),
    "seal": partial(_read_pattern, pattern=r"[0-9a-f]{64}"),
    "seed": partial(_read_pattern, pattern=r"[0-9a-f]{64}"),
    "first": partial(read_number, limits=(1, 10**9)),
    "level": partial(_read_one_of, LEVELS, gettext_noop("level must be one of %(levels)s.")),
}
