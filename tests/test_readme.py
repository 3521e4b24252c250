"""What the README promises a person at the prompt."""

import re
import subprocess
import sys
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_game_can_be_played_at_a_bare_prompt():
    code = re.search(r"```python\n(.*?)```", README, re.S)[1]
    promised = re.findall(r"# (.+)", code)
    played = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert played.stdout.splitlines() == promised


def test_its_pictures_are_there():
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file()


def test_its_commands_are_there():
    named = set(re.findall(r"manage\.py ([a-z]+)", README))
    assert {"play", "serve", "work", "backup", "restore"} <= named <= {*get_commands(), "test"}


def test_it_names_every_variable_that_the_settings_read():
    settings = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    read = re.findall(r'(?:words|switch|number|choice|rates|environ\.get)\("([A-Z_]+)"', settings)
    assert len(read) > 10 and {name for name in read if f"`{name}`" not in README} == set()


def test_its_limits_are_those_of_the_settings(settings):
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \| (\d+) \|$", README, re.M)
    assert {name: (int(times), int(seconds)) for name, times, seconds in rows} == settings.RATES
