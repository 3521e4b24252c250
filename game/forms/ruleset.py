"""The form of a ruleset: a field for every setting, each with a sentence that says what it accepts."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from game import rules
from game.forms.fields import BROKEN, TARGET_RANGE, OneOf, WholeNumber
from game.forms.shared_rules import read_shared_rules, write_shared_rules
from game.pages.rulesets.labels import (
    CHOICES,
    COMBINATION_FIELDS,
    CONFIRM_KINDS,
    EFFECTS,
    GROUPS,
    HELP,
    LABELS,
    SENTENCES,
    SIZES,
    Group,
    Words,
    name_cell,
)
from game.pages.rulesets.names import name_ruleset
from game.pages.rulesets.problems import describe_problem
from game.pages.rulesets.warnings import find_minimums_off_step
from game.rules.play.playable import why_unplayable
from game.rules.ruleset import (
    COINS_MOST,
    DICE,
    FACES,
    PLAYERS_MOST,
    RULESET_NAME_LONGEST,
    SETTING_POINTS_MOST,
    SIX_DICE_SETTINGS,
    STREAK_MOST,
    TARGET_CHOICES_MOST,
    TARGET_LEAST,
    TARGET_MOST,
    TARGET_STEP,
    is_target,
)
from game.rules.setting_values import COMBINATION_NAME_LONGEST, COMBINATIONS_MOST

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
SLUG_LONGEST = 40

POINTS = ("entry_minimum", "bank_minimum", "straight", "low_straight", "high_straight", "full_house", "three_pairs",
          "two_triplets", "four_and_two", "nothing_bonus", "bust_streak_penalty", "nothing_cost",
          "pick_up_cost")  # fmt: skip
SWITCHES = ("six_of_a_kind_wins", "four_and_two_is_three_pairs", "three_pairs_across_throws", "pick_up",
            "sets_need_all_dice")  # fmt: skip
COUNTS = {"rounds": 50, "throws_most": 20, "bank_dice_left_most": 5, "bank_step": 10_000}
# Settings that take one of a few words or a number, for which there is a separate field beside them.
NUMBER = "number"
MIXED: dict[str, tuple[int, int, Words]] = {
    "confirm_by": (50, 10_000, gettext_lazy("Later keeps prove them, worth in total at least")),
    "pick_up_worth": (1, SETTING_POINTS_MOST, gettext_lazy("The turn starts with a set number of points")),
}
SPARE_ROWS = 2  # of combinations, beyond those that are filled in


def make_digits_widget(width: int) -> forms.TextInput:
    return forms.TextInput(attrs={"inputmode": "numeric", "size": width, "maxlength": 20, "autocomplete": "off"})


def make_number_field(most: int, least: int = 0, width: int = 7, **options: Any) -> WholeNumber:
    """Return a field whose only error message says which numbers it takes."""
    limits = {"least": number_format(least, force_grouping=True), "most": number_format(most, force_grouping=True)}
    sentence = _("Enter a whole number from %(least)s to %(most)s.") % limits
    messages = {"invalid": sentence, "required": sentence}
    return WholeNumber(least=least, most=most, widget=make_digits_widget(width), error_messages=messages, **options)


class TargetsField(forms.CharField):
    """Targets in a line of text: "5000, 10000". The value is sorted, without duplicates."""

    def clean(self, value: object) -> tuple[int, ...]:
        """Return the targets. Raises `ValidationError`."""
        parts = [part for part in re.split(r"[\s,;]+", str(value or "")) if part]
        if len(parts) > TARGET_CHOICES_MOST:
            raise ValidationError(_("Offer up to 12 targets."), code="invalid")
        if not all(re.fullmatch(r"[0-9]{1,6}", part) and is_target(int(part)) for part in parts):
            raise ValidationError(
                _("Enter targets from 100 to 100000 in steps of 50, separated by commas: 5000, 10000"), code="invalid"
            )
        return tuple(sorted({int(part) for part in parts}))

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else ", ".join(str(target) for target in value or ())


class NameField(forms.CharField):
    """A line of readable text: no control characters, no broken bytes."""

    def clean(self, value: object) -> str:
        text = " ".join(str(value or "").split())
        if not text or len(text) > RULESET_NAME_LONGEST or not text.isprintable() or BROKEN in text:
            raise ValidationError(_("Enter a name of up to 60 characters."), code="invalid")
        return text


class PatternField(forms.CharField):
    """A text that matches a pattern, and the sentence that describes it."""

    def __init__(self, *, pattern: str, sentence: str, longest: int, **options: Any) -> None:
        super().__init__(**options)
        self.pattern, self.sentence, self.longest = re.compile(pattern), sentence, longest

    def clean(self, value: object) -> str:
        text = str(value or "").strip()
        if len(text) > self.longest or not self.pattern.fullmatch(text):
            raise ValidationError(self.sentence, code="invalid")
        return text


class WorthField(forms.CharField):
    """The points of a combination: one number, or six separated by commas, one for each face of its letter A."""

    def clean(self, value: object) -> int | list[int] | None:
        parts = [part for part in re.split(r"[\s,;]+", str(value or "")) if part]
        if not parts:
            return None
        if len(parts) not in (1, len(FACES)) or not all(re.fullmatch(r"[0-9]{1,6}", part) for part in parts):
            raise ValidationError(_("Enter one number of points, or six for the numbers 1 to 6."), code="invalid")
        return int(parts[0]) if len(parts) == 1 else [int(part) for part in parts]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value


def combination_field(row: int, name: str) -> str:
    """Return the name of a field of a row of combinations; rows count from 1."""
    return f"combination_{row}_{name}"


def make_combination_fields(rows: int) -> dict[str, forms.Field]:
    """Return the fields for this many rows of combinations."""
    made: dict[str, forms.Field] = {}
    for row in range(1, rows + 1):
        labels = {
            "pattern": _("Combination %(n)s: dice") % {"n": row},
            "effect": _("Combination %(n)s: what it does") % {"n": row},
            "points": _("Combination %(n)s: points") % {"n": row},
            "cost": _("Combination %(n)s: what the bust costs") % {"n": row},
            "name": _("Combination %(n)s: name") % {"n": row},
        }
        fields: dict[str, forms.Field] = {
            "pattern": forms.CharField(widget=forms.TextInput(attrs={"maxlength": 6, "size": 8})),
            "effect": forms.ChoiceField(choices=list(EFFECTS.items())),
            "points": WorthField(widget=forms.TextInput(attrs={"maxlength": 60, "size": 10})),
            "cost": make_number_field(SETTING_POINTS_MOST),
            "name": forms.CharField(widget=forms.TextInput(attrs={"maxlength": COMBINATION_NAME_LONGEST, "size": 14})),
        }
        for name, field in fields.items():
            field.label = labels[name]
            field.widget.attrs |= {"aria-label": labels[name], "autocomplete": "off"}
            made[combination_field(row, name)] = field
    return made


def make_scalar_fields() -> dict[str, forms.Field]:
    """Return a field for each setting that is one value, in no particular order."""
    targets = {"invalid": TARGET_RANGE, "required": TARGET_RANGE}
    target = WholeNumber(
        least=TARGET_LEAST, most=TARGET_MOST, step=TARGET_STEP, widget=make_digits_widget(7), error_messages=targets
    )
    made: dict[str, forms.Field] = {
        "name": NameField(widget=forms.TextInput(attrs={"maxlength": RULESET_NAME_LONGEST, "size": 30})),
        "slug": PatternField(
            pattern=SLUG.pattern,
            sentence=_("Use up to 40 small letters, digits and hyphens, such as house-rules."),
            longest=SLUG_LONGEST,
            widget=forms.TextInput(attrs={"maxlength": SLUG_LONGEST, "size": 30, "autocapitalize": "none"}),
        ),
        "target": target,
        "target_choices": TargetsField(widget=forms.TextInput(attrs={"size": 30})),
        "min_players": make_number_field(PLAYERS_MOST, 1, 3),
        "max_players": make_number_field(PLAYERS_MOST, 1, 3),
        "bust_streak": make_number_field(STREAK_MOST, 0, 3),
        "ante": make_number_field(COINS_MOST),
        "bust_penalty": make_number_field(COINS_MOST),
        "currency": PatternField(
            pattern="[A-Z]{3}",
            sentence=_("Enter three capital letters, such as USD or EUR."),
            longest=3,
            widget=forms.TextInput(attrs={"maxlength": 3, "size": 4}),
        ),
    }
    made |= {name: make_number_field(SETTING_POINTS_MOST) for name in POINTS}
    made |= {name: forms.BooleanField() for name in SWITCHES}
    made |= {name: make_number_field(most, 0, 3) for name, most in COUNTS.items()}
    made["sweep_multiplier"] = make_number_field(6, 1, 3)
    made["confirm"] = forms.MultipleChoiceField(
        choices=list(CONFIRM_KINDS.items()), widget=forms.CheckboxSelectMultiple
    )
    for name, choices in CHOICES.items():
        answers: list[tuple[str, Words]] = [(choice.value, choice.sentence) for choice in choices]
        if name in MIXED:
            least, most, words = MIXED[name]
            answers.append((NUMBER, words))
            made[number_field(name)] = make_number_field(most, least)
        made[name] = OneOf(choices=answers, widget=forms.RadioSelect)
    return made


def number_field(name: str) -> str:
    """Return the name of the field for the number that a setting takes instead of its words."""
    return f"{name}_number"


def cell_field(size: str, face: int) -> str:
    """Return the name of a cell's field; "1" is the row of single dice."""
    return f"kind_{size}_{face}"


