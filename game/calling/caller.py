"""The worker's part: finds games in which somebody is due, and calls them.

The games themselves say what is to be done, so a worker that restarts finds all of it again. Each call is claimed in
the database before it is sent, and finished afterwards. If a worker dies in between, its claim expires, and the call is
made again. If the push service has already taken the first one, the second has the same topic and replaces it, at the
service and on the screen.
"""

import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from django.conf import settings
from django.db import OperationalError
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from game.calling.delivery import Delivered, Delivery, Gone, Later, Refused
from game.calling.due import end_of_quiet_hours, find_due_person, when_to_call
from game.calling.messages import CallMessage, write_call
from game.models import CallSettings, Game, Player, TurnCall
from game.services import calls

LOG = logging.getLogger("game.calls")
LONG_AGO = datetime.min.replace(tzinfo=timezone.get_default_timezone())
OVERLAP = timedelta(seconds=15)  # a transaction may commit this long after its timestamp
GAMES_AT_ONCE = 100
SENDERS = 8
TRIES_MOST = 8
DOMAIN_SECONDS_MOST = 20  # in one look, over all its messages: a domain that answers slowly keeps the others waiting
MAILS_A_DAY = 50  # to one address
RETRY_LEAST, RETRY_MOST = timedelta(minutes=1), timedelta(hours=6)


class Claimed(NamedTuple):
    """A call that this worker is to make now."""

    call: TurnCall
    code: str
    message: CallMessage


class Caller:
    """Looks for due calls again and again, and remembers which games to look at when."""

    def __init__(self) -> None:
        self.looked = LONG_AGO
        self.waiting: dict[str, datetime] = {}  # by code

    def look(self) -> None:
        """Make every call that is due now. Whatever fails is picked up the next time."""
        try:
            self.look_at_what_is_due()
        except Exception:
            self.looked = LONG_AGO
            raise

    def look_at_what_is_due(self) -> None:
        """Look at the games that have moved on, and at those whose moment has come."""
        now, spent = timezone.now(), Counter[str]()
        if self.looked > now:  # the clock was set back: games that move on now would seem to be old
            self.looked = LONG_AGO
        self.waiting |= dict.fromkeys(find_moved(self.looked), now)
        self.looked = now - OVERLAP
        due = sorted((code for code, moment in self.waiting.items() if moment <= now), key=self.waiting.__getitem__)
        for start in range(0, len(due), GAMES_AT_ONCE):
            codes = due[start : start + GAMES_AT_ONCE]
            for code in codes:
                del self.waiting[code]
            games = Game.with_seats(Game.objects.filter(code__in=codes))
            claimed = self.claim_all(games)
            while batch := list(islice(claimed, SENDERS)):  # no more than can be sent before the claims expire
                self.send(batch, spent)

    def claim_all(self, games: Iterable[Game]) -> Iterator[Claimed]:
        """Yield the calls to make in these games now. One broken game does not keep the others from being called."""
        for game in games:
            try:
                yield from self.claim(game)
            except OperationalError:
                raise  # the database is busy or away: the next look takes up all games again
            except Exception:
                LOG.exception("Nobody can be called in a game.")

    def claim(self, game: Game) -> Iterator[Claimed]:
        """Yield the calls to make in a game now; remember to look at it again when others may be due."""
        seat, now = find_due_person(game), timezone.now()
        moment = when_to_call(game, seat, now) if seat else None
        if seat is None or moment is None:
            return
        # Undone turns are among them: after an undo the same person may be due for the second time.
        turn, wishes = game.shots.exclude(outcome="").count(), find_wishes(seat)
        for call in list_calls(seat, wishes):
            at = max(moment, end_of_quiet_hours(wishes.quiet, wishes.zone, now))
            if call.turn == turn and call.done:
                continue
            if call.turn == turn and call.next_try:
                at = max(at, call.next_try)
            user = wishes.visitor.user if call.subscription_id is None else None
            if user and calls.count_mails(user.email, now) >= MAILS_A_DAY:
                at = max(at, calls.end_of_day(now))
            if at > now:
                self.look_again(game.code, at)
            elif calls.claim_call(call, turn, now):
                call.tries = call.tries + 1 if call.turn == turn else 1
                yield Claimed(call, game.code, write_call(game, seat, call, wishes))
            else:
                self.look_again(game.code, now + calls.CLAIM_LASTS)  # another worker has it

    def look_again(self, code: str, moment: datetime) -> None:
        """Remember to look at this game at this moment or earlier."""
        self.waiting[code] = min(moment, self.waiting.get(code, moment))

    def send(self, claimed: list[Claimed], spent: Counter[str]) -> None:
        """Send messages in parallel, and record what became of each.

        `spent`: milliseconds that this look has waited for each domain. Messages to a domain that has used up its time
        are put off, because anybody can name slow hosts, as often as they like.
        """
        allowed = [claim for claim in claimed if spent[claim.message.domain] < 1000 * DOMAIN_SECONDS_MOST]
        for claim in claimed:
            if claim not in allowed:
                self.settle(claim, Later())
        with ThreadPoolExecutor(SENDERS) as senders:
            for claim, (result, milliseconds) in zip(allowed, senders.map(deliver_call, allowed), strict=True):
                if claim.message.domain:
                    spent[claim.message.domain] += milliseconds
                self.settle(claim, result)

    def settle(self, claimed: Claimed, result: Delivery) -> None:
        """Record what became of a call. No log line says whom it was for."""
        call = claimed.call
        match result:
            case Gone() if call.subscription_id:
                calls.forget_subscription(call.subscription_id)
            case Later(seconds) if call.tries < TRIES_MOST:
                pause = timedelta(seconds=min(seconds or 0, RETRY_MOST.total_seconds()))
                until = timezone.now() + max(pause, min(RETRY_LEAST * 2 ** (call.tries - 1), RETRY_MOST))
                calls.put_off_call(call, until)
                self.look_again(claimed.code, until)
            case Refused(status):
                LOG.warning("A call was refused with status %s.", status)
                calls.finish_call(call)
            case _:
                if isinstance(result, Delivered) and call.subscription_id is None:
                    calls.note_mail(call.player, timezone.now())
                calls.finish_call(call)


