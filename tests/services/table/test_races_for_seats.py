"""Several people press at the same instant, each from a browser of their own."""

import re
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.cookiejar import CookieJar
from threading import Barrier

import pytest
from django.db import connections

from game import services
from game.identity import Browser
from game.models import Game, Invite, KeptRuleset, PlayedRuleset, Player
from game.rules import preset
from game.services import Command
from game.services.accounts import give_all
from game.services.own_rules import keep_ruleset, remember_played
from tests import patience
from tests.cast import Device, make_key, reload_game
from tests.conftest import Site

PEOPLE = 5


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_answer: object) -> None:
        """Follow no redirect, because the status of the press itself counts."""


class Person:
    """A browser without scripts."""

    def __init__(self, site: str) -> None:
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self.site, self.opener = site, urllib.request.build_opener(cookies, NoRedirect)

    def send(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        data = urllib.parse.urlencode(form).encode() if form else None
        try:
            with self.opener.open(self.site + path, data, timeout=patience.SECONDS) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""

    def open_page(self, path: str) -> "Person":
        """Open a page, whose forms carry the token against forgery."""
        page = self.send(path)[1]
        self.token = re.findall('name="csrfmiddlewaretoken" value="([^"]+)"', page)[-1]
        return self

    def press(self, path: str, **form: str) -> int:
        return self.send(path, {"csrfmiddlewaretoken": self.token, "key": make_key()} | form)[0]


def press_at_once(presses: Sequence[Callable[[], int]]) -> Counter[int]:
    line = Barrier(len(presses))

    def go(press: Callable[[], int]) -> int:
        line.wait()
        return press()

    with ThreadPoolExecutor(len(presses)) as threads:
        return Counter(threads.map(go, presses))


@pytest.fixture
def people(site: Site) -> Callable[[str], list[Person]]:
    """people("/j/…") returns `PEOPLE` people who have opened this page."""
    return lambda path: [Person(site.url).open_page(path) for _ in range(PEOPLE)]


@pytest.fixture
def game(site: Site, device: Device) -> Game:
    return device.waiting_game()


def make_command(device: Device, game: Game) -> Command:
    return Command(device.browser.visitor(), make_key(), reload_game(game).version, "")


def test_if_many_want_one_free_seat_only_one_gets_it(
    game: Game, device: Device, people: Callable[[str], list[Person]]
) -> None:
    services.add_seat(game.code, make_command(device, game), "Bruno", None, free=True)
    seat = Player.objects.get(name="Bruno")
    path = f"/j/{game.invite.token}"
    presses = [lambda person=person: person.press(path, player=str(seat.pk)) for person in people(path)]
    assert press_at_once(presses) == {303: 1, 409: PEOPLE - 1}
    assert Player.objects.get(pk=seat.pk).visitor is not None


def test_people_who_sit_down_at_once_get_a_seat_each(game: Game, people: Callable[[str], list[Person]]) -> None:
    path = f"/j/{game.invite.token}"
    presses = [
        lambda person=person, n=n: person.press(path, name=f"Friend {n}") for n, person in enumerate(people(path))
    ]
    assert press_at_once(presses) == {303: PEOPLE}
    assert list(game.players.values_list("seat", flat=True)) == list(range(PEOPLE + 1))


def test_if_many_take_one_name_at_once_only_one_gets_it(game: Game, people: Callable[[str], list[Person]]) -> None:
    path = f"/j/{game.invite.token}"
    presses = [lambda person=person: person.press(path, name="Bruno") for person in people(path)]
    assert press_at_once(presses) == {303: 1, 422: PEOPLE - 1}


def test_only_one_gets_the_last_free_place(site: Site, device: Device, people: Callable[[str], list[Person]]) -> None:
    game = device.waiting_game(ruleset="greed")
    path = f"/j/{game.invite.token}"
    presses = [
        lambda person=person, n=n: person.press(path, name=f"Friend {n}") for n, person in enumerate(people(path))
    ]
    assert press_at_once(presses) == {303: 1, 409: PEOPLE - 1}
    assert game.players.count() == 2


def test_many_presses_for_a_new_invite_leave_one(site: Site) -> None:
    host = Person(site.url).open_page("/new?for=friends")
    host.press("/new", ruleset="classic", wait="1", name="Ana", level="")
    game = Game.objects.get()
    press = f"{game.get_absolute_url()}/links"
    assert press_at_once([lambda: host.press(press, version=str(game.version), waiting="1")] * PEOPLE) == {303: PEOPLE}
    assert Invite.objects.filter(game=game).count() == 1


def test_if_many_open_one_transfer_only_one_takes_the_seats(
    game: Game, device: Device, people: Callable[[str], list[Person]]
) -> None:
    token = services.offer_transfer(game.code, Command(device.browser.visitor(), make_key(), None, ""))
    path = f"/c/{token}"
    assert press_at_once([partial(person.press, path) for person in people(path)]) == {303: 1, 410: PEOPLE - 1}
    assert game.players.get().visitor != device.browser.visitor()


@pytest.mark.django_db(transaction=True)
def test_rules_that_several_browsers_give_to_one_account_at_once_are_kept_once() -> None:
    remember_played(preset("farkle"))
    played = PlayedRuleset.objects.get()
    browsers = [Device().browser for _ in range(PEOPLE)]
    for browser in browsers:
        keep_ruleset(browser, played, "Our Sunday")
    heir = Device().browser.visitor_or_new()

    def give(browser: Browser) -> int:
        give_all(browser.visitor_or_new(), heir)
        connections.close_all()
        return 1

    assert press_at_once([partial(give, browser) for browser in browsers]) == {1: PEOPLE}
    assert [(kept.visitor, kept.played) for kept in KeptRuleset.objects.all()] == [(heir, played)]
