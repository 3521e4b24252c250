"""What is stored, for how long, and who sees it. The numbers are those that the code uses; tests check the words."""

from datetime import timedelta

from django.conf import settings

from game.cookies import HALF_A_YEAR, HOUR, NAME_COOKIE, NEW_GAME_COOKIE, WATCHING_COOKIE, YEAR
from game.models import Game
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import number
from game.pages.practice import streak
from game.prefs import COOKIE as PREFS
from game.services.device_transfer import TRANSFER_LASTS
from game.services.tidying import ABANDONED_AFTER, KEYS_LAST, PICTURES_LAST


def list_cookies() -> list[tuple[str, str, str]]:
    """Return every cookie that this site sets, as (name, purpose, how long it lasts)."""
    lasting: list[tuple[str, str, timedelta | None]] = [
        (settings.VISITOR_COOKIE_NAME, _("Remembers your seats. Each visit renews it."), HALF_A_YEAR),
        (PREFS, _("Your preferences, once you have changed one."), YEAR),
        (NAME_COOKIE, _("The name you last played under, so that you needn’t type it again."), YEAR),
        (NEW_GAME_COOKIE, _("The players of a new game, while you look for its rules."), HOUR),
        (WATCHING_COOKIE, _("Which games you watched, for the list of them."), HALF_A_YEAR),
        (settings.LANGUAGE_COOKIE_NAME, _("The language you chose."), YEAR),
        (streak.COOKIE, _("Your streak in practice."), None),
        (
            settings.CSRF_COOKIE_NAME,
            _("Guards forms against other sites."),
            timedelta(seconds=settings.CSRF_COOKIE_AGE),
        ),
        (
            settings.SESSION_COOKIE_NAME,
            _("Keeps you signed in, and tells you on the next page what you have just done."),
            timedelta(seconds=settings.SESSION_COOKIE_AGE),
        ),
    ]
    return [(name, purpose, describe_time(age)) for name, purpose, age in lasting]


def list_stored_data() -> list[tuple[str, str]]:
    """Return what the site stores, as (what, until when)."""
    return [
        (
            _("A game: its players’ names, its throws, its scores"),
            _("Until its players delete it. One that nobody has touched for %(time)s ends, and can still be seen.")
            % {"time": describe_time(ABANDONED_AFTER)},
        ),
        (
            _("The pictures of a game that go with its link, with the names in it"),
            _("Until the game is deleted, and no longer than %(time)s after somebody last looked at one")
            % {"time": describe_time(PICTURES_LAST)},
        ),
        (_("A game that was never started, and its invite"), describe_time(Game.WAITING_LASTS)),
        (_("A link that moves your seat to another device"), describe_time(TRANSFER_LASTS)),
        (_("Which forms were sent, so that pressing a button twice has no second effect"), describe_time(KEYS_LAST)),
        (
            _("A random number for your browser, hashed so that nobody can work it out again"),
            _("For good. Without your cookie it leads to nobody."),
        ),
        (_("Crews, and sets of rules that you keep"), _("Until you remove them")),
        (
            _(
                "An account, if you want one: its name, its password in a form that can’t be read, your email address, "
                "the language you chose"
            ),
            _("Until you delete it"),
        ),
        (
            _("Where your browser can be called when it’s your turn, your language, time zone and quiet hours"),
            _("Until you switch it off, give up your seat, sign out, or the game is over, and at most an hour longer"),
        ),
        (_("Counts of all dice that fell here, without names"), _("For good")),
    ]


def describe_time(age: timedelta | None) -> str:
    """Return a time in days, or in minutes if it is less than a day; None lasts until the browser is closed."""
    if age is None:
        return _("Until you close the browser")
    if age < timedelta(days=1):
        minutes = age // timedelta(minutes=1)
        return ngettext("%(num)s minute", "%(num)s minutes", minutes) % {"num": number(minutes)}
    return ngettext("%(num)s day", "%(num)s days", age.days) % {"num": number(age.days)}
