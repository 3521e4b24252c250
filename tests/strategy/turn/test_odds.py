"""The exact chances of a throw."""

from dataclasses import replace
from itertools import product

import pytest

from game.rules import PRESETS, keeps, preset
from game.strategy.odds import bust_chance


@pytest.mark.parametrize(("dice", "percent"), [(1, 66.67), (2, 44.44), (3, 27.78), (4, 15.74), (5, 7.72), (6, 2.31)])
@pytest.mark.parametrize("slug", ["classic", "pot", "farkle"])
def test_a_throw_busts_with_the_known_chance(slug: str, dice: int, percent: float) -> None:
    assert round(100 * bust_chance(preset(slug), dice), 2) == percent


@pytest.mark.parametrize("slug", PRESETS)
def test_the_bust_chance_is_the_share_of_throws_without_a_keep(slug: str) -> None:
    throws = list(product(range(1, 7), repeat=4))
    busts = sum(not keeps(preset(slug), throw) for throw in throws)
    assert bust_chance(preset(slug), 4) == busts / len(throws)


def test_dice_set_aside_that_can_become_three_pairs_lower_the_risk() -> None:
    assert bust_chance(preset("boxcars"), 4, (5, 5)) == pytest.approx(168 / 1296)
    assert bust_chance(preset("boxcars"), 4) == bust_chance(preset("wikipedia"), 4, (5, 5))


def test_dice_that_score_too_much_for_an_exact_target_are_a_bust() -> None:
    assert [bust_chance(preset("classic"), 1, room=room) for room in (0, 50, 100)] == pytest.approx([1, 5 / 6, 4 / 6])


def test_six_dice_never_bust_where_a_throw_of_nothing_has_a_bonus() -> None:
    assert bust_chance(replace(preset("classic"), nothing_bonus=500), 6) == 0
