"""What a page shares with the others at the table while nothing of the game changes: the answer is a status alone."""

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from game import services
from game.forms.commands import read_columns, read_command
from game.identity import PageRequest
from game.views.responses import REFUSED, explain_refusal


@require_POST
def share_choice(request: PageRequest, code: str) -> HttpResponse:
    """Show everybody the ticked dice of whoever is choosing."""
    try:
        command = read_command(request, request.browser.visitor())
        services.share_choice(code, command, read_columns(request.POST.getlist("keep")))
    except REFUSED as error:
        status, why = explain_refusal(request, error)
        return HttpResponse(why, content_type="text/plain; charset=utf-8", status=status)
    return HttpResponse(status=204)
