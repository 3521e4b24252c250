"""Marks the sentences of the rules for translators. They are said in English here, and by pages in any language."""

from __future__ import annotations


def gettext_noop(sentence: str) -> str:
    """The sentence as it is. Only its name counts: the programs that collect sentences look for it."""
    return sentence
