"""The worker beside the pages of `manage.py play`, forked from them so that what was loaded is in memory only once."""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NoReturn

from django.conf import settings
from django.core.management import call_command

from game.database_trouble import explain_trouble, is_trouble

LOG = logging.getLogger(__name__)
PAUSE_SECONDS = 5
CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
"""The cores that the site may use, asked before this process keeps to one of them."""


class ForkedWorker:
    """A worker in a process forked from this one, with as much of `Popen` as is needed.

    It ends when its standard input does. This process holds the other end of that, which even a crash closes.
    """

    def __init__(self, opened: socket.socket) -> None:
        """Fork; call it before any thread runs. `opened`: the pages' listening socket, which the worker closes."""
        read, write = os.pipe()
        self.stdin: BinaryIO = os.fdopen(write, "wb")
        self.pid = os.fork()
        if self.pid == 0:
            opened.close()
            self.stdin.close()
            work_forked(read)
        os.close(read)

    def wait(self) -> None:
        """Wait until the worker has ended."""
        os.waitpid(self.pid, 0)

    def kill(self) -> None:
        """End the worker at once."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


Worker = ForkedWorker | subprocess.Popen[bytes]


def work_forked(read: int) -> NoReturn:
    """Be the worker until this pipe ends, and then end the process. Never returns."""
    try:
        sys.stdin = os.fdopen(read)
        call_command("work", beside=True)
    except BaseException as error:
        if is_trouble(error):
            LOG.error("The worker has ended: %s", explain_trouble(error))
        else:
            LOG.exception("The worker has failed.")
    os._exit(1)


def start_worker(opened: socket.socket) -> Worker:
    """Start the worker of pages that will listen at this socket; call it before any thread runs. Windows can't fork."""
    return ForkedWorker(opened) if hasattr(os, "fork") else start_worker_afresh()


def start_worker_afresh() -> subprocess.Popen[bytes]:
    """Start a worker that shares nothing: this process has threads by now, and a fork would inherit locks they hold."""
    command = [sys.executable, str(settings.ROOT / "manage.py"), "work", "--beside"]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE)
    if hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            os.sched_setaffinity(worker.pid, CORES)  # this process keeps to one core, and the worker would inherit that
    return worker


@contextmanager
def keep_worker(worker: Worker) -> Iterator[None]:
    """Start another worker whenever it ends by itself; on exit end it, and kill it if busy for `PAUSE_SECONDS`."""
    over = threading.Event()
    running = [worker]

    def keep() -> None:
        running[0].wait()
        while not over.wait(PAUSE_SECONDS):
            running[:] = [start_worker_afresh()]
            running[0].wait()

    keeper = threading.Thread(target=keep, daemon=True)
    keeper.start()
    try:
        yield
    finally:
        over.set()
        if running[0].stdin:
            running[0].stdin.close()
        keeper.join(PAUSE_SECONDS)
        if keeper.is_alive():
            running[0].kill()
