"""Rulesets in the admin: listed, copied, edited version by version, tried out, retired. Nothing is ever deleted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from game import services
from game.forms.rulesets import Bench, RulesetForm, bench, differences, doubts
from game.forms.rulesets.bench import FIRST
from game.models import Game, Ruleset
from game.rules import Ruleset as Rules
from game.services.rulesets import RulesetMovedOn, SlugTaken

PAGE = "admin/game/ruleset/editor.html"


class Offered(admin.SimpleListFilter):
    title = gettext_lazy("offered")
    parameter_name = "offered"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", _("for new games")), ("no", _("retired"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Ruleset]) -> QuerySet[Ruleset]:
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(retired__isnull=self.value() == "yes")


@admin.register(Ruleset)
class RulesetAdmin(admin.ModelAdmin):
    list_display = ("name", "version", "where_from", "entry", "target", "games", "offered", "copy")
    list_filter = (Offered,)
    search_fields = ("name", "slug")
    ordering = ("-shipped", "pk")
    actions = ("retire_chosen", "offer_chosen")
    list_per_page = 50
    show_full_result_count = False

    # ── the list ────────────────────────────────────────────────────────────────────────────────────────────────────

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ruleset]:
        """The newest versions; those before them are reached through the history."""
        played = Game.objects.filter(ruleset__slug=OuterRef("slug")).order_by().values("ruleset__slug")
        count = Subquery(played.annotate(n=Count("pk")).values("n"))
        return super().get_queryset(request).filter(latest=True).annotate(played=count)

    @admin.display(description=gettext_lazy("from"), ordering="shipped")
    def where_from(self, row: Ruleset) -> str:
        return _("the app") if row.shipped else _("this site")

    @admin.display(description=gettext_lazy("to get in"))
    def entry(self, row: Ruleset) -> str:
        return number_format(row.rules.entry_minimum, force_grouping=True)

    @admin.display(description=gettext_lazy("target"))
    def target(self, row: Ruleset) -> str:
        return number_format(row.rules.target, force_grouping=True)

    @admin.display(description=gettext_lazy("games"), ordering="played")
    def games(self, row: Ruleset) -> str:
        return format_html('<a href="{}">{}</a>', games_by(row), row.played or 0)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("offered"), boolean=True)
    def offered(self, row: Ruleset) -> bool:
        return row.retired is None

    @admin.display(description=gettext_lazy("copy"))
    def copy(self, row: Ruleset) -> str:
        return format_html('<a href="{}" aria-label="{}">{}</a>', copy_url(row), _("Copy %s") % row.name, _("Copy"))

    @admin.action(description=gettext_lazy("Retire the chosen rules"), permissions=["change"])
    def retire_chosen(self, request: HttpRequest, rows: QuerySet[Ruleset]) -> None:
        for row in rows:
            self.set_offered(request, row, False)

    @admin.action(description=gettext_lazy("Offer the chosen rules again"), permissions=["change"])
    def offer_chosen(self, request: HttpRequest, rows: QuerySet[Ruleset]) -> None:
        for row in rows:
            self.set_offered(request, row, True)

    def set_offered(self, request: HttpRequest, row: Ruleset, offer: bool) -> None:
        if offer:
            services.unretire(row)
            message = _("“%(name)s” is offered for new games again.") % {"name": row.name}
        else:
            services.retire(row)
            message = _("“%(name)s” is retired. Games that began by it go on.") % {"name": row.name}
        self.log_change(request, row, message)
        messages.success(request, message)

    def has_delete_permission(self, request: HttpRequest, obj: Ruleset | None = None) -> bool:
        return False

    # ── one ruleset ─────────────────────────────────────────────────────────────────────────────────────────────────

    def get_urls(self) -> list[URLPattern]:
        def wrap(view: Any) -> Any:
            return self.admin_site.admin_view(view)

        return [
            path("try/", wrap(require_POST(self.try_view)), name="game_ruleset_try"),
            path("<int:pk>/retire/", wrap(require_POST(self.retire_view)), name="game_ruleset_retire"),
            *super().get_urls(),
        ]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Mapping[str, Any] | None = None
    ) -> HttpResponse:
        """A copy of the ruleset named in the address, or of the first one: nobody wants to begin with all zeros."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        asked = request.GET.get("copy", "")
        original = row_of(asked) if asked else Ruleset.objects.filter(latest=True).first()
        settings = services.copy_ruleset(original) if original else Rules().to_json()
        return Editor(self, request, None, settings, original=original).answer()

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Mapping[str, Any] | None = None,
    ) -> HttpResponse:
        row = row_of(object_id)
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        return Editor(self, request, row, row.settings).answer()

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Mapping[str, Any] | None = None
    ) -> HttpResponse:
        """All versions, the newest first, each with what it changed, who saved it and how many games began by it."""
        row = row_of(object_id)
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        rows = list(Ruleset.objects.filter(slug=row.slug).order_by("version").annotate(played=Count("games")))
        authors = who_saved(rows)
        versions = [
            (each, differences(before.rules, each.rules) if before else [], authors.get(each.pk, ""))
            for before, each in zip([None, *rows], rows, strict=False)
        ]
        title = _("History of %(name)s") % {"name": row.name}
        return self.page(request, "admin/game/ruleset/history.html", title, {"row": row, "versions": versions[::-1]})

    def try_view(self, request: HttpRequest) -> HttpResponse:
        """The live example for the settings as they stand in the form, saved or not."""
        if not self.has_view_or_change_permission(request) and not self.has_add_permission(request):
            raise PermissionDenied
        form = RulesetForm(request.POST, settings=Rules().to_json())
        if saved := request.POST.get("row"):
            rules: Rules | None = row_of(saved).rules
        else:
            rules = form.rules if form.is_valid() else None
        shown = tried(rules, request.POST)
        context = {**shown, "form": form, "heard": heard(shown["bench"], shown["doubts"])}
        return render(request, "admin/game/ruleset/bench.html", context)

    def retire_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        row = row_of(str(pk))
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        self.set_offered(request, row, request.POST.get("do") == "offer")
        return HttpResponseRedirect(change_url(newest(row)))

    def page(
        self, request: HttpRequest, template: str, title: str, context: Mapping[str, Any], status: int = 200
    ) -> HttpResponse:
        site = self.admin_site.each_context(request)
        return render(request, template, {**site, "opts": self.opts, "title": title, **context}, status=status)


