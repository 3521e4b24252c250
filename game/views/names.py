"""What the game is called where: a name leads to the rules as they are played there."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.models import RulesetRow
from game.pages.link_preview import preview_page
from game.pages.rulesets import game_names
from game.pages.rulesets.search import QUERY_LONGEST


@require_safe
def show_names(request: HttpRequest) -> HttpResponse:
    """List the names by country; `?q=` finds some of them."""
    query = request.GET.get("q", "").strip()[:QUERY_LONGEST]
    offered = RulesetRow.objects.filter(latest=True, retired=None, shipped=True).values_list("slug", flat=True)
    slugs = set(offered)
    tables, presets = game_names.find_tables(query, slugs), game_names.find_presets(query, slugs)
    context = {
        "query": query,
        "regions": game_names.list_regions(tables),
        "names": game_names.list_names(tables, presets),
        "preview": preview_page(
            _("The names of 10,000"),
            _(
                "Farkle, Zehntausend, Dix mille, Zilch, Greed: what the dice game is called in each country, "
                "and how it is played there."
            ),
            "names",
        ),
    }
    return render(request, "game/names.html", context)
