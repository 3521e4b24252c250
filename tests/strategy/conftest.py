from collections.abc import Iterator

import pytest

from game.services.win_tables import TABLE_CACHE
from game.strategy.win import add_table_source, remove_table_source


@pytest.fixture(scope="module", autouse=True)
def tables_of_files_alone() -> Iterator[None]:
    """Read solved tables from files only: the strategy knows no database, so the site's tables are not used."""
    remove_table_source(TABLE_CACHE)
    yield
    add_table_source(TABLE_CACHE)
