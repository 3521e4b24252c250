"""The commands `keeps` and `replay`: what they print for a person, and for a program."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from game.rules import preset
from game.rules.record import BYTES_MOST

RECORDS = Path(__file__).parent.parent / "records"


def run_command(capsys: pytest.CaptureFixture[str], name: str, *words: str, **options: Any) -> tuple[list[str], object]:
    """Run a command; return the lines that it prints, and its exit code."""
    try:
        call_command(name, *words, **options)
        code: object = 0
    except SystemExit as leaving:
        code = leaving.code
    return capsys.readouterr().out.splitlines(), code


def parse_lines(lines: list[str]) -> list[Any]:
    return [json.loads(line) for line in lines]


def test_keeps_shows_the_table_of_document_2(capsys: pytest.CaptureFixture[str]) -> None:
    lines, code = run_command(capsys, "keeps", "122245", ruleset="pot")
    assert code == 0
    assert [line.split()[:2] for line in lines[2:]] == [
        ["1,2,2,2,5", "350"], ["1,2,2,2", "300"], ["2,2,2,5", "250"], ["2,2,2", "200"], ["1,5", "150"], ["1", "100"],
        ["5", "50"],
    ]  # fmt: skip


def test_keeps_gives_a_program_one_value_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines, code = run_command(capsys, "keeps", "542212", "2346", "--json", ruleset="pot")
    first, second = parse_lines(lines)
    assert code == 0
    assert list(first) == ["dice", "keeps", "bust"]
    assert (first["dice"], first["bust"]) == ([5, 4, 2, 2, 1, 2], False)
    assert first["keeps"][0] == {"dice": [1, 2, 2, 2, 5], "points": 350}
    assert second == {"dice": [2, 3, 4, 6], "keeps": [], "bust": True}


def test_keeps_says_which_dice_win_or_score_with_the_dice_set_aside(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _ = run_command(capsys, "keeps", "3344", "--json", ruleset="boxcars", aside="55")
    assert parse_lines(lines)[0]["keeps"] == [{"dice": [3, 3, 4, 4], "points": 750, "with_aside": True}]
    lines, _ = run_command(capsys, "keeps", "222222", "--json", ruleset="wikipedia")
    assert parse_lines(lines)[0]["keeps"][0] == {"dice": [2] * 6, "points": 1600, "wins": True}
    lines, _ = run_command(capsys, "keeps", "3344", "2222", ruleset="boxcars", aside="55")
    assert "three pairs with the dice set aside: hot dice, throw all six" in lines[2]


def test_keeps_reads_lines_and_passes_over_blank_ones(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n\n  5 \n234\n"))
    lines, code = run_command(capsys, "keeps", "--json", ruleset="classic")
    assert [value["dice"] for value in parse_lines(lines)] == [[1], [5], [2, 3, 4]]
    assert code == 0


@pytest.mark.parametrize("dice", ["1227", "", "1234561", "1 2", "abc", "٣"])
def test_keeps_names_a_bad_throw_and_goes_on(capsys: pytest.CaptureFixture[str], dice: str) -> None:
    lines, code = run_command(capsys, "keeps", dice, "1", "--json", ruleset="classic")
    assert code == 1
    assert parse_lines(lines)[0]["error"]
    assert parse_lines(lines)[1]["bust"] is False
    assert run_command(capsys, "keeps", dice, ruleset="classic")[1] == 1


def test_keeps_names_a_throw_with_too_many_dice_beside_those_set_aside(capsys: pytest.CaptureFixture[str]) -> None:
    lines, code = run_command(capsys, "keeps", "11226", "--json", ruleset="boxcars", aside="55")
    assert (code, "6 dice" in parse_lines(lines)[0]["error"]) == (1, True)


def test_keeps_takes_a_ruleset_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({**preset("classic").to_json(), "full_house": 2500}))
    lines, _ = run_command(capsys, "keeps", "22333", "--json", ruleset=str(file))
    assert parse_lines(lines)[0]["keeps"][0]["points"] == 2500


@pytest.mark.parametrize(
    ("text", "reason"),
    [('{"straigt": 1}', "straigt"), ("{", "Not valid JSON"), ('{"ante": -1}', "ante"), (None, "classic")],
)
def test_keeps_says_what_is_wrong_with_a_ruleset(tmp_path: Path, text: str | None, reason: str) -> None:
    file = tmp_path / "mine.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(CommandError, match=reason):
        call_command("keeps", "1", ruleset=str(file))
    with pytest.raises(CommandError, match="aside"):
        call_command("keeps", "1", ruleset="classic", aside="7")


def test_keeps_speaks_the_language_of_the_shell_to_a_person_and_english_to_a_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    lines, _ = run_command(capsys, "keeps", "222222", "15", "2346", "17", ruleset="wikipedia")
    assert [line.split() for line in lines[1:3]] == [
        ["Behalten", "Punkte", "Dann"], ["2,2,2,2,2,2", "1.600", "gewinnt", "das", "Spiel"],
    ]  # fmt: skip
    assert lines[-2:] == ["2346: Fehlwurf", "17: '7' steht auf keinem Würfel."]
    lines, _ = run_command(capsys, "keeps", "17", "--json", ruleset="wikipedia")
    assert parse_lines(lines) == [{"dice": "17", "error": "'7' is not a face of a die."}]


def test_keeps_counts_the_dice_that_its_ruleset_is_played_with(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "five.json"
    file.write_text(json.dumps({"singles": [100, 0, 0, 0, 50, 0], "dice": 5}))
    lines, _ = run_command(capsys, "keeps", "11555", "111555", ruleset=str(file))
    assert "hot dice, throw all five" in lines[2]
    assert lines[-1] == "111555: A throw has 1 to 5 dice, not 6."


def test_replay_gives_a_program_the_scores_and_who_is_next(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(RECORDS / "described-in-the-format.json")
    lines, code = run_command(capsys, "replay", file, "--json")
    assert code == 0
    assert parse_lines(lines) == [
        {"file": file, "scores": [1100, 1050, 0], "entered": [True, True, False], "pot": 0, "winners": [],
         "finished": False, "next": {"player": 0, "dice": 3}},
    ]  # fmt: skip


def test_replay_says_how_many_dice_are_thrown_next(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _code = run_command(capsys, "replay", str(RECORDS / "world-five-dice-are-a-sweep.json"))
    assert lines[-1] == "  Next: Ana, 5 dice."


def test_replay_says_who_is_not_on_the_board_and_who_sits_out(capsys: pytest.CaptureFixture[str]) -> None:
    lines, _code = run_command(capsys, "replay", str(RECORDS / "player-out-below-the-fewest-is-allowed.json"))
    assert lines[1:3] == ["  Ana    1,000", "  Bo         0  not on the board  sitting out"]


def test_replay_says_who_has_won(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(RECORDS / "pot-is-what-was-paid-in-also-after-the-end.json")
    (value,) = parse_lines(run_command(capsys, "replay", file, "--json")[0])
    assert (value["finished"], value["winners"], value["pot"], value["next"]) == (True, [1], 55, None)
    assert run_command(capsys, "replay", file)[0] == [
        file, "  Ana    2,000", "  Bo    10,000", "  Pot 0.55\xa0USD", "  Won by Bo.",
    ]  # fmt: skip


def test_replay_names_the_place_and_reason_and_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad, good = RECORDS / "place-of-a-die-that-does-not-score.json", RECORDS / "sweep-may-bank.json"
    lines, code = run_command(capsys, "replay", str(bad), str(good), "--json")
    assert code == 1
    assert parse_lines(lines)[0] == {
        "file": str(bad),
        "error": {"place": "event 2, throw 2", "reason": "4 cannot be kept"},
    }
    assert parse_lines(lines)[1]["scores"] == [1500, 0]
    assert run_command(capsys, "replay", str(bad))[0] == [str(bad), "  Event 2, throw 2: 4 cannot be kept."]


def test_replay_names_a_file_that_is_too_large(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "large.json"
    file.write_bytes((RECORDS / "sweep-may-bank.json").read_bytes().ljust(BYTES_MOST + 1))
    assert run_command(capsys, "replay", str(file)) == ([str(file), "  File: The file is larger than 256 KiB."], 1)


def test_replay_names_a_file_that_does_not_exist(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (value,) = parse_lines(run_command(capsys, "replay", str(tmp_path / "none.json"), "--json")[0])
    assert value["error"]["place"] == "file"
