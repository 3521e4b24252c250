"""The contrast of every pair of colours that meet on a page, computed from the tokens of the style sheet."""

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[3] / "static" / "css" / "site.css").read_text(encoding="utf-8")
LINE = re.compile(r"--([\w-]+):\s*(#[0-9A-Fa-f]{6})")

TEXT = """ink/paper ink/card ink-2/paper ink-2/card
on-felt/felt on-felt/felt-deep on-felt-2/felt-hi on-felt-2/felt on-felt-2/felt-deep
opt-ink/opt throw-ink/throw bank-ink/bank good/card bust/card"""
GRAPHIC = """pip/die pip-ace/die pip-old/die-old die/felt die-old/felt-deep opt/felt opt/felt-deep
throw/paper bank/paper line-strong/card line-strong/paper focus/felt focus-edge/focus bust/bar"""
PLAYERS = [f"p{n}" for n in range(1, 9)]


def read_tokens(theme: str) -> dict[str, str]:
    blocks = re.findall(r"(?s):root(\[data-theme=\"dark\"\])? \{(.*?)\n  \}", CSS)
    light = dict(LINE.findall(next(body for dark, body in blocks if not dark)))
    return light if theme == "light" else {**light, **dict(LINE.findall(next(body for dark, body in blocks if dark)))}


def compute_luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def compute_contrast(one: str, other: str) -> float:
    low, high = sorted((compute_luminance(one), compute_luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("pair", TEXT.split() + [f"{p}/card" for p in PLAYERS])
def test_text_has_a_contrast_of_at_least_four_and_a_half_to_one(theme: str, pair: str) -> None:
    one, other = pair.split("/")
    assert compute_contrast(read_tokens(theme)[one], read_tokens(theme)[other]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("pair", GRAPHIC.split() + [f"{p}/bar" for p in PLAYERS])
def test_graphics_have_a_contrast_of_at_least_three_to_one(theme: str, pair: str) -> None:
    one, other = pair.split("/")
    assert compute_contrast(read_tokens(theme)[one], read_tokens(theme)[other]) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_one_part_of_the_focus_ring_can_be_seen_on_paper(theme: str) -> None:
    now = read_tokens(theme)
    assert max(compute_contrast(now["focus"], now["paper"]), compute_contrast(now["focus-edge"], now["paper"])) >= 3


def test_the_dark_theme_is_the_same_by_choice_and_by_the_system() -> None:
    by_choice, by_system = re.findall(r"(?s)(--paper: #141714;.*?)--shadow-card", CSS)
    assert by_choice.split() == by_system.split()


def test_the_values_of_the_design_are_kept() -> None:
    assert round(compute_contrast(read_tokens("light")["ink"], read_tokens("light")["paper"]), 2) == 13.88
    assert round(compute_contrast(read_tokens("dark")["bank-ink"], read_tokens("dark")["bank"]), 2) == 10.02
