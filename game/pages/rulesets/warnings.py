"""Warnings about settings that are allowed but odd: each a sentence that says what will happen at the table."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from math import gcd, lcm

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_dice, name_all_dice, number
from game.pages.rulesets.labels import LABELS, name_cell
from game.pages.rulesets.patterns import name_combination
from game.rules import Dice, Ruleset, best_points, keeps
from game.rules.combinations import FACES
from game.rules.splits import dice_in_groups
from game.rules.totals import may_bank_sweep
from game.strategy.odds import bust_chance


def find_warnings(ruleset: Ruleset) -> list[str]:
    """Return a sentence for each odd thing in a ruleset, the worst first."""
    return [
        *_find_dead_ends(ruleset),
        *_find_weak_sets(ruleset),
        *_find_weak_kinds(ruleset),
        *_find_weak_combinations(ruleset),
        *_find_odd_minimums(ruleset),
        *_find_idle_settings(ruleset),
        *_find_odd_players(ruleset),
        *_find_odd_penalties(ruleset),
    ]


def _find_dead_ends(ruleset: Ruleset) -> Iterator[str]:
    """Yield warnings about throws that always or never bust, and points that can never be banked."""
    chances = {count: bust_chance(ruleset, count) for count in range(1, ruleset.dice + 1)}
    hopeless = max((count for count, chance in chances.items() if chance == 1), default=0)
    if hopeless == ruleset.dice:
        yield _("Nothing scores: every throw is a bust, and nobody can ever win.")
        return
    joins = ruleset.sets_grow != "never" or ruleset.three_pairs_across_throws
    if hopeless and not joins:
        yield ngettext(
            "A single die never scores: a player with %(n)s die left can only bank or bust.",
            "Nothing scores with %(n)s dice or fewer: a player with that few left can only bank or bust.",
            hopeless,
        ) % {"n": hopeless}
    if not any(chances.values()) and not ruleset.throws_most and ruleset.exact == "no":
        yield _("A single die always scores: no throw is ever a bust, and a turn never has to end.")
    if not (may_bank_sweep(ruleset, at_target=ruleset.exact != "no") or any(_find_partial_keeps(ruleset))):
        yield _(
            "Everything that scores takes all %(all)s dice, and after that the player must throw again: "
            "nobody can ever bank."
        ) % {"all": name_all_dice(ruleset.dice)}


def _find_partial_keeps(ruleset: Ruleset) -> Iterator[bool]:
    """Yield, for every throw of all dice, whether some of the dice can be kept without the others."""
    for dice in combinations_with_replacement(FACES, ruleset.dice):
        yield any(len(keep.dice) < ruleset.dice for keep in keeps(ruleset, dice))


def _find_weak_sets(ruleset: Ruleset) -> Iterator[str]:
    for name, shapes, often in SHAPES:
        worth = getattr(ruleset, name)
        better = [dice for dice in shapes if _score_without_sets(ruleset, dice) > worth]
        if worth and better and (not often or 2 * len(better) > len(shapes)):
            dice = max(better, key=lambda dice: _score_without_sets(ruleset, dice))
            yield _("“%(set)s” scores %(points)s, but the dice %(dice)s score %(more)s without it.") % {
                "set": LABELS[name],
                "points": number(worth),
                "dice": format_dice(dice),
                "more": number(_score_without_sets(ruleset, dice)),
            }
    if ruleset.straight and (low := max(ruleset.low_straight, ruleset.high_straight)) > ruleset.straight:
        yield _("The whole straight scores %(points)s, less than a straight of five dice (%(more)s).") % {
            "points": number(ruleset.straight),
            "more": number(low),
        }


def _find_weak_kinds(ruleset: Ruleset) -> Iterator[str]:
    """Yield a sentence for each number of dice of a kind that score less together than split into smaller groups."""
    for size in range(3, 6 if ruleset.six_of_a_kind_wins else ruleset.dice + 1):
        for face in FACES:
            worth = ruleset.points_for(size, face)
            less = _score_kind(ruleset, size, face, most=size - 1)
            if worth and less > worth:
                yield _("“%(set)s” scores %(points)s, but the same dice score %(more)s without it.") % {
                    "set": name_cell(str(size), face),
                    "points": number(worth),
                    "more": number(less),
                }
                break


def _score_without_sets(ruleset: Ruleset, dice: Dice) -> int:
    """Return what dice score as single dice and dice of a kind only."""
    return sum(_score_kind(ruleset, dice.count(face), face, most=6) for face in set(dice))


def _score_kind(ruleset: Ruleset, count: int, face: int, most: int) -> int:
    """Return the most points for `count` equal dice, as single dice and in groups of at most `most`."""
    best = count * ruleset.singles[face - 1]
    for size in range(3, min(count, most) + 1):
        best = max(best, ruleset.points_for(size, face) + _score_kind(ruleset, count - size, face, most))
    return best


# A set, all dice that make it, and whether it is odd only if more than half of these score more without it: even under
# good rules, three 1s and two 5s can be worth more by themselves than as a full house.
SHAPES: tuple[tuple[str, tuple[Dice, ...], bool], ...] = (
    ("straight", ((1, 2, 3, 4, 5, 6),), False),
    ("low_straight", ((1, 2, 3, 4, 5),), False),
    ("high_straight", ((2, 3, 4, 5, 6),), False),
    ("three_pairs", dice_in_groups(2, 2, 2), False),
    ("full_house", dice_in_groups(3, 2), True),
    ("two_triplets", dice_in_groups(3, 3), True),
    ("four_and_two", dice_in_groups(4, 2), True),
)


def _find_odd_minimums(ruleset: Ruleset) -> Iterator[str]:
    entry, bank = ruleset.entry_minimum, ruleset.bank_minimum
    values = {"entry": number(entry), "bank": number(bank), "target": number(ruleset.target)}
    if bank > entry:
        yield _("The first bank takes %(entry)s, but every later one %(bank)s.") % values
    if entry >= ruleset.target and ruleset.ending != "rounds":
        yield _("The first bank takes %(entry)s: it already reaches the target of %(target)s.") % values
    elif 0 < (best := _find_best_throw(ruleset)) < max(entry, bank):
        yield _("No single throw scores the %(n)s that a bank needs: the best one scores %(best)s.") % {
            "n": number(max(entry, bank)),
            "best": number(best),
        }
    yield from find_minimums_off_step(ruleset).values()
    if ruleset.target_choices and ruleset.target not in ruleset.target_choices:
        yield _("The target %(target)s is not among the targets offered at the start.") % values


def _find_best_throw(ruleset: Ruleset) -> int:
    """Return the most points that one throw of all dice can score."""
    throws = combinations_with_replacement(FACES, ruleset.dice)
    return max((best.points for dice in throws for best in keeps(ruleset, dice)[:1]), default=0)


def find_minimums_off_step(ruleset: Ruleset) -> dict[str, str]:
    """Return warnings, by setting, about minimums that lie between two possible totals and so mean the higher one."""
    picked_up = ruleset.pick_up_worth if isinstance(ruleset.pick_up_worth, int) else 0
    step, off = gcd(*(*ruleset.combination_values, ruleset.nothing_bonus, picked_up)), {}
    for name in ("entry_minimum", "bank_minimum"):
        value = getattr(ruleset, name)
        banks = step if name == "entry_minimum" and ruleset.entry_in == "throw" else lcm(step, ruleset.bank_step or 1)
        if step and value % step:
            off[name] = _("“%(name)s” is %(n)s, but all points come in steps of %(step)s: it means %(next)s.") % {
                "name": LABELS[name],
                "n": number(value),
                "step": number(step),
                "next": number(value - value % banks + banks),
            }
    return off


def _find_idle_settings(ruleset: Ruleset) -> Iterator[str]:
    for name in ("four_and_two_is_three_pairs", "three_pairs_across_throws"):
        if getattr(ruleset, name) and not ruleset.three_pairs:
            yield _("“%(name)s” does nothing: three pairs do not score.") % {"name": LABELS[name]}
    if ruleset.four_and_two_is_three_pairs and ruleset.three_pairs and ruleset.four_and_two:
        yield _("Four of a kind and a pair score in two ways, as themselves and as three pairs. The better one counts.")
    if ruleset.nothing_bonus:
        without = replace(ruleset, nothing_bonus=0, nothing="sweep", nothing_when="all_dice")
        if bust_chance(without, ruleset.dice) == 0:
            yield _("Something scores in every throw of all %(all)s dice: “%(name)s” never happens.") % {
                "all": name_all_dice(ruleset.dice),
                "name": LABELS["nothing_bonus"],
            }
    if ruleset.ending == "at_once" and ruleset.tie != "leader_stands":
        yield _("A game that ends at once cannot be tied: the tie setting has no effect.")

    if ruleset.below_zero != "never" and not ruleset.busts_may_cost:
        yield _("“%(name)s” does nothing: no bust costs points.") % {"name": LABELS["below_zero"]}
    if ruleset.throws_most == 1 and ruleset.last_die_throws > 1:
        yield _("“%(name)s” does nothing: a turn has one throw.") % {"name": LABELS["last_die_throws"]}
    if ruleset.throws_most == 1 and ruleset.confirm:
        yield _("In a turn of one throw nothing can be proved.")
    if ruleset.sweep_multiplier > 1 and ruleset.throws_most == 1:
        yield _("“%(name)s” does nothing: a turn has one throw.") % {"name": LABELS["sweep_multiplier"]}


def _find_weak_combinations(ruleset: Ruleset) -> Iterator[str]:
    """Yield warnings about the ruleset's own combinations that score less than most of their dice do without them."""
    for combination in ruleset.combinations:
        if combination.effect:
            continue
        others = tuple(other for other in ruleset.combinations if other is not combination)
        rest = replace(ruleset, combinations=others, exact="no")
        worth = combination.all_dice()
        weak = [dice for dice, points in worth.items() if (best_points(rest, dice) or 0) > points]
        if 2 * len(weak) > len(worth):
            yield _("“%(set)s” scores %(points)s, but the dice %(dice)s score %(more)s without it.") % {
                "set": name_combination(combination),
                "points": number(worth[weak[0]]),
                "dice": format_dice(weak[0]),
                "more": number(best_points(rest, weak[0]) or 0),
            }


