"""Rules to read: all rulesets as cards, up to three side by side, and each on its own page."""

from typing import Any, Protocol

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from game.forms.shared_rules import write_shared_rules
from game.models import PlayedRuleset, RulesetRow
from game.pages.link_preview import preview_page, preview_ruleset
from game.pages.rulesets import comparison, examples, prose, search, summary
from game.pages.rulesets.changes import list_changes
from game.pages.rulesets.duration import explain_duration
from game.pages.rulesets.names import name_ruleset
from game.pages.rulesets.origins import find_origin, place_in_gallery
from game.pages.rulesets.value_grid import build_value_grid
from game.rules import PRESETS, Ruleset
from game.services import Refusal
from game.services.gallery import find_table
from game.services.win_tables import request_table
from game.views.responses import attach, see_other

COMPARED = 3
# Context that only some pages of rulesets need.
NOT_EVERYWHERE = (
    "best_play",
    "table",
    "description",
    "keeps_seats",
    "newest",
    "played",
    "kept",
    "may_publish",
    "refusal",
)


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show all rulesets as cards, and the chosen ones side by side."""
    rows = sorted(RulesetRow.objects.filter(latest=True, retired=None), key=place_in_gallery)
    slugs = request.GET.getlist("compare")
    chosen: list[Any] = [row for row in rows if row.slug in slugs]
    digests = [slug.removeprefix("x-") for slug in slugs if slug.startswith("x-")][:COMPARED]
    chosen += PlayedRuleset.objects.filter(digest__in=digests) if digests else []
    query = request.GET.get("q", "").strip()[: search.QUERY_LONGEST]
    listed = [row for row in rows if not query or search.is_found(query, row.rules, find_table(row), find_origin(row))]
    context = {
        "query": query,
        "cards": [
            (
                row,
                find_origin(row),
                find_table(row),
                comparison.list_main_facts(row.rules),
                summary.describe_specials(row.rules),
            )
            for row in listed
        ],
        "compared": chosen[:COMPARED],
        "names": [(name_compared(row), row.get_absolute_url()) for row in chosen[:COMPARED]],
        "lines": comparison.compare_rulesets([row.rules for row in chosen[:COMPARED]]),
        "compared_played": digests,
        "compares": "compare" in request.GET or "go" in request.GET,
        "too_many": len(chosen) > COMPARED,
        "preview": preview_page(
            _("Rules of 10,000"),
            _("How the dice game 10,000 is played around the world: sets of rules to read, to compare and to play."),
            "rules",
        ),
    }
    return render(request, "game/rules.html", context)


@require_safe
def ruleset(request: HttpRequest, slug: str, version: int | None = None) -> HttpResponse:
    """Show one ruleset in prose, with what scores, examples and bust chances: the newest version, or the one named."""
    row = find_version_or_404(slug, version)
    if row.latest:
        return show_ruleset(request, row)
    newest = find_version_or_404(slug)
    return show_ruleset(
        request,
        row,
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


def name_compared(row: RulesetRow | PlayedRuleset) -> str:
    """Return the name of a ruleset in the reader's language; rules made at a table have none."""
    return name_ruleset(row) if isinstance(row, RulesetRow) else row.name


def find_version_or_404(slug: str, version: int | None = None) -> RulesetRow:
    """Return a version of a ruleset, by default the newest. Raises `Http404`."""
    wanted = {"latest": True} if version is None else {"version": version}
    return get_object_or_404(RulesetRow, slug=slug, **wanted)


def show_ruleset(request: HttpRequest, row: RulesetRow, **more: Any) -> HttpResponse:
    """Return the page of a ruleset of the site."""
    picture, file = (reverse(f"game:{name}", args=[row.slug]) for name in ("ruleset-card", "ruleset-file"))
    more = {"file": file, "origin": find_origin(row), "table": find_table(row), "description": row.description, **more}
    more["keeps_seats"] = row.keeps_seats
    return show_rules(request, row, picture=picture, **more)


@require_POST
def solve(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue the best play under a ruleset, and redirect back to its odds."""
    row = find_version_or_404(slug)
    try:
        request_table(row.rules)
    except Refusal as refused:
        return show_ruleset(request, row, status=refused.status, refusal=str(refused))
    return see_other(request, f"{reverse('game:odds')}?ruleset={slug}#best-play")


class ShownRules(Protocol):
    """A ruleset that has a page: a row of the site, or rules that were played."""

    @property
    def rules(self) -> Ruleset:
        """Return the ruleset as the rules know it."""

    @property
    def name(self) -> str:
        """Return the name that may be shown."""

    def get_absolute_url(self) -> str:
        """Return the address of its page."""


def show_rules(
    request: HttpRequest,
    row: ShownRules,
    *,
    named: bool = True,
    picture: str = "",
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Return the page of a ruleset.

    `named`: False if users' own words may not be shown. `picture`: the URL of the picture for its link.
    """
    rules = row.rules
    name = name_ruleset(rules) if named else row.name
    context = {
        "row": row,
        "name": name,
        "sections": prose.write_sections(rules, named=named),
        "scores": summary.list_scores(rules, named=named),
        "grid": build_value_grid(rules),
        "duration": explain_duration(rules),
        "examples": examples.list_examples(rules, named=named),
        "chances": examples.list_bust_chances(rules),
        "preview": preview_ruleset(name, row.get_absolute_url(), picture),
        "classic": name_ruleset(PRESETS["classic"]),
        **dict.fromkeys(
            ("best_play", "table", "description", "keeps_seats", "newest", "played", "kept", "may_publish", "refusal")
        ),
        **more,
    }
    return render(request, "game/ruleset.html", context, status=status)
