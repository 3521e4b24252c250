"""Rulesets in short: the facts on their cards, up to three side by side, and what changed from version to version."""

from collections.abc import Iterator, Sequence
from dataclasses import fields

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_money, number, put_label
from game.pages.rulesets.choices import find_choice
from game.pages.rulesets.face_points import describe_points, find_points_of_a_kind
from game.pages.rulesets.labels import KINDS_TO_PROVE, LABELS, SETS, SIZES, name_cell
from game.pages.rulesets.values import describe_goal, describe_setting, describe_value
from game.rules import Ruleset

Line = tuple[str, str]

# Settings that came later: each has a row of the table if it is not at its default. `rounds` is part of the target's,
# and every game has a number of dice. What busts in a row cost comes right after their number.
LATER = sorted(
    (s for s in fields(Ruleset) if "later" in s.metadata and s.name not in ("rounds", "dice")),
    key=lambda s: s.name != "bust_cost",
)


def list_main_facts(ruleset: Ruleset) -> tuple[Line, ...]:
    """Return the facts to know first, as (name, value)."""
    return (
        (str(LABELS["entry_minimum"]), number(ruleset.least_first_bank) if ruleset.entry_minimum else _("any")),
        (str(LABELS["target"]), describe_goal(ruleset)),
        (_("Players"), count_players(ruleset)),
        (str(LABELS["ending"]), str(find_choice("ending", ruleset.ending).short)),
    )


def compare_rulesets(rulesets: Sequence[Ruleset]) -> list[tuple[str, list[str]]]:
    """Return the rows of the table, as (name, a value for each ruleset), without rows that are empty for all."""
    columns = [[*list_main_facts(r), *_list_more(r), *_list_scoring(r)] for r in rulesets]
    rows = [(cells[0][0], [value for _name, value in cells]) for cells in zip(*columns, strict=True)]
    return [(name, values) for name, values in rows if any(values)]


def _list_more(ruleset: Ruleset) -> Iterator[Line]:
    yield str(LABELS["dice"]), describe_value("dice", ruleset.dice)
    tie = "" if ruleset.ending == "at_once" else str(find_choice("tie", ruleset.tie).short)
    yield str(LABELS["tie"]), tie
    yield str(LABELS["bank_minimum"]), number(ruleset.least_bank) if ruleset.bank_minimum else ""
    yield _("Hot dice"), str(find_choice("sweep", ruleset.after_sweep).short)
    yield str(LABELS["last_die_throws"]), number(ruleset.last_die_throws)
    yield _("Picking up dice"), _("yes") if ruleset.pick_up else ""
    yield str(LABELS["first_player"]), str(find_choice("first_player", ruleset.first_player).short)
    yield _("Busts in a row"), _describe_streak(ruleset)
    for setting in LATER:
        yield str(LABELS[setting.name]), _describe_later(ruleset, setting.name, setting.default)
    yield _("Pot"), _describe_pot(ruleset)


def _describe_later(ruleset: Ruleset, name: str, default: object) -> str:
    value = getattr(ruleset, name)
    if name == "confirm":
        return ", ".join(str(KINDS_TO_PROVE[kind]) for kind in ruleset.kinds_to_prove)
    if value == default or (name == "confirm_by" and not ruleset.kinds_to_prove):
        return ""
    return describe_value(name, value)


def _list_scoring(ruleset: Ruleset) -> Iterator[Line]:
    yield str(SIZES["1"]), describe_points(ruleset.singles)
    for size in range(3, 7):
        points = find_points_of_a_kind(ruleset, size)
        wins = size == 6 and ruleset.six_of_a_kind_wins
        yield str(SIZES[str(size)]), _("wins the game") if wins else describe_points(points)
    for setting in (*(combination.setting for combination in SETS), "nothing_bonus"):
        points = getattr(ruleset, setting)
        yield str(LABELS[setting]), number(points) if points else ""
    for setting in ("four_and_two_is_three_pairs", "three_pairs_across_throws"):
        yield str(LABELS[setting]), _("yes") if getattr(ruleset, setting) else ""


def count_players(ruleset: Ruleset) -> str:
    """Return how many can play, as "2" or "1 to 12"."""
    least, most = ruleset.min_players, ruleset.max_players
    return str(most) if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}


def _describe_streak(ruleset: Ruleset) -> str:
    if not ruleset.streak_costs:
        return ""
    if ruleset.bust_cost != "fixed":
        return number(ruleset.bust_streak)  # what they cost has the next row
    values = {"n": ruleset.bust_streak, "points": number(ruleset.bust_streak_penalty)}
    return ngettext("%(n)s costs %(points)s points", "%(n)s cost %(points)s points", ruleset.bust_streak) % values


def _describe_pot(ruleset: Ruleset) -> str:
    ante, bust, currency = ruleset.ante, ruleset.bust_penalty, ruleset.currency
    if ante and bust:
        text = _("%(ante)s to start, %(bust)s a bust")
    elif ante or bust:
        text = _("%(ante)s to start") if ante else _("%(bust)s a bust")
    else:
        return ""
    return text % {"ante": format_money(ante, currency), "bust": format_money(bust, currency)}


def list_changes(before: Ruleset, after: Ruleset) -> list[str]:
    """Return a line for each setting that differs, in the order of the editor: "Three pairs: 500 → 750"."""
    changed = [name for name in LABELS if getattr(before, name) != getattr(after, name)]
    pairs = [(LABELS[name], describe_setting(before, name), describe_setting(after, name)) for name in changed]
    for size in SIZES:
        points = zip(_points_of(before, size), _points_of(after, size), strict=True)
        pairs += [
            (name_cell(size, face), number(old), number(new)) for face, (old, new) in enumerate(points, 1) if old != new
        ]
    return [put_label(label, f"{old} → {new}") for label, old, new in pairs]


def _points_of(ruleset: Ruleset, size: str) -> tuple[int, ...]:
    return ruleset.singles if size == "1" else ruleset.of_a_kind[int(size) - 3]
