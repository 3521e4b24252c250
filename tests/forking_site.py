"""A process that has loaded the site, and forks a process for each command and for each start of the server.

It reads lines of JSON and answers each with a number: `["manage", folder, ...]` with the exit code of the command,
whose output is then in the folder; `["start", port, with_odds]` and `["kill", process]` with the process that serves.
"""

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import django
from django.core.management import execute_from_command_line
from django.db import connections
from django.test import Client


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    serving = 0
    for line in sys.stdin:
        what, *arguments = json.loads(line)
        if what == "manage":
            answer = os.waitstatus_to_exitcode(os.waitpid(fork_child(lambda: run_manage(*arguments)), 0)[1])  # noqa: B023
        elif what == "start":
            warm_up()
            answer = serving = fork_child(lambda: serve_port(*arguments))  # noqa: B023
        else:
            (answer,) = arguments
            kill_process(answer)
        print(answer, flush=True)
    if serving:
        kill_process(serving)


def fork_child(do: Callable[[], None]) -> int:
    sys.stdout.flush()
    if process := os.fork():
        return process
    status = 1
    try:
        do()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def run_manage(folder: str, *arguments: str) -> None:
    for number, name in enumerate(("in", "out", "err")):
        os.dup2(os.open(Path(folder, name), os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), number)
    execute_from_command_line(["manage.py", *arguments])


def warm_up() -> None:
    """Read templates and addresses once, and not after every start."""
    import config.asgi  # noqa: F401

    Client(SERVER_NAME="localhost").get("/help")
    connections.close_all()


def serve_port(port: int, with_odds: bool) -> None:
    from game.management.commands import play

    if not with_odds:
        setattr(play, "preload_or_log", lambda ruleset, target: None)  # noqa: B010
    play.serve_site(play.listen_on("127.0.0.1", port))


def kill_process(process: int) -> None:
    """Kill a process; return when it is gone and its port is free."""
    try:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    except (ProcessLookupError, ChildProcessError):
        pass  # long gone


main()
