"""What `manage.py play` does before it serves, and what the settings make of the environment."""

import errno
import os
import re
import socket
import stat
import subprocess
import sys
import threading
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.utils import get_random_secret_key
from django.urls import URLPattern, get_resolver
from pytest_django import Settings

from game.kept_secret import keep_secret
from game.live.token import PATH
from game.management.commands import play
from game.management.shell import find_shell_language
from tests.run import OURS

ROOT = Path(__file__).resolve().parent.parent
NAMES = (*OURS, "DATABASE_URL", "DATA_DIR", "LOG")  # of every variable that the settings read


def run_python(tmp_path: Path, question: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in a new process, whose environment holds these settings and no others."""
    # Tests with Chromium set DJANGO_ALLOW_ASYNC_UNSAFE, which is meant for this process alone.
    left_out = {*NAMES, "DJANGO_ALLOW_ASYNC_UNSAFE"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    code = f"import os; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'config.settings'); {question}"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**kept, "DATA_DIR": str(tmp_path), **environment},
        capture_output=True,
        text=True,
    )


def test_every_variable_that_the_settings_read_is_known_to_the_test_run() -> None:
    settings = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    read = re.findall(r'(?:words|switch|number|networks|choice|rates|environ\.get)\("([A-Z_]+)"', settings)
    assert set(read) == set(NAMES)


def test_the_secret_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    keys = []
    threads = [threading.Thread(target=lambda: keys.append(keep_secret(path, get_random_secret_key))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8 and len(set(keys)) == 1 and len(keys[0]) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {file.name for file in tmp_path.iterdir()} == {"secret-key", "secret-key.lock"}


def test_a_secret_is_on_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power cut it is there whole, or the next start makes it."""
    synced: list[tuple[int, bool]] = []
    path = tmp_path / "secret-key"
    monkeypatch.setattr(os, "fsync", lambda file: synced.append((os.fstat(file).st_size, path.exists())))
    keep_secret(path, lambda: "secret")
    assert (synced, path.read_text()) == ([(6, False)], "secret")


def test_only_its_owner_can_look_into_a_folder_that_the_site_makes(tmp_path: Path) -> None:
    made, given = tmp_path / "made", tmp_path / "given"
    given.mkdir()
    given.chmod(0o755)
    for folder in (made, given):
        run_python(folder, "from django.conf import settings; settings.DEBUG").check_returncode()
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (made, given)] == [0o700, 0o755]


TIDY = "import manage, sys; sys.argv = ['manage.py', 'tidy']; manage.main()"


def test_a_data_folder_that_cannot_be_used_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "secret-key").mkdir()
    done = run_python(tmp_path, TIDY)
    assert (done.returncode, done.stderr) == (1, f"DATA_DIR cannot be used: {tmp_path}: Is a directory.\n")


@pytest.mark.parametrize("damaged", [b"", b"\xff" * 60], ids=["empty", "not text"])
def test_a_damaged_secret_key_is_reported_by_its_file(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "secret-key").write_bytes(damaged)
    done = run_python(tmp_path, TIDY)
    complaint = f"{tmp_path}/secret-key is damaged. Delete it: the site then makes a new one.\n"
    assert (done.returncode, done.stderr) == (1, complaint)


@pytest.mark.parametrize("damaged", [b"", b"\xff" * 60, b"private.public"], ids=["empty", "not text", "too short"])
def test_a_damaged_key_for_push_services_is_reported_before_anybody_is_to_be_called(
    tmp_path: Path, damaged: bytes
) -> None:
    (tmp_path / "push-key").write_bytes(damaged)
    done = run_python(tmp_path, TIDY)
    complaint = f"{tmp_path}/push-key is damaged. Take it from a backup, or delete it: then players have to switch "
    assert (done.returncode, done.stderr) == (1, f"{complaint}calls on again.\n")


def test_a_key_for_push_services_that_an_editor_ended_with_a_new_line_is_the_same_key(tmp_path: Path) -> None:
    (tmp_path / "push-key").write_text(f"{'a' * 43}.{'b' * 87}\n")
    done = run_python(tmp_path, "from game.calling.push_key import read_key_pair; print(*map(len, read_key_pair()))")
    assert (done.stdout, done.stderr) == ("43 87\n", "")


