"""Shots and games played out with random dice agree with what was computed, within three standard errors."""

import random
from functools import cache, partial
from math import sqrt

import pytest

from game.rules import preset
from game.strategy.turn import DecisionPoint, list_options, solve_shot_points
from game.strategy.win import ScoreSituation, SeatScore, find_table, rate_options


def play_shot(ruleset, rng, best):
    """The points of a shot, 0 for a bust."""
    points, left, tries = 0, 6, 0
    while True:
        way = best(tuple(sorted(rng.choices(range(1, 7), k=left))), points)
        tries += 1
        if way is None and left == 1 and tries < ruleset.last_die_throws:
            continue
        if way is None:
            return 0
        if way.then == "bank":
            return way.total
        points, left, tries = way.total, left - len(way.keep.dice) or 6, 0


def agrees(found, expected):
    mean = sum(found) / len(found)
    error = sqrt(sum((each - mean) ** 2 for each in found)) / len(found)
    return abs(mean - expected) < 3 * error


@pytest.mark.parametrize("slug", ["classic", "farkle"])
def test_shots_bring_the_expected_points(slug):
    ruleset, rng = preset(slug), random.Random(7)

    @cache
    def best(dice, points):
        return next(iter(list_options(ruleset, DecisionPoint(dice, points))), None)

    brought = [play_shot(ruleset, rng, best) for _ in range(4000)]
    assert agrees(brought, solve_shot_points(ruleset).expected())


def test_two_perfect_players_win_as_often_as_the_table_says():
    ruleset, rng = preset("pot"), random.Random(8)
    table = find_table(ruleset, 10_000)

    @cache
    def rated(mine, theirs, dice, points):
        found = rate_options(
            ruleset,
            DecisionPoint(dice, points),
            ScoreSituation((SeatScore(mine, True), SeatScore(theirs, True))),
            table,
        )
        return found[0].option if found else None

    def first_wins():
        mine, theirs, first = 9600, 9700, True
        while True:
            mine += play_shot(ruleset, rng, partial(rated, mine, theirs))
            if theirs >= 10_000:
                return (mine > theirs) == first
            mine, theirs, first = theirs, mine, not first

    assert agrees([first_wins() for _ in range(150)], table.chances[0, 193, 195])
