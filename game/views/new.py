"""Setting up a game: one page, no wizard. Every button submits, so it works without JavaScript."""

from dataclasses import replace

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from game import services
from game.forms.commands import read_key
from game.forms.fields import is_key
from game.forms.new import HINTS, MODES, OWN, NewGameForm, list_offered
from game.forms.seats import SeatEntries, list_entries, press_button
from game.forms.shared_rules import write_shared_rules
from game.history.last_table import find_last_table, is_person
from game.identity import PageRequest
from game.models import Game
from game.pages.parts import computer_levels
from game.pages.parts.colours import COLOUR_CHOICES, share_out_colours
from game.pages.parts.names import suggest_person_name
from game.pages.parts.refusals import describe_refusal
from game.pages.rulesets.duration import list_card_facts
from game.pages.rulesets.nameless import name_played
from game.pages.rulesets.names import name_ruleset
from game.rules import PRESETS, IllegalMove
from game.rules.ruleset import PLAYERS_MOST
from game.services.own_rules import find_played, list_kept
from game.strategy.computers import FIRST_LEVEL
from game.views.game import find_first_page
from game.views.own_rules import continue_new_game, find_destination, read_changed, show_form
from game.views.remembered import last_name, remember_name
from game.views.responses import see_other

FEATURED_MOST = 4  # if none are featured
PEOPLE = {"phone": ("", ""), "score": ("", ""), "computer": ("", "*HAL"), "friends": ("",)}


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: PageRequest) -> HttpResponse:
    """Show the page; a post changes its form, or starts the game."""
    if request.method != "POST":
        data = suggested(request)
        return page(request, NewGameForm(data, list_offered(data.get("ruleset", ""))))
    button = request.POST.get("do", "start")
    if button == "rules":
        return use_changed_rules(request)
    form = NewGameForm(request.POST, list_offered(request.POST.get("ruleset", "")))
    if button != "start":
        return changed(request, form, button)
    return start(request, form, read_key(request))


def use_changed_rules(request: PageRequest) -> HttpResponse:
    """Continue with the form as it was and the changed rules, or show what is wrong with them."""
    changed_form, rules = read_changed(request)
    if rules is None:
        return show_form(request, changed_form, find_destination(request), None, status=422)
    return page(request, NewGameForm(continue_new_game(rules, request.POST.get("carried", "")), list_offered()))


def suggested(request: PageRequest) -> QueryDict:
    """Return the initial form, in the shape of a post: for one phone, friends, the computer, or keeping score.

    It begins with who played last at this browser, by the same rules.
    """
    way = request.GET.get("for", "")
    names = PEOPLE.get(way, PEOPLE["phone"])
    data = QueryDict(mutable=True)
    data.setlist("name", [last_name(request), *names[1:]])
    data.setlist("level", [FIRST_LEVEL if name else "" for name in names])
    data["mode"] = "manual" if way == "score" else "auto"
    data["wait"] = "1" if way == "friends" else ""
    table = find_last_table(request.browser.visitor(), way) if way != "friends" else None
    if table and len(table.seats) > 1:
        data.setlist("name", [seat.name for seat in table.seats])
        data.setlist("level", ["" if is_person(seat) else seat.level for seat in table.seats])
        data.setlist("colour", [str(seat.colour or "") for seat in table.seats])
        if not {"ruleset", "rules"} & set(request.GET):
            choose_same_rules(data, table.game)
    if "ruleset" in request.GET:
        data["ruleset"] = request.GET["ruleset"]
    if (digest := request.GET.get("rules", "")) and (played := find_played(digest)):
        kept = next((kept for kept in list_kept(request.browser.visitor()) if kept.played == played), None)
        rules = replace(played.rules, name=(kept.name if kept else "") or name_played(played).name)
        data["ruleset"], data["own"] = OWN, write_shared_rules(rules)
    return data


def choose_same_rules(data: QueryDict, game: Game) -> None:
    """Choose the rules that a game was played by."""
    if game.ruleset is None:
        data["ruleset"], data["own"] = OWN, write_shared_rules(game.rules)
    else:
        data["ruleset"] = game.ruleset.slug
    data["target"] = str(game.target) if game.target != game.rules.target else ""


def changed(request: PageRequest, form: NewGameForm, button: str) -> HttpResponse:
    """Answer a row button, a quick pick for the target or another ruleset: the same form, not validated yet."""
    if button.startswith("target-"):
        data = request.POST.copy()
        data["target"] = button.removeprefix("target-")
        form.data = data
        return page(request, form, part="options", focus="target")
    if button == "options":
        return page(request, form, part="options")
    form.seats = press_button(form.seats, button)
    return page(request, form, part="players", focus=form.seats.focus)


