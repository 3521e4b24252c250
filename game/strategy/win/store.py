"""Solved tables. Those of the rulesets of the documents come with the project, as files in game/strategy/tables.

Others come from sources: a site that solves tables itself adds one.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from game.rules.ruleset import Ruleset
from game.strategy.arrays import NDArray, np
from game.strategy.win.endgame import Endgame, solve_endgame
from game.strategy.win.offers import QUANTUM, Offers
from game.strategy.win.race import NoTable, make_race
from game.strategy.win.race_solver import cut_table
from game.strategy.win.rounds import RoundsTable, solve_final_round
from game.strategy.win.win_table import WinTable
from game.whole_file import write_whole

SHIPPED_TABLES = Path(__file__).resolve().parent.parent / "tables"

# Settings of a ruleset that do not affect the chance to win.
_WITHOUT_EFFECT = (
    "slug", "name", "target", "target_choices", "first_player", "min_players", "max_players", "ante", "bust_penalty",
    "currency",
)  # fmt: skip


@lru_cache(maxsize=256)
def table_digest(ruleset: Ruleset, target: int) -> str:
    """Return 16 hex digits that are the same for all rulesets that play the same to this target."""
    settings = {name: value for name, value in ruleset.playing_settings().items() if name not in _WITHOUT_EFFECT}
    plain = json.dumps([settings, target], sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def save_table(ruleset: Ruleset, target: int, table: WinTable, folder: Path) -> Path:
    """Write a solved table to a file, each chance in four bytes (exact to 6e-8). Return the path of the file."""
    path = folder / f"{ruleset.slug}-{target}-{table_digest(ruleset, target)}.npz"
    write_whole(path, lambda file: file.write(encode_table(table, with_endgame=False)))
    path.chmod(0o644)  # as the files that come with the project
    return path


def encode_table(table: WinTable, *, with_endgame: bool = True) -> bytes:
    """Return a solved table as the bytes of an npz file; with its endgame it loads at once, without it in up to 2 s."""
    content = io.BytesIO()
    known: dict[str, Any] = vars(table.endgame) if with_endgame else {}
    if isinstance(table, RoundsTable):
        np.savez_compressed(content, lows=table.lows)
        _append_parts(content, "chances", "<f4", (part.astype("<f4") for part in table.chances), table.chances.shape)
        if table.gains is not None:
            counts = (np.rint(part * (table.quantum / QUANTUM)).astype("<u2") for part in table.gains)
            _append_parts(content, "gains", "<u2", counts, table.gains.shape)
        return content.getvalue()
    if table.offers:
        known = {**known, "offers": table.offers.pack_gains(), "nodes": table.offers.nodes}
    np.savez_compressed(content, chances=table.chances.astype(np.float32), **known)
    return content.getvalue()


def _append_parts(
    content: io.BytesIO, name: str, kind: str, parts: Iterator[NDArray[Any]], shape: tuple[int, ...]
) -> None:
    """Append an array to an npz file, a part at a time, because the whole can be hundreds of megabytes."""
    head = {"descr": kind, "fortran_order": False, "shape": shape}
    with ZipFile(content, "a", ZIP_DEFLATED) as archive, archive.open(f"{name}.npy", "w", force_zip64=True) as file:
        np.lib.format.write_array_header_1_0(file, head)
        for part in parts:
            file.write(part.tobytes())


def decode_table(ruleset: Ruleset, target: int, content: bytes, name: str = "") -> WinTable:
    """Return the table in an npz file that `encode_table` made for this ruleset and target. Raises `NoTable`.

    `name`: under which its large arrays may be unpacked, to be mapped.
    """
    race = make_race(ruleset, target)
    path = _mapped / f"{name}.npy" if _mapped and name else None
    with np.load(io.BytesIO(content)) as stored:
        if race.ending == "rounds":
            lows = stored["lows"] if "lows" in stored else np.zeros(1, dtype=np.intp)
            # Chances stay in four bytes, because there are a hundred times as many as in other tables.
            chances = _map_array(path, lambda: stored["chances"])
            # Tables from before busts could cost points have three dimensions fewer.
            shape = (len(chances), 2, 2, race.streaks, race.streaks, len(lows), -1)
            also = path and path.with_name(f"{path.stem}-gains.npy")
            gains = _map_array(also, lambda: stored["gains"]) if race.has_offers else None
            endgame, chances = solve_endgame(race), chances.reshape(shape)
            return RoundsTable(race, endgame, chances, lows=lows, gains=gains, quantum=QUANTUM)
        chances = stored["chances"].astype(np.float64)
        offers = Offers(race, stored["nodes"]) if race.has_offers else None
        if offers:
            offers.gains, offers.quantum = _map_array(path, lambda: offers.unpack_gains(stored["offers"])), QUANTUM
        if "reply" not in stored:
            return WinTable(race, solve_final_round(race), chances, offers)
        risk, extra = float(stored["risk"]), float(stored["extra"])
        later = {name: stored[name] for name in ("taken", "level", "behind") if name in stored}  # old files lack them
        return WinTable(race, Endgame(stored["reply"], stored["forced"], risk, extra, **later), chances, offers)


def _map_array(path: Path | None, read: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return a large array mapped from this file, which is written first if need be.

    Without a path, or if the folder is full or read-only, the array is kept in memory.
    """
    if path:
        with suppress(OSError, ValueError, EOFError):  # the file does not exist yet, or is broken
            return _open_array(path)
    array = read()
    if path:
        with suppress(OSError):
            write_whole(path, lambda file: np.save(file, array))
            return _open_array(path)
    return array


