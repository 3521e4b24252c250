"""To another device: a link that moves a browser's seats of one game, once and within ten minutes."""

from datetime import timedelta

from django.utils import timezone

from game.identity import Browser, derive_token, hash_token
from game.models import Game, Player, Transfer, Visitor
from game.services.refusals import AlreadyDone, LinkEnded
from game.services.transaction import (
    Command,
    bump_version,
    find_game_of_form,
    has_lapsed,
    locked_change,
    log_change,
    use_up_key,
)
from game.storage import load_state, sums

TRANSFER_LASTS = timedelta(minutes=10)


def offer_transfer(code: str, command: Command) -> str:
    """Return the token of a new link for all seats that this visitor holds in the game, and for the host's powers.

    Only its hash is kept. The same form again shows the same link; raises `LinkEnded` once it is used or too old.
    """
    # 128 bits that nobody can work out without this site's secret, and the same each time for one form.
    token = derive_token("game.transfer", code, command.who or "", command.key, size=16)
    try:
        with locked_change(code, command, dice=False, when=Game.OPEN | Game.OVER) as game:
            assert command.visitor is not None  # `locked_change` lets nobody in without a part in the game
            game.transfers.filter(visitor=command.visitor, used=None).delete()
            game.transfers.create(visitor=command.visitor, token_hash=hash_token(token))
    except AlreadyDone:
        find_transfer(token)
    return token


def find_transfer(token: str) -> Transfer:
    """Return what a link would move. Raises `LinkEnded` where it is used or too old."""
    transfer = Transfer.objects.select_related("game").filter(token_hash=hash_token(token), used=None).first()
    if transfer is None or timezone.now() - transfer.created > TRANSFER_LASTS or has_lapsed(transfer.game):
        raise LinkEnded(LinkEnded.TRANSFER)
    return transfer


def claim_transfer(browser: Browser, token: str, key: str, digest: str) -> Game:
    """Move the seats, and the host's powers with them, to this browser. Of two claims at once one gets them.

    The same form again leads to the same game. Raises `LinkEnded`.
    """
    if before := find_game_of_form(browser, key, digest):
        return before
    offered = find_transfer(token).game
    try:
        with bump_version(offered.code) as game:
            transfer = find_transfer(token)  # once more, now that nobody can use it meanwhile
            visitor = browser.visitor_or_new()
            use_up_key(game, visitor, Command(visitor, key, None, digest))
            if visitor.pk != transfer.visitor_id:
                move_seats(game, transfer, visitor)
            return game
    except AlreadyDone:
        return offered


def move_seats(game: Game, transfer: Transfer, visitor: Visitor) -> None:
    """Move what a link offers to this visitor. Raises `LinkEnded` where that is nothing any more."""
    hosted = game.host_id == transfer.visitor_id
    moved = [seat for seat in game.seats if seat.visitor_id == transfer.visitor_id]
    if not moved and not hosted:
        raise LinkEnded(LinkEnded.TRANSFER)
    game.players.filter(visitor=transfer.visitor).update(visitor=visitor, seen=timezone.now())
    sums.update_contest_flag(game)
    Transfer.objects.filter(pk=transfer.pk).update(used=timezone.now())
    if hosted:
        game.host = visitor
    if game.status == Game.Status.RUNNING and game.seats[load_state(game).player] in moved:
        game.dice_version = game.version  # the dice are on another page now
    game.save(update_fields=["host", "dice_version", "touched"])
    log_change(game, "moved", first_person(moved))
    del game.seats


def first_person(seats: list[Player]) -> Player | None:
    """Return the first of these seats that a person holds."""
    return next((seat for seat in seats if not seat.level), None)
