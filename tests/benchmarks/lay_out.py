"""Run by `site.py` in the site: make the games that are played, and count what a move and a board of them cost."""

import json
import secrets
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game import identity, services
from game.models import Game, RulesetRow
from game.rules import Entry, record
from tests.cast import IN, Response, bank, open_turn, throw, write_game_file

LINES = 16


def write_long_file() -> dict[str, Any]:
    first = [bank(seat, 1000, IN) for seat in (0, 1)]
    rounds = [bank(seat, 50, throw("223456", "5")) for _ in range(249) for seat in (0, 1)]
    return write_game_file(*first, *rounds, open_turn(0, throw("111346")), players=("Ana", "Bo"), target=100_000)


def make_game(kind: str, number: int) -> str:
    browser = identity.Browser(f"{number:043}", True)
    if kind == "long":
        return services.load_game(
            browser, secrets.token_urlsafe(16), record.from_json(json.dumps(write_long_file()))
        ).code
    classic = RulesetRow.objects.get(slug="classic")
    return services.create_game(browser, secrets.token_urlsafe(16), classic, [Entry("Ana"), Entry("Bo")]).code


def measure_cost(ask: Callable[[], Response]) -> dict[str, int]:
    with CaptureQueriesContext(connection) as queries:
        answer = ask()
    assert answer.status_code == 200, answer.status_code
    verbs = [query["sql"].split()[0] for query in queries]
    writes = sum(verb in ("UPDATE", "INSERT", "DELETE") for verb in verbs)
    return {"reads": verbs.count("SELECT"), "writes": writes, "bytes": len(answer.content)}


def measure_costs() -> dict[str, dict[str, int]]:
    client = Client(headers={"HX-Request": "true"}, SERVER_NAME="localhost")
    client.cookies["visitor"] = f"{0:043}"
    spectator = Client(headers={"HX-Request": "true"}, SERVER_NAME="localhost")
    game = Game.objects.get(code=make_game("new", 0))
    client.get(f"/g/{game.code}")
    form = {"key": secrets.token_urlsafe(16), "version": game.version}
    costs = {"move": measure_cost(lambda: client.post(f"/g/{game.code}/throw", form))}
    game.refresh_from_db()
    if game.turn_version == game.version:  # a bust, after which pages have to fetch more
        return measure_costs()
    address = f"/g/{game.code}/board?version="
    watched = [measure_cost(lambda: spectator.get(f"{address}0")) for _ in range(2)]
    return costs | {
        "step": measure_cost(lambda: client.get(f"{address}{game.version - 1}")),
        "board": measure_cost(lambda: client.get(f"{address}0")),
        "watched": min(watched, key=lambda answer: answer["reads"]),
    }


codes = {kind: [make_game(kind, number) for number in range(LINES)] for kind in ("new", "long")}
print(json.dumps({"codes": codes, "costs": measure_costs()}))
