"""The language of the shell that a command is started from, in which it speaks to whoever reads it there.

What it prints for programs (`--json`) and what it logs is in English, as are the texts of `--help`, half of which are
Django's.
"""

import os
from contextlib import suppress
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import get_supported_language_variant, override


class ShellCommand(BaseCommand):
    """A command that speaks the language of the shell. Not for one that serves pages: theirs are the readers'."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run in that language, or in English for a program."""
        with speak_english() if options.get("json") else speak_shell_language():
            return super().execute(*args, **options)


def speak_shell_language() -> override:
    """Return a context in which sentences are in the language of the shell; in English before the apps are loaded."""
    return override(find_shell_language() if apps.ready else None)


def speak_english() -> override:
    """Return a context in which sentences are in English, as programs read them."""
    return override("en")


def find_shell_language() -> str:
    """Return the language in which the shell is spoken to, as far as the site has it."""
    wanted = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    with suppress(LookupError):
        return get_supported_language_variant(wanted.partition(".")[0].replace("_", "-").lower())
    return settings.LANGUAGE_CODE
