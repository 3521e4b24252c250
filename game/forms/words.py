"""The word that a player adds to the dice."""

import unicodedata

from django.utils.translation import gettext as _

from game.forms.commands import Mistyped
from game.rules.names import joins_neighbours
from game.sentences import BROKEN

LONGEST = 64
JOINER = "\u200d"  # between the parts of an emoji


def clean_dice_word(text: str) -> str:
    """Return the word as it is stored: in NFC and stripped; it may be empty. Raises `Mistyped`."""
    word = unicodedata.normalize("NFC", text).strip()
    if len(word) > LONGEST:
        raise Mistyped(_("A word can have at most 64 characters."))
    hidden = (is_hidden(character) and not joins_neighbours(word, place) for place, character in enumerate(word))
    if BROKEN in word or any(hidden):
        raise Mistyped(_("The word has a character that cannot be used. Use letters, digits, signs or emoji."))
    return word


def is_hidden(character: str) -> bool:
    """Return whether nobody could see and retype this character, such as control characters and direction marks."""
    return character != JOINER and (unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
