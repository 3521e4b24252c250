"""Rulesets made on this site are solved in the background, coarsely first, and their tables are then used."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from math import inf

import numpy as np
import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import Client
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from game import services
from game.models import RulesetRow, SolvedTable
from game.rules import Bank, Entry, Ruleset, State, Throw, apply, new_game, preset, throw
from game.rules.play.state import with_player
from game.services import win_tables
from game.services.own_rules import remember_played
from game.services.shipped_rulesets import read_world_tables
from game.services.tidying import tidy_site
from game.services.win_tables import solve_table
from game.strategy.win import (
    find_table,
    make_race,
    make_score_situation,
    rate_pick_up,
    rate_state,
    solve_endgame,
    solve_race,
    solve_shot_chances,
    table_digest,
)
from tests.require import require
from tests.strategy import positions

TINY = replace(positions.TINY, slug="tiny", name="Tiny", target=20_000, target_choices=(20_000,))


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let each test begin with no table in memory, and read the rows each time."""
    monkeypatch.setattr(win_tables, "ASK_SECONDS", 0)
    win_tables.TABLE_CACHE.tables.clear()
    yield
    win_tables.TABLE_CACHE.tables.clear()


def save_rules(rules: Ruleset = TINY) -> RulesetRow:
    return services.save_ruleset(None, rules.to_json())


def list_waiting() -> list[DBTaskResult[..., object]]:
    return list(DBTaskResult.objects.filter(task_path__endswith="solve_table").order_by("enqueued_at"))


def run_task(row: DBTaskResult[..., object]) -> None:
    solve_table.call(*row.args_kwargs["args"])
    row.delete()


def set_up_choice(rules: Ruleset) -> State:
    """A choice of dice in a game of two."""
    state = apply(new_game(rules, [Entry("Ana"), Entry("Bo")]).state, Throw()).state
    return throw(state, (1, 1, 1, 2, 3, 4)).state


@pytest.mark.django_db
def test_a_saved_ruleset_is_solved_coarsely_and_then_exactly() -> None:
    save_rules()
    coarse, exact = list_waiting()
    assert rate_state(set_up_choice(TINY))[0].win is None
    run_task(coarse)
    rough = require(find_table(TINY, 20_000)).chances
    assert (require(find_table(TINY, 20_000)).endgame.reply == solve_endgame(make_race(TINY, 20_000)).reply).all()
    run_task(exact)
    fine = require(find_table(TINY, 20_000)).chances
    assert 0 < np.abs(rough - fine).max() < 0.1
    assert np.abs(fine - solve_race(make_race(TINY, 20_000)).chances).max() < 1e-6
    assert rate_state(set_up_choice(TINY))[0].win == pytest.approx(0.5, abs=0.2)
    assert list(SolvedTable.objects.values_list("step", flat=True)) == [500]


@pytest.mark.django_db
def test_rough_tables_of_all_rulesets_are_solved_before_exact_ones() -> None:
    for target in (20_000, 30_000):
        save_rules(replace(TINY, slug=f"to-{target}", target=target, target_choices=(target,)))
    first, second, third, fourth = (row.args_kwargs["args"] for row in DBTaskResult.objects.ready())
    assert {first[2], second[2]} == {third[2], fourth[2]} == {20_000, 30_000}
    assert min(first[3], second[3]) > 1 and third[3] == fourth[3] == 1


@pytest.mark.django_db
def test_after_two_grids_every_score_is_solved_in_the_queue_for_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(win_tables, "COARSE", 2)
    monkeypatch.setattr(win_tables, "FINE_MOST", 5)
    costly = replace(TINY, bust_streak=1, bust_streak_penalty=500, target=5000, target_choices=(5000,))
    save_rules(costly)
    assert [(row.queue_name, row.args_kwargs["args"][3]) for row in list_waiting()] == [
        ("slow", 5),
        ("slow", 2),
        ("long", 1),
    ]
    for row in list_waiting():
        run_task(row)
        assert rate_state(set_up_choice(costly))[0].win is not None
    solved = require(find_table(costly, 5000)).chances
    assert np.abs(solved - solve_race(make_race(costly, 5000)).chances).max() < 1e-5
    assert list(SolvedTable.objects.values_list("step", flat=True)) == [500]


