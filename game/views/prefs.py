"""The preferences and the language, each stored in a cookie as soon as it is chosen."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from game.cookies import YEAR, set_cookie
from game.forms.prefs import PrefsForm
from game.identity import PageRequest
from game.pages.parts.colours import COLOUR_NAMES
from game.prefs import Prefs
from game.services import accounts, calls
from game.serving.languages import localize, split_language
from game.views.responses import see_other


@require_http_methods(["GET", "HEAD", "POST"])
def prefs(request: PageRequest) -> HttpResponse:
    """Show the preferences, or save those that are posted."""
    problems: list[tuple[str, str]] = []
    if request.method == "POST":
        form = PrefsForm(request.POST)
        if form.is_valid():
            return save_prefs(request, form.chosen())
        problems = [(f"{name}-1", str(errors[0])) for name, errors in form.errors.items()]
    saved = "saved" in request.GET and not problems
    context = {"colours": COLOUR_NAMES, "saved": saved, "problems": problems}
    return render(request, "game/prefs.html", context, status=422 if problems else 200)


def save_prefs(request: PageRequest, chosen: dict[str, str]) -> HttpResponse:
    """Store the chosen preferences in the cookie, and quiet hours also with the visitor's calls."""
    response = HttpResponse(_("Saved")) if request.htmx else see_other(request, reverse("game:prefs") + "?saved")
    Prefs.of(request).with_changes(chosen).save(response)
    visitor = request.browser.visitor()
    if visitor and "quiet" in chosen:
        calls.change_quiet_hours(visitor, chosen["quiet"])
    return response


@csrf_exempt  # a token in every footer would mean a cookie for every reader, and a forged request gains nothing
@require_POST
def choose_language(request: PageRequest) -> HttpResponse:
    """Store the language and redirect back to the page, at its URL in that language if it has one."""
    language, path = request.POST.get("language", ""), request.POST.get("next", "")
    if not path.startswith("/") or not url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        path = "/"
    if language not in dict(settings.LANGUAGES):
        return see_other(request, path)
    target = localize(path, language) if split_language(path)[0] else path
    if not url_has_allowed_host_and_scheme(target, allowed_hosts=None):  # "/de//evil.example" leads to another site
        target = "/"  # once its language is removed
    response = see_other(request, target)
    set_cookie(response, settings.LANGUAGE_COOKIE_NAME, language, lasts=YEAR)
    if visitor := request.browser.visitor():
        accounts.keep_language(visitor, language)
    return response
