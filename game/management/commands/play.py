"""`manage.py play`: does everything that is needed between a clone of the project and a game in the browser."""

import gc
import io
import ipaddress
import os
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.wsgi import get_wsgi_application
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.template import engines
from django.utils.translation import gettext as _
from filelock import FileLock, Timeout

from game.management.shell import speak_shell_language
from game.rules import PRESETS
from game.serving import front, process
from game.serving.forking import fork_family
from game.serving.health import list_known_migrations
from game.serving.worker_beside import keep_worker, start_worker
from game.strategy.preload import preload_or_log
from game.web.compiled_templates import hash_files

TRIES = 20


class Command(BaseCommand):
    help = "Set up the database and the files, and start the site."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=read_port, default=8000, help="the port, or the first free one after it")
        parser.add_argument("--lan", action="store_true", help="let the phones of the home network in")

        parser.add_argument("--no-worker", action="store_true", help="start no worker beside it (see manage.py work)")

    def handle(self, *args: Any, port: int, lan: bool, no_worker: bool, **options: Any) -> None:
        with lock_site():
            set_up_site()
            addresses = list_home_addresses() if lan else []
            if lan and not addresses:
                with speak_shell_language():
                    raise CommandError(
                        _("This machine has no address on a home network. Start without --lan to play on it.")
                    )
            settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *addresses]
            opened = listen_on_free_port("0.0.0.0" if lan else "127.0.0.1", port)  # noqa: S104 - --lan asks for that
            with speak_shell_language():
                self.announce(opened.getsockname()[1], port, addresses)
            serve_site(opened, with_worker=not no_worker)
        with speak_shell_language():
            self.stdout.write(_("Stopped."))

    def announce(self, port: int, wanted: int, addresses: list[str]) -> None:
        """Print where the site is, and why its port is not the one `wanted`."""
        if port != wanted:
            self.stdout.write(
                _("Port %(wanted)s is taken, so the site uses %(port)s.") % {"wanted": wanted, "port": port}
            )
        self.stdout.write(_("10,000 is at %(address)s (Ctrl+C stops it)") % {"address": f"http://127.0.0.1:{port}/"})
        for address in addresses:
            self.stdout.write(_("On this network: %(address)s") % {"address": f"http://{address}:{port}/"})
        if addresses:
            self.stdout.write(draw_qr_code(f"http://{addresses[0]}:{port}/"))
        self.stdout.flush()


def read_port(text: str) -> int:
    """Return the number of a port. Raises `ArgumentTypeError`."""
    if not (text.isdecimal() and len(text) < 6 and 0 < int(text) < 65536):
        raise ArgumentTypeError("a port is a whole number from 1 to 65535")
    return int(text)


@contextmanager
def lock_site() -> Iterator[None]:
    """Hold the lock of this data folder's site, from its set-up on.

    Raises `CommandError` if a site is served from the folder: on SQLite both would hear late of moves.
    """
    try:
        # The same lock that `serve_site` takes.
        held = FileLock(settings.SITE_LOCK_FILE, is_singleton=True).acquire(timeout=0)
    except Timeout as taken:
        place = str(settings.DATA_DIR)
        with suppress(OSError):  # Windows lets nobody read a locked file
            place = settings.SITE_LOCK_FILE.read_text() or place
        with speak_shell_language():
            raise CommandError(_("This site is already running: %(place)s") % {"place": place}) from taken
    with held:
        with suppress(OSError):  # as in `serve_site`
            settings.SITE_LOCK_FILE.write_text("")  # until this site has an address
        yield


def set_up_site() -> None:
    """Migrate the database and collect the files, once nobody else does so with this data folder."""
    with FileLock(settings.SET_UP_LOCK_FILE):
        migrate_database()
        collect_static()


