"""The rules to read: all rulesets as cards, up to three of them side by side, and each on a page of its own."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from game.models import RulesetRow
from game.pages.rulesets import comparison, examples, prose, summary

COMPARED = 3

# Where the shipped rulesets were written down; by their slug, since that is all that a credit can hang on.
ORIGINS = {
    "classic": gettext_lazy("From “Game rules” of the computer game Classic 10000"),
    "wikipedia": gettext_lazy("From “Dice 10000” in Wikipedia, the free encyclopedia"),
    "boxcars": gettext_lazy("From “Dice 10000” in Wikipedia, with the alternative scoring set"),
    "pot": gettext_lazy("From “The Game of 10,000”"),
    "farkle": gettext_lazy("From “Farkle, or 10,000”"),
    "farkle-quick": gettext_lazy("From “Farkle, or 10,000”, in the version that speeds up the game"),
    "greed": gettext_lazy("From “My Dice Game Rules”, also known as Greed"),
    "greed-5000": gettext_lazy("From “My Dice Game Rules”, also known as Greed, to 5,000"),
}


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show all rulesets as cards, and those that were chosen side by side."""
    rows = RulesetRow.objects.filter(latest=True, retired=None)
    slugs = request.GET.getlist("compare")
    chosen = [row for row in rows if row.slug in slugs]
    context = {
        "cards": [
            (row, find_origin(row), comparison.list_main_facts(row.rules), summary.describe_specials(row.rules))
            for row in rows
        ],
        "compared": chosen[:COMPARED],
        "lines": comparison.compare_rulesets([row.rules for row in chosen[:COMPARED]]),
        "compares": "compare" in request.GET or "go" in request.GET,
        "too_many": len(chosen) > COMPARED,
    }
    return render(request, "game/rules.html", context)


@require_safe
def ruleset(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one ruleset in prose, with what scores, examples and bust chances."""
    row = get_object_or_404(RulesetRow, slug=slug, latest=True)
    context = {
        "row": row,
        "origin": find_origin(row),
        "sections": prose.write_sections(row.rules),
        "scores": summary.list_scores(row.rules),
        "examples": examples.list_examples(row.rules),
        "chances": examples.list_bust_chances(row.rules),
    }
    return render(request, "game/ruleset.html", context)


def find_origin(row: RulesetRow) -> str:
    """Return where a ruleset comes from."""
    return str(ORIGINS[row.slug]) if row.shipped and row.slug in ORIGINS else _("House rules of this site")
