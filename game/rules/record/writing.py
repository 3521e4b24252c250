"""The parts of a game file that do not come from rows, in the order of docs/game-file.md."""

from typing import Any

from game.rules.record.model import Proof, RecordResult


def write_result(result: RecordResult) -> dict[str, Any]:
    """Return the result of a game as the game file has it."""
    return {"scores": list(result.scores), "winners": list(result.winners)}


def write_proof(proof: Proof) -> dict[str, Any]:
    """Return the proof of the dice as the game file has it."""
    return {
        "code": proof.code,
        "words": list(proof.words),
        "epochs": [dict(vars(epoch)) for epoch in proof.epochs],
        "numbers": list(proof.numbers),
    }
