"""Games as rows of a list: who plays, how it stands, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from game.models import Game, Player, Visitor
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
    download: str
    title: str
    word: str  # whose turn, or who won
    mine: bool  # whether it waits for somebody at this browser
    players: tuple[Standing, ...]
    ruleset: str
    touched: datetime
    loaded: bool


def rows(games: Iterable[Game], visitor: Visitor) -> list[Row]:
    return [row(game, visitor) for game in games]


def row(game: Game, visitor: Visitor) -> Row:
    players = list(game.players.all())
    due = due_player(game, players)
    return Row(
        url=game.get_absolute_url(),
        download=game.get_absolute_url() + ".json",
        title=title(players),
        word=whose_turn(due, players) if due else who_won(players),
        mine=due is not None and not due.level and due.visitor_id == visitor.pk,
        players=tuple(
            Standing(player.name, number(player.score), player.won, bool(player.level), player.active)
            for player in players
        ),
        ruleset=game.rules.name,
        touched=game.touched,
        loaded=game.loaded,
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
    return name_list([player.name for player in players])


def whose_turn(due: Player, players: list[Player]) -> str:
    alone = sum(1 for player in players if not player.level) == 1
    if alone and not due.level:
        return _("Your turn")
    return _("%(name)s’s turn") % {"name": due.name}


def who_won(players: list[Player]) -> str:
    winners = [player.name for player in players if player.won]
    if not winners:
        return _("Ended without a winner")
    if len(winners) > 1:
        return _("%(names)s share the win") % {"names": name_list(winners)}
    return _("%(name)s won") % {"name": winners[0]}
