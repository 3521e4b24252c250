"""The chart of a review: the chance to win by throw, and the luck of each throw as bars below it. At most 6 KB."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from game.pages.parts.text import add_percent, number
from game.pages.review.sentences import summarise_chart
from game.services.reviews import StoredThrow

WIDTH, LEFT, RIGHT, TOP = 720, 64, 12, 14
CHANCES, GAP, LUCK = 190, 16, 90  # heights of the two parts and of the gap between them
FOOT = 30
DRAWN_MOST = 180  # more throws than this cannot be told apart: turns are drawn instead
LABELS_MOST = 24
TICKS_MOST = 6


@dataclass(frozen=True)
class Point:
    """One place on the axis: a throw, or a whole turn of a long game."""

    seat: int
    round: int
    steps: range
    win: float | None
    luck: float


def place_throws(throws: Sequence[StoredThrow], by: str) -> list[Point]:
    """Return the places on the axis, with luck as a chance (0–1) if chances are known, else in points."""
    points: list[Point] = []
    by_turn = len(throws) > DRAWN_MOST
    for throw in throws:
        begin, luck = throw.step, throw.luck if by == "points" else throw.luck_win or 0.0
        if by_turn and points and (points[-1].seat, points[-1].round) == (throw.seat, throw.round):
            before = points.pop()
            begin, luck = before.steps.start, before.luck + luck
        points.append(Point(throw.seat, throw.round, range(begin, throw.step + 1), throw.win, luck))
    return points


def build_drawing(
    throws: Sequence[StoredThrow],
    by: str | None,
    names: Sequence[str],
    shown: int,
    marks: Iterable[tuple[int, int, str]],
) -> dict[str, object] | None:
    """Return the chart, in 720 × `height` units with paths in SVG's notation; None if nothing was thrown or judged.

    `by`: what decisions are judged by, "win", "estimate" or "points"; None if they are not. `shown`: the seat whose
    chance is drawn in a game of two. `marks`: (step, seat, mark), the worst first.
    """
    if not throws or by is None:
        return None
    along = place_throws(throws, by)
    height = 0 if by == "points" else CHANCES
    middle = TOP + height + (GAP if height else 0) + LUCK // 2
    xs = [round(LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / len(along)) for i in range(len(along))]
    seats = sorted({point.seat for point in along})
    return {
        "height": middle + LUCK // 2 + FOOT,
        "middle": middle,  # y of the line from which the bars of luck go up or down
        "area": _draw_area(along, xs, shown) if by == "win" else "",
        "area_seat": shown + 1,
        "lines": [(seat + 1, _draw_line(along, xs, seat)) for seat in seats] if by == "estimate" else [],
        "bars": [(seat + 1, _draw_bars(along, xs, seat, middle)) for seat in seats],
        "grid": [(_find_y(share / 100), add_percent(number(share))) for share in (0, 50, 100)] if height else [],
        "ticks": _find_ticks(along, xs),
        "labels": list(_place_labels(along, xs, by, shown, middle, marks)),
        "summary": summarise_chart(names, _find_last_chances(along, by, len(names)), by),
    }


def _find_last_chances(along: Sequence[Point], by: str, seats: int) -> list[float | None]:
    """Return the chance to win of each seat, 0–1: at the end, or with more than two players after its own last throw.

    None for a seat whose chance is not known.
    """
    played = {point.seat for point in along}
    if by == "win":
        return [_find_chance(seat, along[-1]) if seat in played else None for seat in range(seats)]
    return [next((point.win for point in reversed(along) if point.seat == seat), None) for seat in range(seats)]


def _find_y(chance: float) -> int:
    return round(TOP + CHANCES * (1 - chance))


def _find_chance(seat: int, point: Point) -> float:
    """Return the chance to win of a seat in a game of two, 0–1."""
    win = 0.5 if point.win is None else point.win
    return win if point.seat == seat else 1 - win


def _draw_area(along: Sequence[Point], xs: Sequence[int], seat: int) -> str:
    """Return the path of the chances, closed along the bottom so that it can be filled."""
    ys = [_find_y(_find_chance(seat, point)) for point in along]
    return f"M{xs[0]} {_find_y(0)}V{ys[0]}{_draw_steps(xs, ys)}V{_find_y(0)}z"


def _draw_line(along: Sequence[Point], xs: Sequence[int], seat: int) -> str:
    """Return the path of the chances after the throws of one seat."""
    both = zip(xs, along, strict=True)
    own = [(x, _find_y(point.win)) for x, point in both if point.seat == seat and point.win is not None]
    return f"M{own[0][0]} {own[0][1]}{_draw_steps([x for x, _ in own], [y for _, y in own])}" if own else ""


def _draw_steps(xs: Sequence[int], ys: Sequence[int]) -> str:
    """Return the path from point to point, in the shortest notation."""
    pairs = zip(xs, xs[1:], ys, ys[1:], strict=False)
    path = " ".join(f"{x - was_x}{' ' if y >= was_y else ''}{y - was_y}" for was_x, x, was_y, y in pairs)
    return f"l{path}" if path else ""


def _draw_bars(along: Sequence[Point], xs: Sequence[int], seat: int, middle: int) -> str:
    """Return the path of the bars, up for good luck and down for bad, without bars too small to be seen."""
    most = max((abs(point.luck) for point in along), default=0) or 1
    heights = [round(LUCK / 2 * point.luck / most) for point in along]
    least = sorted((abs(height) for height in heights), reverse=True)[: 2 * DRAWN_MOST][-1]
    drawn = (
        f"M{x} {middle}v{-height}"
        for x, point, height in zip(xs, along, heights, strict=True)
        if point.seat == seat and height and abs(height) >= least
    )
    return "".join(drawn)


def _find_ticks(along: Sequence[Point], xs: Sequence[int]) -> list[tuple[float, str]]:
    """Return where rounds begin, as (x, label), for at most `TICKS_MOST` of them."""
    begins: dict[int, int] = {}
    for x, point in zip(xs, along, strict=True):
        begins.setdefault(point.round, x)
    every = -(-len(begins) // TICKS_MOST)
    return [(x, number(round_)) for i, (round_, x) in enumerate(begins.items()) if i % every == 0]


def _place_labels(
    along: Sequence[Point],
    xs: Sequence[int],
    by: str,
    shown: int,
    middle: int,
    marks: Iterable[tuple[int, int, str]],
) -> Iterable[tuple[float, float, int, str]]:
    """Yield (x, y, seat, mark) at the throws that the marks judge: above the chance, or the bars if none is known."""
    where = {step: i for i, point in enumerate(along) for step in point.steps}
    taken: list[tuple[int, int]] = []
    for step, seat, mark in list(marks)[:LABELS_MOST]:
        if step not in where:
            continue
        point, x = along[where[step]], xs[where[step]]
        chance = _find_chance(shown, point) if by == "win" else point.win
        y = middle - LUCK // 2 + 12 if chance is None else max(_find_y(chance) - 8, TOP + 8)
        while any(abs(x - other) < 22 and abs(y - height) < 18 for other, height in taken):
            y += 18
        taken.append((x, y))
        yield x, y, seat + 1, mark
