"""The end of a game: who won, everybody's place, its story, and the way to the next one."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from game import history
from game.history.evenings import pay_in
from game.history.fair import falls_on_screen
from game.history.head_to_head import HeadToHead
from game.history.reviews import find_review
from game.pages.parts.head_to_head import list_heads
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.score_chart import build_score_chart
from game.pages.parts.text import describe_winner, join_names, number
from game.pages.parts.view_of_game import ViewerGame
from game.pages.review.components import ReviewSummary
from game.pages.review.summary import summarise_review
from game.rules import State

PICTURED_MOST = 6  # players on the picture; more would be too small to read


@dataclass(frozen=True)
class GameResult:
    """What replaces the tray once a game is over."""

    title: str  # "You win!", "Bruno wins by 550"
    sentence: str  # for people who were not there: "Bruno wins 10,200 to 9,650!"
    places: Sequence[tuple[int, int]]  # each place and its seat, best first
    yours: bool  # the viewer has won
    adds_words: bool  # dice will fall on screen in a rematch: words can be added to them
    review: ReviewSummary  # accuracy and luck, or how far the review has come
    heads: Sequence[HeadToHead]  # between the viewer and each of the others at the table


def build_result(game: ViewerGame) -> GameResult:
    """Return what replaces the tray once a game is over."""
    state, computers = game.state, any(seat.own_level for seat in game.players)
    return GameResult(
        title=write_headline(game),
        sentence=_("Nobody won this game.") if game.is_abandoned else describe_winner(state, game.won_by_dice),
        places=list_places(state),
        yours=is_won_here(game),
        adds_words=falls_on_screen(state.mode, computers=computers, rules=state.ruleset),
        review=summarise_review(game.row, find_review(game.row), game.called_you),
        heads=list_heads(game),
    )


def build_result_picture(game: ViewerGame) -> dict[str, object]:
    """Return what the picture of a result shows: who won, everybody's place, the scores by round."""
    places = list_places(game.state)
    return {
        "title": write_headline(game),
        "game": game,
        "places": places[:PICTURED_MOST],
        "more": len(places[PICTURED_MOST:]),
        "chart": build_score_chart(game.names, game.state.goal, game.scores),
        "measure": measure_text,
    }


def measure_text(text: str) -> float:
    """Return about how wide a text is in a serif font, as a multiple of the font's size."""
    return sum(map(_measure_letter, text))


def _measure_letter(letter: str) -> float:
    kind = unicodedata.category(letter)
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.3 if kind == "So" else 1  # emoji are broader than the letters of China, Japan and Korea
    if kind in ("Mn", "Me", "Cf"):
        return 0
    if letter in "fijlrt .,!’":
        return 0.42
    return 1.1 if letter in "mwMW" else 0.8 if letter.isupper() else 0.65


def is_won_here(game: ViewerGame) -> bool:
    """Return whether everybody who plays on this device has won."""
    return bool(game.people) and game.people <= set(game.state.winners)


def write_headline(game: ViewerGame) -> str:
    """Return who won, as this viewer reads it: "You win!", "Bruno wins by 550"."""
    state = game.state
    if game.is_abandoned:
        return _("Nobody won this game")
    if game.called_you and len(state.players) == 1:
        return describe_solo_end(state)
    if game.people == set(state.winners):
        return _("You win!")
    if game.called_you and is_won_here(game):
        others_won = [state.players[seat].name for seat in state.winners if seat not in game.called_you]
        return _("You share the win with %(names)s") % {"names": join_names(others_won)}
    others = [player.score for seat, player in enumerate(state.players) if seat not in state.winners and player.active]
    winners = [state.players[seat] for seat in state.winners]
    margin = winners[0].score - max(others) if others and len(winners) == 1 else 0
    if margin <= 0 or game.won_by_dice:
        return describe_winner(state, game.won_by_dice, game.called_you)
    return _("%(name)s wins by %(margin)s") % {"name": winners[0].name, "margin": number(margin)}


def describe_solo_end(state: State) -> str:
    """Return what the only player of a game has reached."""
    if state.ruleset.ending == "rounds":
        return _("You scored %(points)s!") % {"points": number(state.players[0].score)}
    made = ngettext("%(points)s in %(n)s round!", "%(points)s in %(n)s rounds!", state.shots)
    return made % {"points": number(state.players[0].score), "n": number(state.shots)}


def list_places(state: State) -> list[tuple[int, int]]:
    """Return each player's place and seat, best first: 1 for each winner; equal scores share a place.

    Those who had stepped out come last.
    """
    keys = {
        seat: (seat not in state.winners, not player.active, 0 if seat in state.winners else -player.score)
        for seat, player in enumerate(state.players)
    }
    return [(1 + sum(key < keys[seat] for key in keys.values()), seat) for seat in sorted(keys, key=keys.__getitem__)]


def list_pot_payments(game: ViewerGame) -> tuple[tuple[str, int], ...]:
    """Return who has paid how many coins into the pot: the ante, and for each bust while on the board. One query."""
    busts = history.count_board_busts([game.row]) if game.state.ruleset.bust_penalty else {}
    return tuple((game.names[player.seat], pay_in(game.row, player, busts)) for player in game.players)
