"""The values of a review for its templates. Texts are whole sentences, numbers written in the reader's way."""

from dataclasses import dataclass

from game.pages.parts.components import DecisionRow, OptionRow, PlayerReview, Tray


@dataclass(frozen=True)
class Detail:
    """The decision shown in full."""

    row: DecisionRow
    tray: Tray | None
    ways: tuple[OptionRow, ...]
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
class ChartLine:
    """A throw in the table under the chart."""

    place: str
    name: str
    win: str
    luck: str
    mark: str


@dataclass(frozen=True)
class ReviewPage:
    """Everything on the page of a finished review."""

    by: str  # "win", "estimate", "points"; empty if these rules allow no judgement
    note: str  # what the figures are, if not exact chances
    figures: tuple[PlayerReview, ...]
    drawing: Drawing | None
    lines: tuple[ChartLine, ...]
    people: tuple[DecisionRow, ...]
    computers: tuple[DecisionRow, ...]
    total: str  # how many decisions there are
    every: bool  # all of them are listed, not only the marked ones
    detail: Detail | None
    practise: bool  # some decisions of people lost something
