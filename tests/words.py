"""The words that somebody reads on a page."""

import re


def read_text(markup: str) -> str:
    """Return the words between the elements, separated by single spaces."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", markup))


def has_word(markup: str, word: str) -> bool:
    """Whether the markup has the word by itself, in a text or an attribute: random keys may have its letters, too."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", markup) is not None