def migrate_database() -> None:
    """Migrate the database, once no other machine does, and leave no connection open.

    Raises `CommandError` for the database of a newer release: this one would fail later, where it was changed.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # held until the connection is closed
            cursor.execute("SET statement_timeout = 0; SET lock_timeout = 0; SELECT pg_advisory_lock(10000)")
            cursor.execute("RESET lock_timeout")
    newer = MigrationRecorder(connection).applied_migrations().keys() - list_known_migrations()
    if any(app == "game" for app, _name in newer):
        with speak_shell_language():
            raise CommandError(
                _("The database belongs to a newer release. Update the program, or restore a backup of this one.")
            )
    call_command("migrate", verbosity=0, interactive=False)
    connection.close()


def collect_static() -> None:
    """Collect static files into the served folder, if anything has changed since the last time."""
    stamp = settings.STATIC_ROOT / "collected"
    listed = (storage.path(name) for finder in get_finders() for name, storage in finder.list([]))
    state = hash_files(map(Path, listed))
    if not stamp.is_file() or stamp.read_text() != state:
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(state)


def draw_qr_code(address: str) -> str:
    """Return an address as a QR code made of the characters of a terminal."""
    import segno  # only when a code is drawn, since the module stays in memory

    drawing = io.StringIO()
    segno.make(address, error="m").terminal(drawing, compact=True)
    return drawing.getvalue()


def listen_on_free_port(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the first free port from `port` on. Raises `CommandError` if none is free."""
    candidates = range(port, min(port + TRIES, 65536))
    for candidate in candidates:
        try:
            return listen_on(host, candidate)
        except OSError as error:
            reason = error.strerror  # ports below 1024 may be free and yet denied
    with speak_shell_language():
        text = _("No free port from %(port)s to %(last)s. Choose another with --port.")
        raise CommandError(f"{text % {'port': port, 'last': candidates[-1]}} ({reason})")


def listen_on(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port. Raises `OSError` if it is taken."""
    opened = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if os.name == "posix":  # otherwise the port of a site that was just stopped stays taken for a minute
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen(2048)
    except OSError:
        opened.close()
        raise
    return opened


def list_home_addresses() -> list[str]:
    """Return this machine's addresses in private networks, first the one from which packets leave."""
    return list(dict.fromkeys(filter(is_home, [find_outgoing_address(), *list_named_addresses()])))


def find_outgoing_address() -> str:
    """Return the address from which packets to the outside leave, "" if there is none.

    Nothing is sent: connecting a UDP socket only chooses a route, and 192.0.2.1 is reserved.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def list_named_addresses() -> list[str]:
    """Return the addresses to which this machine's name resolves."""
    try:
        return socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return []


def is_home(address: str) -> bool:
    """Return whether other devices of a home network can reach this address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return parsed.is_private and not parsed.is_loopback and not parsed.is_unspecified


def serve_site(opened: socket.socket, processes: int = 1, *, with_worker: bool = False) -> None:
    """Serve the site until it is stopped, with this many processes and, if wanted, a worker beside them.

    Exits with code 1 if one of the processes ended unexpectedly, so that service managers start the site again.
    """
    process.use_one_malloc_arena()
    process.make_room_for_streams()
    application = get_wsgi_application()
    load_before_forks(processes)
    worker = start_worker(opened) if with_worker else None
    family = fork_family(processes)
    process.use_one_core(family)
    lock = FileLock(settings.SITE_LOCK_FILE, is_singleton=True)
    with suppress(Timeout):  # held by another process of the same site: the lock shows that one is running
        lock.acquire(timeout=0)
        with suppress(OSError):  # Windows lets nobody write to a locked file, and the disk may be full
            settings.SITE_LOCK_FILE.write_text(f"http://127.0.0.1:{opened.getsockname()[1]}/")
    kept = keep_worker(worker) if worker and family.number == 0 else nullcontext()
    server = process.make_server(front.build_site(application), family)
    with kept, suppress(KeyboardInterrupt):  # the usual way to stop it
        server.run(sockets=[opened])
    lock.release()
    if server.lost_another:
        sys.exit(1)


def load_before_forks(processes: int) -> None:
    """Load before forking what every process would otherwise load for itself; start no thread, keep no connection."""
    import_module(settings.ROOT_URLCONF)  # and all views with it
    engines.all()
    if processes > 1:  # a single process loads odds when somebody first asks for them, which on many sites nobody does
        classic = PRESETS["classic"]  # the rules that most people play
        preload_or_log(classic, classic.target)
    connections.close_all()
    gc.collect()
    gc.freeze()  # else the garbage collector would write to all objects, and each process would get its own copies
