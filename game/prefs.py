"""What a visitor prefers, in a cookie: no account, no row. An unknown or broken value is the default."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE = settings.COOKIE_PREFIX + "prefs"
YEAR = 365 * 24 * 3600

CHOICES: dict[str, tuple[str, ...]] = {
    "theme": ("auto", "light", "dark"),
    "motion": ("auto", "reduced", "none"),
    "keys": ("on", "off"),
    "first": ("keep", "choose"),
    "hints": ("auto", "off", "points", "odds", "coach"),
    "pace": ("normal", "slow", "instant"),
    "entry": ("type", "tap"),
    "sound": ("soft", "full", "off"),
}

PAUSE_MS = {"slow": 1200, "normal": 600, "instant": 0}


@dataclass(frozen=True)
class Prefs:
    """The first value of each list above is the default."""

    theme: str = "auto"
    motion: str = "auto"
    keys: str = "on"
    first: str = "keep"
    hints: str = "auto"
    pace: str = "normal"
    entry: str = "type"
    sound: str = "soft"

    @property
    def pause_ms(self) -> int:
        """Milliseconds between two throws of a computer."""
        return PAUSE_MS[self.pace]

    @classmethod
    def of(cls, request: HttpRequest) -> Prefs:
        sent = dict(parse_qsl(request.COOKIES.get(COOKIE, "")[:400]))
        return cls(**{name: sent[name] for name in CHOICES if sent.get(name) in CHOICES[name]})

    def with_changes(self, sent: dict[str, str]) -> Prefs:
        good = {name: value for name, value in sent.items() if value in CHOICES.get(name, ())}
        return replace(self, **good)

    def save(self, response: HttpResponse) -> None:
        default = Prefs()
        changed = urlencode({k: v for k, v in asdict(self).items() if v != getattr(default, k)})
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(COOKIE, changed, max_age=YEAR, httponly=True, samesite="Lax", secure=secure)
