"""The worker beside the pages of `manage.py play`, forked from them: what both had loaded lies in memory once."""

from __future__ import annotations

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


class ForkedWorker:
    """A worker in a process forked from this one, with as much of `Popen` as is needed.

    It ends when its standard input does, and that is this process's to close: even a crash closes it.
    """

    def __init__(self, opened: socket.socket) -> None:
        """Fork. No thread may run by then; `opened`, where the pages listen, is closed in the worker."""
        read, write = os.pipe()
        self.stdin: BinaryIO = os.fdopen(write, "wb")
        self.pid = os.fork()
        if self.pid == 0:
            opened.close()
            self.stdin.close()
            work_forked(read)
        os.close(read)

    def wait(self) -> None:
        """Wait until it has ended."""
        os.waitpid(self.pid, 0)

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


Worker = ForkedWorker | subprocess.Popen[bytes]


def work_forked(read: int) -> NoReturn:
    """Be the worker until the pipe ends that is read from here. Never returns to what this process was before."""
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
    """Start the worker of pages that will listen there, before any thread does. Windows cannot fork."""
    return ForkedWorker(opened) if hasattr(os, "fork") else start_worker_afresh()


def start_worker_afresh() -> subprocess.Popen[bytes]:
    """Start a worker that shares nothing: by now this process has threads, of which a fork would get locks held."""
    command = [sys.executable, str(settings.ROOT / "manage.py"), "work", "--beside"]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


@contextmanager
def keep_worker(worker: Worker) -> Iterator[None]:
    """Start another one whenever the worker ends by itself; end it at the end, without waiting for a busy one."""
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
