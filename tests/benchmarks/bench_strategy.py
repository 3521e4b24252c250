"""How fast the strategy is: `python tests/benchmarks/bench_strategy.py` prints each figure beside what is asked for.

`--solve` also solves the shipped rulesets from the start (some minutes), on one core.
"""

import resource
import sys
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from game.rules import PRESETS, Ruleset, preset  # noqa: E402
from game.strategy.turn import Spot, shot_points  # noqa: E402
from game.strategy.win import (  # noqa: E402
    Seat,
    Standing,
    race_of,
    rate_ways,
    shot_chances,
    solve,
    table_of,
)

SHIPPED = ("classic", "pot", "farkle", "farkle-quick", "greed", "greed-5000")


def timed(work, *given):
    start = time.perf_counter()
    answer = work(*given)
    return time.perf_counter() - start, answer


def row(what, figure, asked):
    print(f"{what:46}{figure:>14}  {asked}", flush=True)


def policies():
    """A shot's policy, and a whole decision, over all sorts of scores."""
    for slug in SHIPPED:
        ruleset = preset(slug)
        table = table_of(ruleset, ruleset.target)
        top = ruleset.target - 50
        pairs = [(0, 0), (0, top), (top, 0), (top, top), (top // 100 * 50, top // 100 * 50), (top, top // 100 * 50)]
        standings = [Standing((Seat(mine, mine > 0), Seat(theirs, theirs > 0))) for mine, theirs in pairs]
        shots = [min(timed(shot_chances, table, each)[0] for _ in range(20)) for each in standings]
        row(f"policy of a shot, {slug}", f"{1000 * max(shots):.1f} ms", "at most 5 ms")
        spot = Spot((1, 1, 2, 2, 2, 5), 300)
        ways = [min(timed(rate_ways, ruleset, spot, each, table)[0] for _ in range(20)) for each in standings]
        row(f"one decision, all ways to keep, {slug}", f"{1000 * max(ways):.1f} ms", "at most 15 ms")


def points():
    for slug in PRESETS:
        row(f"best shot by points, {slug}, cold", f"{timed(shot_points, preset(slug))[0]:.2f} s", "")


def solving():
    for slug in SHIPPED:
        race = race_of(preset(slug), preset(slug).target)
        seconds, chances = timed(solve, race)
        asked = f"at most {60 * race.roles} s on two cores"
        row(f"solve {slug} exactly", f"{seconds:.1f} s", f"{asked}; first wins {chances[0, 0, 0]:.4f}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    row("memory", f"{most} MiB", "under 400 MiB")


def literature():
    """Singles and triplets only, first to 10,000: which start of the second player is the fairest."""
    plain = Ruleset(singles=(100, 0, 0, 0, 50, 0), of_a_kind=((1000, 200, 300, 400, 500, 600), *((0,) * 6,) * 3))
    chances = solve(race_of(replace(plain, ending="at_once"), 10_000))
    fairest = 50 * int(np.abs(chances[0, 1, 1:12] - 0.5).argmin())
    row("fairest start, singles and triplets only", f"{fairest} points", "200 points")


if __name__ == "__main__":
    print(f"{'':46}{'measured':>14}  asked for")
    points()
    policies()
    if "--solve" in sys.argv:
        literature()
        solving()
