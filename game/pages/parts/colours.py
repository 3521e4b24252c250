"""The eight colours of a table: their names, and how a viewer sees them."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from game.models import Player, share_out_colours

COLOUR_NAMES = (
    ("1", _("Red")),
    ("2", _("Blue")),
    ("3", _("Purple")),
    ("4", _("Green")),
    ("5", _("Ochre")),
    ("6", _("Pink")),
    ("7", _("Olive")),
    ("8", _("Grey")),
)
COLOUR_CHOICES = (("", _("By seat")), *COLOUR_NAMES)


def read_colour(text: str) -> int | None:
    """Return the colour that a form names, 1 to 8; None for an empty text or anything else."""
    return int(text) if text in dict(COLOUR_NAMES) else None


def list_seat_colours(
    seats: Sequence[Player], own: Sequence[Player] = (), preferred: int | None = None
) -> tuple[int, ...]:
    """Return the colour of each seat of a game, 1 to 8, as everybody sees them, with one exception.

    `own`: the seats of somebody who prefers a colour. If that is one seat, and no colour was chosen for it at this
    table, they see it in the colour that they prefer, unless somebody else has chosen that.
    """
    chosen = [seat.colour for seat in seats]
    if len(own) == 1 and preferred and not own[0].colour and preferred not in chosen:
        chosen[own[0].seat] = preferred
    return share_out_colours(chosen, [seat.default_colour for seat in seats])
