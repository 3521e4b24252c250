"""Who this browser is: a cookie with 256 random bits, stored only as its hash.

No login is needed. A browser gets a row only with the first thing that it holds, such as a seat, a crew or kept rules.
"""

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.http import urlsafe_base64_encode
from django_htmx.middleware import HtmxDetails

from game.cookies import HALF_A_YEAR, set_cookie
from game.models import Visitor
from game.models.compiled import CompiledQuery

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\Z")
# In the session of a browser that acts for an account: the account's visitor.
ACTS_AS = "visitor"

VISITOR = CompiledQuery(lambda token_hash: Visitor.objects.filter(token_hash=token_hash), "hash")


@dataclass
class Browser:
    """The browser behind a request. `token` is kept only in its cookie."""

    token: str
    known: bool  # whether it has sent its cookie
    account: int | None = None  # the visitor of the account that it acts for
    row: Visitor | None = None

    @property
    def token_hash(self) -> str:
        """The hash of its token, which is all that the database has of it."""
        return hash_token(self.token)

    @property
    def number(self) -> int:
        """A number from 0 to 255, always the same for this browser."""
        return hashlib.sha256(self.token_hash.encode()).digest()[0]

    def visitor(self) -> Visitor | None:
        """Return the visitor who holds its seats, the account's or its own; None for no row. At most one query."""
        if self.row is None:
            self.row = Visitor.objects.filter(pk=self.account).first() if self.account else self.own()
        return self.row

    def own(self) -> Visitor | None:
        """Return the visitor of its cookie, whatever account it acts for. No query for a browser without a cookie."""
        return VISITOR.first(self.token_hash) if self.known else None

    def visitor_or_new(self) -> Visitor:
        """Return the visitor, created if missing. Call it only for a browser that is about to hold something."""
        if self.account and (visitor := self.visitor()):
            return visitor
        return self.own() or Visitor.objects.get_or_create(token_hash=self.token_hash)[0]


class PageRequest(HttpRequest):
    """A request as the views get it: middleware has set which browser sent it and whether htmx did."""

    browser: Browser
    htmx: HtmxDetails
    outcome: str  # for the log: why a change of a game was refused


def hash_token(token: str) -> str:
    """Return the SHA-256 of a token in hex, which is all that is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a token for a new browser: 256 bits, 43 characters."""
    return secrets.token_urlsafe(32)


def derive_token(purpose: str, *content: object, size: int = 32) -> str:
    """Return a token of `size` bytes in URL-safe base64, always the same for this content and the site's secret."""
    mac = salted_hmac(purpose, ":".join(map(str, content)), algorithm="sha256").digest()
    return urlsafe_base64_encode(mac[:size])


def find_browser(request: HttpRequest) -> Browser:
    """Return the browser that sent this request; one without a cookie gets a new token."""
    token = request.COOKIES.get(settings.VISITOR_COOKIE_NAME, "")
    known = bool(TOKEN.match(token))
    acts_as = request.session.get(ACTS_AS)
    # A session that a change of password has ended still holds its data, so check that the user is signed in.
    account = acts_as if acts_as and request.user.is_authenticated else None
    return Browser(token if known else new_token(), known, account)


class Cookieless(HttpResponse):
    """A response that other sites may show in a frame: it sets no cookie."""


def is_from_another_site(request: HttpRequest) -> bool:
    """Return whether another site's form was sent here: it comes without our cookies, even if the browser has them.

    An `Origin` that is not an address counts as another site's.
    """
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != request.get_host()
    except ValueError:  # "http://["
        return True


class VisitorMiddleware:
    """Gives every browser that opens a page its cookie, and renews it for another half-year.

    Somebody who only reads gets none: it comes with the first page that has a form, like Django's CSRF token.
    Fragments do not renew it: a late one would bring back the cookie from before a sign-in. Nor do responses to other
    sites' forms set one: a new cookie would replace the one that holds the seats.
    """

    def __init__(self, get_response: Callable[[PageRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: PageRequest) -> HttpResponse:
        """Answer the request, with the cookie if one is due."""
        request.browser = find_browser(request)
        response = self.get_response(request)
        is_html = response.headers.get("Content-Type", "").startswith("text/html")
        cookie = settings.VISITOR_COOKIE_NAME
        if isinstance(response, Cookieless) or (not request.browser.known and is_from_another_site(request)):
            return response
        sends = request.browser.known or request.method == "POST" or "CSRF_COOKIE" in request.META
        if is_html and sends and (not request.htmx or request.COOKIES.get(cookie) != request.browser.token):
            set_cookie(response, cookie, request.browser.token, lasts=HALF_A_YEAR)
        return response