def _find_odd_players(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.max_players == 1 and ruleset.pick_up:
        yield _("With one player there is nobody to leave dice behind.")
    if ruleset.min_players == 1 and (ruleset.ante or ruleset.bust_penalty):
        yield _("A player on their own pays into a pot only they can win.")


def _find_odd_penalties(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.bust_cost == "everything":
        yield _("Busts in a row cost the whole score: whoever has the bad luck starts again from 0.")
    elif missing := find_missing_penalty(ruleset):
        yield from missing.values()
    elif ruleset.bust_streak == 1 and ruleset.bust_streak_penalty:
        yield _("Every single bust costs %(n)s points.") % {"n": number(ruleset.bust_streak_penalty)}
    if ruleset.bust_streak_penalty > ruleset.target and ruleset.ending != "rounds":
        yield _("Busts in a row cost more than the whole target.")


def find_missing_penalty(ruleset: Ruleset) -> dict[str, str]:
    """Return a warning, by setting, if busts in a row lack their number or their points, and so cost nothing."""
    if ruleset.bust_cost != "fixed" or bool(ruleset.bust_streak) == bool(ruleset.bust_streak_penalty):
        return {}
    missing = "bust_streak_penalty" if ruleset.bust_streak else "bust_streak"
    sentence = _(
        "Busts in a row cost nothing until you set both how many it takes and the points they cost. "
        "For no penalty, set both to 0."
    )
    return {missing: sentence}
