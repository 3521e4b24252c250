"""The table of chances to win, compared with the literature, and with the rules themselves, move by move."""

import errno
import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.rules import Bank, Entry, Move, Ruleset, State, Throw, apply, keeps, legal_moves, new_game, preset, throw
from game.rules.combinations import Dice
from game.rules.play.state import alter, with_player
from game.rules.ruleset import Ending, SweepRule, TieRule
from game.strategy.arrays import Floats
from game.strategy.turn.graph import Graph, Layer
from game.strategy.turn.positions import WIN, ShotPosition
from game.strategy.win import (
    NoTable,
    Race,
    ScoreSituation,
    SeatScore,
    WinTable,
    decode_table,
    encode_table,
    find_table,
    make_race,
    rate_options,
    rough_table,
    save_table,
    solve_endgame,
    solve_race,
    solve_shot_chances,
)
from game.strategy.win.grid import ScorePairs
from game.strategy.win.race_shots import start_values, values_of_busts
from game.strategy.win.shot_values import COARSE_FROM
from tests.examples import choose_tries
from tests.require import require
from tests.rules.test_world import NAMES, WORLD
from tests.strategy.positions import TINY, set_up_choice

ENDINGS: list[tuple[Ending, TieRule, SweepRule]] = [
    ("at_once", "leader_stands", "may_bank"),
    ("last_shot_each", "leader_stands", "must_throw"),
    ("last_shot_each", "shared", "may_bank"),
    ("last_shot_each", "extra_rounds", "may_bank"),
    ("complete_round", "extra_rounds", "may_bank"),
]


def make_pig() -> Graph:
    """The game of Pig as a graph: one die, whose 1 is a bust and whose other faces add their points, in all columns."""
    flat = np.array([face * 7 + 5 for face in range(2, 7)], dtype=np.intp)
    none = np.zeros(0, dtype=np.intp)
    layer = Layer(np.arange(6), flat[None], (flat,), np.full((6, 5), 1 / 6), np.full(6, 1 / 6), np.zeros(6), none)
    positions = tuple(ShotPosition(left) for left in range(1, 7))
    bankable = np.array([True] * 6 + [False])
    return Graph(Ruleset(), 1, positions, (WIN,), (layer,), 2, 6, 5, 5, bankable, bankable, bankable)


def test_the_first_player_wins_pig_with_the_known_chance() -> None:
    table = solve_race(Race(make_pig(), 100, 0, 0, "at_once", "leader_stands")).chances
    assert table[0, 0, 0] == pytest.approx(0.530592, abs=1e-6)
    assert table[0, 1, 1] == pytest.approx(table[0, 0, 0], abs=1e-8)


# Its table was solved once and lies beside the tests: solving it here would take a minute.
PLAIN = Ruleset(
    singles=(100, 0, 0, 0, 50, 0), of_a_kind=((1000, 200, 300, 400, 500, 600), *((0,) * 6,) * 3), ending="at_once"
)


