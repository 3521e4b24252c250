"""Every state of the game page, each a variation of one decision."""

from collections.abc import Callable
from dataclasses import replace

from game.views.board import Banner, Board, Button, Card, Die, Finish, Log, LogThrow, Pad, Say, Ways
from game.views.gallery.parts import (
    BOARD,
    CARDS,
    CHOICES,
    DECISION,
    LOG,
    NO_DICE,
    RELEASED,
    START,
    WAYS,
    address,
    choice,
    die,
    throw_button,
    way,
)
from game.views.review.values import Figures, Row, Short


def with_name(cards: tuple[Card, ...], names: tuple[str, ...]) -> tuple[Card, ...]:
    return tuple(replace(card, name=name) for card, name in zip(cards, names, strict=False))


def decision() -> Board:
    return BOARD


def released() -> Board:
    """The picture of the final round: one optional die released."""
    cards = (
        Card(1, "Ana", "9,250", "+400 now", "here", 92.5, 4, current=True),
        Card(2, "Bruno", "10,200", "leads", "here", 100, 0),
        Card(3, "*HAL", "8,050", "played", "computer", 80.5, 0),
        Card(4, "Chloé", "6,700", "played", "away", 67, 0),
    )
    rows = (way("3335", 350, 1, best=True), way("333", 300, 2, chosen=True), way("5", 50, 4))
    return replace(
        BOARD,
        round="Round 16",
        cards=cards,
        say=Say("Your turn, Ana", "Throw 2: 300 points"),
        banner=Banner("final", "Final round. Bruno has 10,200. You have one turn left."),
        tray=RELEASED,
        ways=replace(
            WAYS,
            rows=rows,
            sentence="You need 1,000 this turn to pass Bruno. Keep the 5 too and throw 1 die: 20% chance.",
        ),
        log=replace(
            LOG,
            round="round 16",
            throws=(
                LOG.throws[0],
                LogThrow(
                    2,
                    ((5, False), (3, True), (3, True), (6, False), (3, True)),
                    "300",
                    "Throw 2: 5 3 3 6 3, keeping 3 3 3 for 300 points",
                ),
            ),
        ),
    )


def fresh() -> Board:
    return replace(
        BOARD,
        version=42,
        cards=tuple(
            replace(card, current=card.seat == 2, word="" if card.seat == 2 else card.word, risk=0) for card in CARDS
        ),
        say=Say("Your turn, Bruno", "Pass to Bruno."),
        live="Ana banked 450. Score 4,800. Your turn, Bruno.",
        tray=replace(NO_DICE, throw=START, seat=2),
        ways=replace(WAYS, rows=(), sentence=""),
        log=replace(LOG, throws=()),
    )