class Editor:
    """One request for the form of a ruleset: shown, tried out or saved. `row` is None for a new one."""

    read_only_words: ClassVar[dict[str, Any]] = {
        "shipped": gettext_lazy("These rules come with the app and stay as they are. Copy them, and change the copy."),
        "old": gettext_lazy("This is an earlier version. It stays as it is, for the games that began by it."),
        "view": gettext_lazy("You may look at these rules, but not change them."),
    }

    def __init__(
        self,
        model_admin: RulesetAdmin,
        request: HttpRequest,
        row: Ruleset | None,
        settings: Mapping[str, Any],
        original: Ruleset | None = None,
    ) -> None:
        self.admin, self.request, self.row, self.original = model_admin, request, row, original
        self.settings = settings
        self.sent = request.method == "POST" and "_try" not in request.POST
        self.target = row  # the version that Save goes on from
        self.read_only = self.why_read_only()
        data = request.POST if request.method == "POST" and not self.read_only else None
        self.form = RulesetForm(data, settings=settings, slug=row.slug if row else "", read_only=bool(self.read_only))

    def why_read_only(self) -> str:
        """Which of the sentences above says why; nothing where the form can be saved."""
        if self.row is None:
            return ""
        if not self.admin.has_change_permission(self.request, self.row):
            return "view"
        if self.row.shipped:
            return "shipped"
        # What somebody has typed is not thrown away because somebody else was quicker.
        return "" if self.row.latest or self.sent else "old"

    def answer(self) -> HttpResponse:
        if not self.sent:
            return self.show()
        if self.read_only:
            raise PermissionDenied
        if not self.form.is_valid():
            return self.show(422)
        try:
            return self.save()
        except SlugTaken as refused:
            self.form.add_error("slug", str(refused))
            return self.show(422)
        except RulesetMovedOn as refused:
            return self.moved_on(str(refused))

    def save(self) -> HttpResponse:
        saved = services.save_ruleset(self.row, self.form.settings())
        if self.row and saved.pk == self.row.pk:
            messages.info(self.request, _("Nothing was changed, so there is no new version."))
        elif self.row:
            changes = "; ".join(differences(self.row.rules, saved.rules))
            self.admin.log_change(self.request, saved, changes)
            words = {"name": saved.name, "n": saved.version, "changes": changes}
            messages.success(self.request, _("“%(name)s” is saved as version %(n)s. %(changes)s") % words)
        else:
            self.admin.log_addition(self.request, saved, _("Made"))
            messages.success(self.request, _("“%(name)s” is saved, and offered for new games.") % {"name": saved.name})
        return HttpResponseRedirect(change_url(saved))

    def moved_on(self, reason: str) -> HttpResponse:
        """Somebody else was quicker: their changes are named, and Save now goes on from theirs."""
        assert self.row is not None  # only an edit of a version can be overtaken
        self.target = newest(self.row)
        words = {
            "reason": reason,
            "changes": "; ".join(differences(self.row.rules, self.target.rules)),
            "n": self.target.version,
        }
        sentence = _(
            "%(reason)s They changed: %(changes)s. If you save now, your form as it stands becomes the newest version; "
            "theirs, version %(n)s, stays in the history."
        )
        self.form.add_error(None, sentence % words)
        return self.show(409)

    def show(self, status: int = 200) -> HttpResponse:
        row = self.row
        rules: Rules | None = None
        if self.form.is_bound:
            rules = self.form.rules if self.form.is_valid() or status == 409 else None
        else:
            rules = Rules.from_json(dict(self.settings))
        post = self.request.POST
        return self.admin.page(
            self.request,
            PAGE,
            self.title(),
            {
                "form": self.form,
                "row": row,
                "target": self.target,
                "newest": newest(row) if row and not row.latest else row,
                "original": self.original,
                "read_only": self.read_only_words.get(self.read_only, ""),
                "may_add": self.admin.has_add_permission(self.request),
                "may_change": self.admin.has_change_permission(self.request, row),
                "copy_url": copy_url(row) if row else "",
                "games_url": games_by(row) if row else "",
                "played": Game.objects.filter(ruleset__slug=row.slug).count() if row else 0,
                "problems": self.form.problems() if self.form.is_bound else [],
                **tried(rules, post, row),
            },
            status,
        )

    def title(self) -> str:
        error = _("Error: ") if self.form.is_bound and self.form.errors else ""
        if self.row is None:
            return error + _("New rules")
        return error + _("%(name)s, version %(n)s") % {"name": self.row.name, "n": self.row.version}


