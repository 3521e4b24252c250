"""What somebody reads of a page."""

import re


def read_text(markup: str) -> str:
    """The words between the elements, each apart by one space."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", markup))
