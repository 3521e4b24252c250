"""In which of the six columns of the table each die lies: it stays there for as long as it lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from game.models import ThrowRow

ALL_COLUMNS = "123456"


def columns_of(lying: Mapping[int, int], faces: Iterable[int], rather: Collection[int] = ()) -> tuple[int, ...]:
    """Return the columns whose dice show these faces: those in `rather` if possible, else the leftmost.

    `lying`: column → face. A face that does not lie there is passed over.
    """
    wanted = Counter(faces)
    columns = []
    for column, face in sorted(lying.items(), key=lambda place: (place[0] not in rather, place[0])):
        if wanted[face] > 0:
            wanted[face] -= 1
            columns.append(column)
    return tuple(sorted(columns))


def columns_after(before: ThrowRow | None, count: int) -> str:
    """Return the columns into which `count` dice fall: those that the kept dice of the throw before left free.

    A die never changes its column. After hot dice, and where a turn begins, they fall from the left.
    """
    free = [column for column in before.columns if column not in before.kept] if before else []
    return "".join(free) if len(free) == count else ALL_COLUMNS[:count]
