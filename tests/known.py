"""What has to be there: the types of rows, matches and boxes allow for their absence, and a test does not."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def known(value: T | None) -> T:
    assert value is not None
    return value
