"""`python -m tests.faults`: plant one mistake of faults.toml at a time in a copy of the program, and run its tests.

A mistake that no test notices shows that a test is missing. An argument is a regular expression, which chooses
mistakes by their names: `python -m tests.faults ^access`.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 300  # seconds: a mistake can make the program run for ever
PYTEST = ("manage.py", "test", "-x", "-q", "--no-header", "--tb=no")


class Fault(NamedTuple):
    """A mistake: `file` says `new` instead of `old`, and the test file `test` has to notice."""

    name: str
    file: str
    old: str
    new: str
    test: str

    def plant(self, program: str) -> str:
        """Return the text of the file with the mistake. Raises `LookupError` unless exactly one place fits."""
        if program.count(self.old) != 1:
            raise LookupError(f"{self.name}: {program.count(self.old)} places in {self.file} say {self.old!r}")
        return program.replace(self.old, self.new)


def load_faults() -> list[Fault]:
    areas = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return [Fault(name=f"{area}: {row.pop('fault')}", **row) for area, rows in areas.items() for row in rows]


def main(pattern: str = "") -> int:
    """Return 0 where every mistake was noticed, and else 1."""
    chosen = [fault for fault in load_faults() if re.search(pattern, fault.name)]
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "data"))
        if complaint := run_tests(copy, sorted({fault.test for fault in chosen})):
            print(f"Without any mistake:\n{complaint}")
            return 1
        survivors = [fault.name for fault in chosen if not is_noticed(fault, copy)]
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mistakes were noticed.")
    return 1 if survivors else 0


def is_noticed(fault: Fault, copy: Path) -> bool:
    file = copy / fault.file
    right = file.read_text(encoding="utf-8")
    file.write_text(fault.plant(right), encoding="utf-8")
    complaint = run_tests(copy, [fault.test])
    file.write_text(right, encoding="utf-8")
    failed = re.search(r"^FAILED (\S+)", complaint, re.MULTILINE)
    print(f"{fault.name}: {failed[1] if failed else complaint[-400:] or 'nobody notices'}", flush=True)
    return failed is not None


def run_tests(copy: Path, tests: list[str]) -> str:
    """Return what pytest says if the tests fail, and else "". Tests that do not end are stopped."""
    running = subprocess.Popen(
        [sys.executable, *PYTEST, *tests],
        cwd=copy,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # a group of processes, to be stopped together
    )
    try:
        output, _ = running.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        return f"The tests did not end within {LONGEST} seconds."
    return output if running.returncode else ""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
