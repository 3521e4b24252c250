"""The form of a ruleset in the admin: shown, tried out or saved."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from game import services
from game.forms.presentation import PresentationForm
from game.forms.ruleset.form import RulesetForm
from game.forms.shared_rules import read_shared_rules
from game.models import Game, RulesetRow
from game.pages.parts.language import gettext as _
from game.pages.rulesets.comparison import list_changes
from game.pages.rulesets.problems import describe_problem
from game.pages.rulesets.sample_throws import FIRST_THROW, build_live_example
from game.rules import Ruleset, RulesetError
from game.services.rulesets import RulesetMovedOn, SlugTaken

PAGE = "admin/game/ruleset/editor.html"


class Editor:
    """One request for the form of a ruleset: to show it, try it out or save it. `row`: None for a new ruleset.

    `presentation`: the form of how the site presents it, if that was posted and refused; else None.
    """

    read_only_words: ClassVar[dict[str, Any]] = {
        "shipped": gettext_lazy(
            "This ruleset comes with the site and cannot be changed. Copy it, and change the copy."
        ),
        "old": gettext_lazy("This is an earlier version. It stays as it is for the games that were started with it."),
        "view": gettext_lazy("You may look at this ruleset, but not change it."),
    }

    def __init__(
        self,
        model_admin: admin.ModelAdmin[RulesetRow],
        request: HttpRequest,
        row: RulesetRow | None,
        settings: Mapping[str, Any],
        original: RulesetRow | None = None,
        presentation: PresentationForm | None = None,
    ) -> None:
        self.admin, self.request, self.row, self.original = model_admin, request, row, original
        self.settings, self.presentation = settings, presentation
        self.posted = request.method == "POST" and presentation is None
        self.loads = self.posted and "_load" in request.POST
        self.sent = self.posted and "_try" not in request.POST and not self.loads
        self.target = row  # the version that Save builds on
        self.read_only = self.why_read_only()
        if self.loads and not self.read_only:
            self.settings = self.read_file()
        data = request.POST if self.posted and not self.read_only and not self.loads else None
        self.form = RulesetForm(
            data, settings=self.settings, slug=row.slug if row else "", read_only=bool(self.read_only)
        )

    def why_read_only(self) -> str:
        """Return the key in `read_only_words` of why the form cannot be saved; "" if it can."""
        if self.row is None:
            return ""
        if not self.admin.has_change_permission(self.request, self.row):
            return "view"
        if self.row.shipped:
            return "shipped"
        # A posted form is accepted, so that nobody loses what they typed because somebody else saved first. That of an
        # earlier version, which says which `row` it shows, can only try dice.
        return "" if self.row.latest or (self.posted and "row" not in self.request.POST) else "old"

    def read_file(self) -> Mapping[str, Any]:
        """Return the settings of the uploaded file; if it has none, say why and return the present ones."""
        file = self.request.FILES.get("file")
        try:
            loaded = read_shared_rules(file.read() if file else b"").to_json()
        except RulesetError as error:
            for problem in error.problems:
                messages.error(self.request, describe_problem(problem))
            return self.settings
        messages.info(self.request, _("The form shows the rules of the file. Nothing is saved yet."))
        return {**loaded, "slug": self.row.slug} if self.row else loaded

    def answer(self) -> HttpResponse:
        if not self.sent:
            return self.show()
        if self.read_only:
            raise PermissionDenied
        if not self.form.is_valid():
            return self.show(422)
        try:
            return self.save()
        except (SlugTaken, RulesetMovedOn) as refused:
            newest = RulesetRow.objects.filter(slug=self.form.rules.slug, latest=True, shipped=False).first()
            if newest and newest.rules == self.form.rules:  # as an earlier press on Save left it
                return self.leave(newest)
            if isinstance(refused, RulesetMovedOn):
                return self.moved_on(str(refused))
            self.form.add_error("slug", str(refused))
            return self.show(422)

    def save(self) -> HttpResponse:
        """Save the form as a new ruleset or version, log it, and redirect to its page."""
        saved = services.save_ruleset(self.row, self.form.settings())
        if self.row and saved.pk == self.row.pk:
            messages.info(self.request, _("Nothing changed, so there is no new version."))
        elif self.row:
            changes = "; ".join(list_changes(self.row.rules, saved.rules))
            self.admin.log_change(self.request, saved, changes)
            words = {"name": saved.name, "n": saved.version, "changes": changes}
            messages.success(self.request, _("Saved “%(name)s” as version %(n)s. %(changes)s") % words)
        else:
            self.admin.log_addition(self.request, saved, _("Created"))
            messages.success(self.request, _("Saved “%(name)s” and offered it for new games.") % {"name": saved.name})
        return self.leave(saved)

    def leave(self, saved: RulesetRow) -> HttpResponse:
        """Redirect to the page of what was saved, if this user may see that."""
        may_see = self.admin.has_view_or_change_permission(self.request, saved)
        return HttpResponseRedirect(find_change_address(saved) if may_see else reverse("admin:index"))

    def moved_on(self, reason: str) -> HttpResponse:
        """Return the form after somebody else saved first: it names their changes, and Save now builds on them."""
        assert self.row is not None  # a new ruleset has nothing to conflict with
        self.target = get_newest(self.row)
        words = {
            "reason": reason,
            "changes": "; ".join(list_changes(self.row.rules, self.target.rules)),
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
        rules: Ruleset | None = None
        if self.form.is_bound:
            rules = self.form.rules if self.form.is_valid() or status == 409 else None
        else:
            rules = Ruleset.from_json(dict(self.settings))
        post = self.request.POST
        solving = services.list_solving(row.rules) if row else []
        presentation = self.presentation
        if not presentation and row and may_present(self.admin, self.request, row):
            presentation = PresentationForm(None, row)
        return render_page(
            self.admin,
            self.request,
            PAGE,
            self.title(),
            {
                "form": self.form,
                "row": row,
                "target": self.target,
                "newest": get_newest(row) if row and not row.latest else row,
                "original": self.original,
                "read_only": self.read_only_words.get(self.read_only, ""),
                "may_add": self.admin.has_add_permission(self.request),
                "may_change": self.admin.has_change_permission(self.request, row),
                "copy_url": find_copy_address(row) if row else "",
                "games_url": find_games_address(row) if row else "",
                "played": Game.objects.filter(ruleset__slug=row.slug).count() if row else 0,
                "solving": solving,
                "unsolved": any(not table.done for table in solving),
                "presentation": presentation,
                "problems": self.problems(),
                **try_rules(rules, post),
            },
            status,
        )

    def problems(self) -> list[tuple[str, str]]:
        if self.presentation:
            return self.presentation.problems()
        return self.form.problems() if self.form.is_bound else []

    def title(self) -> str:
        error = _("Error: ") if self.problems() else ""
        if self.row is None:
            return error + _("New ruleset")
        return f"{error}{self.row}"


def may_present(model_admin: admin.ModelAdmin[RulesetRow], request: HttpRequest, row: RulesetRow) -> bool:
    """Return whether this user may change how the site presents a ruleset; only its newest version shows that."""
    return row.latest and model_admin.has_change_permission(request, row)


def save_presentation(model_admin: admin.ModelAdmin[RulesetRow], request: HttpRequest, row: RulesetRow) -> HttpResponse:
    """Save how the site presents a ruleset and redirect to its form, or show what was sent with what is wrong."""
    if not may_present(model_admin, request, row):
        raise PermissionDenied
    form = PresentationForm(request.POST, row)
    if not form.is_valid():
        return Editor(model_admin, request, row, row.settings, presentation=form).show(422)
    services.present_ruleset(row, form.presentation())
    model_admin.log_change(request, row, _("Presentation changed"))
    messages.success(request, _("Saved. No new version was needed."))
    return HttpResponseRedirect(find_change_address(row))


def render_page(
    model_admin: admin.ModelAdmin[RulesetRow],
    request: HttpRequest,
    template: str,
    title: str,
    context: Mapping[str, Any],
    status: int = 200,
) -> HttpResponse:
    """Return a page of the admin: `context`, and what the admin's own base template shows."""
    site = model_admin.admin_site.each_context(request)
    return render(request, template, {**site, "opts": model_admin.opts, "title": title, **context}, status=status)


