"""The form of a ruleset: all its settings, checked one by one and together."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext as _

from game import rules
from game.forms.fields import OneOf, WholeNumber
from game.forms.ruleset.fields import (
    MIXED,
    NUMBER,
    make_combination_fields,
    make_number_field,
    make_scalar_fields,
    name_cell_field,
    name_combination_field,
    name_number_field,
)
from game.forms.ruleset.texts import COMBINATION_FIELDS, GROUPS, HELP, Group
from game.pages.parts.text import put_label, quote
from game.pages.rulesets.labels import LABELS, SIZES, name_cell
from game.pages.rulesets.problems import describe_problem
from game.pages.rulesets.warnings import find_minimums_off_step, find_missing_penalty
from game.rules import Problem
from game.rules.combinations import FACES
from game.rules.play.playable import why_unplayable
from game.rules.ruleset import DICE, SIX_DICE_SETTINGS
from game.rules.setting_values import COMBINATIONS_MOST, SETTING_POINTS_MOST

SPARE_ROWS = 2  # empty rows for combinations, after those that are filled in


class RulesetForm(forms.Form):
    """All settings of a ruleset. Once the form is valid, `rules` is the ruleset that they make.

    `slug`: the name in links, if the ruleset already has one, which it keeps; `read_only`: for viewing only.
    """

    rules: rules.Ruleset
    help = HELP  # the tables show the texts of "grid" and "combinations" above them
    combination_heads = tuple(COMBINATION_FIELDS.values())

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        settings: Mapping[str, Any],
        slug: str = "",
        read_only: bool = False,
    ) -> None:
        super().__init__(data, initial=make_initial(settings))
        self.slug = slug
        self.rows = count_rows(data, settings)
        made = make_scalar_fields()
        for size in SIZES:
            made |= {
                name_cell_field(size, face): make_number_field(SETTING_POINTS_MOST, label=name_cell(size, face))
                for face in FACES
            }
        combinations = make_combination_fields(self.rows)
        numbers = [name_number_field(name) for name in MIXED]
        for name, field in (made | combinations).items():
            field.required = isinstance(field, WholeNumber | OneOf) and name not in combinations and name not in numbers
            field.label = field.label or LABELS[name.removesuffix("_number")]
            field.help_text = HELP.get(name, "")
            field.widget.is_required = False
            if name.startswith("kind_"):
                field.widget.attrs |= {"aria-label": field.label, "size": 6}
        self.fields |= made | combinations
        for name, field in self.fields.items():
            if read_only or (slug and name == "slug"):
                make_read_only(field)

    def clean(self) -> dict[str, Any]:
        least, most = self.cleaned_data.get("min_players"), self.cleaned_data.get("max_players")
        if least and most and least > most:
            self.add_error("max_players", _("The maximum must not be below the minimum."))
        for name in MIXED:
            number = name_number_field(name)
            if self.cleaned_data.get(name) == NUMBER and self.cleaned_data.get(number, 0) is None:
                self.add_error(number, self.fields[number].error_messages["required"])
        for row in self.rows_without_dice():
            dice = _("Enter its dice, such as AAABB, or empty the row.")
            self.add_error(name_combination_field(row, "pattern"), dice)
        if not self.errors:
            self.check_rules()
        return self.cleaned_data

    def check_rules(self) -> None:
        """Add an error at its field for each contradiction, or for the whole form if the rules could not be played."""
        try:
            self.rules = rules.Ruleset.from_json(self.settings())
        except rules.RulesetError as error:
            problems = [self.find_row(problem) for problem in error.problems]  # before an error empties its field
            for problem in problems:
                self.add_error(self.find_field(problem.setting), describe_problem(problem))
            return
        for name, sentence in (find_minimums_off_step(self.rules) | find_missing_penalty(self.rules)).items():
            self.add_error(name, sentence)
        if unplayable := why_unplayable(self.rules):
            self.add_error(None, describe_problem(unplayable))

    def find_row(self, problem: Problem) -> Problem:
        """Return the problem of a combination with the row of the form that holds it; any other as it is."""
        key, *place = problem.setting.split(".")
        if key != "combinations" or not place:
            return problem
        row = self.filled_rows()[int(place[0]) - 1]
        return replace(problem, setting=".".join([key, f"{row}", *place[1:]]))

    def find_field(self, setting: str) -> str | None:
        """Return the field's name for a setting or a place in it ("combinations.2.pattern"); None if it has none."""
        key, *place = setting.split(".")
        if key == "combinations" and place:
            return name_combination_field(int(place[0]), place[1] if len(place) > 1 else "pattern")
        if key == "of_a_kind" and place:
            return name_cell_field(place[0], 1)
        return key if key in self.fields else None

    def settings(self) -> dict[str, Any]:
        """Return the posted settings in the shape of a ruleset's JSON."""
        sent = {name: self.cleaned_data[name] for name in LABELS if name in self.fields}
        for name in MIXED:
            if sent[name] == NUMBER:
                sent[name] = self.cleaned_data[name_number_field(name)]
        grid = {size: [self.cleaned_data[name_cell_field(size, face)] for face in FACES] for size in SIZES}
        return drop_idle_settings(
            {
                **sent,
                "slug": self.slug or sent["slug"],
                "singles": grid.pop("1"),
                "of_a_kind": grid,
                "target_choices": list(sent["target_choices"]),
                "last_die_throws": int(sent["last_die_throws"]),
                "dice": int(sent["dice"]),
                "combinations": [self.read_combination(row) for row in self.filled_rows()],
            }
        )

    def filled_rows(self) -> list[int]:
        """Return the rows that hold a combination, the others being empty."""
        return [row for row in range(1, self.rows + 1) if self.cleaned_data.get(name_combination_field(row, "pattern"))]

    def rows_without_dice(self) -> list[int]:
        """Return the rows that hold something, but no dice."""
        rows = set(range(1, self.rows + 1)).difference(self.filled_rows())
        return [row for row in sorted(rows) if any(self.read_combination(row).values())]

    def read_combination(self, row: int) -> dict[str, Any]:
        """Return the combination of a row in the shape of its JSON, without fields that were left empty."""
        sent = {name: self.cleaned_data.get(name_combination_field(row, name)) for name in COMBINATION_FIELDS}
        pattern = str(sent["pattern"]).upper().replace(" ", "")
        return {name: value for name, value in (sent | {"pattern": pattern}).items() if value}

    def groups(self, leave_out: Iterable[str] = ()) -> list[tuple[Group, list[forms.BoundField]]]:
        """Return the groups of fields, without those that the page shows elsewhere."""
        groups = [(group, [self[name] for name in list_fields(group) if name not in leave_out]) for group in GROUPS]
        return [(group, fields) for group, fields in groups if fields or group.grid or group.rows]

    def combination_rows(self) -> list[list[forms.BoundField]]:
        """Return the rows of combinations, each with its fields in order."""
        return [
            [self[name_combination_field(row, name)] for name in COMBINATION_FIELDS] for row in range(1, self.rows + 1)
        ]

    def grid(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(str(words), [self[name_cell_field(size, face)] for face in FACES]) for size, words in SIZES.items()]

    def wrong_cells(self) -> list[forms.BoundField]:
        return [bound for _words, row in self.grid() for bound in row if bound.errors]

    def wrong_rows(self) -> list[tuple[forms.BoundField, str]]:
        """Return the fields of combinations that have errors, each with the sentence that names it."""
        wrong = (bound for row in self.combination_rows() for bound in row if bound.errors)
        return [(bound, name_field(str(bound.label), str(bound.errors[0]))) for bound in wrong]

    def problems(self) -> list[tuple[str, str]]:
        """Return (id of the control, sentence that names the field) for the error summary, in the order of the page."""
        general = [("", str(message)) for message in self.errors.get(NON_FIELD_ERRORS, [])]
        return general + [
            (bound.id_for_label or bound.auto_id, name_field(str(bound.label), str(message)))
            for bound in self.in_order()
            for message in bound.errors
        ]

    def in_order(self) -> Iterator[forms.BoundField]:
        for group in GROUPS:
            if group.grid:
                yield from (bound for _words, row in self.grid() for bound in row)
            if group.rows:
                yield from (bound for row in self.combination_rows() for bound in row)
            yield from (self[name] for name in list_fields(group) if name in self.fields)


