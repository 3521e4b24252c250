"""The memory of processes, as Linux counts it."""

import re
from pathlib import Path


def read_memory(process: int) -> int:
    """Return the memory of a process in KiB: its own, and its part of what it shares with others (PSS)."""
    size = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.M)
    assert size
    return int(size[1])


def read_memory_of_family(process: int) -> list[float]:
    """Return the memory of a process and each of its children in MiB, in the order in which they were started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [read_memory(member) / 1024 for member in (process, *map(int, children))]
