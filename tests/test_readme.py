"""What the README promises a person at the prompt."""

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def test_its_game_can_be_played_at_a_bare_prompt():
    code = re.search(r"```python\n(.*?)```", README, re.S)[1]
    promised = re.findall(r"# (.+)", code)
    played = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert played.stdout.splitlines() == promised


def test_its_pictures_are_there():
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (Path(__file__).resolve().parent.parent / path).is_file()
