"""How fast the rules are: `python tests/benchmarks/rules.py` prints each figure beside its goal."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from game.rules import PRESETS, Entry, Ruleset, apply, keeps, legal_moves, new_game, preset, throw  # noqa: E402

FACES = (1, 2, 3, 4, 5, 6)
PLAYERS = [Entry("Ana"), Entry("Bo"), Entry("Cy")]


def make_throws(count: int, rng: random.Random) -> list[tuple[int, ...]]:
    return [tuple(rng.choices(FACES, k=rng.randint(1, 6))) for _ in range(count)]


def time_call(work: Callable[..., object], *given: object, clock: Callable[[], float] = time.process_time) -> float:
    """Return the seconds that the work takes, by default in CPU time, so that a busy machine does not count."""
    start = clock()
    work(*given)
    return clock() - start


def find_keeps(ruleset: Ruleset, many: list[tuple[int, ...]]) -> None:
    for dice in many:
        keeps(ruleset, dice)


def play_random_game(ruleset: Ruleset, rng: random.Random) -> None:
    state = new_game(ruleset, PLAYERS).state
    while not state.finished:
        if state.to_throw:
            state = throw(state, rng.choices(FACES, k=state.to_throw)).state
        else:
            state = apply(state, rng.choice(legal_moves(state))).state


def play_random_games(slug: str, count: int, rng: random.Random) -> None:
    for _ in range(count):
        play_random_game(preset(slug), rng)


def run_keeps_command(count: int, rng: random.Random) -> None:
    lines = "\n".join("".join(map(str, dice)) for dice in make_throws(count, rng))
    command = [sys.executable, "manage.py", "keeps", "--ruleset", "boxcars", "--json"]
    subprocess.run(command, input=lines, text=True, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    rng = random.Random(1)
    many = make_throws(100_000, rng)
    print(f"{'':38}{'measured':>10}  asked for")
    for slug in PRESETS:
        print(f"{'keeps of 100,000 throws, ' + slug:38}{time_call(find_keeps, preset(slug), many):>8.2f} s  under 1 s")
    few = [dice[:5] for dice in many]
    for file in sorted((ROOT / "game" / "rules" / "world").glob("*.json")):
        ruleset = Ruleset.from_json(json.loads(file.read_bytes())["ruleset"])
        seconds = time_call(find_keeps, ruleset, few if ruleset.dice == 5 else many)
        print(f"{'keeps of 100,000 throws, ' + ruleset.slug:50}{seconds:>8.2f} s  under 1 s")
    for slug in ("classic", "boxcars", "farkle"):
        seconds = time_call(play_random_games, slug, 2000, rng)
        print(f"{'2,000 games of three, ' + slug:38}{seconds:>8.2f} s  under 20 s")
    seconds = time_call(run_keeps_command, 50_000, rng, clock=time.perf_counter)
    print(f"{'manage.py keeps, 50,000 lines':38}{seconds:>8.2f} s  under 10 s")


if __name__ == "__main__":
    main()
