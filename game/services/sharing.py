"""What the people at one table see of each other at once. Nothing of it is written, and the game does not move on."""

from collections.abc import Sequence

from game import live
from game.models import Game
from game.rules import IllegalMove, find_keep
from game.services.refusals import NoSuchGame, StaleMove, UnknownVersion
from game.services.shots import check_whose_shot
from game.services.transaction import RUNNING, Command, refusal_of_status, require_part
from game.storage import load_state
from game.storage.columns import faces_in


def share_choice(code: str, command: Command, columns: Sequence[int]) -> None:
    """Show all pages of a game which dice of its last throw the player at the dice has set aside; none is a choice too.

    It says only which throw and which columns, so it tells nobody more than the dice that lie there. Raises a `Refusal`
    for anybody but the person at the dice and for a throw that is over, and `IllegalMove` for dice that do not score.
    """
    game = Game.by_code(code)
    if game is None:
        raise NoSuchGame
    require_part(game, command.visitor)
    if game.status not in RUNNING:
        raise refusal_of_status(game)
    if command.version is not None and command.version > game.version:
        raise UnknownVersion
    if command.is_older_than_dice(game):
        raise StaleMove
    check_whose_shot(game, command)
    throw = game.last_throw
    faces = faces_in(throw, columns)
    if throw is None or (faces and find_keep(load_state(game), faces) is None):
        raise IllegalMove("cannot_keep", dice=faces)
    chosen = "".join(map(str, sorted(columns)))
    live.send_broadcast(game, live.Broadcast("choice", f"{throw.pk} {chosen}"))
