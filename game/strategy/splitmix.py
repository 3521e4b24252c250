"""SplitMix64 on whole arrays: pseudorandom numbers that depend only on their inputs.

The constants are those of G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators" (2014),
as in Java's `SplittableRandom`.
"""

from game.strategy.arrays import ArrayLike, Floats, Hashes, np

_INCREMENT = 0x9E3779B97F4A7C15
_MULTIPLIER_1 = 0xBF58476D1CE4E5B9
_MULTIPLIER_2 = 0x94D049BB133111EB


def hash64(*parts: ArrayLike) -> Hashes:
    """Return 64-bit hashes of the parts: whole numbers from 0 on, or arrays of them, which are broadcast together."""
    number = np.zeros(1, dtype=np.uint64)
    for part in parts:
        number = _scramble(number ^ np.asarray(part).astype(np.uint64))
    return number


def _scramble(number: Hashes) -> Hashes:
    number = number + _INCREMENT
    number = (number ^ (number >> np.uint64(30))) * _MULTIPLIER_1
    number = (number ^ (number >> np.uint64(27))) * _MULTIPLIER_2
    return number ^ (number >> np.uint64(31))


def to_unit(number: Hashes) -> Floats:
    """Map hashes to numbers from 0 to below 1, by their upper 53 bits."""
    return (number >> np.uint64(11)).astype(np.float64) / 2.0**53
