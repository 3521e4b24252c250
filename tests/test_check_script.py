"""The check script that anybody can download, run as they would: with plain Python and nothing else."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from game import dice
from game.models import Game, RulesetRow
from game.rules import Entry
from game.services import create_game
from game.services.dice import fix_words
from tests import patience
from tests.cast import ANA, BRUNO, Device, device, make_key, open_turn, throw

__all__ = ["device"]


def begin_game(device: Device, *names: str, slug: str = "classic") -> Game:
    ruleset = RulesetRow.objects.get(slug=slug, latest=True)
    return create_game(device.browser, make_key(), ruleset, [Entry(name) for name in names], target=1000)


@pytest.fixture
def game(device: Device) -> Game:
    """A finished game of computers, with a word in its dice."""
    made = begin_game(device, "*HAL", "*Ada")
    made.players.filter(seat=1).update(word="Büro")
    fix_words(made)
    while not Game.objects.filter(status="finished").exists():
        device.do(made, "advance")
    return Game.objects.get()


def run_script(folder: Path, script: str, file: Any = None) -> tuple[int, list[str]]:
    """Run the script without access to this project or any package; return its exit code and lines."""
    (folder / "check.py").write_text(script, encoding="utf-8")
    if file is not None:
        (folder / "game.json").write_text(json.dumps(file), encoding="utf-8")
    command = [sys.executable, "-I", "check.py", *(["game.json"] if file is not None else [])]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=patience.SECONDS)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


def load_script(device: Device, game: Game) -> str:
    answer = device.client.get(f"{game.get_absolute_url()}/check.py")
    assert f"ten-thousand-{game.code}-check.py" in answer["Content-Disposition"]
    return answer.content.decode()


def load_any_script(device: Device) -> str:
    return device.client.get("/fair/check.py").content.decode()


def load_file(device: Device, game: Game) -> Any:
    return device.client.get(f"{game.get_absolute_url()}.json").json()


def change_face(digit: int) -> int:
    return digit % 6 + 1


def find_changed_throws(game: Game, seed: bytes) -> list[int]:
    """The numbers of the throws that would have fallen otherwise, had this been the game's seed."""
    table = game.seeds.get().table
    throws = enumerate((throw.faces for throw in game.throws.order_by("pk")), 1)
    return [n for n, faces in throws if dice.draw_dice(seed, game.code, 1, table, n, len(faces)) != faces]


def write_verdict(game: Game, ours: int, others: int) -> str:
    return f"Game {game.code} is verified. Throws that match the sealed dice: {ours}. Throws of other dice: {others}."


def test_a_finished_game_is_verified(device: Device, game: Game, tmp_path: Path) -> None:
    code, lines = run_script(tmp_path, load_script(device, game))
    assert (code, lines[0]) == (0, f"Seal 1: {game.seeds.get().seal}")
    assert lines[1] == write_verdict(game, game.throws.count(), 0)


def test_the_file_of_a_finished_game_is_verified_as_well(device: Device, game: Game, tmp_path: Path) -> None:
    assert run_script(tmp_path, load_any_script(device), load_file(device, game))[0] == 0


def test_a_die_changed_in_the_rows_is_found(device: Device, game: Game, tmp_path: Path) -> None:
    *before, last = game.throws.order_by("pk")
    place = len(before) + 1
    fell = " ".join(last.dice)
    last.dice = str(change_face(last.faces[0])) + last.dice[1:]
    last.save()
    code, lines = run_script(tmp_path, load_script(device, game))
    assert code == 1
    assert lines == [f"Throw {place}, number {place}: {' '.join(last.dice)} fell, the seed gives {fell}."]


def test_a_die_changed_in_the_file_is_found(device: Device, game: Game, tmp_path: Path) -> None:
    file = load_file(device, game)
    first = file["events"][0]["throws"][0]["dice"]
    first[0] = change_face(first[0])
    code, lines = run_script(tmp_path, load_any_script(device), file)
    assert code == 1 and lines[0].startswith("Throw 1, number 1: ") and len(lines) == 1


def test_a_seed_exchanged_afterwards_is_found(device: Device, game: Game, tmp_path: Path) -> None:
    """Every throw is named that the other seed gives otherwise; one of a single die may well be the same."""
    file = load_file(device, game)
    file["proof"]["epochs"][0]["seed"] = "00" * 32
    code, lines = run_script(tmp_path, load_any_script(device), file)
    assert code == 1 and lines[0].startswith("Epoch 1: the seal is ")
    assert [line.split(",")[0] for line in lines[1:]] == [f"Throw {n}" for n in find_changed_throws(game, bytes(32))]


def test_a_word_changed_afterwards_is_found(device: Device, game: Game, tmp_path: Path) -> None:
    game.players.filter(seat=1).update(word="Bureau")
    code, lines = run_script(tmp_path, load_script(device, game))
    assert code == 1 and lines[0].startswith("Epoch 1: the table is ")


def test_a_number_left_out_is_found(device: Device, game: Game, tmp_path: Path) -> None:
    file = load_file(device, game)
    file["proof"]["numbers"][-1] += 1
    code, lines = run_script(tmp_path, load_any_script(device), file)
    last = len(file["proof"]["numbers"])
    assert code == 1 and lines[0] == f"Throw {last}: its number is {last + 1}, after {last - 1}."


def test_throws_for_the_start_and_undone_throws_are_verified(device: Device, tmp_path: Path) -> None:
    game = begin_game(device, ANA, BRUNO, slug="farkle")
    for what in ("throw", "undo", "throw"):
        device.do(game, what)
    Game.objects.update(status="abandoned")
    assert run_script(tmp_path, load_script(device, game))[0] == 0


def test_a_game_whose_end_was_undone_is_verified_with_both_its_seeds(device: Device, tmp_path: Path) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=[*"123456"])
    device.do(game, "undo")
    device.do(game, "throw")
    for seat in "01":
        device.do(game, "seats", do="out", seat=seat)
    for script, file in ((load_script(device, game), None), (load_any_script(device), load_file(device, game))):
        code, lines = run_script(tmp_path, script, file)
        assert code == 0 and lines[2] == write_verdict(game, 1, 1)


@pytest.mark.parametrize("file", [[], {}, {"proof": {}}, "x", {"proof": {"numbers": [1]}, "events": []}])
def test_a_file_that_is_no_game_file_is_refused(device: Device, tmp_path: Path, file: Any) -> None:
    code, lines = run_script(tmp_path, load_any_script(device), file)
    assert code == 2 and lines[0].startswith("This cannot be checked: ")


def test_a_running_game_cannot_be_checked_yet(device: Device, tmp_path: Path) -> None:
    code, lines = run_script(tmp_path, load_any_script(device), load_file(device, begin_game(device, ANA, BRUNO)))
    assert code == 2 and len(lines) == 1


def test_without_a_game_the_script_says_what_it_does(device: Device, tmp_path: Path) -> None:
    code, lines = run_script(tmp_path, load_any_script(device))
    assert code == 2 and "Plain Python, no network." in "\n".join(lines)
