"""How this site sets cookies of its own: no script reads them, and no other site sends them along."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpResponse

HALF_A_YEAR = timedelta(days=180)
YEAR = timedelta(days=365)

NAME_COOKIE = settings.COOKIE_PREFIX + "name"
WATCHING_COOKIE = settings.COOKIE_PREFIX + "watching"


def set_cookie(
    response: HttpResponse, name: str, value: str, *, lasts: timedelta | None = None, salt: str | None = None
) -> None:
    """Set a cookie for as long as it `lasts`: without, until the browser is closed.

    With a `salt`, also an empty one, it is signed, and read by `get_signed_cookie` with the same one.
    """
    secure = settings.SESSION_COOKIE_SECURE
    if salt is None:
        response.set_cookie(name, value, max_age=lasts, httponly=True, samesite="Lax", secure=secure)
    else:
        response.set_signed_cookie(name, value, salt, max_age=lasts, httponly=True, samesite="Lax", secure=secure)
