"""One step of a replayed game, as values for the templates."""

from dataclasses import dataclass

from game.pages.parts.components import Banner, ScoreCard, ScoreChart, ThrowEntry, Tray


@dataclass(frozen=True)
class Link:
    """A link to another step. `does` is False if it leads nowhere new."""

    id: str
    url: str
    label: str
    keys: str  # in the notation of aria-keyshortcuts
    drawing: str  # the path of its picture, 24 × 24 units
    does: bool


@dataclass(frozen=True)
class ListedTurn:
    """A turn in the list; the turn that is shown includes its throws."""

    url: str
    round: str  # "5" where a new round begins
    seat: int
    text: str  # "<b>Ana</b> banked 650 in 3 throws", as markup; the name alone while choices are hidden
    cancelled: bool
    current: bool
    mark: str = ""  # the review's worst mark in the turn: "?!", "?", "??", "!"
    word: str = ""  # the same as a word: "blunder"
    throws: tuple[tuple[ThrowEntry, str, bool], ...] = ()  # (throw, its address, whether it is the one shown)


@dataclass(frozen=True)
class ReplayStep:
    """One step: a throw as it lay, and what was done with it."""

    number: str  # "18"
    total: str
    where: str  # "Round 5 · Bruno"
    choice: str  # "Kept 3 3 3 for 300, then threw 2 dice."
    cancelled: bool
    hidden: bool  # the choice is not shown yet
    hides: bool  # choices are hidden until asked for
    address: str  # the URL of this very step
    switch: str  # address that hides the choice, or shows it
    revealing: str  # address at which choices are no longer hidden
    links: tuple[Link, ...]  # before the number of the step …
    onward: tuple[Link, ...]  # … and after it
    # Throws for the first player, by round: (its number, the throws in words, (seat, face, whether it is ahead) …).
    faces: tuple[tuple[str, str, tuple[tuple[int, int, bool], ...]], ...] = ()


@dataclass(frozen=True)
class Replay:
    """Everything on the page of a replay, with the field names of `Board`, because it uses that page's partials."""

    code: str
    url: str
    version: int
    title: str
    cards: tuple[ScoreCard, ...]
    position: ReplayStep | None
    turns: tuple[ListedTurn, ...]
    earlier: str  # address of the turns before those listed
    later: str
    live: str
    banner: Banner | None = None
    tray: Tray | None = None
    chart: ScoreChart | None = None
    cursor: float | None = None
