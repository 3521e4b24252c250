"""Rulesets in short: the facts on their cards, and a table of up to three side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from game.pages.parts.text import money, number
from game.pages.rulesets import summary
from game.rules import Ruleset

Line = tuple[str, str]


def facts(ruleset: Ruleset) -> tuple[Line, ...]:
    """What to know first: (what, how)."""
    return (
        (_("To get in"), number(ruleset.entry_minimum) if ruleset.entry_minimum else _("any points")),
        (_("Target"), number(ruleset.target)),
        (_("Players"), players(ruleset)),
        (_("At the target"), ending(ruleset)),
    )


def lines(rulesets: Sequence[Ruleset]) -> list[tuple[str, list[str]]]:
    """The rows of the table: what, and how each ruleset has it. A row that is empty for all of them is left out."""
    told = [[*facts(ruleset), *more(ruleset), *scoring(ruleset)] for ruleset in rulesets]
    rows = [(column[0][0], [how for _what, how in column]) for column in zip(*told, strict=True)]
    return [(what, hows) for what, hows in rows if any(hows)]


def more(ruleset: Ruleset) -> Iterator[Line]:
    yield _("If it is a tie"), ties(ruleset)
    yield _("At least, each turn"), number(ruleset.bank_minimum) if ruleset.bank_minimum else ""
    yield _("When all six have scored"), sweep(ruleset)
    yield _("Tries with the last die"), number(ruleset.last_die_throws)
    yield _("Going on with dice left over"), _("yes") if ruleset.pick_up else ""
    yield _("Who begins"), beginner(ruleset)
    yield _("Busts in a row"), streak(ruleset)
    yield _("Pot"), pot(ruleset)


def scoring(ruleset: Ruleset) -> Iterator[Line]:
    yield _("Single dice"), alike(ruleset.singles)
    names = {3: _("Three alike"), 4: _("Four alike"), 5: _("Five alike"), 6: _("Six alike")}
    for size, name in names.items():
        wins = size == 6 and ruleset.six_of_a_kind_wins
        yield name, _("wins the game") if wins else alike(ruleset.of_a_kind[size - 3])
    sets = {
        _("Straight"): ruleset.straight,
        _("Low straight"): ruleset.low_straight,
        _("High straight"): ruleset.high_straight,
        _("Full house"): ruleset.full_house,
        _("Three pairs"): ruleset.three_pairs,
        _("Two triplets"): ruleset.two_triplets,
        _("Four alike and a pair"): ruleset.four_and_two,
        _("Six dice and nothing scores"): ruleset.nothing_bonus,
    }
    yield from ((name, number(points) if points else "") for name, points in sets.items())
    yield _("Four alike and a pair as three pairs"), _("yes") if ruleset.four_and_two_is_three_pairs else ""
    yield _("Three pairs over several throws"), _("yes") if ruleset.three_pairs_across_throws else ""


def alike(points: Sequence[int]) -> str:
    """Points by face, as short as they can be said: "100 × face, ones 1,000"."""
    together = summary.formula(tuple(points))
    if together:
        return ", ".join(filter(None, [together, summary.ones(tuple(points))]))
    return ", ".join(f"{face}s {number(points[face - 1])}" for face in range(1, 7) if points[face - 1])


def players(ruleset: Ruleset) -> str:
    least, most = ruleset.min_players, ruleset.max_players
    return str(most) if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}


def ending(ruleset: Ruleset) -> str:
    return {
        "complete_round": _("the round is played to its end"),
        "last_shot_each": _("one last turn for the others"),
        "at_once": _("the game is over at once"),
    }[ruleset.ending]


def ties(ruleset: Ruleset) -> str:
    if ruleset.ending == "at_once":
        return ""
    return {
        "extra_rounds": _("more rounds"),
        "leader_stands": _("the first to reach it wins"),
        "shared": _("they share the win"),
    }[ruleset.tie]


def sweep(ruleset: Ruleset) -> str:
    return _("you must throw again") if ruleset.sweep == "must_throw" else _("throw or bank")


def beginner(ruleset: Ruleset) -> str:
    return _("the highest die") if ruleset.first_player == "throw_for_it" else _("the first on the list")


def streak(ruleset: Ruleset) -> str:
    if not (ruleset.bust_streak and ruleset.bust_streak_penalty):
        return ""
    values = {"n": ruleset.bust_streak, "points": number(ruleset.bust_streak_penalty)}
    return _("%(n)s cost %(points)s points") % values


def pot(ruleset: Ruleset) -> str:
    if not (ruleset.ante or ruleset.bust_penalty):
        return ""
    return _("%(ante)s at the start, %(bust)s a bust") % {
        "ante": money(ruleset.ante),
        "bust": money(ruleset.bust_penalty),
    }
