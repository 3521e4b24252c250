"""A push message is encrypted and signed, and is sent to nobody but a push service."""

from __future__ import annotations

import socket
import stat
import subprocess
import sys
import threading
import time
from email.utils import formatdate
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.utils.http import urlsafe_base64_encode
from pytest_django import Settings

from game.calling import push
from game.calling.delivery import Delivered, Gone, Later, Refused
from game.calling.push import PushMessage, encrypt_text, judge_answer
from game.calling.push_address import Forbidden, resolve_public, split_address
from game.calling.push_key import decode_key, read_key_pair
from tests import patience
from tests.calling.push_service import PushService, SubscribedBrowser
from tests.require import require


def make_message(browser: SubscribedBrowser, text: str = '{"title": "Your turn"}') -> PushMessage:
    form = browser.form
    return PushMessage(form["endpoint"], form["p256dh"], form["auth"], topic="t" * 32, text=text)


def test_the_example_of_rfc_8291_comes_out_letter_for_letter() -> None:
    private = int.from_bytes(decode_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    body = encrypt_text(
        b"When I grow up, I want to be a watermelon",
        decode_key("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        decode_key("BTBZMqHH6r4Tts7J_aSIgg"),
        key=ec.derive_private_key(private, ec.SECP256R1()),
        salt=decode_key("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert urlsafe_base64_encode(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru"
        "3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_only_the_browser_can_read_a_message_left_for_it(push_service: PushService) -> None:
    browser = push_service.subscribe()
    assert make_message(browser).deliver() == Delivered()
    (left,) = push_service.left
    assert browser.read(left.body) == {"title": "Your turn"} and b"turn" not in left.body
    assert left.headers["Content-Encoding"] == "aes128gcm" and left.headers["Topic"] == "t" * 32
    assert 0 < int(left.headers["TTL"]) <= 86_400 and left.headers["Urgency"] == "high"


def test_a_message_is_left_at_the_whole_address_that_the_browser_named(push_service: PushService) -> None:
    browser = push_service.subscribe()
    browser.endpoint += "?key=1"
    assert make_message(browser).deliver() == Delivered()
    assert browser.endpoint.endswith(push_service.left[0].path) and push_service.left[0].path.endswith("?key=1")


def name_addresses(monkeypatch: pytest.MonkeyPatch, *hosts: str) -> None:
    """Let the first host that is looked up have these addresses."""
    look_up = socket.getaddrinfo
    answers = [[(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 443)) for host in hosts]]
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *host, **kind: answers.pop() if answers else look_up(*host, **kind)
    )


def test_a_service_is_reached_at_the_next_address_if_the_first_does_not_answer(
    push_service: PushService, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUSH_NETWORKS = [ip_network("127.0.0.0/8")]
    name_addresses(monkeypatch, "127.0.0.2", "127.0.0.1")
    assert make_message(push_service.subscribe()).deliver() == Delivered()


@pytest.mark.parametrize(("https", "contact"), [(True, "https://club.example"), (False, "mailto:dice@club.example")])
def test_a_push_service_learns_how_to_reach_whoever_runs_the_site(
    settings: Settings, https: bool, contact: str
) -> None:
    settings.HTTPS, settings.ALLOWED_HOSTS = https, [".club.example"]
    settings.DEFAULT_FROM_EMAIL = "Dice <dice@club.example>"
    assert push.name_contact() == contact


@pytest.mark.parametrize(
    ("status", "retry_after", "meaning"),
    [
        (201, "", Delivered()),
        (404, "", Gone()),
        (408, "", Later(None)),
        (410, "", Gone()),
        (429, "120", Later(120)),
        (429, "²", Later(None)),
        (503, "", Later(None)),
        (500, "soon", Later(None)),
        (403, "", Refused(403)),
        (301, "", Refused(301)),
    ],
)
def test_an_answer_of_a_push_service_is_understood(status: int, retry_after: str, meaning: Any) -> None:
    assert judge_answer(status, retry_after) == meaning


def test_a_service_may_name_the_time_to_try_again() -> None:
    assert judge_answer(503, formatdate(0, usegmt=True)) == Later(0)
    again, before = int(time.time()) + 100, time.time()
    later = judge_answer(503, formatdate(again, usegmt=True))
    assert isinstance(later, Later) and again - time.time() <= require(later.seconds) <= again - before


def test_a_service_with_an_untrusted_certificate_gets_nothing(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    assert make_message(push_service.subscribe()).deliver() == Later()
    assert not push_service.left


def test_a_service_that_does_not_answer_is_given_up_in_time(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "SECONDS_MOST", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        browser = SubscribedBrowser(f"https://127.0.0.1:{port}/push")
        began = time.monotonic()
        assert make_message(browser).deliver() == Later()
        assert time.monotonic() - began < patience.SECONDS


def test_a_service_that_takes_all_its_time_to_connect_gets_no_more(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = socket.create_connection

    def connect_late(*address: Any, **options: Any) -> socket.socket:
        timers = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
        (over,) = (timer for timer in timers if timer.interval == push.SECONDS_MOST)
        over.join(patience.SECONDS)
        return connect(*address, **options)

    monkeypatch.setattr(push, "SECONDS_MOST", 0.1)
    monkeypatch.setattr(socket, "create_connection", connect_late)
    assert make_message(push_service.subscribe()).deliver() == Later()
    assert not push_service.left


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("fcm.googleapis.com", "googleapis.com"),
        ("FCM.googleapis.com.", "googleapis.com"),
        ("a.b.example:8443", "b.example"),
        ("1.b2.example", "b2.example"),
        ("0x8.beef", "0x8.beef"),
    ],
)
def test_hosts_of_one_domain_are_one_service(host: str, domain: str) -> None:
    assert PushMessage(f"https://{host}/x", "", "", "", "").domain == domain


@pytest.mark.parametrize(
    "host",
    [
        "8.8.8.8",
        "8.8.8.8.",
        "134744072",
        "0x08080808",
        "0X8.0x8.0x808",
        "010.010.010.010",
        "8.0x",
        "10.0.0.1",  # also in PUSH_NETWORKS: whoever plays there could name all of a network's numbers
        "[2001:db8::1]",
        "[2001:db8::1]:8443",
        "[::ffff:8.8.8.8]",
    ],
)
def test_all_numbers_together_get_the_time_of_one_service(host: str) -> None:
    assert PushMessage(f"https://{host}/x", "", "", "", "").domain == push.NUMBERS


# ---- addresses: one that somebody posts must not lead to what only this machine can reach


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "push.example/x",
        "http://push.example/x",
        "ftp://push.example/x",
        "https:///x",
        "https://user@push.example/x",
        "https://push.example:99999/x",
        "https://push.example/a b",
        "https://push.example/a\r\nX: y",
        "https://push.example/ü",
        "https://[::1/x",
        "https://push.example/" + "x" * 1000,
    ],
)
def test_a_bad_address_of_a_push_service_is_refused(endpoint: str) -> None:
    with pytest.raises(Forbidden):
        split_address(endpoint)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "10.0.0.1",
        "192.168.1.1",
        "172.16.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "2130706433",
        "0x7f.1",
        "::1",
        "fe80::1",
        "fd00::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "fec0::1",
        "2002:7f00:1::",
        "2001:0:1::1",
        "ff02::1",
    ],
)
def test_nothing_is_sent_into_a_network_that_is_not_public(host: str) -> None:
    with pytest.raises(Forbidden):
        resolve_public(host, 443)