class RulesetForm(forms.Form):
    """All settings of a ruleset. Once it is valid, `rules` is the ruleset that they make.

    `slug`: the name in links, where the ruleset already has one, which it keeps. `read_only`: for viewing only.
    """

    rules: rules.Ruleset

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
                cell_field(size, face): make_number_field(SETTING_POINTS_MOST, label=name_cell(size, face))
                for face in FACES
            }
        combinations = make_combination_fields(self.rows)
        numbers = [number_field(name) for name in MIXED]
        for name, field in (made | combinations).items():
            field.required = isinstance(field, WholeNumber | OneOf) and name not in combinations and name not in numbers
            field.label = field.label or LABELS[name.removesuffix("_number")]
            field.help_text = HELP.get(name, "")
            field.widget.is_required = False
            if name.startswith("kind_"):
                field.widget.attrs |= {"aria-label": field.label, "size": 6}
        self.fields |= made | combinations
        for name in self.fixed(read_only):
            make_read_only(self.fields[name])

    def fixed(self, read_only: bool) -> Iterable[str]:
        if read_only:
            return list(self.fields)
        return ["slug"] if self.slug else []

    def clean(self) -> dict[str, Any]:
        least, most = self.cleaned_data.get("min_players"), self.cleaned_data.get("max_players")
        if least and most and least > most:
            self.add_error("max_players", _("The maximum must not be below the minimum."))
        for name in MIXED:
            number = number_field(name)
            if self.cleaned_data.get(name) == NUMBER and self.cleaned_data.get(number, 0) is None:
                self.add_error(number, self.fields[number].error_messages["required"])
        if not self.errors:
            self.check_rules()
        return self.cleaned_data

    def check_rules(self) -> None:
        """Report contradictions, each at its field, and why these rules could not be played."""
        try:
            self.rules = rules.Ruleset.from_json(self.settings())
        except rules.RulesetError as error:
            for problem in error.problems:
                self.add_error(self.find_field(problem.setting), describe_problem(problem))
            return
        for name, sentence in find_minimums_off_step(self.rules).items():
            self.add_error(name, sentence)
        if unplayable := why_unplayable(self.rules):
            self.add_error(None, describe_problem(unplayable))

    def find_field(self, setting: str) -> str | None:
        """Return the field of a setting or of a place in it ("combinations.2.pattern"); None if there is none."""
        key, *place = setting.split(".")
        if key == "combinations" and place and place[0].isdigit():
            row = self.filled_rows()[int(place[0]) - 1]
            return combination_field(row, place[1] if len(place) > 1 else "pattern")
        if key == "of_a_kind" and place:
            return cell_field(place[0], 1)
        return key if key in self.fields else None

    def settings(self) -> dict[str, Any]:
        """The posted settings in the shape of their JSON."""
        sent = {name: self.cleaned_data[name] for name in LABELS if name in self.fields}
        for name in MIXED:
            if sent[name] == NUMBER:
                sent[name] = self.cleaned_data[number_field(name)]
        grid = {size: [self.cleaned_data[cell_field(size, face)] for face in FACES] for size in SIZES}
        return without_idle_settings(
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
        """Return the rows that hold a combination; a row without dice is ignored."""
        return [row for row in range(1, self.rows + 1) if self.cleaned_data.get(combination_field(row, "pattern"))]

    def read_combination(self, row: int) -> dict[str, Any]:
        """Return the combination of a row in the shape of its JSON, without what was left empty."""
        sent = {name: self.cleaned_data.get(combination_field(row, name)) for name in COMBINATION_FIELDS}
        pattern = str(sent["pattern"]).upper().replace(" ", "")
        return {name: value for name, value in (sent | {"pattern": pattern}).items() if value}

    def groups(self, leave_out: Iterable[str] = ()) -> list[tuple[Group, list[forms.BoundField]]]:
        """Return the groups of fields, without those that the page shows elsewhere."""
        groups = [(group, [self[name] for name in in_group(group) if name not in leave_out]) for group in GROUPS]
        return [(group, fields) for group, fields in groups if fields or group.grid or group.rows]

    @property
    def help(self) -> Mapping[str, Words]:
        """Return what is said over the tables: "grid" of points, "combinations"."""
        return HELP

    @property
    def combination_heads(self) -> list[Words]:
        """Return the heads of the table of combinations."""
        return list(COMBINATION_FIELDS.values())

    def combination_rows(self) -> list[list[forms.BoundField]]:
        """Return the rows of combinations, each with its fields in order."""
        return [[self[combination_field(row, name)] for name in COMBINATION_FIELDS] for row in range(1, self.rows + 1)]

    def grid(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(str(words), [self[cell_field(size, face)] for face in FACES]) for size, words in SIZES.items()]

    def wrong_cells(self) -> list[forms.BoundField]:
        return [bound for _words, row in self.grid() for bound in row if bound.errors]

    def wrong_rows(self) -> list[forms.BoundField]:
        """Return the fields of combinations that have errors."""
        return [bound for row in self.combination_rows() for bound in row if bound.errors]

    def problems(self) -> list[tuple[str, str, str]]:
        """(id of the control, its label, sentence) for the summary, in the order of the page."""
        general = [("", "", str(message)) for message in self.errors.get(NON_FIELD_ERRORS, [])]
        return general + [
            (self[name].id_for_label or self[name].auto_id, str(self[name].label), str(message))
            for name in self.in_order()
            for message in self.errors.get(name, [])
        ]

    def in_order(self) -> Iterable[str]:
        for group in GROUPS:
            if group.grid:
                yield from (cell_field(size, face) for size in SIZES for face in FACES)
            if group.rows:
                yield from (
                    combination_field(row, name) for row in range(1, self.rows + 1) for name in COMBINATION_FIELDS
                )
            yield from in_group(group)


OWN_SLUG = "custom"


def name_changed(ruleset: rules.Ruleset) -> rules.Ruleset:
    """Return the rules under their default name."""
    if ruleset.slug == OWN_SLUG:
        return ruleset
    name = _("%(name)s, changed") % {"name": name_ruleset(ruleset)}
    name = " ".join(name.split())  # a number may have a narrow space, which no name has
    return replace(ruleset, slug=OWN_SLUG, name=name[:RULESET_NAME_LONGEST].strip())


class OwnRulesetForm(RulesetForm):
    """The same settings for people at the table: the common ones as sentences, and no name in links."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, settings: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, settings=settings or rules.Ruleset().to_json(), slug=OWN_SLUG)
        del self.fields["slug"]

    def find_rules(self) -> rules.Ruleset | None:
        """Return the rules that were sent; None where they are not valid or too long, of which the form says why."""
        if not self.is_valid():
            return None
        try:
            return read_shared_rules(write_shared_rules(self.rules))
        except rules.RulesetError as error:
            self.add_error(None, describe_problem(error.problems[0]))
            return None

    def sentences(self) -> list[tuple[forms.BoundField, str, str]]:
        """Return the settings that people change, each field with the words before and after it in its sentence."""
        parts = [(name, str(sentence).partition("%(field)s")) for name, sentence in SENTENCES.items()]
        return [(self[name], before, after) for name, (before, _place, after) in parts]

    def more(self) -> list[tuple[Group, list[forms.BoundField]]]:
        """Return all other settings, in their groups."""
        return self.groups(leave_out=(*SENTENCES, "slug"))


def in_group(group: Group) -> Iterator[str]:
    """Yield the fields of a group's settings."""
    for name in group.settings:
        yield name
        if name in MIXED:
            yield number_field(name)


def count_rows(data: Mapping[str, Any] | None, settings: Mapping[str, Any]) -> int:
    """Return how many rows of combinations the form has: those posted, or those filled in and a few empty ones."""
    if data is not None:
        sent = (row for row in range(1, COMBINATIONS_MOST + 1) if combination_field(row, "pattern") in data)
        return max(sent, default=0)
    return min(len(settings.get("combinations", ())) + SPARE_ROWS, COMBINATIONS_MOST)


def without_idle_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without those that the others make meaningless and the rules would refuse.

    These are, for example, what needs six dice where there are five, or targets in a game that ends by rounds.
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
    """Return the initial values of the fields for these settings; what they leave out has its default."""
    ruleset = rules.Ruleset.from_json(dict(settings))
    whole = {name: getattr(ruleset, name) for name in LABELS} | ruleset.to_json()
    rows = {"1": whole["singles"], **whole["of_a_kind"]}
    for name in MIXED:
        if isinstance(whole[name], int):
            whole |= {name: NUMBER, number_field(name): whole[name]}
    for row, made in enumerate(whole["combinations"], 1):
        whole |= {combination_field(row, name): made.get(name, "") for name in COMBINATION_FIELDS}
    cells = {cell_field(size, face): rows[size][face - 1] for size in SIZES for face in FACES}
    return {**{name: value for name, value in whole.items() if name not in ("singles", "of_a_kind")}, **cells}


def make_read_only(field: forms.Field) -> None:
    """Show a field without letting it be changed. Checkboxes and radio buttons can only be disabled."""
    field.required = False
    if isinstance(field, forms.ChoiceField | forms.BooleanField):
        field.disabled = True
    else:
        field.widget.attrs["readonly"] = True
