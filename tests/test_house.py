"""The rules of the house that a test can check; lint and types are jobs of their own in tests/run.py."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db.migrations import AddField
from django.db.migrations.loader import MigrationLoader
from django.template import engines
from django.template.backends.jinja2 import Jinja2

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "config" / "requirements"
# All that a visitor of the repository sees first, except files whose names begin with a dot.
TOP_LEVEL = {
    "CHANGELOG.md", "CONTEXT.md", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md",
    "Dockerfile", "compose.yaml", "manage.py", "pyproject.toml",
    "config", "docs", "game", "glossary", "static", "templates", "tests",
}  # fmt: skip


def run_check(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.own_site
@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    run_check(sys.executable, "manage.py", "makemigrations", "--check", "--dry-run")


def test_a_process_that_is_still_to_be_restarted_can_write_to_a_table_with_a_new_column() -> None:
    """It names no value for the column, so the database has to know one. Older migrations did not see to that."""
    added = [
        (migration.name, step.field)
        for (app, _name), migration in MigrationLoader(None).disk_migrations.items()
        for step in migration.operations
        if app == "game" and isinstance(step, AddField) and not step.field.many_to_many
    ]
    assert max(name for name, field in added if not (field.null or field.has_db_default())) == "0030_mails_a_day"


def test_nothing_lies_about_at_the_top() -> None:
    left_by_tools = {"uv.lock", "__pycache__"}  # which git ignores
    assert {path.name for path in ROOT.iterdir() if not path.name.startswith(".")} - left_by_tools == TOP_LEVEL


def test_every_package_is_pinned_with_hashes_and_without_a_url() -> None:
    for path in REQUIREMENTS.glob("*.txt"):
        text = path.read_text()
        assert "://" not in text
        for package in text.replace("\\\n", "").splitlines():
            assert re.match(r"[a-z0-9-]+==\S+ .*--hash=sha256:", package), package


def test_the_packages_that_run_are_those_that_are_tested() -> None:
    run, tested = (
        set(re.findall(r"^\S+==\S+", (REQUIREMENTS / f"{name}.txt").read_text(), re.M)) for name in ("run", "test")
    )
    assert run <= tested


def test_every_variable_that_a_style_uses_is_defined_somewhere() -> None:
    styles = "".join((ROOT / "static" / "css" / f"{name}.css").read_text() for name in ("site", "pages", "pad"))
    assert set(re.findall(r"var\((--[\w-]+)", styles)) <= set(re.findall(r"(--[\w-]+):", styles))


def test_every_template_compiles_and_has_short_lines() -> None:
    pages = engines["jinja2"]
    assert isinstance(pages, Jinja2)
    for path in sorted((ROOT / "templates").rglob("*.*")):
        name, text = str(path.relative_to(ROOT / "templates")), path.read_text(encoding="utf-8")
        too_long = [n for n, line in enumerate(text.splitlines(), 1) if len(line) > 120]
        assert not too_long, f"{name}: lines {too_long}"
        if not name.startswith("django/"):
            pages.env.get_template(name)
