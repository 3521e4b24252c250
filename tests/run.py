"""`manage.py test`: lint, types, every test on SQLite, and the tests of the database on PostgreSQL if there is one.

`--quick` leaves out the browser, PostgreSQL, and what runs in a process of its own, and tries a tenth of the examples,
random ones and those of tests marked `examples`. `--database` runs only the tests of the database, on the PostgreSQL
that DATABASE_URL names. Other arguments go to pytest, which then runs once, on SQLite or on what DATABASE_URL names; a
folder of tests is run by several processes.
Tests that need a program that is missing here are left out. With REQUIRE=browser,postgres, as in the gate, they fail
instead, and so does every test that would be skipped.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests import pgserver
from tests.chromium import CHROMIUM

# A test run is the same in every shell, and never touches somebody's games.
OURS = (
    *("ADMIN_PATH", "ALLOWED_HOSTS", "DEBUG", "HTTPS", "LIMITS", "PAGE_THREADS", "SECRET_KEY", "TRUSTED_PROXIES"),
    *("EMAIL_FROM", "EMAIL_HOST", "EMAIL_PASSWORD", "EMAIL_PORT", "EMAIL_USER"),
    *("PUSH_KEY", "PUSH_NETWORKS"),
    *("STREAMS", "STREAMS_PER_ADDRESS", "STREAMS_PER_VISITOR"),
)
LINT = (
    ("-m", "ruff", "check"),
    ("-m", "ruff", "format", "--check"),
    ("-c", "from importlinter.cli import lint_imports_command as lint; lint()"),
)
TYPES = ("-m", "mypy")  # takes longest, on one core, so it runs beside the tests
IN_PARALLEL = ["-n", "auto", "--dist", "worksteal"]
# Tests with browsers, and with sites in processes of their own, often wait: two processes more than there are cores.
WITH_BROWSER = ["-n", str((os.cpu_count() or 1) + 2), "--dist", "worksteal"]
QUICK = ["--hypothesis-profile=quick", "--ignore=tests/browser", "-m", "not browser and not own_site"]
# Tests with queries of their own: those that write, lock, count, search or sort, and one walk through all addresses.
# Pages, sentences and forms whose queries also occur in these are tested on SQLite alone.
PAGES_ON_POSTGRESQL = {
    "access": ("access",),
    "account": ("accounts", "prefs", "privacy"),
    "admin": ("admin", "admin_games"),
    "board": ("board_fragments", "seat_colours"),
    "crews": ("crews", "evenings"),
    "friends": ("host_powers", "rematches", "spoken_codes", "transfer", "waiting_page"),
    "history": ("archive", "deleting", "game_lists", "games", "head_to_head", "load", "many_games", "statistics"),
    "real_dice": ("real_dice", "real_dice_together"),
    "review": ("analysis", "growth", "replay"),
    "rulesets": ("own_rules",),
    "site": ("crawlers", "health"),
}
ON_POSTGRESQL = [
    *("tests/services", "tests/live", "tests/calling", "tests/browser", "tests/test_several_processes.py"),
    *(f"tests/views/{folder}/test_{name}.py" for folder, names in PAGES_ON_POSTGRESQL.items() for name in names),
    *(f"--ignore=tests/services/whole_games/test_{name}.py" for name in ("every_ruleset", "computers_and_files")),
    *("-m", "(not browser or smoke) and not one_database"),
]


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="ten-thousand-") as data:
        environment = {name: value for name, value in os.environ.items() if name not in OURS}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of many processes compiles the whole program
        environment |= {"DATA_DIR": data, "LOG": "text"}
        if arguments == ["--database"]:
            return run_pytest([*WITH_BROWSER, *ON_POSTGRESQL], environment)
        if arguments and arguments[0] != "--quick":
            parallel = IN_PARALLEL if any(Path(argument).is_dir() for argument in arguments) else []
            return run_pytest([*parallel, *arguments], environment)
        if run_linters(environment):
            return 1
        with check_types_beside(environment) as types:
            if arguments:
                environment.pop("DATABASE_URL", None)
                failed = run_pytest([*IN_PARALLEL, *QUICK, *arguments[1:]], environment)
                return failed or types()
            if not any(Path(__file__).parent.rglob("*-pytest-*.pyc")):
                collect_once(environment)
            # PostgreSQL first: the last line is then the summary of the whole suite.
            return run_on_postgresql(environment) or types() or run_pytest(WITH_BROWSER, environment)


def run_linters(environment: dict[str, str]) -> int:
    """Return how many of the linters complain."""
    return sum(subprocess.run([sys.executable, *command], env=environment).returncode != 0 for command in LINT)


@contextlib.contextmanager
def check_types_beside(environment: dict[str, str]) -> Iterator[Callable[[], int]]:
    """Begin to check the types; yield a function that waits, prints the result and returns 0 where all is well."""
    command = [sys.executable, *TYPES]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:

        def report() -> int:
            print(run.communicate()[0], end="", flush=True)
            return run.returncode

        try:
            yield report
        finally:
            run.kill()


def collect_once(environment: dict[str, str]) -> None:
    """Compile all tests of a new checkout, or each of several processes would compile all of them for itself."""
    subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-qq"], env=environment, stdout=subprocess.DEVNULL
    )


def run_on_postgresql(environment: dict[str, str]) -> int:
    environment.pop("DATABASE_URL", None)
    if not CHROMIUM:
        print("No Chromium here, so no browser tests (Debian: sudo apt install chromium-headless-shell).", flush=True)
    if programs := pgserver.find_programs():
        print("On PostgreSQL:", flush=True)
        with pgserver.run_server(programs) as address:
            return run_pytest([*WITH_BROWSER, *ON_POSTGRESQL], environment | {"DATABASE_URL": address})
    print("No PostgreSQL here, so none of its tests (Debian: sudo apt install postgresql).", flush=True)
    return 1 if "postgres" in os.environ.get("REQUIRE", "") else 0


def run_pytest(arguments: list[str], environment: dict[str, str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=environment).returncode