def test_with_singles_and_triplets_only_the_second_players_fairest_start_is_200_points() -> None:
    table = require(find_table(PLAIN, 10_000, Path(__file__).parent / "tables"))
    rng = np.random.default_rng(1)
    near = np.arange(21 * 21)
    some = rng.integers(0, 201, (2, 2000))
    own, other = np.append(near // 21, some[0]), np.append(near % 21, some[1])
    order = np.argsort(own)
    for places in np.array_split(order, 25):
        pairs = ScorePairs(np.zeros(len(places), dtype=np.intp), own[places], other[places])
        bust = 1 - table.chances[0, pairs.other, pairs.own]
        worth = start_values(table, pairs, bust)
        assert worth == pytest.approx(table.chances[0, pairs.own, pairs.other], abs=1e-6)
    # A place is 0 before entering and 1 + score / 50 afterwards.
    away = [abs(table.chances[0, 1, 1 + points // 50] - 0.5) for points in range(0, 550, 50)]
    assert away.index(min(away)) * 50 == 200


class Judge:
    """The chance of the first seat to win by the rules' own moves, with the table for turns not yet begun."""

    def __init__(self, table: WinTable, first: int) -> None:
        self.table, self.first = table, first
        self.values: dict[tuple[object, ...], float] = {}

    def worth(self, state: State) -> float:
        """Return the chance in a state between turns or at the end."""
        if state.finished:
            return (0 in state.winners) / len(state.winners)
        if state.extra:
            extra = self.table.endgame.extra
            return extra if state.player == self.first else 1 - extra
        if not state.final:
            return self.chance(state) if state.player == 0 else 1 - self.chance(state)
        return self.average_throws(apply(state, Throw()).state)

    def chance(self, state: State) -> float:
        seats = [state.players[state.player], state.players[1 - state.player]]
        role = int(state.player != state.order[0]) if self.table.race.roles == 2 else 0
        places = [1 + seat.score // self.table.race.graph.unit if seat.entered else 0 for seat in seats]
        return float(self.table.chances[(role, *places)])

    def average_throws(self, state: State) -> float:
        """Return the chance in a state in which dice are due: the mean over all throws."""
        shot = require(state.shot)
        key = (state.player, shot.left, shot.points, tuple((p.score, p.entered, p.played) for p in state.players))
        if key not in self.values:
            groups = group_throws(state.ruleset, state.to_throw)
            made: dict[Move, float] = {}
            self.values[key] = sum(share * self.best(throw(state, dice).state, made) for dice, share in groups)
        return self.values[key]

    def best(self, state: State, made: dict[Move, float]) -> float:
        """Return the chance in a state after a throw. `made`: the values of moves that were valued already."""
        if state.shot is None or not state.shot.dice:
            return self.worth(state)
        moves = legal_moves(state)
        if state.shot.points >= 4000:  # which hardly ever happens
            moves = tuple(move for move in moves if isinstance(move, Bank))
            if not moves:
                return 0.5
        choose = max if state.player == 0 else min
        for move in moves:
            if move not in made:
                made[move] = self.value_after(apply(state, move).state)
        return choose(made[move] for move in moves)

    def value_after(self, state: State) -> float:
        return self.average_throws(state) if state.to_throw else self.worth(state)


@cache
def group_throws(ruleset: Ruleset, count: int) -> tuple[tuple[Dice, float], ...]:
    """Return one throw for entry set of keeps, with the chance of all throws that offer these keeps."""
    falls = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))
    groups: dict[tuple[tuple[int, int], ...], tuple[Dice, float]] = {}
    for dice, orders in falls.items():
        offered = tuple((len(keep.dice), keep.points) for keep in keeps(ruleset, dice))
        first, share = groups.get(offered, (dice, 0.0))
        groups[offered] = (first, share + orders / 6**count)
    return tuple(groups.values())


def set_up_scores(ruleset: Ruleset, scores: Sequence[int | None], player: int) -> State:
    """Return a game with these scores (None: not entered) in which the seat `player` is to move."""
    state = new_game(ruleset, [Entry("Ann"), Entry("Bo")]).state
    for seat, score in enumerate(scores):
        state = with_player(state, seat, score=score or 0, entered=score is not None, played=seat < player)
    return alter(state, player=player, round_begun=player > 0)


Tiny = tuple[Ruleset, WinTable, Judge]


@pytest.fixture(scope="module", params=ENDINGS, ids=" ".join)
def tiny(request: pytest.FixtureRequest) -> Tiny:
    ending, tie, sweep = request.param
    ruleset = replace(TINY, ending=ending, tie=tie, sweep=sweep)
    race = make_race(ruleset, 2000)
    table = solve_race(race)
    return ruleset, table, Judge(table, first=0)


@pytest.mark.examples
@pytest.mark.parametrize(("scores", "player"), [((1500, 1500), 0), ((None, 1500), 0), ((1000, 1500), 1)])
def test_the_table_has_the_chances_of_the_best_play_by_the_rules(
    tiny: Tiny, scores: Sequence[int | None], player: int
) -> None:
    ruleset, _, judge = tiny
    state = set_up_scores(ruleset, scores, player)
    chance = judge.chance(state)
    value = judge.average_throws(apply(state, Throw()).state)
    assert (value if player == 0 else 1 - value) == pytest.approx(chance, abs=1e-3)


def test_the_chance_at_the_start_of_a_turn_is_that_of_the_table(tiny: Tiny) -> None:
    _, table, _ = tiny
    for mine, theirs in ((SeatScore(0, False), SeatScore(0, False)), (SeatScore(1500, True), SeatScore(500, True))):
        places = [1 + seat.score // 500 if seat.entered else 0 for seat in (mine, theirs)]
        for role in range(table.race.roles):
            chances = solve_shot_chances(table, ScoreSituation((mine, theirs), first=role))
            assert chances.begin == pytest.approx(table.chances[(role, *places)], abs=1e-7)


def test_in_the_last_turn_the_chance_to_win_is_the_chance_to_overtake() -> None:
    ruleset = replace(TINY, ending="last_shot_each", tie="leader_stands")
    race = make_race(ruleset, 2000)
    table = WinTable(race, solve_endgame(race), np.full((1, 5, 5), 0.5))
    chances = solve_shot_chances(table, ScoreSituation((SeatScore(1500, True), SeatScore(2500, True))))
    assert (chances.bank(None, 2500), chances.bank(None, 3000), chances.bust) == (0, 1, 0)
    assert chances.begin == pytest.approx(table.endgame.reply[0, 1, 2])


def test_chances_of_more_than_two_players_are_estimates_until_the_last_turns() -> None:
    race = make_race(TINY, 2000)
    table = solve_race(race)
    three = ScoreSituation((SeatScore(1500, True), SeatScore(1500, True), SeatScore(1000, True)))
    two = solve_shot_chances(table, ScoreSituation(three.seats[:2])).begin
    chances = solve_shot_chances(table, three)
    assert chances.estimate and 0 < chances.begin < two
    last = solve_shot_chances(
        table, ScoreSituation((SeatScore(1500, True), SeatScore(1000, True), SeatScore(2000, True)))
    )
    assert not last.estimate
    reply = table.endgame.reply[0, 1]
    assert last.bank(None, 2500) == pytest.approx(1 - reply[3])


def test_a_turn_from_a_score_far_below_0_is_valued_by_no_more_rows() -> None:
    ruleset = replace(TINY, nothing_cost=1000, below_zero="always", ending="at_once")
    table, ahead = solve_race(make_race(ruleset, 2000)), SeatScore(500, True)
    for others in ((ahead,), (ahead, ahead)):
        low, lower = (
            solve_shot_chances(table, ScoreSituation((SeatScore(score, True), *others)))
            for score in (-50_000, -10_000_000)
        )
        assert lower.values.size < 2 * low.values.size
        assert lower.begin == pytest.approx(low.begin, abs=1e-9)
        assert lower.bank(0, -9_999_000) == pytest.approx(low.bank(0, -49_000), abs=1e-9)


def test_in_a_number_of_rounds_only_the_lead_counts_however_low_both_scores_are() -> None:
    ruleset = replace(TINY, nothing_cost=1000, below_zero="always", ending="rounds", rounds=2, tie="shared")
    table = solve_race(make_race(ruleset, 2000))
    high, low = (
        solve_shot_chances(table, ScoreSituation((SeatScore(score, True, 2), SeatScore(score + 500, True, 2))), score)
        for score in (0, -10_000_000)
    )
    assert low.begin == pytest.approx(high.begin, abs=1e-9) and 0.1 < low.begin < 0.5


def test_a_bank_that_wins_and_a_win_at_once_are_the_best_options() -> None:
    ruleset = replace(TINY, ending="at_once", six_of_a_kind_wins=True)
    race = make_race(ruleset, 2000)
    table = solve_race(race)
    best = rate_options(set_up_choice(ruleset, (1, 2, 2, 3, 3, 4), scores=(1500, 1500)), table)[0]
    assert (best.option.then, best.win) == ("bank", 1)
    assert rate_options(set_up_choice(ruleset, (2,) * 6, scores=(1500, 1500)), table)[0].option.then == "win"


def test_without_a_table_options_are_ranked_by_points() -> None:
    rated = rate_options(set_up_choice(preset("wikipedia"), (1, 1, 5), 300, scores=(4000, 5200)), None)
    assert all(entry.win is None for entry in rated)
    assert [entry.option.points for entry in rated] == sorted((entry.option.points for entry in rated), reverse=True)


@pytest.mark.parametrize(("leads", "rows"), [(50, 50), (30, None)], ids=["fewer leads", "no table"])
def test_rules_with_many_choices_value_leads_only_as_far_as_time_allows(
    monkeypatch: pytest.MonkeyPatch, leads: int, rows: int | None
) -> None:
    graph, target = make_race(preset("classic"), 1000).graph, 20
    monkeypatch.setattr(rough_table, "COMPARISONS_MOST", leads * graph.choices)
    rough_table.make_rough_table.cache_clear()
    table = rough_table.make_rough_table(preset("classic"), target * graph.unit)
    rough_table.make_rough_table.cache_clear()  # which holds what this test has limited
    assert (table and table.endgame.reply.shape[-1] - 1) == rows


@pytest.mark.parametrize(
    "settings",
    [
        {"tie": "tied_only", "nothing_cost": 500},
        {"ending": "rounds", "rounds": 10, "nothing_cost": 500, "target_choices": ()},
    ],
)
def test_rules_under_which_more_than_the_scores_counts_have_no_table(settings: dict[str, Any]) -> None:
    ruleset = replace(preset("wikipedia"), **settings)
    with pytest.raises(NoTable):
        make_race(ruleset, 10_000)
    assert find_table(ruleset, 10_000) is None


@pytest.mark.examples
@pytest.mark.parametrize("file", WORLD, ids=NAMES)
def test_a_table_can_be_solved_for_every_table_of_the_world(file: Path) -> None:
    ruleset = Ruleset.from_json(json.loads(file.read_bytes())["ruleset"])
    assert make_race(ruleset, ruleset.target).planes


@pytest.mark.parametrize("slug", ["classic", "pot", "farkle", "farkle-quick", "greed", "greed-5000"])
def test_the_shipped_tables_fit_their_rules(slug: str) -> None:
    table = require(find_table(preset(slug), preset(slug).target))
    size = table.race.target
    for mine, theirs in ((0, 0), (1, 1), (size // 2, size), (size, 3), (size, size), (0, size // 2)):
        seats = [SeatScore(max(place - 1, 0) * table.race.graph.unit, place > 0) for place in (mine, theirs)]
        for role in range(table.race.roles):
            chance = solve_shot_chances(table, ScoreSituation(tuple(seats), first=role)).begin
            assert chance == pytest.approx(table.chances[role, mine, theirs], abs=3e-7)


def test_a_table_that_could_not_be_written_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        save_table(TINY, 2000, solve_race(make_race(TINY, 2000)), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_table_is_found_under_any_name_of_its_rules(tmp_path: Path) -> None:
    race = make_race(TINY, 2000)
    save_table(TINY, 2000, solve_race(race), tmp_path)
    renamed = replace(TINY, slug="other", name="Other", max_players=2)
    assert require(find_table(renamed, 2000, tmp_path)).chances.shape == (1, 5, 5)
    assert find_table(replace(TINY, entry_minimum=500), 2000, tmp_path) is None
    assert find_table(TINY, 2500, tmp_path) is None


Coarse = tuple[Floats, list[float]]


@pytest.fixture(scope="module")
def coarse() -> Coarse:
    """A table of which every tenth place is solved, and the progress that was reported meanwhile, 0 to 1."""
    progress: list[float] = []
    return solve_race(make_race(preset("farkle-quick"), 5000), progress.append, step=10).chances, progress


def test_a_coarse_grid_comes_close(coarse: Coarse) -> None:
    table, (rough, _progress) = require(find_table(preset("farkle-quick"), 5000)), coarse
    assert rough.shape == table.chances.shape
    assert np.abs(rough - table.chances).max() < 0.01
    assert np.abs(rough - table.chances).mean() < 0.003


def test_solving_reports_its_progress_without_leaps(coarse: Coarse) -> None:
    _rough, progress = coarse
    steps = [after - before for before, after in zip([0, *progress], progress, strict=False)]
    assert progress[-1] == 1 and min(steps) >= 0 and max(steps) < 0.1


@pytest.fixture(scope="module")
def rounds() -> tuple[Ruleset, WinTable]:
    """A ruleset of three rounds in which two busts in a row cost points, and its table."""
    ruleset = replace(TINY, ending="rounds", rounds=3, target_choices=(), tie="shared", bust_streak=2)
    costly = replace(ruleset, bust_streak_penalty=1000)
    return costly, solve_race(make_race(costly, costly.target))


def test_rounds_in_which_busts_cost_points_can_be_solved_roughly_too(rounds: tuple[Ruleset, WinTable]) -> None:
    ruleset, exact = rounds
    rough = solve_race(make_race(ruleset, ruleset.target), step=2)
    for mine, theirs, own, other in product((0, 1), (0, 1), (0, 500, 1500), (0, 1000, 2000)):
        seats = (SeatScore(own, True, 3, streak=mine), SeatScore(other, True, 3, streak=theirs))
        chances = [solve_shot_chances(table, ScoreSituation(seats)).begin for table in (exact, rough)]
        assert chances[1] == pytest.approx(chances[0], abs=0.02) and chances[1] != chances[0]


def test_no_chance_is_below_0_or_above_1() -> None:
    """Even though long tables are solved in four-byte floats, whose sums are inexact."""
    file = WORLD[NAMES.index("farkle-facebook")]
    ruleset = replace(Ruleset.from_json(json.loads(file.read_bytes())["ruleset"]), rounds=2)
    chances = solve_race(make_race(ruleset, ruleset.target), step=40).chances
    assert chances.size >= COARSE_FROM
    assert (chances.min(), chances.max()) == (0.0, 1.0)


def test_last_turns_are_exact_even_where_a_bust_costs_more_than_a_player_has(
    rounds: tuple[Ruleset, WinTable],
) -> None:
    ruleset, exact = rounds
    rough = solve_race(make_race(ruleset, ruleset.target), step=2)
    for own, other in product((0, 500, 1000), (0, 500, 1000, 2000)):
        seats = (SeatScore(own, True, 1), SeatScore(other, True, 1, streak=1))
        chances = [solve_shot_chances(table, ScoreSituation(seats)).begin for table in (exact, rough)]
        assert chances[1] == pytest.approx(chances[0], abs=1e-9)


def test_turns_that_were_not_valued_again_have_the_right_values() -> None:
    costly = replace(TINY, singles=(100, 0, 0, 0, 0, 0), bust_streak=3, bust_streak_penalty=500, tie="shared")
    race = make_race(replace(costly, entry_minimum=0), 1000)
    table, places = solve_race(race), np.arange(1, race.places)
    for plane, own in choose_tries(list(product(range(race.planes), places))):
        pairs = ScorePairs(np.full(len(places), plane), np.full(len(places), own), places)
        worth = start_values(table, pairs, values_of_busts(table, pairs))
        assert worth == pytest.approx(table.chances[plane, own, 1:], abs=1e-6)


@pytest.mark.parametrize("target", [500, 1000])
@pytest.mark.parametrize(
    "changes",
    [
        {"nothing_cost": 500},
        {"bust_streak": 2, "bust_streak_penalty": 500},
        {"pick_up": True},
        {"pick_up": True, "pick_up_cost": 500},
    ],
)
def test_a_game_that_a_bank_or_two_end_is_solved(changes: dict[str, Any], target: int) -> None:
    ruleset = replace(TINY, ending="at_once", entry_minimum=0, **changes)
    solved = solve_race(make_race(ruleset, target))
    stored = decode_table(ruleset, target, encode_table(solved))
    assert stored.chances == pytest.approx(solved.chances, abs=1e-7)
    assert 0.5 < solved.chances[0, 0, 0] < 1


def test_a_stored_table_of_rounds_says_the_same(rounds: tuple[Ruleset, WinTable]) -> None:
    ruleset, solved = rounds
    stored = decode_table(ruleset, ruleset.target, encode_table(solved))
    situation = ScoreSituation((SeatScore(500, True, 3, streak=1), SeatScore(1500, True, 2)))
    chances = [solve_shot_chances(table, situation).begin for table in (solved, stored)]
    assert chances[0] == pytest.approx(chances[1], abs=1e-6)
