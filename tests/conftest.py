"""What all tests share: the database, the running site, and browsers that fail a test when a page complains."""

import asyncio
import contextlib
import faulthandler
import gc
import math
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import jinja2
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.signals import setting_changed
from django.db import connections
from django.dispatch import receiver
from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.test import TransactionTestCase, override_settings
from django.utils import translation
from filelock import FileLock
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect, sync_playwright
from pytest_django import DjangoDbBlocker, Settings
from uvicorn import Server

from game import lock
from game.management.commands.makemessages import list_sources
from game.strategy import preload
from game.web.compiled_templates import delete_other_versions, hash_files
from tests import own_sites, patience, pseudo, snapshot
from tests.chromium import ARGUMENTS, CHROMIUM
from tests.contexts import Contexts
from tests.examples import PROFILES, list_left_out
from tests.slow_site import slow_down

PLAIN_FILES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
QUICK_HASHES = ["django.contrib.auth.hashers.MD5PasswordHasher"]
HASHED_FILES = {**PLAIN_FILES, "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}

# Sites in processes of their own, started, killed and migrated: each takes seconds.
OWN_SITES = {"own_site", "old_site", "image", "play"}

HANGING_SECONDS = 660  # no test takes more than a twentieth of that

for name, profile in PROFILES.items():
    hypothesis.settings.register_profile(name, profile)
hypothesis.settings.load_profile("same")


class Watchdog:
    """Ends a run in which a test hangs, with the stacks of all threads, instead of letting it wait for ever.

    `faulthandler_timeout` would begin a thread for each test, and wait until that of the test before has ended.
    """

    def __init__(self) -> None:
        """Take the real standard error: what tests write there is kept back."""
        self.stderr, self.begun = os.dup(2), -math.inf

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> None:
        """Begin to wait anew, unless that was less than a minute ago."""
        if time.monotonic() - self.begun > 60:
            self.begun = time.monotonic()
            faulthandler.dump_traceback_later(HANGING_SECONDS, exit=True, file=self.stderr)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Watchdog())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn each skip into a failure where REQUIRE is set, as in the gate: no test may be left out there."""
    report = yield
    if report.skipped and os.environ.get("REQUIRE"):
        report.outcome = "failed"
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.browser)
        if fixtures & OWN_SITES:
            item.add_marker(pytest.mark.own_site)
    left_out = {item for item in items if is_for_another_database(item) or lacks_tool(item)} | list_left_out(items)
    config.hook.pytest_deselected(items=list(left_out))
    # Sites of their own come first: they take longest and mostly wait, so at the end they would leave cores idle.
    kept = [item for item in items if item not in left_out]
    items[:] = sorted(kept, key=lambda item: "own_site" not in item.keywords)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exempt all that is loaded by now from garbage collection: looking through it takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def lacks_tool(item: pytest.Item) -> bool:
    """Whether a test needs a program that is not on this machine. Where REQUIRE is set it runs, and fails."""
    if os.environ.get("REQUIRE"):
        return False
    lacks_dump = connections["default"].vendor == "postgresql" and not shutil.which("pg_dump")
    return ("browser" in item.keywords and not CHROMIUM) or ("pg_dump" in item.keywords and lacks_dump)


def is_for_another_database(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("only_on")
    return mark is not None and mark.args[0] != connections["default"].vendor


@pytest.fixture(scope="session", autouse=True)
def strict_templates() -> None:
    """Raise an error for each value that a template asks for and does not get."""
    pages = engines["jinja2"]
    assert isinstance(pages, Jinja2)
    pages.env.undefined = jinja2.StrictUndefined


@pytest.fixture(scope="session", autouse=True)
def nothing_loads_beside() -> Iterator[None]:
    """Start no thread that loads values for pages: a test that needs them loads them, and the others are faster."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preload, "_start_worker", lambda: None)
        yield


@receiver(setting_changed)
def forget_addresses_of_files(*, setting: str, **_: object) -> None:
    """Forget the addresses of files, which never change in a real process: some tests have theirs with hashes."""
    if setting == "STORAGES":
        from game.web.jinja import find_file  # once Django is set up

        find_file.cache_clear()