def start(request: PageRequest, form: NewGameForm, key: str) -> HttpResponse:
    if not form.is_valid():
        rows = enumerate(form.seats.rows, 1)
        in_rows = [(f"name-{n}", describe_refusal(row.problem)) for n, row in rows if row.problem]
        return page(request, form, problems=[*in_rows, *form.problems()], status=422)
    try:
        game = create(request, form, key)
    except services.Refusal as refused:
        return page(request, form, problems=[("start", str(refused))], status=refused.status)
    except IllegalMove as refused:
        return page(request, form, problems=[("start", describe_refusal(refused))], status=422)
    response = see_other(request, find_first_page(game, form.cleaned_data["words"]))
    people = [row.name for row in form.seats.rows if not row.level]
    typed = [name for name in request.POST.getlist("name") if name.strip()]
    if people and typed and people[0] in typed:
        remember_name(response, people[0])
    return response


def create(request: PageRequest, form: NewGameForm, key: str) -> Game:
    chosen = form.cleaned_data
    return services.create_game(
        request.browser,
        key,
        chosen["ruleset"],
        list_entries(form.seats),
        target=chosen["target"],
        mode=chosen["mode"],
        hints=chosen["hints"],
        money=not chosen["free"],
        wait=chosen["wait"] or chosen["words"],
        colours={row.name: row.colour for row in form.seats.rows},
    )


def page(
    request: PageRequest,
    form: NewGameForm,
    *,
    part: str = "",
    focus: str = "",
    problems: list[tuple[str, str]] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return the whole page, or for htmx the part that changed."""
    key = request.POST.get("key")
    context = {
        "rows": list_rows(form.seats),
        "seat_colours": share_out_colours([row.colour for row in form.seats.rows]),
        "colours": COLOUR_CHOICES,
        "focused": form.seats.focus,
        "most": PLAYERS_MOST,
        "key": key if is_key(key) else "",
        "focus": focus,
        "problems": problems or [],
        "wrong": dict(problems or []),
        "options_open": options_open(form, part, problems),
        **rules_to_choose(form),
        "kept": list_kept(request.browser.visitor()),
        **options(form),
    }
    template = f"game/partials/new_{part}.html" if part and request.htmx else "game/new.html"
    return render(request, template, context, status=status)


def rules_to_choose(form: NewGameForm) -> dict[str, object]:
    """Return the rulesets, a few of them in front, and which one is chosen: the first when the page opens."""
    slug, rows = form.data.get("ruleset", ""), list(form.rulesets.values())
    if slug not in form.rulesets and slug != OWN and not form.data.get("key"):
        slug = next(iter(form.rulesets), "")
    featured = [row for row in rows if row.place or row.home] or rows[:FEATURED_MOST]
    return {
        "featured": featured,
        "others": [row for row in rows if row not in featured],
        "facts": {row.slug: list_card_facts(row.rules) for row in rows},
        "chosen_ruleset": form.rulesets.get(slug),
        "own": form.own_rules,
        "own_text": write_shared_rules(form.own_rules) if form.own_rules else "",
        "own_facts": list_card_facts(form.own_rules) if form.own_rules else (),
        "own_chosen": slug == OWN,
        "classic": name_ruleset(PRESETS["classic"]),
    }


def options(form: NewGameForm) -> dict[str, object]:
    """Return the collapsed part of the page, as posted."""
    return {
        "target_text": form.data.get("target", "")[:12],
        "hints": HINTS,
        "modes": MODES,
        "chosen_hints": form.data.get("hints", ""),
        "chosen_mode": form.data.get("mode") or "auto",
        "free": bool(form.data.get("free")),
        "wait": bool(form.data.get("wait")),
        "words": bool(form.data.get("words")),
    }


def list_rows(seats: SeatEntries) -> list[dict[str, object]]:
    """Return what each player's row shows beside what was typed: the name it would get, how a computer plays."""
    taken = [row.name for row in seats.rows]
    return [
        {
            "typed": row,
            "error": describe_refusal(row.problem) if row.problem else "",
            "hint": computer_levels.suggest_computer_name(taken, row.level)
            if row.computer
            else suggest_person_name(n, taken),
            "line": computer_levels.describe_play(row.level) if row.computer else "",
        }
        for n, row in enumerate(seats.rows, 1)
    ]


def options_open(form: NewGameForm, part: str, problems: list[tuple[str, str]] | None) -> bool:
    """Tell whether something in them was just used, is wrong, or is not at its default."""
    at_fault = any(place in ("target", "hints", "mode", "free") for place, _why in problems or [])
    return part == "options" or at_fault or form.data.get("target", "") != ""
