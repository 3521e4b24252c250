"""Pages that are the same for everybody: how to play, the names of the game, privacy, and the offline page."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.models import RulesetRow, share_out_colours
from game.pages.board.status import list_tips
from game.pages.home import find_home_ruleset
from game.pages.parts.colours import read_colour
from game.pages.practice.page import build_choice
from game.pages.practice.positions import make_help_example
from game.pages.privacy import COOKIES, LASTS, describe_time
from game.pages.rulesets import game_names, summary
from game.pages.rulesets.search import QUERY_LONGEST
from game.prefs import Prefs


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Show the help, with the example turn to play."""
    ruleset = find_home_ruleset()
    example = make_help_example(ruleset.rules) if ruleset else None
    prefs = Prefs.of(request)
    context = {
        "tips": list_tips(ruleset.rules) if ruleset else (),
        "tray": build_choice(example, prefs) if example else None,
        "seat_colours": share_out_colours((read_colour(prefs.colour),)),
        "played": ruleset.rules if ruleset else None,
        "scores": summary.list_scoring_dice(ruleset.rules) if ruleset else (),
    }
    return render(request, "game/help.html", context)


@require_safe
def show_names(request: HttpRequest) -> HttpResponse:
    """List the names of the game by country, only those that match `?q=`, if given."""
    query = request.GET.get("q", "").strip()[:QUERY_LONGEST]
    slugs = set(RulesetRow.query_offered().filter(shipped=True).values_list("slug", flat=True))
    tables, presets = game_names.find_world_tables(query, slugs), game_names.find_presets(query, slugs)
    context = {
        "query": query,
        "regions": game_names.list_regions(tables),
        "names": game_names.list_names(tables, presets),
    }
    return render(request, "game/names.html", context)


@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    """Show what is kept, for how long, and who sees it."""
    context = {
        "cookies": {cookie: (name, describe_time(age)) for cookie, (name, age) in COOKIES.items()},
        "lasts": {kept: describe_time(age) for kept, age in LASTS.items()},
        "mail": bool(settings.EMAIL_HOST),
    }
    return render(request, "game/privacy.html", context)


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show what helps people at a table without a connection: what scores, and a link to the blank score sheet."""
    ruleset = RulesetRow.query_offered().first()
    scores = summary.list_scoring_dice(ruleset.rules) if ruleset else ()
    return render(request, "game/offline.html", {"ruleset": ruleset, "scores": scores})
