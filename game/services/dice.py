"""The dice of a game: sealed when it is created, thrown by number, never redrawn."""

from django.db import transaction

from game import dice
from game.history.fair import list_seat_words
from game.lock import write_lock
from game.models import Game, Seed
from game.models.compiled import insert_row
from game.models.games import SEED

# After a restore, open pages still hold versions that were lost: none of those may ever be valid again.
VERSIONS_LOST = 1000


def seal_first_epoch(game: Game, seats: int) -> None:
    """Make the seed and the seal of a game that is being created: nobody has thrown yet, and no seat has a word."""
    _write_seal(game, [""] * seats, first=1)


def seal_new_epoch(game: Game) -> None:
    """Make a seed and its seal for all throws from the next one on, with the current words of the seats.

    The caller saves the epoch with the game.
    """
    game.epoch += 1
    _write_seal(game, list_seat_words(game), first=game.throws.count() + 1)


def _write_seal(game: Game, words: list[str], first: int) -> None:
    seed = dice.new_seed()
    seal, table = dice.seal_seed(game.code, game.epoch, seed), dice.hash_words(words)
    insert_row(Seed(game=game, epoch=game.epoch, seed=seed, seal=seal, table=table, first=first))


def fix_words(game: Game) -> None:
    """Mix the current words into every throw; from here on nobody can change one.

    They go into every epoch, because restoring a backup before the start has begun another one.
    """
    game.seeds.update(table=dice.hash_words(list_seat_words(game)))


def throw_sealed_dice(game: Game, count: int) -> tuple[int, ...]:
    """Return the dice of the next throw. After an undo the same dice fall, since the throw gets the same number."""
    seed = SEED.first(game.pk, game.epoch)
    assert seed is not None  # created with the epoch
    game.thrown += 1
    return dice.draw_dice(bytes(seed.seed), game.code, game.epoch, seed.table, game.thrown, count)


def close_epochs() -> int:
    """Give every unfinished game new dice, and reveal its old seed. Return how many such games there are.

    After a restore, dice thrown since the backup have been seen, so none of them may fall again.
    """
    codes = list(Game.objects.filter(status__in=Game.OPEN).values_list("code", flat=True))
    for code in codes:
        with write_lock(), transaction.atomic():
            game = Game.objects.get(code=code)
            seal_new_epoch(game)
            game.version += VERSIONS_LOST
            game.dice_version = game.version
            game.save(update_fields=["epoch", "version", "dice_version"])
    return len(codes)