@pytest.mark.parametrize(("slug", "steps"), [("noppa-10000", [23, 3, 1]), ("farkle-facebook", [20, 2, 1])])
def test_the_longest_tables_are_solved_in_the_end_for_every_score(slug: str, steps: list[int]) -> None:
    rules = read_world_tables()[slug].ruleset
    assert [step for step, _unit in win_tables.list_grid_steps(rules, rules.target)] == steps


@pytest.mark.django_db
def test_a_stored_table_of_rounds_keeps_the_values_of_picking_up() -> None:
    rounds = replace(TINY, ending="rounds", rounds=2, pick_up=True, target_choices=())
    win_tables.solve_for_game(rounds, rounds.target)
    for row in list_waiting():
        run_task(row)
    solved, read = solve_race(make_race(rounds, rounds.target)), require(find_table(rounds, rounds.target))
    state = apply(new_game(rounds, [Entry("Ana"), Entry("Bo")]).state, Throw()).state
    state = apply(throw(state, (1, 1, 1, 2, 3, 4)).state, Bank((1, 1, 1))).state
    state = with_player(state, 1, entered=True)
    situation, column = make_score_situation(state), read.race.graph.plain_column(3, entered=True)
    chances = [solve_shot_chances(table, situation, 1500).throw(column, 1500) for table in (solved, read)]
    assert chances[0] == pytest.approx(chances[1], abs=1e-4)
    assert rate_pick_up(state) == pytest.approx((chances[1], solve_shot_chances(read, situation).begin), abs=1e-12)


@pytest.mark.parametrize(("rounds", "grids"), [(10, [20, 1]), (30, [])])
def test_games_of_rounds_with_dice_on_offer_are_solved_if_they_fit_into_memory(rounds: int, grids: list[int]) -> None:
    rules = replace(preset("wikipedia"), ending="rounds", rounds=rounds, target_choices=())
    assert [step for step, _unit in win_tables.list_grid_steps(rules, rules.target)] == grids


@pytest.mark.django_db
def test_the_longest_work_waits_while_a_grid_is_being_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    row = SolvedTable.objects.create(digest="long", step=50)
    others = SolvedTable.objects.create(digest="others", step=500)
    solve_table.enqueue(others.pk, TINY.to_json(), 20_000, 10)
    DBTaskResult.objects.update(status=TaskResultStatus.RUNNING, started_at=timezone.now())
    seen = []

    def finish_the_other(_seconds: float) -> None:
        seen.append(SolvedTable.objects.get(pk=row.pk).progress)
        DBTaskResult.objects.update(status=TaskResultStatus.SUCCESSFUL)

    monkeypatch.setattr(time, "sleep", finish_the_other)
    progress = win_tables.PatientProgress(row)
    progress(0.25)
    assert seen == [25]
    progress.looked = -inf
    progress(0.5)
    assert seen == [25]


@pytest.mark.django_db
def test_the_unpacked_file_of_a_large_table_is_deleted_when_it_is_old() -> None:
    rounds = replace(TINY, ending="rounds", rounds=1, target_choices=())
    win_tables.solve_for_game(rounds, rounds.target)
    run_task(list_waiting()[0])
    before = require(find_table(rounds, rounds.target)).chances.copy()
    (unpacked,) = settings.TABLES_DIR.glob(f"solved-{table_digest(rounds, rounds.target)}-*.npy")
    win_tables.forget_tables()
    assert unpacked.exists()
    os.utime(unpacked, (0, 0))
    win_tables.forget_tables()
    assert not unpacked.exists()
    assert (require(find_table(rounds, rounds.target)).chances == before).all()