def _open_array(path: Path) -> NDArray[Any]:
    """Return the array of a file, mapped: only the parts used are read. Raises `OSError`, `ValueError`, `EOFError`."""
    array: NDArray[Any] = np.load(path, mmap_mode="r").view(np.ndarray)
    return array


# Given a ruleset and a target, return a table solved for them, exactly or on a grid; None if there is none.
TableSource = Callable[[Ruleset, int], WinTable | None]

# These are asked in turn if no file has a table; each time anew, so they must do their own caching.
TABLE_SOURCES: list[TableSource] = []
_mapped: Path | None = None

# Tables for targets that somebody typed, cut out of tables for larger targets; this many are kept.
CUT_TABLES_MOST = 16
_cut_tables: dict[str, WinTable] = {}


def map_tables_in(folder: Path) -> None:
    """Unpack the large arrays of tables into files in this folder, to be mapped.

    All processes share what they read of them, and what nobody reads takes no memory. The folder may be emptied at any
    time.
    """
    global _mapped  # noqa: PLW0603 - one folder for the process, as the sources are one list
    _mapped = folder


def is_shipped(ruleset: Ruleset, target: int) -> bool:
    """Return whether the project comes with a table for a game to this target."""
    return any(SHIPPED_TABLES.glob(f"*-{table_digest(ruleset, target)}.npz"))


def find_table(ruleset: Ruleset, target: int, folder: Path = SHIPPED_TABLES) -> WinTable | None:
    """Return the solved table for a game to this target, whatever the ruleset is called; None if there is none."""
    try:
        path = _find_file(ruleset, target, folder)
    except NoTable:
        return None
    shipped = _load_file(ruleset, target, path) if path else None
    others = (source(ruleset, target) for source in TABLE_SOURCES)
    solved = shipped or next((table for table in others if table is not None), None)
    return solved or _cut_tables.get(table_digest(ruleset, target))


def prepare_table(ruleset: Ruleset, target: int) -> WinTable | None:
    """Return the table of a game to this target, and have `find_table` find it from now on; None if there is none.

    It is found as by `find_table` or, unless scores can fall or a number of rounds ends the game, cut out of the table
    for the nearest larger target, which takes up to three seconds. What offers are worth cannot be cut out of a coarse
    grid.
    """
    table = find_table(ruleset, target)
    if table is not None:
        return table
    shipped = (int(path.stem.split("-")[-2]) for path in SHIPPED_TABLES.glob("*.npz"))
    larger = sorted(known for known in {ruleset.target, *ruleset.target_choices, *shipped} if known > target)
    source = next(filter(None, (find_table(ruleset, known) for known in larger)), None)
    if source is None or isinstance(source, RoundsTable) or source.race.may_fall:
        return None  # scores that fall stop at 0, which is farther from a larger target
    if source.offers and source.offers.is_coarse:
        return None
    while len(_cut_tables) >= CUT_TABLES_MOST:
        del _cut_tables[next(iter(_cut_tables))]
    table = _cut_tables[table_digest(ruleset, target)] = cut_table(source, make_race(ruleset, target).target)
    return table


@lru_cache(maxsize=256)
def _find_file(ruleset: Ruleset, target: int, folder: Path) -> Path | None:
    """Return the file of a table, None if there is none. Raises `NoTable` where there cannot be one."""
    make_race(ruleset, target)
    return min(folder.glob(f"*-{table_digest(ruleset, target)}.npz"), default=None)


# Only existing tables take a place in this cache; rulesets without one, asked for more often, would push them out.
@lru_cache(maxsize=16)
def _load_file(ruleset: Ruleset, target: int, path: Path) -> WinTable:
    content = path.read_bytes()
    return decode_table(ruleset, target, content, f"{path.stem}-{hashlib.sha256(content).hexdigest()[:16]}")
