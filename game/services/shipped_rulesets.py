"""The tables of the world: rulesets really played somewhere, as data with names, region and source."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from game import rules
from game.models import RulesetRow
from game.rules import PRESETS, Ruleset

FOLDER = Path(rules.__file__).parent / "world"


@dataclass(frozen=True)
class WorldTable:
    """A ruleset as played somewhere. Names are in the words of the people there, or of their sources."""

    ruleset: Ruleset
    names: tuple[tuple[str, str], ...]
    """Language and name; the first is the ruleset's."""
    region: str
    also_known_as: tuple[str, ...]
    players: str
    minutes: str
    """An estimate, as in "20–30"."""
    source: str
    notes: str
    """What was decided where the source is silent, and which of its rules this game lacks. English: translate it."""


@cache
def read_world_tables() -> Mapping[str, WorldTable]:
    """Return the tables by slug, in the order of their names. Reads the files once."""
    tables = [_read_table(json.loads(path.read_bytes())) for path in sorted(FOLDER.glob("*.json"))]
    tables.sort(key=lambda table: table.ruleset.name.casefold())
    return MappingProxyType({table.ruleset.slug: table for table in tables})


def _read_table(data: Mapping[str, Any]) -> WorldTable:
    return WorldTable(
        ruleset=Ruleset.from_json(data["ruleset"]),
        names=tuple((name["language"], name["name"]) for name in data["names"]),
        region=data["region"],
        also_known_as=tuple(data["also_known_as"]),
        players=data["players"],
        minutes=data["minutes"],
        source=data["source"],
        notes=data["notes"],
    )


def list_shipped_rulesets() -> Mapping[str, Ruleset]:
    """Return all rulesets that come with the app, by slug: those of the documents first, then those of the world."""
    return {**PRESETS, **{slug: table.ruleset for slug, table in read_world_tables().items()}}


def find_world_table(row: RulesetRow) -> WorldTable | None:
    """Return what is known of a shipped ruleset of the world; None for any other."""
    return read_world_tables().get(row.slug) if row.shipped else None
