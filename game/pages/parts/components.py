"""The game page as plain values: what each region shows, already in words, before any template is rendered.

Presenters make them from a game's rows and the state of its rules, templates place them, and the gallery makes them by
hand. Every text is already in the reader's language.
"""

from dataclasses import dataclass, field


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
    mark: str = ""  # 'try' one die with several tries, 'link' part of a set with this die
    value: int = 0  # the column at the table, where the viewer has the dice in another order; else 0


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
    word: str = ""  # on the card of the player whose turn it is, "+450 now"
    risk: float = 0  # 0–100, the hatched piece of that card's bar


@dataclass(frozen=True)
class DraftButtons:
    """Beside a turn with real dice: how it is entered, and taking the last entry back."""

    url: str
    entry: str  # 'type' 'tap'
    back: str = ""  # the button that takes back the last entry, if there is one


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
    stands_ms: int = 0  # how long the dice have landed before what is kept of them is shown
    choices: dict[str, KeepChoice] = field(
        default_factory=dict
    )  # "3335" → what is said of it; "" where nothing is kept
    rolls: str = ""  # the columns that the next press throws, "256", if the viewer has no choice in it
    hot: bool = False  # all have scored: they lie in the upper line again, ready to be thrown
    share: str = ""  # where a choice is posted while it is being made, so that others see it
    free: bool = False  # "I’ll pick them": the selection may be empty
    seat: int = 0  # whose colour the rim has
    tries_used: int | None = None  # 0–2 while the last die has several tries
    tries: int = 3  # that the last die has
    all_dice: int = 6  # that the game is played with
    notes: tuple[str, ...] = ()  # what else counts in this turn: "Prove 500 more", "A bust costs 1,000"
    lost: str = ""  # "450" on the tray of a bust: gray wash, points struck through
    entered: DraftButtons | None = None  # where real dice were tapped
    plain: bool = False  # no game behind it: an ordinary form whose answer is a page

    @property
    def chosen(self) -> str:
        """The sorted faces of the checked dice, as `choices` names them."""
        return "".join(sorted(str(die.face) for die in self.dice if die.checked))


@dataclass(frozen=True)
class ScoreCard:
    """A player on the scoreboard."""

    seat: int  # 1–12; the colour is p((seat-1) % 8 + 1)
    name: str
    score: str
    word: str  # "+450 now", "needs 500", "leads" …
    shape: str  # 'here' filled dot, 'away' hollow (stepped out), 'computer' diamond
    bar: float  # 0–100, score against the target
    risk: float  # 0–100, the hatched piece: unbanked points of this turn
    current: bool = False
    won: bool = False


@dataclass(frozen=True)
class Banner:
    """A line over the game."""

    kind: str  # 'final' 'tie' 'target' 'error' 'info'
    text: str
    alert: bool = False


@dataclass(frozen=True)
class UndoRequest:
    """What somebody on another device asks for: to undo a turn, or to switch the dice."""

    text: str
    url: str
    question: str  # what an answer is an answer to
    allows: bool  # the viewer may allow or refuse it
    withdraws: bool  # the viewer asked


@dataclass(frozen=True)
class AbsenceNotice:
    """Somebody who is due and went away, or the viewer, who is back. Without `url` there is nothing to press."""

    text: str
    url: str
    hand: str  # "Let the computer play for Bruno"; "Take over" for who is back
    seat: int | None = None  # the viewer's own that a computer plays, 0-based, as posted


@dataclass(frozen=True)
class RematchCall:
    """Somebody has opened a rematch and is calling the others."""

    text: str  # "Bruno has started a rematch."
    url: str
    button: str  # "Join", "Watch"


@dataclass(frozen=True)
class StatusText:
    """What stands over the dice."""

    title: str  # "Your turn, Ana"
    detail: str  # "Throw 2: 350 points"
    tip: str = ""  # one line of coaching in the first turns, or of help after a bust
    hand_over: bool = False  # somebody else on the same device is to take it


