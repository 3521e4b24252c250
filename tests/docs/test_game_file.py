"""docs/game-file.md and its schema agree with the reader: neither may refuse what the other accepts."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from game.rules import LEVELS, PRESETS, IllegalMove, RecordError, Ruleset, RulesetError, clean_name
from game.rules.record import from_json, replay
from tests.game_files import to_json

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "game-file.md").read_text(encoding="utf-8")
SCHEMA = json.loads((ROOT / "docs" / "game-file.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
RECORDS = sorted((ROOT / "tests" / "records").glob("*.json"))

# The files that the schema refuses already, without a replay.
REFUSED_BY_THE_SCHEMA = {
    "level-belongs-to-computers",
    "start-in-seat-order-is-not-thrown-for",
    "target-change-is-limited",
}
PROVEN = {
    "format": "ten-thousand-game", "version": 1, "ruleset": "wikipedia", "target": 10000,
    "players": [{"name": "Ana"}, {"name": "Bo"}],
    "events": [{"type": "shot", "player": 0, "throws": [{"dice": [2] * 6, "keep": [2] * 6}], "end": "win"}],
    "result": {"scores": [0, 0], "winners": [0]},
    "proof": {"code": "A" * 22, "words": ["alice", ""], "numbers": [1],
              "epochs": [{"epoch": 1, "seal": "0" * 64, "seed": "f" * 64, "first": 1}]},
}  # fmt: skip


def is_read(data: Any) -> bool:
    return can_read(from_json, data)


def is_replayed(data: Any) -> bool:
    return can_read(lambda file: replay(from_json(file)), data)


def can_read(read: Callable[[Any], object], data: Any) -> bool:
    try:
        read(data)
    except RecordError:
        return False
    return True


def test_the_schema_is_a_valid_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.examples
@pytest.mark.parametrize("file", RECORDS, ids=[file.stem for file in RECORDS])
def test_every_game_file_of_the_tests_fits_the_schema_except_those_that_break_it(file: Path) -> None:
    data = json.loads(file.read_bytes())
    assert VALIDATOR.is_valid(data) is (file.stem not in REFUSED_BY_THE_SCHEMA)
    if is_replayed(data):
        assert VALIDATOR.is_valid(to_json(from_json(data)))


# ---- Every field made wrong, one after the other --------------------------------------------------------------------

LATER: tuple[dict[str, Any], ...] = (
    {"dice": 5, "sets_need_all_dice": True, "must_keep": "all", "lone_five": "rethrow"},
    {"combinations": [{"pattern": "AAABB", "points": [0, 1, 0, 0, 0, 0], "name": "x"}, {"pattern": "1A", "points": 5}]},
    {"combinations": [{"pattern": "2222", "effect": "bust", "cost": 5}, {"pattern": "111111", "effect": "wins"}]},
    {"sets_grow": "of_a_kind", "confirm": ["straights", "sweep"], "confirm_by": "single", "sweep_multiplier": 3},
    {"entry_minimum": 500, "entry_in": "throw", "entry_needs": "set", "bank_step": 50, "bank_dice_left_most": 2},
    {"throws_most": 3, "nothing": "again", "nothing_when": "first_throw", "below_zero": "always"},
    {"nothing_cost": 500, "bust_streak": 1, "bust_cost": "shot"},
    {"pick_up": True, "pick_up_by": "all", "pick_up_worth": 1000, "pick_up_cost": 50},
    {"ending": "rounds", "rounds": 10, "tie": "tied_only"},
    {"exact": "stay"},
)
CONTRADICTIONS = (
    "must not (be|include)|needs|must be (0 |empty |at least |less )|can only be|cannot be|cannot require|letter in"
)
WRONG: tuple[Any, ...] = (None, True, -1, 0, 13, 10**13, 1.5, "x", [], {})


def list_samples() -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield small files, each with the path under which every value is made wrong."""
    described = json.loads((ROOT / "tests" / "records" / "described-in-the-format.json").read_bytes())
    plain = {name: value for name, value in PROVEN.items() if name != "proof"}
    yield PROVEN, ()
    yield {**described, "events": []}, ("start",)
    for event in described["events"]:
        yield {**plain, "events": [event]}, ("events", 0)
    for name, value in PRESETS["boxcars"].to_json().items():
        yield {**plain, "ruleset": {name: value}}, ("ruleset",)
    for settings in LATER:
        yield {**plain, "ruleset": {"singles": [100, 0, 0, 0, 50, 0], **settings}}, ("ruleset",)


