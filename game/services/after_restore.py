"""After a restore: dice thrown since the backup have been seen, so none of them may fall again."""

from django.db import transaction

from game.lock import write_lock
from game.models import Game
from game.services.dice import seal_new_epoch

# Open pages still hold versions that were lost: none of those may ever be valid again.
VERSIONS_LOST = 1000


def close_epochs() -> int:
    """Give every unfinished game new dice, and reveal its old seed. Return how many such games there are."""
    codes = list(Game.objects.filter(status__in=Game.OPEN).values_list("code", flat=True))
    for code in codes:
        with write_lock(), transaction.atomic():
            game = Game.objects.get(code=code)
            seal_new_epoch(game, game.epoch + 1)
            game.version += VERSIONS_LOST
            game.dice_version = game.version
            game.save(update_fields=["epoch", "version", "dice_version"])
    return len(codes)
