"""`manage.py work`: the worker beside the pages. It runs tasks one after the other, and chores meanwhile."""

import contextlib
import logging
import os
import secrets
import signal
import sys
import threading
import time
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, close_old_connections, connection
from django.utils import timezone
from django.utils.translation import gettext as _
from django_tasks.base import TaskResultStatus
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult
from filelock import FileLock, Timeout

from game import services
from game.calling.caller import Caller
from game.database_trouble import explain_trouble, is_trouble, require_database
from game.management.shell import speak_shell_language
from game.models import Game
from game.services.refusals import Refusal
from game.services.shots import UNATTENDED
from game.services.tidying import hand_over_hosts, tidy_site

LOG = logging.getLogger("game.work")
LOOK_SECONDS = 2
MINUTE, HOUR = 60, 3600
TRIES = 3
LONGEST = timedelta(hours=6)
NAME = f"worker-{os.getpid()}-{secrets.token_hex(4)}"  # in each container processes are numbered from 1
LONG_AGO = datetime.min.replace(tzinfo=timezone.get_default_timezone())


class Command(BaseCommand):
    help = "Work beside the pages: tasks, computers' turns and calls where no page is open, tidying once an hour."

    requires_system_checks: list[str] = []  # they would load every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="do what there is to do now, and end")
        parser.add_argument("--beside", action="store_true", help=SUPPRESS)  # ends with the process that started it

    def handle(self, *args: Any, once: bool, beside: bool, **options: Any) -> None:
        require_database()
        if once:
            work_once()
            return
        stop = threading.Event()
        if beside:
            threading.Thread(target=wait_for_parent, args=[stop], daemon=True).start()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: stop.set())
        if hasattr(os, "nice"):
            os.nice(5)  # page requests come first
        held = wait_until_alone(stop)  # released once nothing refers to it
        if held:
            # On SQLite, no other worker can be running any of these tasks. A database without tables ends the command
            # here; further on, each thread would only log the error again and again.
            put_back(DBTaskResult.objects.running() if connection.vendor == "sqlite" else find_forgotten_tasks())
            for queue in settings.TASKS["default"]["QUEUES"]:
                threading.Thread(target=work_on_tasks, args=[queue], daemon=True).start()
            threading.Thread(target=call_players, daemon=True).start()
            do_chores(stop)
            put_back(DBTaskResult.objects.running().filter(worker_ids__icontains=NAME), died=False)
        sys.stdout.flush()
        os._exit(0)  # without waiting for the current task, which another worker will begin again


def work_once() -> None:
    """Do what there is to do now, also after a chore that failed. Raises `CommandError` at the end if one did."""
    chores: list[Callable[[], object]] = [
        lambda: play_unattended(LONG_AGO),
        lambda: put_back(find_forgotten_tasks()),
        tidy_site,
        Caller().look,
        make_worker("*", batch=True).run,
    ]
    done = 0
    for chore in chores:
        with failing_alone():
            chore()
            done += 1
    if done < len(chores):
        with speak_shell_language():
            raise CommandError(_("Not everything could be done. The log says why."))


def make_worker(queue: str, *, batch: bool) -> Worker:
    """Return a worker for the tasks of a queue. `batch`: it ends when no task is left."""
    return Worker(
        queue_names=[queue],
        excluded_queue_names=[],
        interval=1,
        batch=batch,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=NAME,
    )


def work_on_tasks(queue: str) -> None:
    """Run the tasks of a queue for ever, whatever happens: nobody would start this thread again."""
    while True:
        with failing_alone("Tasks wait", "A task failed and could not be marked so."):
            make_worker(queue, batch=False).run()
        time.sleep(LOOK_SECONDS)


def put_back(unfinished: Any, *, died: bool = True) -> None:
    """Requeue unfinished tasks, but mark as failed those at which `TRIES` workers died.

    `died`: the worker died at them; False if it was only stopped, which does not count.
    """
    for row in unfinished:
        row.worker_ids = row.worker_ids if died else row.worker_ids[:-1]
        tried = len(row.worker_ids) >= TRIES
        row.status = TaskResultStatus.FAILED if tried else TaskResultStatus.READY
        row.finished_at = timezone.now() if tried else None
        row.save(update_fields=["status", "finished_at", "worker_ids"])


def find_forgotten_tasks() -> Any:
    """Return the tasks that have run longer than any can, because their worker was killed."""
    return DBTaskResult.objects.running().filter(started_at__lt=timezone.now() - LONGEST)


def wait_until_alone(stop: threading.Event) -> FileLock | None:
    """Wait until this worker may work, and return the lock that it holds meanwhile; None if it is to stop.

    On SQLite there is one worker at a time, so a second one waits here until the first has ended.
    """
    lock = FileLock(settings.WORKER_LOCK_FILE)
    is_said = False
    while connection.vendor == "sqlite" and not lock.is_locked:
        try:
            lock.acquire(timeout=1)
        except Timeout:
            if not is_said:
                LOG.warning("Another worker works for this data folder. This one begins when that ends.")
            is_said = True
        if stop.is_set():
            return None
    return lock


def do_chores(stop: threading.Event) -> None:
    """Do the chores until told to stop. A chore that fails is tried again next time, and does not block the others."""
    looked, minute, hour = LONG_AGO, 0.0, 0.0
    while not stop.wait(LOOK_SECONDS):
        with failing_alone():
            close_old_connections()
            looked = play_unattended(looked)
        if time.monotonic() >= minute:
            minute = time.monotonic() + MINUTE
            with failing_alone():
                hand_over_hosts()
        if time.monotonic() >= hour:
            hour = time.monotonic() + HOUR
            with failing_alone():
                put_back(find_forgotten_tasks())
            with failing_alone():
                tidy_site()


def call_players() -> None:
    """Send calls for ever, in a thread of their own, since push services answer slowly."""
    caller = Caller()
    while True:
        with failing_alone():
            close_old_connections()
            caller.look()
        time.sleep(LOOK_SECONDS)


@contextlib.contextmanager
def failing_alone(waits: str = "A chore waits", failed: str = "A chore failed.") -> Iterator[None]:
    """Log what is raised here instead of ending the worker; in one sentence if the database is at fault."""
    try:
        yield
    except Exception as error:
        if is_trouble(error):
            LOG.error("%s for the database: %s", waits, explain_trouble(error))
        else:
            LOG.exception(failed)


def play_unattended(looked: datetime) -> datetime:
    """Play computers' turns in games where nothing has happened for a while. Return up to when it has looked.

    `looked`: what the last look returned, so that a game is looked at once after each change, and not again and again
    while a person thinks.
    """
    until = timezone.now() - UNATTENDED
    if looked > until:  # the clock was set back
        looked = LONG_AGO
    games = Game.objects.filter(status=Game.Status.RUNNING, touched__gt=looked, dice_changed_at__lte=until)
    for code in list(games.filter(players__level__gt="").values_list("code", flat=True).distinct()):
        try:
            services.advance_unattended(code)
        except Refusal:
            continue
        except OperationalError:
            raise  # the database is busy or away: all of the games are tried again next time
        except Exception:
            LOG.exception("A computer's turn failed.")
    return until


def wait_for_parent(stop: threading.Event) -> None:
    """Set `stop` when the process that started this one ends, for whatever reason: then its end of the pipe closes."""
    # `sys.stdin.read` would hold a lock while it waits, without which Python cannot end in good order.
    while os.read(sys.stdin.fileno(), 1):
        pass
    stop.set()
