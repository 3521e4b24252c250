"""Queries of every page and every move, compiled to SQL once.

Django compiles a query anew each time it runs, which takes two to three times as long as running it on a database that
is near (`tests/benchmarks/site.py` shows what that is worth). Only for what runs all the time.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


class Compiled(NamedTuple, Generic[Row]):
    """A query as the database takes it."""

    model: type[Row]
    sql: str
    params: tuple[Any, ...]
    place: int  # of the value among the parameters


class CompiledQuery(Generic[Row]):
    """The rows that a query finds for one value. Each carries the columns of its own table and nothing else.

    `sample`: a placeholder of the value's type that occurs only once among the parameters of the compiled SQL, so that
    its place can be found. Use it at run time only: the SQL is that of the database which is connected first.
    """

    def __init__(self, query: Callable[[Any], QuerySet[Row, Any]], sample: object) -> None:
        self.query, self.sample = query, sample

    @cached_property
    def compiled(self) -> Compiled[Row]:
        """Return the query compiled, once."""
        rows = self.query(self.sample)
        sql, params = rows.query.sql_with_params()
        # Of two equal ones the wrong one might be replaced, and rows of somebody else be found.
        assert params.count(self.sample) == 1, f"The sample {self.sample!r} has to occur once in {params!r}."
        return Compiled(rows.model, sql, params, params.index(self.sample))

    @property
    def sql(self) -> str:
        """Return the SQL without a limit."""
        return self.compiled.sql

    def params(self, value: object) -> tuple[Any, ...]:
        """Return the parameters of the SQL with this value in the sample's place."""
        params, place = self.compiled.params, self.compiled.place
        return (*params[:place], value, *params[place + 1 :])

    def __call__(self, value: object, most: int | None = None) -> list[Row]:
        """Return the rows for this value: all of them, or the first `most`."""
        limit = "" if most is None else f" LIMIT {most:d}"
        return list(self.compiled.model._default_manager.raw(self.sql + limit, self.params(value)))

    def tuples(self, value: object) -> list[tuple[Any, ...]]:
        """Return what a query with `values_list` selects, as the database gives it: for numbers and texts only."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.params(value))
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows
