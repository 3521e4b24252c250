"""Accounts, for who wants one: the same seats on several devices. Everything else works without.

An account has a visitor of its own. A browser that is signed in acts as that visitor once it was said what becomes of
the seats that it held before; nothing moves by signing in alone, for families share computers.
"""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from game.identity import Browser, hash_of, new_token
from game.lock import write_lock
from game.models import Game, Player, Visitor


def visitor_of(user: User) -> Visitor:
    """Who a browser is that is signed in to this account. No cookie leads to its row."""
    with write_lock(), transaction.atomic():
        found = Visitor.objects.filter(user=user).order_by("pk").first()
        return found or Visitor.objects.create(user=user, token_hash=hash_of(secrets.token_urlsafe(32)))


def renew(browser: Browser) -> Browser:
    """Another cookie for the same seats: whoever knew the one before is locked out."""
    token = new_token()
    with write_lock(), transaction.atomic():
        Visitor.objects.filter(token_hash=browser.token_hash).update(token_hash=hash_of(token))
    return Browser(token, browser.known)


def games_at(visitor: Visitor | None) -> int:
    """How many games this visitor holds a seat in, or made."""
    if visitor is None:
        return 0
    seats = Player.objects.filter(visitor=visitor).values("game")
    return Game.objects.filter(Q(pk__in=seats) | Q(host=visitor)).count()


def adopt(user: User, visitor: Visitor) -> None:
    """The seats of this browser become the account's; whoever signs in to it holds them from now on."""
    account = visitor_of(user)
    with write_lock(), transaction.atomic():
        visitor.seats.update(visitor=account)
        visitor.hosted.update(host=account)
        visitor.transfers.all().delete()


def delete(user: User) -> None:
    """The account and the games that nobody else played in. In the others its seats become nobody's."""
    with write_lock(), transaction.atomic():
        mine = Visitor.objects.filter(user=user)
        shared = Player.objects.filter(visitor__isnull=False).exclude(visitor__in=mine).values("game")
        Game.objects.filter(Q(players__visitor__in=mine) | Q(host__in=mine)).exclude(pk__in=shared).delete()
        mine.delete()
        user.delete()
