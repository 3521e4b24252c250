"""Every state of the game page with values made by hand: the test bed of the look. With DEBUG only.

`?state=` names the state. A post answers as an action would, with the board of the state named by `to`, so that the page can be
tried, with and without JavaScript, before and beside the real game.
"""

from collections.abc import Callable
from dataclasses import replace

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from game.views.board import (
    Banner,
    Board,
    Button,
    Card,
    Chart,
    Choice,
    Die,
    Finish,
    Line,
    Log,
    LogShot,
    LogThrow,
    Options,
    Pad,
    People,
    Say,
    Seat,
    Tray,
    Way,
    Ways,
)

FACES = ("", "one", "two", "three", "four", "five", "six")
REGIONS = {"top", "options", "banner", "scores", "say", "tray", "ways", "turnlog", "chart", "people"}


def address(state: str, to: str = "", status: int = 200) -> str:
    return f"?state={state}" + (f"&to={to}" if to else "") + (f"&status={status}" if status != 200 else "")


def die(column: int, face: int, look: str, *, checked: bool = False, note: str = "", mark: str = "") -> Die:
    notes = {"dead": "Scores nothing now.", "old": "Kept earlier, 100 points."}
    return Die(
        column=column,
        face=face,
        look=look,
        name=f"Die {column}: {FACES[face]}",
        note=note or notes.get(look, "Part of three 3s, 300 points." if face == 3 else "50 points."),
        checked=checked,
        tumble=(column * 5 + face) % 8,
        mark=mark,
    )


def dice(count: int) -> str:
    return f"{count} die" if count == 1 else f"{count} dice"


RISK = {0: 0, 1: 66.67, 2: 44.44, 3: 27.78, 4: 15.74, 5: 7.72, 6: 2.31}


def throw_button(count: int, to: str = "") -> Button:
    risk = RISK[count]
    return Button(
        f"Throw {dice(count)}", f"{risk:.0f}% bust risk" if risk >= 10 else f"{risk:.1f}% bust risk", meter=risk, url=to
    )


def choice(points: int, kept: int, *, earlier: int = 100, old: int = 1, score: int = 4350) -> Choice:
    total = earlier + points
    left = 6 - old - kept or 6
    return Choice(
        sum=f"{total:,}",
        this=f"{points:,}",
        shown=total,
        upper=f"To throw · {dice(6 - old - kept)}",
        lower=f"Kept · {dice(old + kept)}",
        bank=Button(f"Bank {total:,}", f"makes {score + total:,}") if points else nothing(),
        throw=throw_button(left) if points else Button("Throw", "Keep a scoring die first", does=False),
        spoken=f"Keeping {dice(kept)}: {points} this throw, {total} in all. {left} left to throw, {RISK[left]:.0f} percent bust risk.",
    )


def nothing() -> Button:
    return Button("Bank", "Keep a scoring die first", does=False)


CHOICES = {"3335": choice(350, 4), "333": choice(300, 3), "5": choice(50, 1)}

DECISION = Tray(
    yours=True,
    dice=(
        die(1, 1, "old"),
        die(2, 5, "opt", checked=True),
        die(3, 3, "opt", checked=True),
        die(4, 3, "opt", checked=True),
        die(5, 6, "dead"),
        die(6, 3, "opt", checked=True),
    ),
    upper="To throw · 1 die",
    upper_help="",
    lower="Kept · 5 dice",
    lower_help="gold dice can be thrown again",
    sum="450",
    earlier="100",
    this="350",
    shown=450,
    throw_number=2,
    bank=Button("Bank 450", "makes 4,800", url=address("decision", "fresh")),
    throw=Button("Throw 1 die", "67% bust risk", meter=66.67, url=address("decision", "bust")),
    choices=CHOICES,
    seat=1,
)

RELEASED = replace(
    DECISION,
    dice=(
        DECISION.dice[0],
        die(2, 5, "opt"),
        die(3, 3, "must", checked=True),
        die(4, 3, "must", checked=True),
        DECISION.dice[4],
        die(6, 3, "must", checked=True),
    ),
    upper="To throw · 2 dice",
    lower="Kept · 4 dice",
    sum="400",
    this="300",
    shown=400,
    bank=Button("Bank 400", "9,650 · 550 behind", url=address("released", "fresh")),
    throw=Button("Throw 2 dice", "44% bust risk", meter=44.44, url=address("released", "bust")),
)


