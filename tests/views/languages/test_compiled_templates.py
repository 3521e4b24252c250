"""Templates are compiled once for all processes, and again when anything changes from which they are made."""

import os
from pathlib import Path

import pytest
from django.template import engines
from django.test import Client
from pytest_django import Settings

from game.web import compiled_templates, jinja
from game.web.page_environment import PageEnvironment


def make_environment() -> PageEnvironment:
    """Return a template environment like the one that a process makes when it starts."""
    environment = jinja.environment(loader=engines["jinja2"].env.loader, autoescape=True, auto_reload=False)  # type: ignore[attr-defined]
    assert isinstance(environment, PageEnvironment)
    return environment


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.TEMPLATES_DIR = tmp_path / "templates"
    return tmp_path / "templates"


def test_a_second_process_compiles_nothing(folder: Path) -> None:
    make_environment().get_template("board/tray.html")
    (kept,) = folder.glob("*/en/*")
    os.utime(kept, ns=(0, 0))
    make_environment().get_template("board/tray.html")
    assert [(path, path.stat().st_mtime_ns) for path in folder.glob("*/en/*")] == [(kept, 0)]


@pytest.mark.parametrize(
    "source", ["templates/board/tray.html", "game/locale/de/LC_MESSAGES/django.po", "game/urls.py"]
)
def test_another_version_of_the_program_compiles_again(
    folder: Path, settings: Settings, tmp_path: Path, source: str
) -> None:
    settings.ROOT = tmp_path
    path = tmp_path / source
    path.parent.mkdir(parents=True)
    path.write_text("before")
    before = compiled_templates.find_folder()
    assert compiled_templates.find_folder() == before
    path.write_text("after, and longer")
    assert compiled_templates.find_folder() != before


def test_another_version_of_the_program_brings_another_offline_page(
    folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, client: Client
) -> None:
    """Its texts may differ, although its static files are the same."""
    settings.ROOT = tmp_path
    workers = []
    (tmp_path / "templates").mkdir(exist_ok=True)
    for text in ("before", "after, and longer"):
        (tmp_path / "templates" / "offline.html").write_text(text)
        monkeypatch.setattr(engines["jinja2"], "env", make_environment())
        workers += [client.get("/sw.js").content for _process in range(2)]
    assert workers[0] == workers[1] != workers[2] == workers[3]


def test_setting_up_compiles_the_board_in_every_language_and_drops_older_versions(
    folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    (folder / "older").mkdir(parents=True)
    environment = make_environment()
    monkeypatch.setattr(engines["jinja2"], "env", environment)
    compiled_templates.compile_board()
    (version,) = folder.iterdir()
    boards = len(list(Path(settings.ROOT, "templates", "board").glob("*.html")))
    assert {path.name: len(list(path.iterdir())) for path in version.iterdir()} == {"en": boards, "de": boards}


def test_pages_are_shown_even_if_compiled_templates_cannot_be_kept(
    db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    settings.TEMPLATES_DIR = Path("/dev/null/templates")
    monkeypatch.setattr(engines["jinja2"], "env", make_environment())
    assert "10,000" in client.get("/help").content.decode()
