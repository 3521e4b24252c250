"""Turning calls on and off: a browser is called when it is somebody's turn, even with the page closed."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_http_methods

from game.calling.push_key import read_key_pair
from game.forms.calls import read_push_keys, read_zone
from game.identity import PageRequest
from game.prefs import Prefs
from game.services import calls
from game.views.responses import REFUSED, explain_refusal

LOCAL = ("localhost", "127.0.0.1", "::1")  # browsers trust these without https


@require_http_methods(["GET", "HEAD", "POST"])
def call(request: PageRequest, code: str) -> HttpResponse:
    """Say whether this browser is called for its seats in the game, and with which key; or change that."""
    try:
        if request.method == "POST":
            return change_call(request, code)
        called = calls.is_called(request.browser, code)
    except REFUSED as error:
        status, why = explain_refusal(request, error)
        return HttpResponse(why, content_type="text/plain; charset=utf-8", status=status)
    _private, public = read_key_pair()
    return JsonResponse({"called": called, "key": public})


def change_call(request: PageRequest, code: str) -> HttpResponse:
    """Turn calls to this browser on or off. Raises one of `REFUSED`."""
    if request.POST.get("do") != "call":
        calls.stop_calling(request.browser, code)
    elif is_private_line(request):
        calls.call_seats(request.browser, code, read_push_keys(request.POST), read_wishes(request))
    else:
        raise calls.CannotCall
    return HttpResponse(status=204)


def read_wishes(request: PageRequest) -> calls.CallWishes:
    """Return how the person at this browser wants to be called."""
    site = f"{request.scheme}://{request.get_host()}"
    return calls.CallWishes(request.LANGUAGE_CODE, read_zone(request.POST), Prefs.of(request).quiet, site)


def is_private_line(request: HttpRequest) -> bool:
    """Return whether browsers allow calls over this connection: by https, and on the machine itself."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    return request.is_secure() or host in LOCAL or host.endswith(".localhost")
