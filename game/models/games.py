"""Games and their seats as rows: containers for values of `game.rules`. No rule of the game lives here.

`game.storage` converts between these rows and the values of the rules.
"""

from __future__ import annotations

from datetime import timedelta

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property  # Django's, because `with_seats` can fill it
from django.utils.translation import gettext_lazy as _

from game.addresses import find_address
from game.models.colours import COLOURS
from game.models.compiled import CompiledQuery
from game.models.rulesets import RulesetRow, read_rules
from game.models.shots import ThrowRow
from game.models.visitors import Visitor, new_code
from game.rules import Ruleset, State
from game.rules.names import is_computer_name


class Game(models.Model):
    """One game. It contains its ruleset, frozen as it was at the start."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting for players")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        ABANDONED = "abandoned", _("abandoned")

    OPEN = frozenset({Status.WAITING, Status.RUNNING})
    OVER = frozenset({Status.FINISHED, Status.ABANDONED})
    WAITING_LASTS = timedelta(days=7)  # since it was made; a game that nobody has started by then counts as gone

    code = models.CharField(_("link"), max_length=22, unique=True, default=new_code)
    key = models.CharField(max_length=64, unique=True, editable=False)
    digest = models.CharField(max_length=64, editable=False, default="")
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.RUNNING)
    version = models.PositiveIntegerField(default=1)
    dice_version = models.PositiveIntegerField(
        default=1, help_text="The version at which the shot or its legal moves last changed."
    )
    table_version = models.PositiveIntegerField(
        default=1, help_text="The version at which something beside the dice last changed."
    )
    turn_version = models.PositiveIntegerField(default=1, help_text="The version at which a turn last ended.")
    # Also None if the rules were made at the table; `settings` has the rules of every game.
    ruleset = models.ForeignKey(
        RulesetRow,
        models.PROTECT,
        null=True,
        related_name="games",
        help_text="None where the rules came with a game file and are not among ours.",
    )
    settings = models.JSONField(encoder=DjangoJSONEncoder)
    target = models.PositiveIntegerField(_("target at the start"))
    host = models.ForeignKey(Visitor, models.SET_NULL, null=True, related_name="hosted")
    state_format = models.PositiveSmallIntegerField(default=0)
    state_data = models.JSONField(encoder=DjangoJSONEncoder, default=dict)
    place = models.PositiveIntegerField(
        default=0, help_text="The last place given in the order that shots and changes share."
    )
    epoch = models.PositiveSmallIntegerField(default=1)
    thrown = models.PositiveIntegerField(default=0, help_text="The number of the last throw that counts.")
    draft = models.JSONField(
        encoder=DjangoJSONEncoder, default=dict, help_text="What was entered so far of a turn with real dice."
    )
    hints = models.CharField(max_length=6, blank=True, default="")
    mode = models.CharField(max_length=6, default="auto", help_text="Dice on screen or real dice, at the start.")
    watching = models.BooleanField(_("may be watched"), default=True)
    asking = models.ForeignKey(
        "Player",
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="The player who asks the others to agree to something; none once the next dice fall.",
    )
    question = models.CharField(
        max_length=6, default="undo", help_text="What is asked for: undo, or auto or manual for the mode."
    )
    loaded = models.BooleanField(_("from a file"), default=False)
    undone = models.BooleanField(_("with undone throws"), default=False)
    follows = models.OneToOneField("self", models.SET_NULL, null=True, blank=True, related_name="rematch")
    # When it was made, or when it began if it had to wait for players.
    created = models.DateTimeField(_("made"), auto_now_add=True)
    touched = models.DateTimeField(_("last move"), auto_now=True)
    dice_changed_at = models.DateTimeField(
        default=timezone.now,
        help_text="When the shot or its legal moves last changed: since then the seat due is silent.",
    )

    known_state: State | None = None  # not a field: see `game.storage.load_state`

    class Meta:
        ordering = ["-created"]
        verbose_name = _("game")
        verbose_name_plural = _("games")
        indexes = [models.Index(fields=["status", "touched"])]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return find_address("game:page", self.code)

    @property
    def rules_address(self) -> str:
        """The address of the page of its rules: that of a ruleset of this site, or that of played rules."""
        if self.ruleset_id:
            return find_address("game:ruleset", self.rules.slug)
        return find_address("game:played-ruleset", self.rules.digest)

    @property
    def is_over(self) -> bool:
        """Whether it is finished or abandoned: nothing can be thrown any more, and the seed of its dice may be seen."""
        return self.status in Game.OVER

    @cached_property
    def rules(self) -> Ruleset:
        """Return the ruleset that it is played by."""
        return read_rules(self.settings)

    @cached_property
    def seats(self) -> list[Player]:
        """Return the players in seating order, read once."""
        seats = SEATS(self.pk)
        for player in seats:
            player.game = self
        return seats

    @staticmethod
    def with_seats(games: models.QuerySet[Game]) -> models.QuerySet[Game]:
        """Return the query of these games, with the seats of all of them read at once."""
        name = "seats"  # to the type checker, a plain assignment would redeclare the property
        return games.prefetch_related(models.Prefetch("players", Player.objects.order_by("seat"), name))

    @classmethod
    def by_code(cls, code: str) -> Game | None:
        """Return the game behind a link, or None. One query."""
        return GAME.first(code) if code.isprintable() else None  # PostgreSQL raises an error for a NUL

    @staticmethod
    def raise_version(code: str, *, table: bool) -> Game | None:
        """Raise the version of a game, which locks its row, and return it. `table`: the table's version, too.

        On both databases this statement is the lock: whoever comes second waits here. None if there is no such game.
        """
        return GAME.change("version = version + 1" + (", table_version = version + 1" if table else ""), code)

    def is_newest(self) -> bool:
        """Return whether nobody has changed the game since this row was read or written. One query."""
        return NEWEST.exists(self.pk, self.version)

    @property
    def belonging(self) -> frozenset[int]:
        """The primary keys of the visitors who hold a seat, and of the host, who may have none."""
        held = (self.host_id, *(seat.visitor_id for seat in self.seats))
        return frozenset(visitor for visitor in held if visitor is not None)

    def find_person(self, visitor: int | None) -> Player | None:
        """Return the first seat that a person plays at the browser with this primary key; None without one."""
        return next((seat for seat in self.seats if visitor and seat.visitor_id == visitor and not seat.level), None)

    @cached_property
    def running_throws(self) -> tuple[ThrowRow, ...]:
        """Return the throws of the running shot in order, with the shot loaded; none before the first. One query."""
        throws = tuple(RUNNING_THROWS(self.pk))
        for throw in throws:
            throw.shot = throws[-1].shot
        return throws

    @property
    def last_throw(self) -> ThrowRow | None:
        """The last throw of the running shot, with the shot loaded; None before the first."""
        return self.running_throws[-1] if self.running_throws else None


class Seed(models.Model):
    """The seed of the dice of one epoch. Never show it in the admin, logs or texts before the epoch is over."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seeds")
    epoch = models.PositiveSmallIntegerField(default=1)
    seed = models.BinaryField(max_length=32)
    seal = models.CharField(max_length=64)
    table = models.CharField(max_length=64)
    first = models.PositiveIntegerField(
        default=1, help_text="Which throw of the whole game, those taken back included, is its first."
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "epoch"], name="one_seed_per_epoch")]

    def __str__(self) -> str:
        return f"seed of epoch {self.epoch}"


