"""Run by `site.py` in the site after a line that sets GAMES: add this many games, finished and running, with rows."""

from django.db import connection
from django.db.models import Model

from game.models import Game, Player, Seed, ThrowRow
from tests.require import require

GAMES: int  # set in a line before this one
NUMBERS = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {GAMES})"  # noqa: F821
TEXT = "printf('%022d', n.i)" if connection.vendor == "sqlite" else "lpad(n.i::text, 22, '0')"
STATUS = "CASE WHEN n.i % 3 = 0 THEN 'running' ELSE 'finished' END"


def list_columns(model: type[Model], **instead: str) -> list[tuple[str, str]]:
    names = [str(field.column) for field in model._meta.concrete_fields]
    return [(name, instead[name]) if name in instead else (name, f'old."{name}"') for name in names]


def copy_rows(model: type[Model], source: str, chosen: str, **instead: str) -> None:
    """Copy the chosen rows of one game for each number n.i, with `instead` for some of their columns."""
    names, values = zip(*list_columns(model, **instead), strict=True)
    table, quoted = model._meta.db_table, ", ".join(f'"{name}"' for name in names)
    head, tail = f"INSERT INTO {table} ({quoted})", f"SELECT {', '.join(values)} FROM {source} old, n WHERE {chosen}"
    with connection.cursor() as cursor:
        cursor.execute(f"{head} {NUMBERS} {tail}" if connection.vendor == "sqlite" else f"{NUMBERS} {head} {tail}")


if connection.vendor == "postgresql":
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
first = require(Game.objects.exclude(throws=None).order_by("pk").first()).pk
FAR = 10_000_000
copy_rows(Game, "game_game", f"old.id = {first}", id=f"{FAR} + n.i", code=TEXT, key=TEXT, status=STATUS)
rows: tuple[type[Model], ...] = (Player, Seed)
for model in rows:
    table = model._meta.db_table
    copy_rows(model, table, f"old.game_id = {first}", id=f"{FAR} + n.i * 8 + old.id % 8", game_id=f"{FAR} + n.i")
one = require(ThrowRow.objects.filter(game=first).first()).pk
copy_rows(ThrowRow, "game_throw", f"old.id = {one}", id=f"{FAR} + n.i", game_id=f"{FAR} + n.i", shot_id="NULL")
if connection.vendor == "postgresql":
    with connection.cursor() as cursor:
        every: tuple[type[Model], ...] = (Game, *rows, ThrowRow)
        for model in every:
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{model._meta.db_table}', 'id'), {FAR * 3})")
        cursor.execute("ANALYZE")
