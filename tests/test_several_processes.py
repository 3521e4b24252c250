"""`manage.py serve --processes 3`: three processes serve one port, and end together. On SQLite there is only one."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests import patience
from tests.own_sites import ROOT, RealSite

pytestmark = pytest.mark.only_on("postgresql")


@contextlib.contextmanager
def serve_site(site: RealSite, processes: int, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yield the first of this many serving processes. It is killed afterwards, and the others end with it."""
    command = [sys.executable, str(ROOT / "manage.py"), "serve", "--port", str(site.port), "--processes"]
    with subprocess.Popen([*command, str(processes), *options], env=site.environment) as first:
        try:
            site.wait_until_it_answers()
            yield first
        finally:
            first.kill()  # or a test that fails would wait for it for ever


@pytest.fixture
def three(own_site: RealSite) -> Iterator[subprocess.Popen[bytes]]:
    """The first of three serving processes."""
    with serve_site(own_site, 3) as first:
        yield first


def test_a_worker_beside_the_processes_works_and_ends_with_them(own_site: RealSite) -> None:
    with serve_site(own_site, 2, "--worker") as first:
        worker, second = list_children(first)
        assert own_site.has_a_game_reviewed()
        os.kill(second, signal.SIGTERM)
        first.wait(patience.SECONDS)
        # A worker that is still busy is killed in the end, and the system takes a moment to clear it away.
        patience.wait_until(lambda: not Path(f"/proc/{worker}").exists(), "The worker did not end.")


def test_a_page_of_the_next_release_gets_its_styles_from_a_process_that_is_still_to_be_restarted(
    own_site: RealSite, tmp_path: Path
) -> None:
    own_site.start()
    (tmp_path / "static" / "css" / "site.next.css").write_text("a{}")
    line = HTTPConnection("127.0.0.1", own_site.port)
    line.request("GET", "/static/css/site.next.css", headers={"Host": "localhost"})
    answer = line.getresponse()
    assert (answer.status, answer.headers["Content-Type"], answer.read()) == (200, "text/css", b"a{}")


def list_children(first: subprocess.Popen[bytes]) -> list[int]:
    return [int(process) for process in Path(f"/proc/{first.pid}/task/{first.pid}/children").read_text().split()]


def is_refused(port: int) -> bool:
    """Whether nothing listens on the port, because the last of the processes has ended."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) != 0


def test_each_process_answers(own_site: RealSite, three: subprocess.Popen[bytes]) -> None:
    lines = []

    def is_each_busy() -> bool:
        lines.append(HTTPConnection("127.0.0.1", own_site.port))
        lines[-1].request("GET", "/healthz", headers={"Host": "localhost"})
        assert lines[-1].getresponse().read() == b"alive"
        return all(count_connections(process) for process in (three.pid, *list_children(three)))

    patience.wait_until(is_each_busy, "One of the processes answers nobody.")


def count_connections(process: int) -> int:
    """Count the open TCP connections of a process; its listening socket and its lines to the others don't count."""
    links = [os.readlink(link) for link in Path(f"/proc/{process}/fd").iterdir() if link.is_symlink()]
    inodes = {link[8:-1] for link in links if link.startswith("socket:[")}
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[3] == "01" and row[9] in inodes for row in rows)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("number", [0, 1])
def test_when_one_process_ends_all_do(
    own_site: RealSite, three: subprocess.Popen[bytes], number: int, end: signal.Signals
) -> None:
    os.kill([three.pid, *list_children(three)][number], end)
    code = three.wait(patience.SECONDS)
    assert code == (-end if number == 0 else 1)
    patience.wait_until(lambda: is_refused(own_site.port), "Somebody still listens.")


def test_a_site_that_is_stopped_as_a_whole_reports_no_lost_process(three: subprocess.Popen[bytes]) -> None:
    """As service managers stop it: they tell every process at the same time."""
    for process in (three.pid, *list_children(three)):
        os.kill(process, signal.SIGTERM)
    assert three.wait(patience.SECONDS) == -signal.SIGTERM
