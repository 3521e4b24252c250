"""Setting up a game, on one page. Every button submits the form, so the page works without JavaScript."""

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from game import services
from game.cookies import NEW_GAME_COOKIE
from game.forms.commands import read_key
from game.forms.fields import is_key
from game.forms.new import NewGameForm, carry_new_game, choose_kept_rules, continue_new_game, suggest_game
from game.forms.ruleset.own import OwnRulesetForm
from game.forms.seats import list_entries, press_button
from game.identity import PageRequest
from game.models import share_out_colours
from game.pages.lobby import find_first_address
from game.pages.parts.colours import COLOUR_CHOICES
from game.rules.ruleset import PLAYERS_MOST
from game.services.crews import ListedPerson, create_crew
from game.services.own_rules import list_kept
from game.services.refusals import KeyUsed
from game.views.own_rules import show_form
from game.views.responses import REFUSED, explain_refusal, see_other
from game.web.remembered import recall_name, recall_new_game, remember_name, remember_new_game


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PageRequest) -> HttpResponse:
    """Show the page; a POST changes its form, or starts the game."""
    if request.method != "POST":
        typed = "" if "for" in request.GET else recall_new_game(request)
        data = suggest_game(request.GET, request.browser.visitor(), recall_name(request), typed)
        return show_new_game(request, NewGameForm(data))
    button = request.POST.get("do", "start")
    if button == "rules":
        return use_changed_rules(request)
    if button == "find-rules":
        response = see_other(request, reverse("game:rules"))
        remember_new_game(response, carry_new_game(request.POST))
        return response
    data = request.POST.copy()
    if button.startswith("kept-"):
        choose_kept_rules(data, button.removeprefix("kept-"), request.browser.visitor())
        return show_new_game(request, NewGameForm(data))
    if button.startswith("target-"):
        data["target"] = button.removeprefix("target-")
    form = NewGameForm(data)
    if button == "keep-crew":
        return keep_crew(request, form, read_key(request))
    if button != "start":
        return change_form(request, form, button)
    return start_game(request, form, read_key(request))


def use_changed_rules(request: PageRequest) -> HttpResponse:
    """Return the form as it was, with the changed rules, or show what is wrong with those."""
    changed_form = OwnRulesetForm(request.POST)
    rules = changed_form.find_rules()
    if rules is None:
        return show_form(request, changed_form, status=422)
    carried = request.POST.get("carried", "")
    data = continue_new_game(carried, rules, request.browser.visitor(), recall_name(request))
    return show_new_game(request, NewGameForm(data))


def change_form(request: PageRequest, form: NewGameForm, button: str) -> HttpResponse:
    """Return the form after a row button, a quick pick for the target or another ruleset, without validating it."""
    if button.startswith("target-"):
        return show_new_game(request, form, part="options", focus="target")
    if button == "options":
        return show_new_game(request, form, part="options")
    return show_new_game(request, form, part="players", focus=press_button(form.seats, button))


def start_game(request: PageRequest, form: NewGameForm, key: str) -> HttpResponse:
    """Create the game and lead to it; or show the form again with what is wrong."""
    if not form.is_valid():
        return show_new_game(request, form, problems=form.problems(), status=422)
    chosen = form.cleaned_data
    try:
        game = services.create_game(
            request.browser,
            key,
            chosen["ruleset"],
            list_entries(form.seats),
            target=chosen["target"],
            mode=chosen["mode"],
            hints=chosen["hints"],
            money=not chosen["free"],
            wait=chosen["wait"] or chosen["words"],
            colours={row.name: row.colour for row in form.seats},
        )
    except REFUSED as error:
        status, problem = explain_refusal(request, error)
        used = isinstance(error, KeyUsed)
        return show_new_game(request, form, problems=[("start", problem)], status=status, used=used)
    response = see_other(request, find_first_address(game, chosen["words"]))
    response.delete_cookie(NEW_GAME_COOKIE)
    if name := form.find_first_name():
        remember_name(response, name)
    return response


def keep_crew(request: PageRequest, form: NewGameForm, key: str) -> HttpResponse:
    """Create a crew of the players who have names, with the same rules; without any, show the crews instead."""
    named = [n for n, row in enumerate(form.seats) if row.bare]
    if not named:
        return see_other(request, reverse("game:crews"))
    if not form.is_valid():
        return show_new_game(request, form, problems=form.problems(), status=422)
    people = [ListedPerson(form.seats[n].name, form.seats[n].level, form.seats[n].colour) for n in named]
    try:
        crew = create_crew(request.browser, key, people, form.settings)
    except REFUSED as error:
        status, problem = explain_refusal(request, error)
        return show_new_game(request, form, problems=[("keep-crew", problem)], status=status)
    return see_other(request, crew.get_absolute_url())


def show_new_game(
    request: PageRequest,
    form: NewGameForm,
    *,
    part: str = "",
    focus: str = "",
    problems: Sequence[tuple[str, str]] = (),
    status: int = 200,
    used: bool = False,
) -> HttpResponse:
    """Return the whole page, or for htmx only `part`, the part that changed. `used`: the form needs a new key."""
    key = request.POST.get("key")
    context = {
        "form": form,
        "seat_colours": share_out_colours([row.colour for row in form.seats]),
        "colours": COLOUR_CHOICES,
        "most": PLAYERS_MOST,
        "key": key if is_key(key) and not used else "",
        "focus": focus,
        "problems": problems,
        "wrong": dict(problems or form.find_missing()),
        "options_open": part == "options" or form.uses_options({place for place, _why in problems}),
        "kept": list_kept(request.browser.visitor()),
    }
    template = f"game/partials/new_{part}.html" if part and request.htmx else "game/new.html"
    return render(request, template, context, status=status)
