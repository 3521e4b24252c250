"""Marks the sentences of the rules for translators: English here, and in any language on pages, without Django."""


def gettext_noop(sentence: str) -> str:
    """Return the sentence as it is. Only the function's name counts: programs that collect sentences look for it."""
    return sentence
