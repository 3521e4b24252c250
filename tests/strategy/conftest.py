from collections.abc import Iterator

import pytest

from game.services.win_tables import TABLE_CACHE
from game.strategy.win import TABLE_SOURCES


@pytest.fixture(scope="module", autouse=True)
def tables_of_files_alone() -> Iterator[None]:
    """Read solved tables from files only: the strategy knows no database, so the site's tables are not used."""
    TABLE_SOURCES.remove(TABLE_CACHE)
    yield
    TABLE_SOURCES.append(TABLE_CACHE)
