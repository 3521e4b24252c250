"""Dockerfile and compose.yaml, as far as they can be tested without a container: the image is run from a folder."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from tests import patience
from tests.own_sites import find_free_port
from tests.run import OURS

ROOT = Path(__file__).resolve().parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SITE_SERVICES = ("set-up", "site", "worker")
SETTINGS = {*OURS, "DATABASE_URL", "DATA_DIR", "LOG"}


def read_instructions() -> list[tuple[str, str]]:
    """Each instruction of the Dockerfile with its arguments, continued lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.M).replace("\\\n", " ")
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1].strip()) for line in text.splitlines() if line.strip()]


def list_arguments(name: str) -> list[str]:
    return [rest for instruction, rest in read_instructions() if instruction == name]


def list_copies() -> list[tuple[str, str]]:
    """The source and target of each copy out of this folder."""
    pairs = []
    for rest in list_arguments("COPY"):
        if not rest.startswith("--from"):
            *sources, target = rest.split()
            pairs += [(source, target) for source in sources]
    return pairs


def is_left_out(path: str) -> bool:
    """Whether .dockerignore leaves out a path at the top: the last line that fits decides."""
    out = False
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        pattern = line.lstrip("!")
        if line and not line.startswith("#") and fnmatch(path.split("/", maxsplit=1)[0], pattern):
            out = not line.startswith("!")
    return out


# ---- The image ------------------------------------------------------------------------------------------------------


def test_pinned_packages_are_installed_when_the_image_is_built() -> None:
    (install,) = (rest for rest in list_arguments("RUN") if "pip install" in rest)
    assert "--require-hashes -r /run.txt" in install
    assert ("config/requirements/run.txt", "/run.txt") in list_copies()


def test_the_image_has_the_python_of_the_tests() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"].removeprefix(">=")
    assert all(rest.startswith(f"python:{wanted}-slim") for rest in list_arguments("FROM"))


def test_the_image_runs_as_a_user_without_privileges() -> None:
    names = [name for name, _ in read_instructions()]
    assert list_arguments("USER") == ["dice"] and "useradd --uid 10001" in " ".join(list_arguments("RUN"))
    assert names.index("USER") < names.index("CMD")


