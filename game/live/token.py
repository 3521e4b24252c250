"""The URL of a stream: who listens to which game, signed, so that no query is needed."""

from dataclasses import dataclass

from django.core import signing
from django.utils.crypto import salted_hmac

from game.identity import Browser
from game.models import Visitor

SALT = "game.live"
PATH = "/live/"
TOKEN_LONGEST = 200


@dataclass(frozen=True)
class Listener:
    """Who may listen to a game. `browser` tells browsers apart; `visitor`: primary key, None for a spectator."""

    code: str
    browser: str
    visitor: int | None


def make_stream_address(code: str, browser: Browser, visitor: Visitor | None) -> str:
    """Return the address of a page's stream.

    It is valid as long as the game exists, because pages reconnect with the URL they have.
    """
    named = salted_hmac(SALT, browser.token_hash).hexdigest()[:16]
    return PATH + signing.dumps([code, named, visitor and visitor.pk], salt=SALT)


def read_listener(path: str) -> Listener | None:
    """Return who listens at this path; None for anything we have not signed."""
    token = path.removeprefix(PATH)
    if len(token) > TOKEN_LONGEST:
        return None
    try:
        return Listener(*signing.loads(token, salt=SALT))
    except signing.BadSignature:
        return None
