"""docs/tt-dice-1.md: our dice, the check script, and a program that is written from the document alone agree."""

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from game import check
from tests.docs.vectors import FILE, complete_game

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "tt-dice-1.md"
GAMES = json.loads(FILE.read_text(encoding="utf-8"))["games"]
games = pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))


# ---- A stranger's program: section by section what the document says, and nothing else ------------------------------


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, for keys of at most 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def strangers_seal(code: str, epoch: int, seed: bytes) -> str:
    return sha256(b"tt-dice-1|" + code.encode() + b"|" + str(epoch).encode() + b"|" + seed).hexdigest()


def strangers_table(words: list[str]) -> str:
    lines = []
    for seat in range(1, len(words) + 1):
        lines.append(str(seat) + ":" + sha256(words[seat - 1].encode("utf-8")).hexdigest())
    return sha256("\n".join(lines).encode("utf-8")).hexdigest()


def strangers_bytes(seed: bytes, prefix: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac_sha256(seed, (prefix + "|" + str(block)).encode("ascii"))
        block += 1


def strangers_dice(seed: bytes, code: str, epoch: int, table: str, number: int, count: int) -> list[int]:
    faces: list[int] = []
    for byte in strangers_bytes(seed, "|".join(["tt-dice-1", code, str(epoch), table, str(number)])):
        if len(faces) == count:
            break
        if byte < 252:
            faces.append(byte % 6 + 1)
    return faces


# ---- The vectors ----------------------------------------------------------------------------------------------------


@games
def test_our_dice_give_the_vectors(game: dict[str, Any]) -> None:
    assert complete_game(game) == game


@games
def test_the_check_script_gives_the_vectors(game: dict[str, Any]) -> None:
    assert check.seal_seed(game["code"], game["epoch"], bytes.fromhex(game["seed"])) == game["seal"]
    assert check.hash_words(game["words"]) == game["table"]
    for throw in game["throws"]:
        given = check.draw_dice(
            bytes.fromhex(game["seed"]), game["code"], game["epoch"], game["table"], throw["number"], throw["count"]
        )
        assert given == throw["dice"]


@games
def test_a_program_written_from_the_document_gives_the_vectors(game: dict[str, Any]) -> None:
    seed, code, epoch = bytes.fromhex(game["seed"]), game["code"], game["epoch"]
    assert strangers_seal(code, epoch, seed) == game["seal"]
    assert strangers_table(game["words"]) == game["table"]
    for throw in game["throws"]:
        given = strangers_dice(seed, code, epoch, game["table"], throw["number"], throw["count"])
        assert given == throw["dice"]


def test_the_vectors_have_what_the_document_promises() -> None:
    first_bytes = [
        next(strangers_bytes(bytes.fromhex(game["seed"]), prefix))
        for game in GAMES
        for throw in game["throws"]
        for prefix in [f"tt-dice-1|{game['code']}|{game['epoch']}|{game['table']}|{throw['number']}"]
    ]
    assert any(byte >= 252 for byte in first_bytes)
    assert any(throw["count"] == 100 for game in GAMES for throw in game["throws"])
    assert any(len(game["words"]) == 12 for game in GAMES)
    assert any(not word.isascii() for game in GAMES for word in game["words"])


# ---- The example in the text ----------------------------------------------------------------------------------------


def test_the_example_of_the_document_is_worked_out_right() -> None:
    rows = re.findall(r"^\| ([^|]+) \| `(.+)` \|$", DOCUMENT.read_text(encoding="utf-8"), re.M)
    example = {name: value.replace("\\|", "|") for name, value in rows}
    seed, game = bytes(range(32)), GAMES[0]
    assert example["seed"] == seed.hex() == game["seed"]
    assert (example["seal"], example["table"]) == (game["seal"], game["table"])
    lines = "\n".join(example[f"line {seat}"] for seat in (1, 2, 3))
    assert sha256(lines.encode()).hexdigest() == example["table"]
    block = hmac_sha256(seed, example["message of throw 3, block 0"].encode())
    assert example["its block"] == block.hex() and block.hex().startswith("fe88")
    assert [block[1] % 6 + 1] == game["throws"][2]["dice"] == [5]
