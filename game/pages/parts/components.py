"""The parts of several pages as plain values, already in the reader's language, before any template is rendered."""

from dataclasses import dataclass, field

from game.storage.real_dice import Draft


@dataclass(frozen=True)
class Button:
    """One of the big buttons. `does` is False for a button that only explains why it cannot act."""

    line1: str
    line2: str
    does: bool = True
    meter: float | None = None  # bust chance in per cent, for the strip along Throw's lower edge
    url: str = ""


@dataclass(frozen=True)
class Die:
    """One die in its column. It stands in the lower line when it is kept or checked, else in the upper."""

    column: int  # 1–6
    face: int
    look: str  # 'opt' gold tile, 'must' has to stay, 'dead' scores nothing, 'old' kept earlier, 'plain' only shown
    name: str  # "Die 2: five"
    note: str  # "50 points. Optional."
    checked: bool = False
    tumble: int = 0  # 0–7: the angle it falls from, the same for every viewer
    has_tries: bool = False  # a last die that has missed, and may have several tries
    value: int = 0  # the column at the table, if this viewer has the dice in another order; else 0


@dataclass(frozen=True)
class KeepChoice:
    """What the tray says for one legal keep; the browser looks it up by the sorted faces of the checked dice."""

    sum: str  # the number that Bank would bank, "450"
    this: str  # points of this throw, "350"
    shown: int  # the same as `sum`, as sent with the form
    upper: str  # "To throw · 1 die"
    lower: str  # "Kept · 5 dice"
    bank: Button
    throw: Button
    spoken: str  # for #live after a change of selection
    detail: str = ""  # beside the status, "Throw 2: 350 points"
    remark: str = ""  # on the card of the player whose turn it is, "+450 now"
    risk: float = 0  # 0–100, the hatched piece of that card's bar


@dataclass(frozen=True)
class Tray:
    """The form with the dice. `yours` is False if the viewer may only look: then there are no controls."""

    yours: bool
    dice: tuple[Die, ...]
    upper: str
    lower: str
    sum: str
    earlier: str
    this: str
    shown: int
    throw_number: int  # restarts the animation even when the same faces fall again
    bank: Button | None = None
    throw: Button | None = None
    pick_up: Button | None = None
    advance: Button | None = None  # a computer's step: submits itself after `pause_ms`, where there are scripts
    pause_ms: int = 0
    stands_ms: int = 0  # how long landed dice lie there before the kept ones among them are shown
    choices: dict[str, KeepChoice] = field(
        default_factory=dict
    )  # "3335" → what the tray says for this keep; "" for keeping nothing
    next_columns: str = ""  # the columns that the next press throws, "256", if the viewer has no choice
    hot: bool = False  # all have scored: they lie in the upper line again, ready to be thrown
    share: str = ""  # where a choice is posted while it is being made, so that others see it
    free: bool = False  # "I’ll pick them": the selection may be empty
    seat: int = 0  # whose colour the rim has
    tries_used: int = 0  # 1 or 2 missed tries of a last die that has several
    tries: int = 3  # how many the last die has
    all_dice: int = 6  # how many the game is played with
    notes: tuple[str, ...] = ()  # what else counts in this turn: "To prove: any keep", "A bust costs 1,000 points"
    lost: str = ""  # "450" on the tray of a bust: grey wash, points struck through
    draft: Draft | None = None  # if real dice were tapped
    plain: bool = False  # no game behind it: an ordinary form, answered with a whole page

    @property
    def chosen(self) -> str:
        """The sorted faces of the checked dice, as a key of `choices`."""
        return "".join(sorted(str(die.face) for die in self.dice if die.checked))


@dataclass(frozen=True)
class ScoreCard:
    """A player on the scoreboard."""

    seat: int  # from 1
    name: str
    score: str
    remark: str  # "+450 now", "needs 500", "leads" …
    shape: str  # 'here' filled dot, 'away' hollow dot (away, or sitting out), 'computer' diamond
    bar: float  # 0–100, score against the target
    risk: float  # 0–100, the hatched piece: unbanked points of this turn
    current: bool = False
    won: bool = False


@dataclass(frozen=True)
class StatusText:
    """The lines above the dice."""

    title: str  # "Your turn, Ana"
    detail: str  # "Throw 2: 350 points"
    tip: str = ""  # one line of help after a bust
    hand_over: bool = False  # the device is to be passed to somebody else
    begins: bool = False  # a turn begins: the detail has names, which break into more lines than other words


@dataclass(frozen=True)
class ThrowEntry:
    """A throw in the log."""

    number: int
    dice: tuple[tuple[int, bool], ...]  # (face, kept)
    points: str  # "350"; "" if nothing is kept
    label: str  # for screen readers: "Throw 2: 5 3 3 6 3, kept 5 3 3 3 for 350 points"
    choice: str = ""  # for them, too, while dice are being chosen: what is kept now


@dataclass(frozen=True)
class TurnEntry:
    """A turn, or a change apart from the dice, in the log."""

    seat: int
    text: str  # "<b>Ana</b> banked 650 in 3 throws", as markup; plain for a change
    cancelled: bool = False
    url: str = ""  # its first throw in the replay
    shape: str = "here"  # of the dot in the player's colour, as on the scoreboard


@dataclass(frozen=True)
class ScoreLine:
    """A player's line in the chart."""

    seat: int
    name: str
    points: str  # polyline points in the drawing's own units
    end_x: float
    end_y: float
    scores: tuple[str, ...]  # the same as numbers, for the table


@dataclass(frozen=True)
class ScoreChart:
    """Scores by round: a drawing of 280 × 150 units and the table below it."""

    lines: tuple[ScoreLine, ...]
    ticks_y: tuple[tuple[float, str], ...]  # (y, label)
    ticks_x: tuple[tuple[float, str], ...]
    rounds: tuple[str, ...]
    summary: str  # the desc of the drawing, one sentence


@dataclass(frozen=True)
class RefusedInput:
    """What was typed into one input of a form that was refused, to be shown there again and corrected."""

    field: str = ""  # its id
    value: str | None = ""  # None: the page still has it, and writing it there again would not let it stay
    why: str = ""  # what is wrong with it

    def show(self, field: str, stored: str) -> str:
        """Return what an input is to show: what was typed there, else the stored value."""
        return self.value if field == self.field and self.value is not None else stored

    def explain(self, field: str) -> str:
        """Return what is wrong with an input, "" for nothing."""
        return self.why if field == self.field else ""


NOTHING_REFUSED = RefusedInput()
