"""Games as rows of a list: who plays, how it stands, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from game.models import Game, Player, Visitor
from game.pages.parts.text import name_list, number
from game.services import has_part


@dataclass(frozen=True)
class Standing:
    name: str
    score: str
    won: bool
    computer: bool
    active: bool


@dataclass(frozen=True)
class Row:
    url: str
    title: str
    word: str  # whose turn, or who won
    mine: bool  # whether it waits for somebody at this browser
    players: tuple[Standing, ...]
    ruleset: str
    touched: datetime
    loaded: bool
    replay: str  # addresses; empty where there is nothing to go through, to save or to take away
    download: str
    delete: str


def rows(games: Iterable[Game], visitor: Visitor | None) -> list[Row]:
    return [row(game, visitor) for game in games]


def row(game: Game, visitor: Visitor | None) -> Row:
    players = game.seats
    due = due_player(game, players)
    url = game.get_absolute_url()
    begun, over = game.status != Game.Status.WAITING, game.is_over
    part = has_part(game, visitor)
    mine = seats_of(visitor, players)
    return Row(
        url=url,
        title=title(players, mine),
        word=whose_turn(due, mine) if due else how_it_stands(game, players),
        mine=due in mine,
        players=tuple(
            Standing(player.name, number(player.score), player.won, bool(player.level), player.active)
            for player in players
        ),
        ruleset=game.settings["name"],
        touched=game.touched,
        loaded=game.loaded,
        replay=f"{url}?at=last" if begun else "",
        download=f"{url}.json" if over or (begun and part) else "",
        delete=f"{url}/delete" if part and (over or not begun) else "",
    )


def due_player(game: Game, players: list[Player]) -> Player | None:
    """Whose turn it is; nobody's after the end."""
    return players[game.state().player] if game.status == Game.Status.RUNNING else None


def title(players: list[Player], mine: list[Player]) -> str:
    """ "Against *HAL" for who plays alone, else everybody's names."""
    people = [player for player in players if not player.level]
    computers = [player.name for player in players if player.level]
    if len(people) == 1 and people == mine and computers:
        return _("Against %(names)s") % {"names": name_list(computers)}
    return name_list([player.name for player in players]) or _("New game")


def seats_of(visitor: Visitor | None, players: list[Player]) -> list[Player]:
    """Those on which somebody at this browser plays."""
    return [player for player in players if visitor and not player.level and player.visitor_id == visitor.pk]


def whose_turn(due: Player, mine: list[Player]) -> str:
    """By name also where one device is passed round: then several are meant by "you"."""
    if mine == [due]:
        return _("Your turn")
    return _("%(name)s’s turn") % {"name": due.name}


def how_it_stands(game: Game, players: list[Player]) -> str:
    match game.status:
        case Game.Status.WAITING:
            return _("Waiting for players")
        case Game.Status.ABANDONED:
            return _("Abandoned")
    return who_won(players)


def who_won(players: list[Player]) -> str:
    winners = [player.name for player in players if player.won]
    if not winners:
        return _("Ended without a winner")
    if len(winners) > 1:
        return _("%(names)s share the win") % {"names": name_list(winners)}
    return _("%(name)s won") % {"name": winners[0]}
