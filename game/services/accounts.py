"""Accounts, for those who want one: the same seats on several devices. Everything else works without one.

An account has a visitor of its own. A signed-in browser acts as that visitor once its user has said what becomes of the
seats it held before; signing in alone moves nothing, since families share computers.
"""

from contextlib import suppress

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils.translation import gettext_lazy

from game.history.lists import query_games_of
from game.identity import Browser, derive_token, hash_token, new_token
from game.lock import keep_others_out, write_lock
from game.models import CallSettings, KeptRuleset, PushSubscription, TurnCall, Visitor
from game.services.calls import CallWishes, set_wishes
from game.services.crews import adopt_crews
from game.services.delete_game import delete_or_leave
from game.services.refusals import NoSuchGame, Refusal
from game.services.transaction import bump_version
from game.storage import sums


class NameTaken(Refusal):
    """Another account has this name, upper or lower case aside."""

    status = 422
    sentence = gettext_lazy("That name is taken. Choose another one.")


def is_name_taken(name: str) -> bool:
    """Return whether an account has this name, upper or lower case aside."""
    return User.objects.filter(username__iexact=name).exists()


def create_account(user: User) -> None:
    """Store a new user. Hash the password before: that is slow, and others wait for the lock. Raises `NameTaken`."""
    with write_lock(), transaction.atomic():
        keep_others_out(User)
        if is_name_taken(user.username):  # taken since the form was checked, perhaps in other capitals
            raise NameTaken
        user.save()


def find_or_make_visitor(user: User) -> Visitor:
    """Return the visitor that a browser signed in to this account acts as. No cookie leads to its row."""
    with write_lock(), transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # of two simultaneous requests, only one creates it
        account = find_visitor_of(user)
        return account or Visitor.objects.create(user=user, token_hash=hash_token(new_token()))


def find_visitor_of(user: User) -> Visitor | None:
    """Return the visitor of this account without creating one; None if there is none yet."""
    return Visitor.objects.filter(user=user).order_by("pk").first()


def renew_cookie(browser: Browser, user: User) -> Browser:
    """Return the browser with a new cookie for the same seats: anybody who knew the old one is locked out.

    A double press gives the same cookie, since browsers drop the first answer. Nobody else can derive it. If an answer
    was lost and the browser played on with the old cookie, what it has gained since is added to what it had before.
    """
    token = derive_token("game.visitor", browser.token, user.pk)
    old, new = browser.token_hash, hash_token(token)
    with write_lock(), transaction.atomic():
        renewed = Visitor.objects.filter(token_hash=new).first()
        own = Visitor.objects.filter(token_hash=old).first()
        if own and not renewed:
            Visitor.objects.filter(pk=own.pk).update(token_hash=new)
        subscriptions = PushSubscription.objects.filter(browser=old)
        if subscriptions.exists():
            PushSubscription.objects.filter(browser=new).delete()
            subscriptions.update(browser=new)
    if own and renewed:
        give_all(own, renewed)
    return Browser(token, browser.known)


def keep_language(visitor: Visitor, language: str) -> None:
    """Use this language for calls to the visitor from now on, and for the next browser of their account."""
    with write_lock(), transaction.atomic():
        CallSettings.objects.filter(visitor=visitor).update(language=language)
        Visitor.objects.filter(pk=visitor.pk, user__isnull=False).update(language=language)


def count_games(visitor: Visitor | None) -> int:
    """Return in how many games this visitor holds a seat or is the host."""
    return query_games_of(visitor).count() if visitor else 0


def has_crews_or_rules(visitor: Visitor | None) -> bool:
    """Return whether a visitor keeps rules, holds a crew, was let in to one, or asks to be."""
    if visitor is None:
        return False
    return visitor.kept_rulesets.exists() or visitor.crews.exists() or visitor.memberships.exists()


def give_all(visitor: Visitor, heir: Visitor) -> None:
    """Give the seats, kept rules and crews of one visitor to another, who is the same person.

    Goes game by game, as `delete_account` does. Open pages are notified, since other visitors belong to the games now.
    """
    with write_lock(), transaction.atomic():
        keep_others_out(KeptRuleset)  # two browsers of one person may give the same rules at once
        kept = KeptRuleset.objects.filter(visitor=heir).values("played")
        KeptRuleset.objects.filter(visitor=visitor).exclude(played__in=kept).update(visitor=heir)
        KeptRuleset.objects.filter(visitor=visitor).delete()
        adopt_crews(heir, visitor)
        PushSubscription.objects.filter(visitor=visitor).update(visitor=heir)
        if not CallSettings.objects.filter(visitor=heir).exists():
            CallSettings.objects.filter(visitor=visitor).update(visitor=heir)
    for code in list(query_games_of(visitor).values_list("code", flat=True)):
        with suppress(NoSuchGame), bump_version(code) as game:
            game.players.filter(visitor=visitor).update(visitor=heir)
            sums.update_contest_flag(game)
            game.transfers.filter(visitor=visitor).delete()
            if game.host_id == visitor.pk:
                game.host = heir
                game.save(update_fields=["host"])


def call_by_mail(user: User, address: str, wishes: CallWishes) -> None:
    """Mail this address when it is the account's turn. Its owner has agreed; it also receives password resets."""
    visitor = find_or_make_visitor(user)
    with write_lock(), transaction.atomic():
        User.objects.filter(pk=user.pk).update(email=address)
        set_wishes(visitor, wishes, mail=True)


def stop_mail(account: int) -> None:
    """Stop sending mail about turns to an account, given by its primary key."""
    with write_lock(), transaction.atomic():
        CallSettings.objects.filter(visitor__user=account).update(mail=False)
        TurnCall.objects.filter(player__visitor__user=account, subscription=None).delete()


def is_called_by_mail(user: User) -> bool:
    """Return whether the account gets mail when it is its turn."""
    return CallSettings.objects.filter(visitor__user=user, mail=True).exists()


def is_deleted(account: int | None) -> bool:
    """Return whether there is no account with this primary key; False if none is given."""
    return account is not None and not User.objects.filter(pk=account).exists()


def delete_account(user: User) -> None:
    """Delete the account and the games that nobody else sits in; leave its other games to the people in them.

    The admin's log forgets it too: what was done to an account there is logged with its name.
    Goes game by game, so that nobody waits long for the lock. If interrupted, it can simply be repeated.
    """
    for visitor in Visitor.objects.filter(user=user):
        for code in list(query_games_of(visitor).values_list("code", flat=True)):
            with suppress(NoSuchGame), bump_version(code) as game:
                delete_or_leave(game, visitor)
    with write_lock(), transaction.atomic():
        Visitor.objects.filter(user=user).delete()
        kind = ContentType.objects.get_for_model(User)
        LogEntry.objects.filter(content_type=kind, object_id=str(user.pk)).delete()
        user.delete()
