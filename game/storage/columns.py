"""Which of the six columns of the table each die lies in. It stays in its column, also when it is thrown again."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from game.models import ThrowRow
from game.rules import IllegalMove

ALL_COLUMNS = "123456"


def pick_columns(lying: Mapping[int, int], faces: Iterable[int], preferred: Collection[int] = ()) -> tuple[int, ...]:
    """Return columns, sorted, whose dice show these faces: those in `preferred` if possible, else the leftmost.

    `lying`: column → face. Faces that no die there shows are skipped.
    """
    wanted = Counter(faces)
    columns = []
    for column, face in sorted(lying.items(), key=lambda place: (place[0] not in preferred, place[0])):
        if wanted[face] > 0:
            wanted[face] -= 1
            columns.append(column)
    return tuple(sorted(columns))


def find_free_columns(before: ThrowRow | None, count: int) -> str:
    """Return the columns into which `count` dice fall: those of the dice that were not kept of the throw before.

    So a die never changes its column. After hot dice, and when a turn begins, dice fall into the leftmost columns.
    """
    free = [column for column in before.columns if column not in before.kept] if before else []
    return "".join(free) if len(free) == count else ALL_COLUMNS[:count]


def find_faces(throw: ThrowRow | None, columns: Sequence[int]) -> tuple[int, ...]:
    """Return the faces, sorted, of the dice of a throw in these columns.

    Raises `IllegalMove` for a column without such a die, and for one that is named twice.
    """
    lying = throw.by_column if throw else {}
    if len(set(columns)) != len(columns) or any(column not in lying for column in columns):
        raise IllegalMove("cannot_keep", dice=tuple(lying.get(column, 0) for column in columns))
    return tuple(sorted(lying[column] for column in columns))
