"""Values that a test knows to be there, though the types of rows, matches and boxes allow `None`."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def require(value: T | None) -> T:
    assert value is not None
    return value
