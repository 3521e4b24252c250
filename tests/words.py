"""The words that somebody reads on a page."""

import re


def read_text(markup: str) -> str:
    """Return the words between the elements, separated by single spaces."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", markup))