def start() -> Board:
    return replace(
        fresh(),
        cards=CARDS[:1],
        say=Say("Your turn, Ana", "", "You need 500 in one turn to get in."),
        earlier=None,
        log=Log("round 1", ()),
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
        say=Say("Your turn, Bruno", "Two dice are left from Ana."),
        tray=replace(
            NO_DICE,
            dice=dice,
            upper="To throw · 2 dice",
            lower="Kept · 4 dice",
            throw=START,
            seat=2,
            pick_up=Button("Pick up 2 dice", "from 700", url=address("pickup", "decision")),
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
        say=Say("Your turn, Bruno", "Bust. 450 points lost.", "Four dice out of six bust one time in six."),
        tray=tray,
        live="Bust. 450 points lost. Your turn, Bruno.",
    )


def tries() -> Board:
    tray = replace(
        NO_DICE,
        yours=True,
        dice=(
            *(die(n, f, "old") for n, f in enumerate((1, 5, 3, 3, 3), 1)),
            die(6, 4, "plain", note="Try 1 missed.", mark="try"),
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
        say=Say("Your turn, Ana", "Try 2 of 3 with one die."),
        tray=tray,
        ways=replace(WAYS, rows=(), sentence=""),
    )


def grows() -> Board:
    tray = replace(
        DECISION,
        dice=(
            die(1, 2, "old"),
            die(2, 2, "old"),
            die(3, 5, "opt", checked=True),
            die(4, 5, "opt", checked=True),
            die(5, 4, "opt", checked=True, mark="link"),
            die(6, 4, "opt", checked=True, mark="link"),
        ),
        upper="To throw · 0 dice",
        lower="Kept · 6 dice",
        choices={"4455": choice(750, 4, old=2), "55": choice(100, 2, old=2), "5": choice(50, 1, old=2)},
    )
    return replace(
        BOARD,
        tray=tray,
        ways=Ways(
            "odds",
            (way("4455", 750, 6, chosen=True, linked="22"), way("55", 100, 2), way("5", 50, 3)),
            sentence="Makes three pairs with your kept dice: 750.",
        ),
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
        bank=Button("Bank 1,150", "All six score: throw again", does=False),
        throw=throw_button(6, address("sweep", "decision")),
    )
    return replace(
        BOARD,
        say=Say("Your turn, Ana", "All six score. Throw them all again: 1,150 so far."),
        tray=tray,
        ways=replace(WAYS, rows=(), sentence=""),
    )


def watched(dice: tuple[Die, ...]) -> tuple[Die, ...]:
    return tuple(replace(d, look="old" if d.look == "old" else "plain") for d in dice)


def other() -> Board:
    tray = replace(DECISION, yours=False, dice=watched(DECISION.dice), bank=None, throw=None, choices={})
    return replace(BOARD, undo=False, say=Say("Ana is deciding", "Throw 2: 350 points"), tray=tray, options=None)


def computer() -> Board:
    cards = tuple(
        replace(card, current=card.seat == 3, word="+450 now" if card.seat == 3 else card.word) for card in CARDS
    )
    tray = replace(
        DECISION,
        yours=False,
        dice=watched(DECISION.dice),
        bank=None,
        throw=None,
        choices={},
        seat=3,
        advance=Button("Go on", "*HAL throws 1 die", url=address("computer", "fresh")),
        pause_ms=600,
    )
    return replace(BOARD, cards=cards, say=Say("*HAL is deciding", "*HAL keeps 350 and throws 1 die."), tray=tray)


def judged(round_: int, mark: str, word: str) -> Row:
    where, url = f"Round {round_}, throw 2", address("finished")
    return Row(round_, url, url, 1, "Ana", f"{round_}.2", where, mark, word, "Kept 5.", "Better: keep 1 1.", "", "−7%")


REVIEW = Short(
    "done",
    "",
    (
        Figures(1, "Ana", False, "91", 91, "+450", 50, 22.5, "+0.12", "4 busts"),
        Figures(2, "Bruno", False, "84", 84, "−600", 20, 30, "−0.2", "5 busts"),
    ),
    (judged(6, "??", "blunder"), judged(9, "?", "mistake")),
)


def finished() -> Board:
    cards = (
        Card(2, "Bruno", "10,200", "won", "here", 100, 0, won=True),
        Card(1, "Ana", "9,650", "", "here", 96.5, 0),
        Card(3, "*HAL", "8,050", "computer", "computer", 80.5, 0),
        Card(4, "Chloé", "6,700", "away", "away", 67, 0),
    )
    facts = (
        ("Best turn", "1,850 · Ana"),
        ("Bravest", "1 die with 700 · Bruno"),
        ("Busts", "9"),
        ("Average banked", "412"),
    )
    return replace(
        BOARD,
        status="finished",
        cards=cards,
        tray=None,
        ways=None,
        say=Say("Bruno wins with 10,200, 550 ahead of Ana.", ""),
        finish=Finish("Bruno wins with 10,200, 550 ahead of Ana.", facts, rematch_url=address("fresh"), review=REVIEW),
        options=None,
    )


def manual() -> Board:
    pad = Pad(
        yours=True,
        url=address("manual", "fresh"),
        bank=Button("Bank", "adds your points"),
        bust=Button("Bust", "no points"),
        win=None,
        pick_up=(2, "Picked up 2 dice, from 700"),
        asks_left=True,
        value="350",
        seat=2,
    )
    return replace(fresh(), say=Say("Bruno’s turn", "Type the points of the turn."), tray=None, pad=pad, ways=None)


def tie() -> Board:
    return replace(released(), banner=Banner("tie", "Tie at 10,400. Everyone plays one more round."))


def pot() -> Board:
    return replace(BOARD, pot="Pot 1.45", say=Say("Your turn, Ana", "Ana adds 0.05 to the pot."))


def error() -> Board:
    return replace(BOARD, banner=Banner("error", "The game has moved on. Nothing was changed.", alert=True))


def many() -> Board:
    names = ("Ana", "Bruno", "*HAL", "Chloé", "Dimitri", "Emma", "Farid", "Grace", "Hugo", "Ines", "*Deep", "Liv")
    cards = tuple(
        Card(
            i,
            name,
            f"{900 * i:,}",
            "computer" if name[0] == "*" else "+450 now" if i == 7 else "",
            "computer" if name[0] == "*" else "here",
            8.0 * i,
            0,
            current=i == 7,
        )
        for i, name in enumerate(names, 1)
    )
    return replace(
        BOARD, cards=cards, say=Say("Your turn, Farid", "Throw 2: 350 points"), tray=replace(DECISION, seat=7)
    )


def eight() -> Board:
    return replace(many(), cards=many().cards[:8])


def long_names() -> Board:
    names = (
        "Maximiliane Wolkenstein",
        "Bartholomew of Zanzibar",
        "*HAL nine thousand deluxe",
        "WWWWWWWWWWWWWWWWWWWWWWWW",
    )
    return replace(BOARD, cards=with_name(CARDS, names), say=Say(f"Your turn, {names[0]}", "Throw 2: 350 points"))


def rtl_names() -> Board:
    names = ("מרים", "عبد الرحمن", "*HAL", "Chloé")
    return replace(BOARD, cards=with_name(CARDS, names), say=Say("Your turn, מרים", "Throw 2: 350 points"))


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
            bank=replace(empty.bank, url=DECISION.bank.url),
            throw=replace(empty.throw, url=DECISION.throw.url),
            choices={**CHOICES, "": empty},
        ),
        ways=replace(WAYS, rows=tuple(replace(row, chosen=False) for row in WAYS.rows)),
    )


