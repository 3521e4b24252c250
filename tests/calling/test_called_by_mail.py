"""Calls by mail: off until the owner of the address has agreed, one a turn, and ended by a link in each mail."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from game.calling import mail
from game.calling.caller import Caller
from game.models import CallSettings, Game, TurnCall, Visitor
from tests.calling.mail_server import run_mail_server
from tests.calling.turns import LONG, end_turn, find_night_zone, share_real_dice_game
from tests.cast import ANA, Device, let_time_pass, reload_game
from tests.require import require
from tests.views.account.test_accounts import PASSWORD, sign_up
from tests.views.languages.test_languages import find_plain_words, use_pseudo_language
from tests.words import has_word

pytestmark = pytest.mark.django_db

ADDRESS = "bruno@example.org"
Mails = list[EmailMessage]


@pytest.fixture(autouse=True)
def mail_server(settings: Settings) -> None:
    settings.EMAIL_HOST = "mail.example"


@pytest.fixture
def bruno(other_device: Device) -> Device:
    """Bruno's device. He has an account, and no quiet hours."""
    sign_up(other_device, "bruno")
    other_device.client.cookies["prefs"] = "quiet=off"
    return other_device


def find_link(sent: EmailMessage) -> str:
    return str(re.findall(r"http://testserver(/mail/\S+)", str(sent.body))[-1])


def confirm_calls(bruno: Device, mailoutbox: Mails) -> None:
    """Ask for calls by mail, and open the link in another browser, where Bruno reads his mail."""
    bruno.client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": PASSWORD, "zone": "Europe/Berlin"})
    assert Client().post(find_link(mailoutbox.pop())).status_code == 200


@pytest.fixture
def game(device: Device, bruno: Device) -> Game:
    """It is Ana's turn. Bruno's seat belongs to his account, and his page is closed."""
    game = share_real_dice_game(device, bruno)
    game.players.filter(seat=1).update(visitor=Visitor.objects.get(user__username="bruno"))
    let_time_pass(game, seen=LONG)
    return reload_game(game)


def test_nobody_is_written_to_before_the_owner_of_the_address_agrees(
    bruno: Device, device: Device, game: Game, mailoutbox: Mails, caller: Caller
) -> None:
    bruno.client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": PASSWORD})
    (offer,) = mailoutbox
    assert offer.to == [ADDRESS] and "bruno asked" in str(offer.body)
    Client().get(find_link(offer))  # as programs do that open every link
    end_turn(device, game)
    caller.look()
    assert len(mailoutbox) == 1 and not CallSettings.objects.filter(mail=True).exists()


def test_a_player_who_has_agreed_gets_one_mail_a_turn_with_a_link_to_the_game(
    bruno: Device, device: Device, game: Game, mailoutbox: Mails, caller: Caller
) -> None:
    confirm_calls(bruno, mailoutbox)
    assert User.objects.get(username="bruno").email == ADDRESS
    assert CallSettings.objects.get().zone == "Europe/Berlin"
    end_turn(device, game)
    for _look in range(3):
        caller.look()
    Caller().look()
    (sent,) = mailoutbox
    assert sent.to == [ADDRESS] and sent.subject == f"Your turn against {ANA}"
    assert sent.extra_headers["Auto-Submitted"] == "auto-generated"  # so that nobody's holiday mail answers it
    assert f"http://testserver{game.get_absolute_url()}" in str(sent.body) and not has_word(str(sent.body), "500")


def test_no_mail_is_sent_while_the_page_is_open_or_in_quiet_hours(
    bruno: Device, device: Device, game: Game, mailoutbox: Mails, caller: Caller
) -> None:
    confirm_calls(bruno, mailoutbox)
    end_turn(device, game)
    game.players.update(seen=timezone.now() + timedelta(seconds=1))
    caller.look()
    game.players.update(seen=timezone.now() - LONG)
    CallSettings.objects.update(quiet="night", zone=find_night_zone())
    Caller().look()
    assert not mailoutbox


@pytest.mark.parametrize("body", [{}, {"List-Unsubscribe": "One-Click"}])
def test_the_link_in_a_mail_ends_calls_by_mail_even_from_the_mail_program(
    bruno: Device, device: Device, game: Game, mailoutbox: Mails, caller: Caller, body: dict[str, str]
) -> None:
    confirm_calls(bruno, mailoutbox)
    end_turn(device, game)
    caller.look()
    (sent,) = mailoutbox
    offered = require(re.fullmatch(r"<http://testserver(.*)>", sent.extra_headers["List-Unsubscribe"]))[1]
    assert offered == find_link(sent)
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stranger = Client(enforce_csrf_checks=True)
    assert "No more emails" in stranger.get(offered).content.decode()
    assert CallSettings.objects.get().mail
    assert stranger.post(offered, body).status_code == 200
    assert not CallSettings.objects.get().mail and not TurnCall.objects.exists()


