"""Responses that Django doesn't have, and responses to refusals."""

from collections.abc import Iterator
from pathlib import PurePath

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django_htmx.http import HttpResponseClientRedirect

from game.forms.commands import Nonsense
from game.identity import PageRequest
from game.pages.parts.refusals import describe_refusal
from game.rules import IllegalMove
from game.services import Refusal

REFUSED = (Nonsense, IllegalMove, Refusal)
CONTENT_TYPES = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".py": "text/x-python; charset=utf-8",
    ".zip": "application/zip",
}


def see_other(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect with a GET; for htmx by a header, since it would swap the page in where the answer goes."""
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(url)
    return HttpResponseRedirect(url, status=303)  # a browser follows this status with a GET


def attach(content: str | Iterator[str] | Iterator[bytes], name: str) -> HttpResponseBase:
    """Return a download under this name, whose ending determines the content type; streamed if given in pieces."""
    response = HttpResponse(content) if isinstance(content, str) else StreamingHttpResponse(content)
    response.headers["Content-Type"] = CONTENT_TYPES[PurePath(name).suffix]
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def require_mail_server() -> None:
    """Raise `Http404` on a site that sends no mail: no link leads to such a page there, and it could do nothing."""
    if not settings.EMAIL_HOST:
        raise Http404


def refuse_in_words(request: PageRequest, error: Exception) -> HttpResponse:
    """Return for a script only the sentence for one of `REFUSED`, as plain text."""
    status, why = explain_refusal(request, error)
    return HttpResponse(why, content_type="text/plain; charset=utf-8", status=status)


def explain_refusal(request: PageRequest, error: Exception) -> tuple[int, str]:
    """Return the status and the sentence for one of `REFUSED`, and note the reason for the log."""
    if isinstance(error, IllegalMove):
        request.outcome = error.code
        return 422, describe_refusal(error)
    assert isinstance(error, Nonsense | Refusal)
    if isinstance(error, Refusal):
        request.outcome = type(error).__name__
    return error.status, str(error)
