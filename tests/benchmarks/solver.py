"""How long a table takes to solve today and in an older checkout, in turns: CPU seconds of one core, and their ratio.

`python tests/benchmarks/solver.py OLDER [slug target] …`, where OLDER is a folder with another revision, such as
`git worktree add OLDER a484b7a` makes: the last one before rulesets of the world. Fails where today takes longer.
"""

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
import sys, time
from game.rules import preset
try:
    from game.strategy.win import make_race, solve_race
except ImportError:
    from game.strategy.win import race_of as make_race, solve as solve_race
race = make_race(preset(sys.argv[1]), int(sys.argv[2]))
begin = time.process_time()
solved = solve_race(race)
print(time.process_time() - begin, float(getattr(solved, "chances", solved).flat[0]))
"""


def solve(checkout: Path, slug: str, target: int) -> tuple[float, float]:
    """Return the seconds, and the chance to win of who begins."""
    command = [sys.executable, "-c", SOLVE, slug, str(target)]
    one_core = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(checkout)}
    answer = subprocess.run(command, cwd=checkout, env=one_core, capture_output=True, text=True, check=True).stdout
    seconds, chance = answer.split()
    return float(seconds), float(chance)


def main() -> None:
    older, *chosen = sys.argv[1:]
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
