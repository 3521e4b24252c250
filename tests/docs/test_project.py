"""The pages, the gate and the other files beside the code: links lead somewhere, and the gate runs what it should."""

import re
import shlex
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from tests.run import QUICK

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
pages = pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
GATE: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "gate.yml").read_text(encoding="utf-8"))


def read_prose(page: Path) -> str:
    """Return the text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def list_anchors(page: Path) -> set[str]:
    """Return what a link can lead to within a page: its headings, as GitHub names them, and named places."""
    text = read_prose(page)
    headings = [
        re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in re.findall(r"^#+ (.+)$", text, re.M)
    ]
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


@pages
def test_every_link_and_picture_of_a_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", read_prose(page)):
        if target.startswith(("http://", "https://", "../security/")):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), target
        assert not anchor or anchor in list_anchors(other), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, new = set[Path](), {ROOT / "README.md"}
    while new:
        page = new.pop()
        reached.add(page)
        targets = re.findall(r"\]\(([^)#\s]+)", read_prose(page))
        linked = {(page.parent / target).resolve() for target in targets if not target.startswith("http")}
        linked |= {place / "README.md" for place in linked if place.is_dir()}
        new |= {other for other in linked if other.suffix == ".md" and other.is_file()} - reached
    assert set(PAGES) <= reached


def test_the_release_in_pyproject_is_the_newest_of_the_changelog() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    heads = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d{2}-\d{2}))?$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert heads[0] == ("Unreleased", "") and heads[1][0] == version
    dates = [date for _, date in heads[1:]]
    assert dates == sorted(dates, reverse=True) and all(dates)


def test_the_editor_and_the_linter_agree_on_the_length_of_a_line() -> None:
    linted = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["line-length"]
    assert f"max_line_length = {linted}\n" in (ROOT / ".editorconfig").read_text()


def test_issue_templates_ask_for_something() -> None:
    paths = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    assert paths
    for path in paths:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert form["name"] and form["description"]
        assert any(field.get("validations", {}).get("required") for field in form["body"])


def test_every_benchmark_is_listed_and_every_listed_one_exists() -> None:
    chores = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n## Chores\n")[1]
    folder = ROOT / "tests" / "benchmarks"
    run_by_hand = {path.stem for path in folder.glob("*.py") if '__name__ == "__main__"' in path.read_text("utf-8")}
    assert set(re.findall(r"tests[/.]benchmarks[/.](\w+)", chores)) == run_by_hand


# ---- The gate in shards ---------------------------------------------------------------------------------------------


def list_commands(job: str) -> list[list[str]]:
    lines = [step["run"] for step in GATE["jobs"][job]["steps"] if "run" in step]
    return [shlex.split(line) for line in lines]


def test_every_command_of_the_gate_exists() -> None:
    named = [
        word
        for job in GATE["jobs"]
        for command in list_commands(job)
        for word in list_words_after(command, "manage.py")
    ]
    assert named and set(named) <= {*get_commands(), "test"}


def list_words_after(command: list[str], name: str) -> list[str]:
    return [after for word, after in pairwise(command) if word == name]


def test_the_shards_together_are_the_whole_gate() -> None:
    all_examples = "--hypothesis-profile=same"
    assert ["python3", "manage.py", "test", "--quick", all_examples] in list_commands("quick")
    (browser,) = list_commands("browser")
    left_out = QUICK[-1].removeprefix("not ").replace(" and not ", " or ")
    assert browser[-2:] == ["-m", left_out] and GATE["jobs"]["browser"]["env"]["REQUIRE"] == "browser"
    assert list_commands("postgres") == [["python3", "manage.py", "test", "--database"]]
    assert GATE["jobs"]["postgres"]["env"]["DATABASE_URL"].startswith("postgresql://")
    assert "REQUIRE=browser,postgres python3 manage.py test" in (ROOT / ".ci" / "run").read_text()
