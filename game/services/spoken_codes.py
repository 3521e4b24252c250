"""Spoken codes: three words, each one of 1,024, stand for an invite's number of 30 bits.

Each language has its words in a file in `spoken_words`, whose order must not change while invites with them are open.
They are easy to spell; no two in a list sound alike or are a slip of the finger apart, and none begins with another.
No word is in two lists, so three words also identify their language.
"""

import difflib
import re
import unicodedata
from functools import cache
from pathlib import Path

from django.utils.translation import get_language, gettext_lazy

from game.models import Invite
from game.models.visitors import SPOKEN_BITS
from game.services.lobby import find_invite
from game.services.refusals import LinkEnded, Refusal

LISTS = Path(__file__).parent / "spoken_words"
WORDS = 3
WORD_BITS = SPOKEN_BITS // WORDS
TYPED_MOST = 200  # characters of the input that are read
ALIKE = 0.7  # how similar a word has to be to be offered instead, 0–1
SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})  # by people whose keyboards lack these


class NotThreeWords(Refusal):
    """The input cannot be a code, so it does not count as a guess."""

    status = 422
    sentence = gettext_lazy("Type the three words of the invite, for example otter lamp seven.")
    UNKNOWN = gettext_lazy("“%(word)s” isn’t one of our words.")
    NEAREST = gettext_lazy("“%(word)s” isn’t one of our words. Did you mean “%(nearest)s”?")


@cache
def list_words(language: str) -> tuple[str, ...]:
    """Return the 1,024 words of a language."""
    return tuple((LISTS / f"{language}.txt").read_text(encoding="utf-8").split())


@cache
def list_spoken_languages() -> tuple[str, ...]:
    """Return the languages that have words: first English, which stands in for those that have none."""
    names = {path.stem for path in LISTS.glob("*.txt")}
    return ("en", *sorted(names - {"en"}))


def say_code(number: int | None) -> str:
    """Return an invite's three words, in the reader's language if it has words, else in English; "" for no number."""
    if number is None:
        return ""
    reader = (get_language() or "en").partition("-")[0]
    words = list_words(reader if reader in list_spoken_languages() else "en")
    places = (number >> shift & (1 << WORD_BITS) - 1 for shift in range(SPOKEN_BITS - WORD_BITS, -1, -WORD_BITS))
    return " ".join(words[place] for place in places)


def read_code(typed: str) -> list[int]:
    """Return the numbers that three words stand for, one for each language that has them.

    Case, accents, hyphens and spaces do not matter; the order does. Raises `NotThreeWords`.
    """
    words = split_words(typed)
    cuts = [cut_words("".join(words), fold_words(language)) for language in list_spoken_languages()]
    numbers = [join_places(places) for places in cuts if len(places) == WORDS]
    if not numbers:
        raise explain_words(words)
    return numbers


def split_words(typed: str) -> list[str]:
    """Return the words that were typed, in lower case and without accents."""
    return re.findall(r"[^\W\d_]+", fold_spoken(typed[:TYPED_MOST]))


def fold_spoken(text: str) -> str:
    """Return a text as it is compared: in lower case and without accents."""
    letters = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@cache
def fold_words(language: str) -> dict[str, int]:
    """Return the place of each word of a language, as it is compared; a word with an umlaut has two spellings."""
    places: dict[str, int] = {}
    for place, word in enumerate(list_words(language)):
        places |= {fold_spoken(word): place, fold_spoken(word.translate(SPELLED_OUT)): place}
    return places


def cut_words(text: str, known: dict[str, int]) -> list[int]:
    """Return the places of the known words that make up a text, in order; nothing if any part of it is unknown.

    There is at most one way to cut a text, since no word of a list begins with another.
    """
    words = re.findall("|".join(known), text)
    return [known[word] for word in words] if "".join(words) == text else []


def join_places(places: list[int]) -> int:
    """Return the number that the places of three words stand for."""
    number = 0
    for place in places:
        number = number << WORD_BITS | place
    return number


def explain_words(words: list[str]) -> NotThreeWords:
    """Return the refusal that names the first word not in any list, with the one that may be meant."""
    known = {
        folded: list_words(language)[place]
        for language in list_spoken_languages()
        for folded, place in fold_words(language).items()
    }
    strange = next((word for word in words if word not in known), None)
    if strange is None or len(words) != WORDS:
        return NotThreeWords()
    nearest = difflib.get_close_matches(strange, known, n=1, cutoff=ALIKE)
    if nearest:
        return NotThreeWords(NotThreeWords.NEAREST, word=strange[:20], nearest=known[nearest[0]])
    return NotThreeWords(NotThreeWords.UNKNOWN, word=strange[:20])


def find_spoken_invite(numbers: list[int]) -> Invite:
    """Return the invite that the words stand for. Raises the same `LinkEnded` for none and for one that has ended."""
    invite = Invite.objects.filter(spoken__in=numbers).first()
    try:
        if invite:
            return find_invite(invite.token)
    except LinkEnded:
        pass
    raise LinkEnded(LinkEnded.SPOKEN)
