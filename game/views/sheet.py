"""The score sheet of a game, to read and to print; and a blank one."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.identity import PageRequest
from game.models import RulesetRow
from game.pages.score_sheet import build_blank_sheet, build_sheet
from game.services import has_part
from game.views.game import get_game_or_404


@require_safe
def sheet(request: PageRequest, code: str) -> HttpResponse:
    """Before the end it has empty rows, to continue by hand."""
    game = get_game_or_404(request, code)
    shown = build_sheet(game, takes_part=has_part(game, request.browser.visitor()))
    link = request.build_absolute_uri(game.get_absolute_url())
    return render(request, "game/sheet.html", {**shown, "link": link})


@require_safe
def blank(request: PageRequest) -> HttpResponse:
    """An empty sheet with what scores, by the rules of `?ruleset=` or else the first on offer."""
    rulesets = list(RulesetRow.objects.filter(latest=True, retired=None))
    return render(request, "game/sheet_blank.html", build_blank_sheet(rulesets, request.GET.get("ruleset")))
