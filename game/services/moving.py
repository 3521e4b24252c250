"""To another device: a link that moves a browser's seats of one game, once and within ten minutes."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.utils import timezone

from game.identity import Browser
from game.models import Game, Transfer
from game.models.visitors import new_code
from game.services.path import OVER, RUNNING, WAITING, Asked, change, note, raised
from game.services.refusals import LinkEnded, NotYourSeat

TRANSFER_LASTS = timedelta(minutes=10)


def offer_transfer(code: str, asked: Asked) -> str:
    """The token of a new link for all seats that this visitor holds in the game. Only its hash is kept."""
    with change(code, asked, dice=False, when=WAITING | RUNNING | OVER) as game:
        assert asked.visitor is not None  # `change` lets nobody in without a seat
        token = new_code()
        game.transfers.filter(visitor=asked.visitor, used=None).delete()
        game.transfers.create(visitor=asked.visitor, token_hash=hash_of(token))
        return token


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def transfer_of(token: str) -> Transfer:
    """What a link would move. Raises `LinkEnded` where it is used or too old."""
    found = Transfer.objects.select_related("game").filter(token_hash=hash_of(token), used=None).first()
    if found is None or timezone.now() - found.created > TRANSFER_LASTS:
        raise LinkEnded(LinkEnded.TRANSFER)
    return found


def claim(browser: Browser, token: str) -> Game:
    """Moves the seats, and the host's powers with them, to this browser. Of two claims at once one gets them."""
    with raised(transfer_of(token).game.code) as game:
        transfer = transfer_of(token)  # once more, now that nobody can use it meanwhile
        visitor = browser.visitor_or_new()
        moved = game.players.filter(visitor=transfer.visitor)
        if not moved.exists() and game.host_id != transfer.visitor_id:
            raise NotYourSeat
        if visitor.pk != transfer.visitor_id:
            first = moved.filter(level="").first()
            if game.host_id == transfer.visitor_id:
                game.host = visitor
            moved.update(visitor=visitor, seen=timezone.now())
            Transfer.objects.filter(pk=transfer.pk).update(used=timezone.now())
            note(game, "moved", first)
        game.save(update_fields=["host", "touched"])
        return game