def tried(rules: Rules | None, data: Mapping[str, Any], row: Ruleset | None = None) -> dict[str, Any]:
    """What the live example needs: the settings put to the test, and doubts about them."""
    if rules is None:
        return {"bench": None, "doubts": [], "typed": data.get("throw", FIRST)[:20]}
    shown = bench(rules, data.get("throw", FIRST))
    return {"bench": shown, "doubts": [*doubts(rules), *same_name(rules)], "typed": shown.typed}


def heard(shown: Bench | None, odd: list[str]) -> str:
    """The example in a sentence, for those who do not see it change."""
    if shown is None:
        return _("Some settings are not right yet.")
    if shown.tried is None:
        return shown.error
    dice = " ".join(map(str, shown.tried.dice))
    best = shown.tried.keeps[0].points if shown.tried.keeps else 0
    words = {"dice": dice, "points": best, "doubts": len(odd)}
    return ngettext(
        "%(dice)s: %(points)s points at best. %(doubts)s doubt.",
        "%(dice)s: %(points)s points at best. %(doubts)s doubts.",
        len(odd),
    ) % words


def same_name(rules: Rules) -> list[str]:
    others = Ruleset.objects.filter(latest=True, retired=None, name__iexact=rules.name).exclude(slug=rules.slug)
    if not others.exists():
        return []
    return [_("Other rules are called “%(name)s”, too: players could not tell them apart.") % {"name": rules.name}]


def who_saved(rows: list[Ruleset]) -> dict[int, str]:
    """Who saved each version, as far as the admin's own log knows."""
    kind = ContentType.objects.get_for_model(Ruleset)
    entries = LogEntry.objects.filter(content_type=kind, object_id__in=[str(row.pk) for row in rows])
    first_last = entries.order_by("-action_time").annotate(name=F("user__username"))
    return {int(entry.object_id or 0): entry.name for entry in first_last}


def row_of(pk: str) -> Ruleset:
    """The version with this number; a 404 for anything that is none."""
    row = Ruleset.objects.filter(pk=int(pk)).first() if re.fullmatch(r"[0-9]{1,18}", pk) else None
    if row is None:
        raise Http404
    return row


def newest(row: Ruleset) -> Ruleset:
    return Ruleset.objects.get(slug=row.slug, latest=True)


def change_url(row: Ruleset) -> str:
    return reverse("admin:game_ruleset_change", args=[row.pk])


def copy_url(row: Ruleset) -> str:
    return f"{reverse('admin:game_ruleset_add')}?copy={row.pk}"


def games_by(row: Ruleset) -> str:
    return f"{reverse('admin:game_game_changelist')}?rules={row.slug}"
