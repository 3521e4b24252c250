"""A ruleset in a few words: the facts on its card, and the table of what scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.parts.text import money, number
from game.rules import Ruleset


@dataclass(frozen=True)
class Score:
    """A row of the scoring table: dice that show it, what it is called, what it is worth."""

    dice: tuple[int, ...]
    name: str
    points: str
    ones: str = ""


def facts(ruleset: Ruleset) -> tuple[str, ...]:
    """The three that tell rulesets apart: how to get in, how far to go, what is special."""
    entry = (
        _("in with %(n)s") % {"n": number(ruleset.entry_minimum)} if ruleset.entry_minimum else _("in with any points")
    )
    return entry, _("to %(n)s") % {"n": number(ruleset.target)}, special(ruleset)


def special(ruleset: Ruleset) -> str:
    """What surprises most about these rules, at most two things."""
    found = list(specials(ruleset)) or [_("a straight scores %(n)s") % {"n": number(ruleset.straight)}]
    return " · ".join(found[:2])


def specials(ruleset: Ruleset) -> Iterable[str]:
    if ruleset.min_players == ruleset.max_players:
        yield ngettext("for %(n)s player", "for %(n)s players", ruleset.min_players) % {"n": ruleset.min_players}
    if ruleset.three_pairs_across_throws:
        yield _("three pairs grow over several throws")
    if ruleset.ante or ruleset.bust_penalty:
        yield _("a pot of play money: %(ante)s each") % {"ante": money(ruleset.ante)}
    if ruleset.last_die_throws > 1:
        yield _("three tries with the last die")
    if ruleset.bank_minimum:
        yield _("at least %(n)s a turn") % {"n": number(ruleset.bank_minimum)}
    if ruleset.pick_up:
        yield _("go on with the dice left over")
    if ruleset.six_of_a_kind_wins:
        yield _("six alike win at once")
    if ruleset.two_triplets:
        yield _("two triplets score %(n)s") % {"n": number(ruleset.two_triplets)}
    if ruleset.sweep == "must_throw":
        yield _("all six score: throw again")


def scores(ruleset: Ruleset) -> tuple[Score, ...]:
    """What scores, the smallest sets first."""
    singles = (
        Score((face,), ngettext("Each %(face)s", "Each %(face)s", 1) % {"face": face}, number(points))
        for face, points in enumerate(ruleset.singles, 1)
        if points
    )
    return (*singles, *alike(ruleset), *sets(ruleset))


def alike(ruleset: Ruleset) -> Iterable[Score]:
    names = {3: _("Three alike"), 4: _("Four alike"), 5: _("Five alike"), 6: _("Six alike")}
    for size, name in names.items():
        points = ruleset.of_a_kind[size - 3]
        together = formula(points)
        if size == 6 and ruleset.six_of_a_kind_wins:
            yield Score((6,) * 6, name, _("wins"))
        elif together:
            yield Score((3,) * size, name, together, ones(points))
        else:
            for face in range(1, 7):
                if points[face - 1]:
                    yield Score((face,) * size, name, number(points[face - 1]))


def formula(points: tuple[int, ...]) -> str:
    """How the faces 2 to 6 score: "200 × face", "3,000", or nothing where they have no common form."""
    two = points[1]
    if not any(points):
        return ""
    if all(each == two for each in points[1:]):
        return number(two) if two else ""
    if all(points[face - 1] * 2 == two * face for face in range(2, 7)):
        return _("%(n)s × face") % {"n": number(two // 2)}
    return ""


def ones(points: tuple[int, ...]) -> str:
    """What ones score, where they do not follow the other faces."""
    follows = points[1] == 2 * points[0] and points[2] == 3 * points[0]
    return "" if follows or len(set(points)) == 1 else _("ones %(n)s") % {"n": number(points[0])}


def sets(ruleset: Ruleset) -> Iterable[Score]:
    rows = (
        ((1, 2, 3, 4, 5, 6), _("Straight"), ruleset.straight),
        ((1, 2, 3, 4, 5), _("Low straight"), ruleset.low_straight),
        ((2, 3, 4, 5, 6), _("High straight"), ruleset.high_straight),
        ((3, 3, 3, 2, 2), _("Full house"), ruleset.full_house),
        ((2, 2, 3, 3, 6, 6), _("Three pairs"), ruleset.three_pairs),
        ((2, 2, 2, 4, 4, 4), _("Two triplets"), ruleset.two_triplets),
        ((2, 2, 2, 2, 3, 3), _("Four alike and a pair"), ruleset.four_and_two),
    )
    yield from (Score(dice, name, number(points)) for dice, name, points in rows if points)
    if ruleset.nothing_bonus:
        yield Score((), _("Six dice and nothing scores"), number(ruleset.nothing_bonus))
