"""Games as rows of a list: who plays, the score, whose turn it is."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import chain

from django.utils.http import urlencode

from game.history.lists import GameFilter
from game.models import Game, Player, Visitor
from game.pages.parts.language import gettext as _
from game.pages.parts.text import join_names
from game.pages.parts.view_of_game import find_seat_called_you
from game.services import explain_missing, find_games_to_answer, find_host, has_part, is_deleted_for_all
from game.storage import load_state


@dataclass(frozen=True)
class GameRow:
    """A game in the list."""

    game: Game
    title: str
    remark: str  # whose turn, or who won
    waits: bool  # others are waiting for the viewer; `remark` says for what
    continue_label: str  # "Continue against *HAL"
    mine: bool  # it is the turn of somebody at this browser
    part: bool  # the viewer has a part in it
    yours: frozenset[int]  # seats called "You"
    delete_label: str  # "" for whoever has none


def list_games(games: Iterable[Game], visitor: Visitor | None) -> list[GameRow]:
    """Return games as rows for one visitor."""
    listed = list(games)
    to_answer = find_games_to_answer(listed, visitor.pk) if visitor else ()
    return [_list_game(game, visitor, to_answer=game.pk in to_answer) for game in listed]


def _list_game(game: Game, visitor: Visitor | None, *, to_answer: bool) -> GameRow:
    """`to_answer`: somebody is waiting for the visitor's answer."""
    players = game.seats
    due = players[load_state(game).player] if game.status == Game.Status.RUNNING else None
    part, mine = has_part(game, visitor), find_own_seats(visitor, players)
    yours = find_seat_called_you(visitor, players)
    waits = _describe_asker(game) if to_answer else _describe_wait(game, visitor, due, mine)
    return GameRow(
        game=game,
        title=write_title(players, visitor),
        remark=waits or (_name_turn(due, mine) if due else _describe_status(game, yours)),
        waits=bool(waits),
        continue_label=label_continue(players, mine),
        mine=due in mine,
        part=part,
        yours=yours,
        delete_label=_label_delete(game, visitor) if part else "",
    )


def write_title(players: list[Player], visitor: Visitor | None) -> str:
    """Return "Against *HAL" for somebody alone with computers, else everybody's names."""
    computers = [player.name for player in players if player.level]
    if computers and find_seat_called_you(visitor, players):
        return _("Against %(names)s") % {"names": join_names(computers)}
    return join_names([player.name for player in players]) or _("New game")


def label_continue(players: list[Player], mine: list[Player]) -> str:
    """Return "Continue against *HAL" for somebody alone with computers, "Continue with Bruno" for others."""
    others = [player for player in players if len(mine) != 1 or player not in mine]
    if not others:
        return _("Continue your game")
    names = {"names": join_names([player.name for player in others])}
    if len(others) < len(players) and all(player.level for player in others):
        return _("Continue against %(names)s") % names
    return _("Continue with %(names)s") % names


def list_address(tab: str, wanted: GameFilter) -> str:
    """Return the URL of the list with its filters, up to the page number."""
    query = {"show": tab} | {name: value for name, value in asdict(wanted).items() if value}
    return f"?{urlencode(query)}"


def pick_first(rows: Sequence[GameRow]) -> GameRow | None:
    """Return the game to continue: one where others wait, else one's own turn, else the last one played, if any."""
    waiting, mine = (row for row in rows if row.waits), (row for row in rows if row.mine)
    return next(chain(waiting, mine, rows), None)


def find_own_seats(visitor: Visitor | None, players: list[Player]) -> list[Player]:
    """Return the seats that somebody at this browser plays."""
    return [player for player in players if visitor and not player.level and player.visitor_id == visitor.pk]


def _label_delete(game: Game, visitor: Visitor | None) -> str:
    """Return in a word what the page behind the link will ask about."""
    for_all = visitor is not None and is_deleted_for_all(game, visitor)
    if game.status != Game.Status.RUNNING:
        return _("Delete") if for_all else _("Remove")
    return _("End or delete") if for_all else _("Resign")


def _name_turn(due: Player, mine: list[Player]) -> str:
    """Return whose turn it is: by name where one device is passed round, since "you" could be anybody."""
    if mine == [due]:
        return _("Your turn")
    return _("%(name)s’s turn") % {"name": due.name}


def _describe_asker(game: Game) -> str:
    asking = next(player for player in game.seats if player.pk == game.asking_id)
    return _("%(name)s is waiting for your answer") % {"name": asking.name}


def _describe_wait(game: Game, visitor: Visitor | None, due: Player | None, mine: list[Player]) -> str:
    """Return what people elsewhere are waiting for the viewer to do; "" if nobody is waiting."""
    if visitor is None or all(player.visitor_id in (None, visitor.pk) for player in game.seats):
        return ""
    if due in mine:
        return _name_turn(due, mine)
    may_start = game.status == Game.Status.WAITING and find_host(game, visitor.pk) == visitor.pk
    if may_start and not explain_missing(game, visitor.pk):
        return _("Everyone’s here. You can start.")
    return ""


def _describe_status(game: Game, yours: frozenset[int]) -> str:
    """`yours`: seats called "You"."""
    match game.status:
        case Game.Status.WAITING:
            return _("Waiting for players")
        case Game.Status.ABANDONED:
            return _("Abandoned")
    if yours and yours == {player.seat for player in game.seats if player.won}:
        return _("You win!")
    return name_winners(game.seats)


def name_winners(players: Iterable[Player]) -> str:
    """Return who won a finished game, in a few words."""
    winners = [player.name for player in players if player.won]
    if not winners:
        return _("Ended without a winner")
    if len(winners) > 1:
        return _("%(names)s share the win") % {"names": join_names(winners)}
    return _("%(name)s won") % {"name": winners[0]}
