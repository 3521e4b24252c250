"""States in which the player who is due chooses dice after a throw."""

from dataclasses import replace

from game.pages.board.components import Board, WaysToKeep
from game.pages.parts.components import Banner, Button, ScoreCard, StatusText, ThrowEntry
from tests.gallery.parts import (
    BOARD,
    CARDS,
    CHOICES,
    DECISION,
    LOG,
    RELEASED,
    WAYS,
    address,
    choice,
    die,
    throw_button,
    way,
)
from tests.known import known


def decision() -> Board:
    return BOARD


def released() -> Board:
    """Return the final round, with one optional die released."""
    cards = (
        ScoreCard(1, "Ana", "9,250", "+400 now", "here", 92.5, 4, current=True),
        ScoreCard(2, "Bruno", "10,200", "leads", "here", 100, 0),
        ScoreCard(3, "*HAL", "8,050", "played", "computer", 80.5, 0),
        ScoreCard(4, "Chloé", "6,700", "played", "away", 67, 0),
    )
    rows = (way("3335", 350, 1, best=True), way("333", 300, 2, chosen=True), way("5", 50, 4))
    return replace(
        BOARD,
        round="Round 16",
        cards=cards,
        status=StatusText("Your turn, Ana", "Throw 2: 300 points"),
        banner=Banner("final", "Final round. Bruno has 10,200. You have one turn left."),
        tray=RELEASED,
        ways=replace(
            WAYS,
            rows=rows,
            sentence="You need 1,000 this turn to pass Bruno. Keep the 5 too and throw 1 die: 20% chance.",
        ),
        log=(
            LOG[0],
            ThrowEntry(
                2,
                ((5, False), (3, True), (3, True), (6, False), (3, True)),
                "300",
                "Throw 2: 5 3 3 6 3, keeping 3 3 3 for 300 points",
            ),
        ),
    )


def proving() -> Board:
    """Return the last of ten rounds with five dice, with hot dice and points that are to be proved."""
    lying = (
        die(1, 3, "old"),
        die(2, 3, "old"),
        die(3, 3, "old"),
        die(4, 1, "opt", checked=True),
        die(5, 5, "opt", checked=True),
    )
    chosen = replace(choice(150, 2, earlier=300, old=3), bank=Button("Bank 450", "makes 4,800"))
    return replace(
        BOARD,
        round="Round 10 of 10",
        target="",
        status=StatusText("Your turn, Ana", "Hot dice! Bank 450, or throw all five again."),
        banner=Banner("final", "Last round: the highest score wins. Bruno has 6,050."),
        tray=replace(
            DECISION,
            dice=lying,
            all_dice=5,
            notes=("To prove: a single die", "Growing: 3 3 3"),
            upper="To throw · 5 dice",
            lower="Kept · 0 dice",
            earlier="300",
            this="150",
            throw=Button("Throw all five", "7.7% bust risk, costs 1,000", meter=7.7, url=address("decision", "bust")),
            choices={"15": chosen, "1": choice(100, 1, earlier=300, old=3), "5": choice(50, 1, earlier=300, old=3)},
            hot=True,
        ),
        ways=replace(WAYS, rows=(way("15", 150, 5, chosen=True), way("1", 100, 1), way("5", 50, 1)), more=""),
        log=LOG[:1],
    )


def grows() -> Board:
    tray = replace(
        DECISION,
        dice=(
            die(1, 2, "old"),
            die(2, 2, "old"),
            die(3, 5, "opt", checked=True),
            die(4, 5, "opt", checked=True),
            die(5, 4, "opt", checked=True),
            die(6, 4, "opt", checked=True),
        ),
        upper="To throw · 0 dice",
        lower="Kept · 6 dice",
        choices={"4455": choice(750, 4, old=2), "55": choice(100, 2, old=2), "5": choice(50, 1, old=2)},
    )
    return replace(
        BOARD,
        tray=tray,
        ways=WaysToKeep(
            "odds",
            (way("4455", 750, 6, chosen=True, linked="22"), way("55", 100, 2), way("5", 50, 3)),
            sentence="Makes three pairs with your kept dice: 750.",
        ),
    )


def free() -> Board:
    dice = tuple(replace(d, checked=False) if d.look == "opt" else d for d in DECISION.dice)
    empty = choice(0, 0)
    return replace(
        BOARD,
        tray=replace(
            DECISION,
            dice=dice,
            free=True,
            sum="100",
            this="0",
            shown=100,
            upper=empty.upper,
            lower=empty.lower,
            bank=replace(empty.bank, url=known(DECISION.bank).url),
            throw=replace(empty.throw, url=known(DECISION.throw).url),
            choices={**CHOICES, "": empty},
        ),
        ways=replace(WAYS, rows=tuple(replace(row, chosen=False) for row in WAYS.rows)),
    )


def entry() -> Board:
    cards = (replace(CARDS[0], score="0", word="+350 now", bar=0, risk=3.5), *CARDS[1:])
    return replace(
        BOARD,
        cards=cards,
        tray=replace(DECISION, bank=Button("Bank 450", "First bank: 500+ · 50 to go", does=False)),
    )


def ways_many() -> Board:
    keeps = (
        ("111555", 1500, 6),
        ("11155", 1100, 1),
        ("1115", 1050, 2),
        ("111", 1000, 3),
        ("1555", 600, 2),
        ("555", 500, 3),
        ("1155", 300, 2),
        ("115", 250, 3),
        ("11", 200, 4),
        ("155", 200, 3),
        ("15", 150, 4),
        ("1", 100, 5),
        ("55", 100, 4),
        ("5", 50, 5),
    )
    tray = replace(
        DECISION,
        dice=tuple(die(i, f, "opt", checked=True) for i, f in enumerate((1, 5, 1, 5, 1, 5), 1)),
        upper="To throw · 0 dice",
        lower="Kept · 6 dice",
        sum="1,500",
        earlier="0",
        this="1,500",
        shown=1500,
        throw_number=1,
        choices={k: choice(p, len(k), earlier=0, old=0) for k, p, _ in keeps},
        bank=Button("Bank 1,500", "makes 5,850", url=address("ways", "fresh")),
        throw=throw_button(6, address("ways", "decision")),
    )
    rows = tuple(way(k, p, left, chosen=k == "111555", best=k == "111555") for k, p, left in keeps)
    return replace(BOARD, tray=tray, ways=WaysToKeep("odds", rows, more="Show all 14"))


def win() -> Board:
    tray = replace(
        DECISION,
        dice=tuple(die(i, 1, "must", checked=True, note="Part of six 1s.") for i in range(1, 7)),
        upper="To throw · 0 dice",
        lower="Kept · 6 dice",
        bank=Button("Win", "six of a kind wins", url=address("bank", "finished")),
        throw=Button("Throw", "six of a kind wins", does=False, url=address("throw", "decision")),
        choices={},
    )
    return replace(BOARD, tray=tray, status=StatusText("Your turn, Ana", "Six of a kind!"), ways=None)
