"""The cost of each decision of a game: that a whole game adds up, and how known positions are graded."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.rules import Dice, Faces, Record, RecordError, Ruleset, State, legal_moves, preset
from game.rules.events import Bust, Event
from game.rules.record import RecordEvent, ShotRecord, from_json, replay
from game.rules.scoring import dice_left
from game.strategy.analysis import Analysis, Decision, Worth, analyse_game
from game.strategy.analysis.game import SEAM
from game.strategy.analysis.grading import compute_accuracy, grade_decision
from game.strategy.analysis.model import TypedShot
from game.strategy.analysis.shot import ShotScale
from game.strategy.odds import bust_chance
from game.strategy.turn import NoBestPlay
from game.strategy.win import TABLE_SOURCES, WinTable, find_table, make_race, rate_state, rate_with_chances, solve_race
from tests.cast import bank, bust, throw, write_game_file
from tests.require import require
from tests.rules.playing import Playing
from tests.strategy.positions import TINY, set_up_choice

RECORDS = sorted(Path(__file__).parents[2].joinpath("records").glob("*.json"))

ENDINGS: list[dict[str, Any]] = [
    {"ending": "at_once", "tie": "leader_stands", "last_die_throws": 3},
    {"ending": "last_shot_each", "tie": "leader_stands", "sweep": "must_throw"},
    {"ending": "last_shot_each", "tie": "shared", "six_of_a_kind_wins": True},
    {"ending": "last_shot_each", "tie": "extra_rounds"},
    {"ending": "complete_round", "tie": "extra_rounds", "last_die_throws": 3},
]
COSTS: list[dict[str, Any]] = [
    {"ending": "at_once", "nothing_cost": 500},
    {"ending": "at_once", "bust_streak": 3, "bust_streak_penalty": 500},
    {"ending": "last_shot_each", "tie": "shared", "bust_streak": 2, "bust_cost": "shot"},
    {"exact": "stay", "tie": "shared", "bust_streak": 2, "bust_streak_penalty": 500},
    {"ending": "at_once", "pick_up": True, "pick_up_cost": 500},
    {"ending": "last_shot_each", "pick_up": True, "bust_streak": 2, "bust_streak_penalty": 500},
    {"ending": "rounds", "rounds": 3, "tie": "shared", "nothing_cost": 500, "target_choices": ()},
    {"ending": "rounds", "rounds": 3, "bust_streak": 2, "bust_cost": "everything", "target_choices": ()},
]
SHIPPED = ["classic", "pot", "farkle", "farkle-quick", "greed", "greed-5000"]


@cache
def solve_tiny_table(ruleset: Ruleset, target: int) -> WinTable | None:
    if ruleset.singles != TINY.singles:
        return None
    race = make_race(ruleset, target)
    return solve_race(race)


@pytest.fixture(scope="module", autouse=True)
def tiny_tables() -> Iterator[None]:
    TABLE_SOURCES.append(solve_tiny_table)
    yield
    TABLE_SOURCES.remove(solve_tiny_table)


def list_jumps(analysis: Analysis, state: State) -> tuple[list[float], list[float]]:
    """List how the first seat's chance changes between steps: within turns, and from turn to turn up to the result."""
    within: list[float] = []
    between: list[float] = []
    chance, turn = require(analysis.balances[0].start), 0
    for step in analysis.steps:
        if isinstance(step, Decision):
            before, after = step.options[0].worth.win, step.options[step.chosen].worth.win
        elif isinstance(step, TypedShot):
            before, after = step.before, step.before if step.after is None else step.after
        else:
            before, after = step.before.win, step.after.win
        begin, end = (require(win) if step.at.seat == 0 else 1 - require(win) for win in (before, after))
        here = step.at.step - max(step.at.throw - 1, 0)  # the first step of the turn
        (within if here == turn else between).append(begin - chance)
        chance, turn = end, here
    return within, [*between, (0 in state.winners) / len(state.winners) - chance]


def sum_losses(analysis: Analysis, seat: int) -> float:
    return sum(decision.loss for decision in analysis.decisions if decision.at.seat == seat)


