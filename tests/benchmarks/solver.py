"""How long a table takes to solve today and in an older checkout, alternately: CPU seconds of one core, and the ratio.

`python tests/benchmarks/solver.py OLDER [slug target] …`, where OLDER is a folder with another revision, such as
`git worktree add OLDER a484b7a` makes: the last one before rulesets of the world. Fails where today takes longer.

`python tests/benchmarks/solver.py --shipped [slug …]` solves every score of all rulesets that come with the project,
each in a process of its own (half an hour), and prints CPU seconds, seconds on two cores, and the most memory (PSS,
read twice a second). Fails above its goals.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.process_memory import read_memory_of_family  # noqa: E402

TABLES = (
    ("classic", 5000), ("classic", 10000), ("pot", 10000), ("farkle", 10000), ("farkle-quick", 5000), ("greed", 10000),
    ("greed-5000", 5000),
)  # fmt: skip

# Older revisions have other names for these functions, and `solve` there has one more result.
SOLVE = """
import os, sys
from game.rules import preset
try:
    from game.strategy.win import make_race, solve_race
except ImportError:
    from game.strategy.win import race_of as make_race, solve as solve_race
race = make_race(preset(sys.argv[1]), int(sys.argv[2]))
begin = sum(os.times()[:4])
solved = solve_race(race)
print(sum(os.times()[:4]) - begin, float(getattr(solved, "chances", solved).flat[0]))
"""


SHIPPED_SECONDS, SHIPPED_MIB = 120, 600
# Rulesets whose every score the worker solves from a finer grid than usual, by the rows between the grid's nodes. The
# time for this grid counts as well.
GRIDS = {"noppa-10000": 3}
SOLVE_ALONE = """
import json, os, sys, time
from game.rules import Ruleset
from game.strategy.win import make_race, solve_race
ruleset = Ruleset.from_json(json.loads(sys.argv[1]))
begin, cpu = time.perf_counter(), sum(os.times()[:4])
race, step = make_race(ruleset, ruleset.target), int(sys.argv[2])
solve_race(race, begin=solve_race(race, step=step) if step > 1 else None)
print(sum(os.times()[:4]) - cpu, time.perf_counter() - begin)
"""


def solve_shipped(slugs: list[str]) -> bool:
    """Print a line for each of these rulesets, or for all; return whether all are as fast and small as asked for."""
    from game.rules import PRESETS, preset

    world = (json.loads(file.read_bytes()) for file in sorted((ROOT / "game" / "rules" / "world").glob("*.json")))
    rulesets = {
        **{slug: preset(slug).to_json() for slug in PRESETS},
        **{table["slug"]: table["ruleset"] for table in world},
    }
    good = True
    print(f"{'':26}{'CPU':>8}{'two cores':>11}{'memory':>10}")
    for slug in slugs or rulesets:
        cpu, seconds, most = solve_alone(rulesets[slug], GRIDS.get(slug, 1))
        good = good and seconds <= SHIPPED_SECONDS and most <= SHIPPED_MIB
        print(f"{slug:26}{cpu:7.1f}s{seconds:10.1f}s{most:7.0f}MiB", flush=True)
    return good


def solve_alone(ruleset: dict[str, Any], step: int) -> tuple[float, float, float]:
    """Return CPU seconds, seconds, and the most memory in MiB that the solver and its partner had together."""
    command = [sys.executable, "-c", SOLVE_ALONE, json.dumps(ruleset), str(step)]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    most = 0.0
    with subprocess.Popen(command, cwd=ROOT, env=one_thread, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            with contextlib.suppress(OSError, AssertionError):  # if the process has just ended
                most = max(most, sum(read_memory_of_family(process.pid)))
            time.sleep(0.5)
        assert process.stdout
        cpu, seconds = map(float, process.stdout.read().split())
    return cpu, seconds, most


def solve_table(checkout: Path, slug: str, target: int) -> tuple[float, float]:
    """Return the CPU seconds, and the chance to win of the first player, 0 to 1."""
    command = [sys.executable, "-c", SOLVE, slug, str(target)]
    one_core = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(checkout)}
    answer = subprocess.run(command, cwd=checkout, env=one_core, capture_output=True, text=True, check=True).stdout
    seconds, chance = answer.split()
    return float(seconds), float(chance)


def main() -> None:
    older, *chosen = sys.argv[1:]
    if older == "--shipped":
        sys.exit(not solve_shipped(chosen))
    tables = [(slug, int(target)) for slug, target in zip(chosen[::2], chosen[1::2], strict=True)] or [*TABLES]
    good = True
    print(f"{'':24}{'older':>10}{'today':>10}{'ratio':>8}  first wins")
    for slug, target in tables:
        before, chance_before = solve_table(Path(older), slug, target)
        now, chance = solve_table(ROOT, slug, target)
        good = good and now <= before and abs(chance - chance_before) < 1e-6
        chances = f"{chance_before:.6f} {chance:.6f}"
        print(f"{slug + ' to ' + str(target):24}{before:9.1f}s{now:9.1f}s{now / before:8.2f}  {chances}", flush=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
