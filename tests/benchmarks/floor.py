"""What an answer of the site costs compared with one of a stock Django project: `python tests/benchmarks/floor.py`.

The stock project is `startproject` with its default middleware on the same server, with as many threads, the same
SQLite settings and answers of the same size: a POST is one immediate transaction with a read and two writes, a GET has
two reads. Both are asked alternately in one run, and the CPU times of the two processes are compared, stock ÷ ours.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.site import read_hidden_field  # noqa: E402
from tests.own_sites import RealSite, find_free_port  # noqa: E402

Pairs = dict[str, tuple[Callable[[], None], Callable[[], None]]]

GOALS = {
    "move": 0.50,
    "board after a move": 0.70,
    "game page": 0.50,
    "home": 0.60,
    "nothing new (204)": 1.0,
    "spectators' board": 1.0,
}

STOCK_SETTINGS = """
DEBUG = False
ALLOWED_HOSTS = ["localhost"]
INSTALLED_APPS += ["stock"]
DATABASES["default"] |= {
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "timeout": 5,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;",
    },
}
TEMPLATES[0]["DIRS"] = [BASE_DIR / "templates"]
"""

STOCK_MODELS = """
from django.db import models


class Game(models.Model):
    code = models.CharField(max_length=20, unique=True)
    version = models.IntegerField(default=0)


class Throw(models.Model):
    game = models.ForeignKey(Game, on_delete=models.CASCADE)
    dice = models.CharField(max_length=6)
"""

STOCK_URLS = """
from django.db import transaction
from django.db.models import F
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path

from stock.models import Game, Throw


def show(request, code, size):
    game = get_object_or_404(Game, code=code)
    throw = Throw.objects.filter(game=game).last()
    if not size:
        return HttpResponse(status=204)
    return render(request, f"{size}.html", {"game": game, "throw": throw})


def move(request, code, size):
    with transaction.atomic():
        game = get_object_or_404(Game, code=code)
        throw = Throw.objects.create(game=game, dice="123456")
        Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
    return render(request, f"{size}.html", {"game": game, "throw": throw})


urlpatterns = [path("<code>/<int:size>", show), path("<code>/<int:size>/move", move)]
"""

STOCK_SERVER = """
import socket, sys
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
import uvicorn
from a2wsgi import WSGIMiddleware
site = WSGIMiddleware(application, workers=int(sys.argv[2]))
server = uvicorn.Server(uvicorn.Config(site, ws="none", lifespan="off", log_config=None, access_log=False))
server.run(sockets=[socket.create_server(("127.0.0.1", int(sys.argv[1])))])
"""


class Browser:
    """One connection that is kept open, with its cookies; it accepts compressed answers, as browsers do."""

    def __init__(self, port: int) -> None:
        self.open = HTTPConnection("127.0.0.1", port)
        self.cookies: dict[str, str] = {}
        self.body = ""

    def ask(self, path: str, form: list[tuple[str, str]] | None = None) -> None:
        """Send a form, or request a page without one."""
        headers = {
            "Host": "localhost",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Accept-Encoding": "gzip",
            "HX-Request": "true",
        }
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        method = "GET" if form is None else "POST"
        body = None if form is None else urlencode(form)
        try:
            self.open.request(method, path, body, headers)
            answer = self.open.getresponse()
        except ConnectionError:  # as a browser does after a connection was closed because it was idle for too long
            self.open.close()
            self.open.request(method, path, body, headers)
            answer = self.open.getresponse()
        content = answer.read()
        zipped = answer.headers["Content-Encoding"] == "gzip"
        self.body = (gzip.decompress(content) if zipped else content).decode()
        assert answer.status in (200, 204), f"{answer.status} {method} {path} {self.body[:500]}"
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value


class Player(Browser):
    """A browser that plays a game of the site, or watches it."""

    def __init__(self, port: int, code: str, visitor: str) -> None:
        super().__init__(port)
        self.code = code
        self.cookies["visitor"] = visitor
        self.load_page()

    def move(self) -> None:
        """Throw, keeping the dice that are ticked on the page."""
        tray = self.body.split('id="tray"')[1].split("</form>")[0]
        kept = [("keep", column) for column in re.findall(r'name="keep" value="(\d)" checked', tray)]
        hidden_fields = [(name, read_hidden_field(tray, name)) for name in ("csrfmiddlewaretoken", "version")]
        self.ask(f"/g/{self.code}/throw", [*hidden_fields, ("key", secrets.token_urlsafe(16)), *kept])

    def play_to_a_choice(self) -> None:
        """Play until a throw leaves a choice and does not end the turn."""
        self.load_page()
        self.move()
        while 'id="earlier"' in self.body:
            self.move()
        self.version = int(read_hidden_field(self.body, "version"))

    def load_page(self) -> None:
        self.ask(f"/g/{self.code}")

    def load_home(self) -> None:
        self.ask("/")

    def load_board_after_move(self) -> None:
        self.ask(f"/g/{self.code}/board?version={self.version - 1}")

    def load_whole_board(self) -> None:
        self.ask(f"/g/{self.code}/board?version=0")

    def ask_for_news(self) -> None:
        self.ask(f"/g/{self.code}/board?version={self.version}")


class Stranger(Browser):
    """A browser that asks the stock project for answers of a given number of bytes."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.read(1)
        self.token = read_hidden_field(self.body, "csrfmiddlewaretoken")

    def read(self, size: int) -> None:
        self.ask(f"/game0/{size}")

    def write(self, size: int) -> None:
        keep = [("key", secrets.token_urlsafe(16)), ("version", "1"), ("keep", "1")]
        self.ask(f"/game0/{size}/move", [("csrfmiddlewaretoken", self.token), *keep])


