"""Doubts about settings that are allowed and yet odd: each a sentence that says what will happen at the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import gcd

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.rulesets.labels import LABELS, cell_label
from game.rules import Ruleset, keeps
from game.strategy.odds import bust_chance

FACES = range(1, 7)
Dice = tuple[int, ...]


def doubts(ruleset: Ruleset) -> list[str]:
    """Sentences about what is odd in a ruleset, the worst first."""
    return [
        *dead_ends(ruleset),
        *weak_sets(ruleset),
        *weak_alike(ruleset),
        *minimums(ruleset),
        *switches_without_effect(ruleset),
        *players(ruleset),
        *penalties(ruleset),
    ]


def points(value: int) -> str:
    return number_format(value, force_grouping=True)


# ── rules that nobody can play by ───────────────────────────────────────────────────────────────────────────────────


def dead_ends(ruleset: Ruleset) -> Iterator[str]:
    """Throws that can only bust, or never do; points that can never be banked."""
    chances = {count: bust_chance(ruleset, count) for count in FACES}
    hopeless = max((count for count, chance in chances.items() if chance == 1), default=0)
    if hopeless == 6:
        yield _("Nothing scores: every throw is a bust, and nobody can ever win.")
        return
    if hopeless:
        yield ngettext(
            "A single die never scores: who has %(n)s die left can only bank or bust.",
            "With %(n)s dice or fewer nothing scores: who has so few left can only bank or bust.",
            hopeless,
        ) % {"n": hopeless}
    if chances[1] == 0:
        yield _("A single die always scores: no throw is ever a bust, and a turn need never end.")
    if ruleset.sweep == "must_throw" and not any(partial_keeps(ruleset)):
        yield _(
            "Everything that scores takes all six dice, and after that the player has to throw again: "
            "nobody can ever bank."
        )


def partial_keeps(ruleset: Ruleset) -> Iterator[bool]:
    """For every throw of six dice: can some of them be kept, and some not?"""
    for dice in combinations_with_replacement(FACES, 6):
        yield any(len(keep.dice) < 6 for keep in keeps(ruleset, dice))


# ── sets worth less than the dice they are made of ──────────────────────────────────────────────────────────────────


def weak_sets(ruleset: Ruleset) -> Iterator[str]:
    for name, shapes, often in SETS:
        worth = getattr(ruleset, name)
        better = [dice for dice in shapes if plain_points(ruleset, dice) > worth]
        if worth and better and (not often or 2 * len(better) > len(shapes)):
            dice = max(better, key=lambda dice: plain_points(ruleset, dice))
            yield _("“%(set)s” scores %(points)s, but the dice %(dice)s score %(more)s without it.") % {
                "set": LABELS[name],
                "points": points(worth),
                "dice": " ".join(map(str, dice)),
                "more": points(plain_points(ruleset, dice)),
            }
    if ruleset.straight and (low := max(ruleset.low_straight, ruleset.high_straight)) > ruleset.straight:
        yield _("The whole straight scores %(points)s, less than a straight of five dice (%(more)s).") % {
            "points": points(ruleset.straight),
            "more": points(low),
        }


def weak_alike(ruleset: Ruleset) -> Iterator[str]:
    """More dice alike that score less than some of them; one sentence for each size."""
    for size in range(3, 6 if ruleset.six_of_a_kind_wins else 7):
        for face in FACES:
            worth = ruleset.of(size, face)
            less = alike_points(ruleset, size, face, most=size - 1)
            if worth and less > worth:
                yield _("“%(set)s” scores %(points)s, but the same dice score %(more)s without it.") % {
                    "set": cell_label(str(size), face),
                    "points": points(worth),
                    "more": points(less),
                }
                break


def plain_points(ruleset: Ruleset, dice: Dice) -> int:
    """What dice score as singles and dice alike only."""
    return sum(alike_points(ruleset, dice.count(face), face, most=6) for face in set(dice))


def alike_points(ruleset: Ruleset, count: int, face: int, most: int) -> int:
    """The best for so many equal dice, in groups of `most` dice at the most; dice that score nothing are left."""
    best = count * ruleset.singles[face - 1]
    for size in range(3, min(count, most) + 1):
        best = max(best, ruleset.of(size, face) + alike_points(ruleset, count - size, face, most))
    return best


@cache
def shapes(*groups: int) -> tuple[Dice, ...]:
    """All dice that are groups of equal dice of these sizes."""
    made = ([face for face, size in zip(faces, groups, strict=True) for _n in range(size)]
            for faces in permutations(FACES, len(groups)))  # fmt: skip
    return tuple(sorted({tuple(sorted(dice)) for dice in made}))


# A set, the dice that make it, and whether it is odd only where more than half of them score more without it:
# three ones and two fives are better than a full house under good rules, too.
SETS: tuple[tuple[str, tuple[Dice, ...], bool], ...] = (
    ("straight", ((1, 2, 3, 4, 5, 6),), False),
    ("low_straight", ((1, 2, 3, 4, 5),), False),
    ("high_straight", ((2, 3, 4, 5, 6),), False),
    ("three_pairs", shapes(2, 2, 2), False),
    ("full_house", shapes(3, 2), True),
    ("two_triplets", shapes(3, 3), True),
    ("four_and_two", shapes(4, 2), True),
)


# ── minimums and targets ────────────────────────────────────────────────────────────────────────────────────────────


def minimums(ruleset: Ruleset) -> Iterator[str]:
    entry, bank = ruleset.entry_minimum, ruleset.bank_minimum
    values = {"entry": points(entry), "bank": points(bank), "target": points(ruleset.target)}
    if bank > entry:
        yield (
            _("Getting in takes %(entry)s, but every later turn %(bank)s: going on is harder than getting in.") % values
        )
    if entry >= ruleset.target:
        yield _("Getting in takes %(entry)s: who gets in has reached the target of %(target)s at once.") % values
    elif 0 < best_throw(ruleset) < max(entry, bank):
        yield _("No single throw scores the %(n)s that a bank needs: the best one scores %(best)s.") % {
            "n": points(max(entry, bank)),
            "best": points(best_throw(ruleset)),
        }
    yield from off_step(ruleset)
    if ruleset.target_choices and ruleset.target not in ruleset.target_choices:
        yield _("The target %(target)s is not among the targets offered at the start.") % values


def best_throw(ruleset: Ruleset) -> int:
    """The most that one throw of six dice can score."""
    throws = combinations_with_replacement(FACES, 6)
    return max((found[0].points for dice in throws if (found := keeps(ruleset, dice))), default=0)


def off_step(ruleset: Ruleset) -> Iterator[str]:
    """Minimums between two totals that can be made: they mean the next one."""
    step = gcd(*every_value(ruleset))
    for name in ("entry_minimum", "bank_minimum"):
        value = getattr(ruleset, name)
        if step and value % step:
            yield _("“%(name)s” is %(n)s, but all points go in steps of %(step)s: it means %(next)s.") % {
                "name": LABELS[name],
                "n": points(value),
                "step": points(step),
                "next": points(value - value % step + step),
            }


def every_value(ruleset: Ruleset) -> tuple[int, ...]:
    sets = [getattr(ruleset, name) for name, _dice, _often in SETS]
    alike = [value for row in ruleset.of_a_kind for value in row]
    return (*ruleset.singles, *alike, *sets, ruleset.nothing_bonus)


# ── settings that do nothing ────────────────────────────────────────────────────────────────────────────────────────


def switches_without_effect(ruleset: Ruleset) -> Iterator[str]:
    for name in ("four_and_two_is_three_pairs", "three_pairs_across_throws"):
        if getattr(ruleset, name) and not ruleset.three_pairs:
            yield _("“%(name)s” does nothing: three pairs do not score.") % {"name": LABELS[name]}
    if ruleset.four_and_two_is_three_pairs and ruleset.three_pairs and ruleset.four_and_two:
        yield _("Four alike and a pair score in two ways, as themselves and as three pairs. The better one counts.")
    if ruleset.nothing_bonus and bust_chance(replace(ruleset, nothing_bonus=0), 6) == 0:
        yield _("Something scores in every throw of six dice: “%(name)s” never happens.") % {
            "name": LABELS["nothing_bonus"]
        }
    if ruleset.ending == "at_once" and ruleset.tie != "leader_stands":
        yield _("A game that ends there and then has no ties: what is said about them does nothing.")


# ── players and penalties ───────────────────────────────────────────────────────────────────────────────────────────


def players(ruleset: Ruleset) -> Iterator[str]:
    if ruleset.max_players == 1 and ruleset.pick_up:
        yield _("In a game for one nobody leaves dice to go on with.")
    if ruleset.min_players == 1 and (ruleset.ante or ruleset.bust_penalty):
        yield _("Who plays alone pays into a pot that only they can win.")


def penalties(ruleset: Ruleset) -> Iterator[str]:
    if bool(ruleset.bust_streak) != bool(ruleset.bust_streak_penalty):
        yield _("Busts in a row cost nothing: that takes both a number of busts and the points that they cost.")
    elif ruleset.bust_streak == 1:
        yield _("Every single bust costs %(n)s points.") % {"n": points(ruleset.bust_streak_penalty)}
    if ruleset.bust_streak_penalty > ruleset.target:
        yield _("Busts in a row cost more than the whole target.")
