"""The page of odds: what throws bring under any ruleset, and whether to bank or to throw."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.forms.new import list_offered
from game.forms.odds import FIRST, OddsForm
from game.models import RulesetRow
from game.pages.link_preview import preview_page
from game.pages.odds_answer import Question, advise, find_problem
from game.pages.odds_charts import build_charts, compute_figures, list_counts
from game.pages.rulesets.best_play import find_best_play
from game.pages.rulesets.nameless import PREFIX, NamelessRules, name_played
from game.rules import Ruleset
from game.services.own_rules import find_played

LONGEST = 9  # digits of a number


@require_safe
def odds(request: HttpRequest) -> HttpResponse:
    """Show the odds of a ruleset, and answer whether to bank or to throw."""
    rows = list_rulesets(request.GET.get("ruleset", ""))
    form = OddsForm(request.GET, rows)
    row = form.ruleset
    problems = form.problems()
    sentence = ""
    if row and not problems:
        sentence, problem = answer_question(row.rules, form)
        problems = [("held", problem)] if problem else []
    context = {
        "rows": rows,
        "row": row,
        "inputs": {name: form.data.get(name, "")[:LONGEST] for name in FIRST},
        "counts": list_counts(row.rules) if row else (),
        "problems": problems,
        "wrong": dict(problems),
        "answer": sentence,
        "preview": preview_page(
            _("Odds of 10,000"),
            _("How likely a bust is, what a turn brings, and whether to bank or to throw: worked out for your rules."),
            "odds",
        ),
        "best_play": find_best_play(row.rules, find_solver(row)) if row else None,
        "practises": isinstance(row, RulesetRow),
        **(build_charts(row.rules) if row else {}),
    }
    return render(request, "game/odds.html", context, status=422 if problems else 200)


def list_rulesets(chosen: str) -> list[RulesetRow | NamelessRules]:
    """Return the rulesets to choose from, those that were made at a table only where they are chosen already."""
    played = find_played(chosen.removeprefix(PREFIX)) if chosen.startswith(PREFIX) and chosen.isprintable() else None
    return [*list_offered(chosen), *([name_played(played)] if played else [])]


def find_solver(row: RulesetRow | NamelessRules) -> str:
    """Return the address at which the best play under a ruleset is asked for."""
    if isinstance(row, RulesetRow):
        return reverse("game:solve", args=[row.slug])
    return reverse("game:solve-played", args=[row.digest])


def find_bust_chances(ruleset: Ruleset) -> bool:
    """Tell whether some throws bust and others do not."""
    return any(0 < chance < 1 for chance in compute_figures(ruleset).bust)


def answer_question(ruleset: Ruleset, form: OddsForm) -> tuple[str, str]:
    """Return (sentence, ""), or ("", why there is none)."""
    given = form.cleaned_data
    question = Question(given["dice"], given["points"], given["in"])
    problem = find_problem(ruleset, question)
    if compute_figures(ruleset).turn is None and not find_bust_chances(ruleset):
        return _("These rules have no odds to compare: either nothing scores or everything does."), ""
    if compute_figures(ruleset).turn is None:
        return _("For these rules it is not known yet whether to bank or to throw."), ""
    if problem and not form.is_asked:
        return "", ""  # the question the page begins with does not fit these rules: the reader did nothing wrong
    return ("", problem) if problem else (advise(ruleset, question), "")
