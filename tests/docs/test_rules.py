"""docs/rules.md: its settings, limits, defaults and rulesets are those of the code."""

import json
import re
from dataclasses import Field, fields
from itertools import combinations
from pathlib import Path
from typing import Any

from game.rules import PRESETS, Ruleset, RulesetError, keeps
from game.rules.combinations import Combination

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


def find_section(title: str) -> str:
    return DOCUMENT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def read_table(title: str) -> dict[str, list[str]]:
    """Return the rows of a section's table without its head: the first cell of each, with the other cells."""
    rows = [line.strip("| ").split(" | ") for line in find_section(title).splitlines() if line.startswith("|")]
    return {first: cells for first, *cells in rows[2:]}


def test_every_setting_is_described_with_its_default_and_its_choices() -> None:
    rows = read_table("What a ruleset can say")
    defaults = {setting.name: setting.default for setting in fields(Ruleset)} | Ruleset().to_json()
    defaults |= {"of_a_kind": {}, "combinations": [], "confirm": []}
    assert {name: json.loads(cells[1].strip("`")) for name, cells in rows.items()} == {
        f"`{name}`": value for name, value in defaults.items()
    }
    for setting in fields(Ruleset):
        shown = rows[f"`{setting.name}`"][0]
        for choice in setting.metadata.get("choices", ()):
            assert str(choice) in shown
        if setting.metadata["kind"] == "number":
            assert shown == f"{setting.metadata['least']} to {setting.metadata['most']}"


# Under which nothing contradicts anything else, and the values that other settings are tried with.
SCORING: dict[str, Any] = {"singles": (100, 0, 0, 0, 50, 0)}
TRIED: dict[str, tuple[Any, ...]] = {
    "switch": (True,), "points": (500,), "coins": (5,), "targets": ((500,),), "faces": ((0,) * 6,),
    "grid": (((0,) * 6, (0,) * 6, (0,) * 6, (1000,) * 6),), "combinations": ((Combination("22", 50),),),
}  # fmt: skip


def list_values(setting: Field[Any]) -> tuple[Any, ...]:
    limits = setting.metadata
    match limits["kind"]:
        case "choice":
            return tuple(choice for choice in limits["choices"] if choice != setting.default)
        case "mixed":
            return (*(choice for choice in limits["choices"] if choice != setting.default), 500)
        case "kinds":
            return tuple((choice,) for choice in limits["choices"])
        case "number":
            return tuple({limits["least"], limits["most"]} - {setting.default})
    return TRIED.get(limits["kind"], ())


def is_refused(**settings: Any) -> bool:
    try:
        Ruleset(**SCORING | settings)
    except RulesetError:
        return True
    return False


def test_every_two_settings_that_contradict_each_other_are_named_together() -> None:
    """And every setting that needs another is named. What takes three settings is beyond this test."""
    points = (
        find_section("What a ruleset can say").split("refused if its settings contradict each other:")[1].split("\n- ")
    )
    named = [set(re.findall(r"`(\w+)`", point)) for point in points]
    values = [(setting.name, value) for setting in fields(Ruleset) for value in list_values(setting)]
    alone = [(name, value) for name, value in values if is_refused(**{name: value})]
    assert {name for name, _value in alone} <= set.union(*named)
    together = [value for value in values if value not in alone]
    for (one, value), (other, another) in combinations(together, 2):
        if one != other and is_refused(**{one: value, other: another}):
            assert any({one, other} <= names for names in named), f"{one} {value}, {other} {another}"


def test_the_shipped_rulesets_are_described_as_they_are() -> None:
    rows = read_table("The rulesets that come with it")
    default, rulesets = Ruleset(), list(PRESETS.values())
    for size in (4, 5, 6):
        assert rows.pop(f"`of_a_kind`, {size} dice") == [write_equal_dice(ruleset, size) for ruleset in rulesets]
    listed = {name.strip("`"): cells for name, cells in rows.items()}
    for setting in fields(Ruleset):
        if setting.name in ("slug", "singles", "of_a_kind", "target_choices"):
            continue
        values = [getattr(ruleset, setting.name) for ruleset in rulesets]
        if setting.name in listed:
            assert listed.pop(setting.name) == [format_value(value) for value in values]
        else:
            assert set(values) == {getattr(default, setting.name)}
    assert not listed


def test_what_all_shipped_rulesets_have_in_common_is_true() -> None:
    for ruleset in PRESETS.values():
        assert ruleset.singles == (100, 0, 0, 0, 50, 0)
        assert [ruleset.points_for(3, face) for face in range(1, 7)] == [1000, 200, 300, 400, 500, 600]
        assert ruleset.target_choices == (5000, 10000)


def write_equal_dice(ruleset: Ruleset, size: int) -> str:
    ones, *others = [ruleset.points_for(size, face) for face in range(1, 7)]
    if not any([ones, *others]):
        return "0"
    by_face = others == [others[0] // 2 * face for face in range(2, 7)]
    return f"{others[0] // 2:,} × face, 1s {ones:,}" if by_face else f"{others[0]:,}, 1s {ones:,}"


def format_value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def test_the_example_has_all_the_keeps_that_there_are() -> None:
    line = next(line for line in find_section("How a throw is scored").split("\n- ") if line.startswith("Under `pot`"))
    written = re.findall(r"((?:\d )+)= (\d+)", " ".join(line.split()).split(":")[1])
    legal = keeps(PRESETS["pot"], [1, 2, 2, 2, 4, 5])
    assert [(tuple(map(int, dice.split())), int(points)) for dice, points in written] == [
        (keep.dice, keep.points) for keep in legal
    ]
