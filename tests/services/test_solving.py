"""Rulesets made on this site are solved in the background, coarsely first, and then played by."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from django.test import Client
from django_tasks_db.models import DBTaskResult

from game import services
from game.models import RulesetRow, SolvedTable
from game.rules import Entry, Ruleset, State, Throw, apply, new_game, preset, throw
from game.services import win_tables
from game.services.win_tables import solve_table
from game.strategy.win import find_table, make_race, rate_state, solve_endgame, solve_race, table_digest
from tests.known import known

# So few scores that it is solved in no time.
TINY = Ruleset(
    slug="tiny",
    name="Tiny",
    singles=(500, 0, 0, 0, 0, 0),
    of_a_kind=((1500, 0, 0, 0, 0, 1000), *((0,) * 6 for _ in range(3))),
    entry_minimum=1000,
    target=20_000,
    target_choices=(20_000,),
)


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins with nothing in memory, and asks the rows each time."""
    monkeypatch.setattr(win_tables, "ASK_SECONDS", 0)
    win_tables.TABLE_CACHE.tables.clear()
    yield
    win_tables.TABLE_CACHE.tables.clear()


def saved(rules: Ruleset = TINY) -> RulesetRow:
    return services.save_ruleset(None, rules.to_json())


def waiting() -> list[DBTaskResult[..., object]]:
    return list(DBTaskResult.objects.filter(task_path__endswith="solve_table").order_by("enqueued_at"))


def work(row: DBTaskResult[..., object]) -> None:
    solve_table.call(*row.args_kwargs["args"])
    row.delete()


def facing(rules: Ruleset) -> State:
    """A choice of dice in a game of two."""
    state = apply(new_game(rules, [Entry("Ana"), Entry("Bo")]).state, Throw()).state
    return throw(state, (1, 1, 1, 2, 3, 4)).state


@pytest.mark.django_db
def test_a_saved_ruleset_is_solved_coarsely_and_then_exactly() -> None:
    saved()
    coarse, exact = waiting()
    assert rate_state(facing(TINY))[0].win is None
    work(coarse)
    rough = known(find_table(TINY, 20_000)).chances
    assert (known(find_table(TINY, 20_000)).endgame.reply == solve_endgame(make_race(TINY, 20_000)).reply).all()
    work(exact)
    fine = known(find_table(TINY, 20_000)).chances
    assert 0 < np.abs(rough - fine).max() < 0.1
    assert np.abs(fine - solve_race(make_race(TINY, 20_000)).chances).max() < 1e-6
    assert rate_state(facing(TINY))[0].win == pytest.approx(0.5, abs=0.2)
    assert list(SolvedTable.objects.values_list("step", flat=True)) == [500]


@pytest.mark.django_db
def test_no_ruleset_waits_for_its_rough_table_until_another_one_is_solved_exactly() -> None:
    for target in (20_000, 30_000):
        saved(replace(TINY, slug=f"to-{target}", target=target, target_choices=(target,)))
    first, second, third, fourth = (row.args_kwargs["args"] for row in DBTaskResult.objects.ready())
    assert {first[2], second[2]} == {third[2], fourth[2]} == {20_000, 30_000}
    assert min(first[3], second[3]) > 1 and third[3] == fourth[3] == 1


@pytest.mark.django_db
def test_what_is_solved_already_is_not_solved_again() -> None:
    saved()
    saved(replace(TINY, slug="same", name="The same"))
    assert len(waiting()) == SolvedTable.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("rules", [preset("wikipedia"), preset("pot")], ids=["cannot be solved", "comes solved"])
def test_nothing_is_begun_where_there_is_nothing_to_solve(rules: Ruleset) -> None:
    saved(replace(rules, slug="copy", target_choices=(10_000,)))
    assert not waiting() and not SolvedTable.objects.exists()


@pytest.mark.django_db
def test_rules_without_any_risk_have_nothing_to_solve() -> None:
    saved(replace(TINY, singles=(500,) * 6))
    for row in waiting():
        work(row)
    assert not SolvedTable.objects.exists()


@pytest.mark.django_db
def test_the_editor_says_how_far_it_is(admin_client: Client) -> None:
    row = saved()
    url = f"/admin/game/rulesetrow/{row.pk}/change/"
    SolvedTable.objects.filter(digest=table_digest(TINY, 20_000), step=500).update(progress=40)
    page = admin_client.get(url).content.decode()
    assert "not solved yet: 40% done" in page and 'hx-trigger="every 3s"' in page
    coarse, exact = waiting()
    work(coarse)
    assert "solved roughly, and 40%" in admin_client.get(url).content.decode()
    work(exact)
    page = admin_client.get(url).content.decode()
    assert "is solved." in page and "every 3s" not in page


@pytest.mark.parametrize(("slug", "target"), [("pot", 20_000), ("farkle", 15_000)])
@pytest.mark.django_db
def test_a_target_above_all_that_are_solved_is_solved_after_a_game_to_it(slug: str, target: int) -> None:
    win_tables.solve_for_game(preset(slug), target)
    assert {row.args_kwargs["args"][2] for row in waiting()} == {target}


@pytest.mark.django_db
def test_a_game_to_a_smaller_target_asks_for_no_table_of_its_own() -> None:
    win_tables.solve_for_game(preset("greed-5000"), 1000)
    assert waiting() == []


@pytest.mark.django_db
def test_games_ask_for_no_more_tables_while_many_wait() -> None:
    for number in range(win_tables.WAITING_MOST):
        SolvedTable.objects.create(digest=f"{number:016}", step=50)
    win_tables.solve_for_game(TINY, 20_000)
    assert waiting() == []


@pytest.mark.django_db
def test_a_game_of_rounds_has_one_grid_of_all_scores_and_plays_by_it() -> None:
    rounds = replace(TINY, ending="rounds", rounds=1, target_choices=())
    win_tables.solve_for_game(rounds, rounds.target)
    (grid,) = waiting()
    work(grid)
    best = rate_state(facing(rounds))[0]
    assert 0 < known(best.win) < 1 and not best.estimate
