"""The site as an installed app: its manifest, its service worker, its offline page."""

import hashlib
import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.models import RulesetRow
from game.pages.parts.text import number
from game.pages.rulesets import summary

# What the offline page needs, fetched when the app is installed.
KEPT_FILES = ("css/site.css", "css/pages.css", "js/htmx.min.js", "js/game.js", "fonts/fraunces-600.woff2",
              "icons/favicon.svg")  # fmt: skip
PAPER = "#F4EEE1"


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the app to the browser that installs it."""
    new = reverse("game:new")
    values = {
        "id": "/",
        "name": number(10_000),
        "short_name": number(10_000),
        "description": _("The dice game 10,000: play it, watch it, keep score."),
        "lang": request.LANGUAGE_CODE,
        "start_url": "/?app",
        "scope": "/",
        "display": "standalone",
        "theme_color": PAPER,
        "background_color": PAPER,
        "icons": [
            icon_entry("app-192.png", 192),
            icon_entry("app-512.png", 512),
            icon_entry("maskable-512.png", 512) | {"purpose": "maskable"},
        ],
        "shortcuts": [
            {"name": _("Throw"), "url": "/"},
            {"name": _("Pass one phone"), "url": f"{new}?for=phone"},
            {"name": _("Keep score with real dice"), "url": f"{new}?for=score"},
        ],
    }
    response = JsonResponse(values, content_type="application/manifest+json")
    response.headers["Cache-Control"] = "no-cache"
    return response


def icon_entry(name: str, size: int) -> dict[str, str]:
    return {"src": static(f"icons/{name}"), "sizes": f"{size}x{size}", "type": "image/png"}


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker. It caches static files and two pages, nothing of any game, under a name derived from
    them.

    The name includes the language, or somebody who switched would be offline in the old one.
    """
    keeps = [static(path) for path in KEPT_FILES] + [reverse("game:offline"), reverse("game:blank-sheet")]
    name = hashlib.sha256(json.dumps([*keeps, request.LANGUAGE_CODE]).encode()).hexdigest()[:12]
    context = {
        "keeps": keeps,
        "name": f"ten-thousand-{name}",
        "offline": reverse("game:offline"),
        "icon": static("icons/app-192.png"),
    }
    response = render(request, "game/sw.js", context, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show what helps at a table without a connection: what scores, and a sheet to fill in."""
    ruleset = RulesetRow.objects.filter(latest=True, retired=None).first()
    scores = summary.list_scores(ruleset.rules) if ruleset else ()
    return render(request, "game/offline.html", {"ruleset": ruleset, "scores": scores})
