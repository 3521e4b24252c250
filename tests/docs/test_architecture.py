"""docs/architecture.md names exactly the rooms and rows that exist; its arrows are those of the import contracts."""

import ast
import re
import tomllib
from pathlib import Path

from django.apps import apps

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
# Modules that every Django application has.
UNNAMED = {"__init__", "apps", "urls", "migrations"}


def find_block(title: str) -> str:
    return DOCUMENT.split(f"\n## {title}\n")[1].split("```\n")[1]


def list_rooms(folder: Path) -> set[str]:
    """Return the names of the modules and folders in a folder."""
    inside = [path for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()]
    return {path.stem for path in inside if path.name != "__pycache__"}


def list_folders(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"}


def test_every_room_of_the_game_is_named_and_every_named_room_exists() -> None:
    tree = find_block("The rooms")
    inside = re.search(r"^game/\n((?:  .*\n)+)", tree, re.M)
    assert inside
    named: dict[str, set[str]] = {}
    for room, folders in re.findall(r"^  (\w+)(?:/|\.py) .*\n((?:    .*\n)*)", inside[1], re.M):
        named[room] = set(re.findall(r"^    (\w+)/", folders, re.M))
    assert set(named) == list_rooms(ROOT / "game") - UNNAMED
    packages = {room: folders for room, folders in named.items() if (ROOT / "game" / room / "__init__.py").is_file()}
    assert packages == {room: list_folders(ROOT / "game" / room) for room in packages}
    top = set(re.findall(r"^(\w+)(?:/|\.py)", tree, re.M))
    assert all((ROOT / name).is_dir() or (ROOT / f"{name}.py").is_file() for name in top)


def test_every_module_says_in_its_first_line_what_is_in_it() -> None:
    modules = [path for path in (ROOT / "game").rglob("*.py") if "migrations" not in path.parts]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules}
    assert [path for path, tree in trees.items() if tree.body and not ast.get_docstring(tree)] == []


def test_the_arrows_are_those_of_the_import_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    held = [set(re.findall(r"\w+", layer)) for layer in contracts[0]["layers"]]
    assert [set(re.findall(r"\w+", layer)) for layer in find_block("Who may import whom").split("→")] == held


def test_the_rows_are_those_of_the_database() -> None:
    table = DOCUMENT.split("\n## The rows\n")[1].split("\n## ")[0]
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", table, re.M)))
    assert sorted(named) == sorted(model.__name__ for model in apps.get_app_config("game").get_models())


def test_every_path_that_is_named_exists() -> None:
    named = re.findall(r"`((?:game|templates|tests)/[\w./]+)`", DOCUMENT)
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []
