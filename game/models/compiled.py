"""The statements that every page and move runs, compiled to SQL once.

Django compiles a query each time it runs, which takes two to three times as long as running it on a nearby database
(`tests/benchmarks/floor.py` shows what compiling once saves). Use these only for hot paths.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from types import NoneType
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models import Field, ForeignKey, Model, QuerySet
from django.db.models.base import ModelState

Row = TypeVar("Row", bound=Model)
Columns = tuple[Field[Any, Any], ...]


class Compiled(NamedTuple, Generic[Row]):
    """A query ready for the database, and how its result becomes rows."""

    model: type[Row]
    sql: str
    params: tuple[Any, ...]
    places: tuple[int, ...]  # indexes of the values among the parameters
    names: list[str]  # the columns of the query's own table, which come first
    converters: list[tuple[int, list[Any], Any]]  # (column, its converters, its expression)
    related: list[tuple[ForeignKey[Any, Any], list[str]]]  # for `select_related`: (foreign key, columns behind it)


class CompiledQuery(Generic[Row]):
    """A query that is compiled once and finds rows for its values.

    Each row has the columns of its own table and, with `select_related`, rows one step away, which must always exist.

    `samples`: a placeholder of each value's type that occurs only once among the parameters of the compiled SQL, so
    that its place can be found. Don't run it on import, because the SQL is made for the database connected first.
    """

    def __init__(self, query: Callable[..., QuerySet[Row, Any]], *samples: object) -> None:
        self.query, self.samples = query, samples

    @cached_property
    def compiled(self) -> Compiled[Row]:
        """The compiled query; it is compiled at its first use."""
        rows = self.query(*self.samples)
        compiler = rows.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        # If two were equal, the wrong one might be replaced, and somebody else's rows would be found.
        for sample in self.samples:
            assert params.count(sample) == 1, f"The sample {sample!r} has to occur once in {params!r}."
        columns = [column for column, _sql, _alias in compiler.select]
        names = [column.target.attname if hasattr(column, "target") else "" for column in columns]
        converters = [
            (place, [find_quick_converter(make) for make in makers], expression)
            for place, (makers, expression) in compiler.get_converters(columns).items()
        ]
        places = tuple(params.index(sample) for sample in self.samples)
        infos = (compiler.klass_info or {}).get("related_klass_infos", ())
        related = [(info["field"], [names[place] for place in info["select_fields"]]) for info in infos]
        own = len(names) - sum(len(behind) for _key, behind in related)
        return Compiled(rows.model, sql, tuple(params), places, names[:own], converters, related)

    def fetch(self, values: Sequence[object], most: int | None) -> list[tuple[Any, ...]]:
        """Return the database's rows for these values."""
        sql = self.compiled.sql
        return self.run(sql if most is None else f"{sql} LIMIT {most:d}", values)

    def run(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Run a statement that has the parameters of this query, and return the rows that it yields."""
        params = list(self.compiled.params)
        for place, value in zip(self.compiled.places, values, strict=True):
            params[place] = value
        return run_statement(sql, params)

    def __call__(self, *values: object, most: int | None = None) -> list[Row]:
        """Return the rows for these values: all of them, or the first `most`."""
        return self.build_rows(self.fetch(values, most))

    def build_rows(self, answers: list[tuple[Any, ...]]) -> list[Row]:
        """Return the model rows for the database's answers."""
        rows = []
        model, _sql, _params, _places, names, converters, related = self.compiled
        database = connections[DEFAULT_DB_ALIAS]
        for answer in answers:
            values = list(answer)
            for place, makers, expression in converters:
                for make in makers:
                    values[place] = make(values[place], expression, database)
            row = build_row(model, names, values)
            begin = len(names)
            for key, behind in related:
                key.set_cached_value(row, build_row(key.related_model, behind, values[begin : begin + len(behind)]))
                begin += len(behind)
            rows.append(row)
        return rows

    def change(self, assignments: str, *values: object) -> Row | None:
        """Change the row that the query finds, and return it as changed; None if there is none. One statement.

        `assignments`: the SQL between SET and WHERE, without values.
        """
        columns, _from, rest = self.compiled.sql.removeprefix("SELECT ").partition(" FROM ")
        table, _where, condition = rest.partition(" WHERE ")
        sql = f"UPDATE {table} SET {assignments} WHERE {condition} RETURNING {columns}"  # noqa: S608 - no value
        return next(iter(self.build_rows(self.run(sql, values))), None)

    def first(self, *values: object) -> Row | None:
        """Return the first row for these values, None for none."""
        return next(iter(self(*values, most=1)), None)

    def exists(self, *values: object) -> bool:
        """Return whether there is a row for these values."""
        return bool(self.fetch(values, 1))

    def tuples(self, *values: object) -> list[tuple[Any, ...]]:
        """Return what a query with `values_list` selects, as the database gives it, so for numbers and texts only."""
        return self.fetch(values, None)


def find_quick_converter(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return a converter of database values that does what `make` does; for times on SQLite, a much quicker one."""
    return read_time if getattr(make, "__name__", "") == "convert_datetimefield_value" else make


def read_time(value: datetime | str | None, _expression: object, _database: object) -> datetime | None:
    """Return a time that Django stored on SQLite, where times are in UTC without saying so."""
    if isinstance(value, str):  # from RETURNING, which does not say which columns hold times
        value = datetime.fromisoformat(value)
    return value and value.replace(tzinfo=UTC)


def run_statement(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run a statement, and return the rows that it yields, if any.

    On SQLite it goes to the driver's connection, because Django's cursor takes four times as long as such a statement;
    unless something listens to statements, as a consistent read does until it begins. As with the cursor, the state of
    the transaction is checked, and errors are Django's.
    """
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite" or database.execute_wrappers or database.queries_logged:
        with database.cursor() as cursor:
            cursor.execute(sql, params)
            return cursor.fetchall() if cursor.description else []
    with database.wrap_database_errors:
        database.ensure_connection()
        database.validate_no_broken_transaction()
        return database.connection.execute(mark_placeholders(sql), params).fetchall()  # type: ignore[no-any-return]


@lru_cache(maxsize=256)
def mark_placeholders(sql: str) -> str:
    """Return a statement with SQLite's own placeholders for values, where a percent sign stands for itself."""
    return sql.replace("%s", "?").replace("%%", "%")


def build_row(model: type[Row], names: Sequence[str], values: Sequence[Any]) -> Row:
    """Return a row with these values in its columns.

    It sends no signals and looks for no defaults, which make `Model.from_db` take several times as long.
    """
    row = model.__new__(model)
    row.__dict__ = dict(zip(names, values, strict=False))
    row._state = state = ModelState()
    state.adding, state.db = False, DEFAULT_DB_ALIAS
    return row


# Fields whose plain values both databases take as they are. Letting Django prepare each takes as long as the statement.
AS_THEY_ARE = frozenset(
    (
        *(models.BigIntegerField, models.BooleanField, models.CharField, models.ForeignKey, models.IntegerField),
        *(models.PositiveBigIntegerField, models.PositiveIntegerField, models.PositiveSmallIntegerField),
    )
)


def update_row(row: Model, names: Sequence[str]) -> None:
    """Update these fields of an existing row. Sends no signals."""
    sql, columns = compile_update(type(row), tuple(names))
    run_statement(sql, [*(write_value(row, column, add=False) for column in columns), row.pk])


def insert_row(row: Model, *, unless_there: bool = False) -> bool:
    """Insert a new row, and set its primary key. Sends no signals.

    `unless_there`: if a unique constraint forbids the row, insert nothing and return False.
    """
    row._prepare_related_fields_for_save(operation_name="insert")  # type: ignore[attr-defined]  # rows it refers to have their keys by now
    sql, columns = compile_insert(type(row), unless_there)
    inserted = run_statement(sql, [write_value(row, column, add=True) for column in columns])
    if not inserted:
        return False
    ((row.pk,),) = inserted
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return True


def write_value(row: Model, column: Field[Any, Any], *, add: bool) -> Any:
    """Return a field's value as the database takes it."""
    value = getattr(row, column.attname)
    if type(column) in AS_THEY_ARE and type(value) in (int, str, bool, NoneType):
        return value
    return column.get_db_prep_save(column.pre_save(row, add), connections[DEFAULT_DB_ALIAS])


@lru_cache(maxsize=64)
def compile_update(model: type[Model], names: tuple[str, ...]) -> tuple[str, Columns]:
    """Return the statement that writes these fields of a row, found by its primary key, and their columns."""
    meta = model._meta
    columns = tuple(field for field in meta.concrete_fields if field.name in names)
    written = ", ".join(f"{quote_name(column)} = %s" for column in columns)
    sql = f"UPDATE {meta.db_table} SET {written} WHERE id = %s"  # noqa: S608 - names of the models, no value
    return sql, columns


@lru_cache(maxsize=64)
def compile_insert(model: type[Model], unless_there: bool) -> tuple[str, Columns]:
    """Return the statement that inserts a row and returns its primary key, if it inserts, and the row's columns."""
    meta = model._meta
    columns = tuple(column for column in meta.concrete_fields if not isinstance(column, models.AutoField))
    names, places = ", ".join(map(quote_name, columns)), ", ".join(["%s"] * len(columns))
    returning = " ON CONFLICT DO NOTHING RETURNING id" if unless_there else " RETURNING id"
    sql = f"INSERT INTO {meta.db_table} ({names}) VALUES ({places}){returning}"  # noqa: S608 - names of the models
    return sql, columns


def quote_name(column: Field[Any, Any]) -> str:
    """Return the quoted name of a column, since `order` is also a keyword of SQL."""
    return connection.ops.quote_name(str(column.column))
