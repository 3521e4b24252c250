"""The form of a ruleset: a field for every setting, each with the sentence that says what it would accept."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from game import rules
from game.forms.fields import BROKEN, TARGET_RANGE, OneOf, WholeNumber
from game.pages.rulesets.labels import CHOICES, GROUPS, HELP, LABELS, SIZES, Group, name_cell
from game.rules.ruleset import (
    COINS_MOST,
    FACES,
    PLAYERS_MOST,
    RULESET_NAME_LONGEST,
    SETTING_POINTS_MOST,
    STREAK_MOST,
    TARGET_CHOICES_MOST,
    TARGET_LEAST,
    TARGET_MOST,
    TARGET_STEP,
    is_target,
)

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
SLUG_LONGEST = 40

POINTS = ("entry_minimum", "bank_minimum", "straight", "low_straight", "high_straight", "full_house", "three_pairs",
          "two_triplets", "four_and_two", "nothing_bonus", "bust_streak_penalty")  # fmt: skip
SWITCHES = ("six_of_a_kind_wins", "four_and_two_is_three_pairs", "three_pairs_across_throws", "pick_up")


def make_digits_widget(width: int) -> forms.TextInput:
    return forms.TextInput(attrs={"inputmode": "numeric", "size": width, "maxlength": 20, "autocomplete": "off"})


def make_number_field(most: int, least: int = 0, width: int = 7, **options: Any) -> WholeNumber:
    """Return a field whose every refusal says the same: which numbers it takes."""
    limits = {"least": number_format(least, force_grouping=True), "most": number_format(most, force_grouping=True)}
    sentence = _("Enter a whole number from %(least)s to %(most)s.") % limits
    messages = {"invalid": sentence, "required": sentence}
    return WholeNumber(least=least, most=most, widget=make_digits_widget(width), error_messages=messages, **options)


class TargetsField(forms.CharField):
    """Targets in a line of text: "5000, 10000". What comes out is sorted, each once."""

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
    """A line of text that can be read: no control characters, nothing broken on its way here."""

    def clean(self, value: object) -> str:
        text = " ".join(str(value or "").split())
        if not text or len(text) > RULESET_NAME_LONGEST or not text.isprintable() or BROKEN in text:
            raise ValidationError(_("Enter a name of up to 60 characters."), code="invalid")
        return text


class PatternField(forms.CharField):
    """A text of a given form, and the sentence that describes it."""

    def __init__(self, *, pattern: str, sentence: str, longest: int, **options: Any) -> None:
        super().__init__(**options)
        self.pattern, self.sentence, self.longest = re.compile(pattern), sentence, longest

    def clean(self, value: object) -> str:
        text = str(value or "").strip()
        if len(text) > self.longest or not self.pattern.fullmatch(text):
            raise ValidationError(self.sentence, code="invalid")
        return text


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
    made |= {
        name: OneOf(choices=[(choice.value, choice.sentence) for choice in choices], widget=forms.RadioSelect)
        for name, choices in CHOICES.items()
    }
    return made


def cell_field(size: str, face: int) -> str:
    """Return the name of a cell's field; "1" is the row of single dice."""
    return f"kind_{size}_{face}"


class RulesetForm(forms.Form):
    """All settings of a ruleset. Once it is valid, `rules` is the ruleset that they make.

    `slug`: the name in links of a ruleset that has one already, and keeps it. `read_only`: to look at, not to send.
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
        made = make_scalar_fields()
        for size in SIZES:
            made |= {
                cell_field(size, face): make_number_field(SETTING_POINTS_MOST, label=name_cell(size, face))
                for face in FACES
            }
        for name, field in made.items():
            field.required = isinstance(field, WholeNumber | OneOf)
            field.label = field.label or LABELS[name]
            field.help_text = HELP.get(name, "")
            field.widget.is_required = False
            if name.startswith("kind_"):
                field.widget.attrs |= {"aria-label": field.label, "size": 6}
        self.fields |= made
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
        if not self.errors:
            self.rules = rules.Ruleset.from_json(self.settings())  # the fields have checked every setting
        return self.cleaned_data

    def settings(self) -> dict[str, Any]:
        """The settings as JSON has them, from what was sent."""
        sent = {name: self.cleaned_data[name] for name in LABELS}
        grid = {size: [self.cleaned_data[cell_field(size, face)] for face in FACES] for size in SIZES}
        return {
            **sent,
            "slug": self.slug or sent["slug"],
            "singles": grid.pop("1"),
            "of_a_kind": grid,
            "target_choices": list(sent["target_choices"]),
            "last_die_throws": int(sent["last_die_throws"]),
        }

    def groups(self) -> list[tuple[Group, list[forms.BoundField]]]:
        return [(group, [self[name] for name in group.settings]) for group in GROUPS]

    def grid(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(str(words), [self[cell_field(size, face)] for face in FACES]) for size, words in SIZES.items()]

    def wrong_cells(self) -> list[forms.BoundField]:
        return [bound for _words, row in self.grid() for bound in row if bound.errors]

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
            yield from group.settings


def make_initial(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fields show for these settings; what the settings leave out has its default."""
    whole = rules.Ruleset.from_json(dict(settings)).to_json()
    rows = {"1": whole["singles"], **whole["of_a_kind"]}
    cells = {cell_field(size, face): rows[size][face - 1] for size in SIZES for face in FACES}
    return {**{name: whole[name] for name in LABELS}, **cells}


def make_read_only(field: forms.Field) -> None:
    """Show a field without letting it be changed. Boxes and circles know no such state but being switched off."""
    field.required = False
    if isinstance(field, OneOf | forms.BooleanField):
        field.disabled = True
    else:
        field.widget.attrs["readonly"] = True