def write_template(size: int) -> str:
    """Return a template of the stock project whose page has this many bytes and shows the rows of the two reads."""
    start = "<form>{% csrf_token %}</form>{{ game.code }} {{ game.version }} {{ throw.dice }}\n"
    lines = '<p class="row">{% if game.version %}{{ throw.dice }}{% else %}{{ game.version }}{% endif %}' + "x" * 150
    return start + (lines + "</p>\n") * (max(size - 150, 0) // 175)


STOCK_ROWS = """
from stock.models import Game, Throw
Throw.objects.create(game=Game.objects.create(code="game0"), dice="123456")
"""


@contextmanager
def serve_stock(folder: Path, sizes: set[int]) -> Iterator[tuple[int, int]]:
    """Serve a new stock project, with a page of each of these sizes in bytes. Yields its port and its process id."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DJANGO_SETTINGS_MODULE": "project.settings", "PYTHONPATH": str(folder)}

    def run(*command: str) -> None:
        subprocess.run([sys.executable, *command], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)

    folder.mkdir()
    run(
        "-c",
        "from django.core.management import call_command as run; run('startproject', 'project', '.')",
    )
    files = {"stock/__init__.py": "", "stock/migrations/__init__.py": "", "stock/models.py": STOCK_MODELS}
    files |= {"project/urls.py": STOCK_URLS, "server.py": STOCK_SERVER}
    files |= {f"templates/{size}.html": write_template(size) for size in {1, *sizes} - {0}}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    with (folder / "project/settings.py").open("a") as settings:
        settings.write(STOCK_SETTINGS)
    run("manage.py", "makemigrations", "stock")
    run("manage.py", "migrate")
    run("manage.py", "shell", "-v0", "-c", STOCK_ROWS)
    port = find_free_port()
    server = subprocess.Popen([sys.executable, "server.py", str(port), "4"], cwd=folder, env=environment)
    try:
        wait_for_port(port)
        yield port, server.pid
    finally:
        server.kill()
        server.wait()


def wait_for_port(port: int) -> None:
    """Return once a server listens on the port. Raises `TimeoutError` after 30 seconds or more."""
    for _ in range(3000):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.01)
    raise TimeoutError("The server did not start.")


@contextmanager
def serve_ours(folder: Path) -> Iterator[tuple[int, int, str]]:
    """Serve a new site. Yields its port, its process id and the code of a game that `VISITOR` plays with a friend."""
    folder.mkdir()
    site = RealSite(folder, {}, with_odds=False)
    site.manage("serve", "--set-up")
    code = site.ask(OUR_GAME.format(VISITOR)).splitlines()[-1]
    try:
        yield site.port, site.start(), code
    finally:
        site.stop()


VISITOR = "1" * 43
OUR_GAME = """
from game import identity, services
from game.models import RulesetRow
from game.rules import Entry
people = [Entry("Ana"), Entry("Bo")]
print(services.create_game(identity.Browser("{}", True), "k" * 22, RulesetRow.objects.get(slug="classic"), people).code)
"""


def read_cpu_seconds(process: int) -> float:
    """Return the CPU seconds of a process so far, in user and in system mode."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def compare_answers(
    answers: dict[str, tuple[Callable[[], None], Callable[[], None]]], ours: int, stock: int, times: int
) -> bool:
    """Print the CPU milliseconds of each answer, ours and stock; return whether all ratios reach their goals."""
    print(f"{'':22}{'ours':>9}{'stock':>9}   stock ÷ ours")
    good = True
    for name, pair in answers.items():
        spent = [0.0, 0.0]
        for _ in range(8):
            for number, (ask, process) in enumerate(zip(pair, (ours, stock), strict=True)):
                began = read_cpu_seconds(process)
                for _ in range(times):
                    ask()
                spent[number] += read_cpu_seconds(process) - began
        mine, theirs = (1000 * seconds / (8 * times) for seconds in spent)
        ratio = theirs / mine
        good = good and ratio >= GOALS[name]
        print(f"{name:22}{mine:7.2f}ms{theirs:7.2f}ms   {ratio:5.2f}   at least {GOALS[name]:.2f} wanted", flush=True)
    return good


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=50, help="answers in each of eight turns")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, serve_ours(Path(folder, "ours")) as (port, ours, code):
        player, spectator = Player(port, code, VISITOR), Player(port, code, "2" * 43)
        player.play_to_a_choice()
        asks = {
            "move": player.move,
            "board after a move": player.load_board_after_move,
            "game page": player.load_page,
            "home": player.load_home,
            "nothing new (204)": player.ask_for_news,
            "spectators' board": spectator.load_whole_board,
        }
        sizes = {}
        for name, ask in reversed(asks.items()):  # the move comes last, because it changes what the others show
            ask()
            sizes[name] = len(player.body if ask != spectator.load_whole_board else spectator.body)
        with serve_stock(Path(folder, "stock"), set(sizes.values())) as (stock_port, stock):
            stranger = Stranger(stock_port)

            def answer_of_stock(name: str) -> Callable[[], None]:
                ask = stranger.write if name == "move" else stranger.read
                return lambda: ask(sizes[name])

            player.play_to_a_choice()
            pairs = {name: (ask, answer_of_stock(name)) for name, ask in reversed(asks.items())}
            sys.exit(not compare_answers(pairs, ours, stock, chosen.times))


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    main()