@pytest.mark.django_db
def test_rules_that_are_solved_already_are_not_solved_again() -> None:
    save_rules()
    save_rules(replace(TINY, slug="same", name="The same"))
    assert len(list_waiting()) == SolvedTable.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rules",
    [replace(preset("wikipedia"), bust_streak=1, bust_cost="shot", tie="extra_rounds"), preset("pot")],
    ids=["cannot be solved", "comes solved"],
)
def test_no_task_is_begun_where_there_is_nothing_to_solve(rules: Ruleset) -> None:
    save_rules(replace(rules, slug="copy", target_choices=(10_000,)))
    assert not list_waiting() and not SolvedTable.objects.exists()


@pytest.mark.django_db
def test_rules_without_any_risk_have_nothing_to_solve() -> None:
    save_rules(replace(TINY, singles=(500,) * 6))
    for row in list_waiting():
        run_task(row)
    assert not SolvedTable.objects.exists()


@pytest.mark.django_db
def test_the_editor_shows_the_progress_of_solving(admin_client: Client) -> None:
    row = save_rules()
    url = f"/admin/game/rulesetrow/{row.pk}/change/"
    SolvedTable.objects.filter(digest=table_digest(TINY, 20_000), step=500).update(progress=40)
    page = admin_client.get(url).content.decode()
    assert "not solved yet: 40% done" in page and 'hx-trigger="every 3s"' in page
    coarse, exact = list_waiting()
    run_task(coarse)
    assert "solved roughly; the exact solution is 40% done" in admin_client.get(url).content.decode()
    run_task(exact)
    page = admin_client.get(url).content.decode()
    assert "is solved." in page and "every 3s" not in page


@pytest.mark.parametrize(("slug", "target"), [("pot", 20_000), ("farkle", 15_000)])
@pytest.mark.django_db
def test_a_target_above_all_solved_ones_is_solved_after_a_game_to_it(slug: str, target: int) -> None:
    win_tables.solve_for_game(preset(slug), target)
    assert {row.args_kwargs["args"][2] for row in list_waiting()} == {target}


@pytest.mark.parametrize(("target", "apart"), [(10_000, 1), (20_000, 2), (100_000, 22)])
def test_dice_on_offer_fit_into_memory_at_every_target(target: int, apart: int) -> None:
    assert win_tables.list_grid_steps(preset("wikipedia"), target)[-1] == (apart, 50)


@pytest.mark.django_db
def test_a_game_to_a_smaller_target_asks_for_no_table_of_its_own() -> None:
    win_tables.solve_for_game(preset("greed-5000"), 1000)
    assert list_waiting() == []


@pytest.mark.django_db
def test_games_ask_for_no_more_tables_while_many_wait() -> None:
    for number in range(win_tables.WAITING_MOST):
        SolvedTable.objects.create(digest=f"{number:016}", step=50)
    win_tables.solve_for_game(TINY, 20_000)
    assert list_waiting() == []


@pytest.mark.django_db
def test_a_game_of_rounds_has_one_grid_of_all_scores_and_uses_it() -> None:
    rounds = replace(TINY, ending="rounds", rounds=1, target_choices=())
    win_tables.solve_for_game(rounds, rounds.target)
    (grid,) = list_waiting()
    run_task(grid)
    best = rate_state(set_up_choice(rounds))[0]
    assert 0 < require(best.win) < 1 and not best.estimate


# ── tables that somebody asks for ──


def remember_rules(rules: Ruleset = TINY) -> str:
    remember_played(rules)
    return f"/rules/x/{rules.digest}"


@pytest.mark.django_db
def test_asking_for_the_best_play_shows_the_progress_until_it_is_there(client: Client) -> None:
    page = remember_rules()
    assert "Work out the best play" in client.get(page).content.decode()
    answer = client.post(f"{page}/solve")
    assert (answer.status_code, answer["Location"]) == (303, f"{page}#best-play")
    shown = client.get(page).content.decode()
    assert "Waiting for its turn:" in shown and f'hx-get="{page}" hx-trigger="every 3s"' in shown
    assert "Work out" not in shown
    coarse, exact = list_waiting()
    run_task(coarse)
    SolvedTable.objects.filter(step=500).update(progress=40)
    shown = client.get(page).content.decode()
    assert "Worked out roughly, and in use. Exactly:" in shown and 'max="100" value="40"' in shown and "40%" in shown
    run_task(exact)
    shown = client.get(page).content.decode()
    assert "worked out for games to 20,000" in shown and "every 3s" not in shown and "<progress" not in shown


