#!/usr/bin/env python3
"""Check that the dice of a game of 10,000 fell as they were sealed before its first throw.

    python3 check.py              the game that came inside this file
    python3 check.py game.json    a finished game, as its page lets you download it

The seals, the hash of the words, the numbers and the dice of all throws are worked out again. Each difference is
printed on a line of its own, and the exit code is then 1; it is 2 for a file that cannot be checked.
Plain Python, no network.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

GAME = None

SCHEME = "tt-dice-1"
FAIR = 252  # the largest multiple of six in a byte: larger bytes are skipped


def seal_seed(code: str, epoch: int, seed: bytes) -> str:
    """Return the seal of a seed in hex: the hash that was shown before the game."""
    return hashlib.sha256(f"{SCHEME}|{code}|{epoch}|".encode() + seed).hexdigest()


def hash_words(words: Sequence[str]) -> str:
    """Return the hash of the words of all seats, in hex."""
    lines = [f"{seat}:{hashlib.sha256(word.encode()).hexdigest()}" for seat, word in enumerate(words, 1)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def draw_dice(seed: bytes, code: str, epoch: int, table: str, number: int, count: int) -> list[int]:
    """Return the faces of one throw, in the order in which they fell."""
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        text = f"{SCHEME}|{code}|{epoch}|{table}|{number}|{block}"
        digest = hmac.new(seed, text.encode(), hashlib.sha256).digest()
        faces += [byte % 6 + 1 for byte in digest if byte < FAIR]
        block += 1
    return faces[:count]


def read_game(path: str) -> dict[str, Any]:
    """Return what the check needs from a game file.

    Raise KeyError if it has no proof because its game is not over, ValueError if a throw lacks its number.
    """
    with open(path, encoding="utf-8") as opened:
        file = json.load(opened)
    proof = file["proof"]
    rounds = file.get("start") or []
    throws = [([face for face in faces if face], False) for faces in rounds]
    for event in file["events"]:
        throws += [(throw["dice"], event.get("cancelled", False)) for throw in event.get("throws", [])]
    if len(proof["numbers"]) != len(throws):
        raise ValueError("there has to be a number for each throw")
    return {**proof, "throws": [[number, *throws[place]] for place, number in enumerate(proof["numbers"])]}


def find_differences(game: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each difference from what the seeds and words give."""
    table = hash_words(game["words"])
    for epoch in game["epochs"]:
        name, seed = epoch["epoch"], bytes.fromhex(epoch["seed"])
        if seal_seed(game["code"], name, seed) != epoch["seal"]:
            yield f"Epoch {name}: the seal is {epoch['seal']}, the seed gives {seal_seed(game['code'], name, seed)}."
        if epoch.get("table", table) != table:
            yield f"Epoch {name}: the table is {epoch['table']}, the words give {table}."
    counted = last = 0
    for place, (number, faces, cancelled) in enumerate(game["throws"], 1):
        if number is None:
            continue
        if not counted < number <= (last if cancelled else counted) + 1:
            yield f"Throw {place}: its number is {number}, after {counted}."
        counted, last = counted if cancelled else number, number
        yield from check_throw(game, table, place, number, faces)


def check_throw(game: dict[str, Any], table: str, place: int, number: int, faces: list[int]) -> Iterator[str]:
    """Yield a line if a throw differs from what its seed gives."""
    begun = [epoch for epoch in game["epochs"] if epoch["first"] <= place]
    if not begun:
        yield f"Throw {place}: it fell before the first seed."
        return
    epoch = begun[-1]
    given = draw_dice(bytes.fromhex(epoch["seed"]), game["code"], epoch["epoch"], table, number, len(faces))
    if given != faces:
        yield f"Throw {place}, number {number}: {format_faces(faces)} fell, the seed gives {format_faces(given)}."


def format_faces(faces: list[int]) -> str:
    """Return faces in readable form: 1 1 5."""
    return " ".join(map(str, faces))


def main(arguments: list[str]) -> int:
    """Print what differs, or that all is well. Return the exit code."""
    try:
        game = read_game(arguments[0]) if arguments else GAME
        lines = list(find_differences(game)) if game else None
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as problem:
        print(f"This cannot be checked: {type(problem).__name__}, {problem}. Is it the file of a finished game?")
        return 2
    if game is None or lines is None:
        print(__doc__)
        return 2
    for line in lines:
        print(line)
    if lines:
        return 1
    for epoch in game["epochs"]:
        print(f"Seal {epoch['epoch']}: {epoch['seal']}")
    numbered = sum(number is not None for number, _, _ in game["throws"])
    others = len(game["throws"]) - numbered
    print(f"Game {game['code']} is verified. Throws that match the sealed dice: {numbered}. ", end="")
    print(f"Throws of other dice: {others}.")
    print("Compare the seal with the one that the page showed before the game ended.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
