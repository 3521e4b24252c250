"""Compute the test vectors of docs/tt-dice-1.md again from their inputs: `python -m tests.docs.vectors`."""

import json
from pathlib import Path
from typing import Any

from game.dice import draw_dice, hash_words, seal_seed

FILE = Path(__file__).resolve().parents[2] / "docs" / "tt-dice-1.vectors.json"


def complete_game(game: dict[str, Any]) -> dict[str, Any]:
    """Return the game with the seal, table and dice that follow from its seed, code, epoch, words and throws."""
    seed, code, epoch = bytes.fromhex(game["seed"]), game["code"], game["epoch"]
    made = hash_words(game["words"])
    throws = [
        {**throw, "dice": list(draw_dice(seed, code, epoch, made, throw["number"], throw["count"]))}
        for throw in game["throws"]
    ]
    return {**game, "seal": seal_seed(code, epoch, seed), "table": made, "throws": throws}


def main() -> None:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    games = [format_game(complete_game(game)) for game in data["games"]]
    FILE.write_text('{"scheme": "tt-dice-1", "games": [\n' + ",\n".join(games) + "\n]}\n", encoding="utf-8")


def format_game(game: dict[str, Any]) -> str:
    """Return the game as JSON with a line for each value and each throw, so that people can compare them."""
    throws = ",\n   ".join(json.dumps(throw) for throw in game["throws"])
    lines = [f'"{name}": {json.dumps(value)}' for name, value in game.items() if name != "throws"]
    return " {" + ",\n  ".join([*lines, f'"throws": [\n   {throws}]']) + "}"


if __name__ == "__main__":
    main()
