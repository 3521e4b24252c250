"""Sealed dice, `tt-dice-1`: fixed before the game by a secret seed, and open to anybody's check once the seed is shown.

Standard library only, and pure: the same arguments always give the same throw.
"""

import hmac
import secrets
from collections.abc import Iterator, Sequence
from hashlib import sha256

SCHEME = "tt-dice-1"
SEED_BYTES = 32

# The largest multiple of six that a byte can hold: bytes from here on are skipped, so that no face is favoured.
_FAIR = 252


def new_seed() -> bytes:
    """Return a fresh secret for one epoch of one game."""
    return secrets.token_bytes(SEED_BYTES)


def seal_seed(code: str, epoch: int, seed: bytes) -> str:
    """Return the seal of a seed, in hex: shown before the game, it gives nothing away, and no other seed fits it."""
    return sha256(f"{SCHEME}|{code}|{epoch}|".encode() + seed).hexdigest()


def hash_words(words: Sequence[str]) -> str:
    """Return the hash of the words of all seats, in hex: in seat order, with an empty word for a seat without one."""
    lines = (f"{seat}:{sha256(word.encode()).hexdigest()}" for seat, word in enumerate(words, 1))
    return sha256("\n".join(lines).encode()).hexdigest()


def draw_dice(seed: bytes, code: str, epoch: int, table: str, n: int, count: int) -> tuple[int, ...]:
    """Return the `count` dice of throw `n`, counted from 1 over the whole game, first-player throws included."""
    fair = (byte % 6 + 1 for byte in _bytes(seed, f"{SCHEME}|{code}|{epoch}|{table}|{n}") if byte < _FAIR)
    return tuple(next(fair) for _ in range(count))


def _bytes(seed: bytes, throw: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, f"{throw}|{block}".encode(), "sha256")
        block += 1
