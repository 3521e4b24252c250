"""Records who is called when it is their turn, and what became of it. `game.calling` decides when, and sends."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils.translation import gettext_lazy

from game.identity import Browser
from game.lock import write_lock
from game.models import CallSettings, Player, PushSubscription, TurnCall, Visitor
from game.services.refusals import GameOver, NotForYou, Refusal
from game.services.transaction import find_own_game

# How long a claim lasts: longer than sending takes, and short enough for another worker to replace one that died.
CLAIM_LASTS = timedelta(minutes=1)


class CannotCall(Refusal):
    """The browser cannot be called: nothing is sent over a connection that anybody can listen to."""

    sentence = gettext_lazy("This site has no https, so it can’t notify you when this page is closed.")


@dataclass(frozen=True)
class PushKeys:
    """Where a browser can be reached, and the keys to encrypt for it, as the browser gave them."""

    endpoint: str
    public_key: str
    auth_secret: str


@dataclass(frozen=True)
class CallWishes:
    """How a person wants to be called, as their browser last said."""

    language: str
    zone: str
    quiet: str
    site: str


def call_seats(browser: Browser, code: str, keys: PushKeys, wishes: CallWishes) -> None:
    """Call this browser when it is the turn of a person who plays at it. Raises a `Refusal`."""
    with write_lock(), transaction.atomic():
        visitor, seats = find_seats_to_call(browser, code)
        Visitor.objects.select_for_update().get(pk=visitor.pk)  # simultaneous presses wait for each other
        set_wishes(visitor, wishes)
        subscription = save_subscription(browser, visitor, keys)
        for seat in seats:
            TurnCall.objects.get_or_create(player=seat, subscription=subscription)
        drop_oldest(visitor)


def find_seats_to_call(browser: Browser, code: str) -> tuple[Visitor, list[Player]]:
    """Return the visitor, and the people's seats that they hold in the game. Raises a `Refusal`."""
    game, visitor = find_own_game(code, browser.visitor())
    seats = [seat for seat in game.seats if seat.visitor_id == visitor.pk and not seat.level]
    if not seats:
        raise NotForYou(NotForYou.SEAT)
    if game.is_over:
        raise GameOver
    return visitor, seats


def set_wishes(visitor: Visitor, wishes: CallWishes, **more: bool) -> None:
    """Store how somebody wants to be called. Call it within a transaction."""
    CallSettings.objects.update_or_create(visitor=visitor, defaults=vars(wishes) | more)


def save_subscription(browser: Browser, visitor: Visitor, keys: PushKeys) -> PushSubscription:
    """Return the row of this browser, with its current address. A previous user of the browser is no longer called."""
    PushSubscription.objects.filter(endpoint=keys.endpoint).exclude(browser=browser.token_hash).delete()
    values = {"visitor": visitor, **vars(keys)}
    subscription, _new = PushSubscription.objects.update_or_create(browser=browser.token_hash, defaults=values)
    subscription.calls.exclude(player__visitor=visitor).delete()
    return subscription


def drop_oldest(visitor: Visitor) -> None:
    """Forget the oldest browsers of a visitor who has more than `PushSubscription.MOST`."""
    newest = PushSubscription.objects.filter(visitor=visitor).order_by("-created", "-pk").values_list("pk", flat=True)
    PushSubscription.objects.filter(pk__in=list(newest[PushSubscription.MOST :])).delete()


def stop_calling(browser: Browser, code: str) -> None:
    """Stop calling this browser for the seats that it holds in this game. Raises a `Refusal`."""
    with write_lock(), transaction.atomic():
        visitor, seats = find_seats_to_call(browser, code)
        TurnCall.objects.filter(player__in=seats, subscription__browser=browser.token_hash).delete()
        PushSubscription.objects.filter(visitor=visitor, calls=None).delete()


def is_called(browser: Browser, code: str) -> bool:
    """Return whether this browser is called when it is the turn of somebody who plays at it. Raises a `Refusal`."""
    _visitor, seats = find_seats_to_call(browser, code)
    return TurnCall.objects.filter(player__in=seats, subscription__browser=browser.token_hash).exists()


def forget_calls(seats: QuerySet[Player]) -> None:
    """Stop all calls for seats that change hands. Call it within the transaction that does so."""
    TurnCall.objects.filter(player__in=seats).delete()


def forget_browser(browser: Browser) -> None:
    """Forget where this browser can be reached: its user signs out, and somebody else may use it next."""
    with write_lock():
        PushSubscription.objects.filter(browser=browser.token_hash).delete()


def forget_browsers_of(account: int | None, but: Browser | None) -> None:
    """Forget all browsers of an account but one, since its password is new: one of the others may have been stolen."""
    with write_lock():
        others = PushSubscription.objects.filter(visitor__user=account)
        others.exclude(browser=but.token_hash if but else "").delete()


def change_quiet_hours(visitor: Visitor, quiet: str) -> None:
    """Apply a visitor's choice of quiet hours to their calls, too."""
    with write_lock():
        CallSettings.objects.filter(visitor=visitor).update(quiet=quiet)


# ---- what the worker records: that it is about to send, then the result


def claim_call(call: TurnCall, turn: int, now: datetime) -> bool:
    """Claim the call for this turn, and return whether this worker got it: only one of several does, and only once.

    The claim is stored before anything is sent, so that no two workers send the same message. A call that was neither
    finished nor put off can be claimed again after `CLAIM_LASTS`: by then the first worker must have died.
    """
    is_new = ~Q(turn=turn)
    free = is_new | Q(done=False, next_try__lte=now)
    tries = Case(When(turn=turn, then=F("tries") + 1), default=Value(1))
    with write_lock():
        row = TurnCall.objects.filter(free, pk=call.pk)
        return bool(row.update(turn=turn, done=False, tries=tries, next_try=now + CLAIM_LASTS))


def find_mail_call(player: Player) -> TurnCall:
    """Return the row of a seat's calls by mail, created if missing."""
    with write_lock():
        return TurnCall.objects.get_or_create(player=player, subscription=None)[0]


def count_mails(address: str, now: datetime) -> int:
    """Return how many calls went to this mail address on the day of `now`, in UTC."""
    sent = CallSettings.objects.filter(visitor__user__email=address, mailed=now.astimezone(UTC).date())
    return sum(sent.values_list("mails", flat=True))


def note_mail(player: Player, now: datetime) -> None:
    """Count a mail that was sent to the holder of a seat."""
    day = now.astimezone(UTC).date()
    mails = Case(When(mailed=day, then=F("mails") + 1), default=Value(1))
    with write_lock():
        CallSettings.objects.filter(visitor=player.visitor_id).update(mails=mails, mailed=day)


def end_of_day(now: datetime) -> datetime:
    """Return when the next day begins, in UTC."""
    return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)


def finish_call(call: TurnCall) -> None:
    """Record that nothing is left to do for the turn that a call was claimed for."""
    with write_lock():
        TurnCall.objects.filter(pk=call.pk).update(done=True)


def put_off_call(call: TurnCall, until: datetime) -> None:
    """Record when to retry a call that did not go through."""
    with write_lock():
        TurnCall.objects.filter(pk=call.pk).update(next_try=until)


def forget_subscription(subscription: int) -> None:
    """Forget a browser that its push service says is gone."""
    with write_lock():
        PushSubscription.objects.filter(pk=subscription).delete()
