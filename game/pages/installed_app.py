"""The site as an installed app: what its manifest and its service worker say."""

import hashlib
import json

from django.templatetags.static import static
from django.urls import reverse

from game.pages.parts.language import gettext as _
from game.pages.parts.text import number

# The files of the offline page and the blank score sheet, which are fetched when the app is installed.
KEPT_FILES = ("css/site.css", "css/pages.css", "js/htmx.min.js", "js/game.js", "js/offline.js", "js/print.js",
              "fonts/fraunces-600.woff2", "icons/favicon.svg")  # fmt: skip
PAPER = "#F4EEE1"


def build_manifest(language: str) -> dict[str, object]:
    """Return the manifest, in the reader's language."""
    new = reverse("game:new")
    return {
        "id": "/",
        "name": number(10_000),
        "short_name": number(10_000),
        "description": _("The dice game 10,000: play it, watch it, keep score."),
        "lang": language,
        "start_url": "/?app",
        "scope": "/",
        "display": "standalone",
        "theme_color": PAPER,
        "background_color": PAPER,
        "icons": [
            make_icon_entry("app-192.png", 192),
            make_icon_entry("app-512.png", 512),
            make_icon_entry("maskable-512.png", 512) | {"purpose": "maskable"},
        ],
        "shortcuts": [
            {"name": _("Throw"), "url": "/"},
            {"name": _("Pass one phone"), "url": f"{new}?for=phone"},
            {"name": _("Keep score with real dice"), "url": f"{new}?for=score"},
        ],
    }


def make_icon_entry(name: str, size: int) -> dict[str, str]:
    """Return the manifest's entry for an icon, `size` pixels wide and high."""
    return {"src": static(f"icons/{name}"), "sizes": f"{size}x{size}", "type": "image/png"}


def build_service_worker(language: str) -> dict[str, object]:
    """Return what the service worker caches, and the name of its cache.

    The name depends on the language, or somebody who has switched would read the offline page in the old one.
    """
    offline = reverse("game:offline")
    keeps = [*map(static, KEPT_FILES), offline, reverse("game:blank-sheet")]
    name = hashlib.sha256(json.dumps([*keeps, language]).encode()).hexdigest()[:12]
    return {"keeps": keeps, "name": f"ten-thousand-{name}", "offline": offline, "icon": static("icons/app-192.png")}
