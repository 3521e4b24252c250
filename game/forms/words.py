"""The word that a person puts into the dice."""

import unicodedata

from django.utils.translation import gettext as _

from game.forms.commands import Mistyped
from game.forms.fields import BROKEN

LONGEST = 64
JOINER = "\u200d"  # between the parts of an emoji


def clean_dice_word(text: str) -> str:
    """Return the word in the form in which it is stored: NFC, stripped; empty is fine. Raises `Mistyped`."""
    word = unicodedata.normalize("NFC", text).strip()
    if len(word) > LONGEST:
        raise Mistyped(_("A word has at most 64 characters."))
    if BROKEN in word or any(is_hidden(character) for character in word):
        raise Mistyped(_("The word has a character that cannot be used. Use letters, digits, signs or emoji."))
    return word


def is_hidden(character: str) -> bool:
    """Tell whether nobody could retype this from sight: a control character, a direction mark, half a character …"""
    return character != JOINER and (unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
