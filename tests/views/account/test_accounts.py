"""Accounts: nobody has to have one; they carry seats and history from one device to another."""

import json
import re
from copy import copy
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db.models.signals import post_save
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from game.models import CallSettings, Crew, Game, PlayedRuleset, PushSubscription, Visitor
from game.rules import preset
from game.services.own_rules import keep_ruleset, remember_played
from game.storage import load_state
from tests.cast import ANA, BRUNO, IN, Device, Response, bank, make_key, reload_game, share_game
from tests.require import require
from tests.words import read_text

pytestmark = pytest.mark.django_db
PASSWORD = "six dice and a cup"


def sign_up(device: Device, name: str = "ana", password: str = PASSWORD) -> Response:
    form = {"username": name, "password1": password, "password2": password}
    return device.client.post("/account/sign-up", form)


def sign_in(device: Device, name: str = "ana", password: str = PASSWORD) -> Response:
    return device.client.post("/account/sign-in", {"username": name, "password": password})


def account_page(device: Device) -> str:
    return device.client.get("/account/").content.decode()


def read_hidden_fields(page: Response) -> dict[str, str]:
    """Return the hidden fields of the page's form."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode()))


def may_play(device: Device, game: Game) -> bool:
    return 'id="throw"' in device.page(game)


def test_signing_up_asks_only_for_a_name_and_a_password(device: Device) -> None:
    page = device.client.get("/account/sign-up").content.decode()
    assert "password1" in page and "email" not in page
    assert sign_up(device).status_code == 303
    assert "ana" in account_page(device)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"username": "", "password1": PASSWORD, "password2": PASSWORD}, "This field is required."),
        ({"username": "a b", "password1": PASSWORD, "password2": PASSWORD}, "Use only letters, digits"),
        ({"username": "x" * 25, "password1": PASSWORD, "password2": PASSWORD}, "Use up to 24 characters."),
        ({"username": "eve\0", "password1": PASSWORD, "password2": PASSWORD}, "Null characters are not allowed."),
        ({"username": "eve", "password1": "short", "password2": "short"}, "too short"),
        ({"username": "eve", "password1": PASSWORD, "password2": "another one"}, "match"),
        ({"username": "ANA", "password1": PASSWORD, "password2": PASSWORD}, "That name is taken."),
    ],
)
def test_mistakes_are_named_at_the_field_and_on_top(device: Device, form: dict[str, str], sentence: str) -> None:
    User.objects.create_user("ana", password=PASSWORD)
    response = device.client.post("/account/sign-up", form)
    page = response.content.decode()
    assert response.status_code == 422
    assert "<title>Error: " in page and page.count(sentence) == 2
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"password1": "court", "password2": "court"}, "Ce mot de passe est trop court"),
        ({"password1": "password", "password2": "password"}, "Ce mot de passe est trop facile à deviner"),
        ({"password1": "eveline.b", "password2": "eveline.b"}, "Ce mot de passe ressemble trop à ton nom"),
        ({"email": "eve@"}, "Saisis une adresse e-mail"),
    ],
)
def test_french_says_tu_about_a_password_or_an_address(
    device: Device, settings: Settings, form: dict[str, str], sentence: str
) -> None:
    settings.EMAIL_HOST = "mail.example"
    form = {"username": "eveline", "password1": PASSWORD, "password2": PASSWORD} | form
    page = device.client.post("/account/sign-up", form, headers={"Accept-Language": "fr"}).content.decode()
    assert page.count(sentence) == 2


def test_mistakes_are_listed_from_top_to_bottom_in_the_words_of_the_form(device: Device) -> None:
    form = {"username": "a b", "password1": PASSWORD, "password2": "another one"}
    page = device.client.post("/account/sign-up", form).content.decode()
    assert re.findall(r'<li><a href="#(\w+)">', page.partition('id="problems-title"')[2]) == [
        "id_username",
        "id_password2",
    ]
    assert page.count("Use only letters, digits and @ . + - _, no spaces.") == 2 and "username." not in page


def test_what_is_wrong_with_a_password_is_said_where_it_is_typed_first(device: Device) -> None:
    page = sign_up(device, password="short").content.decode()
    assert re.findall(r'<li><a href="#(\w+)">', page.partition('id="problems-title"')[2]) == ["id_password1"]


@pytest.mark.parametrize("address", ["/account/sign-up", "/account/sign-in"])
def test_a_site_without_mail_says_that_a_forgotten_password_is_lost(
    device: Device, settings: Settings, address: str
) -> None:
    warning = "This site sends no mail. If you forget your password, only whoever runs the site can help you."
    assert warning in read_text(device.client.get(address).content.decode())
    settings.EMAIL_HOST = "mail.example"
    assert warning not in read_text(device.client.get(address).content.decode())


def test_every_field_is_tied_to_its_help_and_error(device: Device) -> None:
    form = {"username": "a b", "password1": "short", "password2": "short"}
    page = device.client.post("/account/sign-up", form).content.decode()
    ids = " ".join(re.findall(r'aria-describedby="([^"]*)"', page)).split()
    assert "id_username_helptext" in ids and "id_username_error" in ids and "id_password1_helptext" in ids
    assert [html_id for html_id in ids if f'id="{html_id}"' not in page] == []


def test_a_wrong_password_says_nothing_about_the_name(device: Device) -> None:
    User.objects.create_user("ana", password=PASSWORD)
    for name in ("ana", "nobody"):
        response = sign_in(device, name, "wrong")
        assert response.status_code == 422
        assert "Wrong name or password." in response.content.decode()


def test_the_owner_of_a_closed_account_is_told_so_and_nobody_else(device: Device) -> None:
    sign_up(device)
    User.objects.update(is_active=False)
    device.client.post("/account/sign-out")
    assert "This account is closed." in decode_page(sign_in(device))
    assert "Wrong name or password." in decode_page(sign_in(device, password="a guess of mine"))


def test_signing_in_alone_moves_no_seat(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    sign_up(device)
    assert "held seats in 1 game." in account_page(device)
    assert may_play(device, game)
    sign_in(other_device)
    assert not may_play(other_device, game)


def test_seats_taken_into_the_account_are_there_on_another_device(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    sign_up(device)
    device.client.post("/account/adopt", {"do": "take"})
    sign_in(other_device)
    assert may_play(device, game) and may_play(other_device, game)
    assert other_device.do(game, "throw").status_code == 303
    assert "Bruno" in other_device.client.get("/games").content.decode()


def test_an_open_page_may_play_on_as_soon_as_its_game_is_in_the_account(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    sign_up(device)
    allowed: list[bool] = []

    def check_seat(**_more: object) -> None:
        allowed.append(may_play(device, game))

    post_save.connect(check_seat, sender=Game)  # the game is written last, just before its pages are told
    device.client.post("/account/adopt", {"do": "take"})
    post_save.disconnect(check_seat, sender=Game)
    assert allowed == [True]


def test_once_this_browsers_games_are_deleted_nothing_is_asked_about_them(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    sign_up(device)
    page = account_page(device)
    assert "held seats in 1 game." in page and "follow you to this device" not in page
    device.client.post(f"{game.get_absolute_url()}/delete", {"key": make_key(), "do": "delete"})
    page = account_page(device)
    assert "held seats in" not in page and "Games on this browser" not in page
    assert "Your seats and history follow you to this device." in page
    device.client.post("/quick", {"key": make_key()})
    assert Game.objects.get().host == Visitor.objects.get(user__username="ana")


def test_seats_left_with_the_browser_come_back_after_signing_out(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    sign_up(device)
    device.client.post("/account/adopt", {"do": "leave"})
    assert not may_play(device, game) and "held seats in" not in account_page(device)
    device.client.post("/account/sign-out")
    assert may_play(device, game)


def test_after_signing_out_the_accounts_seats_are_out_of_reach(device: Device) -> None:
    sign_up(device)
    device.client.post("/new", {"key": "k" * 22, "ruleset": "classic", "name": [ANA, BRUNO], "level": ["", ""]})
    game = Game.objects.get()
    assert may_play(device, game)
    device.client.post("/account/sign-out")
    assert not may_play(device, game)


def test_an_open_page_that_was_signed_out_loses_its_buttons_with_the_next_press(device: Device) -> None:
    sign_up(device)
    device.client.post("/new", {"key": "k" * 22, "ruleset": "classic", "name": [ANA, BRUNO], "level": ["", ""]})
    game = Game.objects.get()
    assert 'id="throw"' in device.page(game) and "Add player" in device.page(game)
    device.client.post("/account/sign-out")
    answer = device.do(game, "throw", htmx=True)
    regions = answer.content.decode()
    assert answer.status_code == 403 and "You can watch this game, but not change it." in regions
    assert 'id="play"' in regions and 'id="throw"' not in regions
    assert 'id="people"' in regions and "Add player" not in regions


def test_a_shared_computer_forgets_its_seats_names_and_preferences(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    device.client.post("/prefs", {"theme": "dark"})
    sign_up(device)
    device.client.post("/account/sign-out", {"forget": "1"})
    assert not may_play(device, game)
    assert 'data-theme="auto"' in device.client.get("/").content.decode()


def test_a_foreign_cookie_with_an_odd_name_is_no_trouble(device: Device) -> None:
    sign_up(device)
    cookies = f"{device.client.cookies.output(header='', sep=';')}; odd[name]=1"
    assert device.client.post("/account/sign-out", {"forget": "1"}, headers={"Cookie": cookies}).status_code == 303


def test_signing_up_gives_the_browser_another_cookie_for_the_same_seats(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    before = device.client.cookies["visitor"].value
    sign_up(device)
    stolen = Client()
    stolen.cookies["visitor"] = before
    assert device.client.cookies["visitor"].value != before
    assert 'id="throw"' not in stolen.get(game.get_absolute_url()).content.decode()
    assert may_play(device, game)


def test_a_late_board_does_not_bring_back_the_old_cookie(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    board = device.client.get(f"{game.get_absolute_url()}/board?version=0", headers={"HX-Request": "true"})
    assert board.status_code == 200 and "visitor" not in board.cookies
    assert "visitor" in device.client.get("/").cookies


def test_a_name_that_is_taken_cannot_sign_up_again(device: Device) -> None:
    User.objects.create_user("ana", password=PASSWORD, date_joined=timezone.now() - timedelta(hours=1))
    assert sign_up(device).status_code == 422
    assert sign_up(device, "Ana").status_code == 422


def test_sign_up_pressed_twice_is_done_once_and_keeps_the_seats(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    again = Device()
    again.client.cookies["visitor"] = device.client.cookies["visitor"].value
    assert [sign_up(browser).status_code for browser in (device, again)] == [303, 303]
    assert User.objects.count() == 1
    assert may_play(again, game) and "held seats in 1 game." in account_page(again)


def test_signing_in_twice_keeps_the_seats(device: Device) -> None:
    User.objects.create_user("ana", password=PASSWORD)
    game = device.game(bank(0, 1000, IN))
    again = Device()
    again.client.cookies["visitor"] = device.client.cookies["visitor"].value
    assert [sign_in(browser).status_code for browser in (device, again)] == [303, 303]
    assert may_play(again, game)


def test_signing_in_again_after_a_lost_answer_and_a_new_game_keeps_all_seats(device: Device) -> None:
    User.objects.create_user("ana", password=PASSWORD)
    before = device.game(bank(0, 1000, IN))
    lost = Device()
    lost.client.cookies["visitor"] = device.client.cookies["visitor"].value
    sign_in(lost)
    since = device.game(bank(0, 1000, IN))
    assert sign_in(device).status_code == 303
    assert may_play(device, before) and may_play(device, since)


def test_a_new_password_signs_out_other_browsers(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    sign_up(device)
    device.client.post("/account/adopt", {"do": "take"})
    sign_in(other_device)
    another = "another cup of dice"
    form = {"old_password": PASSWORD, "new_password1": another, "new_password2": another}
    assert device.client.post("/account/password", form).status_code == 302
    assert may_play(device, game) and not may_play(other_device, game)


def test_my_data_is_one_file_with_my_games_and_without_a_seed(device: Device) -> None:
    device.game(bank(0, 1000, IN))
    sign_up(device)
    device.client.post("/account/adopt", {"do": "take"})
    response = device.client.get("/account/data")
    data = json.loads(response.getvalue())
    assert data["account"]["name"] == "ana"
    assert [player["name"] for player in data["games"][0]["players"]] == [ANA, BRUNO]
    assert "proof" not in data["games"][0] and "md5$" not in json.dumps(data)


def test_my_data_has_a_game_that_i_host_without_a_seat(device: Device, other_device: Device) -> None:
    other_device.takes(device.game(bank(0, 1000, IN)), 0, 1)
    sign_up(device)
    device.client.post("/account/adopt", {"do": "take"})
    assert len(json.loads(device.client.get("/account/data").getvalue())["games"]) == 1


def keep_rules(device: Device) -> None:
    remember_played(preset("farkle"))
    keep_ruleset(device.browser, require(PlayedRuleset.objects.first()), "Our Sunday")


def test_rules_that_a_browser_keeps_come_along_to_the_account(device: Device) -> None:
    keep_rules(device)
    sign_up(device)
    assert "rules that it keeps" in account_page(device)
    assert "Our Sunday" in device.client.get("/new").content.decode()
    device.client.post("/account/adopt", {"do": "take"})
    assert "Our Sunday" in device.client.get("/new").content.decode()


def test_rules_that_the_account_keeps_already_are_asked_about_once(device: Device) -> None:
    keep_rules(device)
    sign_up(device)
    device.client.post("/account/adopt", {"do": "take"})
    for asks in (True, False):
        device.client.post("/account/sign-out")
        if asks:
            keep_rules(device)
        sign_in(device)
        assert ("rules that it keeps" in account_page(device)) is asks
        device.client.post("/account/adopt", {"do": "take"})


def test_my_data_has_the_rules_i_keep(device: Device) -> None:
    keep_rules(device)
    sign_up(device)
    device.client.post("/account/adopt", {"do": "take"})
    rules = json.loads(device.client.get("/account/data").getvalue())["rules"]
    assert [(kept["name"], kept["ruleset"]["bank_minimum"]) for kept in rules] == [("Our Sunday", 350)]


def test_my_data_has_my_crews_with_their_rules(device: Device) -> None:
    sign_up(device)
    crew = Crew.objects.create(
        holder=Visitor.objects.get(user__username="ana"), name="Sundays", ruleset="greed", target=4000, mode="manual"
    )
    crew.people.create(place=0, name=ANA)
    (stored,) = json.loads(device.client.get("/account/data").getvalue())["crews"]
    assert stored == {"name": "Sundays", "ruleset": "greed", "target": 4000, "mode": "manual", "people": [ANA]}


def test_my_data_says_how_calls_reach_me_and_my_name_in_each_crew(device: Device, other_device: Device) -> None:
    sign_up(device)
    account = Visitor.objects.get(user__username="ana")
    CallSettings.objects.create(visitor=account, language="fr", zone="Europe/Paris", quiet="long", mail=True)
    Visitor.objects.filter(pk=account.pk).update(language="fr")
    holder = other_device.browser.visitor_or_new()
    for name, admitted in (("Thursdays", timezone.now()), ("Not yet", None)):
        Crew.objects.create(holder=holder, name=name).members.create(visitor=account, name="Anouk", admitted=admitted)
    data = json.loads(device.client.get("/account/data").getvalue())
    assert data["account"]["language"] == "fr"
    assert data["calls"] == {"language": "fr", "zone": "Europe/Paris", "quiet": "long", "mail": True}
    assert data["crews_of_others"] == [{"name": "Thursdays", "as": "Anouk"}, {"name": "", "as": "Anouk"}]


def test_my_data_has_the_address_at_which_my_browser_is_called(device: Device, other_device: Device) -> None:
    sign_up(device)
    mine = Visitor.objects.get(user__username="ana")
    row = PushSubscription.objects.create(visitor=mine, browser="phone", endpoint="https://push.example/phone")
    PushSubscription.objects.create(
        visitor=other_device.browser.visitor_or_new(), browser="tablet", endpoint="https://push.example/tablet"
    )
    called = json.loads(device.client.get("/account/data").getvalue())["called_browsers"]
    assert called == [{"endpoint": "https://push.example/phone", "since": row.created.isoformat()}]


def test_deleting_takes_my_games_and_leaves_those_of_others(device: Device, other_device: Device) -> None:
    mine, ours = device.game(bank(0, 1000, IN)), device.game(bank(0, 1000, IN))
    ours.players.filter(seat=1).update(visitor=Visitor.objects.create(token_hash=other_device.browser.token_hash))
    sign_up(device)
    device.client.post("/account/adopt", {"do": "take"})
    assert "Delete my account" in device.client.get("/account/delete").content.decode()
    device.client.post("/account/delete", {"password": PASSWORD})
    assert not User.objects.exists() and not Game.objects.filter(pk=mine.pk).exists()
    assert [seat.visitor_id is None for seat in reload_game(ours).seats] == [True, False]


@pytest.mark.parametrize(
    ("password", "sentence"),
    [("", "This field is required."), ("a cup", "That is not your password. Capital letters matter.")],
)
def test_an_account_is_deleted_only_with_its_password(device: Device, password: str, sentence: str) -> None:
    mine = device.game(bank(0, 1000, IN))
    sign_up(device)
    device.client.post("/account/adopt", {"do": "take"})
    form = read_hidden_fields(device.client.get("/account/delete"))
    refused = device.client.post("/account/delete", form | {"password": password})
    assert refused.status_code == 422 and decode_page(refused).count(sentence) == 2
    assert User.objects.exists() and may_play(device, mine)


def test_nobody_waits_for_a_player_who_deleted_their_account(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), players=(ANA, BRUNO, "Chloé"))
    game.players.filter(seat=2).update(visitor=device.browser.visitor())
    sign_up(other_device, "bruno")
    other_device.client.post("/account/adopt", {"do": "take"})
    assert load_state(reload_game(game)).player == 1
    other_device.client.post("/account/delete", {"password": PASSWORD})
    left = reload_game(game)
    assert [(seat.active, seat.visitor_id is None) for seat in left.seats] == [
        (True, False),
        (False, True),
        (True, False),
    ]
    assert load_state(left).player == 2
    assert device.do(left, "throw").status_code == 303


@pytest.mark.parametrize("chosen", ["abc", "9" * 25])
def test_deleting_accounts_that_cannot_be_shows_the_list(admin_client: Client, chosen: str) -> None:
    answer = admin_client.post("/admin/auth/user/", {"action": "delete_selected", "_selected_action": chosen})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/auth/user/")


@pytest.mark.parametrize("way", ["page", "list"])
def test_nobody_waits_for_a_player_whose_account_was_deleted_in_the_admin(
    device: Device, other_device: Device, admin_client: Client, way: str
) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    other_device.game()
    sign_up(other_device, "bruno")
    other_device.client.post("/account/adopt", {"do": "take"})
    bruno = User.objects.get(username="bruno").pk
    if way == "page":
        admin_client.post(f"/admin/auth/user/{bruno}/delete/", {"post": "yes"})
    else:
        chosen = {"action": "delete_selected", "_selected_action": bruno, "post": "yes"}
        admin_client.post("/admin/auth/user/", chosen)
    assert not User.objects.filter(pk=bruno).exists()
    assert list(Game.objects.all()) == [game]
    assert [seat.active for seat in reload_game(game).seats] == [True, False]
    assert device.do(game, "throw").status_code == 303


def test_a_player_whose_opponent_deletes_their_account_may_play_on_alone(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    sign_up(other_device, "bruno")
    other_device.client.post("/account/adopt", {"do": "take"})
    other_device.client.post("/account/delete", {"password": PASSWORD})
    assert device.do(game, "throw").status_code == 303


def test_a_waiting_game_gets_another_host_when_its_host_deletes_their_account(
    device: Device, other_device: Device
) -> None:
    sign_up(device)
    game = device.waiting_game()
    other_device.sit(game)
    device.client.post("/account/adopt", {"do": "take"})
    device.client.post("/account/delete", {"password": PASSWORD})
    assert reload_game(game).host == other_device.browser.visitor()


def test_a_second_press_on_delete_is_answered_like_the_first(device: Device) -> None:
    sign_up(device)
    form = read_hidden_fields(device.client.get("/account/delete")) | {"password": PASSWORD}
    answers = [device.client.post("/account/delete", form) for _press in range(2)]
    assert [(answer.status_code, answer.headers["Location"]) for answer in answers] == [(303, "/")] * 2
    assert not User.objects.exists()


def test_deleting_after_signing_out_leaves_the_account_and_the_seats(device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    sign_up(device)
    form = read_hidden_fields(device.client.get("/account/delete")) | {"password": PASSWORD}
    device.client.post("/account/sign-out")
    assert device.client.post("/account/delete", form).headers["Location"].startswith("/account/sign-in")
    assert User.objects.exists() and may_play(device, game)


@pytest.mark.parametrize("path", ["/account/", "/account/data", "/account/delete", "/account/password"])
def test_without_an_account_the_account_pages_lead_to_signing_in(device: Device, path: str) -> None:
    response = device.client.get(path)
    assert response.status_code == 302 and response.headers["Location"].startswith("/account/sign-in")


def find_password_link() -> str:
    (sent,) = mail.outbox
    return str(re.findall(r"http://testserver(\S+)", str(sent.body))[0])


def test_a_forgotten_password_is_replaced_by_mail(device: Device, settings: Settings) -> None:
    settings.EMAIL_HOST = "mail.example"
    assert "account/forgotten" in device.client.get("/account/sign-in").content.decode()
    assert 'name="email"' in device.client.get("/account/sign-up").content.decode()
    assert "Email</label>" in device.client.get("/account/forgotten").content.decode()
    User.objects.create_user("ana", "ana@example.org", PASSWORD)
    answer = device.client.post("/account/forgotten", {"email": "ana@example.org"}, follow=True)
    assert answer.redirect_chain == [("/account/mail-sent", 302)] and answer.status_code == 200
    link = find_password_link()
    form_address = device.client.get(link).headers["Location"]
    new = "another cup of dice"
    form = {"new_password1": new, "new_password2": new}
    device.client.post(form_address, form)  # a second press is answered alike, since browsers drop the first answer
    answer = device.client.post(form_address, form, follow=True)
    assert "Your password has been changed. Sign in with it." in answer.content.decode()
    assert Device().client.post(form_address, form).status_code == 410
    assert sign_in(device, "ana", new).status_code == 303
    assert device.client.get(link).status_code == 410


def test_a_password_replaced_by_mail_ends_calls_on_every_browser(device: Device, settings: Settings) -> None:
    settings.EMAIL_HOST = "mail.example"
    sign_up(device)
    User.objects.update(email="ana@example.org")
    account = Visitor.objects.get(user__username="ana")
    for browser in ("lost", device.browser.token_hash):
        PushSubscription.objects.create(visitor=account, browser=browser, endpoint=f"https://push.example/{browser}")
    device.client.post("/account/forgotten", {"email": "ana@example.org"})
    form_address = device.client.get(find_password_link()).headers["Location"]
    assert PushSubscription.objects.count() == 2
    new = {"new_password1": "another cup of dice", "new_password2": "another cup of dice"}
    assert device.client.post(form_address, new).status_code == 302 and not PushSubscription.objects.exists()


def test_a_second_press_on_new_password_is_answered_like_the_first_where_one_was_signed_in(
    device: Device, settings: Settings
) -> None:
    settings.EMAIL_HOST = "mail.example"
    sign_up(device)
    User.objects.update(email="ana@example.org")
    device.client.post("/account/forgotten", {"email": "ana@example.org"})
    form_address, before = device.client.get(find_password_link()).headers["Location"], device.client.session
    form = {"new_password1": "another cup of dice", "new_password2": "another cup of dice"}
    answers, cookies = [], device.client.cookies
    for _press in range(2):
        device.client.cookies = copy(cookies)  # the first answer is dropped with all that it sets
        answers.append(device.client.post(form_address, form))
    assert [(answer.status_code, answer.headers["Location"]) for answer in answers] == [(302, "/account/sign-in")] * 2
    assert device.client.get("/account/").status_code == 302, "the old password no longer counts anywhere"
    sign_in(device, "ana", "another cup of dice")
    assert "ana" in account_page(device) and device.client.session.session_key != before.session_key


def test_a_new_password_signs_out_no_other_account_of_the_browser(device: Device, settings: Settings) -> None:
    settings.EMAIL_HOST = "mail.example"
    User.objects.create_user("bruno", "bruno@example.org", PASSWORD)
    sign_up(device)
    device.client.post("/account/forgotten", {"email": "bruno@example.org"})
    form_address = device.client.get(find_password_link()).headers["Location"]
    form = {"new_password1": "another cup of dice", "new_password2": "another cup of dice"}
    assert [device.client.post(form_address, form).status_code for _press in range(2)] == [302, 302]
    assert "ana" in account_page(device)


def test_a_site_that_sends_no_mail_offers_none(device: Device) -> None:
    User.objects.create_user("ana", "ana@example.org", PASSWORD)
    for answer in (
        device.client.get("/account/forgotten"),
        device.client.post("/account/forgotten", {"email": "ana@example.org"}),
        device.client.get("/account/mail-sent"),
    ):
        assert answer.status_code == 404
    assert mail.outbox == []
    for address in ("/account/sign-in", "/account/new-password/MQ/x-y"):
        assert "account/forgotten" not in device.client.get(address).content.decode()


def test_the_header_leads_to_the_account_once_signed_in(client: Client) -> None:
    assert re.search(r"Sign in</a>\s*</nav>", client.get("/").content.decode())
    client.force_login(User.objects.create_user("Ana"))
    assert re.search(r"Account</a>\s*</nav>", client.get("/").content.decode())


def decode_page(response: Response) -> str:
    return response.content.decode()


def test_the_answer_says_what_became_of_the_games(device: Device) -> None:
    device.game(bank(0, 1000, IN))
    sign_up(device)
    answer = device.client.post("/account/adopt", {"do": "leave"}, follow=True)
    assert "This browser keeps its own games" in decode_page(answer)
    answer = device.client.post("/account/adopt", {"do": "take"}, follow=True)
    assert "The games on this browser are in your account now." in decode_page(answer)
    assert "are in your account now" not in account_page(device)


def test_a_changed_password_is_confirmed(device: Device) -> None:
    sign_up(device)
    form = {"old_password": PASSWORD, "new_password1": "another cup", "new_password2": "another cup"}
    assert "Your password has been changed." in decode_page(device.client.post("/account/password", form, follow=True))


@pytest.mark.parametrize(
    ("language", "rule", "wrong"),
    [
        ("en", "At least 8 characters, hard to guess and not like your name.", "That is not your old password."),
        (
            "fr",
            "Au moins 8 caractères, difficiles à deviner et loin de ton nom.",
            "Ce n’est pas ton ancien mot de passe.",
        ),
        ("nl", "Minstens 8 tekens, moeilijk te raden en niet zoals je naam.", "Dat is niet je oude wachtwoord."),
    ],
)
def test_forms_for_a_new_password_use_the_familiar_form_of_address(
    device: Device, language: str, rule: str, wrong: str
) -> None:
    spoken = {"accept-language": language}
    page = device.client.get("/account/sign-up", headers=spoken).content.decode()
    assert rule in page and "Votre" not in page and "Uw " not in page and "id_password2_helptext" not in page
    sign_up(device)
    assert rule in device.client.get("/account/password", headers=spoken).content.decode()
    form = {"old_password": "x", "new_password1": PASSWORD, "new_password2": PASSWORD}
    page = device.client.post("/account/password", form, headers=spoken).content.decode()
    assert wrong in page and "Votre" not in page and "Uw " not in page


def test_a_deleted_account_is_confirmed_and_leaves_nothing_in_the_browser(device: Device) -> None:
    sign_up(device)
    before = device.client.cookies["session"].value
    form = read_hidden_fields(device.client.get("/account/delete")) | {"password": PASSWORD}
    assert "Your account has been deleted." in decode_page(device.client.post("/account/delete", form, follow=True))
    assert device.client.cookies["session"].value != before
    assert "_auth_user_id" not in device.client.session
