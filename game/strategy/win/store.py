"""Solved tables: those of the shipped rulesets come with the project as files, in game/strategy/tables.

Others are asked for from sources: a site that solves rulesets of its own adds one.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np

from game.rules.ruleset import Ruleset
from game.strategy.turn.graph import Floats
from game.strategy.win.ends import Ends, NoTable, make_race, solve_endgame
from game.strategy.win.score_situation import WinTable

FOLDER = Path(__file__).resolve().parent.parent / "tables"

# What a ruleset says beside these has no bearing on the chance to win.
_NO_MATTER = (
    "slug", "name", "target", "target_choices", "first_player", "min_players", "max_players", "ante", "bust_penalty",
    "currency",
)  # fmt: skip


@lru_cache(maxsize=256)
def table_digest(ruleset: Ruleset, target: int) -> str:
    """Sixteen characters that are the same for all rulesets that are played alike to this target."""
    settings = {name: value for name, value in ruleset.to_json().items() if name not in _NO_MATTER}
    plain = json.dumps([settings, target], sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def save_table(ruleset: Ruleset, target: int, chances: Floats, folder: Path = FOLDER) -> Path:
    """Write a solved table, each chance in four bytes (to 6e-8); returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{ruleset.slug}-{target}-{table_digest(ruleset, target)}.npz"
    path.write_bytes(encode_table(chances))
    return path


def encode_table(chances: Floats, ends: Ends | None = None) -> bytes:
    """The content of a file with a solved table; with its ends it is read at once, without them in up to 2 s."""
    content = io.BytesIO()
    known = {} if ends is None else vars(ends)
    np.savez_compressed(content, chances=chances.astype(np.float32), **known)
    return content.getvalue()


def decode_table(ruleset: Ruleset, target: int, content: bytes) -> WinTable:
    """The table in the content of such a file, made for this ruleset and target."""
    race = make_race(ruleset, target)
    with np.load(io.BytesIO(content)) as stored:
        chances = stored["chances"].astype(np.float64)
        if "reply" not in stored:
            return WinTable(race, solve_endgame(race), chances)
        return WinTable(
            race, Ends(stored["reply"], stored["forced"], float(stored["risk"]), float(stored["extra"])), chances
        )


# Given a ruleset and a target, a table solved for them, exactly or on a grid.
Source = Callable[[Ruleset, int], WinTable | None]

_sources: list[Source] = []


def add_table_source(source: Source) -> None:
    """Ask here, too, where no file has the table. It is asked each time: it has to keep what it found."""
    _sources.append(source)


def remove_table_source(source: Source) -> None:
    """Ask here no more."""
    _sources.remove(source)


def is_shipped(ruleset: Ruleset, target: int, folder: Path = FOLDER) -> bool:
    """Whether there is a file for a game to this target."""
    return any(folder.glob(f"*-{table_digest(ruleset, target)}.npz"))


def find_table(ruleset: Ruleset, target: int, folder: Path = FOLDER) -> WinTable | None:
    """The solved table for a game to this target, whatever the ruleset is called; None if there is none."""
    try:
        stored = _stored(ruleset, target, folder)
    except NoTable:
        return None
    found = (source(ruleset, target) for source in _sources)
    return stored or next((table for table in found if table is not None), None)


def load_shipped_table(ruleset: Ruleset, target: int) -> None:
    """Read the table of a game to this target if it comes as a file, so that `table_of` has it at once."""
    with suppress(NoTable):
        _stored(ruleset, target, FOLDER)


@lru_cache(maxsize=16)
def _stored(ruleset: Ruleset, target: int, folder: Path) -> WinTable | None:
    make_race(ruleset, target)
    path = next(iter(sorted(folder.glob(f"*-{table_digest(ruleset, target)}.npz"))), None)
    return decode_table(ruleset, target, path.read_bytes()) if path else None