def check_sums(record: Record) -> bool:
    """Return whether a game can be accounted for. Fail if it can, and luck and decisions don't add up in its turns."""
    state = replay(replace(record, result=None, proof=None)).state
    if not state.winners or len(state.players) != 2:
        return False
    analysis = analyse_game(record)
    if analysis.by != "win":
        return False
    within, between = list_jumps(analysis, state)
    assert max(map(abs, within), default=0) < 1e-9
    assert all(abs(jump) < 1e-9 or abs(jump) > SEAM for jump in between[:-1])  # mere rounding is taken out
    for seat, result in enumerate(analysis.balances):
        assert (result.luck or 0) == pytest.approx(sum(require(t.luck) for t in analysis.throws if t.at.seat == seat))
    return True


def changes_by_itself(record: Record) -> bool:
    """Return whether anything but luck and decisions changed the chance to win, or they lead to another result."""
    analysis, state = analyse_game(record), replay(replace(record, result=None, proof=None)).state
    assert analysis.by == "win"
    within, between = list_jumps(analysis, state)
    return between[-1] != 0 or max(map(abs, (*within, *between))) > SEAM


# ── the balance ──


def test_every_stored_game_of_two_players_adds_up() -> None:
    count = 0
    for file in RECORDS:
        try:
            count += check_sums(from_json(file.read_bytes()))
        except (RecordError, NoBestPlay):
            continue  # a file that must be refused, or rules without expected points
    assert count >= 5


@pytest.mark.examples
@pytest.mark.parametrize("changes", ENDINGS, ids=lambda changes: " ".join(map(str, changes.values())))
def test_games_with_every_kind_of_change_add_up(changes: dict[str, Any]) -> None:
    count = 0
    for seed in range(25):
        game = Playing(replace(TINY, **changes, max_players=2), random.Random(seed), players=2)
        for _ in game.play(300):
            pass
        count += check_sums(game.record)
    assert count > 2


@pytest.mark.examples
@pytest.mark.parametrize("changes", [*ENDINGS, *COSTS], ids=lambda changes: " ".join(map(str, changes.values())))
def test_without_changes_only_luck_and_decisions_move_the_chance_to_win(changes: dict[str, Any]) -> None:
    for seed in range(12):
        assert not changes_by_itself(play_to_the_end(changes, seed).record)


@pytest.mark.examples
@pytest.mark.parametrize("changes", [*ENDINGS, *COSTS], ids=lambda changes: " ".join(map(str, changes.values())))
def test_a_turn_typed_as_points_leads_to_the_same_state_as_its_dice(changes: dict[str, Any]) -> None:
    for seed in range(4):
        game = play_to_the_end(changes, seed)
        record = type_record(game.record)
        assert replay(record).state.players == game.state.players
        assert not changes_by_itself(record)


def play_to_the_end(changes: dict[str, Any], seed: int) -> Playing:
    game = Playing(replace(TINY, **changes), random.Random(seed), players=2)
    for _ in game.play(2000, wild=False):
        pass
    return game


def type_record(record: Record) -> Record:
    """Return the same game as if played with real dice, with only the points entered."""
    replayed = replay(record)
    states = [replayed.start.state, *(step.state for step in replayed.steps)]
    shots = zip(states, record.events, replayed.steps, strict=False)
    events = tuple(type_shot(before, event, step.events) for before, event, step in shots)
    return replace(record, events=events)


def type_shot(before: State, shot: RecordEvent, happened: Sequence[Event]) -> RecordEvent:
    assert isinstance(shot, ShotRecord)
    ruleset, last = before.ruleset, shot.throws[-1]
    lost = sum(event.lost for event in happened if isinstance(event, Bust)) - (
        require(before.pick_up)[1] if shot.pick_up else 0
    )
    return replace(
        shot,
        throws=(),
        manual=True,
        dice_left=dice_left(last.dice, last.keep or ()) if ruleset.pick_up and shot.end == "bank" else None,
        lost=lost if ruleset.bust_cost == "shot" else 0,
        nothing=bool(ruleset.nothing_cost and len(last.dice) == ruleset.dice and shot.end == "bust"),
    )


@cache
def play_game(slug: str, seed: int, who: str, players: int = 2) -> Record:
    """Return a game under a shipped ruleset, played by the best choices or, if "shaky", at random now and then."""
    rng = random.Random(seed)
    game = Playing(preset(slug), rng, players)
    while not game.state.finished:
        state = game.state
        rated = rate_state(state)
        if who == "shaky" and rng.random() < 0.3:
            game.move_at_random()
        else:
            game.move(rated[0].option.move if rated else legal_moves(state)[0])
    return game.record


