"""States with other players: somebody else's turn, a computer, many players, and names that are hard to fit."""

from dataclasses import replace

from game.pages.board.components import Board
from game.pages.parts.components import Button, Die, ScoreCard, StatusText
from tests.gallery.parts import BOARD, CARDS, DECISION, address


def watched(dice: tuple[Die, ...]) -> tuple[Die, ...]:
    return tuple(replace(d, look="old" if d.look == "old" else "plain") for d in dice)


def other() -> Board:
    tray = replace(DECISION, yours=False, dice=watched(DECISION.dice), bank=None, throw=None, choices={})
    status = StatusText("Ana’s turn", "Throw 2: 350 points")
    return replace(BOARD, undo=False, status=status, tray=tray, options=None)


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
    return replace(BOARD, cards=cards, status=StatusText("*HAL’s turn", "*HAL keeps 350 and throws 1 die."), tray=tray)


def many() -> Board:
    names = ("Ana", "Bruno", "*HAL", "Chloé", "Dimitri", "Emma", "Farid", "Grace", "Hugo", "Ines", "*Deep", "Liv")
    cards = tuple(
        ScoreCard(
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
        BOARD, cards=cards, status=StatusText("Your turn, Farid", "Throw 2: 350 points"), tray=replace(DECISION, seat=7)
    )


def eight() -> Board:
    return replace(many(), cards=many().cards[:8])


def with_name(cards: tuple[ScoreCard, ...], names: tuple[str, ...]) -> tuple[ScoreCard, ...]:
    return tuple(replace(card, name=name) for card, name in zip(cards, names, strict=False))


def long_names() -> Board:
    names = (
        "Maximiliane Wolkenstein",
        "Bartholomew of Zanzibar",
        "*HAL nine thousand deluxe",
        "WWWWWWWWWWWWWWWWWWWWWWWW",
    )
    return replace(
        BOARD, cards=with_name(CARDS, names), status=StatusText(f"Your turn, {names[0]}", "Throw 2: 350 points")
    )


def rtl_names() -> Board:
    names = ("מרים", "عبد الرحمن", "*HAL", "Chloé")
    return replace(BOARD, cards=with_name(CARDS, names), status=StatusText("Your turn, מרים", "Throw 2: 350 points"))
