"""After a backup was put back: what was thrown since has been seen, so no die may fall a second time."""

from django.db import transaction

from game.lock import write_lock
from game.models import Game
from game.services.dice import seal_new_epoch

# Pages that are open still have the versions that were lost: none of them may fit the game again.
VERSIONS_LOST = 1000


def close_epochs() -> int:
    """Continue every game that is not over with new dice, and show the old seed. Return how many there are."""
    codes = list(Game.objects.filter(status__in=Game.OPEN).values_list("code", flat=True))
    for code in codes:
        with write_lock(), transaction.atomic():
            game = Game.objects.get(code=code)
            seal_new_epoch(game, game.epoch + 1)
            game.version += VERSIONS_LOST
            game.dice_version = game.version
            game.save(update_fields=["epoch", "version", "dice_version"])
    return len(codes)
