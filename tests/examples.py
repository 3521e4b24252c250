"""How many examples the tests of Hypothesis try: all in the gate, a fifth in `manage.py test --quick`."""

from hypothesis import HealthCheck, settings

# Each run tries the same examples, so that none fails by chance; with `--hypothesis-profile=search` it tries others.
SEARCH = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100)
SAME = settings(SEARCH, derandomize=True)
PROFILES = {"search": SEARCH, "same": SAME, "quick": settings(SAME, max_examples=20)}


def try_examples(most: int) -> settings:
    """Return the settings of a test that tries so many examples, or the share of them that the profile asks for."""
    return settings(max_examples=max(1, most * settings().max_examples // SAME.max_examples))
