#!/usr/bin/env python3
"""Run a command: `play` starts the site, `test` runs the tests, Django knows the rest. Installs what it needs first."""

import os
import sys

from config import bootstrap


def main() -> None:
    """Run a command in an environment that has its packages."""
    testing = sys.argv[1:2] == ["test"]
    bootstrap.ensure("test" if testing else "run")
    if testing:
        from tests.run import main as run_tests

        sys.exit(run_tests(sys.argv[2:]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:
        sys.exit(str(wrong))
    except Exception as error:
        from game.database_trouble import explain_trouble, is_trouble

        if "--traceback" in sys.argv or not is_trouble(error):
            raise
        from game.management.shell import speak_shell_language

        with speak_shell_language():
            sys.exit(explain_trouble(error))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)  # as shells report it
