"""Queries that are compiled once find the same rows as when Django compiles them each time."""

from __future__ import annotations

import pytest
from django.db.models import Model
from pytest_django import DjangoAssertNumQueries

from game.history import CHANGES, SHOTS
from game.history.scores import SCORES
from game.live.live_snapshot import load_snapshots
from game.models import Game, ThrowRow, Visitor
from game.models.compiled import CompiledQuery
from game.models.games import GAME, RUNNING_THROWS, SEATS
from game.services.tidying import hand_over_hosts
from tests.cast import IN, Device, bank, open_turn, reload_game, throw
from tests.require import require


def read_values(row: Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def games(device: Device) -> list[Game]:
    turns = (bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("111346", "111"), throw("126")))
    return [device.game(*turns) for _ in range(2)]


def test_each_of_two_games_has_its_own_row_seats_and_throws(games: list[Game]) -> None:
    for game in games:
        assert GAME(game.code) == [game]
        assert SEATS(game.pk) == list(game.players.order_by("seat"))
        assert RUNNING_THROWS(game.pk) == list(game.throws.filter(shot__outcome="")) != []


def test_the_throws_of_the_running_turn_share_their_turn(
    games: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = reload_game(games[0])
    with django_assert_num_queries(1):
        turns = {id(throw.shot): throw.shot for throw in game.running_throws}
    (turn,) = turns.values()
    assert read_values(require(turn)) == read_values(games[0].shots.get(outcome=""))


def test_raising_the_version_returns_the_game_with_the_new_one(games: list[Game]) -> None:
    raised = require(Game.raise_version(games[0].code, table=True))
    assert raised.version == raised.table_version == games[0].version + 1
    assert read_values(raised) == read_values(Game.objects.get(pk=games[0].pk))
    assert reload_game(games[1]).version == games[1].version
    assert Game.raise_version("nobody", table=True) is None


def test_each_of_two_games_has_its_own_turns_changes_and_scores(games: list[Game]) -> None:
    for game in games:
        turns = list(game.shots.exclude(outcome="").order_by("-place"))
        assert len(turns) == 2
        assert SHOTS(game.pk) == turns and SHOTS(game.pk, most=1) == turns[:1]
        assert CHANGES(game.pk) == list(game.changes.order_by("-place"))
        assert SCORES.tuples(game.pk) == [(turn.player_id, 1, 1000) for turn in reversed(turns)]


def test_values_read_by_a_compiled_query_have_the_types_of_their_columns(games: list[Game]) -> None:
    assert read_values(GAME(games[0].code)[0]) == read_values(Game.objects.get(pk=games[0].pk))


def test_the_seats_of_a_game_share_the_game(
    games: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = reload_game(games[0])
    with django_assert_num_queries(1):
        assert [seat.game for seat in game.seats] == [game, game]


def test_the_seats_of_many_games_are_read_in_one_query(
    games: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        games_of_seats = {game.code: [seat.game for seat in game.seats] for game in Game.with_seats(Game.objects.all())}
    assert games_of_seats == {game.code: [game, game] for game in games}
    with django_assert_num_queries(3):
        assert load_snapshots({game.code: None for game in games}).keys() == games_of_seats.keys()
    Game.objects.update(host=Visitor.objects.create())  # who holds no seat
    with django_assert_num_queries(2):
        assert hand_over_hosts() == 0


def test_an_unknown_code_finds_no_game(games: list[Game]) -> None:
    assert Game.by_code("nobody") is None
    assert SEATS(games[1].pk + 1) == []


def test_a_sample_that_occurs_twice_in_the_query_is_refused(db: None) -> None:
    with pytest.raises(AssertionError, match="has to occur once"):
        CompiledQuery(lambda game: ThrowRow.objects.filter(game=game, order=1), 1)(2)
