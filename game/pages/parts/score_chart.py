"""Scores by round as a drawing of 280 × 150 units, and the table below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from game.pages.parts.components import ScoreChart, ScoreLine
from game.pages.parts.text import number

WIDTH, HEIGHT = 280, 150
LEFT, RIGHT, TOP, BOTTOM = 30, 8, 10, 20
ROUNDS_IN_TABLE = 20  # the score sheet has them all; what every turn sends must not grow with the game
DRAWN_MOST = 60  # more points than this cannot be told apart at the drawn size


def chart(names: Sequence[str], target: int, turns: Sequence[tuple[int, int, int]]) -> ScoreChart | None:
    """`turns`: (seat, round, score) after each finished turn. None before the first."""
    if not turns:
        return None
    last = max(round_ for _seat, round_, _score in turns)
    after: list[dict[int, int]] = [{} for _name in names]
    for seat, round_, score in turns:
        after[seat][round_] = score
    by_seat = [standing(each, last) for each in after]
    top = max(target, *map(max, by_seat))
    shown = [(i, across(i, last)) for i in range(last + 1) if i % (last // DRAWN_MOST + 1) == 0 or i == last]

    scored = list(zip(names, by_seat, strict=True))
    return ScoreChart(
        lines=tuple(line(seat, name, scores, top, shown) for seat, (name, scores) in enumerate(scored, 1)),
        ticks_y=tuple((up(value, top), thousands(value)) for value in marks(target, top)),
        ticks_x=tuple((across(i, last), number(i)) for i in sorted({1, (last + 1) // 2, last})),
        rounds=tuple(number(i) for i in range(max(1, last + 1 - ROUNDS_IN_TABLE), last + 1)),
        summary=_("After round %(round)s: %(scores)s.")
        % {
            "round": last,
            "scores": ", ".join(f"{name} {number(scores[last])}" for name, scores in scored),
        },
    )


def line(seat: int, name: str, scores: Sequence[int], top: int, shown: Sequence[tuple[int, float]]) -> ScoreLine:
    """`scores` after each round from 0 on; `shown`: the rounds that are drawn and where, the last one at the end."""
    last, end = shown[-1]
    return ScoreLine(
        seat=seat,
        name=name,
        points=" ".join(f"{x},{up(scores[i], top)}" for i, x in shown),
        end_x=end,
        end_y=up(scores[last], top),
        scores=tuple(number(score) for score in scores[1:][-ROUNDS_IN_TABLE:]),
    )


def up(score: int, top: int) -> float:
    """Where a score stands from top to bottom, in units of the drawing; `top`: the score at the upper edge."""
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * score / top, 1)


def across(round_: int, last: int) -> float:
    """Where a round stands from left to right, in units of the drawing."""
    return round(LEFT + (WIDTH - LEFT - RIGHT) * round_ / last, 1)


def marks(target: int, top: int) -> list[int]:
    """Nothing, half way, the target, and where somebody is far above it the highest score, too."""
    return [0, target // 2, target] + ([top] if top > 1.2 * target else [])


def standing(after: Mapping[int, int], last: int) -> list[int]:
    """A player's score after each round, from 0 before the first; a round without a turn keeps the score."""
    scores = [0]
    for round_ in range(1, last + 1):
        scores.append(after.get(round_, scores[-1]))
    return scores


def thousands(value: int) -> str:
    """Axis labels: 10k, 2.5k, 0."""
    if value < 1000:
        return number(value)
    return number(value / 1000, 0 if value % 1000 == 0 else 1) + "k"