# ---- Database and files -----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def migrated_once(pytestconfig: pytest.Config) -> Iterator[tuple[Path, FileLock]]:
    """The migrated database, which parallel test processes copy. The first of them makes it; the others wait.

    Migrating takes seconds of a core. On SQLite the database is a file, which is kept for the next run, too, unless a
    file of the program changed. On PostgreSQL it has the name of that file, and ends with the process that made it.
    """
    kept = find_kept_folder(pytestconfig, "database")
    program = [path for folder in ("game", "config") for path in Path(settings.ROOT, folder).rglob("*.*")]
    state = hash_files(path for path in program if path.suffix not in (".pyc", ".po", ".mo"))
    migrated, turn = kept / f"migrated_{state[:16]}.sqlite3", FileLock(f"{kept}.lock")
    with turn:
        for older in kept.iterdir():
            if older != migrated:
                older.unlink()
    yield migrated, turn
    turn.release(force=True)


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Whether to use a database that exists already: on SQLite the copy, which is deleted with its folder."""
    return connections["default"].vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, migrated_once: tuple[Path, FileLock]
) -> Iterator[None]:
    """Keep SQLite in a file, as in real life: the threads of the server must see what the test wrote."""
    database = connections["default"].settings_dict
    migrated, turn = migrated_once
    turn.acquire()
    with tempfile.TemporaryDirectory(prefix="ten-thousand-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(lock, "LOCK_SECONDS", patience.SECONDS)
        if connections["default"].vendor == "sqlite":
            database["TEST"]["NAME"] = f"{folder}/test.sqlite3"
            survives_nothing = "PRAGMA journal_mode=WAL;PRAGMA synchronous=OFF;"  # and nothing has to
            database["OPTIONS"] |= {"timeout": patience.SECONDS, "init_command": survives_nothing}
            if there := migrated.exists():
                shutil.copy(migrated, database["TEST"]["NAME"])
        else:
            limits = f" -c lock_timeout={patience.SECONDS}s -c statement_timeout={patience.SECONDS}s"
            database["OPTIONS"] = database["OPTIONS"] | {"options": database["OPTIONS"]["options"] + limits}
            if there := snapshot.has_database(migrated.stem):
                database["TEST"]["TEMPLATE"] = migrated.stem
        if there:
            turn.release()
        yield


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, migrated_once: tuple[Path, FileLock]
) -> Iterator[None]:
    """Put back only the tables that a test changed: emptying and filling all of them would take 0.4 s a test."""
    migrated, turn = migrated_once
    with contextlib.ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        with django_db_blocker.unblock():
            if turn.is_locked:
                stack.enter_context(snapshot.keep_database(migrated))
                turn.release()
            put_back = stack.enter_context(snapshot.take_snapshot())
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda test: put_back())
        yield


@pytest.fixture(scope="session", autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give each parallel test process its own locks: it has its own database, and need not wait for the others."""
    folder = tmp_path_factory.mktemp("data")
    names = ("WRITE_LOCK_FILE", "WORKER_LOCK_FILE", "SITE_LOCK_FILE", "PICTURES_DIR")
    with override_settings(**{name: folder / getattr(settings, name).name for name in names}):
        yield folder


@pytest.fixture(scope="session", autouse=True)
def compiled_templates(pytestconfig: pytest.Config) -> Iterator[None]:
    """Keep compiled templates for all processes and for the next run: compiling takes seconds of each."""
    with override_settings(TEMPLATES_DIR=find_kept_folder(pytestconfig, "templates")):
        delete_other_versions()
        yield


def find_kept_folder(config: pytest.Config, name: str) -> Path:
    """Return a folder that all test processes share, and the next run, too."""
    assert config.cache is not None  # pytest's own plugin makes it
    return config.cache.mkdir(name)


def find_shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder that parallel test processes share."""
    return tmp_path_factory.getbasetemp() if worker_id == "master" else tmp_path_factory.getbasetemp().parent


@pytest.fixture(scope="session", autouse=True)
def plain_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Spare ordinary tests the static files and their manifest, the rate limits, and slow password hashes."""
    folder = tmp_path_factory.mktemp("empty")
    with override_settings(STORAGES=PLAIN_FILES, STATIC_ROOT=folder, LIMITS={}, PASSWORD_HASHERS=QUICK_HASHES):
        yield


@pytest.fixture(scope="session")
def collected(pytestconfig: pytest.Config) -> Path:
    """The static files as the real site has them: hashed names, compressed. Compressing them takes a second."""

    def collect(folder: Path) -> None:
        with override_settings(STORAGES=HASHED_FILES, STATIC_ROOT=folder):
            call_command("collectstatic", interactive=False, verbosity=0)

    requirements = Path(settings.ROOT, "config/requirements").iterdir()
    return make_kept(pytestconfig, "static", [*Path(settings.ROOT, "static").rglob("*"), *requirements], collect)


def make_kept(config: pytest.Config, name: str, sources: Iterable[Path], make: Callable[[Path], None]) -> Path:
    """Return a folder that `make` filled, for all processes and for the next run, unless one of its sources changed.

    Of parallel processes the first that needs the folder fills it.
    """
    kept = find_kept_folder(config, name)
    folder = kept / hash_files(sources)[:16]
    whole = folder.with_suffix(".whole")
    with FileLock(f"{kept}.lock"):
        if not whole.exists():
            shutil.rmtree(kept)
            folder.mkdir(parents=True)
            make(folder)
            whole.touch()
    return folder


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Each test begins in English: a page in another language leaves that language to the thread it was made in."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session")
def pseudo_catalog(pytestconfig: pytest.Config) -> Path:
    """The folder with the pseudo-language, for which all sentences of the site are collected."""
    sources = [Path(pseudo.__file__), *(path for path, _method in list_sources())]
    return make_kept(pytestconfig, "locale", sources, pseudo.write_catalog)


