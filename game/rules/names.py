"""What a player may be called, and which characters other names may have. Game files and forms obey the same rules."""

import re
import unicodedata
from collections.abc import Iterable

from game.rules.refusals import IllegalMove

PLAYER_NAME_LONGEST = 24
MARKS_MOST = 3

_JOINER, _NON_JOINER = "\u200d", "\u200c"
_VARIATIONS = ("\ufe0e", "\ufe0f")
_FLAG = "\U0001f3f4"
_LEFT_RIGHT = "\u2194"  # ends the emoji of a shaken head; Unicode counts it among the signs of mathematics
_TAGS = range(0xE0020, 0xE0080)  # letters of a region, as in the flag of Wales
_GROUPS = frozenset("LMNPS")
# Its combining class. This sign takes a letter's vowel away in the scripts of India and its neighbours.
_VIRAMA = 9


def clean_name(text: object) -> str:
    """Return the name as it is stored: NFC, trimmed, with single spaces.

    Raises `IllegalMove` if it is empty, longer than 24 characters, or has anything but letters, marks (at most three in
    a row), digits, punctuation, symbols and emoji: no control, direction, zero-width, surrogate or private characters,
    except joiners where a script or an emoji needs them.
    """
    if not isinstance(text, str):
        raise IllegalMove("name_text")
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text).strip(" "))
    if not name:
        raise IllegalMove("name_empty")
    if len(name) > PLAYER_NAME_LONGEST:
        raise IllegalMove("name_long", most=PLAYER_NAME_LONGEST)
    _check_characters(name)
    return name


def is_computer_name(name: str) -> bool:
    """Return whether the name makes its player a computer, as in `*HAL`."""
    return name.startswith("*")


def is_printable(text: str) -> bool:
    """Return whether a name of rules or of a crew can be shown as it was typed.

    It has no control, direction or zero-width characters, except the joiners and tags within an emoji, and the joiners
    and non-joiners that shape letters.
    """
    return all(character.isprintable() or joins_neighbours(text, place) for place, character in enumerate(text))


def shorten_name(name: str, most: int) -> str:
    """Return the name of rules with at most this many characters, without a joiner that has lost what it joins."""
    short = name[:most].strip()
    return short if is_printable(short) else short[:-1].strip()


def joins_neighbours(text: str, place: int) -> bool:
    """Return whether the character at this place is an invisible one that an emoji or a script needs there."""
    return _joins_emoji(text, place) or shapes_letters(text, place)


def shapes_letters(text: str, place: int) -> bool:
    """Return whether the character at this place is a joiner or non-joiner with which people write their language.

    Either may follow a virama, as in RFC 5892. A non-joiner may also stand between two letters of the Arabic script,
    whatever these are: Persian keyboards put it into names such as Mohammad Reza, although a dal joins nothing.
    """
    if text[place] not in (_JOINER, _NON_JOINER) or not place:
        return False
    if unicodedata.combining(text[place - 1]) == _VIRAMA:
        return True
    between = text[place - 1] + text[place + 1 : place + 2]
    return text[place] == _NON_JOINER and len(between) == 2 and all(map(_is_arabic_letter, between))


def same_name(one: str, other: str) -> bool:
    """Return whether two names count as the same in one game: "Anna" and "ＡＮＮＡ" do."""
    return fold_name(one) == fold_name(other)


def check_free(name: str, taken: Iterable[str]) -> None:
    """Raise `IllegalMove` if another player has this name, or one that counts as the same."""
    if any(same_name(name, other) for other in taken):
        raise IllegalMove("name_taken")


def fold_name(name: str) -> str:
    """Return what all names that count as the same have in common; it is not for the screen."""
    shown = "".join(c for place, c in enumerate(name) if c not in _VARIATIONS and not shapes_letters(name, place))
    # Case folding can undo NFKC, so the result is normalised once more.
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())


def _check_characters(name: str) -> None:
    marks = 0
    for place, character in enumerate(name):
        category = unicodedata.category(character)
        if character not in (*_VARIATIONS, _JOINER, _NON_JOINER):
            marks = marks + 1 if category[0] == "M" else 0
        if marks > MARKS_MOST:
            raise IllegalMove("name_marks")
        if not _is_allowed_at(name, place, category):
            raise IllegalMove("name_character")
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise IllegalMove("name_empty")


# Letters, marks and signs that show nothing, among them the variation selectors of other scripts, and the replacement
# character that stands for broken bytes.
_INVISIBLE = frozenset("\ufffd\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800").union(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0)))
)


def _is_allowed_at(name: str, place: int, category: str) -> bool:
    """Return whether the character at this place is allowed: a letter, mark, digit, punctuation, symbol or plain space.

    Joiners, tags and variation selectors are allowed only next to the characters that they belong to.
    """
    character = name[place]
    if character in _VARIATIONS:
        return unicodedata.category(name[place - 1] if place else " ")[0] in "NPS"
    if category[0] in _GROUPS:
        return character not in _INVISIBLE
    return character == " " or joins_neighbours(name, place)


def _joins_emoji(text: str, place: int) -> bool:
    """Return whether the character at this place is a joiner between two emoji, or a tag that makes a flag another."""
    character, before = text[place], text[place - 1] if place else " "
    if character == _JOINER:
        return place < len(text) - 1 and _is_emoji(before) and _is_emoji(text[place + 1])
    return ord(character) in _TAGS and (before == _FLAG or ord(before) in _TAGS)


def _is_arabic_letter(character: str) -> bool:
    return character.isalpha() and unicodedata.bidirectional(character) == "AL"


def _is_emoji(character: str) -> bool:
    return character in (*_VARIATIONS, _LEFT_RIGHT) or unicodedata.category(character) in ("So", "Sk")
