"""Browsers, the links that seat them, their requests, and who watches. A `Visitor` is a browser, not a person."""

import secrets

from django.conf import settings
from django.db import models

from game.models.unnamed import UnnamedRow

CODE = "[A-Za-z0-9_-]{22}"
SPOKEN_BITS = 30


def new_code() -> str:
    """Return a public code for a link: 128 bits, 22 characters. It shows a game and gives no seat."""
    return secrets.token_urlsafe(16)


def new_spoken() -> int:
    """Return the number behind a spoken invite: 30 bits, which three words stand for."""
    return secrets.randbits(SPOKEN_BITS)


class Visitor(UnnamedRow):
    """One browser. Only the hash of its cookie is kept, so that a copy of the database opens nobody's seat."""

    token_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="visitors",
        help_text="Whose browser it is, where somebody said so by a button.",
    )
    language = models.CharField(
        max_length=16, blank=True, default="", help_text="What an account chose last, for its next browser."
    )
    created = models.DateTimeField(auto_now_add=True)
    seen = models.DateTimeField(null=True, help_text="At a game in which it holds no seat, as only a host can be.")


class Invite(UnnamedRow):
    """The link that gives a seat. Stored in plain text, since the host's page shows it again; it ends after round 2."""

    game = models.OneToOneField("Game", models.CASCADE, related_name="invite")
    token = models.CharField(max_length=22, unique=True, default=new_code)
    spoken = models.PositiveIntegerField(
        unique=True, null=True, default=new_spoken, help_text="The same link as three words: 30 bits, ten for each."
    )
    created = models.DateTimeField(auto_now_add=True)


class Transfer(UnnamedRow):
    """The link that moves a visitor's seats of one game to another browser: once, and for ten minutes."""

    game = models.ForeignKey("Game", models.CASCADE, related_name="transfers")
    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="transfers")
    player = models.ForeignKey(
        "Player",
        models.CASCADE,
        null=True,
        related_name="transfers",
        help_text="The one seat that moves; none where all of the visitor's do, and the host's powers with them.",
    )
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)


class Request(UnnamedRow):
    """A request to change a game, or a crew if it names no game. Sent again with the same key, it changes nothing."""

    game = models.ForeignKey(
        "Game", models.SET_NULL, null=True, related_name="requests", help_text="None once it was deleted."
    )
    visitor = models.ForeignKey(Visitor, models.CASCADE, related_name="requests")
    key = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "visitor", "key"], name="one_use_per_key")]


class Audience(UnnamedRow):
    """How many watch a game through one process of the site, as last recorded."""

    game = models.ForeignKey("Game", models.CASCADE, related_name="audiences")
    process = models.CharField(max_length=32)
    watchers = models.PositiveIntegerField()
    seen = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "process"], name="one_audience_per_process")]