@dataclass(frozen=True)
class KeepRow:
    """A row of Ways to keep."""

    dice: tuple[int, ...]
    linked: tuple[int, ...]  # dice set aside before that the set includes (three pairs across throws)
    points: str
    left: str  # dice left to throw, "1 die"
    bust: str  # "66.7%"
    bar: float  # 0–100
    url: str  # ?keep=2,3
    keep: str  # "3335", as in Tray.choices
    chosen: bool = False
    best: bool = False


@dataclass(frozen=True)
class WaysToKeep:
    """The panel of ways to keep."""

    level: str  # 'off' 'points' 'odds' 'coach'
    rows: tuple[KeepRow, ...]
    more: int = 0  # rows beyond the first eight, behind "Show all"
    more_text: str = ""
    sentence: str = ""


@dataclass(frozen=True)
class ThrowEntry:
    """A throw in the log."""

    number: int
    dice: tuple[tuple[int, bool], ...]  # (face, kept)
    points: str  # "350", "–" on a bust, "" while choosing
    label: str  # for screen readers: "Throw 2: 5 3 3 6 3, kept 5 3 3 3 for 350 points"


@dataclass(frozen=True)
class TurnEntry:
    """A turn, or a change beside the dice, in the log."""

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
    busts: str  # "4 busts, 5.2 were to be expected"


@dataclass(frozen=True)
class DecisionRow:
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
    against: str  # "71.2% instead of 63.1%."; empty for the best choice
    loss: str  # "−8.1%"
    shown: bool = False


@dataclass(frozen=True)
class OptionRow:
    """An option in the table of all of them, best first."""

    dice: tuple[int, ...]
    then: str  # "bank 450", "throw 2 dice"
    win: str  # "47.7%"; empty where chances are not known
    points: str
    bust: str
    best: bool
    chosen: bool


@dataclass(frozen=True)
class ReviewSummary:
    """What the page of a game that is over shows of its review."""

    state: str  # "nothing" to judge, or what find_state says
    progress: str  # "60%"
    figures: tuple[PlayerReview, ...] = ()
    costliest: tuple[DecisionRow, ...] = ()


@dataclass(frozen=True)
class PodiumPlace:
    """Where one player came in."""

    place: int  # 1 for each winner; equal scores share a place
    seat: int
    name: str
    score: str


@dataclass(frozen=True)
class ShortStanding:
    """The standing against somebody at the table, in a few characters and in a sentence."""

    url: str
    standing: str
    sentence: str


@dataclass(frozen=True)
class GameResult:
    """What stands in the place of the tray once a game is over."""

    title: str  # "You win!", "Bruno wins by 550"
    sentence: str  # for people who were not there: "Bruno wins 10,200 to 9,650!"
    places: tuple[PodiumPlace, ...]  # best first
    story: str  # "Ana had the best turn, 1,850."
    facts: tuple[tuple[str, str], ...]  # ("Busts", "9")
    yours: bool = False  # the viewer has won
    rematch_url: str = ""  # "" for viewers who may not; once there is a rematch, the link to it
    rematch_game: str = ""  # address of the rematch that exists already
    review: ReviewSummary | None = None  # accuracy and luck, where the game has been reviewed or is
    heads: tuple[ShortStanding, ...] = ()  # how it stands between the viewer and the others at the table


@dataclass(frozen=True)
class TapPad:
    """Real dice to be laid down face by face."""

    due: int  # how many
    asks: str  # "The faces of the 3 dice you threw, as 1 5 5"
    columns: str  # where they come to lie
    old: tuple[Die, ...]
    upper: str
    lower: str
    next: Button
    pick_up: str = ""  # "Picked up 3 dice: the turn starts from 200", if possible


@dataclass(frozen=True)
class EntryPad:
    """Manual mode: the entry pad for the points of real dice."""

    yours: bool
    url: str
    bank: Button
    bust: Button
    win: Button | None
    pick_up: tuple[int, str] | None  # (dice, text) where the dice of the player before can be picked up
    asks_left: bool  # the rules let the next player pick up: ask how many dice were left
    value: str = ""  # what was typed, after a refusal
    seat: int = 0
    add: Button | None = None
    picked_up: bool = False
    so_far: int = 0
    so_far_text: str = ""  # "turn 450", once throws were added
    entered: DraftButtons | None = None
    tap: TapPad | None = None
    others: str = ""  # what everybody else sees instead
    over: Button | None = None  # every keep went beyond an exact target
    eliminated: Button | None = None
    asks_lost: bool = False  # a bust costs what the turn had gathered
    asks_nothing: bool = False  # a throw of nothing costs more than another bust
    all_dice: int = 6


