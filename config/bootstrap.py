"""Creates .venv on a new machine and keeps it in step with config/requirements/. Standard library only.

Any Python 3 must be able to parse this file, so that an old one says what is wrong instead of failing on the syntax.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
MADE_BY_US = VENV / "made-by-manage"  # without this file, .venv is the user's own and is used as it is
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
REQUIREMENTS = ROOT / "config" / "requirements"


def ensure(group: str) -> None:
    """Continue in an environment that holds the packages of this group ("run" or "test"; "test" holds both).

    Restarts the program inside .venv if need be. Exits with an explanation if there can be no such environment.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python may well be running this
        sys.exit("Python 3.11 or newer is needed; this is {}.{}.".format(*sys.version_info[:2]))
    if Path(sys.prefix).resolve() == VENV:
        if MADE_BY_US.exists() and not _installed(group):
            _install(group)
    elif sys.prefix == sys.base_prefix:
        if not PYTHON.exists():
            _create()
        _restart_in_venv()
    elif importlib.util.find_spec("pytest" if group == "test" else "django") is None:
        sys.exit(  # the caller's own environment is left alone
            f"The environment {sys.prefix} lacks the packages of this project. Leave it (deactivate) and run\n"
            f"this again, or: python -m pip install --require-hashes -r config/requirements/{group}.txt"
        )


def _create() -> None:
    print("Setting up .venv (once) ...", file=sys.stderr, flush=True)
    VENV.mkdir(exist_ok=True)
    MADE_BY_US.touch()  # first, so that an interrupted set-up is resumed
    try:
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(VENV)
    except (subprocess.CalledProcessError, OSError) as error:
        shutil.rmtree(VENV, ignore_errors=True)
        sys.exit(
            f"Python could not make a virtual environment: {error}\n"
            "On Debian and Ubuntu: sudo apt install python3-venv, then run this command again."
        )


def _restart_in_venv() -> None:
    command = [str(PYTHON), *sys.argv]
    if os.name == "nt":  # on Windows execv would return to the prompt at once
        sys.exit(subprocess.call(command))
    os.execv(PYTHON, command)


def _installed(group: str) -> bool:
    return any(_stamp(g).is_file() and _stamp(g).read_text() == _digest(g) for g in {group, "test"})


def _install(group: str) -> None:
    print(f"Installing the packages of config/requirements/{group}.txt ...", file=sys.stderr, flush=True)
    if importlib.util.find_spec("pip") is None:  # the system's Python has been upgraded
        subprocess.run([sys.executable, "-m", "ensurepip"], check=True, stdout=subprocess.DEVNULL)
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--require-hashes"]
    if not sys.dont_write_bytecode:
        options.append("--no-compile")  # Python compiles the few modules that are ever imported
    command = [sys.executable, "-m", "pip", "install", *options, "-r", str(REQUIREMENTS / f"{group}.txt")]
    if subprocess.run(command, check=False).returncode:
        sys.exit("The packages could not be installed (see above). The next command tries again.")
    _stamp(group).write_text(_digest(group))
    importlib.invalidate_caches()


def _stamp(group: str) -> Path:
    return VENV / "installed-{}-{}.{}".format(group, *sys.version_info[:2])


def _digest(group: str) -> str:
    return hashlib.sha256((REQUIREMENTS / f"{group}.txt").read_bytes()).hexdigest()
