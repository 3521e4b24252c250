"""Fields that are stricter than Django's, and say in one sentence what they accept."""

import re
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.translation import gettext_lazy as _

from game.rules import IllegalMove, clean_name
from game.rules.names import is_printable
from game.rules.refusals import SENTENCES
from game.rules.ruleset import RULESET_NAME_LONGEST, TARGET_LEAST, TARGET_MOST, TARGET_STEP
from game.sentences import BROKEN

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}\Z")
NUMBER = re.compile(r"[0-9]{1,9}\Z")
# "10,000", "10.000", "10’000" or "10 000", with any kind of space, as our pages and people in many countries write it.
GROUPED = re.compile(r"[0-9]{1,3}([.,'’ \u00a0\u202f])[0-9]{3}(?:\1[0-9]{3})?\Z")
TARGET_RANGE, UNUSABLE_IN_NAME = (_(SENTENCES[code]) for code in ("target", "name_character"))


def read_typed_number(text: str) -> int | None:
    """Return a number that somebody typed: ASCII digits, at most nine, grouped or not; None for anything else."""
    digits = text.replace(grouped[1], "") if (grouped := GROUPED.match(text)) else text
    return int(digits) if NUMBER.match(digits) else None


def is_key(value: object) -> bool:
    """Return whether this is a key such as our forms carry."""
    return isinstance(value, str) and KEY.match(value) is not None


class WholeNumber(forms.Field):
    """A whole number: at most nine ASCII digits, grouped or not, as 10000 or 10,000. No sign, "1_0", "١" or 2**63.

    `least`, `most`: the limits, both included; `step`: the number has to be a multiple of it.
    """

    default_error_messages = {"invalid": _("Enter a whole number, for example 350.")}

    def __init__(self, *, least: int = 0, most: int = 999_999_999, step: int = 1, **options: Any) -> None:
        self.least, self.most, self.step = least, most, step
        super().__init__(**options)

    def to_python(self, value: object) -> int | None:
        text = str(value).strip() if value is not None else ""
        if not text:
            return None
        number = read_typed_number(text)
        if number is None:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return number

    def validate(self, value: int | None) -> None:
        super().validate(value)
        if value is not None and (not self.least <= value <= self.most or value % self.step):
            raise ValidationError(self.error_messages["invalid"], code="invalid")


class TargetField(WholeNumber):
    """A target that the rules allow."""

    default_error_messages = dict.fromkeys(("invalid", "required"), TARGET_RANGE)

    def __init__(self, **options: Any) -> None:
        super().__init__(least=TARGET_LEAST, most=TARGET_MOST, step=TARGET_STEP, **options)


class OneOf(forms.ChoiceField):
    """A choice whose error asks for one of the answers on the page, without repeating the input."""

    default_error_messages = dict.fromkeys(("required", "invalid_choice"), _("Choose one of the answers on this page."))


def is_clean(text: str) -> bool:
    """Return whether a line of text has neither broken bytes nor characters that cannot be shown."""
    return BROKEN not in text and is_printable(text)


class NameField(forms.CharField):
    """A name of rules or of a crew: a line of printable text. `optional`: it may be empty."""

    def __init__(self, *, optional: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.optional = optional

    def clean(self, value: object) -> str:
        """Return the name, with single spaces. Raises `ValidationError`."""
        text = " ".join(str(value or "").split())
        if len(text) > RULESET_NAME_LONGEST or not (text or self.optional):
            raise ValidationError(_("Enter a name of up to 60 characters."), code="invalid")
        if not is_clean(text):
            raise ValidationError(UNUSABLE_IN_NAME, code="invalid")
        return text


def clean_player_name(text: str) -> str:
    """Return the name as it is stored. Raises `IllegalMove` if the rules refuse it, or if its bytes are broken."""
    if BROKEN in text:
        raise IllegalMove("name_character")
    return clean_name(text)


def list_problems(form: forms.BaseForm) -> list[tuple[str, str]]:
    """Return (id of the field, sentence) for each error; those of the whole form first, with the first field's id."""
    first = next(iter(form)).id_for_label
    return [
        (form[name].id_for_label if name in form.fields else first, str(error))
        for name in (NON_FIELD_ERRORS, *form.fields)
        for error in form.errors.get(name, ())
    ]