def entry() -> Board:
    cards = (replace(CARDS[0], score="0", word="+350 now", bar=0, risk=3.5), *CARDS[1:])
    return replace(
        BOARD,
        cards=cards,
        tray=replace(DECISION, bank=Button("Bank 450", "500 needed to get in · 50 more", does=False)),
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
    return replace(BOARD, tray=tray, ways=Ways("odds", rows, more=6, more_text="Show all 14"))


def win() -> Board:
    tray = replace(
        DECISION,
        dice=tuple(die(i, 1, "must", checked=True, note="Part of six 1s.") for i in range(1, 7)),
        upper="To throw · 0 dice",
        lower="Kept · 6 dice",
        bank=Button("Win", "six alike win at once", url=address("bank", "finished")),
        throw=Button("Throw", "six alike win at once", does=False, url=address("throw", "decision")),
        choices={},
    )
    return replace(BOARD, tray=tray, say=Say("Your turn, Ana", "Six alike."), ways=None)


STATES: dict[str, Callable[[], Board]] = {
    "decision": decision,
    "released": released,
    "start": start,
    "fresh": fresh,
    "pickup": pickup,
    "bust": bust,
    "tries": tries,
    "grows": grows,
    "sweep": sweep,
    "other": other,
    "computer": computer,
    "finished": finished,
    "manual": manual,
    "tie": tie,
    "pot": pot,
    "error": error,
    "eight": eight,
    "many": many,
    "long": long_names,
    "rtl": rtl_names,
    "free": free,
    "entry": entry,
    "ways": ways_many,
    "win": win,
}