def test_calls_by_mail_can_be_ended_on_the_account_page_too(bruno: Device, mailoutbox: Mails) -> None:
    confirm_calls(bruno, mailoutbox)
    assert "You get an email when it’s your turn" in bruno.client.get("/account/").content.decode()
    bruno.client.post("/account/mail", {"do": "stop"})
    assert not CallSettings.objects.get().mail
    assert "Email me when it’s my turn" in bruno.client.get("/account/").content.decode()


def test_a_second_press_on_yes_is_answered_like_the_first_until_the_mails_are_ended(
    bruno: Device, mailoutbox: Mails
) -> None:
    bruno.client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": PASSWORD})
    offer, reader = find_link(mailoutbox.pop()), Client()
    for _press in range(2):
        assert "Done. You’ll get an email when it’s your turn" in reader.post(offer).content.decode()
    bruno.client.post("/account/mail", {"do": "stop"})
    assert reader.post(offer).status_code == 410 and not CallSettings.objects.get().mail


def test_a_later_press_on_yes_leaves_the_quiet_hours_that_were_chosen_since(bruno: Device, mailoutbox: Mails) -> None:
    bruno.client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": PASSWORD})
    offer, reader = find_link(mailoutbox.pop()), Client()
    reader.post(offer)
    bruno.client.post("/prefs", {"quiet": "long"})
    assert "Done. You’ll get an email when it’s your turn" in reader.post(offer).content.decode()
    assert CallSettings.objects.get().quiet == "long"


def test_an_old_link_turns_nothing_on(bruno: Device, mailoutbox: Mails, monkeypatch: pytest.MonkeyPatch) -> None:
    bruno.client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": PASSWORD})
    offer = find_link(mailoutbox.pop())
    assert Client().get(offer + "x").status_code == 410
    monkeypatch.setattr(mail, "OFFER_LASTS", timedelta(seconds=-1))  # three days go by
    assert Client().post(offer).status_code == 410
    assert not CallSettings.objects.exists()


def test_a_bad_address_is_refused(bruno: Device, mailoutbox: Mails) -> None:
    answer = bruno.client.post("/account/mail", {"do": "call", "email": "bruno"})
    page = answer.content.decode()
    assert answer.status_code == 422 and not mailoutbox
    assert '<a href="#mail-address">Enter an email address, as in ana@example.org.</a>' in page
    assert 'value="bruno"' in page and 'aria-describedby="mail-help mail-address-error"' in page


def test_a_wrong_password_leaves_the_address_as_it_was_typed(bruno: Device, mailoutbox: Mails) -> None:
    answer = bruno.client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": "a guess"})
    page = answer.content.decode()
    assert answer.status_code == 422 and not mailoutbox
    assert '<a href="#mail-password">That is not your password. Capital letters matter.</a>' in page
    assert f'value="{ADDRESS}"' in page and "a guess" not in page


def test_without_a_mail_server_calls_by_mail_are_not_offered(bruno: Device, settings: Settings) -> None:
    settings.EMAIL_HOST = ""
    assert "Notifications by email" not in bruno.client.get("/account/").content.decode()
    assert bruno.client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": PASSWORD}).status_code == 404


def test_an_account_that_the_host_has_closed_gets_no_mail(
    bruno: Device, device: Device, game: Game, mailoutbox: Mails, caller: Caller
) -> None:
    confirm_calls(bruno, mailoutbox)
    User.objects.filter(username="bruno").update(is_active=False)
    end_turn(device, game)
    caller.look()
    assert not mailoutbox


def test_a_mail_server_that_is_away_is_asked_again_later(
    bruno: Device, device: Device, game: Game, mailoutbox: Mails, caller: Caller, settings: Settings
) -> None:
    confirm_calls(bruno, mailoutbox)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # nobody listens there
    end_turn(device, game)
    caller.look()
    assert not TurnCall.objects.get().done and caller.waiting
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    TurnCall.objects.update(next_try=timezone.now())
    Caller().look()
    assert len(mailoutbox) == 1


