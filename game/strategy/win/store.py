"""Solved tables as files: those of the shipped rulesets come with the project, in game/strategy/tables."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from game.rules.ruleset import Ruleset
from game.strategy.turn.graph import Floats
from game.strategy.win.ends import NoTable, ends_of, race_of
from game.strategy.win.standing import Table

FOLDER = Path(__file__).resolve().parent.parent / "tables"

# What a ruleset says beside these has no bearing on the chance to win.
_NO_MATTER = (
    "slug", "name", "target", "target_choices", "first_player", "min_players", "max_players", "ante", "bust_penalty",
    "currency",
)  # fmt: skip


def digest(ruleset: Ruleset, target: int) -> str:
    """Sixteen characters that are the same for all rulesets that are played alike to this target."""
    settings = {name: value for name, value in ruleset.to_json().items() if name not in _NO_MATTER}
    plain = json.dumps([settings, target], sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def save_table(ruleset: Ruleset, target: int, chances: Floats, folder: Path = FOLDER) -> Path:
    """Write a solved table, each chance in four bytes (to 6e-8); returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{ruleset.slug}-{target}-{digest(ruleset, target)}.npz"
    np.savez_compressed(path, chances=chances.astype(np.float32))
    return path


@lru_cache(maxsize=8)
def table_of(ruleset: Ruleset, target: int, folder: Path = FOLDER) -> Table | None:
    """The stored table for a game to this target, whatever the ruleset is called; None if there is none."""
    path = next(iter(sorted(folder.glob(f"*-{digest(ruleset, target)}.npz"))), None)
    try:
        race = race_of(ruleset, target)
    except NoTable:
        return None
    if path is None:
        return None
    with np.load(path) as stored:
        chances = stored["chances"].astype(np.float64)
    return Table(race, ends_of(race), chances)
