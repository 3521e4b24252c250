"""The yardstick of `site.py`: two views that ask the database as often as a move and a board do, and know no game.

They go through the same middleware and the same lock, and answer with a constant template of the same size.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from django.db import transaction
from django.db.models import F
from django.http import HttpResponse
from django.template import engines
from django.urls import include, path

from game.identity import PageRequest
from game.lock import write_lock
from game.models import Game, Player, Request

COSTS = json.loads(Path(os.environ["COSTS"]).read_text())
LINE = "x" * 99 + "\n"
PAGES = {name: engines["django"].from_string(LINE * (cost["bytes"] // 100)) for name, cost in COSTS.items()}


def read(code: str, times: int) -> None:
    for _ in range(times):
        list(Player.objects.filter(game__code=code)[:1])


def board(request: PageRequest, code: str) -> HttpResponse:
    read(code, COSTS["board"]["reads"])
    return HttpResponse(PAGES["board"].render({}, request))


def move(request: PageRequest, code: str) -> HttpResponse:
    visitor, key = request.browser.visitor(), request.POST["key"]
    with write_lock(), transaction.atomic():
        Game.objects.filter(code=code).update(version=F("version") + 1)
        game = Game.objects.get(code=code)
        for n in range(COSTS["move"]["writes"] - 1):
            Request.objects.create(game=game, visitor=visitor, key=f"{key}{n}", digest="")
    read(code, COSTS["move"]["reads"] - 2)
    return HttpResponse(PAGES["move"].render({}, request))


urlpatterns = [path("bare/<code>/board", board), path("bare/<code>/throw", move), path("", include("config.urls"))]
