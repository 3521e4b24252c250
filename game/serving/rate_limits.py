"""How often one visitor, and one address, may ask. Counted in the memory of this process, bounded, no database."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
import unicodedata
from collections.abc import Callable, Hashable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from game.identity import PageRequest

KEYS_MOST = 100_000
AN_ADDRESS = 20  # times what a visitor may: a school or a club is one address

# What is counted as something else than a page (GET) or a move (POST in a game). None: not counted. A page asks for the
# board as often as the game moves on. It asks for a computer's next step, too: that takes nothing from what people may.
KINDS: dict[tuple[str, str], str | None] = {
    ("GET", "game:board"): None,
    ("POST", "game:advance"): "step",
    ("POST", "game:pad"): "page",  # a tap on a face: nothing is stored
    ("POST", "game:quick"): "new",
    ("POST", "game:new"): "new",
    ("POST", "game:rematch"): "new",
    ("POST", "game:import"): "load",
    ("POST", "game:links"): "link",
    ("POST", "game:transfer"): "link",
    ("POST", "game:invite"): "link",
    ("POST", "game:claim"): "link",
    ("POST", "game:sign-up"): "link",
    ("POST", "game:forgotten"): "link",  # it sends a mail
    ("POST", "game:password"): "link",  # the old one could be guessed
    ("GET", "game:account-data"): "load",
    ("POST", "game:sign-in"): "login",
    ("POST", "admin:login"): "login",
}


OF_A_GAME = ("move", "step")  # counted in each game for itself


class Counts:
    """A bucket a key that fills with the asking and empties evenly; kept as the moment when it will be empty."""

    def __init__(self, most: int = KEYS_MOST) -> None:
        self.most = most
        self.empty: dict[Hashable, float] = {}
        self.lock = threading.Lock()

    def wait(self, key: Hashable, times: int, seconds: float, now: float) -> float:
        """Seconds until there is room for one more; 0 where there is, and then it is counted."""
        with self.lock:
            full = max(self.empty.get(key, now), now) + seconds / times
            if full - now > seconds + 1e-6:
                return full - now - seconds
            self.empty[key] = full
            if len(self.empty) > self.most:
                self.forget(now)
            return 0

    def forget(self, now: float) -> None:
        """The empty ones; where that is not enough, the half that was seen first longest ago."""
        self.empty = {key: moment for key, moment in self.empty.items() if moment > now}
        if len(self.empty) > self.most // 2:
            self.empty = dict(list(self.empty.items())[len(self.empty) // 2 :])


COUNTS = Counts()


class Limits:
    """Whoever asks too often is told when to try again. Nothing was done, so the same form can be sent again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: PageRequest, _view: object, _args: object, kwargs: dict[str, Any]) -> Any:
        kind = kind_of(request)
        if kind not in settings.LIMITS:
            return None
        times, seconds = settings.LIMITS[kind]
        now = time.monotonic()
        for who, factor in asking(request, kind, kwargs.get("code", "")):
            if wait := COUNTS.wait((kind, *who), times * factor, seconds, now):
                return too_often(request, kind, math.ceil(wait))
        return None


def kind_of(request: PageRequest) -> str | None:
    """What is asked for, as the settings name it; None for what is not counted."""
    method = "POST" if request.method == "POST" else "GET"
    match = request.resolver_match
    asked = method, match.view_name if match else ""
    if asked == ("POST", "game:new") and request.POST.get("do", "start") != "start":
        return "page"  # a row more, another order: no game is made yet
    default = "move" if method == "POST" and match and "code" in match.kwargs else "page"
    return KINDS.get(asked, default)


def asking(request: PageRequest, kind: str | None, code: str) -> list[tuple[tuple[str, ...], int]]:
    """Who is counted, and how many times the limit is theirs: the visitor first, then the address."""
    address = network(request.META.get("REMOTE_ADDR", ""))
    if kind == "login":
        return [((account_name(request), address), 1), ((address,), AN_ADDRESS)]
    visitor = [((request.browser.token_hash, code if kind in OF_A_GAME else ""), 1)] if request.browser.known else []
    return [*visitor, ((address,), AN_ADDRESS)]


def account_name(request: PageRequest) -> str:
    """The same for all ways to write a name that lead to the same account."""
    return unicodedata.normalize("NFKC", request.POST.get("username", "").strip()[:150]).casefold()


def network(address: str) -> str:
    """An IPv6 household has 2 to the 64 addresses: they count as one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))


def too_often(request: HttpRequest, kind: str | None, seconds: int) -> HttpResponse:
    context = {"kind": kind, "seconds": seconds, "minutes": math.ceil(seconds / 60)}
    response = render(request, "429.html", context, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response
