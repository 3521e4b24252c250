"""The commands `advise` and `solve`: what a person, and a program, reads."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def advise(capsys: pytest.CaptureFixture[str], *words: str, **options: Any) -> str:
    call_command("advise", *words, **options)
    return capsys.readouterr().out


def asked(capsys: pytest.CaptureFixture[str], **options: Any) -> Any:
    return json.loads(advise(capsys, "--json", **options))


def test_it_lists_every_way_to_keep_with_the_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, ruleset="classic", scores="4000,5200", points=300, throw="115")
    best = found["options"][found["best"]]
    assert (best["keep"], best["then"]) == ([1, 1, 5], "throw")
    assert best["win"] == max(each["win"] for each in found["options"])
    banks = [each for each in found["options"] if each["then"] == "bank"]
    assert {each["points"] for each in banks} == {350, 400, 450, 500}
    assert all(each["bust"] == 0 for each in banks)


def test_the_same_is_asked_by_a_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps({"scores": [4000, 5200], "points": 300, "throw": "115"})
    monkeypatch.setattr("sys.stdin", io.StringIO(line + "\n"))
    answer = json.loads(advise(capsys, ruleset="classic"))
    assert answer == asked(capsys, ruleset="classic", scores="4000,5200", points=300, throw="115")


def test_it_says_what_is_wrong_with_a_line_and_goes_on(
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


def test_with_pick_up_the_chance_to_win_is_known_too(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, ruleset="wikipedia", scores="4000,5200", points=300, throw="15234")
    assert all(0 < each["win"] < 1 for each in found["options"])


def test_the_chance_to_win_is_unknown_alone(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, ruleset="pot", scores="4000", points=300, throw="15234")
    assert all(each["win"] is None for each in found["options"])
    assert found["options"][0]["points"] == max(each["points"] for each in found["options"])


def test_who_has_not_entered_cannot_bank_less_than_the_entry_minimum(capsys: pytest.CaptureFixture[str]) -> None:
    outside = asked(capsys, ruleset="pot", scores="0,5200", points=300, throw="11523")
    assert {each["then"] for each in outside["options"]} == {"throw"}
    inside = asked(capsys, ruleset="pot", scores="0,5200", points=300, throw="11523", entered="1")
    assert "bank" in {each["then"] for each in inside["options"]}


def test_in_the_last_shot_only_a_win_counts(capsys: pytest.CaptureFixture[str]) -> None:
    for ruleset in ("pot", "classic"):
        found = asked(capsys, ruleset=ruleset, scores="9800,10200", points=300, throw="11344")
        assert (found["options"][0]["then"], found["options"][0]["win"]) == ("bank", 1)


def test_a_query_that_makes_no_sense_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ({"scores": "-1,0"}, {"points": -50}, {"scores": "400,0", "not_entered": "1"}, {"aside": "1111"}):
        with pytest.raises(CommandError):
            asked(capsys, ruleset="pot", throw="115", **wrong)


def test_a_person_reads_a_row_for_each_way(capsys: pytest.CaptureFixture[str]) -> None:
    lines = advise(capsys, ruleset="pot", scores="9000,9500", points=300, throw="115").splitlines()
    assert lines[0].split() == ["Keep", "Then", "Wins", "Points", "Bust"]
    assert len(lines) == 11
    assert "bust" in advise(capsys, ruleset="pot", throw="2346")


def test_it_speaks_the_language_of_the_shell_to_a_person_and_english_to_a_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    heads, *rows = advise(capsys, ruleset="classic", scores="4000,5200", points=300, throw="115").splitlines()
    assert heads.split() == ["Behalten", "Dann", "Siege", "Punkte", "Fehlwurf"]
    assert rows[0].split() == ["1,1,5", "werfen", "35,49", "%", "1.035,5", "2,31", "%"]
    assert {len(line) for line in rows} == {len(heads)}
    assert "Fehlwurf" in advise(capsys, ruleset="pot", throw="2346")
    with pytest.raises(CommandError, match="'7' steht auf keinem Würfel"):
        advise(capsys, ruleset="pot", throw="17")
    monkeypatch.setattr("sys.stdin", io.StringIO('{"throw": "17"}'))
    with pytest.raises(SystemExit):
        call_command("advise", ruleset="pot")
    assert json.loads(capsys.readouterr().out) == {"error": "'7' is not a face of a die."}


def test_solve_keeps_a_table_and_says_who_wins(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "short.json"
    path.write_text(json.dumps({"slug": "short", "singles": [500, 0, 0, 0, 0, 0], "target": 2000}))
    call_command("solve", str(path), folder=tmp_path)
    assert "The first player wins" in capsys.readouterr().out
    assert len(list(tmp_path.glob("short-2000-*.npz"))) == 1


def test_solve_says_where_nothing_can_be_solved(tmp_path: Path) -> None:
    path = tmp_path / "costly.json"
    costs = {"bust_streak": 3, "bust_streak_penalty": 500, "tie": "extra_rounds"}
    path.write_text(json.dumps({"singles": [500, 0, 0, 0, 0, 0], **costs}))
    with pytest.raises(CommandError, match="not known"):
        call_command("solve", str(path))
    for target in (17, 0):
        with pytest.raises(CommandError, match="not a target"):
            call_command("solve", "pot", target=target)


def test_an_option_that_is_no_list_of_numbers_says_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="--not-entered takes whole numbers with commas between them"):
        asked(capsys, ruleset="pot", throw="115", not_entered="one")
