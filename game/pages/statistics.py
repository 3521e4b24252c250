"""A visitor's statistics: their figures, the accuracy of recent games as a drawing, and whom they met most."""

from collections.abc import Sequence

from game.history.head_to_head import list_opponents
from game.history.statistics import read_statistics
from game.models import Visitor
from game.pages.parts.head_to_head import find_heads_address
from game.pages.rulesets.names import name_stored

WIDTH, HEIGHT, EDGE = 280, 80, 6


def build_statistics(visitor: Visitor | None) -> dict[str, object] | None:
    """Return the statistics of a visitor; None before the first game that counts."""
    counts = read_statistics(visitor) if visitor else None
    if visitor is None or counts is None:
        return None
    return {
        "counts": counts,
        "favourite": name_stored(dict(zip(("slug", "name"), counts.ruleset, strict=True))) if counts.ruleset else "",
        "trend": draw_trend(counts.accuracy) if len(counts.accuracy) > 1 else "",  # a point is not a line
        "opponents": [(name, find_heads_address(name)) for name in list_opponents(visitor)],
    }


def draw_trend(accuracy: Sequence[float]) -> str:
    """Return a line's points in a drawing of 280 × 80 units. `accuracy`: each game's, 0 to 100, which is the top."""
    step = (WIDTH - 2 * EDGE) / (len(accuracy) - 1)
    return " ".join(
        f"{EDGE + i * step:.1f},{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value / 100:.1f}"
        for i, value in enumerate(accuracy)
    )
