"""Tables and percentages at the prompt, in the reader's language."""

from collections.abc import Sequence

from django.utils.translation import pgettext

from game.pages.parts.text import number


def format_columns(rows: Sequence[Sequence[str]], columns: Sequence[str]) -> str:
    """Return rows of cells as text whose columns line up, however long the words of a language are.

    `columns`: how each is aligned and its least width, "<11" to the left, ">8" to the right.
    """
    cells = zip(*rows, strict=True)
    layout = [f"{column[0]}{max(int(column[1:]), *map(len, own))}" for column, own in zip(columns, cells, strict=True)]
    lines = ("  ".join(map(format, row, layout)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def format_percent(chance: float, places: int) -> str:
    """Return a chance, 0–1, as "66.67 %"."""
    # Translators: with a no-break space before the sign, where your language has a space there.
    return pgettext("at the prompt", "%(number)s %%") % {"number": number(100 * chance, places)}
