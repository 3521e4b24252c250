"""The commands `advise` and `solve`: what they print for a person, and for a program."""

import errno
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def run_advise(capsys: pytest.CaptureFixture[str], *words: str, **options: Any) -> str:
    call_command("advise", *words, **options)
    return capsys.readouterr().out


def advise_as_json(capsys: pytest.CaptureFixture[str], **options: Any) -> Any:
    return json.loads(run_advise(capsys, "--json", **options))


def test_advise_lists_every_way_to_keep_with_the_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    answer = advise_as_json(capsys, ruleset="classic", scores="4000,5200", points=300, throw="115")
    best = answer["options"][answer["best"]]
    assert (best["keep"], best["then"]) == ([1, 1, 5], "throw")
    assert best["win"] == max(option["win"] for option in answer["options"])
    banks = [option for option in answer["options"] if option["then"] == "bank"]
    assert {option["points"] for option in banks} == {350, 400, 450, 500}
    assert all(option["bust"] == 0 for option in banks)


def test_a_query_can_be_a_line_of_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps({"scores": [4000, 5200], "points": 300, "throw": "115"})
    monkeypatch.setattr("sys.stdin", io.StringIO(line + "\n"))
    answer = json.loads(run_advise(capsys, ruleset="classic"))
    assert answer == advise_as_json(capsys, ruleset="classic", scores="4000,5200", points=300, throw="115")


def test_advise_says_what_is_wrong_with_a_line_and_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        '{"throw": "170"}',
        "[",
        '{"throw": "1", "entered": 1}',
        "7",
        '{"scores": [0], "throw": "1", "first": 3}',
        '{"throw": "234466"}',
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    with pytest.raises(SystemExit):
        call_command("advise", ruleset="pot")
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["error" in answer for answer in answers] == [True] * 5 + [False]
    assert answers[-1] == {"options": [], "best": None}
    assert answers[1] == {"error": 'A query is one line of JSON, as {"throw": "115"}.'}


def test_the_chance_to_win_is_known_with_pick_up_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    answer = advise_as_json(capsys, ruleset="wikipedia", scores="4000,5200", points=300, throw="15234")
    assert all(0 < option["win"] < 1 for option in answer["options"])


def test_the_chance_to_win_is_unknown_for_a_single_player(capsys: pytest.CaptureFixture[str]) -> None:
    answer = advise_as_json(capsys, ruleset="pot", scores="4000", points=300, throw="15234")
    assert all(option["win"] is None for option in answer["options"])
    assert answer["options"][0]["points"] == max(option["points"] for option in answer["options"])


def test_a_first_bank_below_the_entry_minimum_is_not_advised(capsys: pytest.CaptureFixture[str]) -> None:
    outside = advise_as_json(capsys, ruleset="pot", scores="0,5200", points=300, throw="11523")
    assert {option["then"] for option in outside["options"]} == {"throw"}
    inside = advise_as_json(capsys, ruleset="pot", scores="0,5200", points=300, throw="11523", entered="1")
    assert "bank" in {option["then"] for option in inside["options"]}


def test_in_the_last_turn_only_a_win_counts(capsys: pytest.CaptureFixture[str]) -> None:
    for ruleset in ("pot", "classic"):
        answer = advise_as_json(capsys, ruleset=ruleset, scores="9800,10200", points=300, throw="11344")
        assert (answer["options"][0]["then"], answer["options"][0]["win"]) == ("bank", 1)


def test_what_goes_beyond_an_exact_target_is_not_advised(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "exactly.json"
    path.write_text(json.dumps({"singles": [100, 0, 0, 0, 50, 0], "target": 5000, "exact": "bust"}))
    answer = advise_as_json(capsys, ruleset=str(path), scores="4900,1000", throw="115")
    assert {tuple(option["keep"]) for option in answer["options"]} == {(1,), (5,)}


def test_a_query_that_makes_no_sense_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ({"scores": "-1,0"}, {"points": -50}, {"scores": "400,0", "not_entered": "1"}, {"aside": "1111"}):
        with pytest.raises(CommandError):
            advise_as_json(capsys, ruleset="pot", throw="115", **wrong)


def test_a_person_reads_a_row_for_each_way_to_keep(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_advise(capsys, ruleset="pot", scores="9000,9500", points=300, throw="115").splitlines()
    assert lines[0].split() == ["Keep", "Then", "Wins", "Points", "Bust"]
    assert len(lines) == 11
    assert "bust" in run_advise(capsys, ruleset="pot", throw="2346")


def test_advise_speaks_the_shells_language_to_a_person_and_english_to_a_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    heads, *rows = run_advise(capsys, ruleset="classic", scores="4000,5200", points=300, throw="115").splitlines()
    assert heads.split() == ["Behalten", "Dann", "Siege", "Punkte", "Fehlwurf"]
    assert rows[0].split() == ["1,1,5", "werfen", "35,49", "%", "1.035,5", "2,31", "%"]
    assert {len(line) for line in rows} == {len(heads)}
    assert "Fehlwurf" in run_advise(capsys, ruleset="pot", throw="2346")
    with pytest.raises(CommandError, match="'7' steht auf keinem Würfel"):
        run_advise(capsys, ruleset="pot", throw="17")
    monkeypatch.setattr("sys.stdin", io.StringIO('{"throw": "17"}'))
    with pytest.raises(SystemExit):
        call_command("advise", ruleset="pot")
    assert json.loads(capsys.readouterr().out) == {"error": "'7' is not a face of a die."}


def test_solve_stores_a_table_and_says_who_wins(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "short.json"
    path.write_text(json.dumps({"slug": "short", "singles": [500, 0, 0, 0, 0, 0], "target": 2000}))
    call_command("solve", str(path), folder=tmp_path)
    assert "The first player wins" in capsys.readouterr().out
    assert len(list(tmp_path.glob("short-2000-*.npz"))) == 1


def test_solve_says_when_nothing_can_be_solved(tmp_path: Path) -> None:
    path = tmp_path / "costly.json"
    costs = {"bust_streak": 3, "bust_streak_penalty": 500, "tie": "extra_rounds"}
    path.write_text(json.dumps({"singles": [500, 0, 0, 0, 0, 0], **costs}))
    with pytest.raises(CommandError, match="not known"):
        call_command("solve", str(path))
    for target in (17, 0):
        with pytest.raises(CommandError, match="not a target"):
            call_command("solve", "pot", target=target)
    with pytest.raises(CommandError, match=f"^{path} cannot be written: File exists.$"):
        call_command("solve", "pot", folder=path)


def test_a_file_of_rules_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read every file, so the error is raised by hand."""
    path = tmp_path / "rules.json"
    path.touch()

    def deny(_path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", deny)
    with pytest.raises(CommandError, match=f"^{path} cannot be read: Permission denied.$"):
        call_command("keeps", "11", ruleset=str(path))


def test_an_option_that_is_not_a_list_of_numbers_says_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="--not-entered takes whole numbers with commas between them"):
        advise_as_json(capsys, ruleset="pot", throw="115", not_entered="one")
