"""Numbers that look like chance and follow from what they are made of: SplitMix64, on whole arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def mixed(*parts: ArrayLike) -> Numbers:
    """A number of 64 bits for every combination of the parts, which are whole numbers from 0 on or arrays of them."""
    number = np.zeros(1, dtype=np.uint64)
    for part in parts:
        number = _stirred(number ^ np.asarray(part).astype(np.uint64))
    return number


def _stirred(number: Numbers) -> Numbers:
    number = number + _STEP
    number = (number ^ (number >> np.uint64(30))) * _FIRST
    number = (number ^ (number >> np.uint64(27))) * _SECOND
    return number ^ (number >> np.uint64(31))


def share(number: Numbers) -> NDArray[np.float64]:
    """The number as a share, from 0 to below 1."""
    return (number >> np.uint64(11)).astype(np.float64) / 2.0**53
