"""What happened in a game, as rows: shots with their throws, and what was changed apart from the dice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from game.models.compiled import CompiledQuery


class ShotRow(models.Model):
    """One player's turn. `place` is its place in the order that shots and changes share."""

    class Outcome(models.TextChoices):
        RUNNING = "", _("running")
        BANK = "bank", _("banked")
        BUST = "bust", _("bust")
        WIN = "win", _("won at once")
        OUT = "out", _("sat out")
        SKIP = "skip", _("skipped")
        OVER = "over", _("over the target")
        ELIMINATED = "eliminated", _("eliminated")

    game = models.ForeignKey("Game", models.CASCADE, related_name="shots")
    player = models.ForeignKey("Player", models.CASCADE, related_name="shots")
    place = models.PositiveIntegerField(_("order in the game"))
    round = models.PositiveIntegerField(_("round"))
    points = models.PositiveIntegerField(_("points banked or lost"), default=0)
    cost = models.PositiveBigIntegerField(_("points taken off the score"), default=0)
    score = models.BigIntegerField(_("score after it"), default=0)
    count = models.PositiveSmallIntegerField(_("throws"), default=0)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, blank=True, default="")
    cancelled = models.BooleanField(_("undone"), default=False)
    manual = models.BooleanField(_("real dice"), default=False)
    picked_up = models.PositiveSmallIntegerField(_("dice picked up"), null=True, blank=True)
    dice_left = models.PositiveSmallIntegerField(_("dice left"), null=True, blank=True)
    lost = models.PositiveIntegerField(
        default=0, help_text="What a bust with real dice had gathered, where that is what it costs."
    )
    nothing = models.BooleanField(
        default=False, help_text="A bust with real dice was a throw of nothing, where that costs points."
    )

    class Meta:
        db_table = "game_shot"
        ordering = ["place"]
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        indexes = [models.Index(fields=["game", "place"])]
        constraints = [
            models.UniqueConstraint(
                fields=["game"], condition=models.Q(outcome="", cancelled=False), name="one_running_shot"
            )
        ]

    def __str__(self) -> str:
        return gettext("turn %(number)s") % {"number": self.place}

    @cached_property
    def fallen(self) -> list[ThrowRow]:
        """Its throws in order, read once."""
        return FALLEN(self.pk)


class ThrowRow(models.Model):
    """One falling of the dice. Faces, the columns they landed in and the columns kept are strings of digits."""

    game = models.ForeignKey("Game", models.CASCADE, related_name="throws")
    shot = models.ForeignKey(ShotRow, models.CASCADE, null=True, related_name="throws")
    order = models.PositiveIntegerField(_("throw in its turn"), default=1)
    number = models.PositiveIntegerField(
        _("number of its dice"),
        null=True,
        help_text=_("Which throw of the sealed dice it is; empty for real dice and for those from a file."),
    )
    dice = models.CharField(_("dice"), max_length=12)
    columns = models.CharField(max_length=6)
    kept = models.CharField(_("columns kept"), max_length=6, blank=True, default="")
    points = models.PositiveIntegerField(_("points"), default=0)
    with_aside = models.BooleanField(_("a combination with dice kept before"), default=False)
    cancelled = models.BooleanField(_("undone"), default=False)
    created = models.DateTimeField(_("thrown at"), auto_now_add=True)

    class Meta:
        db_table = "game_throw"
        ordering = ["pk"]
        verbose_name = _("throw")
        verbose_name_plural = _("throws")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], condition=models.Q(cancelled=False), name="one_throw_per_number"
            )
        ]

    table_columns: Mapping[int, int] = MappingProxyType({})  # not a field: see `game.pages.parts.dice.sort_throws`

    def __str__(self) -> str:
        return self.dice

    @property
    def faces(self) -> tuple[int, ...]:
        """The dice as they fell."""
        return tuple(map(int, self.dice))

    @cached_property
    def by_column(self) -> dict[int, int]:
        """The faces by column."""
        return dict(zip(map(int, self.columns), self.faces, strict=True))

    @property
    def kept_columns(self) -> tuple[int, ...]:
        """The columns of the dice that were kept."""
        return tuple(map(int, self.kept))

    @property
    def kept_faces(self) -> tuple[int, ...]:
        """The dice that were kept, sorted."""
        return tuple(sorted(self.by_column[column] for column in self.kept_columns))


FALLEN = CompiledQuery(lambda shot: ThrowRow.objects.filter(shot=shot).order_by("pk"), -1)


class Checkpoint(models.Model):
    """The state of a game after everything up to a place, so that undoing in a long game need not replay all of it."""

    TURNS = 25  # from one checkpoint to the next

    game = models.ForeignKey("Game", models.CASCADE, related_name="checkpoints")
    place = models.PositiveIntegerField()
    state_format = models.PositiveSmallIntegerField()
    state_data = models.JSONField(encoder=DjangoJSONEncoder)

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["game", "place"], name="one_checkpoint_a_place")]

    def __str__(self) -> str:
        return f"after {self.place}"


class ChangeRow(models.Model):
    """A change apart from the dice. `IN_FILE` are the kinds that a game file has, too.

    `data` has the version of the game that the change made, except in rows from before that was recorded.
    """

    IN_FILE = ("target", "rename", "join", "out", "in", "hand")

    game = models.ForeignKey("Game", models.CASCADE, related_name="changes")
    place = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    player = models.ForeignKey("Player", models.CASCADE, null=True, related_name="changes")
    data = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "game_change"
        ordering = ["place"]
        indexes = [models.Index(fields=["game", "place"])]

    def __str__(self) -> str:
        return f"{self.kind} at {self.place}"
