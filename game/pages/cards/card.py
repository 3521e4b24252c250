"""What a card shows: no sentences, so that it is right in every language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from game.models import Game
from game.pages.board.result import list_places
from game.pages.home import HERO
from game.pages.parts.colours import list_seat_colours
from game.pages.parts.components import Tray
from game.pages.parts.dice import find_aside, find_taken_over
from game.pages.parts.names import suggest_person_name
from game.pages.parts.text import number
from game.pages.replay.page import Replay
from game.pages.rulesets.labels import SETS
from game.pages.rulesets.names import SHOWN_NAMES
from game.rules import Ruleset, keeps
from game.rules.ruleset import DICE
from game.rules.scoring import find_effect
from game.storage import load_state

# The letters that the cards' fonts have: Fraunces has Latin ones, Noto Serif also Greek and Cyrillic.
_SIGNS = "–—‘’‚“”„•…−"
LATIN = re.compile(f"[ -~\u00a0-\u0148\u014a-\u017e\u0218-\u021b\u1ea0-\u1ef9{_SIGNS}]+")
_GREEK, _CYRILLIC = "\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03e1\u03f0-\u03ff", "\u0400-\u045f\u0490\u0491"
OTHER = re.compile(f"[ -~\u00a0-\u00ff{_GREEK}{_CYRILLIC}{_SIGNS}]+")

PLAYERS_SHOWN = 6
SCORES_SHOWN = 10
# The names of the game in the countries where it is played most.
NAMES = "Farkle · Zehntausend · Dix mille · Zilch · Greed · 5000en"


@dataclass(frozen=True)
class CardDie:
    """A die in its column. `face`: 0 for an empty place; `look`: "" on the table, "kept", or "old" if kept earlier."""

    face: int = 0
    look: str = ""


@dataclass(frozen=True)
class CardPlayer:
    """A player's line. `seat`: from 1; `colour`: 1 to 8; `mark`: "due" if it is their turn, "won", or ""."""

    seat: int
    name: str
    score: str
    mark: str = ""
    colour: int = 1


@dataclass(frozen=True)
class Card:
    """The contents of one picture. Equal cards give the same picture, which is drawn once."""

    heading: str = ""
    dice: tuple[CardDie, ...] = ()
    points: str = ""  # of the turn, at the end of the row of dice
    players: tuple[CardPlayer, ...] = ()
    more: int = 0  # how many players have no line
    scores: tuple[tuple[tuple[int, ...], str], ...] = ()  # what scores under a ruleset: (dice, points)
    names: str = ""


def make_site_card() -> Card:
    """Return the site's card, which every page without its own uses."""
    return Card(dice=tuple(CardDie(face) for face in HERO), names=NAMES)


def make_ruleset_card(ruleset: Ruleset) -> Card:
    """Return the card of a ruleset: its name and what scores, without dice that win or bust and so never score."""
    scores: list[tuple[tuple[int, ...], int]] = [((face,), points) for face, points in enumerate(ruleset.singles, 1)]
    scores.append(((1, 1, 1), ruleset.of_a_kind[0][0]))
    scores += [((3,) * size, ruleset.of_a_kind[size - 3][2]) for size in range(3, ruleset.dice + 1)]
    scores += [(combination.dice, getattr(ruleset, combination.setting)) for combination in SETS]
    shown = [(dice, number(points)) for dice, points in scores if points]
    winning = {keep.dice for dice, _points in shown for keep in keeps(ruleset, dice) if keep.wins}
    scoring = tuple(row for row in shown if row[0] not in winning and not find_effect(ruleset, row[0]))
    return Card(heading=_spell(SHOWN_NAMES.get(ruleset.name, ruleset.name), ""), scores=scoring[:SCORES_SHOWN])


def make_game_card(game: Game) -> Card:
    """Return the card of a game as its spectators see it."""
    if game.status == Game.Status.WAITING:  # it has no state yet
        waiting = [_list_player(row.seat, row.name, number(0)) for row in game.seats]
        return _lay_players(game, waiting, (CardDie(),) * game.rules.dice, "")
    state = load_state(game)
    seats = [seat for _place, seat in list_places(state)] if game.is_over else range(len(state.players))
    marks = dict.fromkeys(state.winners, "won") if game.is_over else {state.player: "due"}
    points = state.shot.points if state.shot and not game.is_over else 0
    players = [
        _list_player(seat, state.players[seat].name, number(state.players[seat].score), marks.get(seat, ""))
        for seat in seats
    ]
    return _lay_players(game, players, _lay_last_turn(game), number(points) if points else "")


def make_step_card(game: Game, shown: Replay) -> Card:
    """Return the card of one throw of a game, with the scores as they were."""
    players = [
        _list_player(card.seat - 1, card.name, card.score, "won" if card.won else "due" if card.current else "")
        for card in shown.cards
    ]
    tray = shown.tray
    dice = _lay_tray(tray) if tray else (CardDie(),) * game.rules.dice
    return _lay_players(game, players, dice, tray.sum if tray and tray.shown else "")


def _list_player(seat: int, name: str, score: str, mark: str = "") -> CardPlayer:
    """Return a player's line, with "Player 2" if the cards' fonts lack letters for the name."""
    return CardPlayer(seat + 1, _spell(name, suggest_person_name(seat + 1, ())), score, mark)


def _lay_players(game: Game, players: Sequence[CardPlayer], dice: tuple[CardDie, ...], points: str) -> Card:
    colours = list_seat_colours(game.seats)
    shown = tuple(replace(player, colour=colours[player.seat - 1]) for player in players[:PLAYERS_SHOWN])
    return Card(
        _spell(SHOWN_NAMES.get(game.rules.name, game.rules.name), ""), dice, points, shown, len(players) - len(shown)
    )


def _lay_last_turn(game: Game) -> tuple[CardDie, ...]:
    """Return the dice as they lie in the running turn, or in the last one of a finished game."""
    places = [CardDie()] * game.rules.dice
    # Newest first. Whoever picks dice up keeps at least one of them, so that no more turns can have set dice aside.
    shots = list(game.shots.filter(cancelled=False).order_by("-place")[:DICE])
    throws = shots[0].fallen if shots and (game.is_over or not shots[0].outcome) else ()
    if throws:
        last = throws[-1]
        taken_over = find_taken_over(throws, shots[1:]) if shots[0].picked_up is not None else {}
        for column, face in find_aside(throws[:-1], taken_over).items():
            places[column - 1] = CardDie(face, "old")
        for column, face in last.by_column.items():
            places[column - 1] = CardDie(face, "kept" if column in last.kept_columns else "")
    return tuple(places)


def _lay_tray(tray: Tray) -> tuple[CardDie, ...]:
    places = [CardDie()] * tray.all_dice
    for die in tray.dice:
        places[die.column - 1] = CardDie(die.face, "old" if die.look == "old" else "kept" if die.checked else "")
    return tuple(places)


def _spell(text: str, instead: str) -> str:
    return text if has_letters_for(text) else instead


def has_letters_for(text: str) -> bool:
    """Return whether one of the cards' fonts has all letters of a text."""
    return is_latin(text) or bool(OTHER.fullmatch(text))


def is_latin(text: str) -> bool:
    """Return whether the site's own font has all letters of a text."""
    return bool(LATIN.fullmatch(text))
