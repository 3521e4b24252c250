"""The preferences page: stored in a cookie, each saved as soon as it is chosen."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from game.forms.prefs import GROUPS, QUESTIONS, PrefsForm
from game.identity import PageRequest
from game.prefs import Prefs
from game.services import calls
from game.views.responses import see_other


@require_http_methods(["GET", "HEAD", "POST"])
def prefs(request: PageRequest) -> HttpResponse:
    """Show the preferences, or save one of them or all."""
    if request.method != "POST":
        return render_prefs(request, saved="saved" in request.GET)
    form = PrefsForm(request.POST)
    if not form.is_valid():
        problems = [(f"{name}-1", str(errors[0])) for name, errors in form.errors.items()]
        return render_prefs(request, problems=problems, status=422)
    response = HttpResponse(_("Saved")) if request.htmx else see_other(request, reverse("game:prefs") + "?saved")
    Prefs.of(request).with_changes(form.chosen()).save(response)
    visitor = request.browser.visitor()
    if visitor and "quiet" in form.chosen():
        calls.change_quiet_hours(visitor, form.chosen()["quiet"])
    return response


def render_prefs(
    request: PageRequest, *, saved: bool = False, problems: list[tuple[str, str]] | None = None, status: int = 200
) -> HttpResponse:
    """Render the page with the current preferences."""
    context = {"groups": GROUPS, "questions": QUESTIONS, "saved": saved, "problems": problems or []}
    return render(request, "game/prefs.html", context, status=status)
