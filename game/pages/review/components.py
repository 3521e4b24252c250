"""A review as values for its templates, with texts and numbers already in the reader's language."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PlayerReview:
    """How one player did."""

    seat: int
    name: str
    computer: bool
    accuracy: str  # "91"; empty where nothing is known
    accuracy_bar: float  # per cent of the width
    luck: str  # "+450"; empty where no dice are known
    luck_from: float  # the bar from the middle: where it begins and how wide it is, in per cent
    luck_bar: float
    luck_win: str  # "+42%" of a win
    busts: str  # "4 busts, 5.2 expected"


@dataclass(frozen=True)
class DecisionRow:
    """A decision in a list."""

    url: str  # shows it on this page
    replay: str  # shows it in the replay
    seat: int
    name: str
    place: str  # "6.2"
    place_label: str  # "Round 6, throw 2"
    mark: str  # "??"
    mark_name: str  # "blunder"
    text: str  # "Kept 1 1 and threw 4 dice with 1,100."
    better: str  # "Better: …"; empty for the best choice
    against: str  # "71.2% instead of 63.1%."; empty for the best choice
    loss: str  # "−8.1%"
    shown: bool = False


@dataclass(frozen=True)
class OptionRow:
    """A row in the table of options, which has the best first."""

    dice: tuple[int, ...]
    then: str  # "bank 450", "throw 2 dice"
    win: str  # "47.7%"; empty where chances are not known
    points: str
    bust: str
    best: bool
    chosen: bool


@dataclass(frozen=True)
class ReviewSummary:
    """What the page of a finished game shows of its review."""

    state: str  # "empty" where no person can be judged, or what find_review_state says
    progress: str  # "60%"
    figures: tuple[PlayerReview, ...] = ()
    costliest: tuple[DecisionRow, ...] = ()
