"""The result of a game as one picture to share: who won, everybody's place, and the scores by round."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.identity import PageRequest
from game.pages.board.result import list_places, write_headline
from game.pages.parts.score_chart import build_score_chart
from game.pages.parts.view_of_game import load_for
from game.prefs import Prefs
from game.views.game import get_game_or_404

ROWS_MOST = 6  # players listed, so that all can be read


@require_safe
def result_picture(request: PageRequest, code: str) -> HttpResponse:
    """Draw it, the same for everybody who may see the game; 404 before the end."""
    row = get_game_or_404(request, code)
    if not row.is_over:
        raise Http404
    game = load_for(row, None, Prefs())
    names = [player.name for player in game.state.players]
    places = list_places(game.state)
    context = {
        "title": write_headline(game),
        "places": places[:ROWS_MOST],
        "more": len(places[ROWS_MOST:]),
        "chart": build_score_chart(names, game.state.goal, game.scores),
        "link": request.build_absolute_uri(row.get_absolute_url()),
    }
    return render(request, "game/result.svg", context, content_type="image/svg+xml")
