"""Bad game files: each is refused, and the place that is wrong is named."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from game.rules import RecordError, preset, record
from game.rules.record import BYTES_MOST, Flaw, from_json, replay
from game.rules.record.strict_json import parse_json
from tests.game_files import to_json
from tests.require import require

RUNNING: dict[str, Any] = {
    "format": "ten-thousand-game", "version": 1, "ruleset": "pot", "target": 10000,
    "players": [{"name": "Ana"}, {"name": "Bo"}],
    "events": [{"type": "shot", "player": 0, "throws": [{"dice": [1, 1, 1, 2, 3, 4], "keep": [1, 1, 1]}], "end": "bank",
                "points": 1000}],
    "result": {"scores": [1000, 0], "winners": []},
}  # fmt: skip
FINISHED: dict[str, Any] = {
    **RUNNING,
    "ruleset": "wikipedia",
    "events": [
        {"type": "shot", "player": 0, "throws": [{"dice": [2] * 6, "keep": [2] * 6}], "end": "win"},
    ],
    "result": {"scores": [0, 0], "winners": [0]},
}
PROOF: dict[str, Any] = {
    "code": "A" * 22, "words": ["alice", ""], "numbers": [1],
    "epochs": [{"epoch": 1, "seal": "0" * 64, "seed": "f" * 64, "first": 1}],
}  # fmt: skip
SIX = [1, 1, 1, 2, 3, 4]
THROWS = [{"dice": SIX, "keep": [1, 1, 1]}]
BUST = {"dice": [2, 2, 3, 3, 4, 6]}


def find_problems(data: object) -> Sequence[Flaw]:
    with pytest.raises(RecordError) as refusal:
        replay(from_json(data))
    return refusal.value.problems


def find_first_place(data: object) -> str:
    return find_problems(data)[0].place


def change_turn(**fields: Any) -> dict[str, Any]:
    """The running game with another turn as its only event; a field that is None is left out."""
    fields = {"type": "shot", "player": 0, "throws": THROWS, "end": "bank", "points": 1000, **fields}
    return {**RUNNING, "events": [{name: value for name, value in fields.items() if value is not None}]}


def test_the_files_that_the_bad_ones_are_made_from_are_good() -> None:
    assert not replay(from_json(RUNNING)).state.finished
    assert replay(from_json({**FINISHED, "proof": PROOF})).state.winners == (0,)


TEXTS = {
    "empty": b"", "a picture": b"\x89PNG\r\n\x1a\n", "UTF-16": json.dumps(RUNNING).encode("utf-16"),
    "cut in half": json.dumps(RUNNING)[:200], "NaN": '{"format": NaN}', "Infinity": "[-Infinity]",
    "a key twice": '{"format": 1, "format": 1}', "deep": "[" * 13 + "]" * 13, "very deep": "[" * 100_000,
    "too large": " " * 256 * 1024 + "{}", "a long number": "9" * 5000, "a list": "[]", "a word": '"game"',
    "a surrogate": "\ud800", "null": "null",
    "quotes without end": '"' + '\\"' * 100_000,
}  # fmt: skip


@pytest.mark.parametrize("what", TEXTS)
def test_anything_but_a_game_file_is_refused_as_a_whole(what: str) -> None:
    assert find_first_place(TEXTS[what]) == "file"


def test_a_file_may_be_just_as_large_as_deep_and_its_numbers_as_long_as_is_said() -> None:
    assert not replay(from_json(json.dumps(RUNNING).ljust(BYTES_MOST))).state.finished
    deepest = parse_json("[" * 12 + "]" * 12)
    assert json.dumps(deepest) == "[" * 12 + "]" * 12
    assert parse_json("9" * 15) == 10**15 - 1
    with pytest.raises(RecordError, match="A number is too long"):
        parse_json("9" * 16)


FIELDS: dict[str, dict[str, Any]] = {
    "format": {"format": "other"}, "version": {"version": 2}, "version true": {"version": True},
    "ruleset": {"ruleset": "nope"}, "ruleset setting": {"ruleset": {"slug": "x", "straigt": 1}},
    "ruleset number": {"ruleset": {"straight": 1e999}}, "target": {"target": 1025}, "target 1e4": {"target": 1e4},
    "players": {"players": []}, "players 13": {"players": [{"name": f"P{n}"} for n in range(13)]},
    "players too few": {"players": [{"name": "Ana"}]}, "player 0": {"players": [{"name": "a\0"}, {"name": "Bo"}]},
    "player 1": {"players": [{"name": "Ana"}, {"name": "Bo", "level": "best"}]},
    "player 1 level": {"players": [{"name": "Ana"}, {"name": "*Bo", "level": "hard"}]},
    "player 1 field": {"players": [{"name": "Ana"}, {"name": "Bo", "score": 5}]},
    "player 1 taken": {"players": [{"name": "Anna"}, {"name": "ＡＮＮＡ"}]},
    "start": {"start": [[1, 2]]}, "start empty": {"start": []}, "events": {"events": {}},
    "events many": {"events": [{"type": "in", "player": 0}] * 20_001}, "result": {"result": {"scores": [1000, 0]}},
    "result winner": {"result": {"scores": [1000, 0], "winners": [0]}}, "proof": {"proof": PROOF},
    "result true": {"result": {"scores": [1000, False], "winners": []}},
    "file seed": {"seed": "0" * 64}, "file field": {"Result": {}},
    "event 1 null": {"events": [None]}, "event 1 type": {"events": [{"type": "roll"}]},
    "event 1 no type": {"events": [{"player": 0}]}, "event 1 list": {"events": [{"type": []}]},
    "event 1 target": {"events": [{"type": "target", "value": 999}]},
    "event 1 out": {"events": [{"type": "out", "player": 2}]},
    "event 1 rename": {"events": [{"type": "rename", "player": 0, "name": "bo"}]},
    "event 1 join": {"events": [{"type": "join", "name": "Cy", "level": "bold"}]},
    "event 1 hand": {"events": [{"type": "hand", "player": 0, "level": None}]},
    "event 2 running": {"events": [*RUNNING["events"], {"type": "shot", "player": 1, "throws": THROWS},
                                   {"type": "target", "value": 5000}]},
    "event 2 out of turn": {"events": RUNNING["events"] * 2},
}  # fmt: skip


@pytest.mark.parametrize("what", FIELDS)
def test_a_bad_field_is_named(what: str) -> None:
    words = what.split()
    place = " ".join(words[:2]) if words[0] in ("event", "player") else words[0]
    assert find_first_place({**RUNNING, **FIELDS[what]}) == place


def test_a_result_that_keeps_the_winner_back_is_named() -> None:
    assert find_first_place({**FINISHED, "result": {"scores": [0, 0], "winners": []}}) == "result"


def test_a_file_without_a_result_is_read() -> None:
    assert record.from_json({key: value for key, value in RUNNING.items() if key != "result"}).result is None


@pytest.mark.parametrize("name", [name for name in RUNNING if name != "result"])
def test_a_missing_field_is_named(name: str) -> None:
    (problem,) = find_problems({key: value for key, value in RUNNING.items() if key != name})
    assert str(problem) == f"file: {name} is missing"


SHOTS: dict[str, list[dict[str, Any]]] = {
    "event 1": [
        {"points": None}, {"points": 0}, {"points": 950}, {"points": "1000"}, {"points": True}, {"points": 1000.0},
        {"end": "bust"}, {"end": "bust", "points": 0}, {"end": "stop"}, {"end": None}, {"player": True}, {"player": 1},
        {"player": 12}, {"pick_up": 2}, {"pick_up": 0}, {"dice_left": 3}, {"cancelled": 1}, {"manual": "yes"},
        {"seed": 1}, {"throws": None}, {"throws": []}, {"throws": {}}, {"end": "skip", "points": 1000},
        {"end": "skip", "points": None, "throws": None, "pick_up": 3}, {"manual": True, "end": None, "points": None},
        {"manual": True, "throws": None, "points": 975}, {"manual": True, "throws": None, "points": 950},
        {"manual": True, "throws": None, "end": "win", "points": None}, {"manual": True, "dice_left": 3},
        {"end": "win", "points": None}, {"throws": None, "end": "out", "points": None},
        {"throws": [BUST]}, {"throws": [BUST], "end": None, "points": None},
        {"manual": True, "throws": None, "end": "skip", "points": None, "pick_up": 3},
        {"manual": True, "throws": None, "end": "out", "points": None, "pick_up": 3},
    ],
    "event 1, throw 1": [
        {"throws": [throw]}
        for throw in [
            {"dice": [0, 1, 1, 1, 2, 3], "keep": [1]}, {"dice": [7, 1, 1, 1, 2, 3], "keep": [1]},
            {"dice": [1] * 7, "keep": [1]}, {"dice": [], "keep": [1]}, {"dice": [1, 1, 1, 2, 3], "keep": [1]},
            {"dice": [True, 1, 1, 2, 3, 4], "keep": [1]}, {"dice": SIX}, {"keep": [1]}, "111234",
            {"dice": SIX, "keep": []}, {"dice": SIX, "keep": [2]}, {"dice": SIX, "keep": [6]},
            {"dice": SIX, "kept": [1]}, {"dice": SIX, "keep": None}, {"dice": SIX, "keep": [1, 1, 1, 1]},
        ]
    ],
    "event 1, throw 2": [
        {"throws": [*THROWS, {"dice": [2, 3, 4], "keep": [4]}]}, {"throws": [*THROWS, {"dice": [1, 1], "keep": [1]}]},
        {"throws": [BUST, *THROWS]},
    ],
}  # fmt: skip


@pytest.mark.parametrize(("place", "fields"), [(place, fields) for place, shots in SHOTS.items() for fields in shots])
def test_an_impossible_turn_is_named(place: str, fields: dict[str, Any]) -> None:
    assert find_first_place(change_turn(**fields)) == place


def test_the_die_at_fault_is_named() -> None:
    bad = change_turn(throws=[*THROWS, {"dice": [1, 3, 4], "keep": [1, 4]}], points=1100)
    assert str(find_problems(bad)[0]) == "event 1, throw 2: 4 cannot be kept"


def test_up_to_five_problems_are_named() -> None:
    bad = {**RUNNING, "target": 7, "events": [{"type": "roll"}] * 9}
    assert [problem.place for problem in find_problems(bad)] == ["target", "event 1", "event 2", "event 3", "event 4"]


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"50%": 1}, "50% is not a setting"),
        ({"%(most)s": 1}, "%(most)s is not a setting"),
        ({"of_a_kind": {"%d": []}}, "of_a_kind.%d is not a setting"),
        ({"\ud800\x1b": 1}, r"\ud800\x1b is not a setting"),
        ({"straight": -5}, "straight must be a whole number from 0 to 100000"),
    ],
)
def test_a_bad_setting_is_named_whatever_its_name_contains(settings: dict[str, Any], shown: str) -> None:
    (problem,) = find_problems({**RUNNING, "ruleset": settings})
    assert str(problem) == f"ruleset: {shown}"


def test_an_error_quotes_no_more_than_forty_characters() -> None:
    assert len(find_problems({**RUNNING, "x" * 1000: 1})[0].reason) < 80


BAD_PROOFS = [
    {"code": "A" * 21}, {"words": ["alice"]}, {"words": ["a" * 65, ""]}, {"numbers": []}, {"numbers": [1, 2]},
    {"numbers": [0]}, {"epochs": []}, {"epochs": [{**PROOF["epochs"][0], "seed": "short"}]}, {"table": "0" * 64},
]  # fmt: skip


@pytest.mark.parametrize("fields", BAD_PROOFS)
def test_a_bad_proof_is_refused(fields: dict[str, Any]) -> None:
    assert find_first_place({**FINISHED, "proof": {**PROOF, **fields}}) == "proof"


def test_a_proof_has_a_number_for_each_throw_for_the_first_player_too() -> None:
    rules = preset("wikipedia").to_json() | {"first_player": "throw_for_it"}
    thrown = {**FINISHED, "ruleset": rules, "start": [[6, 1]], "proof": {**PROOF, "numbers": [1, 2]}}
    assert replay(from_json(thrown)).state.winners == (0,)
    assert find_first_place({**thrown, "proof": PROOF}) == "proof"


def test_the_example_in_the_description_of_the_format_replays() -> None:
    data = json.loads(Path(__file__).parent.parent.joinpath("records", "described-in-the-format.json").read_bytes())
    state = replay(from_json(data)).state
    assert [player.score for player in state.players] == [1100, 1050, 0]
    assert (state.player, require(state.shot).dice, require(state.shot).points) == (0, (5, 2, 6), 1000)


def test_a_proof_comes_out_as_it_went_in() -> None:
    data = to_json(from_json({**FINISHED, "proof": PROOF}))
    assert data["proof"] == PROOF
    assert data["ruleset"] == preset("wikipedia").to_json()
