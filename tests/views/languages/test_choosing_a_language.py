"""Which language a reader gets, how they choose another, and the address of each page in each language."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from game.pages.parts.text import format_money, number, sign_number
from tests.cast import ANA, Device, Response, make_key
from tests.views.crews.test_crews import make_crew

pytestmark = pytest.mark.django_db
PAGES = ("/", "/rules", "/rules/classic", "/help", "/odds", "/fair")


@pytest.fixture(autouse=True)
def four_languages(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("nl", "Nederlands")]


def read_language(client: Client, address: str, **headers: str) -> str:
    response = client.get(address, headers=headers, follow=True)
    assert response.status_code == 200, address
    shown = re.search(r'<html lang="([\w-]+)"', response.content.decode())
    assert shown and shown[1] == response.headers["Content-Language"]
    return shown[1]


def choose_language(client: Client, language: str, path: str = "/rules") -> str:
    response = client.post("/language", {"language": language, "next": path})
    assert response.status_code == 303
    return response.headers["Location"]


def test_a_reader_gets_the_language_of_their_browser_until_they_choose_another(client: Client) -> None:
    assert read_language(client, "/rules") == "en"
    assert read_language(client, "/rules", accept_language="pt, nl;q=0.8, de;q=0.5") == "nl"
    assert choose_language(client, "fr") == "/rules"
    assert read_language(client, "/new", accept_language="nl") == "fr"


def test_a_language_that_is_not_offered_is_not_chosen(client: Client) -> None:
    choose_language(client, "xx")
    assert site.LANGUAGE_COOKIE_NAME not in client.cookies
    assert [client.get(address).status_code for address in ("/xx/rules", "/en/rules", "/sv/", "/de/new")] == [404] * 4


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:x", ""])
def test_choosing_a_language_never_leads_to_another_site(client: Client, path: str) -> None:
    assert choose_language(client, "de", path) == "/"
    assert choose_language(client, "en", "/de//evil.example/x") == "/"


@pytest.mark.parametrize("path", ["/a\nb", "/games/with/Zoë"])
def test_a_script_is_led_on_by_a_header_whatever_is_in_the_path(client: Client, path: str) -> None:
    form, htmx = {"language": "de", "next": path}, {"HX-Request": "true"}
    assert client.post("/language", form, headers=htmx)["HX-Redirect"] == choose_language(client, "de", path)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_for_search_engines_has_an_address_in_every_language(client: Client, path: str) -> None:
    choose_language(client, "fr")
    assert [read_language(client, f"/{code}{path}") for code in ("de", "nl")] == ["de", "nl"]
    assert read_language(client, path) == "fr"


def test_each_page_names_its_addresses_in_all_languages(client: Client) -> None:
    pages = {code: client.get(path).content.decode() for code, path in (("de", "/de/rules"), ("en", "/rules"))}
    for code, page in pages.items():
        links = re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="http://testserver(.*?)">', page)
        expected = {"en": "/rules", "de": "/de/rules", "fr": "/fr/rules", "nl": "/nl/rules", "x-default": "/rules"}
        assert dict(links) == expected and len(links) == 5
        assert f'<link rel="canonical" href="http://testserver{expected[code]}">' in page


def test_a_page_at_an_address_in_a_language_links_to_pages_in_that_language(client: Client) -> None:
    page = client.get("/de/rules").content.decode()
    assert {'href="/de/odds"', 'href="/de/help"', 'href="/de/"'} <= set(re.findall(r'href="[^"]*"', page))
    assert 'href="/new"' in client.get("/de/").content.decode()
    assert choose_language(client, "nl", "/de/odds?ruleset=classic") == "/nl/odds?ruleset=classic"
    assert choose_language(client, "en", "/de/odds") == "/odds"


def test_every_page_offers_the_languages_by_their_own_names_and_stays_open(device: Device) -> None:
    game = device.game()
    for path in (game.get_absolute_url(), "/prefs", "/nowhere"):
        page = device.client.get(path).content.decode()
        form = re.search(r'<form action="/language".*?</form>', page, re.S)
        assert form and re.findall(r'lang="(\w+)"', form[0]) == ["en", "de", "fr", "nl"]
        assert f'name="next" value="{path}"' in form[0] and "csrf" not in form[0]


def find_return_address(answer: Response) -> str:
    """Return the address to which choosing a language on this page leads."""
    form = re.search(r'<form action="/language".*?name="next" value="([^"]*)"', answer.content.decode(), re.S)
    assert form
    return form[1]


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("/new?for=phone", {"do": "start", "key": "k" * 22, "name": ["A" * 25, "B"], "level": ["", ""]}),
        ("/games/archive", {}),
        ("/account/sign-in", {"username": "ana", "password": "x"}),
        ("/rules/change", {}),
        ("/join", {"words": "no such words"}),
    ],
)
def test_another_language_for_a_form_shown_again_leads_to_the_same_page(
    client: Client, address: str, sent: dict[str, Any]
) -> None:
    answer = client.post(address, sent)
    assert answer.status_code != 303
    assert find_return_address(answer) == choose_language(client, "de", find_return_address(answer)) == address
    assert client.get(address).status_code == 200


def test_another_language_for_a_refused_move_leads_to_the_game(device: Device) -> None:
    game = device.game()
    refused = device.client.post(f"{game.get_absolute_url()}/bank", {"key": "x" * 22, "version": game.version})
    assert refused.status_code >= 400
    assert find_return_address(refused) == game.get_absolute_url()


def test_another_language_for_a_link_to_another_device_leads_to_the_game(device: Device) -> None:
    game = device.game()
    link = device.client.post(
        f"{game.get_absolute_url()}/transfer", {"key": make_key(), "version": game.version}, follow=True
    )
    assert find_return_address(link) == game.get_absolute_url()


def test_another_language_for_a_refused_member_leads_to_the_crew(device: Device) -> None:
    address = make_crew(device, ANA).get_absolute_url()
    refused = device.client.post(f"{address}/members", {"do": "remove", "member": "x"})
    assert find_return_address(refused) == address


def test_another_language_where_there_is_no_page_leads_home(client: Client) -> None:
    assert find_return_address(client.post("//evil.example/x")) == "/"
    assert find_return_address(client.post("/nowhere")) == "/"


def test_answers_that_a_browser_may_keep_vary_by_language_and_cookie(client: Client) -> None:
    for path in ("/manifest.webmanifest", "/sw.js", "/offline"):
        assert {"Accept-Language", "Cookie"} <= set(client.get(path).headers["Vary"].split(", "))


def test_another_language_brings_another_offline_page(client: Client) -> None:
    workers = set()
    for language in ("en", "de"):
        choose_language(client, language)
        workers.add(client.get("/sw.js").content)
    assert len(workers) == 2


def test_a_ruleset_of_the_world_is_named_in_the_readers_language_if_it_can_be(client: Client) -> None:
    names = {}
    for language in ("en", "de"):
        choose_language(client, language)
        page = client.get("/rules/game10000").content.decode()
        names[language] = re.findall(r"<h1>(.*?)</h1>", page)
    assert names == {"en": ["Game 10000"], "de": ["Zehntausend mit Full House"]}


def test_an_account_brings_its_language_to_a_browser_that_has_chosen_none(
    device: Device, other_device: Device, client: Client
) -> None:
    password = "six dice and a cup"
    account = {"username": "ana", **dict.fromkeys(("password", "password1", "password2"), password)}
    device.client.post("/account/sign-up", account)
    choose_language(device.client, "nl")
    choose_language(other_device.client, "fr")
    for browser, expected in ((client, "nl"), (other_device.client, "fr")):
        assert browser.post("/account/sign-in", account).status_code == 303
        assert read_language(browser, "/account/") == expected


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "10,000 1.45 EUR"),
        ("de", "10.000 1,45 EUR"),
        ("nl", "10.000 1,45 EUR"),
        ("fr", "10\N{NARROW NO-BREAK SPACE}000 1,45 EUR"),
        ("sv", "10\N{NO-BREAK SPACE}000 1,45 EUR"),
    ],
)
def test_numbers_and_money_are_written_as_the_language_writes_them(language: str, written: str) -> None:
    with translation.override(language):
        money = format_money(145, "EUR").replace("\N{NO-BREAK SPACE}EUR", " EUR")
        assert f"{number(10_000)} {money}" == written


@pytest.mark.parametrize(
    ("currency", "written"), [("USD", "1,23"), ("JPY", "123"), ("KRW", "123"), ("KWD", "0,123"), ("XYZ", "1,23")]
)
def test_an_amount_has_as_many_decimals_as_its_currency(currency: str, written: str) -> None:
    with translation.override("de"):
        assert format_money(123, currency) == f"{written}\N{NO-BREAK SPACE}{currency}"


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert [number(-0.4, 0), number(-0.04, 1), sign_number(-0.4), sign_number(0.04, 1)] == ["0", "0.0", "0", "0.0"]
    assert [number(-0.0), number(0.0)] == ["0.0", "0.0"]
    assert [number(-0.6, 0), sign_number(-0.6), sign_number(0.06, 1)] == ["−1", "−1", "+0.1"]


def test_the_name_of_the_site_is_written_like_a_number_of_the_language(client: Client) -> None:
    names = {"en": "10,000", "de": "10.000", "fr": "10\N{NARROW NO-BREAK SPACE}000", "nl": "10.000"}
    for language, name in names.items():
        page = client.get("/rules", headers={"Accept-Language": language}).content.decode()
        assert f'aria-hidden="true"></span>{name}</a>' in page, language


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[", "http://testserver]"])
def test_a_form_on_another_site_replaces_nobodys_cookie(client: Client, origin: str) -> None:
    form = {"language": "de", "next": "/"}
    sent = client.post("/language", form, headers={"Origin": origin})
    assert sent.status_code < 500
    assert site.VISITOR_COOKIE_NAME not in sent.cookies
    assert site.VISITOR_COOKIE_NAME in client.post("/language", form, headers={"Origin": "http://testserver"}).cookies