def way(faces: str, points: int, left: int, *, chosen: bool = False, best: bool = False, linked: str = "") -> Way:
    return Way(
        dice=tuple(map(int, faces)),
        linked=tuple(map(int, linked)),
        points=f"{points:,}",
        left=left,
        left_text=dice(left),
        bust=f"{RISK[left]:.1f}%",
        bar=RISK[left],
        url=address("decision") + f"&keep={faces}",
        keep=faces,
        chosen=chosen,
        best=best,
    )


WAYS = Ways(
    level="odds",
    rows=(way("3335", 350, 1, chosen=True, best=True), way("333", 300, 2), way("5", 50, 4)),
    sentence="Best on average: keep all four and bank 450.",
)

CARDS = (
    Card(1, "Ana", "4,350", "+450 now", "here", 43.5, 4.5, current=True),
    Card(2, "Bruno", "5,100", "leads", "here", 51, 0),
    Card(3, "*HAL", "3,900", "computer", "computer", 39, 0),
    Card(4, "Chloé", "0", "needs 500", "away", 0, 0),
)

LOG = Log(
    round="round 7",
    throws=(
        LogThrow(1, ((1, True), (3, False), (4, False), (4, False), (2, False), (6, False)), "100", "Throw 1: 1 3 4 4 2 6, kept 1 for 100 points"),
        LogThrow(2, ((5, True), (3, True), (3, True), (6, False), (3, True)), "350", "Throw 2: 5 3 3 6 3, keeping 5 3 3 3 for 350 points"),
    ),
    shots=(
        LogShot("Chloé", 4, "bust on 2 dice, lost 400"),
        LogShot("*HAL", 3, "banked 650 in 3 throws"),
        LogShot("Bruno", 2, "banked 350 in 1 throw", cancelled=True),
        LogShot("", 0, "Target is now 10,000."),
    ),
)


def line(seat: int, name: str, scores: tuple[int, ...]) -> Line:
    points = [(30 + 242 * i / 7, 130 - 120 * score / 10_000) for i, score in enumerate(scores)]
    return Line(
        seat=seat,
        name=name,
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        end_x=round(points[-1][0], 1),
        end_y=round(points[-1][1], 1),
        scores=tuple(f"{score:,}" for score in scores[1:]),
    )


CHART = Chart(
    lines=(
        line(1, "Ana", (0, 500, 1200, 1800, 1800, 3100, 4350)),
        line(2, "Bruno", (0, 600, 600, 2100, 3450, 3450, 4300, 5100)),
        line(3, "*HAL", (0, 0, 500, 1200, 2100, 2600, 3300, 3900)),
        line(4, "Chloé", (0, 0, 0, 0, 0, 0, 0, 0)),
    ),
    ticks_y=((130, "0"), (70, "5k"), (10, "10k")),
    ticks_x=((64.6, "1"), (168.3, "4"), (272, "7")),
    rounds=("1", "2", "3", "4", "5", "6", "7"),
    summary="After round 7: Ana 4,350, Bruno 5,100, *HAL 3,900, Chloé 0.",
)

QR = '<svg viewBox="0 0 29 29" role="img" aria-label="QR code of the link"><path d="' + "".join(
    f"M{x} {y}h1v1h-1z" for y in range(29) for x in range(29) if (x * 7 + y * 13 + x * y) % 3 == 0
) + '"/></svg>'

PEOPLE = People(
    seats=tuple(
        Seat(i, name, name.startswith("*"), "balanced" if name.startswith("*") else "", name != "Chloé", True)
        for i, name in enumerate(("Ana", "Bruno", "*HAL", "Chloé"))
    ),
    can_join=True,
    join_why_not="",
    link="https://10k.example/g/brisk-otter",
    qr=QR,
    download="/g/gallery-of-every-state.json",
)

