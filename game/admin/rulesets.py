"""Rulesets in the admin: listed, copied, edited version by version, tried out, retired. Nothing is ever deleted."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from game import services
from game.admin import editor
from game.admin.lists import SafeList
from game.forms.ruleset.form import RulesetForm
from game.models import Game, RulesetRow
from game.pages.parts.language import gettext as _
from game.pages.parts.text import number
from game.pages.rulesets.comparison import list_changes
from game.rules import Ruleset
from game.services.own_rules import copy_played, find_played


class OfferedFilter(admin.SimpleListFilter):
    title = gettext_lazy("status")
    parameter_name = "offered"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", _("for new games")), ("no", _("archived"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[RulesetRow]) -> QuerySet[RulesetRow]:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(retired__isnull=self.value() == "yes")


@admin.register(RulesetRow)
class RulesetAdmin(SafeList, admin.ModelAdmin):  # type: ignore[type-arg]
    """The newest version of each ruleset, and the pages that edit it."""

    list_display = ("name", "version", "where_from", "entry", "target", "games", "offered", "copy")
    list_filter = (OfferedFilter,)
    search_fields = ("name", "slug")
    ordering = ("shipped", "pk")  # those made here come first, because the shipped ones fill more than a page
    actions = ("retire_chosen", "offer_chosen")
    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[RulesetRow]:
        """Return the newest versions; earlier ones are reached through the history."""
        played = Game.objects.filter(ruleset__slug=OuterRef("slug")).order_by().values("ruleset__slug")
        count = Subquery(played.annotate(n=Count("pk")).values("n"))
        rows: QuerySet[RulesetRow] = super().get_queryset(request)
        return rows.filter(latest=True).annotate(played=count)

    @admin.display(description=gettext_lazy("from"), ordering="shipped")
    def where_from(self, row: RulesetRow) -> str:
        return _("shipped") if row.shipped else _("this site")

    @admin.display(description=gettext_lazy("first bank"))
    def entry(self, row: RulesetRow) -> str:
        return number(row.rules.entry_minimum)

    @admin.display(description=gettext_lazy("target"))
    def target(self, row: RulesetRow) -> str:
        return number(row.rules.target)

    @admin.display(description=gettext_lazy("games"), ordering="played")
    def games(self, row: RulesetRow) -> str:
        return format_html('<a href="{}">{}</a>', editor.find_games_address(row), number(row.played or 0))  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("offered"), boolean=True)
    def offered(self, row: RulesetRow) -> bool:
        return row.retired is None

    @admin.display(description=gettext_lazy("copy"))
    def copy(self, row: RulesetRow) -> str:
        return format_html(
            '<a href="{}" aria-label="{}">{}</a>', editor.find_copy_address(row), _("Copy %s") % row.name, _("Copy")
        )

    @admin.action(description=gettext_lazy("Archive the selected rulesets"), permissions=["change"])
    def retire_chosen(self, request: HttpRequest, rows: QuerySet[RulesetRow]) -> None:
        for row in rows:
            self.set_offered(request, row, False)

    @admin.action(description=gettext_lazy("Restore the selected rulesets"), permissions=["change"])
    def offer_chosen(self, request: HttpRequest, rows: QuerySet[RulesetRow]) -> None:
        for row in rows:
            self.set_offered(request, row, True)

    def set_offered(self, request: HttpRequest, row: RulesetRow, offer: bool) -> None:
        """Archive a ruleset or offer it again, log the change, and tell the user."""
        if offer:
            services.offer_ruleset_again(row)
            message = _("“%(name)s” is offered for new games again.") % {"name": row.name}
        else:
            services.retire_ruleset(row)
            message = _("“%(name)s” is archived. Games that were started with it continue.") % {"name": row.name}
        self.log_change(request, row, message)
        messages.success(request, message)

    def has_delete_permission(self, request: HttpRequest, obj: RulesetRow | None = None) -> bool:
        """Return False: games and their files refer to rulesets for ever."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, with those of the live example, the presentation and archiving."""
        wrap = self.admin_site.admin_view
        return [
            path("try/", wrap(require_POST(self.try_view)), name="game_rulesetrow_try"),
            path("<int:pk>/present/", wrap(require_POST(self.present_view)), name="game_rulesetrow_present"),
            path("<int:pk>/retire/", wrap(require_POST(self.retire_view)), name="game_rulesetrow_retire"),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Mapping[str, Any] | None = None
    ) -> HttpResponse:
        """Show the editor with a copy of the ruleset or played rules in the address, else of the first ruleset."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        source = request.GET.get("copy", "")
        original = editor.get_version(source) if source else RulesetRow.objects.filter(latest=True).first()
        settings = services.copy_ruleset(original) if original else Ruleset().to_json()
        if played := find_played(request.GET.get("played", "")):
            original, settings = None, dict(copy_played(played))
        return editor.Editor(self, request, None, settings, original=original).answer()

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Mapping[str, Any] | None = None,
    ) -> HttpResponse:
        row = editor.get_version(object_id)
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        return editor.Editor(self, request, row, row.settings).answer()

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Mapping[str, Any] | None = None
    ) -> HttpResponse:
        """Show all versions, newest first: what each changed, who saved it, and how many games began with it."""
        row = editor.get_version(object_id)
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        rows = list(RulesetRow.objects.filter(slug=row.slug).order_by("version").annotate(played=Count("games")))
        authors = find_authors(rows)
        versions = [
            (row, list_changes(before.rules, row.rules) if before else [], authors.get(row.pk, ""))
            for before, row in zip([None, *rows], rows, strict=False)
        ]
        title = _("History of %(name)s") % {"name": row.name}
        context = {"row": row, "versions": versions[::-1]}
        return editor.render_page(self, request, "admin/game/ruleset/history.html", title, context)

    def try_view(self, request: HttpRequest) -> HttpResponse:
        """Show the live example for the settings as they are in the form, saved or not."""
        if not self.has_view_or_change_permission(request) and not self.has_add_permission(request):
            raise PermissionDenied
        form = RulesetForm(request.POST, settings=Ruleset().to_json())
        if saved := request.POST.get("row"):
            rules: Ruleset | None = editor.get_version(saved).rules
        else:
            rules = form.rules if form.is_valid() else None
        context = {**editor.try_rules(rules, request.POST), "form": form, "oob": True}
        return render(request, "admin/game/ruleset/live_example.html", context)

    def present_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Save how the site presents a ruleset, which is the same for all versions."""
        return editor.save_presentation(self, request, editor.get_newest(editor.get_version(str(pk))))

    def retire_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Archive a ruleset or offer it again, and redirect to its newest version."""
        row = editor.get_version(str(pk))
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        self.set_offered(request, row, request.POST.get("do") == "offer")
        return HttpResponseRedirect(editor.find_change_address(editor.get_newest(row)))


def find_authors(rows: Sequence[RulesetRow]) -> dict[int, str]:
    """Return who saved each version, by its primary key, as far as the log knows; nobody saved a shipped one."""
    kind = ContentType.objects.get_for_model(RulesetRow)
    saved_here = [str(row.pk) for row in rows if not row.shipped]
    entries = LogEntry.objects.filter(content_type=kind, object_id__in=saved_here)
    # Later entries are about archiving, so the first one of each version counts.
    saved = entries.order_by("-action_time").values_list("object_id", "user__username")
    return {int(pk or 0): name for pk, name in saved}
