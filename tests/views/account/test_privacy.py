"""The promises of /privacy hold: cookies and their ages, what is kept for how long, what is logged and deleted."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.cookies import Morsel
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import CharField, TextField
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from game.models import Game, Request, Tally, Transfer, Visitor
from game.pages.privacy import describe_time
from game.services import accounts
from game.services.tidying import tidy_site
from game.serving.logs import JsonLines
from game.serving.middleware import TidyRecord
from tests.calling.push_service import SubscribedBrowser
from tests.cast import ANA, BRUNO, Device, make_key
from tests.require import require
from tests.views.account.test_accounts import PASSWORD, sign_up
from tests.views.crews.test_crews import make_crew
from tests.views.rulesets.test_own_rules import CHANGED, start_game
from tests.words import has_word

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]


def list_under(page: str, heading: str) -> dict[str, str]:
    """Return the entries under a heading, cookies by their names, each mapped to the time that the page gives."""
    listed = page.partition(f'<h2 id="{heading}"')[2].partition("</dl>")[0]
    rows = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", listed, re.S)
    return {re.sub(r"<code>(.*?)</code>.*", r"\1", what, flags=re.S): time for what, time in rows}


@pytest.fixture
def page(client: Client) -> str:
    return client.get("/privacy").content.decode()


# ---- cookies


def collect_cookies(device: Device) -> dict[str, Morsel[str]]:
    """Return every cookie that is set in a browser that uses what the site offers."""
    cookies: dict[str, Morsel[str]] = {}
    client = device.client

    def do(address: str, form: dict[str, str] | None = None) -> None:
        answer = client.get(address) if form is None else client.post(address, form)
        cookies.update({name: morsel for name, morsel in answer.cookies.items() if morsel["max-age"] != 0})

    do("/")
    do("/prefs", {"theme": "dark"})
    do("/new", {"do": "find-rules", "name": ANA, "level": ""})
    do("/new", {"key": make_key(), "name": ANA, "level": "", "ruleset": "classic"})
    do(require(Game.objects.first()).get_absolute_url())
    do(Device().game().get_absolute_url())
    do("/language", {"language": "en", "next": "/"})
    do("/practice")
    for position in re.findall(r'href="(/practice\?[^"]+)"', client.get("/practice", follow=True).content.decode())[:3]:
        do(position.replace("&amp;", "&"))
    do("/account/sign-up", {"username": "ana", "password1": PASSWORD, "password2": PASSWORD})
    do("/account/")
    return cookies


def test_the_page_names_every_cookie_and_its_age(device: Device, page: str) -> None:
    named = list_under(page, "cookies")
    cookies = collect_cookies(device)
    seconds = {name: int(morsel["max-age"]) for name, morsel in cookies.items() if morsel["max-age"]}
    ages = {name: f"{n // 86_400} days" if n >= 86_400 else f"{n // 60} minutes" for name, n in seconds.items()}
    assert cookies.keys() <= named.keys()
    assert ages == {name: named[name] for name in ages}
    assert {"visitor", "prefs", "name", "new-game", "watching", "language", "csrf", "session"} <= cookies.keys()
    assert named["practice"] == "Until you close the browser"


def test_times_in_days_and_minutes_are_grouped() -> None:
    assert [describe_time(timedelta(days=1_000)), describe_time(timedelta(hours=20))] == ["1,000 days", "1,200 minutes"]


def test_no_script_reads_a_cookie_and_no_other_site_gets_it(device: Device) -> None:
    for name, morsel in collect_cookies(device).items():
        assert morsel["httponly"] and morsel["samesite"] == "Lax", name
        assert not morsel["domain"]


def test_besides_cookies_the_browser_remembers_only_what_the_page_says() -> None:
    """It remembers whether "Ways to keep" is open, whether calls are on, and that the hint about the app was seen."""
    scripts = "".join(path.read_text() for path in (ROOT / "static" / "js").glob("*.js") if "htmx" not in path.name)
    assert set(re.findall(r"stored\('([\w-]+)'", scripts)) | {"install-hint"} == {"ways", "tell", "install-hint"}
    assert scripts.count("localStorage.") == 2 and "sessionStorage" not in scripts and "indexedDB" not in scripts


def test_nothing_is_loaded_from_other_sites(client: Client, page: str) -> None:
    response = client.get("/")
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert set(re.findall(r"(?:src|connect-src) (\S+?)[;\s]", response.headers["Content-Security-Policy"])) <= {
        "'none'", "'self'",
    }  # fmt: skip
    assert not re.findall(r'(?:src|href)="https?://(?!testserver)', response.content.decode())


# ---- what is kept, and how long


def test_merely_looking_leaves_nothing(client: Client) -> None:
    for address in ("/", "/rules", "/help", "/privacy", "/games", "/odds", "/prefs", "/new"):
        client.get(address)
    assert not Visitor.objects.exists() and not User.objects.exists()


def make_unstarted_game(device: Device) -> Game:
    return device.waiting_game()


def make_transfer(device: Device) -> Transfer:
    game = device.game()
    return Transfer.objects.create(game=game, visitor=require(game.host), token_hash="0" * 64)


def send_form(device: Device) -> Request:
    device.do(device.game(), "target", target="5000")
    return require(Request.objects.first())


HAVE_A_TIME = {
    "A game that was never started, and its invite": make_unstarted_game,
    "A link that moves your seat to another device": make_transfer,
    "Which forms were sent, so that pressing a button twice has no second effect": send_form,
}


@pytest.mark.parametrize(("kind", "make"), HAVE_A_TIME.items())
def test_rows_with_a_promised_time_are_kept_that_long_and_no_longer(
    device: Device, page: str, kind: str, make: Callable[[Device], Game | Transfer | Request]
) -> None:
    count, unit = list_under(page, "kept")[kind].split()
    lasts = timedelta(**{unit: int(count)})
    row = make(device)
    rows = type(row)._default_manager.filter(pk=row.pk)
    for age, there in ((lasts - timedelta(minutes=1), True), (lasts + timedelta(minutes=1), False)):
        rows.update(created=timezone.now() - age)
        tidy_site()
        assert rows.exists() is there


def test_a_game_that_nobody_touches_ends_and_can_still_be_seen(device: Device, page: str) -> None:
    days = require(re.search(r"nobody has touched for (\d+) days ends", page))[1]
    game = device.game()
    Game.objects.update(touched=timezone.now() - timedelta(days=int(days), minutes=1))
    tidy_site()
    assert Game.objects.get().status == Game.Status.ABANDONED
    assert device.client.get(game.get_absolute_url()).status_code == 200


def test_the_pictures_of_a_game_are_kept_as_long_as_promised_after_the_last_look(
    device: Device, page: str, settings: Settings, tmp_path: Path
) -> None:
    settings.PICTURES_DIR = tmp_path
    promise = list_under(page, "kept")["The pictures of a game that go with its link, with the names in it"]
    lasts = timedelta(days=int(require(re.search(r"no longer than (\d+) days", promise))[1]))
    device.client.get(f"{device.game().get_absolute_url()}/card.png")
    [picture] = tmp_path.glob("game*.png")
    for age, there in ((lasts - timedelta(minutes=1), True), (lasts + timedelta(minutes=1), False)):
        looked = (timezone.now() - age).timestamp()
        os.utime(picture, (looked, looked))
        tidy_site()
        assert picture.exists() is there


def test_what_is_kept_of_a_browser_does_not_reveal_its_cookie(device: Device) -> None:
    device.game()
    assert Visitor.objects.exists() and device.browser.token not in dump_tables()


def test_a_password_is_kept_in_a_form_that_cannot_be_read(device: Device) -> None:
    sign_up(device, "ana")
    assert User.objects.exists() and PASSWORD not in dump_tables()


def test_crews_and_kept_rules_stay_until_they_are_removed(device: Device) -> None:
    crew = make_crew(device, "Secretcousin")
    rules = start_game(device, CHANGED).rules_address
    device.client.post(f"{rules}/keep", {"key": make_key(), "name": "Secretrules"})
    tidy_site()
    assert all(secret in dump_tables() for secret in ("Secretcousin", "Secretrules"))
    device.client.post(f"{crew.get_absolute_url()}/delete", {"key": make_key()})
    device.client.post(f"{rules}/keep", {"key": make_key(), "do": "forget"})
    assert not [secret for secret in ("Secretcousin", "Secretrules") if secret in dump_tables()]


def test_counts_of_dice_name_neither_a_game_nor_a_player() -> None:
    fields = Tally._meta.get_fields()
    assert not [field.name for field in fields if field.is_relation or isinstance(field, CharField | TextField)]


# ---- who sees it


def test_anybody_with_the_link_sees_the_names_unless_the_host_made_the_game_private(device: Device) -> None:
    game, stranger = device.game(), Device()
    assert ANA in stranger.page(game)
    device.do(game, "watching", allowed="0")
    answer = stranger.client.get(game.get_absolute_url())
    assert answer.status_code == 404 and not has_word(answer.content.decode(), ANA)


def test_an_address_is_counted_for_an_hour_at_most_and_is_in_no_row(device: Device, settings: Settings) -> None:
    assert max(seconds for _times, seconds in settings.RATES.values()) <= timedelta(hours=1).total_seconds()
    device.client.get(device.game().get_absolute_url(), REMOTE_ADDR="203.0.113.77")
    assert "203.0.113.77" not in dump_tables()


# ---- deleting


def dump_tables() -> str:
    """Return every value of every row of every table as one text."""
    return repr([list(model._default_manager.values_list()) for model in apps.get_models()])


def test_a_deleted_account_leaves_no_name_no_address_and_no_game_of_its_own(device: Device, settings: Settings) -> None:
    sign_up(device, "secretname")
    User.objects.update(email="secret@example.org")
    account = require(Visitor.objects.filter(user__isnull=False).first())
    game = device.game(players=("Secretplayer", "*HAL"))
    game.players.update(visitor=account)
    Game.objects.update(host=account)
    assert all(secret in dump_tables() for secret in ("secretname", "secret@example.org", "Secretplayer"))
    device.client.post("/account/delete", {"account": str(User.objects.get().pk), "password": PASSWORD})
    left = dump_tables().lower()
    assert not [secret for secret in ("secretname", "secret@example.org", "secretplayer") if secret in left]


@pytest.mark.parametrize("deleted_by", ["its owner", "the host"])
def test_the_log_of_the_admin_forgets_the_name_of_a_deleted_account(
    device: Device, admin_client: Client, deleted_by: str
) -> None:
    sign_up(device, "secretname")
    user = User.objects.get(username="secretname")
    admin_client.post(f"/admin/auth/user/{user.pk}/password/", {"usable_password": "false", "unset-password": "1"})
    assert LogEntry.objects.filter(object_repr="secretname").exists()
    if deleted_by == "the host":
        admin_client.post(f"/admin/auth/user/{user.pk}/delete/", {"post": "yes"})
    else:
        accounts.delete_account(user)
    assert "secretname" not in repr(list(LogEntry.objects.values_list()))


def test_a_game_with_other_players_stays_theirs_with_the_name_in_it(device: Device, other_device: Device) -> None:
    game = device.game(players=(ANA, BRUNO))
    other_device.takes(game, 1)
    device.do(game, "delete", do="delete")
    assert ANA in other_device.page(game)
    assert device.client.get("/games").content.decode().count(game.code) == 0


@pytest.mark.parametrize("end", ["switch off", "give up the seat", "sign out", "game over"])
def test_nothing_of_a_call_is_kept_an_hour_after_it_has_ended(device: Device, other_device: Device, end: str) -> None:
    sign_up(device)
    game = device.game()
    game.players.filter(seat=0).update(visitor=require(Visitor.objects.filter(user__isnull=False).first()))
    other_device.takes(game, 1)
    browser = SubscribedBrowser("https://push.example/secret-place")
    call = {"do": "call", **browser.form, "zone": "Pacific/Chatham"}
    device.client.post(f"{game.get_absolute_url()}/call", call, secure=True)
    assert "secret-place" in dump_tables() and "Pacific/Chatham" in dump_tables()
    match end:
        case "switch off":
            device.client.post(f"{game.get_absolute_url()}/call", {"do": "stop"}, secure=True)
        case "give up the seat":
            device.do(game, "delete", do="delete")
        case "sign out":
            device.client.post("/account/sign-out")
        case "game over":
            Game.objects.update(status=Game.Status.FINISHED)
    tidy_site()  # the worker does it once an hour
    assert "secret-place" not in dump_tables() and "Pacific/Chatham" not in dump_tables()


def test_every_promise_about_what_is_kept_is_tested_here(page: str) -> None:
    held = {
        "A game: its players’ names, its throws, its scores": (
            test_a_game_that_nobody_touches_ends_and_can_still_be_seen
        ),
        "The pictures of a game that go with its link, with the names in it": (
            test_the_pictures_of_a_game_are_kept_as_long_as_promised_after_the_last_look
        ),
        **dict.fromkeys(HAVE_A_TIME, test_rows_with_a_promised_time_are_kept_that_long_and_no_longer),
        "A random number for your browser, hashed so that nobody can work it out again": (
            test_what_is_kept_of_a_browser_does_not_reveal_its_cookie
        ),
        "Crews, and sets of rules that you keep": test_crews_and_kept_rules_stay_until_they_are_removed,
        "An account, if you want one: its name, its password in a form that can’t be read, your email address, the "
        "language you chose": test_a_deleted_account_leaves_no_name_no_address_and_no_game_of_its_own,
        "Where your browser can be notified when it’s your turn, your language, time zone and quiet hours": (
            test_nothing_of_a_call_is_kept_an_hour_after_it_has_ended
        ),
        "Counts of all dice that fell here, without names": test_counts_of_dice_name_neither_a_game_nor_a_player,
    }
    assert list(list_under(page, "kept")) == list(held)


# ---- the log


@pytest.fixture
def log() -> Iterator[list[str]]:
    """Return the list to which log lines are added as they would be written, from INFO upwards for our own loggers."""
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(JsonLines().format(record))

    handler = Lines()
    handler.addFilter(TidyRecord())
    root, ours = logging.getLogger(), logging.getLogger("game")
    before = ours.level
    ours.setLevel(logging.INFO)
    root.addHandler(handler)
    yield lines
    root.removeHandler(handler)
    ours.setLevel(before)


def test_the_log_has_times_and_kinds_of_pages_but_no_names_keys_or_addresses(device: Device, log: list[str]) -> None:
    game = device.waiting_game("Secretplayer")
    invite = game.invite.token
    device.client.get(f"/j/{invite}", REMOTE_ADDR="203.0.113.77")
    device.client.get(game.get_absolute_url(), REMOTE_ADDR="203.0.113.77")
    device.client.post("/account/sign-in", {"username": "secretname", "password": "x"}, REMOTE_ADDR="203.0.113.77")
    device.client.get(f"/nowhere/{invite}", REMOTE_ADDR="203.0.113.77")
    text = "\n".join(log)
    entries = [json.loads(line) for line in log]
    assert len(entries) >= 4 and {"time", "route", "status", "ms"} <= entries[0].keys()
    secrets = ("203.0.113.77", "Secretplayer", "secretname", invite, game.code, device.browser.token)
    assert not [secret for secret in secrets if secret in text]


def test_every_page_and_the_help_link_to_the_privacy_page(client: Client) -> None:
    for address in ("/", "/rules", "/help"):
        assert 'href="/privacy"' in client.get(address).content.decode().partition("<footer")[2]
    assert 'href="/privacy"' in client.get("/help").content.decode().partition("<footer")[0]
