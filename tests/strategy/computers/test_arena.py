"""Games between computers: played by the thousand they are, throw by throw, the games of the rules."""

import json
import os
import pickle
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from _pytest.capture import CaptureResult
from django.core.management import CommandError, call_command

from game.management.commands import arena as command
from game.rules import Entry, Ruleset, apply, new_game, preset, throw
from game.strategy.arena import Match, play_match
from game.strategy.arena.batch_policy import PointsPolicy, build_point_values
from game.strategy.arena.shots import NEVER, Shots, play_shots
from game.strategy.computers import EXACT, choose_move
from game.strategy.splitmix import hash64
from game.strategy.win import find_table
from tests import patience
from tests.examples import count_tries
from tests.own_sites import ROOT
from tests.require import require


def play_by_rules(match: Match, game: int, seed: int) -> list[float]:
    """Return each computer's share of one game's win, by the rules' own moves and the computers' own choices."""
    order = match.order(game)
    seats = [Entry(f"*{seat}", match.levels[place]) for seat, place in enumerate(order)]
    state, dice, thrown = new_game(match.ruleset, seats, match.target).state, int(hash64(seed, game)[0]), 0
    while not state.finished:
        if state.to_throw:
            number = int(hash64(dice, thrown)[0])
            state = throw(state, [number // 6**place % 6 + 1 for place in range(state.to_throw)]).state
            thrown += 1
        else:
            state = apply(state, choose_move(state)).state
    won = {order[seat]: 1 / len(state.winners) for seat in state.winners}
    return [won.get(place, 0) for place in range(len(order))]


def make_rules(slug: str, **changes: Any) -> Ruleset:
    plain = replace(preset(slug), first_player="seat_order", max_players=12)
    return replace(plain, **changes)


MATCHES = {
    "classic": Match(make_rules("classic"), 3000, ("bold", "balanced")),
    "pot, three": Match(make_rules("pot"), 3000, ("beginner", "careful", "bold")),
    "farkle, shared": Match(make_rules("farkle-quick"), 2000, ("careful", "balanced")),
    "wikipedia": Match(make_rules("wikipedia"), 3000, ("bold", "balanced", "careful")),
    "boxcars": Match(make_rules("boxcars"), 3000, ("beginner", "bold")),
    "streaks": Match(make_rules("greed", bust_streak=2, bust_streak_penalty=500), 2000, ("careful", "best")),
    "at once": Match(make_rules("pot", ending="at_once", nothing_bonus=500), 2000, ("careful", "bold")),
    "ties": Match(make_rules("pot", tie="extra_rounds", entry_minimum=0), 1000, ("beginner", "bold", "careful")),
    "pick-up": Match(make_rules("classic", pick_up=True, tie="shared"), 1000, ("beginner", "bold", "careful")),
    "the best": Match(make_rules("farkle-quick"), 5000, ("best", "bold")),
}


@pytest.mark.examples
@pytest.mark.parametrize("name", MATCHES)
def test_games_played_in_a_batch_are_those_of_the_rules(name: str) -> None:
    match, count = MATCHES[name], 12 if "best" in MATCHES[name].levels else 40
    assert play_match(match, range(count), 7).tolist() == [play_by_rules(match, game, 7) for game in range(count)]


def test_the_same_seed_gives_the_same_games_however_they_are_split() -> None:
    match = MATCHES["classic"]
    parts = [play_match(match, range(9), 3), play_match(match, range(9, 30), 3)]
    assert np.concatenate(parts).tolist() == play_match(match, range(30), 3).tolist()
    assert play_match(match, range(30), 4).tolist() != play_match(match, range(30), 3).tolist()


def test_games_on_several_processors_come_in_the_order_of_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "AT_ONCE", 5)
    match = MATCHES["classic"]
    wins = play_match(match, range(20), 3).reshape(4, 5, -1)
    sums = np.stack([wins.sum(axis=1), (wins**2).sum(axis=1)], axis=1)
    assert np.array(list(command._play_parts(match, 20, 3))).tolist() == sums.tolist()


def test_what_a_process_answers_is_written_whole_or_not_at_all() -> None:
    """Of an answer longer than `PIPE_BUF`, a process killed meanwhile would leave a part: Ctrl+C would hang."""
    match = Match(make_rules("pot"), 1000, ("bold",) * 12)
    assert len(pickle.dumps(command.sum_wins(match, range(command.AT_ONCE), 1))) < select.PIPE_BUF / 2


def test_a_turn_of_best_brings_the_expected_points_within_three_standard_errors() -> None:
    ruleset = preset("wikipedia")
    values, size = build_point_values(replace(ruleset, pick_up=False)), 40_000
    none, nobody = np.zeros(size, dtype=np.intp), np.zeros(size, dtype=bool)
    for entered in (True, False):
        shots = Shots(
            hash64(5, np.arange(size)), none, none, none, ~nobody if entered else nobody, none, nobody, none, none,
            none + NEVER, none - NEVER,
        )  # fmt: skip
        played = play_shots(values.choices, PointsPolicy(values, EXACT), 1, shots)
        worth = played.points + played.won * ruleset.target
        expected = values.sides[0].expected(entered)
        assert abs(worth.mean() - expected) < 3 * worth.std() / sqrt(size)


def test_two_perfect_players_win_as_often_as_the_table_says() -> None:
    ruleset = make_rules("greed-5000", target=5000)
    match, size = Match(ruleset, 5000, ("best", "best")), max(100, count_tries(600))
    won = play_match(match, range(size), 2)
    begins = np.array([match.order(game)[0] for game in range(size)])
    first = np.take_along_axis(won, begins[:, None], axis=1)
    expected = require(find_table(ruleset, 5000)).chances[0, 0, 0]
    assert abs(first.mean() - expected) < 3 * sqrt(expected * (1 - expected) / size)


def run_arena(capsys: pytest.CaptureFixture[str], *words: str, **options: Any) -> CaptureResult[str]:
    call_command("arena", *words, **options)
    return capsys.readouterr()


def test_a_person_reads_how_often_each_computer_wins(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run_arena(capsys, "careful", "bold", games=60, ruleset="pot", target=2000)
    assert [line.split()[0] for line in printed.out.splitlines()] == ["Computer", "careful", "bold", "60"]
    assert "100 %" in printed.err


def test_a_program_reads_the_shares_with_their_standard_errors(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run_arena(capsys, "careful", "bold", "--json", games=60, ruleset="pot", target=2000, seed=8).out)
    careful, bold = data["players"]
    assert careful["won"] + bold["won"] == pytest.approx(1)
    assert bold["error"] == pytest.approx(sqrt(bold["won"] * careful["won"] / 60))
    assert (data["games"], data["target"], data["seed"]) == (60, 2000, 8)


def test_with_pairs_every_computer_plays_every_other_one(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run_arena(
        capsys, "beginner", "careful", "bold", "--pairs", games=40, ruleset="pot", target=1000
    ).out.splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:5]]
    assert [row[0] for row in cells] == ["beginner", "careful", "bold"]
    assert float(cells[0][2]) + float(cells[1][1]) == pytest.approx(100, abs=0.11)


def test_arena_speaks_the_language_of_the_shell(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    short: dict[str, Any] = {"games": 40, "ruleset": "pot", "target": 1000}
    heads, *_, about = run_arena(capsys, "careful", "bold", **short).out.splitlines()
    assert heads.split() == ["Computer", "Siege"]
    assert about.startswith("40 Spiele in ")
    assert "Je 40 Spiele" in run_arena(capsys, "careful", "bold", "--pairs", **short).out
    with pytest.raises(CommandError, match="Nenne 2 bis 12 Computer"):
        run_arena(capsys, "bold")


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command in the middle of many games, on two processors or more."""
    command = [sys.executable, "manage.py", "arena", "bold", "careful", "-n", "1000000"]
    environment = os.environ | {"DATA_DIR": str(tmp_path), "PYTHONUNBUFFERED": "1", "LC_ALL": "C"}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        process_group=0,
        # Where the tests run in the background of a shell, the commands they start would not hear Ctrl+C.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no thread
    ) as process:
        assert process.stderr
        output = b""
        while not output.endswith(b"%"):
            more = process.stderr.read(1)
            assert more, output
            output += more
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.own_site
def test_ctrl_c_ends_the_games_at_once_without_a_traceback(playing: subprocess.Popen[bytes]) -> None:
    os.killpg(playing.pid, signal.SIGINT)
    output = playing.communicate(timeout=patience.SECONDS)[1]
    assert (playing.returncode, b"Traceback" in output) == (130, False), output


@pytest.mark.own_site
def test_the_games_end_with_one_sentence_if_a_process_is_killed(playing: subprocess.Popen[bytes]) -> None:
    """As Linux does where memory runs out."""
    workers = Path(f"/proc/{playing.pid}/task/{playing.pid}/children").read_text().split()
    os.kill(int(workers[-1]), signal.SIGKILL)
    output = playing.communicate(timeout=patience.SECONDS)[1]
    assert playing.returncode == 1
    _progress, _end, line = output.decode().partition("\n")
    assert line == "CommandError: A process that was playing games was killed. Perhaps memory ran out.\n"


@pytest.mark.parametrize(
    ("levels", "options", "reason"),
    [
        (["bold"], {}, "2 to 12"),
        (["bold"] * 3, {"ruleset": "greed"}, "Name 2 computers"),
        (["bold", "best"], {"target": 17}, "17 is not a target. A target is from 100 to 100,000, in steps of 50."),
        (["bold", "best"], {"games": 0}, "1 or more"),
    ],
    ids=str,
)
def test_an_impossible_match_is_refused(levels: list[str], options: dict[str, Any], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("arena", *levels, **options)


def test_arena_says_when_a_turn_could_go_on_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "endless.json"
    path.write_text(json.dumps({"singles": [100, 50, 50, 50, 50, 50]}))
    with pytest.raises(CommandError, match="without risk"):
        call_command("arena", "bold", "careful", ruleset=str(path))
