"""Rules changed at a table, and the pages of all rules that were ever played."""

from dataclasses import replace

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.forms.commands import read_key
from game.forms.new import carry_new_game, find_chosen_rules, find_played_rules
from game.forms.ruleset.own import OwnRulesetForm, name_changed
from game.forms.shared_rules import clean_kept_name, read_shared_rules, write_shared_rules
from game.identity import PageRequest
from game.models import Game, PlayedRuleset
from game.pages.rulesets.comparison import compare_rulesets
from game.pages.rulesets.names import name_ruleset
from game.pages.rulesets.played_rules import show_played
from game.pages.rulesets.problems import describe_problem
from game.pages.rulesets.sample_throws import FIRST_THROW, build_live_example
from game.rules import PRESETS, Ruleset, RulesetError
from game.services.own_rules import forget_kept, keep_ruleset
from game.storage import load_target
from game.views.responses import REFUSED, attach, explain_refusal, see_other
from game.views.rulesets import find_game_of_page, show_rules, solve_rules


@require_http_methods(["GET", "HEAD", "POST"])
def change(request: PageRequest) -> HttpResponse:
    """Show the form that changes rules; a POST can also try dice, load a file into the form, or compare."""
    match request.POST.get("do", ""):
        case "try":
            return try_dice(request)
        case "load":
            return load_file(request)
        case "compare":
            return compare_with_classic(request)
    rules = find_base(request)
    form = OwnRulesetForm(settings=name_changed(rules).to_json())
    return show_form(request, form, rules)


def find_base(request: PageRequest) -> Ruleset:
    """Return the rules to begin with: a game's, played ones, or those in the form of a new game. Raises `Http404`."""
    if code := (request.GET.get("game") or request.GET.get("rematch")):
        game = find_game(request, code)
        return replace(game.rules, target=load_target(game))
    if digest := request.GET.get("rules"):
        rules = find_played_rules(digest, request.browser.visitor())
    else:
        rules = find_chosen_rules(request.POST.get("ruleset") or request.GET.get("ruleset", ""), request.POST)
    if rules is None:
        raise Http404
    return rules


def find_game(request: PageRequest, code: str) -> Game:
    """Return a game that this visitor takes part in. Raises `Http404`."""
    game, visitor = Game.by_code(code), request.browser.visitor()
    if game is None or visitor is None or visitor.pk not in game.belonging:
        raise Http404
    return game


def find_destination(request: PageRequest) -> dict[str, object]:
    """Return where the form leads, by the URL or the form itself: to a waiting game, a rematch, or a new game.

    `carried`: the form of a new game as it was, to continue with.
    """
    sent = request.POST if request.method == "POST" else request.GET
    if code := sent.get("game"):
        return {"waiting": find_game(request, code), "rematch_of": None, "carried": ""}
    if code := sent.get("rematch"):
        return {"waiting": None, "rematch_of": find_game(request, code), "carried": ""}
    return {"waiting": None, "rematch_of": None, "carried": carry_new_game(request.POST)}


def show_form(
    request: PageRequest, form: OwnRulesetForm, rules: Ruleset | None = None, *, status: int = 200
) -> HttpResponse:
    """Return the page of the form. `rules`: those of the live example; None if the form is not valid."""
    context = {
        "form": form,
        "problems": form.problems() if form.is_bound else [],
        **find_destination(request),
        **build_live_example(rules, request.POST.get("throw", FIRST_THROW)),
    }
    return render(request, "game/change_rules.html", context, status=status)


def refuse_rules(request: PageRequest, form: OwnRulesetForm, error: Exception) -> HttpResponse:
    """Return the form as it was sent, with the reason for one of `REFUSED`: nobody types a hundred settings again."""
    status, why = explain_refusal(request, error)
    if form.is_valid():
        form.add_error(None, why)
    return show_form(request, form, getattr(form, "rules", None), status=status)


def try_dice(request: PageRequest) -> HttpResponse:
    """Show the live example for the rules as they are in the form; without scripts, the whole page."""
    form = OwnRulesetForm(request.POST)
    rules = form.rules if form.is_valid() else None
    if not request.htmx:
        return show_form(request, form, rules)
    context = {"form": form, **build_live_example(rules, request.POST.get("throw", FIRST_THROW))}
    return render(request, "game/partials/live_example.html", context)


def compare_with_classic(request: PageRequest) -> HttpResponse:
    """Show the rules chosen for a new game beside the classic ones."""
    compared = [PRESETS["classic"], find_base(request)]
    if compared[0].digest == compared[1].digest:
        return see_other(request, f"{reverse('game:rules')}?compare=classic")
    names = [(name_ruleset(rules), "") for rules in compared]
    context = {"names": names, "lines": compare_rulesets(compared)}
    return render(request, "game/compared.html", context)


def load_file(request: PageRequest) -> HttpResponse:
    """Fill the form with the rules of a JSON file."""
    file = request.FILES.get("file")
    if file is None:
        problems = [_("Choose a JSON file with rules.")]
    else:
        try:
            rules = read_shared_rules(file.read())
            return show_form(request, OwnRulesetForm(settings=rules.to_json()), rules)
        except RulesetError as error:
            problems = [describe_problem(problem) for problem in error.problems]
    form = OwnRulesetForm(request.POST)
    form.is_valid()
    for problem in problems:
        form.add_error(None, problem)
    return show_form(request, form, status=422)


@require_safe
def played(request: PageRequest, digest: str) -> HttpResponse:
    """Show the page of played rules."""
    shown = show_played(get_object_or_404(PlayedRuleset, digest=digest))
    visitor = request.browser.visitor()
    kept = visitor and visitor.kept_rulesets.filter(played__digest=digest).first()
    name = (kept and kept.name) or shown.name
    may_publish = request.user.has_perm("game.add_rulesetrow")
    game = find_game_of_page(request)
    return show_rules(request, shown, game=game, name=name, kept=kept, may_publish=may_publish)


@require_POST
def solve(request: PageRequest, digest: str) -> HttpResponse:
    """Queue the solving of the best play under played rules, and redirect back."""
    return solve_rules(request, show_played(get_object_or_404(PlayedRuleset, digest=digest)))


@require_safe
def download(_request: PageRequest, digest: str) -> HttpResponseBase:
    """Return the rules as a JSON file."""
    rules = get_object_or_404(PlayedRuleset, digest=digest).rules
    return attach(write_shared_rules(rules), f"rules-{digest[:6]}.json")


@require_POST
def keep(request: PageRequest, digest: str) -> HttpResponse:
    """Keep rules for other games of this browser, or stop keeping them."""
    played = get_object_or_404(PlayedRuleset, digest=digest)
    read_key(request)
    if request.POST.get("do") == "forget":
        forget_kept(request.browser.visitor(), played)
        return see_other(request, played.get_absolute_url())
    typed = request.POST.get("name", "")
    try:
        keep_ruleset(request.browser, played, clean_kept_name(typed))
    except REFUSED as error:
        status, why = explain_refusal(request, error)
        return show_rules(request, show_played(played), status=status, refusal=why, kept_name=typed[:80])
    return see_other(request, played.get_absolute_url())
