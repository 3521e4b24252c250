"""The dice of one game, laid open for checking: what was sealed, what fell and, once they may be seen, the seeds."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import F, QuerySet

from game import check
from game.models import Game, Seed, ThrowRow
from game.rules import Ruleset

NO_GAME = "GAME = None\n"  # the line of `game.check` that the evidence of a game replaces


@dataclass(frozen=True)
class FallenThrow:
    """A throw. `number`: among the sealed throws, None for real or loaded dice. `seat`: None if for who plays first."""

    place: int
    number: int | None
    dice: str
    cancelled: bool
    epoch: int
    seat: int | None


def is_open(game: Game, seed: Seed) -> bool:
    """Return whether a seed may be seen: no more dice will fall from it."""
    return game.is_over or seed.epoch < game.epoch


def falls_on_screen(mode: str, *, computers: bool, rules: Ruleset | None) -> bool:
    """Return whether any dice of a game will fall on screen, unless the host chooses other dice.

    With real dice, computers' dice still do, and so do those that decide who begins. `rules`: None once it has begun.
    """
    return mode == "auto" or computers or (rules is not None and rules.first_player != "seat_order")


def uses_sealed_dice(game: Game, mode: str) -> bool:
    """Return whether dice of this game have fallen on screen, or will. `mode`: that of the next turn."""
    rules = game.rules if game.status == Game.Status.WAITING else None
    computers = any(seat.level for seat in game.seats)
    return game.thrown > 0 or falls_on_screen(mode, computers=computers, rules=rules)


def list_epochs(game: Game) -> list[Seed]:
    """Return the seeds of a game, in the order of their use."""
    return list(game.seeds.order_by("epoch"))


def list_seat_words(game: Game) -> list[str]:
    """Return the word of each seat at the start, in seating order; empty for computers and latecomers."""
    later = game.changes.filter(kind="join").values("player")
    return list(game.players.exclude(pk__in=later).order_by("seat").values_list("word", flat=True))


def query_throws(game: Game) -> QuerySet[ThrowRow]:
    """Return every throw of the game, undone ones too, in the game file's order: those for the first player first."""
    return game.throws.order_by(F("shot__place").asc(nulls_first=True), "pk")


def list_fallen_throws(game: Game, seeds: list[Seed]) -> list[FallenThrow]:
    """Return every throw in order, including undone ones. One query."""
    rows = query_throws(game).values_list("number", "dice", "cancelled", "shot__player__seat")
    throws, upcoming, epoch = [], list(seeds), 1
    for place, (number, dice, cancelled, seat) in enumerate(rows, 1):
        while upcoming and upcoming[0].first <= place:
            epoch = upcoming.pop(0).epoch
        throws.append(FallenThrow(place, number, dice, cancelled, epoch, seat))
    return throws


def build_evidence(game: Game) -> dict[str, Any]:
    """Return all that a check of a finished game needs, as plain data."""
    seeds = list_epochs(game)
    return {
        "code": game.code,
        "words": list_seat_words(game),
        "epochs": [
            {"epoch": s.epoch, "seal": s.seal, "table": s.table, "seed": bytes(s.seed).hex(), "first": s.first}
            for s in seeds
        ],
        "throws": [[f.number, list(map(int, f.dice)), f.cancelled] for f in list_fallen_throws(game, seeds)],
    }


def write_check(game: Game | None) -> str:
    """Return the program that checks any game file; with a game, which has to be over, its evidence is inside."""
    program = Path(check.__file__).read_text(encoding="utf-8")
    if game is None:
        return program
    inside = json.dumps(build_evidence(game), separators=(",", ":"))
    return program.replace(NO_GAME, f"GAME = json.loads({inside!r})\n", 1)
