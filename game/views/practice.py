"""Practice: one choice at a time, with what it is worth. Answers change nothing that is stored."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from game.forms.commands import Nonsense, columns, whole
from game.forms.new import list_offered
from game.identity import PageRequest
from game.models import Game, RulesetRow, Visitor
from game.models.shots import columns_of
from game.models.visitors import CODE
from game.pages.parts.choices import build_choice_tray
from game.pages.parts.components import Tray
from game.pages.parts.dice import fill_tray, lay_aside, lay_shown
from game.pages.parts.refusals import sentence
from game.pages.parts.view_of_game import list_keeps
from game.pages.practice.positions import (
    Position,
    address,
    chosen_faces,
    made_up,
    of_game,
    of_help,
    reviewed,
)
from game.pages.practice.streak import Tally
from game.pages.practice.verdict import judge, situation
from game.prefs import Prefs
from game.rules import Bank, State, Throw, Win, find_keep, points_with, why_not
from game.strategy.practice import NoPosition
from game.views.game import game_for
from game.views.responses import see_other

NUMBERS = 1_000_000
MODES = {
    "mine": gettext_lazy("From my games"),
    "entry": gettext_lazy("Entry"),
    "late": gettext_lazy("Late game"),
    "keep": gettext_lazy("Choosing dice"),
}


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: PageRequest) -> HttpResponse:
    """`?mode=keep&ruleset=classic&n=17` is a position, `&kept=2,3&then=bank` an answer; `?game=…&n=1` one of a game."""
    rows = list_offered()
    visitor = request.browser.visitor()
    at = asked(request, visitor, rows)
    if isinstance(at, HttpResponse):
        return at
    if request.method == "POST":
        return answered(request, at, rows)
    kept, then = kept_columns(request.GET.get("kept", "")), request.GET.get("then", "")
    verdict = judge(at.state, chosen_faces(at, kept), then) if kept else None
    return page(request, at, rows, kept=kept if verdict else (), verdict=verdict)


def asked(request: PageRequest, visitor: Visitor | None, rows: Sequence[RulesetRow]) -> Position | HttpResponse:
    """The position of this address; or where another one is found, or why there is none."""
    code, place = request.GET.get("game"), whole(request.GET.get("n", ""))
    if code:
        found = of_game(over(request, code), visitor, 1 if place is None else place)
        return found or nothing(request, rows, "mine")
    slug = request.GET.get("ruleset", "")
    row = next((each for each in rows if each.slug == slug), rows[0] if rows else None)
    mode = request.GET.get("mode", "")
    if row is None:
        return nothing(request, rows, "keep")
    if mode == "example":
        return of_help(row.rules, row.slug) or nothing(request, rows, "keep")
    if mode not in MODES or mode == "mine":
        games = reviewed(visitor) if visitor else []
        if games:
            return HttpResponseRedirect(address({"game": games[0].code, "n": "1"}))
        if mode == "mine":
            return nothing(request, rows, mode)
        mode = "keep"
    if place is None or row.slug != slug:
        return HttpResponseRedirect(address({"mode": mode, "ruleset": row.slug, "n": str(secrets.randbelow(NUMBERS))}))
    try:
        return made_up(row.rules, row.slug, mode, place)
    except NoPosition:
        return nothing(request, rows, mode, row)


def over(request: PageRequest, code: str) -> Game:
    """A game that is over, for whoever may see it."""
    game = game_for(request, code) if re.fullmatch(CODE, code) else None
    if game is None or not game.is_over:
        raise Http404
    return game


def nothing(request: PageRequest, rows: Sequence[RulesetRow], mode: str, row: RulesetRow | None = None) -> HttpResponse:
    """There is no position, or no other one: why, and where to go on."""
    visitor = request.browser.visitor()
    context = {"mine": reviewed(visitor) if visitor and mode == "mine" else [], "begun": "game" in request.GET}
    return render(request, "game/practice.html", {**context, **frame(request, rows, mode, row)})


def kept_columns(text: str) -> tuple[int, ...]:
    try:
        return columns(text.split(",")) if text else ()
    except Nonsense:
        return ()


def answered(request: PageRequest, at: Position, rows: Sequence[RulesetRow]) -> HttpResponse:
    """Counts the answer in the cookie, and leads to the address that shows what it is worth."""
    then = request.GET.get("then", "")
    if then not in ("bank", "throw"):
        raise BadRequest("Press Bank or Throw.")
    ticked = columns(request.POST.getlist("keep"))
    faces = chosen_faces(at, ticked)
    verdict = judge(at.state, faces, then)
    if verdict is None:
        return page(request, at, rows, ticked=ticked, problem=refusal(at.state, faces, then), status=422)
    kept = ",".join(map(str, columns_of(at.thrown.by_column, faces)))
    response = see_other(request, f"{at.address}&{urlencode({'kept': kept, 'then': then}, safe=',')}")
    Tally.of(request).after(at.address, verdict.right).save(response)
    return response


def refusal(state: State, faces: tuple[int, ...], then: str) -> str:
    """Why this is no way to keep."""
    reason = why_not(state, Bank(faces) if then == "bank" else Throw(faces)) or why_not(state, Win(faces))
    return sentence(reason) if reason else ""


def page(
    request: HttpRequest,
    at: Position,
    rows: Sequence[RulesetRow],
    *,
    kept: tuple[int, ...] = (),
    ticked: tuple[int, ...] | None = None,
    verdict: object = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    slug = at.query.get("ruleset", "")
    tray = lies(at, kept) if verdict else to_choose(request, at, ticked)
    context = {
        "at": at,
        "situation": situation(at.state),
        "tray": tray,
        "detail": detail_of(tray),
        "verdict": verdict,
        "problems": [("tray", problem)] if problem else [],
        "following": address(at.following),
        **frame(request, rows, at.query.get("mode", "mine"), next((row for row in rows if row.slug == slug), None)),
    }
    return render(request, "game/practice.html", context, status=status)


def frame(request: HttpRequest, rows: Sequence[RulesetRow], mode: str, row: RulesetRow | None) -> dict[str, object]:
    """What stands round every position: the modes, the rules, and how it went so far."""
    row = row or next(iter(rows), None)
    tabs = [
        (words, address({"mode": name} | ({"ruleset": row.slug} if row else {})), name) for name, words in MODES.items()
    ]
    return {"tabs": tabs, "mode": mode, "rows": rows, "row": row, "tally": Tally.of(request).words}


def to_choose(request: HttpRequest, at: Position, ticked: tuple[int, ...] | None = None) -> Tray:
    """The tray with this position: Bank and Throw post to its address."""

    def address(action: str) -> str:
        return f"{at.address}&then={action}"

    free = Prefs.of(request).first == "choose"
    tray = build_choice_tray(at.state, list_keeps(at.state), at.thrown, at.aside, ticked, free=free, address=address)
    return replace(tray, plain=True)


def detail_of(tray: Tray) -> str:
    """What the dice that are ticked make."""
    ticked = sorted(die.face for die in tray.dice if die.checked)
    choice = tray.choices.get("".join(map(str, ticked)))
    return choice.detail if choice else ""


def lies(at: Position, kept: tuple[int, ...]) -> Tray:
    """The dice as they were chosen, to look at."""
    shot, keep = at.state.shot, find_keep(at.state, chosen_faces(at, kept))
    assert shot is not None and keep is not None
    return fill_tray(
        lay_aside(at.aside) + lay_shown(at.thrown, kept),
        shot.points,
        points_with(shot, keep) - shot.points,
        yours=False,
        throw_number=at.thrown.pk,
        seat=1,
        plain=True,
    )
