"""How long a table takes to solve today and in an older checkout, in turns: CPU seconds of one core, and their ratio.

`python tests/benchmarks/solver.py OLDER [slug target] …`, where OLDER is a folder with another revision, such as
`git worktree add OLDER a484b7a` makes: the last one before rulesets of the world. Fails where today takes longer.

`python tests/benchmarks/solver.py --gallery [slug …]` solves all rulesets that come with the project, each in a process
of its own (half an hour): CPU seconds, seconds on two cores, and the most memory. Fails beyond what is asked for.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = (
    ("classic", 5000), ("classic", 10000), ("pot", 10000), ("farkle", 10000), ("farkle-quick", 5000), ("greed", 10000),
    ("greed-5000", 5000),
)  # fmt: skip

# Older revisions have other names for the same, and one more result.
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


GALLERY_SECONDS, GALLERY_MIB = 120, 600
# Where the worker stops at a grid: how many rows apart its nodes are.
GRIDS = {"farkle-facebook": 2, "noppa-10000": 3}
SOLVE_ALONE = """
import json, os, resource, sys, time
from game.rules import Ruleset
from game.strategy.win import make_race, solve_race
ruleset = Ruleset.from_json(json.loads(sys.argv[1]))
begin, cpu = time.perf_counter(), sum(os.times()[:4])
solve_race(make_race(ruleset, ruleset.target), step=int(sys.argv[2]))
both = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
most = sum(both) // 1024  # what both processes read is counted twice
print(sum(os.times()[:4]) - cpu, time.perf_counter() - begin, most)
"""


def solve_gallery(slugs: list[str]) -> bool:
    """Print a line for each of these rulesets, or for all; return whether all are as fast and small as asked for."""
    sys.path.insert(0, str(ROOT))
    from game.rules import PRESETS, preset

    world = (json.loads(file.read_bytes()) for file in sorted((ROOT / "game" / "rules" / "world").glob("*.json")))
    rulesets = {
        **{slug: preset(slug).to_json() for slug in PRESETS},
        **{each["slug"]: each["ruleset"] for each in world},
    }
    good = True
    print(f"{'':26}{'CPU':>8}{'two cores':>11}{'memory':>10}")
    for slug in slugs or rulesets:
        step = GRIDS.get(slug, 1)
        command = [sys.executable, "-c", SOLVE_ALONE, json.dumps(rulesets[slug]), str(step)]
        one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        answer = subprocess.run(command, cwd=ROOT, env=one_thread, capture_output=True, text=True, check=True).stdout
        cpu, seconds, most = map(float, answer.split())
        good = good and seconds <= GALLERY_SECONDS and most <= GALLERY_MIB
        grid = f"every {step} rows" if step > 1 else ""
        print(f"{slug:26}{cpu:7.1f}s{seconds:10.1f}s{most:7.0f}MiB  {grid}", flush=True)
    return good


def solve(checkout: Path, slug: str, target: int) -> tuple[float, float]:
    """Return the seconds, and the chance to win of who begins."""
    command = [sys.executable, "-c", SOLVE, slug, str(target)]
    one_core = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(checkout)}
    answer = subprocess.run(command, cwd=checkout, env=one_core, capture_output=True, text=True, check=True).stdout
    seconds, chance = answer.split()
    return float(seconds), float(chance)


def main() -> None:
    older, *chosen = sys.argv[1:]
    if older == "--gallery":
        sys.exit(not solve_gallery(chosen))
    tables = [(slug, int(target)) for slug, target in zip(chosen[::2], chosen[1::2], strict=True)] or [*TABLES]
    good = True
    print(f"{'':24}{'older':>10}{'today':>10}{'ratio':>8}  first wins")
    for slug, target in tables:
        before, chance_before = solve(Path(older), slug, target)
        now, chance = solve(ROOT, slug, target)
        good = good and now <= before and abs(chance - chance_before) < 1e-6
        chances = f"{chance_before:.6f} {chance:.6f}"
        print(f"{slug + ' to ' + str(target):24}{before:9.1f}s{now:9.1f}s{now / before:8.2f}  {chances}", flush=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