@dataclass(frozen=True)
class SeatRow:
    """A row of the players panel."""

    seat: int  # 0-based, as posted
    name: str
    level: str  # a computer's, with how it plays
    plays: bool
    yours: bool  # the viewer holds it: may rename, step out or in
    host: bool = False
    contact: str = ""  # "away", where somebody plays it on another device
    handed: bool = False  # a computer plays for a person, who is the viewer
    may_host: bool = False  # the viewer can make the one who sits here the host
    may_move: bool = False  # the viewer can give this seat alone to another device
    heads: str = ""  # address of all games between a viewer who plays and this player
    standing: ShortStanding | None = None  # how it stands between the two, once a game of theirs has counted


@dataclass(frozen=True)
class PlayersPanel:
    """Who sits where, the link, and what else can be done with the game."""

    seats: tuple[SeatRow, ...]
    can_join: bool
    join_why_not: str
    link: str  # absolute address of this game
    invite: str  # the host's link that still gives a seat, '' where there is none
    spoken: str  # the same as three words
    download: str  # '' for spectators of a running game: its file is the players'
    watching: int = 0  # how many spectators
    over: bool = False  # nobody can step out any more
    transfer: bool = False  # the viewer has seats to take to another device
    host: bool = False  # the viewer says who may watch
    open: bool = True  # others than the players may watch
    sealed: bool = True  # dice have been thrown here, or will be: they can be checked
    loaded: bool = False  # its first turns came from a game file


@dataclass(frozen=True)
class HostOptions:
    """The menu's panel during a game, for the host."""

    target: int  # 0 where a number of rounds ends the game
    mode: str  # 'auto' 'manual': how the next turn is played
    hints: str  # 'off' 'points' 'odds' 'coach' '' (each viewer's own)


@dataclass(frozen=True)
class AfterGame:
    """What a player is offered under a finished game."""

    first: bool  # it was their first
    seat: int | None  # whose player still has a default name


@dataclass(frozen=True)
class Board:
    """Everything the game page shows to one viewer."""

    code: str
    version: int
    url: str
    ruleset: str
    ruleset_url: str
    round: str  # "Round 7"
    target: str  # "to 10,000"; "" where rounds end the game
    pot: str  # "Pot 1.45 USD" or ""
    undo: bool
    undo_label: str  # "Undo", or "Ask to undo" where people play on other devices
    cards: tuple[ScoreCard, ...]
    status: StatusText
    live: str  # the one sentence announced after an action
    banner: Banner | None = None
    undo_request: UndoRequest | None = None
    absence: AbsenceNotice | None = None
    rematch_call: RematchCall | None = None
    react_url: str = ""  # where a reaction is posted, for players with people on other devices
    tray: Tray | None = None
    pad: EntryPad | None = None
    finish: GameResult | None = None
    ways: WaysToKeep | None = None
    log: tuple[ThrowEntry, ...] | None = None  # the throws of the running turn
    earlier: tuple[TurnEntry, ...] = ()  # turns and changes before it, newest first
    earlier_more: str = ""  # address of the page that shows all of them
    chart: ScoreChart | None = None
    people: PlayersPanel | None = None
    options: HostOptions | None = None
    yours: bool = False  # it is the turn of a person whose seat the viewer holds
    after: AfterGame | None = None
    pot_paid: tuple[tuple[str, str], ...] = ()  # who has paid how much of it
    coaching: tuple[str, ...] = ()  # what a newcomer reads under the dice in their first turns
    moment: str = ""  # a headline for a short while, "You’re on the board!"
    last_tray: Tray | None = None  # after the end: the last throw, for a page that has not shown it
    sound_cue: str = ""  # the sound to play and its row, "throw 812"; the page plays it when it changes
    presence: str = ""  # who is there now, as one string to compare
