"""Pages to read that are the same for everybody: how to play, what the game is called where, what is kept of whom."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.forms.new import list_offered
from game.models import RulesetRow
from game.pages import privacy
from game.pages.board.status import list_tips
from game.pages.help import FIRST, KEYS, SECOND
from game.pages.link_preview import preview_page
from game.pages.practice.positions import make_help_example
from game.pages.practice.tray import build_choice
from game.pages.rulesets import game_names, summary
from game.pages.rulesets.search import QUERY_LONGEST
from game.prefs import Prefs


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Show the help, with the example turn to play."""
    ruleset = next(iter(list_offered()), None)
    example = make_help_example(ruleset.rules, ruleset.slug) if ruleset else None
    context = {
        "keys": [(names.split(), words) for names, words in KEYS],
        "tips": list_tips(),
        "first": FIRST,
        "second": SECOND,
        "tray": build_choice(example, Prefs.of(request)) if example else None,
        "played": ruleset.rules if ruleset else None,
        "scores": summary.list_scores(ruleset.rules) if ruleset else (),
        "preview": preview_page(
            _("How to play 10,000"),
            _("The rules in two minutes, an example turn to play, tips, and answers to common questions."),
            "help",
        ),
    }
    return render(request, "game/help.html", context)


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


@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    """Show what is kept, for how long, and who sees it."""
    context = {
        "cookies": privacy.list_cookies(),
        "kept": privacy.list_kept(),
        "mail": bool(settings.EMAIL_HOST),
        "preview": preview_page(
            _("Privacy"), _("What this site keeps, for how long, which cookies it sets, and who sees what."), "privacy"
        ),
    }
    return render(request, "game/privacy.html", context)
