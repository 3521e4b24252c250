"""A ruleset in a few words: the facts on its card, and the table of what scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.parts.text import format_money, number
from game.pages.rulesets.labels import FACE_PLURALS, LABELS, SETS, SIZES
from game.rules import Ruleset


@dataclass(frozen=True)
class Score:
    """A row of the scoring table: dice that show it, its name and its points."""

    dice: tuple[int, ...]
    name: str
    points: str
    ones: str = ""  # what 1s score where they do not follow the other faces


def list_facts(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the three facts that tell rulesets apart: the first bank, the target, and what is special."""
    entry = _("%(n)s to get on the board") if ruleset.entry_minimum else _("no opening minimum")
    special = describe_specials(ruleset, 2) or _("a straight scores %(n)s") % {"n": number(ruleset.straight)}
    return (
        entry % {"n": number(ruleset.entry_minimum)},
        _("play to %(n)s") % {"n": number(ruleset.target)},
        special,
    )


def describe_specials(ruleset: Ruleset, most: int | None = None) -> str:
    """Return what may surprise a player about a ruleset in a line, at most so many facts; empty where nothing may."""
    return " · ".join(islice(list_specials(ruleset), most))


def list_specials(ruleset: Ruleset) -> Iterator[str]:
    """Yield what may surprise a player about a ruleset, the most surprising first."""
    if ruleset.min_players == ruleset.max_players:
        yield ngettext("for %(n)s player", "for %(n)s players", ruleset.min_players) % {"n": ruleset.min_players}
    if ruleset.three_pairs_across_throws:
        yield _("three pairs can grow over several throws")
    if ruleset.ante or ruleset.bust_penalty:
        yield _("a pot of play money: %(ante)s each") % {"ante": format_money(ruleset.ante)}
    if ruleset.last_die_throws > 1:
        yield _("three tries with the last die")
    if ruleset.bank_minimum:
        yield _("bank at least %(n)s") % {"n": number(ruleset.bank_minimum)}
    if ruleset.pick_up:
        yield _("pick up the last player’s dice")
    if ruleset.six_of_a_kind_wins:
        yield _("six of a kind wins")
    if ruleset.two_triplets:
        yield _("two triplets score %(n)s") % {"n": number(ruleset.two_triplets)}
    if ruleset.sweep == "must_throw":
        yield _("hot dice: you must throw again")


def list_scores(ruleset: Ruleset) -> tuple[Score, ...]:
    """Return the table of what scores, the smallest sets first."""
    singles = (
        Score((face,), _("Each %(face)s") % {"face": face}, number(points))
        for face, points in enumerate(ruleset.singles, 1)
        if points
    )
    sets = (
        Score(combination.dice, str(combination.name), number(points))
        for combination in SETS
        if (points := getattr(ruleset, combination.setting))
    )
    bonus = ruleset.nothing_bonus
    nothing = (Score((), str(LABELS["nothing_bonus"]), number(bonus)),) if bonus else ()
    return (*singles, *_list_of_a_kind(ruleset), *sets, *nothing)


def _list_of_a_kind(ruleset: Ruleset) -> Iterator[Score]:
    for size in range(3, 7):
        name, points = str(SIZES[str(size)]), ruleset.of_a_kind[size - 3]
        if size == 6 and ruleset.six_of_a_kind_wins:
            yield Score((6,) * 6, name, _("wins"))
        elif formula := find_formula(points):
            yield Score((3,) * size, name, formula, describe_ones(points))
        else:
            for face in range(1, 7):
                if points[face - 1]:
                    yield Score((face,) * size, name, number(points[face - 1]))


def describe_points(points: Sequence[int]) -> str:
    """Return points by face in the shortest words, as in "100 × number, 1s: 1,000"."""
    if formula := find_formula(points):
        return ", ".join(filter(None, [formula, describe_ones(points)]))
    return ", ".join(f"{FACE_PLURALS[face]} {number(value)}" for face, value in enumerate(points) if value)


def find_formula(points: Sequence[int]) -> str:
    """Return how the faces 2 to 6 score: "200 × number", "3,000", or "" where they follow no common form."""
    two = points[1]
    if not any(points):
        return ""
    if all(value == two for value in points[1:]):
        return number(two) if two else ""
    if all(points[face - 1] * 2 == two * face for face in range(2, 7)):
        return _("%(n)s × number") % {"n": number(two // 2)}
    return ""


def describe_ones(points: Sequence[int]) -> str:
    """Return what 1s score where they do not follow the other faces, else ""."""
    follows = points[1] == 2 * points[0] and points[2] == 3 * points[0]
    return "" if follows or len(set(points)) == 1 else _("1s: %(n)s") % {"n": number(points[0])}
