"""How long a decision takes under every ruleset: `python tests/benchmarks/decisions.py [slug …]`.

Every measured decision is the first one of a turn that nobody has seen before, in a process that loaded the rules and
the table long ago: the advice of the coach, and the move of the best computer. Prints CPU milliseconds: the median of
nine neighbouring scores, at the worst of six stages of a game. Where the project has no table for a ruleset, one of
estimates takes its place, which is as large and makes as much work.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from game.rules import PRESETS, Entry, Ruleset, State, Throw, apply, new_game, preset, throw  # noqa: E402
from game.rules.play.state import alter, with_player  # noqa: E402
from game.strategy.coach import give_advice  # noqa: E402
from game.strategy.computers import choose_move  # noqa: E402
from game.strategy.preload import preload_ruleset, rate_if_ready  # noqa: E402
from game.strategy.win import TABLE_SOURCES, NoTable, WinTable, find_table, make_race, solve_endgame, table_digest  # noqa: E402
from game.strategy.win.offers import Offers  # noqa: E402
from game.strategy.win.rough_table import estimate_chances  # noqa: E402
from game.strategy.win.rounds import make_empty_table  # noqa: E402

GOAL_MS = 15
# Score of the first player and of each other one, as parts of the target, and the number of players.
STAGES = ((0.0, 0.0, 2), (0.0, 0.9, 2), (0.9, 0.0, 2), (0.5, 0.5, 2), (0.9, 0.9, 2), (0.5, 0.5, 4))
NEIGHBOURS = range(9)
DICE = (1, 2, 2, 3, 5, 5)

_tables: dict[str, WinTable] = {}


def make_estimated_table(ruleset: Ruleset) -> WinTable:
    """Make a table of estimates with the places of the real one. Raises `NoTable`."""
    race = make_race(ruleset, ruleset.target)
    if race.ending == "rounds":
        empty = make_empty_table(race)
        leads = np.arange(empty.chances.shape[-1]) - empty.most
        chances = np.broadcast_to(1 / (1 + np.exp(-leads * race.graph.unit / 2000)), empty.chances.shape)
        return replace(empty, chances=chances)
    offers = Offers(race, np.arange(race.places)) if race.has_offers else None
    return WinTable(race, solve_endgame(race), estimate_chances(race), offers)


def make_state(ruleset: Ruleset, stage: tuple[float, float, int], more: int) -> State | None:
    """Return a state at the first choice of a turn; None if these dice are a bust."""
    own, other, players = stage
    unit = 5 if ruleset.target <= 1000 else 50

    def score(part: float) -> int:
        return int(ruleset.target * part) // unit * unit + (more * unit if part else 0)

    state = new_game(ruleset, [Entry(f"*{seat}", "best") for seat in range(players)]).state
    state = with_player(state, 0, score=score(own), entered=own > 0)
    for seat in range(1, players):
        # Where both scores are 0 at this stage, the others' score has to tell the situations apart.
        behind = more * unit if not own and not other else 0
        state = with_player(state, seat, score=score(other) + behind, entered=other > 0 or behind > 0)
    if ruleset.rounds:
        state = alter(state, round=1 + int((ruleset.rounds - 1) * own))
    state = apply(state, Throw()).state
    state = throw(state, DICE[: ruleset.dice]).state
    return state if state.shot and state.shot.dice and not state.to_throw else None


def advise_player(state: State) -> None:
    if rated := rate_if_ready(state):
        give_advice(state, rated)


def time_decisions(ruleset: Ruleset, decide: Callable[[State], object], stage: tuple[float, float, int]) -> float:
    """Return the median of the CPU milliseconds at neighbouring scores, none of which was asked for before."""
    return statistics.median(_time_all(ruleset, decide, stage))


def _time_all(ruleset: Ruleset, decide: Callable[[State], object], stage: tuple[float, float, int]) -> Iterator[float]:
    for more in NEIGHBOURS:
        state = make_state(ruleset, stage, 2 * more + (decide is advise_player))
        if state is not None:
            begin = time.process_time()
            decide(state)
            yield 1000 * (time.process_time() - begin)


def main() -> None:
    world = sorted((ROOT / "game" / "rules" / "world").glob("*.json"))
    rulesets = [preset(slug) for slug in PRESETS]
    rulesets += [Ruleset.from_json(json.loads(file.read_bytes())["ruleset"]) for file in world]
    rulesets = [replace(rules, first_player="seat_order", min_players=1, max_players=8) for rules in rulesets]
    wanted = [rules for rules in rulesets if rules.slug in sys.argv[1:] or not sys.argv[1:]]
    TABLE_SOURCES.append(lambda ruleset, target: _tables.get(table_digest(ruleset, target)))
    good = True
    print(f"{'ms of CPU, at most ' + str(GOAL_MS):26}{'coach':>8}{'computer':>10}  table")
    for ruleset in wanted:
        table = "shipped" if find_table(ruleset, ruleset.target) else "none"
        if table == "none":
            try:
                _tables[table_digest(ruleset, ruleset.target)] = make_estimated_table(ruleset)
                table = "estimated"
            except NoTable:
                pass
        preload_ruleset(ruleset, ruleset.target)
        coach, computer = (
            max(time_decisions(ruleset, decide, stage) for stage in STAGES) for decide in (advise_player, choose_move)
        )
        good = good and max(coach, computer) <= GOAL_MS
        print(f"{ruleset.slug:26}{coach:8.1f}{computer:10.1f}  {table}", flush=True)
        _tables.clear()
    sys.exit(not good)


if __name__ == "__main__":
    main()
