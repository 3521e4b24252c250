"""What people at one table see of each other live. None of it is stored, and the game's version stays the same."""

from collections.abc import Sequence

from game import live
from game.models import Game, Visitor
from game.rules import IllegalMove, find_keep
from game.services.refusals import NotForYou, NotStarted, StaleMove, UnknownVersion
from game.services.seat_changes import list_seats_of_people
from game.services.shots import check_whose_shot
from game.services.transaction import RUNNING, Command, explain_status, find_own_game
from game.storage import load_state
from game.storage.columns import find_faces

REACTIONS = ("👏", "😱", "🍀", "🐢")


def share_choice(code: str, command: Command, columns: Sequence[int]) -> None:
    """Show all pages of a game which dice of the last throw the player who is due has set aside, possibly none.

    The broadcast names only the throw and the columns, so it reveals nothing beyond the dice on the table. Raises a
    `Refusal` for anybody but the person who is due and for an older throw, `IllegalMove` for dice that do not score.
    """
    game, _visitor = find_own_game(code, command.visitor)
    if game.status not in RUNNING:
        raise explain_status(game)
    if command.version is not None and command.version > game.version:
        raise UnknownVersion
    if command.is_older_than_dice(game):
        raise StaleMove
    check_whose_shot(game, command)
    throw = game.last_throw
    faces = find_faces(throw, columns)
    if throw is None or (faces and find_keep(load_state(game), faces) is None):
        raise IllegalMove("cannot_keep", dice=faces)
    chosen = "".join(map(str, sorted(columns)))
    live.send_broadcast(game, live.Broadcast("choice", f"{throw.pk} {chosen}"))


def share_reaction(code: str, visitor: Visitor | None, reaction: str) -> None:
    """Let one of `REACTIONS` float over the card of a player of this visitor, on all pages of the game.

    Of several players at one device, the one whose turn it is reacts, else the first. Raises a `Refusal`.
    """
    game, visitor = find_own_game(code, visitor)
    if game.status == Game.Status.WAITING:
        raise NotStarted
    held = [seat.seat for seat in list_seats_of_people(game, visitor)]
    if not held:
        raise NotForYou(NotForYou.SEAT)
    due = load_state(game).player
    live.send_broadcast(game, live.Broadcast("reaction", f"{due if due in held else held[0]} {reaction}"))
