"""Marks the sentences of the rules for translation without Django: English here, any language on pages."""


def gettext_noop(sentence: str) -> str:
    """Return the sentence unchanged. Only the function's name matters: message extractors look for it."""
    return sentence
