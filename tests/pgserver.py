"""A private PostgreSQL for one test run: its own folder, its own socket, no port, nothing left behind."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

# Without what makes PostgreSQL safe and slow, because nothing here has to survive.
OPTIONS = "-c listen_addresses='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=60"


def find_programs() -> Path | None:
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    elsewhere = [Path(program).parent] if (program := shutil.which("initdb")) else []
    named = [Path(os.environ["PG_BIN"])] if os.environ.get("PG_BIN") else []
    return next((place for place in [*named, *debian, *elsewhere] if os.access(place / "initdb", os.X_OK)), None)


@dataclass
class Server:
    """A PostgreSQL: its `address` as DATABASE_URL wants it; `run(program, ...)` runs one of its programs."""

    address: str
    run: Callable[..., None]

    def start(self) -> None:
        self.run("pg_ctl", "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server. What was committed is kept, except in mode "immediate", which waits for no disk."""
        self.run("pg_ctl", "-m", mode, "stop")


@contextlib.contextmanager
def run_server(programs: Path) -> Iterator[str]:
    """Yield the address of a running server, as DATABASE_URL wants it."""
    with run_stoppable_server(programs) as running:
        yield running.address


@contextlib.contextmanager
def run_stoppable_server(programs: Path) -> Iterator[Server]:
    """Yield a running server. A test that stops it has to start it again."""
    root = Path(tempfile.mkdtemp(prefix="pg-"))
    prefix = list_user_switch(root) if os.geteuid() == 0 else []

    def run(program: str, *arguments: str) -> None:
        command = [*prefix, str(programs / program), "-D", str(root / "data"), *arguments]
        subprocess.run(command, check=True, cwd=root, stdout=subprocess.DEVNULL)

    try:
        run("initdb", "-U", "app", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        options = f"-k {root} {OPTIONS}"

        def control(program: str, *arguments: str) -> None:
            run(program, "-l", str(root / "log"), "-o", options, *arguments)

        running = Server(f"postgresql://app@{quote(str(root), safe='')}/postgres", control)
        running.start()
        try:
            yield running
        finally:
            running.stop("immediate")
    finally:
        shutil.rmtree(root, ignore_errors=True)


def list_user_switch(root: Path) -> list[str]:
    """Return the prefix of a command that runs as the package's own user: initdb refuses to run as root."""
    import pwd  # not on Windows

    user = pwd.getpwnam("postgres")
    os.chown(root, user.pw_uid, user.pw_gid)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
