"""Rate limits per visitor and per address, counted in a bounded part of this process's memory, without the database."""

import ipaddress
import math
import threading
import time
import unicodedata
from collections.abc import Hashable, Iterable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from game.identity import PageRequest

KEYS_MOST = 100_000
ADDRESS_FACTOR = 20  # an address may do 20 times what a visitor may: a school or a club shares one

# What counts as something other than a page (GET) or a move (POST in a game). None: not counted, since a page asks for
# the board as often as the game moves on. It also asks for a computer's next step, which takes nothing from people's
# own limit.
KINDS: dict[tuple[str, str], str | None] = {
    ("GET", "game:board"): None,
    ("GET", "static-file"): None,  # of a newer release: config/urls.py
    ("POST", "game:advance"): "step",
    ("POST", "game:choice"): "share",
    ("POST", "game:reaction"): "react",
    ("POST", "game:quick"): "new",
    ("POST", "game:new"): "new",
    ("POST", "game:rematch"): "new",
    ("POST", "game:again"): "new",
    ("POST", "game:crews"): "new",
    ("POST", "game:crew"): "new",
    ("POST", "game:crew-members"): "link",
    ("POST", "game:change-rules"): "try",  # every change shows what it does
    ("POST", "game:keep-rules"): "link",
    ("POST", "game:solve"): "link",  # hours of work for the worker
    ("POST", "game:solve-played"): "link",
    ("POST", "game:import"): "load",
    ("POST", "game:archive"): "restore",
    ("GET", "game:archive-file"): "load",
    ("GET", "game:statistics-table"): "load",
    ("POST", "game:call"): "link",
    ("POST", "game:call-mail"): "mail",
    ("POST", "game:links"): "link",
    ("POST", "game:transfer"): "link",
    ("POST", "game:invite"): "link",
    ("POST", "game:claim"): "link",
    ("POST", "game:sign-up"): "account",
    ("POST", "game:forgotten"): "mail",  # to an address that anybody can name
    ("POST", "game:password"): "link",  # the old one could be guessed
    ("POST", "game:account-delete"): "link",
    ("POST", "admin:password_change"): "link",
    ("GET", "game:account-data"): "load",
    ("GET", "game:card"): "picture",
    ("GET", "game:ruleset-card"): "picture",
    ("GET", "game:played-card"): "picture",
    ("POST", "game:sign-in"): "login",
    ("POST", "admin:login"): "login",
}


BEGINS = ("start", "invite", "keep-crew")  # counted only if the form really creates a game or a crew
OF_A_GAME = ("move", "step", "share", "react")  # counted separately in each game


