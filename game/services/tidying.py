"""Housekeeping: deletes what has expired. Each chore can run at any time, repeatedly, and in parallel."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.contrib.sessions.models import Session
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop
from django_tasks_db.models import DBTaskResult

from game.database_trouble import is_trouble
from game.history.lists import query_lapsed_games
from game.lock import write_lock
from game.models import (
    Audience,
    CallSettings,
    CrewPerson,
    Game,
    Invite,
    PlayedRuleset,
    Player,
    PushSubscription,
    Request,
    Transfer,
    TurnCall,
    Visitor,
)
from game.picture_cache import forget_pictures, forget_unused
from game.services.delete_game import abandon_game
from game.services.device_transfer import TRANSFER_LASTS
from game.services.dice_counts import count_new_throws
from game.services.lobby import INVITE_LASTS
from game.services.refusals import Refusal, StaleMove
from game.services.transaction import HOST_SILENT, bump_version, find_host, make_host
from game.services.win_tables import forget_tables
from game.storage import sums

ABANDONED_AFTER = timedelta(days=30)
KEYS_LAST = timedelta(days=2)
AUDIENCES_LAST = timedelta(hours=1)  # left by a process that has ended
TASKS_LAST = timedelta(days=14)
PICTURES_LAST = timedelta(days=30)  # since somebody last asked for one
ROWS_AT_ONCE = 200
ADDED_UP_MOST = 2000  # games per run, since the other chores wait meanwhile


def tidy_site() -> dict[str, int]:
    """Run every chore once, also after one that failed. Return how many rows each has handled.

    Raises what the database or its disk is to blame for at once, and anything else at the end, as an `ExceptionGroup`.
    """
    handled: dict[str, int] = {}
    failures: list[Exception] = []
    for name, chore in list_chores().items():
        try:
            handled[name] = chore() if callable(chore) else delete_in_batches(chore)
        except Exception as error:
            if is_trouble(error):
                raise
            failures.append(error)
    if failures:
        raise ExceptionGroup("Some chores failed.", failures)
    return handled


def list_chores() -> dict[str, models.QuerySet[Any] | Callable[[], int]]:
    """Return every chore by its name: rows to delete, or a function that returns how many rows it has handled."""
    return {
        gettext_noop("invites"): Invite.objects.filter(created__lt=time_before(INVITE_LASTS)),
        gettext_noop("transfers"): Transfer.objects.exclude(used=None, created__gte=time_before(TRANSFER_LASTS)),
        gettext_noop("waiting games"): delete_waiting_games,
        gettext_noop("rules that nobody played"): PlayedRuleset.objects.filter(
            played=False, kept=None, created__lt=time_before(Game.WAITING_LASTS)
        ),
        gettext_noop("people no longer in a crew"): CrewPerson.objects.filter(listed=False, seats=None),
        gettext_noop("abandoned games"): abandon_games,
        gettext_noop("games with a new host"): hand_over_hosts,
        gettext_noop("request keys"): Request.objects.filter(created__lt=time_before(KEYS_LAST)),
        gettext_noop("audiences"): Audience.objects.filter(seen__lt=time_before(AUDIENCES_LAST)),
        gettext_noop("notifications"): TurnCall.objects.filter(player__game__status__in=Game.OVER),
        gettext_noop("subscriptions"): PushSubscription.objects.filter(calls=None),
        gettext_noop("notification settings"): CallSettings.objects.filter(mail=False, visitor__subscriptions=None),
        gettext_noop("sessions"): Session.objects.filter(expire_date__lt=timezone.now()),
        gettext_noop("tasks"): DBTaskResult.objects.finished().filter(finished_at__lt=time_before(TASKS_LAST)),
        gettext_noop("pictures"): partial(forget_unused, PICTURES_LAST),
        gettext_noop("solved tables"): forget_tables,
        gettext_noop("newly counted throws"): count_new_throws,
        gettext_noop("games newly added to the statistics"): add_up_games,
    }


def time_before(age: timedelta) -> datetime:
    """Return the moment this long ago."""
    return timezone.now() - age


def delete_in_batches(rows: models.QuerySet[Any]) -> int:
    """Delete these rows a few at a time, so that nobody waits long for the lock; return how many were deleted.

    Each batch is looked up again under the lock, so that rows touched meanwhile stay.
    """
    count = 0
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:ROWS_AT_ONCE]):
        with write_lock(), transaction.atomic():
            gone = rows.filter(pk__in=keys).delete()[1].get(rows.model._meta.label, 0)
        if not gone:
            break
        count += gone
    return count


def delete_waiting_games() -> int:
    """Delete the games that nobody started, and the pictures of their links, which show the names."""
    lapsed = Game.objects.filter(query_lapsed_games())
    numbers = list(lapsed.values_list("pk", flat=True))
    count = delete_in_batches(lapsed)
    for number in numbers:
        forget_pictures(f"game{number}")
    return count


def change_each(codes: Iterable[str], change: Callable[[Game], None]) -> int:
    """Change the games one after the other, each under its lock. Return how many still needed it."""
    count = 0
    for code in codes:
        with suppress(Refusal), bump_version(code) as game:
            change(game)
            count += 1
    return count


def abandon_games() -> int:
    """End running games that have been silent for a month: nobody wins, and the seed is revealed."""
    silent = Game.objects.filter(status=Game.Status.RUNNING, touched__lt=time_before(ABANDONED_AFTER))
    return change_each(list(silent.values_list("code", flat=True)), abandon_if_silent)


def abandon_if_silent(game: Game) -> None:
    """End a game. Raises `StaleMove` if somebody has moved meanwhile."""
    if game.status != Game.Status.RUNNING or game.touched >= time_before(ABANDONED_AFTER):
        raise StaleMove
    abandon_game(game)


def hand_over_hosts() -> int:
    """Record the new host of games whose old host has been silent for too long, so that the log says so."""
    there = Player.objects.filter(seen__gt=time_before(HOST_SILENT)).values("game")
    games = Game.objects.filter(status=Game.Status.RUNNING, pk__in=there).select_related("host")
    light = Game.with_seats(games.defer("state_data", "settings"))
    return change_each([game.code for game in light if find_host(game) != game.host_id], hand_over_one)


def hand_over_one(game: Game) -> None:
    """Hand over the host's powers. Raises `StaleMove` if the host is back."""
    heir = find_host(game)
    if heir is None or heir == game.host_id:
        raise StaleMove
    make_host(game, Visitor.objects.get(pk=heir))


def add_up_games() -> int:
    """Write the statistics of games that count but have none: they ended under an older release."""
    count = Game.objects.filter(status=Game.Status.FINISHED, loaded=False, undone=False, players__turns=None).distinct()
    return change_each(list(count.order_by("pk").values_list("code", flat=True)[:ADDED_UP_MOST]), add_up_one)


def add_up_one(game: Game) -> None:
    """Write the statistics of one game. Raises `StaleMove` if it has some, or no longer counts."""
    if game.status != Game.Status.FINISHED or game.undone or game.seats[0].turns is not None:
        raise StaleMove
    sums.add_up(game)
