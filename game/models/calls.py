"""Calls: messages that it is somebody's turn, while they have no page open."""

from django.db import models

from game.models.games import Player
from game.models.unnamed import UnnamedRow
from game.models.visitors import Visitor


class CallSettings(UnnamedRow):
    """How somebody wants to be called, as their browser said when they last turned calls on."""

    visitor = models.OneToOneField(Visitor, models.CASCADE, related_name="call_settings")
    language = models.CharField(max_length=16)
    zone = models.CharField(max_length=64, help_text="The time zone's name, as in Europe/Berlin.")
    quiet = models.CharField(max_length=8, help_text="The quiet hours, as the preferences name them.")
    site = models.CharField(max_length=300, default="", help_text="The site's address as their browser has it.")
    mail = models.BooleanField(default=False, help_text="Whether to write to the account's address.")
    mails = models.PositiveSmallIntegerField(default=0, help_text="How many were sent on the day of the last one.")
    mailed = models.DateField(null=True, help_text="The day of the last mail, in UTC.")


class PushSubscription(UnnamedRow):
    """One browser at its push service. The address and keys come from the browser and let us send to it."""

    MOST = 10  # per visitor; the oldest go first, since browsers that are gone do not tell us

    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="subscriptions")
    browser = models.CharField(
        max_length=64, unique=True, help_text="The hash of its cookie, to find it when it signs out."
    )
    endpoint = models.CharField(max_length=1000, unique=True)
    public_key = models.CharField(max_length=88)
    auth_secret = models.CharField(max_length=24)
    created = models.DateTimeField(auto_now_add=True)


class TurnCall(UnnamedRow):
    """How a seat is called, by a browser's push service or by mail, and for which turn that was done last."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="calls")
    subscription = models.ForeignKey(
        PushSubscription, models.CASCADE, null=True, related_name="calls", help_text="None: by mail."
    )
    turn = models.PositiveIntegerField(null=True, help_text="The last turn called for: how many had ended before it.")
    done = models.BooleanField(default=False, help_text="Whether nothing is left to do for this turn.")
    tries = models.PositiveSmallIntegerField(default=0, help_text="How often it was tried for this turn.")
    next_try = models.DateTimeField(null=True, help_text="When to try again, unless it is done by then.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "subscription"], name="one_call_per_browser"),
            models.UniqueConstraint(fields=["player"], condition=models.Q(subscription=None), name="one_call_by_mail"),
        ]
