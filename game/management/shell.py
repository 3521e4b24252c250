"""The shell from which a command is started: the command speaks its language to its reader, and ends when told to.

Output for programs (`--json`) and logs are in English, and so are the texts of `--help`, half of which are Django's.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import get_supported_language_variant, override


class ShellCommand(BaseCommand):
    """A command that speaks the language of the shell. Not for one that serves pages, which speak their readers'."""

    requires_system_checks = ()  # they would load every page first

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command in the language of the shell, or in English for a program."""
        with override("en") if options.get("json") else speak_shell_language():
            return super().execute(*args, **options)


def speak_shell_language() -> override:
    """Return a context in which sentences are in the language of the shell; in English before the apps are loaded."""
    return override(find_shell_language() if apps.ready else None)


def find_shell_language() -> str:
    """Return the code of the shell's language, or of the site's default if the site doesn't have that."""
    wanted = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    with suppress(LookupError):
        return get_supported_language_variant(wanted.partition(".")[0].replace("_", "-").lower())
    return settings.LANGUAGE_CODE


@contextmanager
def exit_on_sigterm() -> Iterator[None]:
    """Leave this context by `SystemExit` if the process is told to end, so that it cleans up, as after Ctrl+C."""
    before = signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))  # as shells report it
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
