"""The key pair by which push services recognise this site (VAPID, RFC 8292): made once, the same for all processes."""

import base64

from django.conf import settings
from django.utils.http import urlsafe_base64_encode

from game.kept_secret import keep_secret


def decode_key(text: str) -> bytes:
    """Return the bytes that a base64url text stands for. Raises `ValueError` for any other text."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def read_key_pair() -> tuple[str, str]:
    """Return the private key, a number of 32 bytes, and the public one, a point of 65 bytes; both as text."""
    pair = settings.PUSH_KEY or keep_secret(settings.PUSH_KEY_FILE, make_key_pair).strip()  # an editor ends its line
    private, _dot, public = pair.partition(".")
    return private, public


def make_key_pair() -> str:
    """Return a new key pair in the form in which it is stored."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return f"{urlsafe_base64_encode(key.private_numbers().private_value.to_bytes(32))}.{urlsafe_base64_encode(point)}"
