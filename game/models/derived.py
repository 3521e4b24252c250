"""What is computed in the background: tallies of the dice, reviews, solved tables."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from game.models.unnamed import UnnamedRow


class Tally(models.Model):
    """How often each face fell on one day, by number of dice thrown, separately for people and computers."""

    day = models.DateField()
    computer = models.BooleanField()
    dice = models.PositiveSmallIntegerField()
    throws = models.PositiveIntegerField(default=0)
    busts = models.PositiveIntegerField(default=0, help_text="Throws that scored nothing.")
    expected = models.FloatField(default=0, help_text="How many busts the rules of each throw let expect, in all.")
    faces = models.JSONField(default=list, help_text="Of the ones, twos, … sixes.")
    last = models.BigIntegerField(default=0, help_text="The row of the last throw that is counted.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "computer", "dice"], name="one_tally_per_day")]

    def __str__(self) -> str:
        return f"tally of {self.day}"


class Review(UnnamedRow):
    """What each decision of a finished game cost, worked out in the background."""

    game = models.OneToOneField("Game", models.CASCADE, related_name="review")
    progress = models.PositiveSmallIntegerField(default=0, help_text="Per cent.")
    data = models.JSONField(null=True, encoder=DjangoJSONEncoder)
    created = models.DateTimeField(auto_now_add=True)
    touched = models.DateTimeField(auto_now=True)

    @property
    def is_done(self) -> bool:
        """Whether there is `data`, without loading it, which for a long game takes longer than the page."""
        return self.progress == 100  # written with the data, and never before


class SolvedTable(UnnamedRow):
    """The solved chances to win of one ruleset and target, for two players, on one grid: coarse first, then exact."""

    digest = models.CharField(max_length=64, help_text="Of the settings that matter and the target.")
    step = models.PositiveIntegerField(help_text="The grid: points between two scores.")
    progress = models.PositiveSmallIntegerField(default=0, help_text="Per cent.")
    data = models.BinaryField(null=True)
    created = models.DateTimeField(auto_now_add=True)
    touched = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "game_table"
        constraints = [models.UniqueConstraint(fields=["digest", "step"], name="one_table_per_grid")]
