"""The site as an app: its manifest, its service worker, and the page shown without a connection."""

import json

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_manifest_names_icons_and_working_shortcuts(client: Client) -> None:
    manifest = json.loads(client.get("/manifest.webmanifest").content)
    assert manifest["name"] == "10,000" and manifest["display"] == "standalone"
    assert {(icon["sizes"], icon.get("purpose")) for icon in manifest["icons"]} == {
        ("192x192", None),
        ("512x512", None),
        ("512x512", "maskable"),
    }
    assert all(client.get(shortcut["url"]).status_code == 200 for shortcut in manifest["shortcuts"])


def test_every_page_links_to_the_manifest(client: Client) -> None:
    assert '<link rel="manifest" href="/manifest.webmanifest">' in client.get("/help").content.decode()


def test_the_service_worker_keeps_files_and_two_pages_but_no_game(client: Client) -> None:
    response = client.get("/sw.js")
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert response.headers["Cache-Control"] == "no-cache"
    kept = json.loads(response.content.decode().split("const KEEPS = ")[1].splitlines()[0])
    assert {"/offline", "/sheet"} < set(kept) and not any(path.startswith("/g/") for path in kept)


def test_the_offline_page_has_the_scoring_table(client: Client) -> None:
    page = client.get("/offline").content.decode()
    assert "No connection" in page and "<caption>Points in Classic 10,000" in page
