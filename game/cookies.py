"""How this site sets its own cookies: HttpOnly, and never sent along by another site (SameSite)."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpResponse

HOUR = timedelta(hours=1)
HALF_A_YEAR = timedelta(days=180)
YEAR = timedelta(days=365)

NAME_COOKIE = settings.COOKIE_PREFIX + "name"
WATCHING_COOKIE = settings.COOKIE_PREFIX + "watching"
NEW_GAME_COOKIE = settings.COOKIE_PREFIX + "new-game"
PRACTICE_COOKIE = settings.COOKIE_PREFIX + "practice"


def set_cookie(
    response: HttpResponse, name: str, value: str, *, lasts: timedelta | None = None, salt: str | None = None
) -> None:
    """Set a cookie that expires after `lasts`; if None, when the browser is closed.

    With a `salt`, even an empty one, the cookie is signed: read it by `get_signed_cookie` with the same salt.
    """
    secure = settings.SESSION_COOKIE_SECURE
    if salt is None:
        response.set_cookie(name, value, max_age=lasts, httponly=True, samesite="Lax", secure=secure)
    else:
        response.set_signed_cookie(name, value, salt, max_age=lasts, httponly=True, samesite="Lax", secure=secure)