def test_the_build_is_sent_the_files_that_it_copies_and_no_others() -> None:
    sources = [source for source, _ in list_copies()]
    assert all((ROOT / source).exists() and not is_left_out(source) for source in sources)
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert allowed == {source.split("/")[0] for source in sources}
    assert is_left_out(".data") and is_left_out(".env") and is_left_out(".git")


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the image as a folder."""
    folder = tmp_path_factory.mktemp("image")
    for source, target in list_copies():
        if target.startswith("/"):
            continue
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, folder / source)
    return folder


def run_in_image(image: Path, *command: str) -> subprocess.Popen[str]:
    """Start a command of the image, in its folder, with the image's variables and none of our other settings."""
    environment = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    environment |= {"DATA_DIR": str(image / "data"), "PYTHONDONTWRITEBYTECODE": "1"}
    program, *rest = command
    assert program == "python"
    return subprocess.Popen(
        [sys.executable, *rest], cwd=image, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def test_the_files_of_the_image_suffice_to_set_up_and_serve_and_to_check_health(image: Path) -> None:
    with run_in_image(image, *COMPOSE["services"]["set-up"]["command"]) as set_up:
        output, _ = set_up.communicate(timeout=3 * patience.SECONDS)  # it migrates, and compresses every file
        assert set_up.returncode == 0, output
    port = str(find_free_port())
    (served,) = list_arguments("CMD")
    (health,) = list_arguments("HEALTHCHECK")
    command = [port if word == "8000" else word for word in json.loads(served)]
    check = [word.replace(":8000", f":{port}") for word in json.loads(health[health.index("[") :])]
    with run_in_image(image, *command) as site:
        try:
            patience.wait_until(lambda: site.poll() is not None or not is_ill(image, check), "The site stays ill.")
            assert site.poll() is None
        finally:
            site.send_signal(signal.SIGTERM)
        site.wait(patience.SECONDS)
    assert is_ill(image, check)
    assert {path.name for path in image.iterdir()} == {*(Path(source).name for source, _ in list_copies()), "data"} - {
        "run.txt"
    }


def is_ill(image: Path, check: list[str]) -> bool:
    with run_in_image(image, *check) as checking:
        return checking.wait(patience.SECONDS) != 0


# ---- The documentation ----------------------------------------------------------------------------------------------


def list_compose_calls() -> list[list[str]]:
    """Return the words of every documented call of `docker compose`."""
    text = (ROOT / "docs/running.md").read_text(encoding="utf-8")
    return [shlex.split(line) for line in re.findall(r"docker compose ([^`\n]+)", text)]


def test_documented_commands_run_in_services_that_exist_and_have_their_options() -> None:
    services, lines = COMPOSE["services"], [line for line in list_compose_calls() if line[0] in ("exec", "run", "stop")]
    commands = []
    for _action, *words in lines:
        service, *command = [word for word in words if not word.startswith("--")]
        assert service in services
        if command[:2] == ["python", "manage.py"]:
            commands.append(command[2])
            load_command_class(get_commands()[command[2]], command[2]).create_parser("", "").parse_args(command[3:])
        else:
            assert set(command) <= set(services) or command[0] in ("sh", "rm")
    assert {"backup", "restore", "createsuperuser"} <= set(commands)


def test_documented_files_are_in_the_volume_that_outlives_a_container() -> None:
    places = [word for line in list_compose_calls() for word in re.findall(r"(?:^|:|> )(/\S+)", " ".join(line))]
    (volume,) = {COMPOSE["services"][name]["volumes"][0].split(":")[1] for name in SITE_SERVICES}
    assert len(places) >= 2 and all(place.startswith(f"{volume}/") for place in places)


def test_a_backup_is_restored_while_nothing_but_the_database_runs() -> None:
    lines = [" ".join(line) for line in list_compose_calls()]
    restore = next(n for n, line in enumerate(lines) if "manage.py restore" in line)
    assert "stop site worker" in lines[:restore] and lines[restore].startswith("run ")
    assert "up --detach" in lines[restore:]


# ---- The services ---------------------------------------------------------------------------------------------------


def test_every_command_is_one_of_ours_with_its_options() -> None:
    commands = [COMPOSE["services"][name].get("command") for name in SITE_SERVICES]
    for program, manage, name, *options in [*filter(None, commands), json.loads(list_arguments("CMD")[0])]:
        assert (program, manage) == ("python", "manage.py") and name not in ("play", "test")
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(options)


def test_every_variable_is_known_to_the_settings() -> None:
    named = {name for service in SITE_SERVICES for name in COMPOSE["services"][service]["environment"]}
    for rest in list_arguments("ENV"):
        named |= {word.split("=")[0] for word in shlex.split(rest)} - {"PATH"}
    assert {name for name in named if not name.startswith("PYTHON")} <= SETTINGS
    variables = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "compose.yaml").read_text(encoding="utf-8")))
    assert variables <= {*SETTINGS, "POSTGRES_PASSWORD"}


def test_the_services_name_the_database_that_runs() -> None:
    database = COMPOSE["services"]["database"]["environment"]
    for service in SITE_SERVICES:
        address = COMPOSE["services"][service]["environment"]["DATABASE_URL"]
        parts = re.findall(r"^postgresql://(\w+):\$\{POSTGRES_PASSWORD:\?.*\}@(\w+)/(\w+)$", address)
        assert parts == [(database["POSTGRES_USER"], "database", database["POSTGRES_DB"])]


def test_services_wait_for_services_that_exist_and_keep_what_they_write() -> None:
    services, volumes = COMPOSE["services"], set(COMPOSE["volumes"])
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert {volume.split(":")[0] for volume in service["volumes"]} <= volumes
    for name in SITE_SERVICES:
        assert services[name]["volumes"] == ["data:/data"] and services[name]["read_only"]
    assert services["site"]["depends_on"] == {"set-up": {"condition": "service_completed_successfully"}}


def test_only_this_machine_reaches_the_site_without_a_proxy() -> None:
    assert COMPOSE["services"]["site"]["ports"] == ["127.0.0.1:8000:8000"]
    assert all("ports" not in COMPOSE["services"][name] for name in ("set-up", "worker", "database"))
