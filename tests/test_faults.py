"""The mistakes of faults.toml: each still fits the program, and the test file that has to notice it exists."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.faults import ROOT, Fault, load_faults

FAULTS = load_faults()


def read_file(file: str) -> str:
    return Path(ROOT, file).read_text(encoding="utf-8")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_mistake_fits_in_one_place(fault: Fault) -> None:
    wrong = fault.plant(read_file(fault.file))
    assert ast.dump(ast.parse(wrong)) != ast.dump(ast.parse(read_file(fault.file)))
    assert Path(ROOT, fault.test).is_file()


def test_every_area_has_its_mistakes() -> None:
    assert len(FAULTS) >= 30
    assert Counter(fault.name.partition(":")[0] for fault in FAULTS).keys() == {
        "rules", "services", "access", "live", "pages", "calls", "links",
    }  # fmt: skip