@pytest.mark.parametrize(("status", "is_over"), [(450, False), (550, True)])
def test_a_mail_server_is_asked_again_after_a_passing_refusal_but_not_a_final_one(
    bruno: Device,
    device: Device,
    game: Game,
    mailoutbox: Mails,
    caller: Caller,
    settings: Settings,
    status: int,
    is_over: bool,
) -> None:
    confirm_calls(bruno, mailoutbox)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with run_mail_server(settings, f"{status} not this address"):
        end_turn(device, game)
        caller.look()
    assert TurnCall.objects.get().done == is_over
    assert bool(caller.waiting) != is_over


def test_a_mail_that_was_given_up_is_not_counted_as_sent(
    bruno: Device,
    device: Device,
    game: Game,
    mailoutbox: Mails,
    caller: Caller,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    confirm_calls(bruno, mailoutbox)
    monkeypatch.setattr("game.calling.caller.TRIES_MOST", 1)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with run_mail_server(settings, "450 not now"):
        end_turn(device, game)
        caller.look()
    assert TurnCall.objects.get().done and CallSettings.objects.get().mails == 0


def test_a_mail_that_cannot_be_sent_is_a_line_in_the_log_without_an_address(
    bruno: Device,
    device: Device,
    game: Game,
    mailoutbox: Mails,
    caller: Caller,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    confirm_calls(bruno, mailoutbox)
    settings.EMAIL_BACKEND = "game.serving.mail.LoggedBackend"
    with run_mail_server(settings, f"450 {ADDRESS} is greylisted"):
        end_turn(device, game)
        caller.look()
    settings.EMAIL_PORT = 1  # nobody listens there
    Client().post("/account/forgotten", {"email": ADDRESS})
    assert caplog.messages == [
        "A mail could not be sent: SMTPRecipientsRefused.",
        "A mail could not be sent: ConnectionRefusedError, Connection refused.",
    ]
    assert ADDRESS not in caplog.text


@pytest.mark.one_database
def test_every_word_about_calls_by_mail_can_be_translated(
    bruno: Device, device: Device, game: Game, mailoutbox: Mails, caller: Caller, pseudo_language: None
) -> None:
    client = use_pseudo_language(bruno)
    pages = [client.get("/account/")]
    client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": PASSWORD, "zone": "UTC"})
    offer = find_link(mailoutbox[0])
    pages += [client.get(offer), client.post(offer), client.get("/account/")]
    end_turn(device, game)
    caller.look()
    stop = find_link(mailoutbox[1])
    pages += [client.get(stop), client.post(stop), client.get(stop + "x")]
    texts = [page.content.decode() for page in pages] + [f"{sent.subject} {sent.body}" for sent in mailoutbox]
    assert [find_plain_words(text) - {"bruno", "bruno@example.org", "example", "org"} for text in texts] == [set()] * 9


def test_a_new_address_needs_the_password_and_a_link_for_an_old_one_has_ended(bruno: Device, mailoutbox: Mails) -> None:
    ask = {"do": "call", "email": ADDRESS, "password": PASSWORD}
    bruno.client.post("/account/mail", ask | {"password": "a guess"})
    assert not mailoutbox
    bruno.client.post("/account/mail", ask | {"password": PASSWORD})
    User.objects.filter(username="bruno").update(email="bruno@elsewhere.example")
    assert Client().post(find_link(mailoutbox.pop())).status_code == 410
    assert User.objects.get(username="bruno").email == "bruno@elsewhere.example"


def test_a_link_from_before_a_new_password_turns_nothing_on(bruno: Device, mailoutbox: Mails) -> None:
    bruno.client.post("/account/mail", {"do": "call", "email": ADDRESS, "password": PASSWORD})
    user = User.objects.get(username="bruno")
    user.set_password("another cup of dice")
    user.save()
    assert Client().post(find_link(mailoutbox.pop())).status_code == 410
    assert not CallSettings.objects.exists()


def test_one_address_gets_a_limited_number_of_mails_a_day(
    bruno: Device, device: Device, game: Game, mailoutbox: Mails, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirm_calls(bruno, mailoutbox)
    monkeypatch.setattr("game.calling.caller.MAILS_A_DAY", 2)
    for _turn in range(3):
        end_turn(device, game)
        caller.look()
        end_turn(bruno, game)
        let_time_pass(game, seen=LONG)
    assert len(mailoutbox) == 2
    end_turn(device, game)
    caller.look()
    (moment,) = caller.waiting.values()
    assert len(mailoutbox) == 2 and moment <= timezone.now() + timedelta(days=1)
    CallSettings.objects.update(mailed=timezone.now() - timedelta(days=1))  # the night goes by
    Caller().look()
    assert len(mailoutbox) == 3 and CallSettings.objects.get().mails == 1
