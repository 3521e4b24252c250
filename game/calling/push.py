"""Web push: a message encrypted for one browser (RFC 8291), signed (RFC 8292), handed to its push service (RFC 8030).

Only the worker loads this module: the encryption library is large.
"""

import email.utils
import http.client
import json
import os
import re
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.http import urlsafe_base64_encode

from game.calling.delivery import Delivered, Delivery, Gone, Later, Refused
from game.calling.push_address import resolve_public, split_address
from game.calling.push_key import decode_key, read_key_pair

KEPT_FOR = timedelta(hours=12)  # how long the push service keeps a message while the browser is off
SIGNED_FOR = timedelta(hours=12)
SECONDS_MOST = 5  # for one message in all, however slowly the service answers
RECORD_SIZE = 4096
CURVE = ec.SECP256R1()
NUMBERS = "IP addresses"
"""Stands for the domain of all hosts that are numbers. One host has many of them, in many spellings."""
NUMBER = re.compile("[0-9]+|0x[0-9a-f]*")
"""The last label of a host that is an IPv4 address, as systems read them: 134744072, 010.0.0.1 and 0x8.0x8.0x808."""


@dataclass(frozen=True)
class PushMessage:
    """A message for one browser. A later one with the same topic replaces one that has not been fetched yet."""

    endpoint: str
    public_key: str
    auth_secret: str
    topic: str  # up to 32 characters of base64url that do not reveal the game
    text: str

    @property
    def domain(self) -> str:
        """The last two labels of the host's name, so that all hosts of a domain count as one; `NUMBERS` for numbers."""
        labels = (urlsplit(self.endpoint).hostname or "").rstrip(".").split(".")
        return NUMBERS if ":" in labels[-1] or NUMBER.fullmatch(labels[-1]) else ".".join(labels[-2:])

    def deliver(self) -> Delivery:
        """Hand the message to the push service, and return what became of it. No database access."""
        try:
            body = encrypt_text(self.text.encode(), decode_key(self.public_key), decode_key(self.auth_secret))
            host, port = split_address(self.endpoint)
            addresses = resolve_public(host, port)
        except ValueError:  # invalid keys, or an address that we do not send to
            return Gone()
        except OSError:
            return Later()
        headers = {
            "Authorization": sign_request(self.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(KEPT_FOR.total_seconds())),
            "Topic": self.topic,
            "Urgency": "high",
        }
        try:
            status, retry_after = post_message(self.endpoint, host, port, addresses, body, headers)
        except (OSError, http.client.HTTPException):
            return Later()
        return judge_answer(status, retry_after)


def judge_answer(status: int, retry_after: str) -> Delivery:
    """Return what a push service's answer means."""
    if 200 <= status < 300:
        return Delivered()
    if status in (404, 410):
        return Gone()
    if status in (408, 429) or status >= 500:
        return Later(read_retry_after(retry_after))
    return Refused(status)


def read_retry_after(value: str) -> float | None:
    """Return the seconds that a service asks us to wait, given as such or as a date; None if it does not say."""
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


class PinnedConnection(http.client.HTTPSConnection):
    """A connection to one of the checked addresses, whose certificate has to match the host name."""

    def __init__(self, host: str, port: int, addresses: list[str]) -> None:
        self.trust = ssl.create_default_context()
        super().__init__(host, port, timeout=SECONDS_MOST, context=self.trust)
        self.addresses = addresses
        self.is_over = False

    def connect(self) -> None:
        """Connect to the first address that answers. Raises `OSError`."""
        for left, address in zip(reversed(range(len(self.addresses))), self.addresses, strict=True):
            try:
                plain = socket.create_connection((address, self.port), timeout=SECONDS_MOST / len(self.addresses))
                break
            except OSError:
                if not left:
                    raise
        plain.settimeout(SECONDS_MOST)
        self.sock = self.trust.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        if self.is_over:  # before there was anything to cut
            raise TimeoutError
        self.sock.do_handshake()

    def cut(self) -> None:
        """End it now, from another thread, whatever it waits for."""
        self.is_over = True
        if self.sock:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)  # wakes the reader


def post_message(
    endpoint: str, host: str, port: int, addresses: list[str], body: bytes, headers: dict[str, str]
) -> tuple[int, str]:
    """Return the status of the answer and its `Retry-After`. No redirect is followed and no body read."""
    line = PinnedConnection(host, port, addresses)
    watch = threading.Timer(SECONDS_MOST, line.cut)  # a service that sends one byte at a time would hold us for hours
    watch.start()
    try:
        parts = urlsplit(endpoint)
        line.request("POST", parts.path + (f"?{parts.query}" if parts.query else ""), body, headers)
        answer = line.getresponse()
        return answer.status, answer.headers.get("Retry-After", "").strip()
    finally:
        watch.cancel()
        line.close()


def encrypt_text(
    text: bytes, receiver: bytes, secret: bytes, *, key: ec.EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """Return a text encrypted so that only the browser with the key `receiver` can read it (RFC 8291, 3.4).

    `secret`: the 16 bytes that it shared with us. `key` and `salt` are new for every message; only tests give them.
    Raises `ValueError` for invalid keys.
    """
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, receiver)
    key, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(16)
    own = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    shared = derive_key(key.exchange(ec.ECDH(), point), secret, b"WebPush: info\0" + receiver + own, 32)
    sealed = AESGCM(derive_key(shared, salt, b"Content-Encoding: aes128gcm\0", 16)).encrypt(
        derive_key(shared, salt, b"Content-Encoding: nonce\0", 12), text + b"\2", None
    )
    return salt + RECORD_SIZE.to_bytes(4) + bytes([len(own)]) + own + sealed


def derive_key(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Return `length` bytes derived from a secret (HKDF, RFC 5869)."""
    return HKDF(SHA256(), length, salt, info).derive(secret)


def sign_request(endpoint: str) -> str:
    """Return the header that says who is sending: a token for this push service, signed with our key."""
    private, public = read_key_pair()
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time() + SIGNED_FOR.total_seconds()),
        "sub": name_contact(),
    }
    token = ".".join(
        urlsafe_base64_encode(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    key = ec.derive_private_key(int.from_bytes(decode_key(private)), CURVE)
    r, s = decode_dss_signature(key.sign(token.encode(), ec.ECDSA(SHA256())))
    return f"vapid t={token}.{urlsafe_base64_encode(r.to_bytes(32) + s.to_bytes(32))}, k={public}"


def name_contact() -> str:
    """Return how a push service can reach whoever runs this site: its URL, or a mail address."""
    if settings.HTTPS:
        return f"https://{settings.ALLOWED_HOSTS[0].lstrip('.')}"
    return f"mailto:{email.utils.parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
