"""The odds page: what throws are worth under any ruleset, and whether to bank or to throw."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.forms.odds import FIRST, OddsForm, list_choices
from game.models import RulesetRow
from game.pages.odds_answer import Question, find_answer, find_problem
from game.pages.odds_figures import compute_figures
from game.pages.rulesets.page import find_best_play

LONGEST = 9  # digits of a number


@require_safe
def odds(request: HttpRequest) -> HttpResponse:
    """Show the odds of a ruleset, and answer whether to bank or to throw."""
    rows = list_choices(request.GET.get("ruleset", ""))
    form = OddsForm(request.GET, rows)
    row = form.ruleset
    problems = form.problems()
    figures = compute_figures(row.rules) if row else None
    has_odds, question = figures is not None and figures.turn is not None, None
    if row and not problems:
        given = form.cleaned_data
        question = Question(int(given["dice"]), given["points"], given["in"])
        problem = find_problem(row.rules, question) if has_odds else ""
        if problem:
            question = None
        if problem and form.is_asked:  # otherwise it is the page's own question that does not fit these rules
            problems = [("held", problem)]
    context = {
        "rows": rows,
        "row": row,
        "inputs": {name: form.data.get(name, "")[:LONGEST] for name in FIRST},
        "problems": problems,
        "wrong": dict(problems),
        "question": question,
        "answer": find_answer(row.rules, question) if row and question and has_odds else None,
        "best_play": find_best_play(row.rules, f"{row.get_absolute_url()}/solve") if row else None,
        "practises": isinstance(row, RulesetRow),
        "figures": figures,
    }
    return render(request, "game/odds.html", context, status=422 if problems else 200)
