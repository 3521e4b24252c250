"""The name that this browser used last, so that nobody types it twice. A cookie, no row."""

from urllib.parse import quote, unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from game.cookies import YEAR, set_cookie
from game.forms.fields import clean_player_name
from game.rules import IllegalMove

COOKIE = settings.COOKIE_PREFIX + "name"


def last_name(request: HttpRequest) -> str:
    """Empty where there is none, or where the cookie was tampered with."""
    sent = unquote(request.COOKIES.get(COOKIE, "")[:400])
    try:
        name = clean_player_name(sent) if sent else ""
    except IllegalMove:
        return ""
    return "" if name.startswith("*") else name


def remember_name(response: HttpResponse, name: str) -> None:
    set_cookie(response, COOKIE, quote(name), lasts=YEAR)
