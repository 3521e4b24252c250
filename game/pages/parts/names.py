"""Names for people who gave none."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from game.models import Game
from game.pages.parts.language import gettext as _
from game.rules.names import same_name
from game.rules.ruleset import PLAYERS_MOST

GUESTS = (
    gettext_lazy("Guest Otter"),
    gettext_lazy("Guest Badger"),
    gettext_lazy("Guest Heron"),
    gettext_lazy("Guest Lynx"),
    gettext_lazy("Guest Puffin"),
    gettext_lazy("Guest Marten"),
    gettext_lazy("Guest Beaver"),
    gettext_lazy("Guest Falcon"),
    gettext_lazy("Guest Hare"),
    gettext_lazy("Guest Ibex"),
    gettext_lazy("Guest Seal"),
    gettext_lazy("Guest Wren"),
)


def is_free(name: str, taken: Sequence[str]) -> bool:
    """Return whether nobody in a game goes by this name."""
    return not any(same_name(name, other) for other in taken)


def suggest_person_name(seat: int, taken: Sequence[str]) -> str:
    """Return "Player 2" in the reader's language, for a seat counted from 1; with another number if that is taken."""
    names = (_("Player %(n)s") % {"n": n} for n in (seat, *range(1, 2 * PLAYERS_MOST)))
    return next(name for name in names if is_free(name, taken))


def suggest_guest_name(game: Game, number: int) -> str:
    """Return a free name for a guest who types none, the same for the same number while it is free; "" if none is."""
    first, taken = number % len(GUESTS), [seat.name for seat in game.seats]
    names = map(str, (*GUESTS[first:], *GUESTS[:first]))
    return next((name for name in names if is_free(name, taken)), "")