def test_a_key_for_push_services_that_cannot_be_read_is_reported_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "push-key").mkdir()
    done = run_python(tmp_path, TIDY)
    assert (done.returncode, done.stderr) == (1, f"{tmp_path}/push-key cannot be read: Is a directory.\n")


def test_a_data_folder_of_somebody_else_is_reported_with_advice(tmp_path: Path) -> None:
    """Root may write to every folder, so the error is raised by hand."""
    denied = "PermissionError(13, 'Permission denied')"
    done = run_python(
        tmp_path,
        f"import tempfile; from unittest.mock import Mock; tempfile.mkstemp = Mock(side_effect={denied}); {TIDY}",
    )
    complaint = f"DATA_DIR cannot be used: {tmp_path}: Permission denied. Run this as the user of the site.\n"
    assert (done.returncode, done.stderr) == (1, complaint)


@pytest.mark.examples
@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({"DEBUG": "perhaps"}, "DEBUG is a switch"),
        ({"PAGE_THREADS": "0"}, "PAGE_THREADS is a whole number"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is too short"),
        ({"ADMIN_PATH": "ad"}, "ADMIN_PATH cannot begin with the letters of a language, as 'ad/' does"),
        ({"ADMIN_PATH": "en/secret"}, "ADMIN_PATH cannot begin with the letters of a language"),
        (
            {"ADMIN_PATH": "games"},
            "ADMIN_PATH cannot begin as pages of the site do, as 'games/' does. Choose another word",
        ),
        ({"ADMIN_PATH": "/rules/secret/"}, "ADMIN_PATH cannot begin as pages of the site do"),
        ({"ADMIN_PATH": "static"}, "ADMIN_PATH cannot begin as pages of the site do"),
        ({"ADMIN_PATH": "my admin"}, "ADMIN_PATH has letters, digits, hyphens and slashes, unlike 'my admin/'"),
        ({"ADMIN_PATH": "a//b"}, "ADMIN_PATH has letters"),
        ({"ADMIN_PATH": "../admin"}, "ADMIN_PATH has letters"),
        ({"ADMIN_PATH": "secret?"}, "ADMIN_PATH has letters"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS names the hosts"),
        ({"ALLOWED_HOSTS": "https://dice.example/"}, "ALLOWED_HOSTS are names such as dice.example, without https://"),
        ({"ALLOWED_HOSTS": "dice.example:8000"}, "ALLOWED_HOSTS are names such as dice.example"),
        ({"ALLOWED_HOSTS": "dice.example www.dice.example"}, "ALLOWED_HOSTS are names such as dice.example"),
        ({"ALLOWED_HOSTS": "::1"}, "ALLOWED_HOSTS are names such as dice.example"),
        ({"HTTPS": "on"}, "HTTPS needs ALLOWED_HOSTS and TRUSTED_PROXIES"),
        ({"TRUSTED_PROXIES": "proxy.example"}, "TRUSTED_PROXIES are networks, as in 192.168.1.0/24, or addresses"),
        ({"TRUSTED_PROXIES": "10.0.0.1/8"}, "TRUSTED_PROXIES are networks, as in 192.168.1.0/24, or addresses"),
        ({"PUSH_NETWORKS": "192.168.1.1/24"}, "PUSH_NETWORKS are networks"),
        ({"PUSH_KEY": "secret"}, "PUSH_KEY is what a site keeps in push-key"),
        ({"EMAIL_HOST": "mail.example:25"}, "EMAIL_HOST is a name such as mail.example, without port, not"),
        ({"EMAIL_HOST": "mail.example"}, "EMAIL_HOST needs EMAIL_FROM, the address of the sender"),
        ({"EMAIL_HOST": "mail.example", "EMAIL_USER": "apikey"}, "EMAIL_HOST needs EMAIL_FROM, the address"),
        ({"EMAIL_HOST": "mail.example", "EMAIL_FROM": "Dice <dice"}, "EMAIL_HOST needs EMAIL_FROM, the address"),
        ({"EMAIL_HOST": "mail.example", "EMAIL_FROM": "dice@dice.example>"}, "EMAIL_HOST needs EMAIL_FROM"),
        ({"LOG": "xml"}, "LOG is one of json, text"),
        ({"LIMITS": "moves=20/10"}, "LIMITS is off, or any of page, move"),
        ({"LIMITS": "move=0/10"}, "LIMITS is off, or any of page, move"),
        ({"DATABASE_URL": "mysql://localhost/games"}, "DATABASE_URL names a PostgreSQL database"),
        ({"DATABASE_URL": "postgres://ana@localhost:port/games"}, "DATABASE_URL names a PostgreSQL database"),
        ({"DATABASE_URL": "postgres://ana:a#b@localhost/games"}, "with # in a password as %23"),
        ({"DATABASE_URL": "postgres://ana@localhost"}, "DATABASE_URL names a PostgreSQL database"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_by_name(
    tmp_path: Path, environment: dict[str, str], complaint: str
) -> None:
    done = run_python(tmp_path, "from django.conf import settings; settings.DEBUG", **environment)
    assert done.returncode != 0
    assert complaint in done.stderr


def test_hosts_are_names_addresses_or_all_names_below_one(tmp_path: Path) -> None:
    hosts = "dice.example,WWW.Dice.example,.club.example,192.168.1.20,[::1],xn--wrfel-kva.example,my_pi"
    question = "from django.conf import settings; print(','.join(settings.ALLOWED_HOSTS), settings.ADMIN_PATH)"
    done = run_python(tmp_path, question, ALLOWED_HOSTS=hosts, ADMIN_PATH="back-room/1.2/~me")
    assert done.stdout.split() == [hosts, "back-room/1.2/~me/"], done.stderr


@pytest.mark.parametrize(
    "sender",
    [
        {"EMAIL_FROM": "Dice <dice@dice.example>"},
        {"EMAIL_FROM": " dice@[127.0.0.1] "},
        {"EMAIL_USER": "dice@dice.example"},
        {"EMAIL_FROM": "dice@localhost"},
    ],
)
def test_mails_come_from_the_user_of_the_mail_server_or_from_another_address(
    tmp_path: Path, sender: dict[str, str]
) -> None:
    question = "from django.conf import settings; print(settings.DEFAULT_FROM_EMAIL)"
    (address,) = sender.values()
    assert run_python(tmp_path, question, EMAIL_HOST="mail.example", **sender).stdout == f"{address.strip()}\n"


def test_no_page_of_the_site_can_be_hidden_behind_the_admin() -> None:
    pages = [pattern for pattern in get_resolver("game.urls").url_patterns if isinstance(pattern, URLPattern)]
    begins = {str(page.pattern).partition("/")[0] for page in pages} - {""}
    assert begins | {"healthz", PATH.strip("/"), settings.STATIC_URL.strip("/")} == settings.SITE_PATHS


def test_options_in_the_database_address_are_added_to_those_of_the_site(tmp_path: Path) -> None:
    question = "from django.conf import settings; print(settings.DATABASES['default']['OPTIONS']['options'])"
    address = "postgres://ana@localhost/games?options=-c%20search_path%3Ddice"
    done = run_python(tmp_path, question, DATABASE_URL=address)
    assert "lock_timeout=3s" in done.stdout and done.stdout.endswith("-c search_path=dice\n")


def test_under_https_cookies_are_bound_to_this_host(tmp_path: Path) -> None:
    question = (
        "from django.conf import settings as s; from game.serving.headers import HEADERS;"
        "print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.VISITOR_COOKIE_NAME, s.CSRF_COOKIE_SECURE,"
        "'Strict-Transport-Security' in HEADERS)"
    )
    hosts = {"ALLOWED_HOSTS": "dice.example", "TRUSTED_PROXIES": "127.0.0.1"}
    done = run_python(tmp_path, question, HTTPS="on", **hosts)
    assert done.stdout.split() == ["__Host-session", "__Host-csrf", "__Host-visitor", "True", "True"]


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("processes", ["0", "2", "two"])
def test_a_bad_number_of_processes_is_refused_in_words(processes: str) -> None:
    complaint = "one process serves the pages of SQLite; for more, set DATABASE_URL"
    with pytest.raises(CommandError, match=complaint):
        call_command("serve", f"--processes={processes}")


def test_a_port_that_is_taken_is_passed_over() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with play.listen_on_free_port("127.0.0.1", port) as opened:
            assert port < opened.getsockname()[1] < port + play.TRIES


@pytest.mark.parametrize(("port", "notice"), [(8000, ""), (8002, "Port 8000 is taken, so the site uses 8002.\n")])
def test_a_site_at_another_port_than_was_asked_for_says_so(port: int, notice: str) -> None:
    output = StringIO()
    play.Command(stdout=output).announce(port, 8000, [])
    assert output.getvalue() == f"{notice}10,000 is at http://127.0.0.1:{port}/ (Ctrl+C stops it)\n"


def test_where_no_port_can_be_used_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may listen on every port, so the error is raised by hand."""

    def deny(_socket: socket.socket, _address: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", deny)
    for port, last in ((80, 99), (65530, 65535)):
        with pytest.raises(CommandError, match=rf"^No free port from {port} to {last}\..*\(Permission denied\)$"):
            play.listen_on_free_port("127.0.0.1", port)


@pytest.mark.parametrize("command", ["play", "serve"])
@pytest.mark.parametrize("port", ["-1", "0", "65536", "eight"])
def test_a_bad_port_is_refused_in_words(command: str, port: str) -> None:
    with pytest.raises(CommandError, match="a port is a whole number from 1 to 65535"):
        call_command(command, f"--port={port}")


@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("192.168.1.20", True),
        ("10.0.0.3", True),
        ("127.0.1.1", False),
        ("0.0.0.0", False),
        ("8.8.8.8", False),
        ("", False),
    ],
)
def test_only_an_address_of_a_home_network_is_shown(address: str, home: bool) -> None:
    assert play.is_home(address) is home


def test_static_files_are_collected_only_when_one_has_changed(tmp_path: Path, settings: Settings) -> None:
    source, settings.STATIC_ROOT = tmp_path / "source", tmp_path / "served"
    source.mkdir()
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    (source / "one.css").write_text("a{}")
    play.collect_static()
    served = settings.STATIC_ROOT / "one.css"
    served.unlink()
    play.collect_static()
    assert not served.exists()
    (source / "one.css").write_text("b{color:red}")
    play.collect_static()
    assert served.read_text() == "b{color:red}"


PRODUCTION = {
    "HTTPS": "on",
    "ALLOWED_HOSTS": "dice.example",
    "TRUSTED_PROXIES": "127.0.0.1",
    "DATABASE_URL": "postgresql://dice@localhost/dice",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-!",
}


@pytest.mark.own_site
def test_a_public_site_passes_the_deployment_check(tmp_path: Path) -> None:
    check = "from django.core.management import execute_from_command_line as run; run(['', 'check', '--deploy'])"
    done = run_python(tmp_path, check, **PRODUCTION)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no issues" in done.stdout


@pytest.mark.own_site
def test_a_home_network_is_told_what_plain_http_leaves_open(tmp_path: Path) -> None:
    check = "from django.core.management import execute_from_command_line as run; run(['', 'check', '--deploy'])"
    assert "security.W008" in run_python(tmp_path, check).stderr


@pytest.mark.parametrize(
    ("environment", "answer"),
    [({}, "text"), (PRODUCTION, "json"), ({"LOG": "json"}, "json"), (PRODUCTION | {"LOG": "text"}, "text")],
)
def test_logs_are_json_where_programs_read_them(tmp_path: Path, environment: dict[str, str], answer: str) -> None:
    done = run_python(tmp_path, "from django.conf import settings; print(settings.LOG)", **environment)
    assert done.stdout.strip() == answer


def test_limits_can_be_changed_one_by_one_or_left_out(tmp_path: Path) -> None:
    question = "from django.conf import settings; print(settings.LIMITS.get('page'), settings.LIMITS.get('move'))"
    assert run_python(tmp_path, question, LIMITS="page=600/60").stdout.strip() == "(600, 60) (20, 10)"
    assert run_python(tmp_path, question, LIMITS="off").stdout.strip() == "None None"


def test_messages_are_in_the_language_of_the_shell(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LANGUAGES = [("en", "English"), ("sv", "Svenska")]
    spoken = {}
    for shell in ("sv_SE.UTF-8", "C", "it_IT"):
        monkeypatch.setenv("LC_ALL", shell)
        spoken[shell] = find_shell_language()
    assert spoken == {"sv_SE.UTF-8": "sv", "C": "en", "it_IT": "en"}
