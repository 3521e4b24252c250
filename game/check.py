#!/usr/bin/env python3
"""Checks that the dice of a game of 10,000 fell as they were sealed before its first throw.

    python3 check.py              the game that came inside this file
    python3 check.py game.json    a finished game, as its page lets you download it

The seals, what the words make, the numbers and the dice of all throws are worked out again. One line for each that
differs, and exit code 1 if there is one; exit code 2 for a file that cannot be checked. Plain Python, no network.
"""

import hashlib
import hmac
import json
import sys

GAME = None

SCHEME = "tt-dice-1"
FAIR = 252  # the largest multiple of six that a byte can hold: bytes from here on are skipped


def seal(code, epoch, seed):
    return hashlib.sha256(f"{SCHEME}|{code}|{epoch}|".encode() + seed).hexdigest()


def table(words):
    lines = [f"{seat}:{hashlib.sha256(word.encode()).hexdigest()}" for seat, word in enumerate(words, 1)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def dice(seed, code, epoch, table, number, count):
    """The dice of one throw, as a list of faces."""
    found, block = [], 0
    while len(found) < count:
        text = f"{SCHEME}|{code}|{epoch}|{table}|{number}|{block}"
        digest = hmac.new(seed, text.encode(), hashlib.sha256).digest()
        found += [byte % 6 + 1 for byte in digest if byte < FAIR]
        block += 1
    return found[:count]


def read(path):
    """What is needed of a game file. Raises KeyError where it has no proof: its game is not over."""
    with open(path, encoding="utf-8") as file:
        told = json.load(file)
    proof = told["proof"]
    rounds = told.get("start") or []
    fallen = [([face for face in faces if face], False) for faces in rounds]
    for event in told["events"]:
        fallen += [(throw["dice"], event.get("cancelled", False)) for throw in event.get("throws", [])]
    if len(proof["numbers"]) != len(fallen):
        raise ValueError("there has to be a number for each throw")
    return {**proof, "throws": [[number, *fallen[place]] for place, number in enumerate(proof["numbers"])]}


def differences(game):
    """One line for everything that does not fit."""
    made = table(game["words"])
    for epoch in game["epochs"]:
        name, seed = epoch["epoch"], bytes.fromhex(epoch["seed"])
        if seal(game["code"], name, seed) != epoch["seal"]:
            yield f"Epoch {name}: the seal is {epoch['seal']}, the seed gives {seal(game['code'], name, seed)}."
        if epoch.get("table", made) != made:
            yield f"Epoch {name}: the table is {epoch['table']}, the words give {made}."
    counted = last = 0
    for place, (number, faces, cancelled) in enumerate(game["throws"], 1):
        if number is None:
            continue
        if not counted < number <= (last if cancelled else counted) + 1:
            yield f"Throw {place}: its number is {number}, after {counted}."
        counted, last = counted if cancelled else number, number
        yield from wrong_dice(game, made, place, number, faces)


def wrong_dice(game, made, place, number, faces):
    since = [epoch for epoch in game["epochs"] if epoch["first"] <= place]
    if not since:
        yield f"Throw {place}: it fell before the first seed."
        return
    epoch = since[-1]
    given = dice(bytes.fromhex(epoch["seed"]), game["code"], epoch["epoch"], made, number, len(faces))
    if given != faces:
        yield f"Throw {place}, number {number}: {shown(faces)} fell, the seed gives {shown(given)}."


def shown(faces):
    return " ".join(map(str, faces))


def main(arguments):
    try:
        game = read(arguments[0]) if arguments else GAME
        found = list(differences(game)) if game else None
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as problem:
        print(f"This cannot be checked: {type(problem).__name__}, {problem}. Is it the file of a finished game?")
        return 2
    if found is None:
        print(__doc__)
        return 2
    for line in found:
        print(line)
    if found:
        return 1
    for epoch in game["epochs"]:
        print(f"Seal {epoch['epoch']}: {epoch['seal']}")
    numbered = sum(number is not None for number, _, _ in game["throws"])
    print(f"Game {game['code']}: {numbered} throws fell as sealed, {len(game['throws']) - numbered} were not ours.")
    print("Compare the seal with the one that the page showed before the end.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
