"""A push service on this machine, and browsers that are subscribed to it and read the messages left for them."""

from __future__ import annotations

import base64
import datetime
import ipaddress
import json
import secrets
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tests.require import require

CURVE = ec.SECP256R1()


def encode_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encode_point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class SubscribedBrowser:
    """A browser's side of its subscription, with the private key, which no site ever sees."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def form(self) -> dict[str, str]:
        """The form that the browser's page posts."""
        return {
            "endpoint": self.endpoint,
            "p256dh": encode_base64(encode_point(self.key)),
            "auth": encode_base64(self.secret),
        }

    def read(self, body: bytes) -> dict[str, Any]:
        """Return the message in a body, decrypted as RFC 8291 tells the browser to."""
        salt, size, length, rest = body[:16], int.from_bytes(body[16:20]), body[20], body[21:]
        sender, sealed = rest[:length], rest[length:]
        assert size >= len(sealed)
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        info = b"WebPush: info\0" + encode_point(self.key) + sender
        secret = HKDF(SHA256(), 32, self.secret, info).derive(shared)
        content_key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        text = AESGCM(content_key).decrypt(nonce, sealed, None)
        assert text[-1:] == b"\2"
        return dict(json.loads(text[:-1]))


@dataclass
class Left:
    """A message that was left at the service."""

    path: str
    headers: Message
    body: bytes


class PushService:
    """A push service: `left` holds the messages; `answers` are the next statuses with headers, before 201 again."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.left: list[Left] = []
        self.answers: list[tuple[int, dict[str, str]]] = []
        self.arrived: Callable[[], None] = lambda: None  # called before the service answers

    def subscribe(self) -> SubscribedBrowser:
        return SubscribedBrowser(f"https://127.0.0.1:{self.port}/push/{secrets.token_hex(8)}")

    def messages_for(self, browser: SubscribedBrowser) -> list[dict[str, Any]]:
        return [browser.read(message.body) for message in self.left if browser.endpoint.endswith(message.path)]

    def take(self, left: Left) -> tuple[int, dict[str, str]]:
        check_signature(left, f"https://127.0.0.1:{self.port}")
        self.left.append(left)
        self.arrived()
        return self.answers.pop(0) if self.answers else (201, {})


def check_signature(left: Left, audience: str) -> None:
    """Check as a push service does that the token is for it, lasts at most a day, and is signed with the key sent."""
    kind, _space, values = require(left.headers["Authorization"]).partition(" ")
    named = dict(value.strip().split("=", 1) for value in values.split(","))
    signed, _dot, signature = named["t"].rpartition(".")
    _header, claims = (json.loads(decode_base64(part)) for part in signed.split("."))
    now = datetime.datetime.now().timestamp()
    assert kind == "vapid" and claims["aud"] == audience and now < claims["exp"] < now + 86_400
    assert claims["sub"].startswith(("mailto:", "https://"))
    r, s = (int.from_bytes(decode_base64(signature)[start : start + 32]) for start in (0, 32))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_base64(named["k"]))
    key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))


@contextmanager
def run_push_service(folder: Path) -> Iterator[PushService]:
    """Yield a service with a certificate of its own, which is in the folder as `trusted.pem`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers = service.take(Left(self.path, self.headers, body))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(server.server_port)
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trust.load_cert_chain(make_certificate(folder / "trusted.pem"))
    server.socket = trust.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield service
    server.shutdown()
    server.server_close()


def make_certificate(path: Path) -> Path:
    """Write a key and a self-signed certificate for 127.0.0.1 to a file; return its path."""
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "push service of the tests")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    return path
