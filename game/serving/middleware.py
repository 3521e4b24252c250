"""What holds for every request, before and around the views."""

import logging
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render

from game.serving.headers import HEADERS, METHODS

LOG = logging.getLogger("game.answers")
RETRY_SECONDS = 3
GetResponse = Callable[[HttpRequest], HttpResponse]
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="-")


class Headers:
    """Outermost, so that static files and errors carry the same headers as pages, and each its own id."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        REQUEST_ID.set(secrets.token_hex(8))
        began = time.perf_counter()
        response = self.get_response(request)
        if LOG.isEnabledFor(logging.INFO):
            LOG.info("answered", extra=facts(request, response, time.perf_counter() - began))
        for name, value in {**HEADERS, "X-Request-Id": REQUEST_ID.get()}.items():
            response.headers[name] = value
        response.headers.setdefault("Cache-Control", "no-store")  # pages are personal; files say otherwise
        return response


def facts(request: HttpRequest, response: HttpResponse, seconds: float) -> dict[str, object]:
    """What the line about an answer says. `outcome`: why a change of a game was refused, else what the status means."""
    status = response.status_code
    meaning = "failed" if status >= 500 else "refused" if status >= 400 else "ok"
    return {
        "method": request.method if request.method in METHODS else "other",
        "route": route_of(request),
        "status": status,
        "outcome": getattr(request, "outcome", meaning),
        "ms": round(seconds * 1000, 1),
    }


def route_of(request: HttpRequest) -> str:
    """The address with names in the places of keys."""
    if request.path.startswith(settings.STATIC_URL):
        return f"{settings.STATIC_URL}…"
    return request.resolver_match.route if request.resolver_match else "(no route)"


class Guard:
    """Innermost, so that the page that says no knows the language and the looks its reader chose."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        if not is_text(request.META["PATH_INFO"]):
            raise Http404
        return self.get_response(request)


class Busy:
    """A database that is busy or away: nothing was written, and the same press can be repeated."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, OperationalError):
            return None
        response = render(request, "503.html", status=503)
        response.headers["Retry-After"] = str(RETRY_SECONDS)
        return response


def is_text(path: str) -> bool:
    """UTF-8 without NUL. WSGI hands over bytes as Latin-1; U+FFFD is what the server made of broken ones."""
    try:
        text = path.encode("latin-1").decode()
    except UnicodeError:
        return False
    return "\0" not in text and "\ufffd" not in text


class TidyRecord(logging.Filter):
    """Log lines carry the id of their request, and the route instead of an address that holds somebody's key."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = REQUEST_ID.get()
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            route = route_of(request)
            record.args = tuple(route if arg == request.path else arg for arg in record.args)
        return True
