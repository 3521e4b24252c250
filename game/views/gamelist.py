"""Games as rows of a list: who plays, how it stands, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from game.models import Game, Player, Visitor
from game.services import belongs
from game.views.board.words import name_list, number


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
    part = belongs(game, visitor)
    return Row(
        url=url,
        title=title(players),
        word=whose_turn(due, players) if due else how_it_stands(game, players),
        mine=due is not None and not due.level and visitor is not None and due.visitor_id == visitor.pk,
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


def title(players: list[Player]) -> str:
    """ "Against *HAL" for one person, else everybody's names."""
    people = [player for player in players if not player.level]
    computers = [player.name for player in players if player.level]
    if len(people) == 1 and computers:
        return _("Against %(names)s") % {"names": name_list(computers)}
    return name_list([player.name for player in players]) or _("New game")


def whose_turn(due: Player, players: list[Player]) -> str:
    alone = sum(1 for player in players if not player.level) == 1
    if alone and not due.level:
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
