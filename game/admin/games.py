"""Games, players, turns and throws in the admin: to search and to follow. Read-only, so that dice stay fair."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import IntegerField, Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from game.admin.lists import SafeList
from game.models import Game, Player, RulesetRow, ShotRow, ThrowRow
from game.pages.parts.text import number


def write_link(row: Model, words: object) -> str:
    """Return a link to the page of a row in the admin."""
    address = reverse(f"admin:game_{row._meta.model_name}_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, words)


def link_to_list(model: type[Model], words: str, **only: object) -> str:
    """Return a link to a list of rows. `only`: lookups that narrow it to those of one object."""
    query = "&".join(f"{name}={value}" for name, value in only.items())
    address = reverse(f"admin:game_{model._meta.model_name}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, query, words)


def group_digits(model: type[Model], name: Any) -> Any:
    """Return a column that groups the numbers of a field as everywhere on the site; any other name as it is."""
    field = next((field for field in model._meta.fields if field.name == name), None)
    if not isinstance(field, IntegerField):
        return name

    @admin.display(description=field.verbose_name, ordering=name)
    def column(row: Model) -> str | None:
        value = getattr(row, name)
        return None if value is None else number(value)

    column.__name__ = name  # the column's class on the page
    return column


class ReadOnly(SafeList, admin.ModelAdmin):  # type: ignore[type-arg]
    """Anyone with the view permission may look; nobody may change anything."""

    list_per_page = 50
    show_full_result_count = False
    unread: tuple[str, ...]  # large columns that no list shows

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows without their large columns, which no list shows."""
        return super().get_queryset(request).defer(*self.unread)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return [group_digits(self.model, name) for name in self.list_display]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [group_digits(self.model, name) for name in self.fields or ()]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: games are made by playing."""
        return False

    has_change_permission = has_delete_permission = has_add_permission


class ByRuleset(admin.SimpleListFilter):
    """Games by ruleset, whatever its version."""

    title = gettext_lazy("ruleset")
    parameter_name = "ruleset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(RulesetRow.objects.filter(latest=True).values_list("slug", "name"))

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        return queryset.filter(ruleset__slug=self.value()) if self.value() else queryset


class ByKind(admin.SimpleListFilter):
    title = gettext_lazy("kind of player")
    parameter_name = "who"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("person", _("people")), ("computer", _("computers"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        if self.value() == "person":
            return queryset.filter(level="")
        return queryset.exclude(level="") if self.value() == "computer" else queryset


@admin.register(Game)
class GameAdmin(ReadOnly):
    """The games, with their rulesets and players."""

    list_display = ("code", "status", "by_rules", "who", "target", "made", "touched")
    list_filter = ("status", ByRuleset, "created")
    list_select_related = ("ruleset",)
    search_fields = ("code", "players__name")
    sortable_by = ("code", "made")  # any other order would sort all games for a page of 50
    unread = ("state_data", "settings")
    ordering = ("-pk",)
    fields = (
        "code", "on_site", "status", "by_rules", "target", "who", "follow", "loaded", "undone", "created", "touched",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Return the games, with the seats of a whole list read at once."""
        return Game.with_seats(super().get_queryset(request))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        """Return the games found by code or by a player's name, in a subquery: a join with players needs DISTINCT."""
        named = Player.objects.filter(name__icontains=search_term).values("game")
        return (queryset.filter(Q(code=search_term) | Q(pk__in=named)) if search_term else queryset), False

    @admin.display(description=gettext_lazy("made"), ordering="pk")
    def made(self, game: Game) -> datetime:
        """Return when the game was made. Primary keys have about the same order, and sorting by them costs nothing."""
        return game.created

    @admin.display(description=gettext_lazy("ruleset"))
    def by_rules(self, game: Game) -> str:
        return write_link(game.ruleset, game.ruleset) if game.ruleset else _("its own")

    @admin.display(description=gettext_lazy("players"))
    def who(self, game: Game) -> str:
        return format_html_join(", ", "<bdi>{}</bdi> ({})", ((row.name, number(row.score)) for row in game.seats))

    @admin.display(description=gettext_lazy("page"))
    def on_site(self, game: Game) -> str:
        return format_html('<a href="{}">{}</a>', game.get_absolute_url(), _("Look at the game"))

    @admin.display(description=gettext_lazy("events"))
    def follow(self, game: Game) -> str:
        """Return links to the players, turns and throws of the game, with how many there are."""
        players, shots, throws = game.players.count(), game.shots.count(), game.throws.count()
        lists = (
            (Player, ngettext("%(n)s player", "%(n)s players", players) % {"n": number(players)}),
            (ShotRow, ngettext("%(n)s turn", "%(n)s turns", shots) % {"n": number(shots)}),
            (ThrowRow, ngettext("%(n)s throw", "%(n)s throws", throws) % {"n": number(throws)}),
        )
        links = ((link_to_list(model, words, game=game.pk),) for model, words in lists)
        return format_html_join(" · ", "{}", links)


