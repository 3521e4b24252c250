"""Accounts, for those who want one: the same seats on several devices. Everything else works without.

An account has a visitor of its own. A browser that is signed in acts as that visitor once its person has said what
becomes of the seats that it held before; nothing moves by signing in alone, for families share computers.
"""

import secrets
from contextlib import suppress

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from game.history.lists import numbers_with_part
from game.identity import Browser, derive_token, hash_token
from game.lock import write_lock
from game.models import CallSettings, Game, KeptRuleset, PushSubscription, TurnCall, Visitor
from game.services.calls import CallWishes, set_wishes
from game.services.crews import adopt_crews
from game.services.delete_game import delete_or_leave
from game.services.refusals import NoSuchGame
from game.services.transaction import bump_version
from game.storage import sums


def visitor_of(user: User) -> Visitor:
    """Return who a browser is that is signed in to this account. No cookie leads to its row."""
    with write_lock(), transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # of two that ask at once one makes it
        account = Visitor.objects.filter(user=user).order_by("pk").first()
        return account or Visitor.objects.create(user=user, token_hash=hash_token(secrets.token_urlsafe(32)))


def renew_cookie(browser: Browser, user: User) -> Browser:
    """Return the browser with another cookie for the same seats: whoever knew the one before is locked out.

    Pressed twice it is the same one, since browsers drop the first answer. Nobody else can work it out.
    """
    token = derive_token("game.visitor", browser.token, user.pk)
    with write_lock(), transaction.atomic():
        Visitor.objects.filter(token_hash=browser.token_hash).update(token_hash=hash_token(token))
        PushSubscription.objects.filter(browser=browser.token_hash).update(browser=hash_token(token))
    return Browser(token, browser.known)


def keep_language(visitor: Visitor, language: str) -> None:
    """Have this visitor called in a language from now on, and the next browser of their account speak it."""
    with write_lock(), transaction.atomic():
        CallSettings.objects.filter(visitor=visitor).update(language=language)
        Visitor.objects.filter(pk=visitor.pk, user__isnull=False).update(language=language)


def count_games(visitor: Visitor | None) -> int:
    """Return in how many games this visitor holds a seat or is the host."""
    return games_of(visitor).count() if visitor else 0


def games_of(visitor: Visitor) -> QuerySet[Game]:
    """Return the games in which this visitor holds a seat or is the host."""
    return Game.objects.filter(pk__in=numbers_with_part(visitor))


def adopt_seats(user: User, visitor: Visitor) -> None:
    """Give the seats, kept rules and crews of this browser to the account; whoever signs in to it holds them then.

    Game by game, as its deletion. Open pages hear of it, since others belong there now.
    """
    account = visitor_of(user)
    with write_lock(), transaction.atomic():
        kept = KeptRuleset.objects.filter(visitor=account).values("played")
        KeptRuleset.objects.filter(visitor=visitor).exclude(played__in=kept).update(visitor=account)
        adopt_crews(account, visitor)
        PushSubscription.objects.filter(visitor=visitor).update(visitor=account)
        if not CallSettings.objects.filter(visitor=account).exists():
            CallSettings.objects.filter(visitor=visitor).update(visitor=account)
    for code in list(games_of(visitor).values_list("code", flat=True)):
        with suppress(NoSuchGame), bump_version(code) as game:
            game.players.filter(visitor=visitor).update(visitor=account)
            sums.update_contest_flag(game)
            game.transfers.filter(visitor=visitor).delete()
            if game.host_id == visitor.pk:
                game.host = account
                game.save(update_fields=["host"])


def call_by_mail(user: User, address: str, wishes: CallWishes) -> None:
    """Write to this address when it is the account's turn. Its owner has agreed; a new password is sent there, too."""
    visitor = visitor_of(user)
    with write_lock(), transaction.atomic():
        User.objects.filter(pk=user.pk).update(email=address)
        set_wishes(visitor, wishes, mail=True)


def stop_mail(account: int) -> None:
    """Write no mail about turns any more."""
    with write_lock(), transaction.atomic():
        CallSettings.objects.filter(visitor__user=account).update(mail=False)
        TurnCall.objects.filter(player__visitor__user=account, subscription=None).delete()


def is_called_by_mail(user: User) -> bool:
    """Return whether the account is written to when it is its turn."""
    return CallSettings.objects.filter(visitor__user=user, mail=True).exists()


def delete_account(user: User) -> None:
    """Delete the account and the games that nobody else sits in; the others are left to those who do.

    Game by game, so that nobody waits long for the lock. Broken off, it can be asked for again.
    """
    for visitor in Visitor.objects.filter(user=user):
        for code in list(games_of(visitor).values_list("code", flat=True)):
            with suppress(NoSuchGame), bump_version(code) as game:
                delete_or_leave(game, visitor)
    with write_lock(), transaction.atomic():
        Visitor.objects.filter(user=user).delete()
        user.delete()
