"""How long everything is stored, for the page on privacy: taken from the constants that the program goes by."""

from datetime import timedelta

from django.conf import settings

from game.cookies import HALF_A_YEAR, HOUR, NAME_COOKIE, NEW_GAME_COOKIE, PRACTICE_COOKIE, WATCHING_COOKIE, YEAR
from game.models import Game
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import number
from game.prefs import PREFS_COOKIE
from game.services.device_transfer import TRANSFER_LASTS
from game.services.tidying import ABANDONED_AFTER, KEYS_LAST, PICTURES_LAST

# Every cookie that this site sets, with the time that it lasts.
COOKIES: dict[str, tuple[str, timedelta | None]] = {
    "visitor": (settings.VISITOR_COOKIE_NAME, HALF_A_YEAR),
    "prefs": (PREFS_COOKIE, YEAR),
    "name": (NAME_COOKIE, YEAR),
    "new_game": (NEW_GAME_COOKIE, HOUR),
    "watching": (WATCHING_COOKIE, HALF_A_YEAR),
    "language": (settings.LANGUAGE_COOKIE_NAME, YEAR),
    "practice": (PRACTICE_COOKIE, None),
    "csrf": (settings.CSRF_COOKIE_NAME, timedelta(seconds=settings.CSRF_COOKIE_AGE)),
    "session": (settings.SESSION_COOKIE_NAME, timedelta(seconds=settings.SESSION_COOKIE_AGE)),
}
LASTS = {
    "abandoned": ABANDONED_AFTER,
    "pictures": PICTURES_LAST,
    "waiting": Game.WAITING_LASTS,
    "transfer": TRANSFER_LASTS,
    "form_keys": KEYS_LAST,
}


def describe_time(age: timedelta | None) -> str:
    """Return a time in days, or in minutes if it is less than a day; None lasts until the browser is closed."""
    if age is None:
        return _("Until you close the browser")
    if age < timedelta(days=1):
        minutes = age // timedelta(minutes=1)
        return ngettext("%(num)s minute", "%(num)s minutes", minutes) % {"num": number(minutes)}
    return ngettext("%(num)s day", "%(num)s days", age.days) % {"num": number(age.days)}
