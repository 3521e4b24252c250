"""The yardstick of `site.py`: two views that query the database as often as a move and a board, without game logic.

They go through the same middleware and the same lock, and answer with a constant template of the same size.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

from django.db import transaction
from django.db.models import F
from django.http import HttpResponse
from django.template import engines
from django.urls import include, path

from game.identity import PageRequest
from game.lock import write_lock
from game.models import Game, ThrowRow
from tests.require import require

COSTS = json.loads(Path(os.environ["COSTS"]).read_text())
LINE = "x" * 99 + "\n"
PAGES = {name: engines["django"].from_string(LINE * (cost["bytes"] // 100)) for name, cost in COSTS.items()}


def query_tables(code: str, request: PageRequest, times: int) -> Game:
    """Make this many queries of the tables that a board reads: the game, its seats, latest turns, dice and changes."""
    game = Game.objects.get(code=code)
    wanted: Iterator[Callable[[], object]] = cycle(
        [
            request.browser.visitor,
            lambda: list(game.players.all()),
            lambda: list(game.shots.select_related("player").order_by("-place")[:10]),
            lambda: list(game.throws.order_by("-pk")[:6]),
            lambda: list(game.changes.select_related("player").order_by("-place")[:10]),
        ]
    )
    for _ in range(times - 1):
        next(wanted)()
    return game


def show_board(request: PageRequest, code: str, name: str) -> HttpResponse:
    query_tables(code, request, COSTS[name]["reads"])
    return HttpResponse(PAGES[name].render({}, request))


def make_move(request: PageRequest, code: str) -> HttpResponse:
    """Take the lock and write what a move does: the version, the key of the form, a throw, and the game's state."""
    visitor, key = require(request.browser.visitor()), request.POST["key"]
    with write_lock(), transaction.atomic():
        Game.objects.filter(code=code).update(version=F("version") + 1)
        game = query_tables(code, request, COSTS["move"]["reads"] - 1)
        writes: Iterator[Callable[[], object]] = cycle(
            [
                lambda: game.requests.create(visitor=visitor, key=secrets.token_urlsafe(16), digest=key),
                lambda: game.throws.bulk_create([ThrowRow(game=game, dice="123456", columns="123456")]),
                lambda: game.save(update_fields=["state_data", "status", "dice_version", "touched"]),
            ]
        )
        for _ in range(COSTS["move"]["writes"] - 1):
            next(writes)()
    return HttpResponse(PAGES["move"].render({}, request))


urlpatterns = [
    path("bare/<code>/throw", make_move),
    path("bare/<code>/<name>", show_board),
    path("", include("config.urls")),
]
