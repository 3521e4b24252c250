"""Middleware for every request: headers and log lines, bad addresses and methods, a database that is busy."""

import logging
import re
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.request import split_domain_port, validate_host
from django.template import loader
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import server_error

from game.consistent_read import consistent_read
from game.database_trouble import explain_trouble, is_trouble
from game.prefs import Prefs
from game.serving.headers import FOR_OTHER_SITES, HEADERS, METHODS, NOT_TO_BE_FOUND, PRIVATE_PARTS
from game.serving.health import READY_PATH

LOG = logging.getLogger("game.answers")
RETRY_SECONDS = 3
# Search engines, and the fetchers of chat apps. Full names only: there are phones called Cubot.
CRAWLERS = re.compile(
    r"facebookexternalhit|Facebot|Twitterbot|Slackbot|Discordbot|TelegramBot|WhatsApp/|LinkedInBot|Pinterestbot|"
    r"Mastodon/|SkypeUriPreview|redditbot|Googlebot|bingbot|Applebot|DuckDuckBot|YandexBot|Baiduspider|SeznamBot"
)
GetResponse = Callable[[HttpRequest], HttpResponse]
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="-")


class HeadersMiddleware:
    """Gives every response its headers, its id and its log line. Outermost, so that files and errors get them too."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with headers and log line."""
        REQUEST_ID.set(secrets.token_hex(8))
        began = time.perf_counter()
        response = self.get_response(request)
        if LOG.isEnabledFor(logging.INFO):
            LOG.info("answered", extra=list_log_fields(request, response, time.perf_counter() - began))
        if CRAWLERS.search(request.headers.get("User-Agent", "")):
            response.cookies.clear()  # crawlers send no cookies, and store none
        own = find_own_headers(request, response)
        for name, value in {**HEADERS, "X-Request-Id": REQUEST_ID.get(), **own}.items():
            if value is None:
                response.headers.pop(name, None)
            else:
                response.headers[name] = value
        response.headers.setdefault("Cache-Control", "no-store")  # pages are personal; static files set their own
        return response


def find_own_headers(request: HttpRequest, response: HttpResponse) -> Mapping[str, str | None]:
    """Return the special headers of a response: if other sites may show it, or search engines must not list it."""
    match = request.resolver_match
    if match is None or response.status_code not in (200, 304):
        return {}
    return FOR_OTHER_SITES.get(match.view_name, {}) | (NOT_TO_BE_FOUND if PRIVATE_PARTS & match.kwargs.keys() else {})


def list_log_fields(request: HttpRequest, response: HttpResponse, seconds: float) -> dict[str, object]:
    """Return the fields of a response's log line. `outcome`: why a move was refused, else the meaning of the status."""
    status = response.status_code
    meaning = "failed" if status >= 500 else "refused" if status >= 400 else "ok"
    if setting := find_wrong_setting(request, status):
        meaning = f"wrong {setting}?"
    return {
        "method": request.method if request.method in METHODS else "other",
        "route": find_route(request),
        "status": status,
        "outcome": getattr(request, "outcome", meaning),
        "ms": round(seconds * 1000, 1),
    }


def find_wrong_setting(request: HttpRequest, status: int) -> str:
    """Return the setting that may not fit the proxy in front, since it keeps browsers out; "" for none."""
    if status == 301 and request.headers.get("X-Forwarded-Proto") == "https" and not request.is_secure():
        return "TRUSTED_PROXIES"  # the browser did use https, and is redirected for ever
    if status == 400:
        host, _port = split_domain_port(request.headers.get("Host", ""))
        return "" if validate_host(host, settings.ALLOWED_HOSTS) else "ALLOWED_HOSTS"
    return ""


def find_route(request: HttpRequest) -> str:
    """Return the route, with parameter names instead of their values, which may be keys."""
    if request.path.startswith(settings.STATIC_URL):
        return f"{settings.STATIC_URL}…"
    if request.path == READY_PATH:
        return READY_PATH
    match = request.resolver_match
    return (match.route or "/") if match else "(no route)"


class GuardMiddleware(MiddlewareMixin):
    """Refuses methods and paths that no view takes. Innermost, so that the refusal is in the reader's language."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Refuse the method with 405. Raises `Http404` for a path that is not valid text."""
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        path = request.META["PATH_INFO"]
        if "\0" in path or "\ufffd" in path:  # U+FFFD stands for broken bytes
            raise Http404
        return None


class SnapshotMiddleware:
    """Reads all that a page shows from one moment, so no move is seen half done. Innermost, around the view alone."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a GET from one snapshot; reads after a POST's change are up to the view."""
        if request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        if not request.session.is_empty():
            # Loading the user deletes a session that a new password has ended, and a page may not write.
            assert request.user.is_authenticated is not None
        with consistent_read():
            return self.get_response(request)


class BusyMiddleware(MiddlewareMixin):
    """Answers 503 when the database is busy or away: nothing was written, and the same form can be sent again."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer what a view got from a database in trouble, and keep it for the log."""
        if not is_trouble(exception):
            return None
        request.trouble = exception  # type: ignore[attr-defined]
        return answer_trouble(request)


def answer_trouble(request: HttpRequest) -> HttpResponse:
    """Return the page that asks for patience, rendered without the database and so without the user."""
    page = loader.render_to_string("503.html", {"prefs": Prefs.of(request)})
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_SECONDS)})


def answer_error(request: HttpRequest) -> HttpResponse:
    """Answer an error outside a view: middleware reads sessions and visitors from the database, too."""
    return answer_trouble(request) if is_trouble(sys.exc_info()[1]) else server_error(request)


class TidyRecord(logging.Filter):
    """Gives log lines the id of their request, and the route instead of a URL that may contain somebody's key."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the request's id, and replace its URL. Database trouble is one sentence, not a traceback per request."""
        record.request_id = REQUEST_ID.get()
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            route = find_route(request)
            record.args = tuple(route if arg == request.path else arg for arg in record.args)
            error = record.exc_info[1] if record.exc_info else getattr(request, "trouble", None)
            if error and is_trouble(error):
                with translation.override(None):  # not the reader's language
                    record.msg, record.args = "%s. %s", (record.getMessage(), explain_trouble(error))
                record.exc_info = None
        return True
