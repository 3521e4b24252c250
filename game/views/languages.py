"""Choosing a language: stored in a cookie and, if signed in, for the account's next browser."""

from django.conf import settings
from django.http import HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from game.cookies import YEAR, set_cookie
from game.identity import PageRequest
from game.services import accounts
from game.serving.languages import localize, split_language
from game.views.responses import see_other


@csrf_exempt  # a token in every footer would mean a cookie for every reader, and a forger gains nothing
@require_POST
def choose_language(request: PageRequest) -> HttpResponse:
    """Store the language and redirect back to the page, at its URL in that language if it has one."""
    language, path = request.POST.get("language", ""), request.POST.get("next", "")
    if not path.startswith("/") or not url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        path = "/"
    if language not in dict(settings.LANGUAGES):
        return see_other(request, path)
    target = localize(path, language) if split_language(path)[0] else path
    # "/de//evil.example" is a path of this site until its language is taken off.
    if not url_has_allowed_host_and_scheme(target, allowed_hosts=None):
        target = "/"
    response = see_other(request, target)
    set_cookie(response, settings.LANGUAGE_COOKIE_NAME, language, lasts=YEAR)
    if visitor := request.browser.visitor():
        accounts.keep_language(visitor, language)
    return response
