"""Rate limits: whoever presses too often is told when to try again, and can then send the same form."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from pytest_django import Settings

from game.models import Game
from game.serving import rate_limits
from tests.cast import Device, make_key, reload_game


@pytest.fixture(autouse=True)
def new_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "COUNTS", rate_limits.Counts())


@pytest.fixture
def few(settings: Settings) -> Callable[..., None]:
    """Return a function that sets the limits, by kind, to the number of requests allowed in an hour."""

    def set_limits(**times: int) -> None:
        settings.LIMITS = {kind: (most, 3600) for kind, most in times.items()}

    return set_limits


def test_one_press_too_many_is_told_when_to_press_again(device: Device, few: Callable[..., None]) -> None:
    game = device.game()
    few(move=1)
    assert device.do(game, "throw").status_code == 303
    refused = device.do(game, "bank")
    assert refused.status_code == 429
    assert 3500 < int(refused["Retry-After"]) <= 3600
    html = refused.content.decode()
    assert "That was very fast. Wait a moment and throw again." in html
    assert f'href="{game.get_absolute_url()}">Back to the game<' in html


def test_whoever_looks_at_an_evening_too_often_is_not_led_to_its_first_game(
    device: Device, few: Callable[..., None]
) -> None:
    few(page=1)
    address = f"/crew/{'A' * 22}/evening/{'B' * 22}"
    first, refused = device.client.get(address), device.client.get(address)
    assert (first.status_code, refused.status_code) == (404, 429)
    assert "Back to the game" not in refused.content.decode()


def test_a_refused_form_can_be_sent_again(device: Device, few: Callable[..., None], settings: Settings) -> None:
    game, press = device.game(), make_key()
    few(move=1)
    device.do(game, "options", hints="odds")
    assert device.do(game, "throw", key=press).status_code == 429
    settings.LIMITS = {}
    assert device.do(game, "throw", key=press).status_code == 303
    assert game.throws.count() == 1


def test_each_game_has_its_own_count(device: Device, few: Callable[..., None]) -> None:
    one, two = device.game(), device.game()
    few(move=1)
    assert [device.do(game, "throw").status_code for game in (one, two)] == [303, 303]


def test_one_visitor_takes_nothing_from_another_at_the_same_address(
    device: Device, other_device: Device, few: Callable[..., None]
) -> None:
    few(page=3)
    assert [device.client.get("/help").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert other_device.client.get("/help").status_code == 200


def test_an_address_has_twenty_times_the_limit(db: None, few: Callable[..., None]) -> None:
    few(page=1)
    strangers = [Client(REMOTE_ADDR="192.0.2.1") for _ in range(rate_limits.ADDRESS_FACTOR + 1)]
    assert [client.get("/help").status_code for client in strangers] == [200] * rate_limits.ADDRESS_FACTOR + [429]
    assert Client(REMOTE_ADDR="192.0.2.2").get("/help").status_code == 200


def test_a_new_cookie_for_every_request_does_not_evade_the_limit(db: None, few: Callable[..., None]) -> None:
    few(page=1)
    statuses = []
    for number in range(rate_limits.ADDRESS_FACTOR + 1):
        client = Client()
        client.cookies["visitor"] = f"{number:043}"
        statuses.append(client.get("/help").status_code)
    assert statuses[-2:] == [200, 429]


def test_all_addresses_of_an_ipv6_household_count_as_one() -> None:
    assert rate_limits.find_network("2001:db8:1:2:aaaa::1") == rate_limits.find_network("2001:db8:1:2:bbbb::9")
    assert rate_limits.find_network("2001:db8:1:3::1") != rate_limits.find_network("2001:db8:1:2::1")


def test_an_ipv4_address_is_the_same_however_it_is_written() -> None:
    assert rate_limits.find_network("::ffff:192.0.2.1") == rate_limits.find_network("192.0.2.1") == "192.0.2.1"
    assert rate_limits.find_network("::ffff:192.0.2.2") == "192.0.2.2"


def test_a_request_that_the_address_is_refused_counts_for_nobody(db: None, few: Callable[..., None]) -> None:
    few(page=1)
    for _ in range(rate_limits.ADDRESS_FACTOR):
        Client(REMOTE_ADDR="192.0.2.1").get("/help")
    innocent = Client(REMOTE_ADDR="192.0.2.1")
    innocent.cookies["visitor"] = "v" * 43
    before = dict(rate_limits.COUNTS.empty)
    assert innocent.get("/help").status_code == 429
    assert rate_limits.COUNTS.empty == before
    innocent.defaults["REMOTE_ADDR"] = "192.0.2.2"
    assert innocent.get("/help").status_code == 200


def test_many_new_keys_do_not_push_out_a_count_that_is_in_use() -> None:
    counts = rate_limits.Counts(most=100)
    counts.wait("guesses", 2, 3600, 0)
    for number in range(1000):
        counts.wait(number, 5, 3600, 0)
        if number == 60:
            assert not counts.wait("guesses", 2, 3600, 0)
        if number == 120:
            assert counts.wait("guesses", 2, 3600, 0)


def test_rows_of_a_new_game_can_be_added_at_any_speed(client: Client, db: None, few: Callable[..., None]) -> None:
    few(new=1)
    rows = {"name": ["", ""], "level": ["", ""], "key": make_key()}
    assert [client.post("/new", rows | {"do": "add"}).status_code for _ in range(10)] == [200] * 10
    assert client.post("/new", rows | {"ruleset": "classic"}).status_code == 303


def test_new_games_and_game_files_are_counted_apart_from_pages(device: Device, few: Callable[..., None]) -> None:
    few(new=1, load=1)
    assert device.client.post("/quick", {"key": make_key()}).status_code == 303
    assert device.client.post("/quick", {"key": make_key()}).status_code == 429
    assert device.client.post("/new", {"key": make_key()}).status_code == 429
    assert Game.objects.count() == 1
    assert device.client.post("/games/import", {"key": make_key()}).status_code == 422
    assert device.client.post("/games/import", {"key": make_key()}).status_code == 429
    assert device.client.get("/games/import").status_code == 200


def test_a_name_can_be_tried_five_times_in_a_quarter_of_an_hour(db: None, settings: Settings) -> None:
    settings.LIMITS = settings.RATES
    tries = [Client().post("/admin/login/", {"username": "Root", "password": str(n)}) for n in range(6)]
    assert [answer.status_code for answer in tries] == [200] * 5 + [429]
    assert "Too many tries. Wait 3 minutes." in tries[-1].content.decode()
    assert Client().post("/account/sign-in", {"username": "root", "password": "x"}).status_code == 429
    assert Client().post("/admin/login/", {"username": "other", "password": "x"}).status_code == 200


def test_another_spelling_of_a_name_gives_no_further_tries(db: None, few: Callable[..., None]) -> None:
    few(login=1)
    ways = ("root", " root ", "ROOT", "\uff32oot", "\u00a0root\t")
    statuses = [Client().post("/account/sign-in", {"username": way, "password": "x"}).status_code for way in ways]
    assert statuses == [422] + [429] * 4


def test_an_address_cannot_try_name_after_name_for_ever(db: None, few: Callable[..., None]) -> None:
    few(login=1)
    names = [f"name-{number}" for number in range(rate_limits.ADDRESS_FACTOR + 1)]
    statuses = [Client().post("/account/sign-in", {"username": name, "password": "x"}).status_code for name in names]
    assert statuses == [422] * rate_limits.ADDRESS_FACTOR + [429]


def test_crews_made_beside_a_new_game_are_counted_as_games_are(device: Device, few: Callable[..., None]) -> None:
    few(new=1)
    form = {"name": ["Ana"], "level": [""], "ruleset": "classic"}
    pressed = [
        device.client.post("/new", form | {"key": make_key(), "do": "keep-crew"}).status_code for _press in range(2)
    ]
    assert pressed == [303, 429]


def test_an_address_cannot_make_account_after_account(db: None, few: Callable[..., None]) -> None:
    few(account=1)
    strangers = [Client() for _ in range(rate_limits.ADDRESS_FACTOR + 1)]
    statuses = [client.post("/account/sign-up", {"username": ""}).status_code for client in strangers]
    assert statuses == [422] * rate_limits.ADDRESS_FACTOR + [429]


def test_steps_of_computers_do_not_count_against_a_persons_presses(device: Device, few: Callable[..., None]) -> None:
    game = device.game(players=("*HAL", "*Ada"))
    few(move=1, page=1, step=5)
    assert [device.do(game, "advance", htmx=True).status_code for _ in range(6)] == [200] * 5 + [429]
    assert reload_game(game).version == game.version + 5
    assert device.do(game, "options", hints="odds").status_code == 303


def test_each_entered_throw_of_real_dice_counts_as_a_move(device: Device, few: Callable[..., None]) -> None:
    game = device.game()
    device.do(game, "mode", mode="manual")
    few(move=2)
    assert [device.do(game, "pad", do="add", points=50).status_code for _ in range(3)] == [303, 303, 429]
    assert reload_game(game).draft == {"sums": [50, 50]}


def test_strangers_cannot_ask_a_game_for_steps_for_ever(device: Device, few: Callable[..., None]) -> None:
    game = device.game(players=("*HAL", "*Ada"))
    few(step=1)
    strangers = [Client(REMOTE_ADDR="192.0.2.1") for _ in range(rate_limits.ADDRESS_FACTOR + 1)]
    form = {"version": game.version, "key": make_key()}
    statuses = [client.post(f"{game.get_absolute_url()}/advance", form).status_code for client in strangers]
    assert statuses == [403] * rate_limits.ADDRESS_FACTOR + [429]


def test_as_time_goes_by_there_is_room_for_more() -> None:
    counts = rate_limits.Counts()
    assert [counts.wait("ana", 2, 10, now) for now in (0, 0, 0, 4, 5, 5)] == [0, 0, 5, 1, 0, 5]


def test_a_flood_of_names_leaves_the_memory_bounded() -> None:
    counts = rate_limits.Counts(most=100)
    for number in range(10_000):
        counts.wait(number, 1, 3600, 0)
    assert len(counts.empty) <= 100
    assert counts.wait(9_999, 1, 3600, 0) > 0


def test_links_to_seats_are_counted_together(device: Device, few: Callable[..., None]) -> None:
    game = device.game()
    few(link=2)
    assert device.do(game, "transfer").status_code == 200
    assert device.client.post(f"/c/{'A' * 22}").status_code == 410
    assert device.client.post(f"/j/{'A' * 22}").status_code == 429


@pytest.mark.parametrize("address", ["/account/password", "/admin/password_change/"])
def test_whoever_finds_an_open_page_cannot_guess_the_password(
    admin_client: Client, few: Callable[..., None], address: str
) -> None:
    few(link=2)
    admin_client.get(address)
    guess = {"old_password": "a guess", "new_password1": "six dice and a cup", "new_password2": "six dice and a cup"}
    statuses = [admin_client.post(address, guess).status_code for _guess in range(3)]
    assert 302 not in statuses and statuses[2] == 429


def test_nobodys_mailbox_is_flooded_with_links_to_a_new_password(
    device: Device, few: Callable[..., None], settings: Settings
) -> None:
    settings.EMAIL_HOST = "mail.example"
    User.objects.create_user("ana", "ana@example.org", "six dice and a cup")
    few(mail=2)
    form = {"email": "ana@example.org"}
    assert [device.client.post("/account/forgotten", form).status_code for _press in range(3)] == [302, 302, 429]
    assert len(mail.outbox) == 2


@pytest.mark.django_db
def test_many_browsers_and_networks_together_send_few_mails_to_one_address(
    few: Callable[..., None], settings: Settings
) -> None:
    settings.EMAIL_HOST = "mail.example"
    User.objects.create_user("ana", "ana@example.org", "a cup of six dice")
    few(mail=2)
    emails = ["ana@example.org", "ANA@example.org ", "ana@example.org", "bruno@example.org"]
    answers = [
        Client(REMOTE_ADDR=f"203.0.113.{number}").post("/account/forgotten", {"email": email})
        for number, email in enumerate(emails)
    ]
    assert [answer.status_code for answer in answers] == [302, 302, 429, 302]
    assert len(mail.outbox) == 2
