"""The lists of words for spoken codes: each word is easy to hear and to type, and can't be taken for another."""

import itertools
import re
from collections import Counter

import jellyfish
import pytest

from game.models.visitors import SPOKEN_BITS
from game.services.spoken_codes import fold_words, list_spoken_languages, list_words

# Spellings that sound the same, by language: the spelling, and the sound that it counts as.
SOUNDS = {
    "de": "sch|sh:S chs|cks|x:ks ck:k ph:f th:t qu:kf z:ts c(?!h):k ie|ih:i ei|ai|ey|ay:Y eu|äu:O ä:e y:ü "
    "(?<=[aeiouöü])h:",
    "fr": "eau|au:o (?<=.)(?:es?|s|t|d|x|p)$: ph:f qu:k ç|c(?=[eiyéèê]):s ch:S c:k g(?=[eiyéèê]):j gn:N gu:g "
    "[ae][mn](?=[^aeiouyéèêhmn]|$):A (?:ai|ei|i|y)[mn](?=[^aeiouyéèêhmn]|$):I o[mn](?=[^aeiouyéèêhmn]|$):O "
    "oi|oî:wa ou|oû:U ai|ei|aî|é|è|ê|ë:e â|à:a î|ï|y:i ô:o û|œ|eu:u h: (?<=.)(?:es?|s|t|d|x|p)$:",
    "nl": "ij|ei|y:Y ou|au:U oe:u sch:sx ch:k ie:i c(?=[eiy]):s c|q|x:k th:t ph:f",
    "sv": "skj|stj|sj|sch|sk(?=[eiyäö])|tj|kj|k(?=[eiyäö])|ch:S ^(?:dj|hj|lj|gj|g(?=[eiyäö])):j ä:e å:o "
    "c(?=[eiy]):s ck|c:k x:ks ph:f th:t",
}
VOICED = str.maketrans("bdgvzw", "ptkfsf")  # consonants that sound alike on a bad line


def hear_word(word: str, language: str) -> str:
    """Return how a word sounds on a bad line."""
    if language == "en":
        return jellyfish.metaphone(word).translate(str.maketrans("BDGVZJ", "PTKFSX"))
    for rule in SOUNDS[language].split():
        spelling, sound = rule.rsplit(":", 1)
        word = re.sub(spelling, sound, word)
    return re.sub(r"(.)\1+", r"\1", word.translate(VOICED))


def test_german_french_dutch_and_swedish_have_words_beside_english() -> None:
    assert list_spoken_languages() == ("en", "de", "fr", "nl", "sv")


@pytest.mark.parametrize("language", list_spoken_languages())
def test_a_list_has_a_word_for_every_ten_bits_and_each_is_easy_to_type(language: str) -> None:
    words = list_words(language)
    assert len(set(words)) == len(words) == 2 ** (SPOKEN_BITS // 3)
    assert set(fold_words(language).values()) == set(range(len(words)))
    assert all(3 <= len(word) <= 10 and word.isalpha() and word.islower() for word in words)


@pytest.mark.examples
@pytest.mark.one_database
@pytest.mark.parametrize("language", list_spoken_languages())
def test_no_two_words_are_one_typing_slip_apart_and_none_begins_with_another(language: str) -> None:
    places = fold_words(language)
    words = sorted(places)
    assert not [(one, next_one) for one, next_one in itertools.pairwise(words) if next_one.startswith(one)]
    near = [
        (one, other)
        for one, other in itertools.combinations(words, 2)
        if abs(len(one) - len(other)) < 2
        and places[one] != places[other]
        and jellyfish.levenshtein_distance(one, other) < 2
    ]
    assert near == []


@pytest.mark.parametrize("language", list_spoken_languages())
def test_no_two_words_sound_alike_even_on_a_bad_line(language: str) -> None:
    sounds = Counter(hear_word(word, language) for word in list_words(language))
    assert [sound for sound, times in sounds.items() if times > 1] == []


def test_no_word_is_in_two_lists() -> None:
    times = Counter(word for language in list_spoken_languages() for word in fold_words(language))
    assert [word for word, lists in times.items() if lists > 1] == []
