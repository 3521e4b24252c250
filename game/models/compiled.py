"""The statements of every page and move, compiled to SQL once.

Django compiles a query anew each time it runs, which takes two to three times as long as running it on a nearby
database (`tests/benchmarks/floor.py` shows what that is worth). Use it only for hot paths.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import (
    AutoField,
    BooleanField,
    CharField,
    Field,
    ForeignKey,
    IntegerField,
    Model,
    PositiveIntegerField,
    PositiveSmallIntegerField,
    QuerySet,
)

Row = TypeVar("Row", bound=Model)


class Compiled(NamedTuple, Generic[Row]):
    """A query ready for the database, and how its result becomes rows."""

    model: type[Row]
    sql: str
    params: tuple[Any, ...]
    places: tuple[int, ...]  # indexes of the values among the parameters
    names: list[str]  # of the columns
    converters: list[tuple[int, list[Any], Any]]  # (column, its converters, its expression)


class CompiledQuery(Generic[Row]):
    """The rows that a query finds for its values. Each carries the columns of its own table and nothing else.

    `samples`: a placeholder of each value's type that occurs only once among the parameters of the compiled SQL, so
    that its place can be found. Use it at run time only: the SQL is made for the database connected first.
    """

    def __init__(self, query: Callable[..., QuerySet[Row, Any]], *samples: object) -> None:
        self.query, self.samples = query, samples

    @cached_property
    def compiled(self) -> Compiled[Row]:
        """Return the query compiled, once."""
        rows = self.query(*self.samples)
        compiler = rows.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        # If two were equal, the wrong one might be replaced, and somebody else's rows be found.
        for sample in self.samples:
            assert params.count(sample) == 1, f"The sample {sample!r} has to occur once in {params!r}."
        columns = [column for column, _sql, _alias in compiler.select]
        names = [column.target.attname if hasattr(column, "target") else "" for column in columns]
        converters = [(place, *converter) for place, converter in compiler.get_converters(columns).items()]
        places = tuple(params.index(sample) for sample in self.samples)
        return Compiled(rows.model, sql, tuple(params), places, names, converters)

    def fetch(self, values: Sequence[object], most: int | None) -> list[tuple[Any, ...]]:
        """Return the database's rows for these values."""
        compiled = self.compiled
        params = list(compiled.params)
        for place, value in zip(compiled.places, values, strict=True):
            params[place] = value
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql if most is None else f"{compiled.sql} LIMIT {most:d}", params)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows

    def __call__(self, *values: object, most: int | None = None) -> list[Row]:
        """Return the rows for these values: all of them, or the first `most`."""
        found = []
        model, _sql, _params, _places, names, converters = self.compiled
        for answer in self.fetch(values, most):
            row = list(answer)
            for place, makers, expression in converters:
                for make in makers:
                    row[place] = make(row[place], expression, connection)
            found.append(model.from_db(connection.alias, names, row))
        return found

    def first(self, *values: object) -> Row | None:
        """Return the first row for these values, None for none."""
        return next(iter(self(*values, most=1)), None)

    def exists(self, *values: object) -> bool:
        """Return whether there is a row for these values."""
        return bool(self.fetch(values, 1))

    def tuples(self, *values: object) -> list[tuple[Any, ...]]:
        """Return what a query with `values_list` selects, as the database gives it: for numbers and texts only."""
        return self.fetch(values, None)


# Fields whose plain values both databases take as they are. To have Django prepare each takes as long as the statement.
AS_THEY_ARE = frozenset(
    (BooleanField, CharField, ForeignKey, IntegerField, PositiveIntegerField, PositiveSmallIntegerField)
)


class CompiledWrite(NamedTuple):
    """A statement that writes columns of one row."""

    sql: str
    columns: tuple[Field[Any, Any], ...]


def update_row(row: Model, names: Sequence[str] | None = None) -> None:
    """Update these fields, or all, of an existing row. Sends no signals."""
    statement = compile_update(type(row), None if names is None else tuple(names), connection.vendor)
    values = [write_value(row, column, add=False) for column in statement.columns]
    with connection.cursor() as cursor:
        cursor.execute(statement.sql, [*values, row.pk])


def insert_row(row: Model) -> None:
    """Insert a new row, and set its primary key. Sends no signals."""
    row._prepare_related_fields_for_save(operation_name="insert")  # type: ignore[attr-defined]  # rows it refers to have their numbers by now
    statement = compile_insert(type(row), connection.vendor)
    values = [write_value(row, column, add=True) for column in statement.columns]
    with connection.cursor() as cursor:
        cursor.execute(statement.sql, values)
        if connection.features.can_return_columns_from_insert:
            (row.pk,) = cursor.fetchone()
        else:
            row.pk = connection.ops.last_insert_id(cursor, row._meta.db_table, "id")
    row._state.adding, row._state.db = False, connection.alias


def write_value(row: Model, column: Field[Any, Any], *, add: bool) -> Any:
    """Return a field's value as the database takes it."""
    value = getattr(row, column.attname)
    if type(column) in AS_THEY_ARE and type(value) in (int, str, bool):
        return value
    return column.get_db_prep_save(column.pre_save(row, add), connection)


@lru_cache(maxsize=64)
def compile_update(model: type[Model], names: tuple[str, ...] | None, _vendor: str) -> CompiledWrite:
    """Return the statement that writes these fields of a row, found by its primary key."""
    meta = model._meta
    columns = tuple(f for f in meta.concrete_fields if not f.primary_key and (names is None or f.name in names))
    written = ", ".join(f"{quote_name(column)} = %s" for column in columns)
    sql = f"UPDATE {meta.db_table} SET {written} WHERE id = %s"  # noqa: S608 - names of the models, no value
    return CompiledWrite(sql, columns)


@lru_cache(maxsize=64)
def compile_insert(model: type[Model], _vendor: str) -> CompiledWrite:
    """Return the statement that inserts a row whose primary key the database assigns."""
    meta = model._meta
    columns = tuple(column for column in meta.concrete_fields if not isinstance(column, AutoField))
    names, places = ", ".join(map(quote_name, columns)), ", ".join(["%s"] * len(columns))
    returning = " RETURNING id" if connection.features.can_return_columns_from_insert else ""
    sql = f"INSERT INTO {meta.db_table} ({names}) VALUES ({places}){returning}"  # noqa: S608 - names of the models
    return CompiledWrite(sql, columns)


def quote_name(column: Field[Any, Any]) -> str:
    """Return the quoted name of a column: `order` is a keyword, too."""
    return connection.ops.quote_name(str(column.column))
