"""Which games this browser lately looked at without a seat: a signed cookie, and no row for somebody who only looks."""

from django.conf import settings
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse

from game.cookies import HALF_A_YEAR, set_cookie

COOKIE = settings.COOKIE_PREFIX + "watching"
MOST = 20


def watched_codes(request: HttpRequest) -> list[str]:
    """Return the codes of those games, the last one first."""
    try:
        kept = request.get_signed_cookie(COOKIE, default="", max_age=HALF_A_YEAR)
    except BadSignature:
        return []
    return kept.split(".") if kept else []


def remember_watching(request: HttpRequest, response: HttpResponse, code: str) -> HttpResponse:
    """Return the answer, which now also remembers this game."""
    before = watched_codes(request)
    if before[:1] == [code]:
        return response
    codes = [code, *(other for other in before if other != code)][:MOST]
    set_cookie(response, COOKIE, ".".join(codes), lasts=HALF_A_YEAR, salt="")
    return response
