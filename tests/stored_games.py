"""Games in the database without the time it takes to play them: long ones, and very many at once."""

from __future__ import annotations

import random
from functools import cache

from django.db import connection
from django.db.models import Model

from game import services
from game.models import Game, Player, RulesetRow, ShotRow, ThrowRow
from game.rules import (
    Bank,
    Entry,
    Faces,
    Record,
    SetTarget,
    State,
    Step,
    apply,
    keeps_now,
    legal_moves,
    new_game,
    preset,
    throw,
)
from game.rules.events import Banked, Bust
from game.rules.record import RecordEvent, ShotRecord
from tests.cast import ANA, BRUNO, HAL, Device, make_key

FOUR = ("Chloé", HAL, BRUNO, ANA)
TWELVE = (*FOUR, "Dora", "Emil", "Fay", "Gil", "Hugo", "Ida", "Jo", "Kai")


def store_long_game(
    device: Device, turns: int = 500, *, over: bool = True, seed: int = 1, names: tuple[str, ...] = FOUR
) -> Game:
    """Store a game with this many turns or a few more; with `over` it is played to its end."""
    game = services.load_game(device.browser, make_key(), play_long_record(turns, over, seed, names))
    game.loaded = False
    game.save(update_fields=["loaded"])
    return game


@cache
def play_long_record(turns: int, over: bool, seed: int, names: tuple[str, ...]) -> Record:
    rng = random.Random(seed)
    rules = preset("classic")
    players = tuple(Entry(name, "balanced" if name == HAL else None) for name in names)
    state = new_game(rules, players, 100_000).state
    happened: list[RecordEvent] = []
    while not state.finished and not (not over and len(happened) >= turns):
        if over and len(happened) == turns - len(players):
            state = apply(state, SetTarget(1000)).state
            happened.append(SetTarget(1000))
        state, shot = play_turn(state, rng)
        happened.append(shot)
    return Record(rules, 100_000, players, None, tuple(happened))


def play_turn(state: State, rng: random.Random) -> tuple[State, ShotRecord]:
    """Play one turn of somebody who banks as soon as three dice or fewer are left."""
    throws: list[Faces] = []
    seat, move = state.player, legal_moves(state)[0]
    while True:
        state, _events = apply(state, move)
        dice = tuple(rng.choices(range(1, 7), k=state.to_throw))
        state, events = throw(state, dice)
        if any(isinstance(event, Bust) for event in events):
            return state, ShotRecord(seat, "bust", (*throws, Faces(dice, None)))
        keep = keeps_now(state)[0]
        throws.append(Faces(dice, keep.dice))
        moves = legal_moves(state)
        if Bank(keep.dice) in moves and len(dice) - len(keep.dice) <= 3:
            step: Step = apply(state, Bank(keep.dice))
            points = next(event.points for event in step.events if isinstance(event, Banked))
            return step.state, ShotRecord(seat, "bank", tuple(throws), points)
        move = next(move for move in moves if move.keep == keep.dice)


def store_many_games(device: Device, count: int, *, status: str = "finished", turns: int = 2) -> None:
    """Store `count` games of one person against the computer, alike but for codes and winners, with few rows each."""
    visitor = device.browser.visitor_or_new()
    like = device.game(players=(ANA, HAL))
    ruleset = RulesetRow.objects.get(slug="classic", latest=True)
    first = Game.objects.create(
        key=make_key(), status=status, ruleset=ruleset, settings=like.settings, target=like.target, host=visitor,
        state_format=like.state_format, state_data=like.state_data,
    )  # fmt: skip
    for seat, (name, level) in enumerate(((ANA, ""), (HAL, "balanced"))):
        Player.objects.create(
            game=first, seat=seat, name=name, level=level, visitor=visitor, score=10_000 - seat, won=seat == 0
        )
    ana = first.players.get(seat=0)
    for place in range(1, turns + 1):
        shot = ana.shots.create(game=first, place=place, round=1, points=500, score=500, count=1, outcome="bank")
        shot.throws.create(game=first, number=place, dice="555234", columns="123456", kept="123", points=500)
    copy_game(first, count - 1)
    analyse_tables()


def copy_game(game: Game, times: int) -> None:
    """Store the game `times` times more, won by its two players alternately.

    The database does it: making fifty thousand rows here and sending them there takes ten times as long.
    """
    games = list_columns(Game, "code", "key")
    players = list_columns(Player, "game", "won")
    shots = list_columns(ShotRow, "game", "player")
    throws = list_columns(ThrowRow, "game", "shot")
    numbers = {"like": game.pk, "times": times}
    with connection.cursor() as cursor:
        cursor.execute(
            f"""INSERT INTO game_game (code, key, {games})
                WITH RECURSIVE copy (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < %(times)s
                )
                SELECT substr(code, 1, 16) || (number + 100000), substr(code, 1, 16) || number, {games}
                FROM game_game CROSS JOIN copy WHERE id = %(like)s AND number <= %(times)s
                ORDER BY number""",
            numbers,
        )
        cursor.execute(
            f"""INSERT INTO game_player (game_id, won, {players})
                SELECT game.id, old.seat = (game.id - %(like)s) %% 2, {name_table("old", players)}
                FROM game_game game CROSS JOIN game_player old
                WHERE game.id > %(like)s AND old.game_id = %(like)s
                ORDER BY game.id, old.seat""",
            numbers,
        )
        for table, columns, parent, parent_place, place in (
            ("shot", shots, "player", "seat", "place"),
            ("throw", throws, "shot", "place", "number"),
        ):
            cursor.execute(
                f"""INSERT INTO game_{table} (game_id, {parent}_id, {columns})
                    SELECT new.game_id, new.id, {name_table("source", columns)}
                    FROM game_{table} source JOIN game_{parent} old ON old.id = source.{parent}_id
                    JOIN game_{parent} new ON new.{parent_place} = old.{parent_place}
                    WHERE new.game_id > %(like)s AND source.game_id = %(like)s
                    ORDER BY new.game_id, source.{place}""",
                numbers,
            )


def list_columns(model: type[Model], *without: str) -> str:
    """Return the columns of a table, separated by commas, except its primary key and the fields named."""
    fields = (field for field in model._meta.concrete_fields if not field.primary_key and field.name not in without)
    return ", ".join(f'"{field.column}"' for field in fields)


def name_table(table: str, columns: str) -> str:
    return ", ".join(f"{table}.{column}" for column in columns.split(", "))


def analyse_tables() -> None:
    """Let PostgreSQL analyse its tables: it does so only now and then, and plans badly after many new rows."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