@pytest.mark.examples
@pytest.mark.parametrize("slug", SHIPPED)
@pytest.mark.parametrize("who", ["best", "shaky"])
def test_games_of_the_shipped_rulesets_add_up(slug: str, who: str) -> None:
    record = play_game(slug, 7, who)
    assert check_sums(record)
    assert not changes_by_itself(record)


@pytest.mark.examples
@pytest.mark.parametrize("slug", SHIPPED)
def test_always_taking_the_best_way_loses_nothing(slug: str) -> None:
    analysis = analyse_game(play_game(slug, 7, "best"))
    assert {decision.mark for decision in analysis.decisions} <= {"", "!"}
    for seat, result in enumerate(analysis.balances):
        assert (sum_losses(analysis, seat), result.accuracy) == pytest.approx((0, 100))


@pytest.mark.examples
@pytest.mark.parametrize("slug", SHIPPED)
def test_a_value_is_the_mean_of_the_values_after_all_throws(slug: str) -> None:
    """So luck is 0 on average, both by chance to win and by points."""
    state = replay(play_game(slug, 7, "best")).start.state
    table, ruleset = require(find_table(state.ruleset, state.target)), state.ruleset
    for left in (1, 2, 3):
        scale = make_scale(state, table)
        column, points = scale.solved.graph.plain_column(left), 700
        before = require(scale.chances).throw(column, points), scale.solved.throw(column, points, scale.kind)
        falls = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=left))
        lost = require(scale.bust.win), scale.bust.points
        mean = np.zeros(2)
        for dice, orders in falls.items():
            mean += (
                orders / 6**left * np.array(rate_best(scale, dice, points) or rate_miss(scale, before, left) or lost)
            )
        assert mean == pytest.approx(before, abs=1e-9), ruleset.slug


def make_scale(state: State, table: WinTable) -> ShotScale:
    return ShotScale.of(state, ShotRecord(state.player, throws=(Faces((1,) * 6),) * 2), table)


def rate_best(scale: ShotScale, dice: Dice, points: int) -> tuple[float, float] | None:
    rated = rate_with_chances(set_up_choice(scale.ruleset, dice, points, entered=False), scale.chances)
    return (require(rated[0].win), max(entry.option.points for entry in rated)) if rated else None


def rate_miss(scale: ShotScale, before: tuple[float, float], left: int) -> tuple[float, float] | None:
    """Return the values after the first miss with the last die; None without further tries."""
    if left > 1 or scale.ruleset.last_die_throws == 1:
        return None
    worth = scale.after_miss(Worth(*before), bust_chance(scale.ruleset, 1), 1)
    return require(worth.win), worth.points


# ── grades ──


@pytest.mark.parametrize(
    ("values", "chosen", "mark"),
    [
        ([0.5, 0.49], 1, ""),
        ([0.5, 0.485], 1, "?!"),
        ([0.15, 0.135], 1, "?!"),  # 0.15 - 0.135 is a little less than 0.015
        ([0.5, 0.47], 1, "?"),
        ([0.5, 0.44], 1, "??"),
        ([0.5, 0.47, 0.4], 0, "!"),
        ([0.5, 0.48, 0.4], 0, ""),
        ([0.5, 0.4], 0, ""),
    ],
)
def test_a_mark_says_what_was_lost(values: list[float], chosen: int, mark: str) -> None:
    assert grade_decision(values, chosen) == mark


def test_taking_dice_that_win_the_game_earns_no_praise() -> None:
    assert grade_decision([1, 0.9, 0.8], 0, won=True) == ""


def test_what_a_computer_decided_for_somebody_leaves_their_accuracy_as_it_was() -> None:
    own = [bank(seat, 1000, throw("111346", "111")) for seat in (0, 1)]
    stands_in = [{"type": "hand", "player": 0, "level": "bold"}, bank(0, 50, throw("111354", "5"))]
    back = {"type": "hand", "player": 0}
    games = [write_game_file(*events, players=("Ana", "Bo")) for events in (own, [*own, *stands_in, back])]
    before, after = (analyse_game(from_json(game)) for game in games)
    assert after.balances[0].accuracy == before.balances[0].accuracy == 100
    assert sum_losses(after, 0) > sum_losses(before, 0)