def list_spoiled_copies(data: Any, under: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield copies of a file, each with one value replaced, one field left out, or one unknown field added."""
    for path in list_paths(find_value(data, under), under):
        *place, field = path
        for wrong in WRONG:
            copy = deepcopy(data)
            find_value(copy, place)[field] = wrong
            yield f"{path} = {wrong!r}", copy
        copy = deepcopy(data)
        del find_value(copy, place)[field]
        yield f"{path} left out", copy
        copy = deepcopy(data)
        find_value(copy, place)["beside"] = 1
        yield f"a field beside {path}", copy


def list_paths(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        if isinstance(key, str):
            yield (*path, key)
        yield from list_paths(inner, (*path, key))


def find_value(data: Any, path: Iterable[Any]) -> Any:
    for key in path:
        data = data[key]
    return data


def test_the_schema_and_the_reader_refuse_the_same_fields() -> None:
    for sample, under in list_samples():
        assert VALIDATOR.is_valid(sample) and is_read(sample)
        for what, data in list_spoiled_copies(sample, under):
            if VALIDATOR.is_valid(data):
                assert is_read(data) or is_beyond_a_schema(data), what
            else:
                assert not is_replayed(data), what


def is_beyond_a_schema(data: Any) -> bool:
    """Whether the settings only contradict each other, such as at most fewer players than at least."""
    try:
        Ruleset.from_json(data["ruleset"])
    except RulesetError as refusal:
        return all(re.search(CONTRADICTIONS, problem.sentence) for problem in refusal.problems)
    return False


# ---- Settings and levels --------------------------------------------------------------------------------------------


def resolve_schema(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "").removeprefix("#/$defs/")
    return {**resolve_schema(SCHEMA["$defs"][reference]), **schema} if reference else schema


def test_the_schema_has_every_setting_with_its_default_and_its_limits() -> None:
    settings = {name: resolve_schema(value) for name, value in SCHEMA["$defs"]["ruleset"]["properties"].items()}
    assert list(settings) == [field.name for field in fields(Ruleset)]
    defaults = {setting.name: setting.default for setting in fields(Ruleset)} | Ruleset().to_json()
    defaults |= {"of_a_kind": {}, "combinations": [], "confirm": []}
    assert {name: setting["default"] for name, setting in settings.items()} == defaults
    for field in fields(Ruleset):
        setting, limits = settings[field.name], field.metadata
        if limits["kind"] in ("points", "coins", "number"):
            assert (setting["minimum"], setting["maximum"]) == (limits["least"], limits["most"])
        if limits["kind"] == "choice":
            assert [value for value in setting["enum"] if value != "highest"] == list(limits["choices"])


def test_the_schema_names_the_shipped_rulesets_and_the_levels() -> None:
    assert SCHEMA["$defs"]["slug"]["enum"] == list(PRESETS)
    assert SCHEMA["$defs"]["level"]["enum"] == list(LEVELS)
    thrown_for = SCHEMA["if"]["properties"]["ruleset"]["anyOf"][0]["enum"]
    assert thrown_for == [slug for slug, ruleset in PRESETS.items() if ruleset.first_player == "throw_for_it"]


# ---- The document ---------------------------------------------------------------------------------------------------


def test_the_example_of_the_document_replays_and_fits_the_schema() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", DOCUMENT, re.S)
    replay(from_json(example))
    VALIDATOR.validate(json.loads(example))


(LINE,) = re.findall(r"none that shows nothing: (.*?)\.", DOCUMENT, re.S)
RANGES = re.findall(r"U\+(\w+)(?: to U\+(\w+))?", LINE)
INVISIBLE = {chr(code) for first, last in RANGES for code in range(int(first, 16), int(last or first, 16) + 1)}


def test_the_document_names_every_invisible_character() -> None:
    for code in (*range(0x10000), *range(0xE0000, 0xE0200)):
        name = f"!{chr(code)}a"
        if unicodedata.category(chr(code))[0] in "LMNPS" and not is_name(name):
            assert chr(code) in INVISIBLE
    assert len(RANGES) == 12 and not any(map(is_name, INVISIBLE))


def is_name(text: str) -> bool:
    try:
        clean_name(text)
    except IllegalMove:
        return False
    return True


# One or two of each kind that the document speaks of: letters, marks, a virama, letters of the class AL, numbers,
# signs, emoji, a flag, tags, joiners, variation selectors, spaces, and what is not allowed at all.
KINDS = "a\u0309\u0915\u094d\u062f\u0645\u05d07Ⅷ*-+😀🏻🏴\U000e0067\U000e007f\u200c\u200d\ufe0e\ufe0f \u3164\t\u202e"


def test_a_program_written_from_the_document_takes_the_same_names() -> None:
    texts = ["", "x" * 24, "x" * 25, f" {'x' * 24} ", *map("".join, product(KINDS, repeat=3))]
    for text in (begun + text for begun in ("", "x\u0309", "😀") for text in texts):
        assert is_name(text) == is_strangers_name(text), ascii(text)


def is_strangers_name(text: str) -> bool:
    """Whether a name is allowed: sentence by sentence what the document says, and nothing else."""
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text).strip(" "))
    groups = "".join(unicodedata.category(character)[0] for character in re.sub("[\u200c\u200d\ufe0e\ufe0f]", "", name))
    is_seen = any(group in "LNPS" for group in groups)
    return 1 <= len(name) <= 24 and is_seen and "MMMM" not in groups and all(map(is_at_home, list_neighbours(name)))


def list_neighbours(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield each character with the one before it and the one after it, "" for none."""
    for place, character in enumerate(name):
        yield name[place - 1] if place else "", character, name[place + 1 : place + 2]


def is_at_home(place: tuple[str, str, str]) -> bool:
    before, character, after = place
    of_emoji = [bool(beside) and is_strangers_emoji(beside) for beside in (before, after)]
    of_arabic = [unicodedata.bidirectional(beside) == "AL" for beside in (before, after) if beside.isalpha()]
    if character in "\u200c\u200d" and before and unicodedata.combining(before) == 9:
        return True
    if character == "\u200d":
        return all(of_emoji)
    if character == "\u200c":
        return len(of_arabic) == 2 and all(of_arabic)
    if character in "\ufe0e\ufe0f":
        return bool(before) and unicodedata.category(before)[0] in "NPS"
    if "\U000e0020" <= character <= "\U000e007f":
        return before == "\U0001f3f4" or "\U000e0020" <= before <= "\U000e007f"
    return character == " " or (unicodedata.category(character)[0] in "LMNPS" and character not in INVISIBLE)


def is_strangers_emoji(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk") or character in "\ufe0e\ufe0f"


def test_the_document_explains_every_field_and_no_others() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", DOCUMENT, re.M))
    definitions = SCHEMA["$defs"]
    events = definitions["event"]["properties"]["type"]["enum"]
    named = [definitions[name]["properties"] for name in ("shot", "proof")]
    assert explained | {"type"} == {*SCHEMA["properties"], *events, *named[0], *named[1]}
