"""The eight colours of a table, chosen by the players or given by the seat: no two alike while there are enough.

A seat's choice is stored and, in a rematch, the colour its player had before; the others are worked out here.
"""

from collections.abc import Sequence

COLOURS = range(1, 9)


def share_out_colours(chosen: Sequence[int | None], usual: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the colour of each seat, 1 to 8. `chosen`: what each of them chose, None for the usual colour.

    `usual`: the usual colour of each, by default that of the seat. Choices come first; if two are equal, the earlier
    seat's counts. A player whose usual colour is taken gets the first free one, so a late guest changes nobody's
    colour. From the ninth player on, colours repeat.
    """
    given: dict[int, int] = {}
    usual = usual or [seat % len(COLOURS) + 1 for seat in range(len(chosen))]
    for wishes in (chosen, usual):
        for seat, colour in enumerate(wishes):
            if seat not in given and colour is not None and colour not in given.values():
                given[seat] = colour
    for seat, again in enumerate(usual):
        if seat not in given:
            given[seat] = next((free for free in COLOURS if free not in given.values()), again)
    return tuple(given[seat] for seat in range(len(chosen)))