def test_accuracy_is_halved_by_a_mistake_and_ignores_decisions_without_stakes() -> None:
    assert compute_accuracy([(0, 0.1)]) == 100
    assert compute_accuracy([(0.03, 0.1)]) == pytest.approx(50)
    assert compute_accuracy([(0, 0.1), (0.03, 0.0)]) == 100
    assert compute_accuracy([(0, 0.9), (0.03, 0.1)]) == pytest.approx(75)  # 0.1 is as much as ever counts
    assert compute_accuracy([]) is None


def analyse_events(
    *events: dict[str, Any], ruleset: Any = "pot", players: Sequence[str] = ("Ana", "Bo"), **more: Any
) -> Analysis:
    return analyse_game(from_json(write_game_file(*events, ruleset=ruleset, players=players, **more)))


def test_banking_too_little_in_the_last_turn_is_a_blunder() -> None:
    analysis = analyse_events(
        bank(0, 4000, throw("111111", "111111")),
        bank(1, 4000, throw("111111", "111111")),
        bank(0, 1000, throw("111346", "111")),
        bank(1, 1000, throw("111346", "111")),
        target=5000,
    )
    last = analysis.decisions[-1]
    assert (last.at.seat, last.mark) == (1, "??")
    assert last.options[0].then == "throw" and last.options[last.chosen].worth.win == 0
    assert last.loss == pytest.approx(last.options[0].worth.win)


SWEEPS = [throw("111666", "111666")] * 6
GROWTHS = [throw("111234", "111"), throw("123", "1"), throw("12", "1"), throw("1", "1")] * 4
GROWING = {"sets_grow": "of_a_kind", "of_a_kind": tuple((most, 0, 0, 0, 0, 0) for most in (1500, 4000, 9000, 12_000))}


@pytest.mark.parametrize(
    ("changes", "throws"),
    [
        ({"sweep_multiplier": 6}, SWEEPS),
        ({"sweep_multiplier": 3, "rounds": 2, "ending": "rounds", "target_choices": ()}, SWEEPS),
        (GROWING, GROWTHS),
        ({"nothing": "again", "nothing_bonus": 1500}, [throw("223345")] * 100),
    ],
    ids=["multiplied", "multiplied in rounds", "growing", "thrown again"],
)
def test_points_that_no_throw_brings_by_itself_are_reviewed(changes: dict[str, Any], throws: list[Any]) -> None:
    ruleset = replace(TINY, **changes)
    last = throw("444411", "11") | {"keep": [1]}
    analysis = analyse_events(bust(0, *throws, last, throw("44322")), ruleset=ruleset.to_json(), target=ruleset.target)
    assert analysis.by == "win" and len(analysis.throws) == len(throws) + 2


def test_three_pairs_across_throws_are_reviewed_with_the_chances_that_they_had() -> None:
    ruleset = replace(TINY, three_pairs=3000, three_pairs_across_throws=True)
    throws = throw("122334", "1"), throw("12233", "12233"), throw("223446")
    decision = analyse_events(bust(0, *throws), ruleset=ruleset.to_json(), target=ruleset.target).decisions[0]
    state = set_up_choice(ruleset, (1, 2, 2, 3, 3), 500, entered=False, aside=(1,), aside_points=500)
    rated = rate_state(state)
    assert [option.total for option in decision.options] == [entry.option.total for entry in rated]
    assert [option.worth.win for option in decision.options] == pytest.approx([entry.win for entry in rated], abs=1e-9)


def test_a_bust_is_bad_luck_and_no_mistake() -> None:
    analysis = analyse_events(bust(0, throw("123346", "1"), throw("22346")))
    first, second = analysis.throws
    assert second.bust and require(second.luck) < 0 and second.risk == pytest.approx(600 / 6**5)
    assert analysis.balances[0].busts == 1
    assert analysis.balances[0].expected == pytest.approx(first.risk + second.risk)


def test_turns_typed_as_points_have_no_luck_and_no_decisions() -> None:
    analysis = analyse_events({"type": "shot", "player": 0, "manual": True, "end": "bank", "points": 1000})
    mine = analysis.balances[0]
    assert (analysis.decisions, mine.luck, mine.accuracy, mine.expected) == ((), None, None, None)
    (shot,) = analysis.typed
    assert shot.at.seat == 0 and require(shot.after) > require(shot.before)


