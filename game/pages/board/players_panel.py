"""The panel beside the game: who sits where, and the link."""

from game import services
from game.addresses import find_address
from game.history.fair import uses_sealed_dice
from game.models import Invite
from game.models.compiled import CompiledQuery
from game.pages.board.components import PlayersPanel, SeatRow
from game.pages.parts.computer_levels import describe_level
from game.pages.parts.refusals import describe_refusal
from game.pages.parts.scoreboard import describe_contact
from game.pages.parts.view_of_game import ViewerGame
from game.rules import Join, why_not
from game.services.spoken_codes import say_code

INVITE = CompiledQuery(lambda game: Invite.objects.filter(game=game).order_by("pk"), -1)


def build_players_panel(game: ViewerGame, link: str) -> PlayersPanel:
    """Return who sits where, and the link. `link`: the game's absolute address."""
    reason = why_not(game.state, Join(name="?")) if game.is_host and not game.is_over else None
    if reason and reason.code == "name_taken":  # true of this name only: others can join
        reason = None
    takes_part = bool(game.held) or game.is_host
    # The host's link, which still gives friends a seat until it ends.
    invite = INVITE.first(game.row.pk) if game.is_host and services.can_join_late(game.row) else None
    return PlayersPanel(
        seats=tuple(build_seat_rows(game)),
        can_join=game.is_host and not game.is_over and reason is None,
        join_why_not=describe_refusal(reason) if reason else "",
        link=link,
        invite=link.removesuffix(game.url) + find_address("game:invite", invite.token) if invite else "",
        spoken=say_code(invite.spoken) if invite else "",
        join=link.removesuffix(game.url) + find_address("game:join"),
        download=find_address("game:file", game.row.code) if takes_part or game.is_over else "",
        watching=game.presence.watching,
        over=game.is_over,
        transfer=takes_part,
        leaves=game.leaves,
        host=game.is_host,
        open=game.row.watching,
        sealed=uses_sealed_dice(game.row, game.state.mode),
        loaded=game.row.loaded,
    )


def build_seat_rows(game: ViewerGame) -> list[SeatRow]:
    """Return a row for each seat, with what the viewer may do there."""
    host = services.host_of(game.row)
    host_seat = next((p.seat for p in game.players if p.visitor_id == host and not p.level), None)
    rows = []
    for player in game.players:
        own, person = player.seat in game.held, player.visitor_id is not None and not player.level
        # The seat of one of several people here, or one without a holder, can move alone.
        alone = player.seat in game.people and len(game.people) > 1 if player.visitor_id else game.is_host
        rows.append(
            SeatRow(
                seat=player.seat,
                name=player.name,
                level=describe_level(player.level or ""),
                plays=game.state.players[player.seat].active,
                yours=own,
                host=player.seat == host_seat and game.shared,
                contact=describe_contact(game.contacts[player.seat]),
                handed=own and bool(player.level) and player.is_person,
                may_host=game.is_host and not game.is_over and person and not own,
                may_move=not game.is_over and not player.level and alone,
                opposes=bool(game.people) and player.seat not in game.people,
                heads=game.heads.get(player.seat),
            )
        )
    return rows