class PartOfGame(ReadOnly):
    """Rows that belong to a game."""

    unread = ("game__state_data", "game__settings")

    @admin.display(description=gettext_lazy("game"), ordering="game_id")  # "game" would sort by when it was made
    def of_game(self, row: Player | ShotRow | ThrowRow) -> str:
        return write_link(row.game, row.game)


@admin.register(Player)
class PlayerAdmin(PartOfGame):
    list_display = ("name", "of_game", "seat", "level", "score", "entered", "active", "won")
    list_filter = (ByKind, "won", "entered", "active")
    list_select_related = ("game",)
    search_fields = ("name", "game__code")
    ordering = ("-game_id", "seat")
    fields = ("name", "of_game", "seat", "level", "score", "entered", "active", "won", "turns_of")

    @admin.display(description=gettext_lazy("turns"))
    def turns_of(self, player: Player) -> str:
        return link_to_list(ShotRow, number(player.shots.count()), player=player.pk)


@admin.register(ShotRow)
class ShotAdmin(PartOfGame):
    list_display = ("place", "of_game", "by", "round", "points", "score", "outcome", "throws_of", "manual", "cancelled")
    list_filter = ("outcome", "cancelled", "manual")
    list_select_related = ("game", "player")
    search_fields = ("game__code", "player__name")
    ordering = ("-game_id", "-place")
    fields = (
        "place", "of_game", "by", "round", "points", "cost", "score", "outcome", "throws_of", "manual", "picked_up",
        "dice_left", "cancelled",
    )  # fmt: skip

    @admin.display(description=gettext_lazy("player"), ordering="player__name")
    def by(self, shot: ShotRow) -> str:
        return write_link(shot.player, shot.player)

    @admin.display(description=gettext_lazy("throws"), ordering="count")
    def throws_of(self, shot: ShotRow) -> str:
        return link_to_list(ThrowRow, number(shot.count), shot=shot.pk)


@admin.register(ThrowRow)
class ThrowAdmin(PartOfGame):
    list_display = (
        "dice", "kept_dice", "points", "of_game", "of_shot", "by", "order", "number", "cancelled", "created",
    )  # fmt: skip
    list_filter = ("cancelled", "with_aside", "created")
    list_select_related = ("game", "shot__player")
    search_fields = ("dice", "game__code", "shot__player__name")
    ordering = ("-pk",)
    fields = (
        "dice", "kept_dice", "points", "with_aside", "of_game", "of_shot", "by", "order", "number", "cancelled",
        "created",
    )  # fmt: skip

    @admin.display(description=gettext_lazy("kept"), ordering="kept")
    def kept_dice(self, throw: ThrowRow) -> str:
        return "".join(map(str, throw.kept_faces))

    @admin.display(description=gettext_lazy("turn"), ordering="shot__place")
    def of_shot(self, throw: ThrowRow) -> str:
        """Return a link to the turn; a throw that decides who begins has none."""
        return write_link(throw.shot, throw.shot) if throw.shot else _("to see who goes first")

    @admin.display(description=gettext_lazy("player"), ordering="shot__player__name")
    def by(self, throw: ThrowRow) -> str:
        return write_link(throw.shot.player, throw.shot.player) if throw.shot else ""