def test_a_bust_typed_without_its_dice_is_neither_good_nor_bad_luck() -> None:
    typed = {"type": "shot", "player": 0, "manual": True, "end": "bust"}
    thrown = bust(0, throw("123346", "1"), throw("22346"))
    other = bank(1, 1000, throw("111346", "111"))
    mine = analyse_events(thrown, other, typed).balances[0]
    assert (mine.busts, mine.expected) == (1, analyse_events(thrown).balances[0].expected)


def test_an_undone_turn_counts_for_nothing() -> None:
    taken_back = bust(0, throw("123346", "1"), throw("22346")) | {"cancelled": True}
    kept = bank(0, 1000, throw("111346", "111"))
    assert analyse_events(taken_back, kept).balances == analyse_events(kept).balances


def test_decisions_of_computers_and_people_are_told_apart() -> None:
    events = [bank(seat, 1000, throw("111346", "111")) for seat in (0, 1)]
    analysis = analyse_events(*events, players=("Ana", "*HAL"))
    assert [decision.computer for decision in analysis.decisions] == [False, True]


# ── without a chance to win ──


def test_three_players_are_judged_by_an_estimate() -> None:
    analysis = analyse_game(play_game("pot", 3, "shaky", players=3))
    assert analysis.by == "estimate"
    assert all(0 <= require(option.worth.win) <= 1 for decision in analysis.decisions for option in decision.options)


def test_two_players_of_whom_one_was_replaced_are_judged_by_an_estimate() -> None:
    first = [{"type": "out", "player": 2}, *(bank(seat, 1000, throw("111346", "111")) for seat in (0, 1))]
    then = [{"type": "in", "player": 2}, {"type": "out", "player": 1}]
    last = [bank(seat, 1000, throw("111346", "111")) for seat in (0, 2)]
    assert analyse_events(*first, players=("Ana", "Bo", "Cy")).by == "win"
    assert analyse_events(*first, *then, *last, players=("Ana", "Bo", "Cy")).by == "estimate"


@pytest.mark.parametrize(("ruleset", "players"), [("wikipedia", ("Ana", "Bo")), ("classic", ("Ana",))])
def test_a_target_above_all_tables_and_a_single_player_go_by_points(ruleset: str, players: Sequence[str]) -> None:
    analysis = analyse_events(bank(0, 1000, throw("111346", "111")), ruleset=ruleset, players=players, target=20_000)
    (decision,) = analysis.decisions
    assert analysis.by == "points" and decision.options[0].worth.win is None
    assert decision.loss == decision.options[0].worth.points - decision.options[decision.chosen].worth.points


def test_a_game_whose_target_gets_no_table_is_judged_by_points() -> None:
    shots = [bank(0, 1000, throw("111346", "111")), bank(1, 1000, throw("111346", "111"))]
    assert analyse_events(shots[0], {"type": "target", "value": 20_000}, shots[1]).by == "points"


def test_by_points_the_luck_of_all_throws_adds_up() -> None:
    analysis = analyse_game(play_game("wikipedia", 5, "shaky"))
    luck = sum(fall.luck_points for fall in analysis.throws)
    assert luck == pytest.approx(sum(require(result.luck_points) for result in analysis.balances))
    assert any(decision.mark for decision in analysis.decisions)


def test_whether_to_pick_up_is_a_decision() -> None:
    analysis = analyse_events(
        bank(0, 1000, throw("111346", "111")),
        bank(1, 1000, throw("111346", "111")),
        bank(0, 2050, throw("111355", "11155") | {}, throw("5", "5")) | {"points": 1150},
        {"type": "shot", "player": 1, "throws": [throw("123346", "1")], "end": "bank", "points": 100},
        ruleset="wikipedia",
    )
    choice = next(decision for decision in analysis.decisions if not decision.dice and decision.at.seat == 1)
    assert {option.then for option in choice.options} == {"fresh", "pick_up"}
    assert choice.options[choice.chosen].then == "fresh"
    assert all(0 < require(option.worth.win) < 1 for option in choice.options)


def test_the_analysis_reports_its_progress() -> None:
    record = play_game("pot", 7, "best")
    progress: list[float] = []
    analyse_game(record, progress.append)
    assert progress == sorted(progress) and progress[-1] == 1
    assert len(progress) == len(record.events)


def test_the_options_are_exactly_the_legal_moves() -> None:
    game = Playing(preset("farkle"), random.Random(2), 2)
    for _ in game.play(30, wild=False):
        state = game.state
        if state.shot and state.shot.dice:
            assert {entry.option.move for entry in rate_state(state)} == set(legal_moves(state))
