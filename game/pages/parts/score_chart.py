"""Scores by round as a drawing of 280 × 150 units, and the table below it."""

from collections.abc import Sequence
from functools import lru_cache

from game.history.scores import ROUNDS_LISTED, Score, find_step
from game.pages.parts.components import ScoreChart, ScoreLine
from game.pages.parts.language import find_language
from game.pages.parts.language import gettext as _
from game.pages.parts.text import list_figures, number

CHARTS_KEPT = 64
WIDTH, HEIGHT = 280, 150
LEFT, RIGHT, TOP, BOTTOM = 36, 8, 10, 20
ALL_LABELLED = 6  # rounds
TICKS_APART = 14  # units: the height of a label, and some space


def build_score_chart(names: Sequence[str], target: int, turns: Sequence[Score]) -> ScoreChart | None:
    """Return the drawing and its table; None before the first turn. `turns`: (seat, round, score) after each.

    `target`: 0 if no score ends the game.
    """
    return _draw_chart(tuple(names), target, tuple(turns), find_language()) if turns else None


@lru_cache(maxsize=CHARTS_KEPT)  # everybody at a table sees the same chart, throughout a turn
def _draw_chart(names: tuple[str, ...], target: int, turns: tuple[Score, ...], _language: str | None) -> ScoreChart:
    last = max(round_ for _seat, round_, _score in turns)
    by_seat = list_scores(len(names), last, turns)
    top = max(target, 1, *map(max, by_seat))
    low = min(0, *map(min, by_seat))
    step = find_step(last)
    drawn = [i for i in range(last + 1) if i % step == 0 or i == last]
    return ScoreChart(
        lines=tuple(
            ScoreLine(
                seat=seat,
                name=name,
                points=" ".join(f"{place_round(i, last)},{place_score(scores[i], top, low)}" for i in drawn),
                end_x=place_round(last, last),
                end_y=place_score(scores[last], top, low),
                scores=tuple(map(number, scores[1:][-ROUNDS_LISTED:])),
            )
            for seat, (name, scores) in enumerate(zip(names, by_seat, strict=True), 1)
        ),
        ticks_y=tuple((y, format_thousands(score)) for score, y in place_ticks(target or top, top, low).items()),
        ticks_x=tuple((place_round(i, last), number(i)) for i in list_labelled_rounds(last)),
        rounds=tuple(number(i) for i in range(max(1, last + 1 - ROUNDS_LISTED), last + 1)),
        summary=_("After round %(round)s: %(scores)s.")
        % {
            "round": last,
            "scores": list_figures((name, number(scores[last])) for name, scores in zip(names, by_seat, strict=True)),
        },
    )


def list_scores(seats: int, last: int, turns: Sequence[Score]) -> list[list[int]]:
    """Return each seat's score after each round, from 0 before the first; a round without a turn keeps the score."""
    after = {(seat, round_): score for seat, round_, score in turns}
    by_seat = [[0] for _seat in range(seats)]
    for round_ in range(1, last + 1):
        for seat, scores in enumerate(by_seat):
            scores.append(after.get((seat, round_), scores[-1]))
    return by_seat


def place_score(score: int, top: int, low: int) -> float:
    """Return the y coordinate of a score, in units of the drawing; `top`, `low`: the scores at the edges."""
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (score - low) / (top - low), 1)


def place_ticks(goal: int, top: int, low: int) -> dict[int, float]:
    """Return the labelled scores with their y coordinates; of labels that would touch, only the most telling."""
    ticks: dict[int, float] = {}
    for score in (0, goal, top, low, goal // 2):
        y = place_score(score, top, low)
        if all(abs(y - other) >= TICKS_APART for other in ticks.values()):
            ticks[score] = y
    return ticks


def place_round(round_: int, last: int) -> float:
    """Return the x coordinate of a round, in units of the drawing."""
    return round(LEFT + (WIDTH - LEFT - RIGHT) * round_ / last, 1)


def list_labelled_rounds(last: int) -> Sequence[int]:
    """Return every round of a short game; of a longer one the first, the middle and the last round."""
    return range(1, last + 1) if last <= ALL_LABELLED else (1, (last + 1) // 2, last)


def format_thousands(value: int) -> str:
    """Return the label of an axis: 10k, 2.5k, 0; in full, as 1,450, what that would round."""
    if value < 1000 or value % 100:
        return number(value)
    return number(value / 1000, 0 if value % 1000 == 0 else 1) + "k"
