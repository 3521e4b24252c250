"""Broadcasts to all pages of a game, which change nothing in it: the response is just a status."""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from game import services
from game.forms.commands import Nonsense, read_columns, read_command
from game.identity import PageRequest
from game.views.responses import REFUSED, refuse_in_words


@require_POST
def share_choice(request: PageRequest, code: str) -> HttpResponse:
    """Show everybody which dice the player who is choosing has ticked."""
    try:
        command = read_command(request, request.browser.visitor())
        services.share_choice(code, command, read_columns(request.POST.getlist("keep")))
    except REFUSED as error:
        return refuse_in_words(request, error)
    return HttpResponse(status=204)


@require_POST
def share_reaction(request: PageRequest, code: str) -> HttpResponse:
    """Show everybody a player's reaction."""
    try:
        reaction = request.POST.get("reaction", "")
        if reaction not in services.REACTIONS:
            raise Nonsense(_("Choose one of the reactions."))
        services.share_reaction(code, request.browser.visitor(), reaction)
    except REFUSED as error:
        return refuse_in_words(request, error)
    return HttpResponse(status=204)
