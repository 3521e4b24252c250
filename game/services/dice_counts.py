"""Tallies of how the site's dice fell: the page on fair dice reads these sums, never the throws."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import takewhile

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from game.consistent_read import consistent_read
from game.lock import write_lock
from game.models import Game, ShotRow, Tally, ThrowRow
from game.rules import Dice, Ruleset, keeps, set_aside
from game.storage import query_level_then
from game.strategy.odds import bust_chance

THROWS_AT_ONCE = 2000
# A throw may be committed a little after one with a higher primary key. Below one of this age, none can still appear.
SETTLED_AFTER = timedelta(minutes=1)


def count_new_throws() -> int:
    """Count the throws since the last time, and return how many there were.

    Each batch is one transaction that also records how far it got, so that nothing is counted twice or left out,
    however often it is interrupted or run in parallel.
    """
    counted = 0
    while True:
        with consistent_read():  # a game may be deleted meanwhile
            mark = Tally.objects.order_by("-last").first()
            throws = list_new_throws(mark.last if mark else 0)
            counts = count_batch(throws)
        if not throws or not add_batch(mark, counts, throws[-1].pk):
            return counted
        counted += len(throws)


def list_new_throws(last: int) -> list[ThrowRow]:
    """Return the next throws, after the primary key `last`, of turns whose dice this site threw.

    Includes undone throws: busts are undone most often, and without them the dice would look kinder than they are. If a
    throw was undone and fell again, only the first one counts. Stops at the first throw that is not settled, even if a
    later one is, as where the clocks of two servers differ: the mark would move beyond it.
    """
    earlier = ThrowRow.objects.filter(game=OuterRef("game"), number=OuterRef("number"), pk__lt=OuterRef("pk"))
    ours = ThrowRow.objects.filter(number__isnull=False, shot__isnull=False, game__loaded=False)
    once = ours.filter(Q(game__undone=False) | ~Exists(earlier), pk__gt=last)
    settled = timezone.now() - SETTLED_AFTER
    return list(takewhile(lambda throw: throw.created < settled, once.order_by("pk")[:THROWS_AT_ONCE]))


def add_batch(mark: Tally | None, counts: Sequence[Tally], last: int) -> bool:
    """Store the counts of a batch, of which `last` is the last throw's primary key.

    Return False, and store nothing, if somebody else has counted meanwhile.
    """
    try:
        with write_lock(), transaction.atomic():
            if not move_mark(mark, last):
                return False
            tallies = [add_to_tally(more) for more in counts]
            if not mark:
                Tally.objects.filter(pk=tallies[0].pk).update(last=last)
            return True
    except IntegrityError:  # two workers began with the first throws of the site
        return False


def move_mark(mark: Tally | None, last: int) -> bool:
    """Advance the mark, unless it has moved since it was read, and return whether this was done.

    A second worker waits here.
    """
    if mark is None:
        return not Tally.objects.exists()
    return bool(Tally.objects.filter(pk=mark.pk, last=mark.last).update(last=last))


def add_to_tally(more: Tally) -> Tally:
    """Add counts to their tally, which they become themselves with the first throws of a day."""
    tally = Tally.objects.filter(day=more.day, computer=more.computer, dice=more.dice).first()
    if tally is None:
        tally = more
    else:
        tally.throws += more.throws
        tally.busts += more.busts
        tally.expected += more.expected
        tally.faces = [sum(counts) for counts in zip(tally.faces, more.faces, strict=True)]
    tally.save()
    return tally


def count_batch(throws: Sequence[ThrowRow]) -> list[Tally]:
    """Return the counts of a batch as tallies that are not stored, by day, who threw, and number of dice."""
    rules = {game.pk: game.rules for game in Game.objects.filter(pk__in={throw.game_id for throw in throws})}
    aside = find_dice_aside(throws, rules)
    shots = ShotRow.objects.filter(pk__in={throw.shot_id for throw in throws})
    levels = dict(shots.annotate(level_then=query_level_then()).values_list("pk", "level_then"))
    tallies: dict[tuple[date, bool, int], Tally] = {}
    for throw in throws:
        ruleset, before = rules[throw.game_id], aside.get(throw.pk, ())
        by_computer = throw.shot_id is not None and bool(levels[throw.shot_id])
        key = day, computer, dice = throw.created.date(), by_computer, len(throw.dice)
        tally = tallies.setdefault(key, Tally(day=day, computer=computer, dice=dice, faces=[0] * 6))
        tally.throws += 1
        tally.busts += not keeps(ruleset, throw.faces, before)
        tally.expected += bust_chance(ruleset, dice, before)
        for face in throw.faces:
            tally.faces[face - 1] += 1
    return list(tallies.values())


def find_dice_aside(throws: Sequence[ThrowRow], rules: Mapping[int, Ruleset]) -> dict[int, Dice]:
    """Return, by a throw's primary key, the dice set aside before it, if three pairs across throws count."""
    shots = {throw.shot_id for throw in throws if rules[throw.game_id].three_pairs_across_throws}
    before: dict[int, Dice] = {}
    lying: dict[int | None, Dice] = {}
    for throw in ThrowRow.objects.filter(shot__in=shots).order_by("pk") if shots else ():
        before[throw.pk] = lying.get(throw.shot_id, ())
        lying[throw.shot_id] = set_aside(before[throw.pk], throw.dice, throw.kept_faces)
    return before
