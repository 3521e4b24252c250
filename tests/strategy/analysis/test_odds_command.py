"""The command `odds`: what it prints for a person, and for a program."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command


def run_odds(capsys: pytest.CaptureFixture[str], *words: str, **options: Any) -> str:
    call_command("odds", *words, **options)
    return capsys.readouterr().out


def test_odds_gives_a_program_exact_chances_and_expected_points(capsys: pytest.CaptureFixture[str]) -> None:
    odds = json.loads(run_odds(capsys, "--json", ruleset="classic"))
    assert odds["bust"][0] == pytest.approx(2 / 3)
    assert len(odds["bust"]) == 6
    assert round(odds["expected_shot"], 1) == 561.8
    assert round(odds["expected_shot_not_entered"], 1) == 537.2
    assert round(odds["first_player_wins"], 2) == 0.48


def test_without_a_table_the_chance_to_win_is_unknown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"singles": [150, 0, 0, 0, 50, 0]}))
    assert json.loads(run_odds(capsys, "--json", ruleset=str(path)))["first_player_wins"] is None


def test_odds_shows_a_person_a_row_for_each_number_of_dice(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_odds(capsys, ruleset="classic").splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["1", "66.67"], ["2", "44.44"]]
    assert "561.8 points" in lines[-1]


def test_with_five_dice_there_are_five_rows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "five.json"
    path.write_text(json.dumps({"dice": 5, "singles": [100, 0, 0, 0, 50, 0]}))
    odds = json.loads(run_odds(capsys, "--json", ruleset=str(path)))
    assert [len(odds[name]) for name in ("bust", "sweep", "points")] == [5, 5, 5]


def test_odds_speaks_the_language_of_the_shell(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    heads, *rows, summary = run_odds(capsys, ruleset="classic").splitlines()
    assert heads.split() == ["Würfel", "Fehlwurf", "Heiße", "Würfel", "Punkte"]
    assert rows[0].split() == ["1", "66,67", "%", "33,33", "%", "25,0"]
    assert {len(line) for line in rows} == {len(heads)}
    assert "bringt im Schnitt 561,8 Punkte" in summary
    path = tmp_path / "endless.json"
    path.write_text(json.dumps({"singles": [100, 50, 50, 50, 50, 50]}))
    with pytest.raises(CommandError, match="ohne Risiko"):
        run_odds(capsys, ruleset=str(path))
    with pytest.raises(CommandError, match="Das Regelwerk 'none' gibt es nicht"):
        run_odds(capsys, ruleset="none")


def test_odds_says_when_a_turn_could_go_on_for_ever(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "endless.json"
    path.write_text(json.dumps({"singles": [100, 50, 50, 50, 50, 50]}))
    with pytest.raises(CommandError, match="without risk"):
        run_odds(capsys, ruleset=str(path))