def deliver_call(claimed: Claimed) -> tuple[Delivery, int]:
    """Send a message; return what became of it, and the milliseconds that it took.

    Raises nothing, so that one failure does not keep the results of the others from being recorded.
    """
    began = time.monotonic()
    result: Delivery = Later()
    try:
        result = claimed.message.deliver()
    except Exception:
        LOG.exception("A call could not be sent.")
    return result, round(1000 * (time.monotonic() - began))


def find_moved(looked: datetime) -> list[str]:
    """Return the codes of running games that have moved on since `looked` and in which somebody wants to be called."""
    called = Q(Exists(TurnCall.objects.filter(player__game=OuterRef("pk"))))
    if settings.EMAIL_HOST:
        called |= Q(Exists(Player.objects.filter(game=OuterRef("pk"), visitor__call_settings__mail=True)))
    games = Game.objects.filter(called, status=Game.Status.RUNNING, touched__gt=looked)
    return list(games.order_by().values_list("code", flat=True))


def list_calls(seat: Player, wishes: CallSettings) -> list[TurnCall]:
    """Return the ways in which whoever holds a seat is called."""
    pushed = TurnCall.objects.filter(player=seat, subscription__visitor=seat.visitor_id).select_related("subscription")
    user = wishes.visitor.user if wishes.mail else None
    by_mail = settings.EMAIL_HOST and user and user.is_active and user.email
    return [*pushed, calls.find_mail_call(seat)] if by_mail else list(pushed)


def find_wishes(seat: Player) -> CallSettings:
    """Return how whoever holds a seat wants to be called."""
    known = CallSettings.objects.filter(visitor=seat.visitor_id).select_related("visitor__user").first()
    return known or CallSettings(language=settings.LANGUAGE_CODE, zone="UTC")
