"""To another device: a link that moves a browser's seats of one game, once and within ten minutes."""

from __future__ import annotations

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
    """The token of a new link for all seats that this visitor holds in the game, and for the host's powers.

    Only its hash is kept. The same form again shows the same link, and `LinkEnded` once it is used or too old.
    """
    token = transfer_token(code, command)
    try:
        with locked_change(code, command, dice=False, when=Game.OPEN | Game.OVER) as game:
            game.transfers.filter(visitor=command.visitor, used=None).delete()
            game.transfers.create(visitor=command.visitor, token_hash=hash_token(token))
    except AlreadyDone:
        find_transfer(token)
    return token


def transfer_token(code: str, command: Command) -> str:
    """128 bits that nobody can work out without this site's secret, and the same each time for one form."""
    who = command.visitor.pk if command.visitor else ""
    return derive_token("game.transfer", code, who, command.key, size=16)


def find_transfer(token: str) -> Transfer:
    """What a link would move. Raises `LinkEnded` where it is used or too old."""
    found = Transfer.objects.select_related("game").filter(token_hash=hash_token(token), used=None).first()
    if found is None or timezone.now() - found.created > TRANSFER_LASTS or has_lapsed(found.game):
        raise LinkEnded(LinkEnded.TRANSFER)
    return found


def claim_transfer(browser: Browser, token: str, key: str, digest: str) -> Game:
    """Moves the seats, and the host's powers with them, to this browser. Of two claims at once one gets them.

    The same form again leads to the same game.
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
    return next((seat for seat in seats if not seat.level), None)