def try_rules(rules: Ruleset | None, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the live example shows, with a warning if two rulesets have the same name."""
    return build_live_example(rules, data.get("throw", FIRST_THROW), find_namesakes(rules) if rules else ())


def find_namesakes(rules: Ruleset) -> list[str]:
    """Return a warning if another ruleset on offer has the same name, else an empty list."""
    others = RulesetRow.query_offered().filter(name__iexact=rules.name).exclude(slug=rules.slug)
    if not others.exists():
        return []
    return [_("Another ruleset is called “%(name)s” too: players could not tell them apart.") % {"name": rules.name}]


def get_version(pk: str) -> RulesetRow:
    """Return the version with this primary key. Raises `Http404` for anything else."""
    row = RulesetRow.objects.filter(pk=int(pk)).first() if re.fullmatch(r"[0-9]{1,18}", pk) else None
    if row is None:
        raise Http404
    return row


def get_newest(row: RulesetRow) -> RulesetRow:
    """Return the newest version of the same ruleset."""
    return RulesetRow.objects.get(slug=row.slug, latest=True)


def find_change_address(row: RulesetRow) -> str:
    """Return the address at which this version is edited."""
    return reverse("admin:game_rulesetrow_change", args=[row.pk])


def find_copy_address(row: RulesetRow) -> str:
    """Return the address of the form for a new ruleset, filled with a copy of this one."""
    return f"{reverse('admin:game_rulesetrow_add')}?copy={row.pk}"


def find_games_address(row: RulesetRow) -> str:
    """Return the address of the list of games played by a ruleset, whatever its version."""
    return f"{reverse('admin:game_game_changelist')}?ruleset={row.slug}"
