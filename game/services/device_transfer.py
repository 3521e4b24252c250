"""Continuing on another device: a link that moves seats of one game, once and within ten minutes."""

from datetime import timedelta
from functools import partial

from django.utils import timezone

from game.identity import Browser, derive_token, hash_token
from game.models import Game, Player, Transfer, Visitor
from game.services.calls import forget_calls
from game.services.consent import end_unanswerable_question
from game.services.refusals import AlreadyDone, LinkEnded, NotForYou
from game.services.transaction import Command, follow_link, has_lapsed, locked_change, log_change
from game.storage import load_state, sums

TRANSFER_LASTS = timedelta(minutes=10)


def offer_transfer(code: str, command: Command, seat: int | None = None) -> str:
    """Return the token of a new link for all seats that this visitor holds in the game, and for the host's powers.

    `seat`: move only this one of several at the device; or, for the host, one that nobody holds any more.
    Only the token's hash is kept. The same form again gives the same link. Raises a `Refusal`, such as `LinkEnded`
    once that link is used or too old, or `NotForYou` for a seat that cannot be moved.
    """
    # 128 bits that nobody can derive without this site's secret, always the same for one form.
    token = derive_token("game.transfer", code, command.who or "", command.key, size=16)
    try:
        with locked_change(code, command, dice=False, when=Game.OPEN | Game.OVER) as game:
            player = None if seat is None else find_movable_seat(game, command.known_visitor, seat)
            game.transfers.filter(visitor=command.known_visitor, player=player, used=None).delete()
            game.transfers.create(visitor=command.known_visitor, player=player, token_hash=hash_token(token))
    except AlreadyDone:
        find_transfer(token)
    return token


def find_movable_seat(game: Game, visitor: Visitor, seat: int) -> Player:
    """Return a person's seat that this visitor may give to another device. Raises `NotForYou`."""
    row = game.seats[seat] if seat < len(game.seats) else None
    if row is None or row.level or row.visitor_id not in (visitor.pk, None):
        raise NotForYou(NotForYou.SEAT)
    if row.visitor_id is None and game.host_id != visitor.pk:
        raise NotForYou(NotForYou.SEAT)
    return row


def find_transfer(token: str) -> Transfer:
    """Return the transfer behind a link. Raises `LinkEnded` if it is used or too old, with its game if that exists."""
    transfer = Transfer.objects.select_related("game").filter(token_hash=hash_token(token)).first()
    if transfer is None or has_lapsed(transfer.game):
        raise LinkEnded(LinkEnded.TRANSFER)
    if transfer.used or timezone.now() - transfer.created > TRANSFER_LASTS:
        raise LinkEnded(LinkEnded.TRANSFER, transfer.game)
    return transfer


def claim_transfer(browser: Browser, token: str, key: str, digest: str) -> Game:
    """Move the seats, and the host's powers with them, to this browser. Raises `LinkEnded`."""
    return follow_link(browser, key, digest, partial(find_transfer, token), move_seats)


def list_moving(game: Game, transfer: Transfer) -> list[Player]:
    """Return the seats that a link moves: all of its maker's, or the one it was made for unless somebody took that."""
    if transfer.player_id is None:
        return [seat for seat in game.seats if seat.visitor_id == transfer.visitor_id]
    return [
        seat for seat in game.seats if seat.pk == transfer.player_id and seat.visitor_id in (transfer.visitor_id, None)
    ]


def move_seats(game: Game, transfer: Transfer, visitor: Visitor) -> None:
    """Move what a link offers to another visitor. Raises `LinkEnded` if nothing is left to move."""
    moved = list_moving(game, transfer)
    if visitor.pk in (transfer.visitor_id, *(seat.visitor_id for seat in moved if transfer.player_id)):
        return
    hosted = transfer.player_id is None and game.host_id == transfer.visitor_id
    if not moved and not hosted:
        raise LinkEnded(LinkEnded.TRANSFER, game)
    seats = game.players.filter(pk__in=[seat.pk for seat in moved])
    forget_calls(seats)
    seats.update(visitor=visitor, seen=timezone.now())
    sums.update_contest_flag(game)
    Transfer.objects.filter(pk=transfer.pk).update(used=timezone.now())
    if hosted:
        game.host = visitor
    if game.status == Game.Status.RUNNING and game.seats[load_state(game).player] in moved:
        game.dice_version = game.version  # the dice are on another page now
    game.save(update_fields=["host", "dice_version", *(() if game.is_over else ("touched",))])
    if first := next((seat for seat in moved if seat.is_person), None):  # a host without one is not at the table
        log_change(game, "moved", first, seats=[seat.pk for seat in moved])
    end_unanswerable_question(game)
