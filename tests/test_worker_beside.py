"""The worker that `manage.py play` starts beside the site, and ends with it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from filelock import FileLock, Timeout

from tests import patience
from tests.own_sites import ROOT, RealSite, find_free_port
from tests.require import require


def is_free(lock: Path) -> bool:
    try:
        FileLock(lock).acquire(timeout=0).lock.release()
    except Timeout:
        return False
    return True


def wait_for_lock(lock: Path, *, free: bool) -> None:
    complaint = "The worker did not end." if free else "The worker did not begin."
    patience.wait_until(lambda: is_free(lock) is free, complaint)


@pytest.fixture(scope="module")
def folder(new_site: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that is set up, for all tests of this file."""
    return shutil.copytree(new_site[0], tmp_path_factory.mktemp("played"), dirs_exist_ok=True)


def list_variables(folder: Path) -> dict[str, str]:
    """Return the environment of a site on SQLite in this folder, which speaks English."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return kept | {"DATA_DIR": str(folder), "LC_ALL": "C"}


@contextmanager
def run_play(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, str(ROOT / "manage.py"), "play", "--port", str(find_free_port())]
    with subprocess.Popen(command, env=list_variables(folder), stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def play(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with run_play(folder) as process:
        yield process


def find_worker(play: subprocess.Popen[bytes]) -> int:
    """Return the process id of the worker beside a site."""
    threads = Path(f"/proc/{play.pid}/task").iterdir()
    return int("".join((thread / "children").read_text() for thread in threads))


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_the_worker_ends_with_the_site_however_the_site_ends(
    play: subprocess.Popen[bytes], folder: Path, end: str
) -> None:
    wait_for_lock(folder / "worker.lock", free=False)
    getattr(play, end)()
    wait_for_lock(folder / "worker.lock", free=True)


def test_another_worker_begins_when_the_first_ends_by_itself(play: subprocess.Popen[bytes], folder: Path) -> None:
    wait_for_lock(folder / "worker.lock", free=False)
    os.kill(find_worker(play), signal.SIGKILL)
    wait_for_lock(folder / "worker.lock", free=True)
    wait_for_lock(folder / "worker.lock", free=False)
    if hasattr(os, "sched_getaffinity"):
        assert os.sched_getaffinity(find_worker(play)) == os.sched_getaffinity(0), "it is not kept to the pages' core"


def test_a_second_site_of_the_same_folder_says_where_the_first_is(play: subprocess.Popen[bytes], folder: Path) -> None:
    assert play.stdout
    address = re.findall(r"http://\S+", play.stdout.readline().decode())[0]
    with urlopen(f"{address}healthz", timeout=patience.SECONDS) as answer:  # it listens, and answers once it is there
        assert answer.status == 200
    second = subprocess.run(
        play.args, env=list_variables(folder), capture_output=True, text=True, timeout=patience.SECONDS
    )
    complaint = f"CommandError: This site is already running: {address}\n"
    assert (second.returncode, second.stdout, second.stderr) == (1, "", complaint)


@pytest.mark.own_site
def test_a_second_site_is_refused_while_the_first_is_still_set_up(folder: Path) -> None:
    lock = folder / "site.lock"
    lock.write_text("http://127.0.0.1:1/")  # where it was the last time
    with FileLock(folder / "set-up.lock"), run_play(folder) as first:
        # To try the lock could keep the first site from it.
        patience.wait_until(lambda: not lock.read_text(), "The first site does not begin.")
        second = subprocess.run(
            first.args, env=list_variables(folder), capture_output=True, text=True, timeout=patience.SECONDS
        )
    complaint = f"CommandError: This site is already running: {folder}\n"
    assert (second.returncode, second.stdout, second.stderr) == (1, "", complaint)


@pytest.mark.usefixtures("play")
def test_the_worker_reviews_a_game(folder: Path) -> None:
    wait_for_lock(folder / "worker.lock", free=False)
    site = RealSite(folder, {"DATABASE_URL": ""})
    assert site.has_a_game_reviewed()
    site.stop()


@pytest.mark.own_site
def test_a_worker_that_waits_for_another_one_says_so(folder: Path) -> None:
    site = RealSite(folder, {"DATABASE_URL": ""})
    command = [sys.executable, str(ROOT / "manage.py"), "work"]
    with (
        FileLock(folder / "worker.lock"),
        subprocess.Popen(command, env=site.environment, stderr=subprocess.PIPE, text=True) as second,
    ):
        late = threading.Timer(patience.SECONDS, second.kill)
        late.start()
        line = require(second.stderr).readline()
        late.cancel()
        second.terminate()
        assert line.endswith("Another worker works for this data folder. This one begins when that ends.\n")
        assert (second.communicate(timeout=patience.SECONDS)[1], second.returncode) == ("", 0)
