"""Crews: the list of people with its check boxes, who is let in, and the evenings."""

from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.calling.due import find_zone
from game.forms.commands import incomplete, read_command, read_key, read_number
from game.forms.crews import CrewForm, list_stored, open_form, press_line_button
from game.forms.fields import clean_player_name
from game.history.evenings import list_evenings, read_evening
from game.history.spreadsheets import write_evening
from game.identity import PageRequest
from game.models import Crew, share_out_colours
from game.pages.crews import build_evening, list_crews, name_crew
from game.pages.parts.colours import COLOUR_CHOICES
from game.services import crews
from game.services.crews import CrewChanged
from game.views.game import may_see
from game.views.responses import REFUSED, attach, explain_refusal, see_other
from game.web.remembered import recall_name, remember_name

BEGINS = ("start", "invite")  # the buttons that begin a game: on this device, or with everybody on their own phone


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def crews_page(request: PageRequest) -> HttpResponse:
    """List the crews of this browser; a POST makes one of those who played last."""
    status, problems = 200, []
    if request.method == "POST":
        try:
            crew = crews.create_crew_of_last(request.browser, read_key(request))
            return see_other(request, crew.get_absolute_url())
        except REFUSED as error:
            status, problem = explain_refusal(request, error)
            problems = [("create", problem)]
    context = {"crews": list_crews(request.browser.visitor()), "problems": problems, "done": request.GET.get("done")}
    return render(request, "game/crews.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def crew_page(request: PageRequest, crew_code: str) -> HttpResponse:
    """Show a crew to its members; a POST changes its list, or begins a game with the people ticked."""
    crew = get_object_or_404(Crew, code=crew_code)
    if not crews.is_let_in(crew, request.browser.visitor()):
        if request.method != "POST":
            return show_door(request, crew)
        if request.htmx:  # htmx would put the door in place of the list alone
            return see_other(request, crew.get_absolute_url())
        return show_door(request, crew, status=403)
    return change_list(request, crew) if request.method == "POST" else show_crew(request, crew)


def show_door(request: PageRequest, crew: Crew, error: Exception | None = None, *, status: int = 200) -> HttpResponse:
    """Show somebody with the link how to be let in, and nothing of the crew. `error`: why asking failed."""
    status, problem = explain_refusal(request, error) if error else (status, "")
    visitor = request.browser.visitor()
    pending = visitor is not None and crew.members.filter(visitor=visitor).exists()
    name = request.POST.get("name", "")[:80] if problem else recall_name(request)
    context = {"code": crew.code, "pending": pending, "name": name, "problems": [("name", problem)] if problem else []}
    return render(request, "game/crew_door.html", context, status=status)


def show_crew(
    request: PageRequest,
    crew: Crew,
    form: CrewForm | None = None,
    *,
    problems: Sequence[tuple[str, str]] = (),
    focus: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the page of a crew; for htmx only the list. `form`: the posted one if it has errors, else None."""
    if form is None:
        form = open_form(crew, crews.list_people(crew))
    context = {
        "crew": crew,
        "title": name_crew(crew),
        "form": form,
        "most": crews.PEOPLE_MOST,
        "colours": COLOUR_CHOICES,
        "seat_colours": share_out_colours([line.colour for line in form.lines]),
        "focus": focus,
        "problems": problems,
        "wrong": dict(problems or form.find_missing()),
    }
    if request.htmx:
        return render(request, "game/partials/crew_people.html", context)
    visitor = request.browser.visitor()
    holds = visitor is not None and crew.holder_id == visitor.pk
    context |= {
        "holds": holds,
        "link": request.build_absolute_uri(crew.get_absolute_url()),
        "members": list(crew.members.all()) if holds else [],
        "waiting": crews.find_waiting_invite(crew),
        "evenings": list_evenings(crew),
    }
    return render(request, "game/crew.html", context, status=status)


def change_list(request: PageRequest, crew: Crew) -> HttpResponse:
    """Save the posted list, after a press of one of its buttons; "start" begins a game."""
    button, visitor = request.POST.get("do", "save"), request.browser.visitor()
    form = CrewForm(request.POST)
    try:
        command = read_command(request, visitor)
        if button in BEGINS and (begun := crews.find_game_begun(visitor, command.key)):
            return see_other(request, begun.get_absolute_url())
        if problems := form.find_problems(begins=button in BEGINS):
            return show_crew(request, crew, form, problems=problems, status=422)
        pressed = list(form.lines)  # if they can't be saved, the form is shown as it was sent
        focus = press_line_button(pressed, button)
        lines = list_stored(pressed)
        crew = crews.save_crew(crew.code, command, lines, form.settings, form.cleaned_data["title"])
        form.version = crew.version  # what is refused from here on has been saved
        if button in BEGINS:
            invite_as = recall_name(request) if button == "invite" else None
            ruleset = form.cleaned_data["ruleset"]
            game = crews.begin_crew_game(request.browser, crew, command.key, ruleset, invite_as=invite_as)
            return see_other(request, game.get_absolute_url())
    except CrewChanged as error:
        status, problem = explain_refusal(request, error)
        crew = crews.find_crew(crew.code, visitor)
        form = open_form(crew, crews.list_people(crew), lines)
        problem = f"{problem} {form.unsaved}".rstrip()
        return show_crew(request, crew, form, problems=[("crew-people", problem)], status=status)
    except REFUSED as error:
        status, problem = explain_refusal(request, error)
        return show_crew(request, crew, form, problems=[("crew-people", problem)], status=status)
    if request.htmx:
        return show_crew(request, crew, focus=focus)
    place = "add" if lines and lines[-1].person is None else "crew-people"  # after a new name, the next can be typed
    return see_other(request, f"{crew.get_absolute_url()}#{place}")


@require_safe
@never_cache
def evening(request: PageRequest, crew_code: str, code: str) -> HttpResponse:
    """Show the table of an evening; anybody not let in is redirected to the crew's door."""
    crew = get_object_or_404(Crew, code=crew_code)
    if not crews.is_let_in(crew, request.browser.visitor()):
        return redirect(crew)
    played = read_evening(crew, code)
    if played is None:
        raise Http404
    context = {**build_evening(crew, played), "seen": {game.code for game in played.games if may_see(request, game)}}
    return render(request, "game/evening.html", context)


@require_safe
@never_cache
def evening_table(request: PageRequest, crew_code: str, code: str) -> HttpResponseBase:
    """Send the table of an evening for a spreadsheet. `?zone=Europe/Paris`: whose day the file is named after."""
    crew = get_object_or_404(Crew, code=crew_code)
    played = read_evening(crew, code) if crews.is_let_in(crew, request.browser.visitor()) else None
    if played is None:
        raise Http404
    day = played.began.astimezone(find_zone(request.GET.get("zone", "")))
    return attach(write_evening(played), f"ten-thousand-evening-{day:%Y-%m-%d}.csv")


@require_POST
def crew_members(request: PageRequest, crew_code: str) -> HttpResponse:
    """Ask to be let in, let somebody in, remove or refuse them, or leave."""
    visitor, member = request.browser.visitor(), read_number(request.POST.get("member", "")) or 0
    crew = get_object_or_404(Crew, code=crew_code)
    try:
        read_key(request)
        match request.POST.get("do", ""):
            case "ask":
                name = clean_player_name(request.POST.get("name", ""))
                crews.ask_to_join(request.browser, crew_code, name)
                response = see_other(request, crew.get_absolute_url())
                remember_name(response, name)
                return response
            case "admit":
                crews.admit_member(visitor, crew_code, member)
            case "remove":
                crews.remove_member(visitor, crew_code, member)
            case "leave" | "withdraw" as done:
                crews.leave_crew(visitor, crew_code)
                return see_other(request, f"{reverse('game:crews')}?done={done}")
            case _:
                raise incomplete()
    except REFUSED as error:
        if not crews.is_let_in(crew, visitor):
            return show_door(request, crew, error)
        status, problem = explain_refusal(request, error)
        return show_crew(request, crew, problems=[("members", problem)], status=status)
    return see_other(request, f"{crew.get_absolute_url()}#members")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete_crew(request: PageRequest, crew_code: str) -> HttpResponse:
    """Ask before deleting a crew, and delete it."""
    visitor = request.browser.visitor()
    try:
        crew = crews.find_crew(crew_code, visitor)
        crews.require_holder(crew, visitor)
        if request.method != "POST":
            return render(request, "game/crew_delete.html", {"crew": crew, "title": name_crew(crew)})
        read_key(request)
        crews.delete_crew(visitor, crew_code)
    except crews.NoSuchCrew:
        if request.method != "POST":
            raise Http404 from None
        if Crew.objects.filter(code=crew_code).exists():  # not for this visitor; else an earlier press deleted it
            return see_other(request, reverse("game:crews"))
    except crews.NotTheHolder as error:
        return show_crew(request, crew, problems=[("members", str(error))], status=error.status)
    return see_other(request, f"{reverse('game:crews')}?done=delete")
