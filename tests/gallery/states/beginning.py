"""States without dice to choose from: before the first throw of a turn, and between throws."""

from dataclasses import replace

from game.pages.board.components import Board, EntryPad, TypedTurn
from game.pages.parts.components import Button, DraftButtons, StatusText
from game.rules import preset
from tests.gallery.parts import BOARD, CARDS, NO_DICE, START, WAYS, address, die, throw_button


def fresh() -> Board:
    return replace(
        BOARD,
        version=42,
        cards=tuple(
            replace(card, current=card.seat == 2, word="" if card.seat == 2 else card.word, risk=0) for card in CARDS
        ),
        status=StatusText("Your turn, Bruno", "Pass to Bruno."),
        live="Ana banked 450. Score 4,800. Your turn, Bruno.",
        tray=replace(NO_DICE, throw=START, seat=2),
        ways=replace(WAYS, rows=(), sentence=""),
        log=(),
    )


def start() -> Board:
    return replace(
        fresh(),
        cards=CARDS[:1],
        status=StatusText("Your turn, Ana", "", "Your first bank must be at least 500."),
        earlier=(),
        log=(),
        chart=None,
        undo=False,
    )


def pickup() -> Board:
    dice = (
        die(1, 1, "old"),
        die(2, 5, "old"),
        die(3, 3, "old"),
        die(4, 3, "plain", note="Can be picked up."),
        die(5, 6, "plain", note="Can be picked up."),
        die(6, 1, "old"),
    )
    return replace(
        fresh(),
        status=StatusText("Your turn, Bruno", "Two dice are left from Ana."),
        tray=replace(
            NO_DICE,
            dice=dice,
            upper="To throw · 2 dice",
            lower="Kept · 4 dice",
            throw=START,
            seat=2,
            pick_up=Button("Pick up 2 dice", "from 700 · 44% bust risk", url=address("pickup", "decision")),
        ),
    )


def bust() -> Board:
    tray = replace(
        NO_DICE,
        dice=(
            die(1, 1, "old"),
            die(2, 5, "old"),
            die(3, 3, "old"),
            die(4, 3, "old"),
            die(5, 4, "plain", note="Scores nothing."),
            die(6, 3, "old"),
        ),
        upper="Thrown · 1 die",
        lower="Kept · 5 dice",
        lost="450",
        earlier="450",
        this="0",
        throw_number=3,
        throw=START,
        seat=2,
    )
    return replace(
        fresh(),
        status=StatusText("Your turn, Bruno", "Bust! 450 points lost.", "Four dice out of six bust one time in six."),
        tray=tray,
        live="Bust! 450 points lost. Your turn, Bruno.",
    )


def tries() -> Board:
    tray = replace(
        NO_DICE,
        yours=True,
        dice=(
            *(die(n, f, "old") for n, f in enumerate((1, 5, 3, 3, 3), 1)),
            die(6, 4, "plain", note="Try 1 missed.", has_tries=True),
        ),
        upper="To throw · 1 die",
        lower="Kept · 5 dice",
        sum="450",
        earlier="450",
        this="0",
        shown=450,
        throw_number=4,
        tries_used=1,
        bank=Button("Bank 450", "Finish your three tries first", does=False),
        throw=throw_button(1, address("tries", "bust")),
    )
    return replace(
        BOARD,
        status=StatusText("Your turn, Ana", "Try 2 of 3 with one die."),
        tray=tray,
        ways=replace(WAYS, rows=(), sentence=""),
    )


def sweep() -> Board:
    tray = replace(
        NO_DICE,
        upper="To throw · 6 dice",
        lower="Kept · 0 dice",
        sum="1,150",
        earlier="1,150",
        this="0",
        shown=1150,
        bank=Button("Bank 1,150", "Hot dice: throw them all", does=False),
        throw=throw_button(6, address("sweep", "decision")),
    )
    return replace(
        BOARD,
        status=StatusText("Your turn, Ana", "Hot dice! Throw all six again: 1,150 so far."),
        tray=tray,
        ways=replace(WAYS, rows=(), sentence=""),
    )


def manual() -> Board:
    pad = EntryPad(
        yours=True,
        url=address("manual", "fresh"),
        rules=preset("wikipedia"),
        offer=(2, 700),
        seat=2,
        entered=DraftButtons(address("manual"), "type"),
        typed=TypedTurn("350"),
    )
    return replace(
        fresh(), status=StatusText("Bruno’s turn", "Type the points of the turn."), tray=None, pad=pad, ways=None
    )