@pytest.mark.django_db
def test_asking_from_the_page_of_odds_leads_back_to_it(client: Client) -> None:
    row = RulesetRow.objects.create(slug="tiny", name="Tiny", settings=TINY.to_json())
    page = f"/odds?ruleset={row.slug}"
    assert 'action="/rules/tiny/solve"' in client.get(page).content.decode()
    answer = client.post("/rules/tiny/solve", {"back": "odds"})
    assert answer["Location"] == f"{page}#best-play"
    assert "Waiting for its turn:" in client.get(page).content.decode()


@pytest.mark.django_db
def test_asking_twice_begins_nothing_again(client: Client) -> None:
    page = remember_rules()
    for _time in range(2):
        client.post(f"{page}/solve")
    assert len(list_waiting()) == 2


@pytest.mark.django_db
def test_solving_that_is_stuck_is_begun_again_when_somebody_asks(client: Client) -> None:
    page = remember_rules()
    client.post(f"{page}/solve")
    DBTaskResult.objects.all().delete()
    SolvedTable.objects.update(touched=timezone.now() - win_tables.SOLVING_STUCK * 2)
    assert "Work out the best play" in client.get(page).content.decode()
    client.post(f"{page}/solve")
    assert len(list_waiting()) == 2


@pytest.mark.django_db
def test_a_request_is_refused_while_many_rules_wait(client: Client) -> None:
    for number in range(win_tables.WAITING_MOST):
        SolvedTable.objects.create(digest=f"{number:016}", step=50)
    refused = client.post(f"{remember_rules()}/solve")
    assert refused.status_code == 409
    assert "Many rulesets are already waiting to be worked out." in refused.content.decode()
    assert list_waiting() == []


@pytest.mark.django_db
def test_rules_that_cannot_have_a_table_say_so(client: Client) -> None:
    costly = replace(TINY, bust_streak=2, bust_streak_penalty=500, tie="tied_only", sets_grow="of_a_kind")
    page = remember_rules(costly)
    assert "best-play" not in client.get(page).content.decode()
    refused = client.post(f"{page}/solve")
    assert refused.status_code == 422 and "The best play goes by points." in refused.content.decode()


@pytest.mark.django_db
def test_shipped_tables_leave_nothing_to_ask_for(client: Client) -> None:
    for page in ("/rules/pot", "/odds?ruleset=pot"):
        assert "best-play" not in client.get(page).content.decode()
    assert client.post("/rules/pot/solve").status_code == 303
    assert list_waiting() == []


@pytest.mark.django_db(transaction=True)
def test_a_thread_that_loads_tables_keeps_no_connection() -> None:
    def load() -> bool:
        try:
            return find_table(TINY, TINY.target) is None and connection.connection is None
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(load).result()


def keep_table(digest: str, days_old: int, size: int = 10) -> SolvedTable:
    row = SolvedTable.objects.create(digest=digest, step=1, data=bytes(size))
    SolvedTable.objects.filter(pk=row.pk).update(touched=timezone.now() - timedelta(days=days_old))
    return row


@pytest.mark.django_db
def test_old_tables_are_deleted_unless_the_site_offers_their_rules() -> None:
    save_rules()
    SolvedTable.objects.all().delete()
    offered, old, young = keep_table(table_digest(TINY, 20_000), 400), keep_table("old", 181), keep_table("young", 179)
    assert tidy_site()["solved tables"] == 1
    assert set(SolvedTable.objects.all()) == {offered, young}, old


@pytest.mark.django_db
def test_the_oldest_tables_are_deleted_first_when_they_take_too_much_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(win_tables, "TABLES_BYTES_MOST", 250)
    rows = [keep_table(f"of {days} days", days, size=100) for days in (3, 1, 2)]
    assert win_tables.forget_tables() == 1
    assert set(SolvedTable.objects.all()) == set(rows[1:])