BOARD = Board(
    code="gallery-of-every-state",
    version=41,
    url="/g/gallery-of-every-state",
    ruleset="Classic 10,000",
    ruleset_url="",
    round="Round 7",
    pot="",
    status="running",
    undo=True,
    cards=CARDS,
    say=Say("Your turn, Ana", "Throw 2: 350 points"),
    live="You threw 5 3 3 6 3. 350 points. 4 dice can be thrown again.",
    tray=DECISION,
    ways=WAYS,
    log=LOG,
    chart=CHART,
    people=PEOPLE,
    options=Options(10_000, "auto", ""),
)

NO_DICE = replace(
    DECISION, dice=(), upper="To throw · 6 dice", lower="Kept · 0 dice", sum="0", earlier="0", this="0", shown=0, throw_number=0, bank=None, choices={}
)
START = Button("Throw 6 dice", "start of your turn", url=address("fresh", "decision"))


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
        ways=replace(WAYS, rows=rows, sentence="You need 1,000 this turn to pass Bruno. Keep the 5 too and throw 1 die: 20% chance."),
        log=replace(LOG, round="round 16", throws=(LOG.throws[0], LogThrow(2, ((5, False), (3, True), (3, True), (6, False), (3, True)), "300", "Throw 2: 5 3 3 6 3, keeping 3 3 3 for 300 points"))),
    )


def fresh() -> Board:
    return replace(
        BOARD,
        version=42,
        cards=tuple(replace(card, current=card.seat == 2, word="" if card.seat == 2 else card.word, risk=0) for card in CARDS),
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
        log=Log("round 1", (), ()),
        chart=None,
        undo=False,
    )


def pickup() -> Board:
    dice = (die(1, 1, "old"), die(2, 5, "old"), die(3, 3, "old"), die(4, 3, "plain", note="Can be picked up."), die(5, 6, "plain", note="Can be picked up."), die(6, 1, "old"))
    return replace(
        fresh(),
        say=Say("Your turn, Bruno", "Two dice are left from Ana."),
        tray=replace(
            NO_DICE, dice=dice, upper="To throw · 2 dice", lower="Kept · 4 dice", throw=START, seat=2,
            pick_up=Button("Pick up 2 dice", "from 700", url=address("pickup", "decision")),
        ),
    )


def bust() -> Board:
    tray = replace(
        NO_DICE,
        dice=(die(1, 1, "old"), die(2, 5, "old"), die(3, 3, "old"), die(4, 3, "old"), die(5, 4, "plain", note="Scores nothing."), die(6, 3, "old")),
        upper="Thrown · 1 die", lower="Kept · 5 dice", lost="450", earlier="450", this="0", throw_number=3, throw=START, seat=2,
    )
    return replace(fresh(), say=Say("Your turn, Bruno", "Bust. 450 points lost.", "Four dice out of six bust one time in six."), tray=tray, live="Bust. 450 points lost. Your turn, Bruno.")


def tries() -> Board:
    tray = replace(
        NO_DICE,
        yours=True,
        dice=(*(die(n, f, "old") for n, f in enumerate((1, 5, 3, 3, 3), 1)), die(6, 4, "plain", note="Try 1 missed.", mark="try")),
        upper="To throw · 1 die", lower="Kept · 5 dice", sum="450", earlier="450", this="0", shown=450, throw_number=4, tries_used=1,
        bank=Button("Bank 450", "Finish your three tries first", does=False), throw=throw_button(1, address("tries", "bust")),
    )
    return replace(BOARD, say=Say("Your turn, Ana", "Try 2 of 3 with one die."), tray=tray, ways=replace(WAYS, rows=(), sentence=""))


def grows() -> Board:
    tray = replace(
        DECISION,
        dice=(die(1, 2, "old"), die(2, 2, "old"), die(3, 5, "opt", checked=True), die(4, 5, "opt", checked=True), die(5, 4, "opt", checked=True, mark="link"), die(6, 4, "opt", checked=True, mark="link")),
        upper="To throw · 0 dice", lower="Kept · 6 dice", choices={"4455": choice(750, 4, old=2), "55": choice(100, 2, old=2), "5": choice(50, 1, old=2)},
    )
    return replace(BOARD, tray=tray, ways=Ways("odds", (way("4455", 750, 6, chosen=True, linked="22"), way("55", 100, 2), way("5", 50, 3)), sentence="Makes three pairs with your kept dice: 750."))


