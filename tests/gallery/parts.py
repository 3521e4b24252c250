"""One decision with values made by hand, and the helpers that make the other states from it."""

from dataclasses import replace

from markupsafe import Markup

from game.pages.board.components import Board, HostOptions, KeepRow, PlayersPanel, SeatRow, WaysToKeep
from game.pages.parts.components import (
    Button,
    Die,
    KeepChoice,
    ScoreCard,
    ScoreChart,
    ScoreLine,
    StatusText,
    ThrowEntry,
    Tray,
    TurnEntry,
)

FACES = ("", "one", "two", "three", "four", "five", "six")


def address(state: str, to: str = "", status: int = 200) -> str:
    return f"?state={state}" + (f"&to={to}" if to else "") + (f"&status={status}" if status != 200 else "")


def die(column: int, face: int, look: str, *, checked: bool = False, note: str = "", has_tries: bool = False) -> Die:
    notes = {"dead": "Scores nothing now.", "old": "Kept earlier, 100 points."}
    return Die(
        column=column,
        face=face,
        look=look,
        name=f"Die {column}: {FACES[face]}",
        note=note or notes.get(look, "Part of three 3s, 300 points." if face == 3 else "50 points."),
        checked=checked,
        tumble=(column * 5 + face) % 8,
        has_tries=has_tries,
    )


def dice(count: int) -> str:
    return f"{count} die" if count == 1 else f"{count} dice"


RISK = {0: 0, 1: 66.67, 2: 44.44, 3: 27.78, 4: 15.74, 5: 7.72, 6: 2.31}


def throw_button(count: int, to: str = "") -> Button:
    risk = RISK[count]
    return Button(
        f"Throw {dice(count)}", f"{risk:.0f}% bust risk" if risk >= 10 else f"{risk:.1f}% bust risk", meter=risk, url=to
    )


def choice(points: int, kept: int, *, earlier: int = 100, old: int = 1, score: int = 4350) -> KeepChoice:
    total = earlier + points
    left = 6 - old - kept or 6
    return KeepChoice(
        sum=f"{total:,}",
        this=f"{points:,}",
        shown=total,
        upper=f"To throw · {dice(6 - old - kept)}",
        lower=f"Kept · {dice(old + kept)}",
        bank=Button(f"Bank {total:,}", f"makes {score + total:,}") if points else nothing(),
        throw=throw_button(left) if points else Button("Throw", "Keep a scoring die first", does=False),
        spoken=f"Keeping {dice(kept)}: {points} this throw, {total} in all. "
        f"{left} left to throw, {RISK[left]:.0f} percent bust risk.",
        detail=f"Throw 2: {points:,} points",
        word=f"+{total:,} now",
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
    lower="Kept · 5 dice",
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


def way(faces: str, points: int, left: int, *, chosen: bool = False, best: bool = False, linked: str = "") -> KeepRow:
    return KeepRow(
        dice=tuple(map(int, faces)),
        linked=tuple(map(int, linked)),
        points=f"{points:,}",
        left=dice(left),
        bust=f"{RISK[left]:.1f}%",
        bar=RISK[left],
        url=address("decision") + f"&keep={faces}",
        keep=faces,
        chosen=chosen,
        best=best,
    )


WAYS = WaysToKeep(
    level="coach",
    rows=(way("3335", 350, 1, chosen=True, best=True), way("333", 300, 2), way("5", 50, 4)),
    sentence="Best on average: keep all four and bank 450.",
)

CARDS = (
    ScoreCard(1, "Ana", "4,350", "+450 now", "here", 43.5, 4.5, current=True),
    ScoreCard(2, "Bruno", "5,100", "leads", "here", 51, 0),
    ScoreCard(3, "*HAL", "3,900", "computer", "computer", 39, 0),
    ScoreCard(4, "Chloé", "0", "needs 500", "away", 0, 0),
)

LOG = (
    ThrowEntry(
        1,
        ((1, True), (3, False), (4, False), (4, False), (2, False), (6, False)),
        "100",
        "Throw 1: 1 3 4 4 2 6, kept 1 for 100 points",
    ),
    ThrowEntry(
        2,
        ((5, True), (3, True), (3, True), (6, False), (3, True)),
        "350",
        "Throw 2: 5 3 3 6 3, keeping 5 3 3 3 for 350 points",
    ),
)

EARLIER = (
    TurnEntry(4, Markup("<b>Chloé</b> busted and lost 400")),
    TurnEntry(3, Markup("<b>*HAL</b> banked 650 in 3 throws")),
    TurnEntry(2, Markup("<b>Bruno</b> banked 350 in 1 throw"), cancelled=True),
    TurnEntry(0, "The target is now 10,000."),
)


def line(seat: int, name: str, scores: tuple[int, ...]) -> ScoreLine:
    points = [(30 + 242 * i / 7, 130 - 120 * score / 10_000) for i, score in enumerate(scores)]
    return ScoreLine(
        seat=seat,
        name=name,
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        end_x=round(points[-1][0], 1),
        end_y=round(points[-1][1], 1),
        scores=tuple(f"{score:,}" for score in scores[1:]),
    )


CHART = ScoreChart(
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

PEOPLE = PlayersPanel(
    seats=tuple(
        SeatRow(i, name, "Balanced: calm" if name.startswith("*") else "", name != "Chloé", True)
        for i, name in enumerate(("Ana", "Bruno", "*HAL", "Chloé"))
    ),
    can_join=True,
    join_why_not="",
    invite="",
    spoken="",
    join="https://10k.example/join",
    link="https://10k.example/g/brisk-otter",
    download="/g/gallery-of-every-state.json",
)

BOARD = Board(
    code="gallery-of-every-state",
    version=41,
    url="/g/gallery-of-every-state",
    ruleset="Classic 10,000",
    ruleset_url="",
    round="Round 7",
    target="to 10,000",
    pot="",
    undo=True,
    undo_label="Undo",
    cards=CARDS,
    status=StatusText("Your turn, Ana", "Throw 2: 350 points"),
    live="You threw 5 3 3 6 3. 350 points. 4 dice can be thrown again.",
    tray=DECISION,
    ways=WAYS,
    log=LOG,
    earlier=EARLIER,
    chart=CHART,
    people=PEOPLE,
    options=HostOptions(10_000, "auto", ""),
)

NO_DICE = replace(
    DECISION,
    dice=(),
    upper="To throw · 6 dice",
    lower="Kept · 0 dice",
    sum="0",
    earlier="0",
    this="0",
    shown=0,
    throw_number=0,
    bank=None,
    choices={},
)
START = Button("Throw 6 dice", "your turn", url=address("fresh", "decision"))
