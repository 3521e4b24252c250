"""The fields of a ruleset's form, one for each setting, each with a sentence that says what it accepts."""

import re
from dataclasses import fields
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from game.forms.fields import GROUPED, NameField, OneOf, TargetField, WholeNumber, read_typed_number
from game.pages.parts.text import number
from game.pages.rulesets.choices import CHOICES
from game.pages.rulesets.labels import COMBINATION_LABELS, CONFIRM_KINDS, EFFECTS, Words
from game.rules.combinations import FACES
from game.rules.ruleset import RULESET_NAME_LONGEST, TARGET_CHOICES_MOST, Ruleset, is_target
from game.rules.setting_values import COMBINATION_NAME_LONGEST, SETTING_POINTS_MOST, SLUG_LONGEST

SLUG = "[a-z0-9]+(-[a-z0-9]+)*"

# Settings that take one of a few words, or a number from a separate field: the words of the answer that it belongs to.
NUMBER = "number"
MIXED: dict[str, Words] = {
    "confirm_by": gettext_lazy("Later keeps prove them once they add up to"),
    "pick_up_worth": gettext_lazy("The turn starts with a set number of points"),
}


def make_digits_widget(width: int) -> forms.TextInput:
    """Return an input for a number, as wide as `width` characters; phones show their digits for it."""
    return forms.TextInput(attrs={"inputmode": "numeric", "size": width, "maxlength": 20, "autocomplete": "off"})


def make_number_field(most: int, least: int = 0, width: int = 7, **options: Any) -> WholeNumber:
    """Return a field whose one error message says which numbers it takes."""
    sentence = _("Enter a whole number from %(least)s to %(most)s.") % {"least": number(least), "most": number(most)}
    messages = {"invalid": sentence, "required": sentence}
    return WholeNumber(least=least, most=most, widget=make_digits_widget(width), error_messages=messages, **options)


class TargetsField(forms.CharField):
    """Targets in a line of text: "5000, 10000". Its value is sorted and has no duplicates."""

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


class PatternField(forms.CharField):
    """A text that has to match a pattern. `sentence`: the error message, which describes the pattern."""

    def __init__(self, *, pattern: str, sentence: str, longest: int, **options: Any) -> None:
        super().__init__(**options)
        self.pattern, self.sentence, self.longest = re.compile(pattern), sentence, longest

    def clean(self, value: object) -> str:
        text = str(value or "").strip()
        if len(text) > self.longest or not self.pattern.fullmatch(text):
            raise ValidationError(self.sentence, code="invalid")
        return text


def split_numbers(text: str) -> list[str]:
    """Return the numbers of a list as they were typed.

    A comma before a space separates, as a space or a semicolon does, and any other comma groups digits. In a list
    without spaces and semicolons every comma separates, unless what follows it could not be a number of its own (000).
    """
    if GROUPED.match(text):
        return [text]
    parts = [part for typed in re.split(r"[\s;]+", text) if (part := typed.strip(","))]
    return parts[0].split(",") if len(parts) == 1 and not re.search(",0[0-9]", text) else parts


class WorthField(forms.CharField):
    """The points of a combination: one number, or six separated by commas, one for each face of its letter A."""

    def clean(self, value: object) -> int | list[int] | None:
        parts = split_numbers(str(value or "").strip())
        if not parts:
            return None
        points = [read for part in parts if (read := read_typed_number(part)) is not None]
        if len(parts) not in (1, len(FACES)) or len(points) < len(parts):
            sentence = _(
                "Enter one number of points, or six for the numbers 1 to 6, such as 1000, 200, 300, 400, 500, 600."
            )
            raise ValidationError(sentence, code="invalid")
        return points if len(points) > 1 else points[0]

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value


def name_combination_field(row: int, name: str) -> str:
    """Return the name of a field in a row of combinations; rows count from 1."""
    return f"combination_{row}_{name}"


def make_combination_fields(rows: int) -> dict[str, forms.Field]:
    """Return the fields for this many rows of combinations."""
    made: dict[str, forms.Field] = {}
    for row in range(1, rows + 1):
        fields: dict[str, forms.Field] = {
            "pattern": forms.CharField(widget=forms.TextInput(attrs={"maxlength": 6, "size": 8})),
            "effect": forms.ChoiceField(choices=list(EFFECTS.items())),
            "points": WorthField(widget=forms.TextInput(attrs={"maxlength": 60, "size": 10})),
            "cost": make_number_field(SETTING_POINTS_MOST),
            "name": forms.CharField(widget=forms.TextInput(attrs={"maxlength": COMBINATION_NAME_LONGEST, "size": 14})),
        }
        for name, field in fields.items():
            field.label = COMBINATION_LABELS[name] % {"n": row}
            field.widget.attrs |= {"aria-label": field.label, "autocomplete": "off"}
            made[name_combination_field(row, name)] = field
    return made


def make_scalar_fields() -> dict[str, forms.Field]:
    """Return a field for each setting without a table, and one for the number that some take instead of their words.

    Their limits are those of the rules; they are in no particular order.
    """
    made: dict[str, forms.Field] = {
        "name": NameField(widget=forms.TextInput(attrs={"maxlength": RULESET_NAME_LONGEST, "size": 30})),
        "slug": PatternField(
            pattern=SLUG,
            sentence=_("Use up to 50 lowercase letters, digits and hyphens, such as house-rules."),
            longest=SLUG_LONGEST,
            widget=forms.TextInput(attrs={"maxlength": SLUG_LONGEST, "size": 30, "autocapitalize": "none"}),
        ),
        "target": TargetField(widget=make_digits_widget(7)),
        "target_choices": TargetsField(widget=forms.TextInput(attrs={"size": 30})),
        "confirm": forms.MultipleChoiceField(choices=list(CONFIRM_KINDS.items()), widget=forms.CheckboxSelectMultiple),
        "currency": PatternField(
            pattern="[A-Z]{3}",
            sentence=_("Enter three capital letters, such as USD or EUR."),
            longest=3,
            widget=forms.TextInput(attrs={"maxlength": 3, "size": 4}),
        ),
    }
    for setting in fields(Ruleset):
        name, limits = setting.name, setting.metadata
        match limits["kind"]:
            case "points" | "coins":
                made[name] = make_number_field(limits["most"])
            case "number":
                made[name] = make_number_field(limits["most"], limits["least"], 3)
            case "switch":
                made[name] = forms.BooleanField()
            case "choice":
                made[name] = make_choice_field(name)
            case "mixed":
                made[name] = make_choice_field(name, (NUMBER, MIXED[name]))
                made[name_number_field(name)] = make_number_field(limits["most"], limits["least"])
    return made


def make_choice_field(name: str, *more: tuple[str, Words]) -> OneOf:
    """Return a field for a setting that has a few answers; `more`: answers besides them."""
    answers = [(choice.value, choice.sentence) for choice in CHOICES[name]]
    return OneOf(choices=[*answers, *more], widget=forms.RadioSelect)


def name_number_field(name: str) -> str:
    """Return the name of the field for the number that a setting takes instead of its words."""
    return f"{name}_number"


def name_cell_field(size: str, face: int) -> str:
    """Return the name of a cell's field; "1" is the row of single dice."""
    return f"kind_{size}_{face}"
