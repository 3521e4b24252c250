"""A review as values for the templates. Texts are whole sentences, numbers written in the reader's way."""

from __future__ import annotations

from dataclasses import dataclass

from game.pages.parts.components import Tray


@dataclass(frozen=True)
class Figures:
    """How one player did."""

    seat: int
    name: str
    computer: bool
    accuracy: str  # "91"; empty where nothing is known
    accuracy_bar: float  # per cent of the width
    luck: str  # "+450"; empty where no dice are known
    luck_from: float  # the bar from the middle: where it begins and how wide it is, in per cent
    luck_bar: float
    luck_win: str  # "+0.42": in games won
    busts: str  # "4 busts, 5.2 were to be expected"


@dataclass(frozen=True)
class Row:
    """A decision in a list."""

    index: int
    url: str  # shows it on this page
    replay: str  # shows it in the replay
    seat: int
    name: str
    place: str  # "6.2"
    place_label: str  # "Round 6, throw 2"
    mark: str  # "??"
    word: str  # "blunder"
    text: str  # "Kept 1 1 and threw 4 dice with 1,100."
    better: str  # "Better: …"; empty for the best choice
    against: str  # "71.2% against 63.1%."; empty for the best choice
    loss: str  # "−8.1%"
    shown: bool = False


@dataclass(frozen=True)
class Way:
    """One way that there was."""

    dice: tuple[int, ...]
    text: str  # "bank 450", "throw 2 dice"
    win: str
    points: str
    bust: str
    best: bool
    chosen: bool


@dataclass(frozen=True)
class Detail:
    """The decision that is shown whole."""

    row: Row
    tray: Tray | None
    ways: tuple[Way, ...]
    more: str  # "Only the 12 best ways are shown."


@dataclass(frozen=True)
class Label:
    """A mark in the drawing."""

    x: float
    y: float
    seat: int
    text: str


@dataclass(frozen=True)
class Drawing:
    """The chart, in units of 720 × `height`. Paths are drawn as they are."""

    height: int
    middle: int  # of the bars of luck
    area: str  # the chance of one player; empty where several have lines, or none is known
    area_seat: int
    lines: tuple[tuple[int, str], ...]  # (seat, path)
    bars: tuple[tuple[int, str], ...]  # (seat, path)
    grid: tuple[tuple[int, str], ...]  # (y, label)
    ticks: tuple[tuple[float, str], ...]  # (x, round)
    labels: tuple[Label, ...]
    summary: str


@dataclass(frozen=True)
class Line:
    """A throw in the table under the chart."""

    place: str
    name: str
    win: str
    luck: str
    mark: str


@dataclass(frozen=True)
class Page:
    """Everything on the page of a review that is there."""

    by: str  # "win", "estimate", "points"; empty where these rules allow no judgement
    note: str  # what the figures are, where they are not exact chances
    figures: tuple[Figures, ...]
    drawing: Drawing | None
    lines: tuple[Line, ...]
    people: tuple[Row, ...]
    computers: tuple[Row, ...]
    total: str  # how many decisions there are
    every: bool  # all of them are listed, not only the marked ones
    detail: Detail | None
    practise: bool  # there are decisions of people that lost something


@dataclass(frozen=True)
class Short:
    """What the page of a game that is over shows of its review."""

    state: str  # "nothing" to judge, or what state_of says
    progress: str  # "60%"
    figures: tuple[Figures, ...] = ()
    costliest: tuple[Row, ...] = ()
