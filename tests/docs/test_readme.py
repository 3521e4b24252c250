"""The promises of the README and the pages behind it: their code runs, and commands and settings are as described."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import get_commands, load_command_class
from django.utils.translation import get_language_info

from game.rules import LEVELS, PRESETS
from game.services.shipped_rulesets import list_shipped_rulesets
from tests.docs.test_project import PAGES
from tests.test_set_up import NAMES

ROOT = Path(__file__).resolve().parents[2]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
SETTINGS = TEXTS["docs/settings.md"]
IN_WORDS = {5: "five", 8: "eight"}
FENCED = r"^```(\w*)\n(.*?)^```$"


def find_blocks(language: str) -> list[tuple[str, str]]:
    """Return every block of code in this language, as pairs of its page and its text."""
    fenced = [(page, *block) for page, text in TEXTS.items() for block in re.findall(FENCED, text, re.M | re.S)]
    return [(page, code) for page, named, code in fenced if named == language]


@pytest.mark.parametrize(("page", "code"), find_blocks("python"))
def test_the_games_on_the_pages_can_be_played_at_a_bare_prompt(page: str, code: str) -> None:
    promised = re.findall(r"# (.+)", code)
    played = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert promised and played.stdout.splitlines() == promised


def test_the_readme_shows_a_picture_and_five_lines_of_python_on_its_first_screen() -> None:
    assert re.search(r"!\[[^]]{40,}\]\(", TEXTS["README.md"])
    (code,) = (code for page, code in find_blocks("python") if page == "README.md")
    assert len([line for line in code.splitlines() if line and "import" not in line]) == 5
    assert len(TEXTS["README.md"].splitlines()) < 70


def test_the_readme_counts_rulesets_levels_and_languages_as_they_are(settings: LazySettings) -> None:
    text = " ".join(TEXTS["README.md"].split())
    counts = re.search(r"at (\w+) levels.* Choose from (\w+) rulesets and (\d+) local ones", text)
    local = len(list_shipped_rulesets()) - len(PRESETS)
    assert counts and counts.groups() == (IN_WORDS[len(LEVELS)], IN_WORDS[len(PRESETS)], str(local))
    languages = re.search(r"in (English, .*? and \w+)\.", text)
    named = set(re.findall(r"[A-Z]\w+", languages[1])) if languages else set()
    assert named == {get_language_info(code)["name"] for code, _ in settings.LANGUAGES}


def test_every_typeface_and_script_of_others_is_credited_with_its_licence() -> None:
    licences = [path for folder in ("static", "game") for path in (ROOT / folder).rglob("*LICENSE*")]
    assert len(licences) > 3
    for licence in licences:
        assert f"`{licence.parent.relative_to(ROOT).as_posix()}`" in TEXTS["README.md"]


def test_every_command_that_is_shown_exists_and_takes_its_options() -> None:
    lines = [line for _, block in find_blocks("") for line in block.splitlines() if "python3 manage.py" in line]
    assert lines
    for line in lines:
        command = shlex.split(line, comments=True)
        name, *options = command[command.index("manage.py") + 1 :]
        assert name in {*get_commands(), "test"}, line
        if name != "test":
            load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(options)


def test_every_command_that_is_named_exists_and_every_one_of_ours_is_explained() -> None:
    for page, text in TEXTS.items():
        named = set(re.findall(r"manage\.py ([a-z]+)", text))
        assert named <= {*get_commands(), "test"}, page
    ours = {name for name, app in get_commands().items() if app == "game"}
    assert ours <= set(re.findall(r"manage\.py ([a-z]+)", TEXTS["docs/commands.md"]))


def test_every_variable_that_the_settings_read_is_explained() -> None:
    assert {name for name in NAMES if f"`{name}`" not in SETTINGS} == set()


def test_the_numbers_that_settings_have_by_default_are_explained() -> None:
    source = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    defaults = re.findall(r'read_number\("(\w+)", (\d+)', source)
    assert len(defaults) > 3
    for name, default in defaults:
        (row,) = (line for line in SETTINGS.splitlines() if line.startswith("|") and f"`{name}`" in line)
        assert re.search(rf"\b{default}\b", row), name


def test_the_limits_are_those_of_the_settings(settings: LazySettings) -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \| (\d+) \|$", SETTINGS, re.M)
    assert {name: (int(times), int(seconds)) for name, times, seconds in rows} == settings.RATES