def sweep() -> Board:
    tray = replace(
        NO_DICE, upper="To throw · 6 dice", lower="Kept · 0 dice", sum="1,150", earlier="1,150", this="0", shown=1150,
        bank=Button("Bank 1,150", "All six score: throw again", does=False), throw=throw_button(6, address("sweep", "decision")),
    )
    return replace(BOARD, say=Say("Your turn, Ana", "All six score. Throw them all again: 1,150 so far."), tray=tray, ways=replace(WAYS, rows=(), sentence=""))


def watched(dice: tuple[Die, ...]) -> tuple[Die, ...]:
    return tuple(replace(d, look="old" if d.look == "old" else "plain") for d in dice)


def other() -> Board:
    tray = replace(DECISION, yours=False, dice=watched(DECISION.dice), bank=None, throw=None, choices={})
    return replace(BOARD, undo=False, say=Say("Ana is deciding", "Throw 2: 350 points"), tray=tray, options=None)


def computer() -> Board:
    cards = tuple(replace(card, current=card.seat == 3, word="+450 now" if card.seat == 3 else card.word) for card in CARDS)
    tray = replace(
        DECISION, yours=False, dice=watched(DECISION.dice), bank=None, throw=None, choices={}, seat=3,
        advance=Button("Go on", "*HAL throws 1 die", url=address("computer", "fresh")), pause_ms=600,
    )
    return replace(BOARD, cards=cards, say=Say("*HAL is deciding", "*HAL keeps 350 and throws 1 die."), tray=tray)


def finished() -> Board:
    cards = (
        Card(2, "Bruno", "10,200", "won", "here", 100, 0, won=True), Card(1, "Ana", "9,650", "", "here", 96.5, 0),
        Card(3, "*HAL", "8,050", "computer", "computer", 80.5, 0), Card(4, "Chloé", "6,700", "away", "away", 67, 0),
    )
    facts = (("Best turn", "1,850 · Ana"), ("Bravest", "1 die with 700 · Bruno"), ("Busts", "9"), ("Average banked", "412"))
    return replace(
        BOARD, status="finished", cards=cards, tray=None, ways=None, say=Say("Bruno wins with 10,200, 550 ahead of Ana.", ""),
        finish=Finish("Bruno wins with 10,200, 550 ahead of Ana.", facts, rematch_url=address("fresh")), options=None,
    )


