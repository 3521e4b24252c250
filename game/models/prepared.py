"""Questions of every page and every move, written as SQL once.

Django writes a query anew each time it is asked, which takes two to three times as long as asking it of a database that
is near (`tests/benchmarks/site.py` shows what that is worth). Only for what is asked all the time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)


class Prepared(Generic[Row]):
    """The rows that a query finds for one value. Each carries the columns of its own table and nothing else."""

    def __init__(self, query: Callable[[Any], QuerySet[Row, Any]], like: Any) -> None:
        """`like`: a value such as those asked for, which stands nowhere else in the query."""
        self.query, self.like = query, like

    @cached_property
    def written(self) -> tuple[type[Row], str, tuple[Any, ...], int]:
        rows = self.query(self.like)
        sql, values = rows.query.sql_with_params()
        return rows.model, sql, values, values.index(self.like)

    def asked(self, value: Any) -> tuple[Any, ...]:
        _model, _sql, values, place = self.written
        return (*values[:place], value, *values[place + 1 :])

    def __call__(self, value: Any, most: int | None = None) -> list[Row]:
        """All of them, or the first few."""
        model, sql, _values, _place = self.written
        limit = "" if most is None else f" LIMIT {most:d}"
        return list(model._default_manager.raw(sql + limit, self.asked(value)))

    def tuples(self, value: Any) -> list[tuple[Any, ...]]:
        """What a query with `values_list` selects, as the database gives it: for numbers and texts."""
        with connection.cursor() as cursor:
            cursor.execute(self.written[1], self.asked(value))
            return cursor.fetchall()
