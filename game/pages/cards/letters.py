"""The letters that the cards' fonts have: Fraunces has Latin ones, Noto Serif also Greek and Cyrillic."""

import re

_SIGNS = "–—‘’‚“”„•…−"
LATIN = re.compile(f"[ -~\u00a0-\u0148\u014a-\u017e\u0218-\u021b\u1ea0-\u1ef9{_SIGNS}]+")
_GREEK, _CYRILLIC = "\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03e1\u03f0-\u03ff", "\u0400-\u045f\u0490\u0491"
OTHER = re.compile(f"[ -~\u00a0-\u00ff{_GREEK}{_CYRILLIC}{_SIGNS}]+")


def has_letters_for(text: str) -> bool:
    """Tell whether one of the cards' fonts has all letters of a text."""
    return is_latin(text) or bool(OTHER.fullmatch(text))


def is_latin(text: str) -> bool:
    """Tell whether the site's own font has all letters of a text."""
    return bool(LATIN.fullmatch(text))
