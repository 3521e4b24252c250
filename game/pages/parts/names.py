"""Names for people who gave none."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from game.rules.names import same_name
from game.rules.ruleset import PLAYERS_MOST


def is_free(name: str, taken: Sequence[str]) -> bool:
    """Tell whether nobody in a game goes by this name."""
    return not any(same_name(name, other) for other in taken)


def suggest_person_name(seat: int, taken: Sequence[str]) -> str:
    """Return "Player 2" in the reader's language for a seat counted from 1; another number where that is taken."""
    names = (_("Player %(n)s") % {"n": n} for n in (seat, *range(1, 2 * PLAYERS_MOST)))
    return next(name for name in names if is_free(name, taken))
