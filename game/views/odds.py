"""The odds page: what throws are worth under any ruleset, and whether to bank or to throw."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.forms.new import list_offered
from game.forms.odds import FIRST, OddsForm
from game.models import RulesetRow
from game.pages.link_preview import preview_page
from game.pages.odds_answer import Question, answer_question
from game.pages.odds_charts import build_charts, list_counts
from game.pages.rulesets.best_play import find_best_play
from game.pages.rulesets.nameless import PREFIX, NamelessRules, name_played
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
        given = form.cleaned_data
        question = Question(given["dice"], given["points"], given["in"])
        sentence, problem = answer_question(row.rules, question)
        if problem and form.is_asked:  # else the page began with a question that does not fit these rules
            problems = [("held", problem)]
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
    """Return the rulesets to choose from; one made at a table only if it is chosen already."""
    played = find_played(chosen.removeprefix(PREFIX)) if chosen.startswith(PREFIX) and chosen.isprintable() else None
    return [*list_offered(chosen), *([name_played(played)] if played else [])]


def find_solver(row: RulesetRow | NamelessRules) -> str:
    """Return the URL that queues the best play under a ruleset."""
    if isinstance(row, RulesetRow):
        return reverse("game:solve", args=[row.slug])
    return reverse("game:solve-played", args=[row.digest])