def manual() -> Board:
    pad = Pad(
        yours=True, url=address("manual", "fresh"), start=0, bank=Button("Bank", "adds your points"), bust=Button("Bust", "no points"), win=None,
        pick_up=(2, "Picked up 2 dice, from 700"), asks_left=True, value="350", seat=2,
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
    cards = tuple(Card(i, name, f"{900 * i:,}", "computer" if name[0] == "*" else "+450 now" if i == 7 else "", "computer" if name[0] == "*" else "here", 8.0 * i, 0, current=i == 7) for i, name in enumerate(names, 1))
    return replace(BOARD, cards=cards, say=Say("Your turn, Farid", "Throw 2: 350 points"), tray=replace(DECISION, seat=7))


def eight() -> Board:
    return replace(many(), cards=many().cards[:8])


def long_names() -> Board:
    names = ("Maximiliane Wolkenstein", "Bartholomew of Zanzibar", "*HAL nine thousand deluxe", "WWWWWWWWWWWWWWWWWWWWWWWW")
    return replace(BOARD, cards=with_name(CARDS, names), say=Say(f"Your turn, {names[0]}", "Throw 2: 350 points"))


def rtl_names() -> Board:
    names = ("מרים", "عبد الرحمن", "*HAL", "Chloé")
    return replace(BOARD, cards=with_name(CARDS, names), say=Say("Your turn, מרים", "Throw 2: 350 points"))


def free() -> Board:
    dice = tuple(replace(d, checked=False) if d.look == "opt" else d for d in DECISION.dice)
    empty = choice(0, 0)
    return replace(
        BOARD, tray=replace(DECISION, dice=dice, free=True, sum="100", this="0", shown=100, upper=empty.upper, lower=empty.lower,
                            bank=replace(empty.bank, url=DECISION.bank.url), throw=replace(empty.throw, url=DECISION.throw.url), choices={**CHOICES, "": empty}),
        ways=replace(WAYS, rows=tuple(replace(row, chosen=False) for row in WAYS.rows)),
    )


def entry() -> Board:
    cards = (replace(CARDS[0], score="0", word="+350 now", bar=0, risk=3.5), *CARDS[1:])
    return replace(BOARD, cards=cards, tray=replace(DECISION, bank=Button("Bank 450", "500 needed to get in · 50 more", does=False)))


def ways_many() -> Board:
    keeps = (("111555", 1500, 6), ("11155", 1100, 1), ("1115", 1050, 2), ("111", 1000, 3), ("1555", 600, 2), ("555", 500, 3), ("1155", 300, 2), ("115", 250, 3), ("11", 200, 4), ("155", 200, 3), ("15", 150, 4), ("1", 100, 5), ("55", 100, 4), ("5", 50, 5))
    tray = replace(
        DECISION, dice=tuple(die(i, f, "opt", checked=True) for i, f in enumerate((1, 5, 1, 5, 1, 5), 1)), upper="To throw · 0 dice", lower="Kept · 6 dice",
        sum="1,500", earlier="0", this="1,500", shown=1500, throw_number=1, choices={k: choice(p, len(k), earlier=0, old=0) for k, p, _ in keeps},
        bank=Button("Bank 1,500", "makes 5,850", url=address("ways", "fresh")), throw=throw_button(6, address("ways", "decision")),
    )
    rows = tuple(way(k, p, left, chosen=k == "111555", best=k == "111555") for k, p, left in keeps)
    return replace(BOARD, tray=tray, ways=Ways("odds", rows, more=6, more_text="Show all 14"))


def win() -> Board:
    tray = replace(
        DECISION, dice=tuple(die(i, 1, "must", checked=True, note="Part of six 1s.") for i in range(1, 7)), upper="To throw · 0 dice", lower="Kept · 6 dice",
        bank=None, throw=None, choices={}, win=Button("Six alike", "You win at once", url=address("win", "finished")),
    )
    return replace(BOARD, tray=tray, say=Say("Your turn, Ana", "Six alike."), ways=None)


STATES: dict[str, Callable[[], Board]] = {
    "decision": decision, "released": released, "start": start, "fresh": fresh, "pickup": pickup, "bust": bust, "tries": tries, "grows": grows,
    "sweep": sweep, "other": other, "computer": computer, "finished": finished, "manual": manual, "tie": tie, "pot": pot, "error": error,
    "eight": eight, "many": many, "long": long_names, "rtl": rtl_names, "free": free, "entry": entry, "ways": ways_many, "win": win,
}  # fmt: skip


def gallery(request: HttpRequest) -> HttpResponse:
    """The parts on one page; one state as the whole game page; the answer to an action."""
    if not settings.DEBUG:
        raise Http404
    name = request.GET.get("state", "")
    if not name:
        return render(request, "game/gallery.html", {"states": STATES, "tokens": TOKENS, "faces": range(1, 7)})
    if request.method == "POST":
        return answer(request, request.GET.get("to", name), int(request.GET.get("status", 200)))
    return render(request, "game/game.html", {"board": board_of(name)})


def answer(request: HttpRequest, name: str, status: int) -> HttpResponse:
    if request.headers.get("HX-Request") != "true":
        return HttpResponseRedirect(address(name), status=303)
    if status >= 500 or status in (400, 403, 404, 429):
        return render(request, f"{status}.html", status=status)
    return render(request, "game/board.html", {"board": board_of(name), "regions": REGIONS}, status=status)


def board_of(name: str) -> Board:
    if name not in STATES:
        raise Http404
    return STATES[name]()


TOKENS = (
    "paper card ink ink-2 line line-strong bar felt felt-hi felt-deep felt-line on-felt on-felt-2 die die-lo pip pip-ace die-old die-old-lo pip-old "
    "opt opt-ink throw throw-ink bank bank-ink good bust focus focus-edge p1 p2 p3 p4 p5 p6 p7 p8"
).split()