@pytest.fixture
def pseudo_language(pseudo_catalog: Path, settings: Settings) -> None:
    """Let the site offer English and the pseudo-language, and no other."""
    settings.LANGUAGES = [("en", "English"), (pseudo.LANGUAGE, "Pseudo")]
    settings.LOCALE_PATHS = [pseudo_catalog]


# ---- The running site -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Site:
    port: int
    server: Server

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def finish(self) -> None:
        """Wait for requests that are still being answered: emptying the tables under them would be a deadlock."""
        from game.live.hub import hub
        from game.live.token import PATH

        state = self.server.server_state
        until = time.monotonic() + patience.SECONDS
        while (state.tasks or state.connections) and time.monotonic() < until:
            # A browser that is used again would keep them for seconds, even streams that closed pages had just begun.
            for connection in tuple(state.connections):
                scope: Any = getattr(connection, "scope", None) or {}
                is_stream = scope.get("path", "").startswith(PATH)  # there is none before the head of a request
                end = connection.transport.close if is_stream else connection.shutdown
                connection.loop.call_soon_threadsafe(end)
            time.sleep(0.005)
        if hub.loop and not hub.loop.is_closed():  # a test with a loop of its own may have left one behind
            asyncio.run_coroutine_threadsafe(forget_everybody(), hub.loop).result(patience.SECONDS)
        hub.database.pool.submit(int).result()  # all that was queued before it is done by then


async def forget_everybody() -> None:
    """Forget the people still to be recorded as present: the next test has its own, and may have no server."""
    from game.live.hub import hub

    hub.heard.clear()
    hub.end_work()
    hub.loop = None


@pytest.fixture(scope="session")
def _server(django_db_setup: None, collected: Path) -> Iterator[Site]:
    from django.core.wsgi import get_wsgi_application

    from game.serving import front, process
    from game.serving.forking import Family

    with override_settings(STORAGES=HASHED_FILES, STATIC_ROOT=collected, TRUSTED_PROXIES=["127.0.0.1"]):
        application: Any = front.build_site(get_wsgi_application())
        running = process.make_server(slow_down(application), Family())
    opened = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=running.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    patience.wait_until(lambda: running.started, "The server does not start.")
    yield Site(opened.getsockname()[1], running)
    running.should_exit = True
    thread.join(patience.SECONDS)
    close_connections(application.pages.pages.threads)


def close_connections(pool: ThreadPoolExecutor) -> None:
    """Let each thread close its connection: PostgreSQL would not drop a database that somebody is connected to."""
    together = threading.Barrier(settings.PAGE_THREADS)

    def close() -> None:
        together.wait(patience.SECONDS)
        connections.close_all()

    for _ in range(settings.PAGE_THREADS):
        pool.submit(close)
    pool.shutdown()


@pytest.fixture
def site(_server: Site, collected: Path, transactional_db: None) -> Iterator[Site]:
    """The real server on a real port, for tests that come over the network.

    Clients without a network ask it for no file, so none of them looks through all files when it begins.
    """
    with override_settings(STORAGES=HASHED_FILES, STATIC_ROOT=collected, WHITENOISE_AUTOREFRESH=True):
        yield _server
    _server.finish()


# ---- Sites of their own, in processes of their own -----------------------------------------------------------------


@pytest.fixture(scope="session")
def new_site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[tuple[Path, str]]:
    """A folder and a database that are set up; most tests of a site of its own begin with a copy of them.

    Parallel test processes share them.
    """
    folder = find_shared_folder(tmp_path_factory, worker_id) / "new-site"
    with own_sites.share_site(folder) as database:
        yield folder, database


@pytest.fixture
def own_site(new_site: tuple[Path, str], tmp_path: Path) -> Iterator[own_sites.RealSite]:
    """A site of its own, set up and without games, on the kind of database that the tests run on."""
    folder, like = new_site
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    with own_sites.lend_database(own_sites.find_database_server(), like) as more:
        site = own_sites.RealSite(tmp_path, more, with_odds=False)
        yield site
        site.stop()


# ---- Browsers ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Playwright runs a loop in this thread, and Django would refuse to touch the database beside it.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        expect.set_options(timeout=1000 * patience.SECONDS)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        # Beside a running loop this thread has another connection, which the end of the tests does not know of.
        connections.close_all()
        browser.close()


