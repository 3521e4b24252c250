"""Practice: one choice at a time, with what it is worth. An answer changes nothing but a count in a cookie."""

import re
import secrets
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from game.forms.commands import read_columns, read_number, read_ticked
from game.identity import PageRequest
from game.models import RulesetRow, Visitor
from game.models.visitors import CODE
from game.pages.practice.page import MODES, build_menu, build_position
from game.pages.practice.positions import (
    Position,
    list_chosen_faces,
    list_games_to_practise,
    make_help_example,
    make_numbered,
    make_practice_address,
    sort_dice,
    take_from_game,
)
from game.pages.practice.verdict import explain_wrong_keep, judge_choice
from game.pages.rulesets.shortlist import list_shortlist
from game.prefs import Prefs
from game.storage.columns import pick_columns
from game.strategy.practice import NoPosition, PositionKind
from game.views.game import get_game_or_404
from game.views.responses import see_other
from game.web.answer_count import AnswerCount

NUMBERS = 1_000_000


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: PageRequest) -> HttpResponse:
    """Show a position or judge an answer.

    `?mode=keep&ruleset=classic&n=17` is a position, `?game=…&n=1` one of a game; `&kept=2,3&then=bank` is an answer.
    """
    rows = list_shortlist(request.GET.get("ruleset", ""))
    visitor = request.browser.visitor()
    at = find_position(request, visitor, rows)
    if isinstance(at, HttpResponse):
        return at
    if Prefs.of(request).order == "sorted":
        at = sort_dice(at)
    if request.method == "POST":
        return count_answer(request, at, rows)
    kept, then = read_ticked(request.GET.get("kept", "").split(",")), request.GET.get("then", "")
    verdict = judge_choice(at.state, list_chosen_faces(at, kept), then) if kept else None
    return render_position(request, at, rows, kept=kept if verdict and kept else (), verdict=verdict)


def find_position(request: PageRequest, visitor: Visitor | None, rows: Sequence[RulesetRow]) -> Position | HttpResponse:
    """Return the position of this URL, or a response that redirects to another one or says why there is none."""
    code, place = request.GET.get("game"), read_number(request.GET.get("n", ""))
    if code:
        game = get_game_or_404(request, code) if re.fullmatch(CODE, code) else None
        if game is None or not game.is_over:
            raise Http404
        position = take_from_game(game, visitor, 1 if place is None else place)
        return position or render_nothing(request, rows, "mine")
    slug = request.GET.get("ruleset", "")
    row = next((row for row in rows if row.slug == slug), rows[0] if rows else None)
    mode = request.GET.get("mode", "")
    if row is None:
        return render_nothing(request, rows, "keep")
    if mode == "example":
        return make_help_example(row.rules) or render_nothing(request, rows, "keep")
    kind: PositionKind | None = mode if mode in MODES and mode != "mine" else None
    if kind is None:
        games = list_games_to_practise(visitor) if visitor else []
        if games:
            return HttpResponseRedirect(make_practice_address({"game": games[0].code, "n": "1"}))
        if mode == "mine":
            return render_nothing(request, rows, mode)
        kind = "keep"
    if place is None or row.slug != slug:
        return HttpResponseRedirect(
            make_practice_address({"mode": kind, "ruleset": row.slug, "n": str(secrets.randbelow(NUMBERS))})
        )
    try:
        return make_numbered(row.rules, kind, place)
    except NoPosition:
        return render_nothing(request, rows, kind, row)


def render_nothing(
    request: PageRequest, rows: Sequence[RulesetRow], mode: str, row: RulesetRow | None = None
) -> HttpResponse:
    """Return the page that says why there is no position, or no further one, and where to continue."""
    visitor = request.browser.visitor()
    context = {
        "at": None,
        "mine": list_games_to_practise(visitor) if visitor and mode == "mine" else [],
        "begun": "game" in request.GET,
        "answers": AnswerCount.of(request),
        **build_menu(rows, mode, row),
    }
    return render(request, "game/practice.html", context)


def count_answer(request: PageRequest, at: Position, rows: Sequence[RulesetRow]) -> HttpResponse:
    """Count the answer in the cookie, and redirect to the address that shows what it is worth."""
    then = request.GET.get("then", "")
    if then not in ("bank", "throw"):
        raise BadRequest("Press Bank or Throw.")
    ticked = read_columns(request.POST.getlist("keep"))
    faces = list_chosen_faces(at, ticked)
    verdict = judge_choice(at.state, faces, then)
    if verdict is None:
        return render_position(request, at, rows, ticked=ticked, problem=explain_wrong_keep(at.state, faces, then))
    kept = ",".join(map(str, pick_columns(at.thrown.by_column, faces)))
    response = see_other(request, f"{at.address}&{urlencode({'kept': kept, 'then': then}, safe=',')}")
    AnswerCount.of(request).after(at.address, verdict.right).save(response)
    return response


def render_position(
    request: HttpRequest, at: Position, rows: Sequence[RulesetRow], *, problem: str | None = None, **answer: Any
) -> HttpResponse:
    """Return the page of a position. `answer`: what was kept or ticked, and the verdict on it."""
    slug, mode = at.query.get("ruleset", ""), at.query.get("mode", "mine")
    context = {
        **build_position(at, Prefs.of(request), **answer),
        "problems": [("tray", problem)] if problem else [],
        **build_menu(rows, mode, next((row for row in rows if row.slug == slug), None)),
        "answers": AnswerCount.of(request),
    }
    return render(request, "game/practice.html", context, status=200 if problem is None else 422)
