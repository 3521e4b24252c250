"""Who may do what: tables of all addresses. A new address fails a test until it is added to one of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from game import services
from game.models import Game, RulesetRow
from game.rules import Entry
from game.serving.languages import PAGES_AROUND
from game.urls import urlpatterns
from tests.cast import IN, Device, bank, make_key, open_turn, reload_game, throw

OK = 200  # also stands for the redirect that leads a plain browser back to the page
ROLES = ("due", "other", "spectator", "closed")
Row = tuple[dict[str, Any] | None, int, int, int, int]

# Each address of a game: the form that is posted (None: a GET), and the status of the answer to the host, whose turn
# it is, to another seat, to a spectator with the link, and to somebody with the link where watching is closed.
RUNNING: dict[str, Row] = {
    "page": (None, OK, OK, OK, 404),
    "board": (None, OK, OK, OK, 404),
    "file": (None, OK, OK, 403, 404),
    "csv": (None, OK, OK, 403, 404),
    "sheet": (None, OK, OK, OK, 404),
    "correct": ({"points-1": "300"}, 409, 409, 403, 404),
    "result-picture": (None, 404, 404, 404, 404),
    "card": (None, OK, OK, OK, 404),
    "embed": (None, OK, OK, OK, 404),
    "fair-game": (None, OK, OK, OK, 404),
    "check": (None, 404, 404, 404, 404),
    "analysis": (None, 409, 409, 409, 404),
    "review": (None, 204, 204, 204, 404),
    "throw": ({"keep": "1"}, OK, 409, 403, 404),
    "choice": ({"keep": ["1", "2", "3"]}, 204, 409, 403, 404),
    "reaction": ({"reaction": "👏"}, 204, 204, 403, 404),
    "bank": ({"keep": ["1", "2", "3"]}, OK, 409, 403, 404),
    "points": ({"points": "500", "end": "bank"}, 422, 409, 403, 404),
    "pad": ({"do": "faces", "faces": "155236"}, 422, 409, 403, 404),
    "advance": ({}, OK, OK, 403, 404),
    "undo": ({}, OK, OK, 403, 404),
    "answer-undo": ({"answer": "refuse"}, 409, 409, 403, 404),
    "seats": ({"do": "rename", "seat": "own", "name": "Zoë"}, OK, OK, 403, 404),
    "target": ({"target": "5000"}, OK, 403, 403, 404),
    "mode": ({"mode": "manual"}, OK, 403, 403, 404),
    "options": ({"hints": "off"}, OK, 403, 403, 404),
    "watching": ({"allowed": "0"}, OK, 403, 403, 404),
    "host": ({"seat": "1"}, OK, 403, 403, 404),
    "skip": ({"do": "skip"}, OK, 403, 403, 404),
    "hand": ({"seat": "own"}, OK, OK, 403, 404),
    "call": ({"do": "stop"}, 204, 204, 403, 404),
    "transfer": ({}, OK, OK, 403, 404),
    "rematch": ({}, 409, 409, 403, 404),
    "delete": ({"do": "delete"}, OK, OK, 403, 404),
    "start": ({}, 409, 403, 403, 404),
    "word": ({"player": "own row", "word": "x"}, 409, 409, 403, 404),
    "links": ({}, 409, 403, 403, 404),
    "choose-rules": ({"ruleset": "greed"}, 409, 403, 403, 404),
}
WAITING: dict[str, Row] = {
    "page": (None, OK, OK, OK, 404),
    "card": (None, OK, OK, OK, 404),
    "embed": (None, 404, 404, 404, 404),
    "board": (None, OK, OK, OK, 404),
    "word": ({"player": "own row", "word": "x"}, OK, OK, 403, 404),
    "links": ({}, OK, 403, 403, 404),
    "choose-rules": ({"ruleset": "farkle"}, OK, 403, 403, 404),
    "watching": ({"allowed": "0"}, OK, 403, 403, 404),
    "throw": ({}, 409, 409, 403, 404),
    "choice": ({}, 409, 409, 403, 404),
    "reaction": ({"reaction": "👏"}, 409, 409, 403, 404),
    "undo": ({}, 409, 409, 403, 404),
    "start": ({}, OK, 403, 403, 404),
}
OVER: dict[str, Row] = {
    "page": (None, OK, OK, OK, 404),
    "result-picture": (None, OK, OK, OK, 404),
    "card": (None, OK, OK, OK, 404),
    "embed": (None, OK, OK, OK, 404),
    "file": (None, OK, OK, OK, 404),
    "check": (None, OK, OK, OK, 404),
    "fair-game": (None, OK, OK, OK, 404),
    "analysis": (None, OK, OK, OK, 404),
    "throw": ({}, 409, 409, 403, 404),
    "choice": ({"keep": "1"}, 409, 409, 403, 404),
    "reaction": ({"reaction": "👏"}, 204, 204, 403, 404),
    "bank": ({"keep": "1"}, 409, 409, 403, 404),
    "target": ({"target": "5000"}, 409, 403, 403, 404),
    "rematch": ({}, OK, OK, 403, 404),
    "csv": (None, OK, OK, OK, 404),
    "delete": ({"do": "delete"}, OK, OK, 403, 404),
}
STANDS = {"running": RUNNING, "waiting": WAITING, "over": OVER}

# Addresses without a game: the statuses that a stranger gets for a GET and for posting an empty form.
OPEN: dict[str, tuple[int, int]] = {
    "home": (200, 405),
    "quick": (405, 400),
    "new": (200, 400),
    "again": (405, 400),
    "crews": (200, 400),
    "crew": (404, 404),
    "crew-members": (405, 404),
    "crew-delete": (404, 303),
    "evening": (404, 405),
    "evening-csv": (404, 405),
    "games": (200, 405),
    "import": (200, 400),
    "head-to-head": (200, 405),
    "archive": (200, 422),
    "archive-file": (200, 405),
    "statistics-table": (200, 405),
    "rules": (200, 405),
    "ruleset": (200, 405),
    "ruleset-card": (200, 405),
    "site-card": (200, 405),
    "ruleset-file": (200, 405),
    "ruleset-version": (200, 405),
    "ruleset-version-file": (200, 405),
    "change-rules": (200, 200),
    "played-ruleset": (404, 405),
    "played-file": (404, 405),
    "played-card": (404, 405),
    "keep-rules": (405, 404),
    "solve": (405, 303),
    "solve-played": (405, 404),
    "names": (200, 405),
    "robots": (200, 405),
    "oembed": (404, 405),
    "sitemap": (200, 405),
    "favicon": (302, 405),
    "fair": (200, 405),
    "any-check": (200, 405),
    "odds": (200, 405),
    "practice": (302, 302),
    "prefs": (200, 303),
    "language": (405, 303),
    "blank-sheet": (200, 405),
    "help": (200, 405),
    "privacy": (200, 405),
    "manifest": (200, 405),
    "worker": (200, 405),
    "offline": (200, 405),
    "account": (302, 405),
    "sign-up": (200, 200),
    "sign-in": (200, 200),
    "sign-out": (405, 303),
    "adopt": (405, 302),
    "account-data": (302, 405),
    "account-delete": (302, 302),
    "call-mail": (405, 302),
    "mail-link": (410, 410),
    "password": (302, 302),
    "forgotten": (404, 404),
    "mail-sent": (404, 405),
    "new-password": (410, 410),
    "join": (200, 400),
    "invite": (410, 410),
    "claim": (410, 410),
}
UNPLAYED = ["0" * 20]
ARGUMENTS: dict[str, list[Any]] = {
    "head-to-head": ["*HAL"],
    "ruleset": ["classic"],
    "ruleset-card": ["classic"],
    "ruleset-file": ["classic"],
    "ruleset-version": ["classic", 1],
    "ruleset-version-file": ["classic", 1],
    "played-ruleset": UNPLAYED,
    "played-file": UNPLAYED,
    "played-card": UNPLAYED,
    "keep-rules": UNPLAYED,
    "solve": ["classic"],
    "solve-played": UNPLAYED,
    "new-password": ["MQ", "x-y"],
    "mail-link": ["x"],
    "invite": ["A" * 22],
    "crew": ["A" * 22],
    "crew-members": ["A" * 22],
    "crew-delete": ["A" * 22],
    "evening": ["A" * 22, "A" * 22],
    "evening-csv": ["A" * 22, "A" * 22],
    "claim": ["A" * 22],
}


def make_game(stands: str, host: Device, other: Device) -> Game:
    """Return a game that stands so, the host due and the other player at another device."""
    if stands == "waiting":
        classic = RulesetRow.objects.get(slug="classic")
        game = services.create_game(host.browser, make_key(), classic, [Entry("Ana"), Entry("Bruno")], wait=True)
    elif stands == "over":
        game = host.game(open_turn(0, throw("222222")), ruleset="boxcars")
        host.do(game, "bank", keep=["1", "2", "3", "4", "5", "6"])
    else:
        game = host.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("111346")))
    game.players.filter(seat=1).update(visitor=other.browser.visitor_or_new())
    return game


@pytest.mark.parametrize("stands", STANDS)
def test_who_may_do_what(device: Device, other_device: Device, stands: str) -> None:
    game = make_game(stands, device, other_device)
    rows = STANDS[stands]
    answers = {
        name: (form, *(try_role(role, device, other_device, game, name, form) for role in ROLES))
        for name, (form, *_statuses) in rows.items()
    }
    assert answers == rows


def try_role(
    role: str, device: Device, other_device: Device, game: Game, name: str, form: dict[str, Any] | None
) -> int:
    """Return the status that somebody in this role gets; what they change is rolled back for the next role."""
    with transaction.atomic():
        if name == "skip":  # the person at the dice has gone away
            Game.objects.filter(pk=game.pk).update(dice_changed_at=timezone.now() - timedelta(minutes=4))
        if role == "closed":
            Game.objects.filter(pk=game.pk).update(watching=False)
        asking = {"due": device, "other": other_device}.get(role) or Device()
        answer = fetch_status(asking, game, name, form, seat="1" if role == "other" else "0")
        transaction.set_rollback(True)
    return answer


def fetch_status(device: Device, game: Game, name: str, form: dict[str, Any] | None, seat: str) -> int:
    address = reverse(f"game:{name}", args=[game.code])
    if form is None:
        return device.client.get(address, {"version": "0"} if name == "board" else {}).status_code
    own = {"own": seat, "own row": str(game.players.get(seat=seat).pk)}
    sent = {field: own.get(value, value) if isinstance(value, str) else value for field, value in form.items()}
    status = device.client.post(address, {"version": reload_game(game).version, "key": make_key()} | sent).status_code
    return OK if status == 303 else status


@pytest.mark.parametrize("name", RUNNING)
def test_a_wrong_link_finds_no_game(device: Device, name: str) -> None:
    device.game()
    address = reverse(f"game:{name}", args=["A" * 22])
    form = RUNNING[name][0]
    common = {"key": make_key(), "version": "1", "entry": "type", "seat": "0"}
    answer = device.client.get(address, common) if form is None else device.client.post(address, common | form)
    assert answer.status_code == 404


@pytest.mark.parametrize("name", OPEN)
def test_a_stranger_gets_only_open_pages(client: Client, db: None, name: str) -> None:
    address = reverse(f"game:{name}", args=ARGUMENTS.get(name, []))
    got = (client.get(address).status_code, client.post(address).status_code)
    assert got == OPEN[name]
    assert not Game.objects.exists()


def test_every_address_is_in_one_of_the_tables() -> None:
    names = {pattern.name for pattern in urlpatterns if isinstance(pattern, URLPattern)}
    assert names == set(RUNNING) | set(OPEN)


def test_around_every_address_that_only_takes_a_form_there_is_a_page_to_return_to() -> None:
    assert set(PAGES_AROUND) == {name for name, (got, _posted) in OPEN.items() if got == 405}
    for name, around in PAGES_AROUND.items():
        assert OPEN[around][0] != 405
        assert reverse(f"game:{around}", args=ARGUMENTS.get(name, []))
    games = [page.pattern for page in urlpatterns if isinstance(page, URLPattern) and page.name in RUNNING]
    assert all("code" in pattern.converters for pattern in games)


def test_every_route_has_an_address_of_its_own() -> None:
    routes = [str(route.pattern) for route in urlpatterns]
    assert len(routes) == len(set(routes))


@pytest.mark.parametrize("name", [*RUNNING, *OPEN])
def test_unused_methods_are_refused_at_every_address(client: Client, db: None, name: str) -> None:
    address = reverse(f"game:{name}", args=ARGUMENTS.get(name, ["A" * 22] if name in RUNNING else []))
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "FOO"):
        assert client.generic(method, address).status_code == 405


@pytest.mark.parametrize(("name", "form"), [(name, row[0]) for name, row in RUNNING.items() if row[0] is not None])
def test_getting_the_address_of_a_command_changes_nothing(device: Device, name: str, form: dict[str, Any]) -> None:
    game = device.game()
    assert device.client.get(reverse(f"game:{name}", args=[game.code]), form).status_code in (200, 405, 409)
    assert reload_game(game).version == game.version


# ── the seed, before the end ──


@pytest.mark.parametrize("name", [name for name, row in RUNNING.items() if row[0] is None])
def test_the_seed_of_a_running_game_is_on_no_page(device: Device, name: str) -> None:
    game = device.game()
    shown = device.client.get(reverse(f"game:{name}", args=[game.code]), {"version": "0"}).content
    seed = bytes(game.seeds.get().seed)
    assert seed.hex().encode() not in shown and seed not in shown


# ── nonsense ──

NONSENSE = ["", "\0", "\ud800", "-1", "NaN", "9" * 5000, str(2**63), "١", "<script>"]
FIELDS = "seat do name computer level keep shown pick_up points end dice_left target mode hints word player allowed"
MORE = (
    "answer entry faces page at d all log there ruleset add up by q sort result username password1 email "
    "rules game rematch compare own carried kept then n for who zone endpoint"
)


@pytest.mark.examples
@pytest.mark.parametrize("nonsense", NONSENSE, ids=lambda text: ascii(text)[:12])
def test_nonsense_breaks_no_address(device: Device, nonsense: str) -> None:
    """Whatever the nonsense is, the site answers on purpose instead of failing."""
    game = device.game(open_turn(0, throw("111346")))
    junk = {name: nonsense.encode("utf-8", "surrogatepass") for name in f"{FIELDS} {MORE}".split()}
    for name in [*RUNNING, *OPEN]:
        address = reverse(f"game:{name}", args=ARGUMENTS.get(name, [game.code] if name in RUNNING else []))
        form = junk | {"key": make_key(), "version": reload_game(game).version}
        posted = device.client.post(address, urlencode(form), content_type="application/x-www-form-urlencoded")
        assert posted.status_code < 500, (name, "POST")
        query = urlencode(junk | {"version": nonsense.encode("utf-8", "surrogatepass")})
        assert device.client.get(f"{address}?{query}").status_code < 500, (name, "GET")
    assert game.throws.count() == 1
