"""States of the game as a whole: its pot, a refusal, a tie, and its end."""

from dataclasses import replace

from game.history.summary import GameEnd
from game.pages.board.components import Board, GameResult, PodiumPlace
from game.pages.parts.components import Banner, ScoreCard, StatusText
from game.pages.review.components import DecisionRow, PlayerReview, ReviewSummary
from game.rules import Entry, new_game, preset
from tests.gallery.parts import BOARD, address
from tests.gallery.states.choosing import released


def pot() -> Board:
    return replace(
        BOARD,
        pot="Pot 1.45 USD",
        pot_paid=(("Ana", "0.75"), ("Bruno", "0.70")),
        status=StatusText("Your turn, Ana", "Ana adds 0.05 to the pot."),
    )


def error() -> Board:
    return replace(BOARD, banner=Banner("error", "Someone moved first, so your tap didn’t count."))


def tie() -> Board:
    return replace(released(), banner=Banner("tie", "Tie at 10,400. Everyone plays one more round."))


def judged(round_: int, mark: str, word: str) -> DecisionRow:
    where, url = f"Round {round_}, throw 2", address("finished")
    return DecisionRow(url, url, 1, "Ana", f"{round_}.2", where, mark, word, "Kept 5.", "Better: keep 1 1.", "", "−7%")


REVIEW = ReviewSummary(
    "done",
    "",
    (
        PlayerReview(1, "Ana", False, "91", 91, "+450", 50, 22.5, "+0.12", "4 busts"),
        PlayerReview(2, "Bruno", False, "84", 84, "−600", 20, 30, "−0.2", "5 busts"),
    ),
    (judged(6, "??", "blunder"), judged(9, "?", "mistake")),
)


def finished() -> Board:
    cards = (
        ScoreCard(2, "Bruno", "10,200", "won", "here", 100, 0, won=True),
        ScoreCard(1, "Ana", "9,650", "", "here", 96.5, 0),
        ScoreCard(3, "*HAL", "8,050", "computer", "computer", 80.5, 0),
        ScoreCard(4, "Chloé", "6,700", "away", "away", 67, 0),
    )
    places = tuple(PodiumPlace(place, card.seat, card.name, card.score) for place, card in enumerate(cards, 1))
    end = GameEnd((1850, 0), (1, 700, 1), 9, 412, scores=(), steps=30, outcome="bank", seats_with_dice=frozenset())
    return replace(
        BOARD,
        cards=cards,
        tray=None,
        ways=None,
        status=StatusText("Bruno wins 10,200 to 9,650!", ""),
        finish=GameResult(
            "Bruno wins by 550",
            "Bruno wins with 10,200!",
            places,
            new_game(preset("classic"), [Entry(name) for name in ("Ana", "Bruno", "*HAL", "Chloé")]).state,
            called_you=frozenset(),
            by_dice=False,
            end=end,
            rematch_url=address("fresh"),
            review=REVIEW,
        ),
        options=None,
    )
