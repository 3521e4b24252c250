"""The panel beside the game: who sits where, and the link."""

from dataclasses import dataclass

from game import services
from game.addresses import find_address
from game.history.fair import uses_sealed_dice
from game.history.head_to_head import HeadToHead
from game.models import Invite, Player
from game.models.compiled import CompiledQuery
from game.pages.parts.computer_levels import describe_level
from game.pages.parts.refusals import describe_refusal
from game.pages.parts.scoreboard import describe_contact
from game.pages.parts.view_of_game import ViewerGame
from game.rules import Join, why_not
from game.services.spoken_codes import say_code

INVITE = CompiledQuery(lambda game: Invite.objects.filter(game=game).order_by("pk"), -1)


@dataclass(frozen=True)
class SeatRow:
    """A row of the players panel."""

    player: Player
    level: str  # a computer's, with how it plays
    contact: str  # "away" or "gone", for a player on another device
    host: bool
    may_host: bool  # the viewer can make this player the host
    may_move: bool  # the viewer can give this seat alone to another device
    heads: HeadToHead | None  # against the viewer, once a game of theirs has counted


@dataclass(frozen=True)
class PlayersPanel:
    """Who sits where, the link, and what else can be done with the game."""

    seats: list[SeatRow]
    link: str  # absolute address of this game
    invite: str  # the host's link that still gives a seat, '' if there is none
    spoken: str  # the same as three words
    join: str  # the address at which they are typed
    full: str  # why the host can add nobody, '' if they can
    sealed: bool  # dice have been thrown on screen, or will be, and can be checked


def build_players_panel(game: ViewerGame, link: str) -> PlayersPanel:
    """Return who sits where, and the link. `link`: the game's absolute address."""
    reason = why_not(game.state, Join(name="?")) if game.is_host and not game.is_over else None
    if reason and reason.code == "name_taken":  # true of this name only: others can join
        reason = None
    # The host's link, which still gives friends a seat until it ends.
    invite = INVITE.first(game.row.pk) if game.is_host and services.can_join_late(game.row) else None
    return PlayersPanel(
        seats=build_seat_rows(game),
        link=link,
        invite=link.removesuffix(game.url) + find_address("game:invite", invite.token) if invite else "",
        spoken=say_code(invite.spoken) if invite else "",
        join=link.removesuffix(game.url) + find_address("game:join"),
        full=describe_refusal(reason) if reason else "",
        sealed=uses_sealed_dice(game.row, game.state.mode),
    )


def build_seat_rows(game: ViewerGame) -> list[SeatRow]:
    """Return a row for each seat, with what the viewer may do there."""
    host, rows = game.row.find_person(game.host), []
    for player in game.players:
        own, person = player.seat in game.held, player.visitor_id is not None and not player.level
        # The seat of one of several people here, or one without a holder, can move alone.
        alone = player.seat in game.people and len(game.people) > 1 if player.visitor_id else game.is_host
        rows.append(
            SeatRow(
                player=player,
                level=describe_level(player.level),
                contact=describe_contact(game.contacts[player.seat]),
                host=player == host and game.shared,
                may_host=game.is_host and not game.is_over and person and not own,
                may_move=not game.is_over and not player.level and alone,
                heads=game.heads.get(player.seat),
            )
        )
    return rows