@pytest.mark.parametrize("host", ["1.1.1.1", "2606:4700:4700::1111"])
def test_public_addresses_are_sent_to_only_at_the_port_of_https(host: str) -> None:
    assert resolve_public(host, 443) == [host]
    with pytest.raises(Forbidden):
        resolve_public(host, 22)


def test_nothing_is_sent_to_a_host_of_which_one_address_is_not_public(monkeypatch: pytest.MonkeyPatch) -> None:
    name_addresses(monkeypatch, "1.1.1.1", "10.0.0.1")
    with pytest.raises(Forbidden):
        resolve_public("push.example", 443)


def test_a_message_into_a_closed_network_is_not_sent(push_service: PushService, settings: Settings) -> None:
    settings.PUSH_NETWORKS = []
    assert make_message(push_service.subscribe()).deliver() == Gone()
    assert not push_service.left


# ---- the key


def test_the_key_is_made_once_by_all_who_need_it_at_the_same_time(tmp_path: Path, settings: Settings) -> None:
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    pairs: list[tuple[str, str]] = []
    threads = [threading.Thread(target=lambda: pairs.append(read_key_pair())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pairs)) == 1
    assert stat.S_IMODE(settings.PUSH_KEY_FILE.stat().st_mode) == 0o600
    private, public = (decode_key(key) for key in pairs[0])
    assert (len(private), len(public)) == (32, 65)


def test_machines_without_a_shared_folder_take_the_key_from_the_settings(settings: Settings) -> None:
    settings.PUSH_KEY = "private.public"
    assert read_key_pair() == ("private", "public")


@pytest.mark.own_site
def test_pages_do_not_load_the_encryption_library() -> None:
    code = "import config.asgi, game.urls, sys; assert 'cryptography' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
