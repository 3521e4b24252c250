"""The game page as plain values: what each region shows, in the reader's language, before any template is rendered.

Presenters make them from a game's rows and the state of its rules, templates place them, and the gallery of the tests
makes them by hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from game.history.head_to_head import HeadToHead
from game.history.summary import GameEnd
from game.models import Player, ShotRow
from game.pages.parts.components import (
    NOTHING_REFUSED,
    Banner,
    Die,
    DraftButtons,
    RefusedInput,
    ScoreCard,
    ScoreChart,
    StatusText,
    ThrowEntry,
    Tray,
    TurnEntry,
)
from game.pages.review.components import ReviewSummary
from game.rules import Ruleset, State


@dataclass(frozen=True)
class UndoRequest:
    """What somebody on another device asks for: to undo a turn, or to switch the dice."""

    asking: Player
    kind: str  # 'undo', or the mode to switch to: 'manual' 'auto'
    shot: ShotRow | None  # the turn that others are asked to undo, which may still run
    is_running: bool  # a turn with real dice is being entered, which an undo cancels first
    url: str
    question: str  # identifies the question, so that an answer to an earlier one is refused
    allows: bool  # the viewer may allow or refuse it
    withdraws: bool  # the viewer asked


@dataclass(frozen=True)
class AbsenceNotice:
    """Somebody who is due and went away, or the viewer, who is back. Without a `url` there is nothing to press."""

    text: str
    url: str
    hand: str  # "Let the computer play for Bruno"; "Take over" for a viewer who is back
    seat: int | None = None  # the viewer's seat that a computer plays, 0-based, as posted


@dataclass(frozen=True)
class RematchCall:
    """Somebody has opened a rematch and is calling the others."""

    text: str  # "Bruno has started a rematch."
    url: str
    button: str  # "Join", "Watch"


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
    more: str = ""  # "Show all 9", which shows the rows beyond the first four
    sentence: str = ""
    over: bool = False  # a throw may also end the turn without a bust, beyond an exact target


@dataclass(frozen=True)
class PodiumPlace:
    """The place of one player at the end."""

    place: int  # 1 for each winner; equal scores share a place
    seat: int
    name: str
    score: str


@dataclass(frozen=True)
class GameResult:
    """What replaces the tray once a game is over."""

    title: str  # "You win!", "Bruno wins by 550"
    sentence: str  # for people who were not there: "Bruno wins 10,200 to 9,650!"
    places: tuple[PodiumPlace, ...]  # best first
    state: State
    called_you: frozenset[int]  # the viewer's seat, if it needs no name
    by_dice: bool  # dice have won at once
    end: GameEnd  # the best turn, the boldest throw that worked, how often somebody bust
    yours: bool = False  # the viewer has won
    rematch_url: str = ""  # opens a rematch; "" for viewers who may not, and once there is one
    adds_words: bool = True  # dice will fall on screen in a rematch: words can be added to them
    rematch_game: str = ""  # address of the rematch that exists already
    review: ReviewSummary | None = None  # accuracy and luck, or how far the review has come
    heads: Sequence[HeadToHead] = ()  # between the viewer and each of the others at the table


@dataclass(frozen=True)
class TapPad:
    """The pad on which real dice are tapped, face by face."""

    due: int  # how many dice are to be tapped
    columns: str  # in which they will lie, "256"
    old: tuple[Die, ...]
    upper: str
    lower: str
    is_first: bool  # no dice of this turn have been tapped yet


@dataclass(frozen=True)
class TypedTurn:
    """What was entered of a turn with real dice in a form that was refused, to be shown again and corrected."""

    value: str = ""  # the points or faces
    picked_up: bool = False
    dice_left: str = ""
    lost: str = ""  # the points lost in a bust
    nothing: bool = False  # the bust was a throw of nothing


NOTHING_TYPED = TypedTurn()


@dataclass(frozen=True)
class EntryPad:
    """The entry pad for the points of real dice."""

    yours: bool
    url: str
    rules: Ruleset
    offer: tuple[int, int] | None  # (dice, points) of the player before, where they can be picked up
    seat: int
    entered: DraftButtons
    typed: TypedTurn = NOTHING_TYPED  # after a refusal
    picked_up: bool = False
    so_far: int = 0
    gathered: int = 0  # the points of the throws added: what a bust costs where nothing else is typed
    begun: bool = False  # a throw has been added
    asks_lost: bool = False  # a bust costs what the turn had gathered
    tap: TapPad | None = None
    others: str = ""  # what everybody else sees instead


@dataclass(frozen=True)
class SeatRow:
    """A row of the players panel."""

    seat: int  # 0-based, as posted
    name: str
    level: str  # a computer's, with how it plays
    plays: bool
    yours: bool  # the viewer holds it: may rename, step out or in
    host: bool = False
    contact: str = ""  # "away" or "gone", for a player on another device
    handed: bool = False  # a computer plays for a person, who is the viewer
    may_host: bool = False  # the viewer can make this player the host
    may_move: bool = False  # the viewer can give this seat alone to another device
    opposes: bool = False  # the viewer plays, and against this player
    heads: HeadToHead | None = None  # between the two, once a game of theirs has counted


@dataclass(frozen=True)
class PlayersPanel:
    """Who sits where, the link, and what else can be done with the game."""

    seats: tuple[SeatRow, ...]
    can_join: bool
    join_why_not: str
    link: str  # absolute address of this game
    invite: str  # the host's link that still gives a seat, '' if there is none
    spoken: str  # the same as three words
    join: str  # the address at which they are typed
    download: str  # '' for spectators of a running game: its file is the players' and the host's
    watching: int = 0  # how many spectators
    over: bool = False  # nobody can step out any more
    transfer: bool = False  # the viewer has seats, or is the host, and can continue on another device
    leaves: bool = False  # the viewer cannot end or delete the game for the others, only leave it
    host: bool = False  # the viewer decides who may watch
    open: bool = True  # people other than the players may watch
    sealed: bool = True  # dice have been thrown on screen, or will be, and can be checked
    loaded: bool = False  # its first turns came from a game file


@dataclass(frozen=True)
class HostOptions:
    """The menu's panel during a game, for the host."""

    target: int  # 0 where a number of rounds ends the game
    mode: str  # 'auto' 'manual': how the next turn is played
    hints: str  # 'off' 'points' 'odds' 'coach' '' (each viewer's own)


@dataclass(frozen=True)
class AfterGame:
    """What a player is offered below a finished game."""

    first: bool  # it was their first
    seat: int | None  # of the player, while they have a default name; else None
    practises: bool  # positions of theirs are known: not only points were entered


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
    refused: RefusedInput = NOTHING_REFUSED
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
    seated: bool = False  # the viewer holds seats: the game is saved for them
    after: AfterGame | None = None
    pot_paid: tuple[tuple[str, str], ...] = ()  # (name, amount): who has paid how much of it
    coaching: tuple[str, ...] = ()  # what a newcomer reads under the dice in their first turns
    moment: str = ""  # a headline for a short while, "You’re on the board!"
    last_tray: Tray | None = None  # after the end: the last throw, for a page that has not shown it
    sound_cue: str = ""  # the sound and its row, "throw 812"; the page plays the sound when this changes
    presence: str = ""  # who is there now, as one string to compare
