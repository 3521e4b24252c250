"""Pictures: the cards of links, the same for everybody and without words to translate; and the result of a game."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from game.identity import PageRequest
from game.models import Game, PlayedRuleset, RulesetRow
from game.pages.board.result import build_result_picture
from game.pages.cards.card import Card, make_game_card, make_ruleset_card, make_site_card, make_step_card
from game.pages.parts.colours import list_seat_colours
from game.pages.parts.view_of_game import load_viewer_game
from game.pages.replay.page import load_replay
from game.pages.rulesets.played_rules import show_played
from game.picture_cache import find_or_draw
from game.prefs import Prefs
from game.services import has_lapsed
from game.views.game import get_game_or_404

MINUTES = 5 * 60  # a game moves on, and its host may close it to spectators
DAY = 24 * 60 * 60


def send_card(request: PageRequest, make_card: Callable[[], Card], owner: str, seconds: int) -> HttpResponse:
    """Return the picture as PNG, or 304 if the client's copy is current. `seconds`: how long it may be cached.

    `owner`: whose cached pictures are dropped together. Numbers have the site's default format for every client, since
    a chat app fetches a picture once for everybody.
    """
    # Pillow is loaded only when a picture is asked for.
    from game.pages.cards.drawing import draw_card, name_picture

    with translation.override(settings.LANGUAGE_CODE):
        card = make_card()
    name = name_picture(card)
    response = get_conditional_response(request, etag=f'"{name}"')
    if response is None:
        response = HttpResponse(find_or_draw(owner, name, partial(draw_card, card)), content_type="image/png")
    response.headers["ETag"] = f'"{name}"'
    response.headers["Cache-Control"] = f"public, max-age={seconds}"
    return response


@require_safe
def site_card(request: PageRequest) -> HttpResponse:
    """Send the picture of the site."""
    return send_card(request, make_site_card, "site", DAY)


@require_safe
def ruleset_card(request: PageRequest, slug: str) -> HttpResponse:
    """Send the picture of a ruleset in its newest version."""
    row = get_object_or_404(RulesetRow, slug=slug, latest=True)
    return send_card(request, partial(make_ruleset_card, row.rules), "rules", DAY)


@require_safe
def played_card(request: PageRequest, digest: str) -> HttpResponse:
    """Send the picture of played rules, which shows nobody's words."""
    played = get_object_or_404(PlayedRuleset, digest=digest)

    def make_card() -> Card:
        shown = show_played(played)
        return make_ruleset_card(replace(shown.rules, name=" ".join(shown.name.split())))

    return send_card(request, make_card, "rules", DAY)


@require_safe
def game_card(request: PageRequest, code: str) -> HttpResponse:
    """Send the picture of the game as it stands, or at the throw of `?at=17`; 404 for everybody if watching is off."""
    game = Game.by_code(code)
    if game is None or has_lapsed(game) or not game.watching:
        raise Http404
    return send_card(request, partial(make_card, request, game), f"game{game.pk}", MINUTES)


def make_card(request: PageRequest, game: Game) -> Card:
    """Return the card of the game as it stands, or at the step that the request names."""
    if "at" not in request.GET or game.status == Game.Status.WAITING:
        return make_game_card(game)
    return make_step_card(game, load_replay(game, request.GET["at"], request.GET.get("choices", ""), Prefs()))


@require_safe
def result_picture(request: PageRequest, code: str) -> HttpResponse:
    """Draw who won, everybody's place and the scores by round; 404 before the end."""
    row = get_game_or_404(request, code)
    if not row.is_over:
        raise Http404
    game = load_viewer_game(row, None, Prefs())
    context = {
        **build_result_picture(game),
        "seat_colours": list_seat_colours(row.seats),
        "link": request.build_absolute_uri(row.get_absolute_url()),
    }
    return render(request, "game/result.svg", context, content_type="image/svg+xml")
