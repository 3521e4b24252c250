"""Rules to read: all rulesets as cards, up to three side by side, and each on its own page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from game.forms.shared_rules import write_shared_rules
from game.identity import PageRequest
from game.models import Game, RulesetRow
from game.pages.link_preview import preview_ruleset
from game.pages.rulesets import search
from game.pages.rulesets.comparison import list_changes
from game.pages.rulesets.page import build_ruleset_page
from game.pages.rulesets.played_rules import PlayedRules
from game.pages.rulesets.ruleset_list import build_ruleset_list
from game.services import Refusal
from game.services.win_tables import request_table
from game.views.game import find_visible_game
from game.views.responses import attach, see_other


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show all rulesets as cards, and the chosen ones side by side."""
    query = request.GET.get("q", "").strip()[: search.QUERY_LONGEST]
    compares = {"compares": "compare" in request.GET or "go" in request.GET}
    return render(request, "game/rules.html", build_ruleset_list(query, request.GET.getlist("compare")) | compares)


@require_safe
def ruleset(request: PageRequest, slug: str, version: int | None = None) -> HttpResponse:
    """Show one ruleset in prose, with examples and odds: the version named, else that of `?game=`, else the newest."""
    game = find_game_of_page(request)
    begun = game.ruleset if game and version is None else None
    row = begun if begun and begun.slug == slug else find_version_or_404(slug, version)
    if row.latest:
        return show_rules(request, row, game=game)
    newest = find_version_or_404(slug)
    return show_rules(
        request,
        row,
        game=game,
        newest=newest,
        changes=list_changes(row.rules, newest.rules),
        file=reverse("game:ruleset-version-file", args=[slug, row.version]),
    )


@require_safe
def download(_request: HttpRequest, slug: str, version: int | None = None) -> HttpResponseBase:
    """Return a ruleset as a JSON file."""
    row = find_version_or_404(slug, version)
    name = slug if row.latest else f"{slug}-{row.version}"
    return attach(write_shared_rules(row.rules), f"{name}.json")


def find_version_or_404(slug: str, version: int | None = None) -> RulesetRow:
    """Return a version of a ruleset, by default the newest. Raises `Http404`."""
    wanted = {"latest": True} if version is None else {"version": version}
    return get_object_or_404(RulesetRow, slug=slug, **wanted)


@require_POST
def solve(request: PageRequest, slug: str) -> HttpResponse:
    """Queue the solving of a ruleset's best play, and redirect back to its odds."""
    return solve_rules(request, find_version_or_404(slug))


def solve_rules(request: PageRequest, row: RulesetRow | PlayedRules) -> HttpResponse:
    """Queue the solving of the best play under these rules, and redirect back to their odds or to their page."""
    try:
        request_table(row.rules)
    except Refusal as refused:
        return show_rules(request, row, status=refused.status, refusal=str(refused))
    odds = f"{reverse('game:odds')}?ruleset={row.slug}" if request.POST.get("back") == "odds" else ""
    return see_other(request, f"{odds or row.get_absolute_url()}#best-play")


def find_game_of_page(request: PageRequest) -> Game | None:
    """Return the game of `?game=`, whose rules are read and to which they lead back, if the viewer may see it."""
    return find_visible_game(request, request.GET["game"]) if "game" in request.GET else None


def show_rules(
    request: PageRequest, row: RulesetRow | PlayedRules, *, game: Game | None = None, status: int = 200, **more: Any
) -> HttpResponse:
    """Return the page of a ruleset. `game`: the one from which it is read; `more`: what only this page shows."""
    shown, address = build_ruleset_page(row, game), row.get_absolute_url()
    preview = preview_ruleset(str(shown["name"]), address, f"{address}/card.png")
    return render(request, "game/ruleset.html", {**shown, "preview": preview, **more}, status=status)