@pytest.fixture(scope="session")
def contexts(chromium: Browser, _server: Site) -> Contexts:
    return Contexts(chromium, _server.url)


@pytest.fixture
def browse(contexts: Contexts, site: Site, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """A function that opens a page in a browser of its own: browse(width=360, dark=True, javascript=False, ...).

    With `first_visit` the browser has none of the site's files yet. Unless the test is marked `unhastened`, animations
    take a twentieth of their time; unless it is marked so or `painted`, the beats of a throw do, too, and pages are
    laid out but not painted. The test fails when one of the pages has a script error, is refused something by its
    policy, or gets a 5xx.
    """
    complaints: list[str] = []
    with contextlib.ExitStack() as opened:

        def open_page(
            width: int = 1280,
            *,
            dark: bool = False,
            javascript: bool = True,
            first_visit: bool = False,
            **options: Any,
        ) -> Page:
            lent = contexts.lend(first_visit=first_visit, java_script_enabled=javascript, **options)
            page = opened.enter_context(lent).new_page()
            resize_page(page, width)
            if dark:
                page.emulate_media(color_scheme="dark")
            spare_unseen(page, request)
            page.on("console", lambda message: complaints.extend(judge_console(message)))
            page.on("pageerror", lambda error: complaints.append(f"script error: {error}"))
            page.on("response", lambda response: complaints.extend(judge_answer(response)))
            page.on("requestfailed", lambda request: complaints.extend(judge_request(request)))
            return page

        yield open_page
    assert not complaints, "\n".join(complaints)


def resize_page(page: Page, width: int) -> None:
    """Make the window of a page as wide as this, in px, and as high as those of phones or of larger devices."""
    page.set_viewport_size({"width": width, "height": 740 if width < 600 else 800})


def spare_unseen(page: Page, request: pytest.FixtureRequest) -> None:
    """Spare Chromium what nobody looks at in this test, as `browse` says."""
    marked = request.node.get_closest_marker
    if not marked("unhastened"):
        hasten_animations(page)
        if not marked("painted"):
            hasten_pauses(page)
            leave_unpainted(page)


def hasten_animations(page: Page) -> None:
    """Run animations 20 times as fast: nobody watches the dice, and painting them is a third of the work of a throw."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 20})


def hasten_pauses(page: Page) -> None:
    """Make pauses within a function of the page 20 times as short: the beats of a throw, in which animations run.

    Their timers call nothing but the end of a promise, which is a function of the engine. All other timers keep their
    pace, so the page asks, repeats and announces as late as it does for people.
    """
    page.add_init_script(
        """{
            const begin = setTimeout
            const pauses = act => Function.prototype.toString.call(act).includes('[native code]')
            window.setTimeout = (act, ms, ...more) => begin(act, pauses(act) ? ms / 20 : ms, ...more)
        }"""
    )


def leave_unpainted(page: Page) -> None:
    """Let documents of the page be invisible as a whole on the screen, for a fifth less work of Chromium.

    Layout, focus, presses and print stay the same, and Playwright takes no opacity for hidden. An observer of shifts
    would see none, so there is none: a test with one fails unless it is marked `painted`.
    """
    page.add_init_script(
        """{
            const sheet = new CSSStyleSheet()
            sheet.replaceSync('@media screen { html { opacity: 0 } }')
            document.adoptedStyleSheets = [sheet]
            delete window.PerformanceObserver
        }"""
    )


def judge_console(message: ConsoleMessage) -> list[str]:
    """Complaints about a console message.

    `judge_answer` judges statuses: a 409 or 422 is an ordinary answer. `judge_request` judges requests without an
    answer: of one that is given up because the page leads elsewhere, htmx says that it failed.
    """
    judged_elsewhere = message.text.startswith(("Failed to load resource", "htmx: htmx:error: Failed to fetch"))
    if message.type not in ("error", "warning") or judged_elsewhere:
        return []
    return [f"console {message.type}: {message.text}"]


def judge_answer(response: Response) -> list[str]:
    missing_file = response.status == 404 and response.request.resource_type != "document"
    return [f"{response.status}: {response.url}"] if response.status >= 500 or missing_file else []


def judge_request(request: Request) -> list[str]:
    given_up = request.failure == "net::ERR_ABORTED"
    return [] if given_up else [f"{request.failure}: {request.url}"]


@pytest.fixture
def page(browse: Callable[..., Page]) -> Page:
    return browse()


@pytest.fixture
def phone(browse: Callable[..., Page]) -> Page:
    return browse(width=360, has_touch=True)


@pytest.fixture
def plain(browse: Callable[..., Page]) -> Page:
    """A browser without JavaScript, and without motion: no script tells when a die has come to rest."""
    return browse(javascript=False, reduced_motion="reduce")
