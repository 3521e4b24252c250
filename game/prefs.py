"""What a visitor prefers, in a cookie: no account, no row. An unknown or broken value is the default."""

from dataclasses import asdict, dataclass, replace
from typing import Self
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from game.cookies import YEAR, set_cookie

COOKIE = settings.COOKIE_PREFIX + "prefs"

CHOICES: dict[str, tuple[str, ...]] = {
    "theme": ("auto", "light", "dark"),
    "dice": ("pips", "numerals", "contrast"),
    "motion": ("auto", "reduced", "none"),
    "keys": ("on", "off"),
    "colour": ("seat", "1", "2", "3", "4", "5", "6", "7", "8"),
    "hand": ("right", "left"),
    "order": ("thrown", "sorted"),
    "first": ("keep", "choose"),
    "hints": ("auto", "off", "points", "odds", "coach"),
    "pace": ("normal", "slow", "instant"),
    "entry": ("type", "tap"),
    "coaching": ("on", "off"),
    "sound": ("soft", "full", "off"),
    "vibration": ("on", "off"),
    "reactions": ("on", "off"),
    "quiet": ("night", "long", "off"),
}

PAUSE_MS = {"slow": 1200, "normal": 600, "instant": 0}


@dataclass(frozen=True)
class Prefs:
    """The preferences of one browser. The first value of each list above is the default."""

    theme: str = "auto"
    dice: str = "pips"
    motion: str = "auto"
    keys: str = "on"
    colour: str = "seat"
    hand: str = "right"
    order: str = "thrown"
    first: str = "keep"
    hints: str = "auto"
    pace: str = "normal"
    entry: str = "type"
    coaching: str = "on"
    sound: str = "soft"
    vibration: str = "on"
    reactions: str = "on"
    quiet: str = "night"

    @property
    def pause_ms(self) -> int:
        """Milliseconds between two throws of a computer."""
        return PAUSE_MS[self.pace]

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        """Read the cookie."""
        cookie = dict(parse_qsl(request.COOKIES.get(COOKIE, "")[:400]))
        return cls(**{name: cookie[name] for name in CHOICES if cookie.get(name) in CHOICES[name]})

    def with_changes(self, changes: dict[str, str]) -> Self:
        """Return these preferences with the given changes; invalid ones change nothing."""
        good = {name: value for name, value in changes.items() if value in CHOICES.get(name, ())}
        return replace(self, **good)

    def save(self, response: HttpResponse) -> None:
        """Set the cookie. It holds only what differs from the defaults, which a later release may change."""
        default = Prefs()
        changes = {name: value for name, value in asdict(self).items() if value != getattr(default, name)}
        set_cookie(response, COOKIE, urlencode(changes), lasts=YEAR)