SUMMED = ("won", "contest", "score", "banks", "banked", "best_bank")  # what head to head and statistics add up


class Player(models.Model):
    """A seat in one game. `score` and `entered` are copies of the state, for lists that must not read it."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField(_("seat"))
    name = models.CharField(_("name"), max_length=160)
    level = models.CharField(_("computer's level"), max_length=10, blank=True, default="")
    colour = models.PositiveSmallIntegerField(null=True, help_text="1 to 8, as chosen; none for the usual colour.")
    usual_colour = models.PositiveSmallIntegerField(
        null=True, help_text="1 to 8, that of the game before a rematch; none for the colour of the seat."
    )
    visitor = models.ForeignKey(Visitor, models.SET_NULL, null=True, related_name="seats")
    score = models.BigIntegerField(_("score"), default=0)
    entered = models.BooleanField(_("on the board"), default=False)
    active = models.BooleanField(_("plays"), default=True)
    won = models.BooleanField(_("won"), default=False)
    word = models.CharField(max_length=64, blank=True, default="", help_text="What this seat put into the dice.")
    seen = models.DateTimeField(null=True, help_text="When a page of this seat was last heard of.")
    turns = models.PositiveIntegerField(null=True, help_text="At the end, where the game counts for statistics.")
    banks = models.PositiveIntegerField(default=0)
    banked = models.PositiveBigIntegerField(default=0, help_text="Points of all banks together.")
    best_bank = models.PositiveIntegerField(default=0, help_text="Points of the best of them.")
    busts = models.PositiveIntegerField(default=0)
    expected_busts = models.FloatField(default=0, help_text="How many busts the chances of each throw add up to.")
    contest = models.BooleanField(default=False, help_text="At the end, whether not all were people at one device.")

    class Meta:
        ordering = ["game", "seat"]
        verbose_name = _("player")
        verbose_name_plural = _("players")
        indexes = [
            models.Index(fields=["visitor", "game"]),  # index-only lookup of somebody's games
            # Index-only sums over somebody's games, and over the opponents they met there. Only for games that
            # count, so no move writes to these indexes.
            models.Index(
                fields=["visitor", "level", "game", "turns", "name", "seat", *SUMMED, "busts", "expected_busts"],
                condition=models.Q(turns__isnull=False),
                name="sums_of_a_visitor",
            ),
            models.Index(
                fields=["game", "turns", "visitor", "level", "name", "seat", *SUMMED],
                condition=models.Q(turns__isnull=False),
                name="sums_of_a_game",
            ),
        ]
        constraints = [models.UniqueConstraint(fields=["game", "seat"], name="one_player_per_seat")]

    def __str__(self) -> str:
        return self.name

    @property
    def default_colour(self) -> int:
        """The colour of a seat for which none was chosen, 1 to 8."""
        return self.usual_colour or self.seat % len(COLOURS) + 1

    @property
    def is_person(self) -> bool:
        """Whether the seat is a person's, even while a computer stands in."""
        return not is_computer_name(self.name)

    @property
    def own_level(self) -> str:
        """The level of a computer; empty for a person, even while a computer stands in."""
        return "" if self.is_person else self.level


GAME = CompiledQuery(lambda code: Game.objects.filter(code=code).order_by(), "code")
NEWEST = CompiledQuery(
    lambda pk, version: Game.objects.filter(pk=pk, version=version).order_by().values_list("pk"), -1, 9_999
)
RUNNING_THROWS = CompiledQuery(
    lambda game: (
        ThrowRow.objects.filter(shot__game=game, shot__outcome="", shot__cancelled=False)
        .select_related("shot")
        .order_by("pk")
    ),
    -1,
)
SEED = CompiledQuery(lambda game, epoch: Seed.objects.filter(game=game, epoch=epoch), -1, 9_999)
SEATS = CompiledQuery(lambda game: Player.objects.filter(game=game).order_by("seat"), -1)