def list_fields(group: Group) -> Iterator[str]:
    """Yield the names of the fields for a group's settings."""
    for name in group.settings:
        yield name
        if name in MIXED:
            yield name_number_field(name)


def count_rows(data: Mapping[str, Any] | None, settings: Mapping[str, Any]) -> int:
    """Return how many rows for combinations the form has: those posted, or those in use and a few empty ones."""
    if data is not None:
        sent = (row for row in range(1, COMBINATIONS_MOST + 1) if name_combination_field(row, "pattern") in data)
        return max(sent, default=0)
    return min(len(settings.get("combinations", ())) + SPARE_ROWS, COMBINATIONS_MOST)


def drop_idle_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without those that other settings make meaningless, since the rules would refuse them.

    For example, sets that need six dice are left out for five, and targets for a game that ends by rounds.
    """
    idle: set[str] = set()
    if settings["dice"] < DICE:
        idle |= set(SIX_DICE_SETTINGS)
        settings["of_a_kind"].pop(str(DICE), None)
    idle |= {"target_choices"} if settings["ending"] == "rounds" else {"rounds"}
    if not settings["pick_up"]:
        idle |= {"pick_up_by", "pick_up_worth", "pick_up_cost"}
    return {name: value for name, value in settings.items() if name not in idle}


def make_initial(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial values of the fields for these settings; settings left out have their defaults."""
    ruleset = rules.Ruleset.from_json(dict(settings))
    whole = {name: getattr(ruleset, name) for name in LABELS} | ruleset.to_json()
    rows = {"1": whole["singles"], **whole["of_a_kind"]}
    for name in MIXED:
        if isinstance(whole[name], int):
            whole |= {name: NUMBER, name_number_field(name): whole[name]}
    for row, combination in enumerate(whole["combinations"], 1):
        whole |= {name_combination_field(row, name): combination.get(name, "") for name in COMBINATION_FIELDS}
    cells = {name_cell_field(size, face): rows[size][face - 1] for size in SIZES for face in FACES}
    return {**{name: value for name, value in whole.items() if name not in ("singles", "of_a_kind")}, **cells}


def make_read_only(field: forms.Field) -> None:
    """Show a field without letting it be changed. Checkboxes and radio buttons can only be disabled."""
    field.required = False
    if isinstance(field, forms.ChoiceField | forms.BooleanField):
        field.disabled = True
    else:
        field.widget.attrs["readonly"] = True


def name_field(label: str, message: str) -> str:
    """Return what is wrong with a field with its label in front, unless the sentence has it already."""
    head, colon, _field = label.partition(":")  # "Combination 2: dice"
    return message if (head.rstrip() if colon else quote(label)) in message else put_label(label, message)
