"""How many examples the tests try: all in the gate, a tenth in `manage.py test --quick`.

This holds for the random examples of Hypothesis, and for tests that check the same thing for many rulesets, files or
words and are marked `examples`. Of those marked `examples(costly=True)` it tries a hundredth, and one at least.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

Case = TypeVar("Case")

# Each run tries the same examples, so that none fails by chance; with `--hypothesis-profile=search` it tries others.
SEARCH = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100)
SAME = settings(SEARCH, derandomize=True)
PROFILES = {"search": SEARCH, "same": SAME, "quick": settings(SAME, max_examples=10)}


def try_examples(most: int) -> settings:
    """Return the settings of a test that tries this many examples, or the share of them that the profile asks for."""
    return settings(max_examples=count_tries(most))


def count_tries(most: int) -> int:
    """Return how many of this many tries of one kind the profile asks for; at least one."""
    return max(1, most * settings().max_examples // SAME.max_examples)


def choose_tries(cases: Sequence[Case]) -> Sequence[Case]:
    """Return as many of these cases of one test as the profile asks for, spread evenly, the first among them."""
    return cases[:: len(cases) // count_tries(len(cases))]


def list_left_out(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the cases of tests marked `examples` that the profile leaves out."""
    one_of = SAME.max_examples // settings().max_examples
    left_out = set()
    for costly, share in ((False, one_of), (True, one_of**2)):
        marked = {item.nodeid: item for item in items if is_example(item, costly=costly)}
        left_out |= {marked[name] for name in choose_left_out(marked, share)}
    return left_out


def is_example(item: pytest.Item, *, costly: bool) -> bool:
    mark = item.get_closest_marker("examples")
    return mark is not None and mark.kwargs.get("costly", False) is costly


def choose_left_out(names: Iterable[str], one_of: int) -> Iterator[str]:
    """Yield the cases, `test_name[case]`, to leave out so that one in `one_of` of each test remains.

    The choice is the same in every run but differs between tests, so that a case of many tests is tried in some.
    """
    tests = defaultdict[str, list[str]](list)
    for name in names:
        tests[name.partition("[")[0]].append(name)
    for test, cases in tests.items():
        taken = crc32(test.encode()) % min(one_of, len(cases))
        yield from (case for place, case in enumerate(cases) if place % one_of != taken)
