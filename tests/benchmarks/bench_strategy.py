"""How fast the strategy is: `python tests/benchmarks/bench_strategy.py` prints each figure beside its goal.

`--solve` also solves the shipped rulesets from the start (some minutes); `--world` adds the expected points of the
tables of the world, whose tables of chances `solver.py --shipped` solves.
"""

import json
import random
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from game.rules import PRESETS, Bank, Entry, Faces, Record, Ruleset, apply, legal_moves, new_game, preset, throw  # noqa: E402
from game.rules.record import ShotRecord  # noqa: E402
from game.strategy.analysis import analyse_game  # noqa: E402
from game.strategy.arena import Match, play_match  # noqa: E402
from game.strategy.turn import solve_shot_points  # noqa: E402
from game.strategy.win import (  # noqa: E402
    ScoreSituation,
    SeatScore,
    find_table,
    make_race,
    rate_options,
    solve_race,
    solve_shot_chances,
)
from tests.strategy.positions import set_up_choice  # noqa: E402

SHIPPED = ("classic", "pot", "farkle", "farkle-quick", "greed", "greed-5000")


def time_call(work: Callable[..., Any], *given: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    answer = work(*given)
    return time.perf_counter() - start, answer


def print_row(what: str, figure: str, goal: str) -> None:
    print(f"{what:46}{figure:>14}  {goal}", flush=True)


def time_policies() -> None:
    """Time the policy of a turn, and a whole decision, over all sorts of scores."""
    for slug in SHIPPED:
        ruleset = preset(slug)
        table = find_table(ruleset, ruleset.target)
        top = ruleset.target - 50
        pairs = [(0, 0), (0, top), (top, 0), (top, top), (top // 100 * 50, top // 100 * 50), (top, top // 100 * 50)]
        situations = [
            ScoreSituation((SeatScore(mine, mine > 0), SeatScore(theirs, theirs > 0))) for mine, theirs in pairs
        ]
        shots = [min(time_call(solve_shot_chances, table, scores)[0] for _ in range(20)) for scores in situations]
        print_row(f"policy of a shot, {slug}", f"{1000 * max(shots):.1f} ms", "at most 5 ms")
        states = [set_up_choice(ruleset, (1, 1, 2, 2, 2, 5), 300, scores=scores) for scores in pairs]
        decisions = [min(time_call(rate_options, state, table)[0] for _ in range(20)) for state in states]
        print_row(f"one decision, all ways to keep, {slug}", f"{1000 * max(decisions):.1f} ms", "at most 15 ms")


def time_reviews() -> None:
    """Time the analysis of a whole game, cold (tables and expected points are made, too) and warm."""
    for slug in SHIPPED:
        record = play_record(slug, 60)
        cold, analysis = time_call(analyse_game, record)
        warm = min(time_call(analyse_game, record)[0] for _ in range(3))
        what = f"review of 60 shots, {len(analysis.decisions)} decisions, {slug}"
        print_row(what, f"{cold:.2f} / {warm:.2f} s", "under 3 s on one core (cold / warm)")


def play_record(slug: str, shots: int) -> Record:
    """Return a random game of two players, far from its end, with this many finished turns."""
    rng, state = random.Random(1), new_game(preset(slug), [Entry("Ana"), Entry("Bo")]).state
    start: list[tuple[int, ...]] = []
    events: list[ShotRecord] = []
    throws: list[Faces] = []
    while state.starting:
        start.append((6, 1))
        state = throw(state, (6, 1)).state
    while len(events) < shots and not state.finished:
        seat, before = state.player, state
        banked: int | None = None
        if state.to_throw:
            throws.append(Faces(tuple(rng.choices(range(1, 7), k=state.to_throw))))
            state = throw(state, throws[-1].dice).state
        else:
            moves = legal_moves(state)
            move = next((move for move in moves if isinstance(move, Bank)), rng.choice(moves))
            if move.keep:
                throws[-1] = Faces(throws[-1].dice, move.keep)
            state = apply(state, move).state
            banked = state.players[seat].score - before.players[seat].score
        if state.shots > before.shots:
            events.append(ShotRecord(seat, "bust" if banked is None else "bank", tuple(throws), banked))
            throws = []
    return Record(preset(slug), preset(slug).target, (Entry("Ana"), Entry("Bo")), tuple(start) or None, tuple(events))


def time_arena() -> None:
    """Time games between computers on one core: of levels that go by points, and with the level "best"."""
    ruleset = preset("classic")
    play_match(Match(ruleset, 10_000, ("balanced", "bold")), range(10), 1)
    for levels, games in ((("balanced", "bold"), 5000), (("bold", "best"), 2500)):
        seconds, _ = time_call(play_match, Match(ruleset, 10_000, levels), range(games), 1)
        goal = "at least 1,000 a core" if "best" not in levels else ""
        print_row(f"games between {' and '.join(levels)}, classic", f"{games / seconds:,.0f} /s", goal)


def time_points() -> None:
    for slug in PRESETS:
        print_row(f"best shot by points, {slug}, cold", f"{time_call(solve_shot_points, preset(slug))[0]:.2f} s", "")


def time_solving() -> None:
    for slug in SHIPPED:
        race = make_race(preset(slug), preset(slug).target)
        seconds, table = time_call(solve_race, race)
        goal = f"at most {60 * race.roles} s on two cores"
        print_row(f"solve {slug} exactly", f"{seconds:.1f} s", f"{goal}; first wins {table.chances[0, 0, 0]:.4f}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print_row("memory", f"{most} MiB", "under 400 MiB")


def time_world_tables() -> None:
    """Time the best turn by points under each table of the world, cold."""
    for file in sorted((ROOT / "game" / "rules" / "world").glob("*.json")):
        ruleset = Ruleset.from_json(json.loads(file.read_bytes())["ruleset"])
        print_row(f"best shot by points, {ruleset.slug}, cold", f"{time_call(solve_shot_points, ruleset)[0]:.2f} s", "")


def print_fairest_start() -> None:
    """Print the fairest start for the second player, in points, with singles and triplets only and first to 10,000."""
    plain = Ruleset(singles=(100, 0, 0, 0, 50, 0), of_a_kind=((1000, 200, 300, 400, 500, 600), *((0,) * 6,) * 3))
    chances = solve_race(make_race(replace(plain, ending="at_once"), 10_000)).chances
    fairest = 50 * int(np.abs(chances[0, 1, 1:12] - 0.5).argmin())
    print_row("fairest start, singles and triplets only", f"{fairest} points", "200 points")


if __name__ == "__main__":
    print(f"{'':46}{'measured':>14}  asked for")
    time_reviews()
    time_points()
    time_policies()
    time_arena()
    if "--world" in sys.argv:
        time_world_tables()
    if "--solve" in sys.argv:
        print_fairest_start()
        time_solving()
