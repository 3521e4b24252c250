"""A visitor's preferences, in a cookie: no account, no row. An unknown or broken value counts as the default."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self, get_args, get_type_hints
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from game.cookies import YEAR, set_cookie

PREFS_COOKIE = settings.COOKIE_PREFIX + "prefs"

PAUSE_MS = {"slow": 1200, "normal": 600, "instant": 0}
Switch = Literal["on", "off"]


@dataclass(frozen=True)
class Prefs:
    """The preferences of one browser. Their names are those of the fields on the page and of the cookie's values."""

    theme: Literal["auto", "light", "dark"] = "auto"
    dice: Literal["pips", "numerals", "contrast"] = "pips"
    motion: Literal["auto", "reduced", "none"] = "auto"
    keys: Switch = "on"
    """Whether single letters are keys, as R for Throw."""
    colour: Literal["seat", "1", "2", "3", "4", "5", "6", "7", "8"] = "seat"
    """The colour of the viewer's own seat; "seat" for the one that everybody sees."""
    hand: Literal["right", "left"] = "right"
    """The side on which the Throw button is."""
    order: Literal["thrown", "sorted"] = "thrown"
    """Whether the dice of a throw lie as they fell, or from low to high."""
    first: Literal["keep", "choose"] = "keep"
    """Whether a new throw shows the best keep set aside, or nothing."""
    hints: Literal["auto", "off", "points", "odds", "coach"] = "auto"
    """How much Ways to keep says, unless the game sets that for all players."""
    pace: Literal["normal", "slow", "instant"] = "normal"
    """How long a computer pauses between two throws."""
    entry: Literal["type", "tap"] = "type"
    """How a turn with real dice is entered."""
    coaching: Switch = "on"
    """Whether there are tips under the dice in a newcomer's first turns."""
    sound: Literal["soft", "full", "off"] = "soft"
    vibration: Switch = "on"
    reactions: Switch = "on"
    quiet: Literal["night", "long", "off"] = "night"
    """The hours in which nobody is called."""

    @property
    def pause_ms(self) -> int:
        """Milliseconds between two throws of a computer."""
        return PAUSE_MS[self.pace]

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        """Return the preferences in the cookie of a request."""
        cookie: dict[str, Any] = dict(parse_qsl(request.COOKIES.get(PREFS_COOKIE, "")[:400]))
        return cls(**{name: cookie[name] for name in CHOICES if cookie.get(name) in CHOICES[name]})

    def with_changes(self, changes: dict[str, str]) -> Self:
        """Return these preferences with the given changes; invalid ones change nothing."""
        good: dict[str, Any] = {name: value for name, value in changes.items() if value in CHOICES.get(name, ())}
        return replace(self, **good)

    def save(self, response: HttpResponse) -> None:
        """Set the cookie. It holds only what differs from the defaults, which a later release may change."""
        default = Prefs()
        changes = {name: value for name, value in asdict(self).items() if value != getattr(default, name)}
        set_cookie(response, PREFS_COOKIE, urlencode(changes), lasts=YEAR)


CHOICES: dict[str, tuple[str, ...]] = {name: get_args(kind) for name, kind in get_type_hints(Prefs).items()}
