"""Who this browser is: a cookie with 256 random bits, kept here only as its hash.

No login, and no row before a game is made.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails

from game.models import Visitor

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\Z")
DAYS_180 = 180 * 24 * 3600


@dataclass
class Browser:
    """The browser behind a request. `token` never leaves its cookie."""

    token: str
    known: bool
    row: Visitor | None = None

    @property
    def token_hash(self) -> str:
        return hashlib.sha256(self.token.encode()).hexdigest()

    def visitor(self) -> Visitor | None:
        """Its row, if it ever made a game. One query; none for a browser without a cookie."""
        if self.row is None and self.known:
            self.row = Visitor.objects.filter(token_hash=self.token_hash).first()
        return self.row

    def visitor_or_new(self) -> Visitor:
        """Its row, made now if it has none: only for a browser that is about to sit down."""
        return Visitor.objects.get_or_create(token_hash=self.token_hash)[0]


class PageRequest(HttpRequest):
    """A request as the views get it: the middleware has said which browser it is and whether htmx asks."""

    browser: Browser
    htmx: HtmxDetails
    outcome: str  # for the log: what became of it, where the status does not say


def browser_of(request: HttpRequest) -> Browser:
    token = request.COOKIES.get(settings.VISITOR_COOKIE_NAME, "")
    known = bool(TOKEN.match(token))
    return Browser(token if known else secrets.token_urlsafe(32), known)


class VisitorMiddleware:
    """Gives every browser that opens a page its cookie, and renews it for another 180 days."""

    def __init__(self, get_response: Callable[[PageRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: PageRequest) -> HttpResponse:
        request.browser = browser_of(request)
        response = self.get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.set_cookie(
                settings.VISITOR_COOKIE_NAME,
                request.browser.token,
                max_age=DAYS_180,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response