class Counts:
    """A leaky bucket for each key, kept as the moment when it will be empty. The buckets last used come last."""

    def __init__(self, most: int = KEYS_MOST) -> None:
        self.most = most
        self.empty: dict[Hashable, float] = {}
        self.lock = threading.Lock()

    def wait(self, key: Hashable, times: int, seconds: float, now: float) -> float:
        """Return the seconds until there is room for one more; if there is room now, count it and return 0."""
        return self.wait_for_all([(key, times)], seconds, now)

    def wait_for_all(self, keys: Iterable[tuple[Hashable, int]], seconds: float, now: float) -> float:
        """Do the same for several keys, each with its times: a request is counted under all of them or under none."""
        with self.lock:
            filled = {}
            for key, times in keys:
                full = max(self.empty.get(key, now), now) + seconds / times
                if full - now > seconds + 1e-6:
                    return full - now - seconds
                filled[key] = full
            for key in filled:
                self.empty.pop(key, None)
            self.empty |= filled
            if len(self.empty) > self.most:
                self.forget(now)
            return 0

    def take_back(self, key: Hashable, times: int, seconds: float) -> None:
        """Undo the counting of one."""
        with self.lock:
            if key in self.empty:
                self.empty[key] -= seconds / times

    def forget(self, now: float) -> None:
        """Drop the empty buckets, and if too many are left, the half that was not used for longest."""
        self.empty = {key: moment for key, moment in self.empty.items() if moment > now}
        if len(self.empty) > self.most // 2:
            self.empty = dict(list(self.empty.items())[len(self.empty) // 2 :])


COUNTS = Counts()


class RateLimitMiddleware(MiddlewareMixin):
    """Answers 429 to anybody who asks too often. Nothing was done, so the same form can be sent again."""

    def process_view(self, request: PageRequest, _view: object, _args: object, kwargs: dict[str, Any]) -> Any:
        """Refuse a request for which there is no room; count any other."""
        kind = find_kind(request)
        if kind not in settings.LIMITS:
            return None
        times, seconds = settings.LIMITS[kind]
        now = time.monotonic()
        keys = list_counted_keys(request, kind, kwargs.get("code", ""))
        wait = COUNTS.wait_for_all([((kind, *key), times * factor) for key, factor in keys], seconds, now)
        return refuse_request(request, kind, math.ceil(wait)) if wait else None


def begin_guess(request: HttpRequest) -> float:
    """Count a guess at a secret before it is looked up; return the seconds to wait, 0 if it may be made.

    Counted by address, since guessers change cookies, and for everybody together, since they may have many addresses.
    """
    now = time.monotonic()
    for key, rate in list_guess_rates(request):  # the address first: a guess refused there does not count for everybody
        if wait := COUNTS.wait(key, *rate, now):
            return wait
    return 0


def take_guess_back(request: HttpRequest) -> None:
    """Undo the counting of a guess that was right, since a whole school may share one address."""
    for key, rate in list_guess_rates(request):
        COUNTS.take_back(key, *rate)


def list_guess_rates(request: HttpRequest) -> list[tuple[tuple[str, ...], tuple[int, int]]]:
    """Return the keys that guesses are counted by, each with its limit."""
    keys = {"guess": ("guess", find_network(request.META.get("REMOTE_ADDR", ""))), "guesses": ("guesses",)}
    return [(key, settings.LIMITS[kind]) for kind, key in keys.items() if kind in settings.LIMITS]


def find_kind(request: PageRequest) -> str | None:
    """Return the limit that a request counts towards, by its name in the settings; None for none."""
    method = "POST" if request.method == "POST" else "GET"
    match = request.resolver_match
    view = method, match.view_name if match else ""
    if view in (("POST", "game:new"), ("POST", "game:choose-rules")) and request.POST.get("do") == "rules":
        return "try"  # checking complex rules takes a second
    if view in (("POST", "game:new"), ("POST", "game:crew")) and request.POST.get("do", "start") not in BEGINS:
        return "page"  # one more row, another order: nothing is created yet
    default = "move" if method == "POST" and match and "code" in match.kwargs else "page"
    return KINDS.get(view, default)


def list_counted_keys(request: PageRequest, kind: str | None, code: str) -> list[tuple[tuple[str, ...], int]]:
    """Return the keys to count, the visitor's first, each with the factor by which the limit is multiplied."""
    address = find_network(request.META.get("REMOTE_ADDR", ""))
    if kind == "login":
        return [((fold_posted_name(request, "username"), address), 1), ((address,), ADDRESS_FACTOR)]
    # A mailbox is not filled from many browsers or networks either: whoever it belongs to has all those mails already.
    mailbox = [(("to", name), 1)] if kind == "mail" and (name := fold_posted_name(request, "email")) else []
    visitor = [((request.browser.token_hash, code if kind in OF_A_GAME else ""), 1)] if request.browser.known else []
    return [*visitor, *mailbox, ((address,), ADDRESS_FACTOR)]


def fold_posted_name(request: PageRequest, field: str) -> str:
    """Return a posted name in a canonical spelling, so that all spellings of an account or a mailbox count together."""
    return unicodedata.normalize("NFKC", request.POST.get(field, "").strip()[:254]).casefold()


def find_network(address: str) -> str:
    """Return the address, or its network if it is an IPv6 address, since a household has 2^64 of those."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped  # as a socket for both kinds of addresses names it
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network(f"{parsed}/64", strict=False))


def refuse_request(request: HttpRequest, kind: str | None, seconds: int) -> HttpResponse:
    """Answer 429 with the seconds to wait, and the way back to the game if it was about one."""
    match = request.resolver_match
    code = match.kwargs.get("code") if match and "crew_code" not in match.kwargs else None
    context = {"kind": kind, "seconds": seconds, "minutes": math.ceil(seconds / 60), "code": code}
    response = render(request, "429.html", context, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response
