"""Crews: tonight's players are ticked, put in order and started; only people who were let in see the names."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from game.models import Crew, CrewMember, CrewPerson, Game, RulesetRow, Visitor
from game.rules import preset
from game.services import Command, accounts, crews
from game.services.crews import is_let_in
from game.services.tidying import tidy_site
from tests.cast import ANA, BRUNO, HAL, IN, Device, Response, bank, bust, make_key, throw
from tests.require import require
from tests.views.account.test_accounts import sign_up
from tests.words import has_word, read_text

pytestmark = pytest.mark.django_db
CHLOE, ZOE = "Chloé", "Zoë"


def make_crew(device: Device, *names: str, **more: Any) -> Crew:
    """Return a crew with these people, typed in this order."""
    crew = Crew.objects.get(code=device.client.post("/crews", {"key": make_key()})["Location"].rpartition("/")[2])
    send_list(device, crew, *names, **more)
    return reload_crew(crew)


def reload_crew(crew: Crew) -> Crew:
    return Crew.objects.get(pk=crew.pk)


def send_list(
    device: Device,
    crew: Crew,
    *new: str,
    do: str = "save",
    here: list[int] | None = None,
    htmx: bool = False,
    **more: Any,
) -> Response:
    """Send the list as it stands with new names at its end; `here` are the numbers of the ticked people, from 1."""
    people = list(reload_crew(crew).people.filter(listed=True))
    ticked = [n for n, person in enumerate(people, 1) if person.here] if here is None else here
    form = {
        "key": make_key(),
        "version": reload_crew(crew).version,
        "name": [*(person.name for person in people), *new],
        "person": [str(person.pk) for person in people],
        "level": [person.level for person in people],
        "here": [str(n) for n in ticked],
        "ruleset": "classic",
        "do": do,
    }
    headers = {"HX-Request": "true"} if htmx else {}
    return device.client.post(crew.get_absolute_url(), form | more, headers=headers)


def list_names(crew: Crew) -> list[str]:
    return [person.name for person in crew.people.filter(listed=True)]


def read_words(response: Response) -> str:
    main = response.content.decode().partition("<main")[2]
    return html.unescape(read_text(main))


def list_seats(game: Game) -> list[tuple[str, str]]:
    return list(game.players.order_by("seat").values_list("name", "level"))


# ── the list ──


def test_names_are_typed_once_and_stay(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO, HAL)
    page = device.client.get(crew.get_absolute_url()).content.decode()
    assert list_names(crew) == [ANA, BRUNO, HAL]
    assert page.count(" checked>") == 3
    assert crew.people.get(name=HAL).level == "balanced"


def test_ticked_people_play_in_the_order_of_the_list(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO, CHLOE, HAL)
    answer = send_list(device, crew, do="start", here=[1, 3, 4])
    game = Game.objects.get()
    assert answer["Location"] == game.get_absolute_url() and game.status == Game.Status.RUNNING
    assert list_seats(game) == [(ANA, ""), (CHLOE, ""), (HAL, "balanced")]
    assert [person.here for person in crew.people.all()] == [True, False, True, True]


def test_people_move_up_and_down_without_a_script(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO, CHLOE)
    send_list(device, crew, do="up-3")
    assert list_names(crew) == [ANA, CHLOE, BRUNO]
    send_list(device, crew, do="down-1")
    assert list_names(crew) == [CHLOE, ANA, BRUNO]


def test_a_button_of_the_list_brings_only_the_list_and_its_next_form(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    people = list(crew.people.all())
    form = {"key": make_key(), "version": crew.version, "name": [ANA, BRUNO], "person": [p.pk for p in people]}
    more = {"level": ["", ""], "ruleset": "classic", "do": "up-2"}
    part = device.client.post(crew.get_absolute_url(), form | more, headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith("<section") and "<main" not in part
    assert f'name="version" value="{reload_crew(crew).version}"' in part


def test_moving_past_an_emptied_line_takes_the_focus_along(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO, CHLOE)
    part = send_list(device, crew, do="up-3", htmx=True, name=["", BRUNO, CHLOE]).content.decode()
    assert list_names(crew) == [CHLOE, BRUNO]
    assert re.findall(r'value="(\S+)"[^>]* autofocus', part) == ["down-1"]


def test_whoever_removes_the_last_line_may_remove_the_one_above(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO, CHLOE)
    part = send_list(device, crew, do="remove-3", htmx=True).content.decode()
    assert re.findall(r'value="(\S+)"[^>]* autofocus', part) == ["remove-2"]
    for _line in (ANA, BRUNO):
        part = send_list(device, crew, do="remove-1", htmx=True).content.decode()
    assert re.findall(r'id="(\S+)"[^>]* autofocus', part) == ["add"]


def test_the_colours_of_a_crew_are_those_of_its_games(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    send_list(device, crew, colour=["6", ""])
    send_list(device, crew, do="start", colour=["6", ""])
    assert list(Game.objects.get().players.order_by("seat").values_list("colour", flat=True)) == [6, None]


def test_crew_members_on_their_own_phones_find_seats_kept_for_them(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO, CHLOE)
    let_in(crew, other_device, device)
    device.client.cookies["name"] = BRUNO
    address = send_list(device, crew, do="invite", here=[1, 2])["Location"]
    game = Game.objects.get()
    assert game.status == Game.Status.WAITING
    assert list(game.players.order_by("seat").values_list("name", "visitor")) == [(ANA, None), (BRUNO, game.host_id)]
    assert "saved for a friend" in read_words(device.client.get(address))
    assert f"/j/{game.invite.token}" in other_device.client.get(crew.get_absolute_url()).content.decode()
    other_device.sit(game, player=str(game.players.get(name=ANA).pk))
    assert device.do(game, "start").status_code == 303
    assert f"/j/{game.invite.token}" not in other_device.client.get(crew.get_absolute_url()).content.decode()


def test_a_crew_is_led_to_no_game_that_has_lapsed_though_its_invite_was_renewed(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    send_list(device, crew, do="invite")
    for days, leads in ((6, True), (8, False)):
        Game.objects.update(created=timezone.now() - timedelta(days=days))
        address = f"/j/{Game.objects.get().invite.token}"
        assert (address in device.client.get(crew.get_absolute_url()).content.decode()) is leads
        assert (device.client.get(address).status_code < 400) is leads


def test_people_taken_off_the_list_are_forgotten_with_their_last_evening(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    send_list(device, crew, do="start")
    send_list(device, crew, do="remove-2")
    tidy_site()
    assert crew.people.filter(name=BRUNO).exists()
    device.do(Game.objects.get(), "delete", do="delete")
    tidy_site()
    assert [person.name for person in crew.people.all()] == [ANA]


def test_people_who_never_played_are_deleted_when_taken_off_the_list(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    send_list(device, crew, do="remove-1")
    assert list_names(crew) == [BRUNO]
    assert CrewPerson.objects.count() == 1


def test_start_pressed_twice_begins_one_game(device: Device) -> None:
    crew, same = make_crew(device, ANA, BRUNO), make_key()
    version = crew.version
    first = send_list(device, crew, do="start", key=same, version=version)
    assert send_list(device, crew, do="start", key=same, version=version)["Location"] == first["Location"]
    assert Game.objects.count() == 1


@pytest.mark.parametrize("do", ["save", "up-2", "remove-1"])
def test_a_list_whose_answer_got_lost_can_be_sent_again(device: Device, do: str) -> None:
    crew = make_crew(device, ANA, BRUNO)
    form = {
        "do": do,
        "key": make_key(),
        "version": crew.version,
        "person": [str(row.pk) for row in crews.list_people(crew)],
    }
    form |= {"name": [ANA, BRUNO, CHLOE], "level": ["", "", ""], "here": ["1", "2"], "ruleset": "classic"}
    first = device.client.post(crew.get_absolute_url(), form)
    saved = list_names(crew)
    assert device.client.post(crew.get_absolute_url(), form)["Location"] == first["Location"]
    assert list_names(crew) == saved and CHLOE in saved


def test_a_list_sent_again_after_somebody_else_changed_it_leaves_that_as_it_is(device: Device) -> None:
    crew, same = make_crew(device, ANA), make_key()
    form = {"key": same, "version": crew.version, "person": [str(row.pk) for row in crews.list_people(crew)]}
    form |= {"name": [ANA, BRUNO], "level": ["", ""], "here": ["1"], "ruleset": "classic"}
    device.client.post(crew.get_absolute_url(), form)
    send_list(device, crew, CHLOE)
    assert device.client.post(crew.get_absolute_url(), form).status_code == 303
    assert list_names(crew) == [ANA, BRUNO, CHLOE]


def test_a_list_that_somebody_else_changed_is_not_overwritten(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    answer = send_list(device, crew, CHLOE, version=crew.version - 1)
    assert answer.status_code == 409
    assert "Somebody changed this crew" in read_words(answer)
    assert list_names(crew) == [ANA, BRUNO]


def test_an_outdated_list_with_a_wrong_name_is_still_outdated_when_that_is_corrected(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    page = send_list(device, crew, "ana", version=crew.version - 1).content.decode()
    assert f'name="version" value="{crew.version - 1}"' in page
    assert send_list(device, crew, CHLOE, version=crew.version - 1).status_code == 409


def test_whoever_was_added_to_an_outdated_list_stands_at_the_end_of_the_new_one(device: Device) -> None:
    crew = make_crew(device, ANA)
    form = {"key": make_key(), "version": crew.version, "person": [str(person.pk) for person in crew.people.all()]}
    send_list(device, crew, BRUNO)
    form |= {"name": [ANA, "bruno", "Dora", HAL], "here": "1", "ruleset": "classic"}
    page = device.client.post(crew.get_absolute_url(), form).content.decode()
    assert re.findall(r'id="name-[^>]* name="name" value="([^"]*)"', page) == [ANA, BRUNO, "Dora", HAL]
    assert "What you added is at the end of the list, not saved yet." in page
    assert 'aria-invalid="true"' not in page and list_names(crew) == [ANA, BRUNO]
    send_list(device, crew, "Dora", HAL)
    assert list_names(crew) == [ANA, BRUNO, "Dora", HAL]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("ana", "That name is taken"), ("x" * 25, "24"), ("\u202eAna", "character"), ("Ana\0", "character")],
)
def test_a_name_that_no_player_may_have_is_refused_at_its_line(device: Device, name: str, reason: str) -> None:
    crew = make_crew(device, ANA)
    answer = send_list(device, crew, name)
    assert answer.status_code == 422
    assert reason in read_words(answer)
    assert list_names(crew) == [ANA]


@pytest.mark.parametrize("title", ["a\u200cb", "a\0b", "a\ufffdb"])
def test_a_crew_whose_name_has_a_hidden_character_is_told_so(device: Device, title: str) -> None:
    crew = make_crew(device, ANA)
    answer = send_list(device, crew, title=title)
    assert answer.status_code == 422 and "This name has a character that cannot be used." in read_words(answer)
    assert reload_crew(crew).name == ""


def test_a_crew_can_choose_each_ruleset_on_offer(device: Device) -> None:
    crew = make_crew(device, ANA)
    page = device.client.get(crew.get_absolute_url()).content.decode()
    choice = page.partition('<select id="ruleset-1"')[2].partition("</select>")[0]
    shortlist, label, rest = choice.partition('<optgroup label="More rulesets">')
    assert label and 'value="farkle"' in shortlist and 'value="macke"' in rest
    offered = RulesetRow.query_offered().values_list("slug", flat=True)
    assert sorted(re.findall(r'<option value="([^"]+)"', choice)) == sorted(offered)
    send_list(device, crew, ruleset="berliner-macke")
    assert reload_crew(crew).ruleset == "berliner-macke"
    page = device.client.get(crew.get_absolute_url()).content.decode()
    assert page.count('<option value="berliner-macke"') == page.count('<option value="berliner-macke" selected>') == 1


def test_a_ruleset_archived_meanwhile_is_refused_at_its_field(device: Device) -> None:
    crew = make_crew(device, ANA)
    page = send_list(device, crew, ruleset="gone").content.decode()
    assert '<span class="error" id="ruleset-1-error">Choose a ruleset from this page.</span>' in page
    assert '<select id="ruleset-1" name="ruleset" aria-invalid="true" aria-describedby="ruleset-1-error">' in page


def test_a_crew_whose_ruleset_was_archived_is_asked_for_another(device: Device) -> None:
    crew = make_crew(device, ANA)
    Crew.objects.update(ruleset="gone")
    sentence = "The rules you asked for are no longer offered here."
    assert sentence in device.client.get(crew.get_absolute_url()).content.decode()


def test_a_name_that_a_crew_may_not_have_is_marked_at_its_field(device: Device) -> None:
    crew = make_crew(device, ANA)
    page = send_list(device, crew, title="Mondays" + "!" * 60).content.decode()
    assert '<a href="#title">Enter a name of up to 60 characters.</a>' in page
    assert '<span class="error" id="title-error">Enter a name of up to 60 characters.</span>' in page
    field = re.search(r'<input[^>]* id="title"[^>]*>', page)
    assert field and 'aria-invalid="true" aria-describedby="title-error"' in field[0] and "Mondays!" in field[0]


@pytest.mark.parametrize(
    ("more", "place", "why"),
    [
        ({"title": "Mondays" + "!" * 60}, "title", "Enter a name of up to 60 characters."),
        ({"target": "999"}, "target", "Choose a target from 100 to 100,000 in steps of 50."),
        (
            {"target": "5000", "ruleset": "zonk-ten-rounds"},
            "target",
            "This game ends after a number of rounds: there is no target to change.",
        ),
    ],
)
def test_a_button_of_the_list_says_what_is_wrong_below_it(
    device: Device, more: dict[str, Any], place: str, why: str
) -> None:
    crew = make_crew(device, ANA)
    part = send_list(device, crew, BRUNO, htmx=True, **more).content.decode()
    assert f'<a href="#{place}">{why}</a>' in part and f'value="{BRUNO}"' in part
    assert list_names(crew) == [ANA]


def test_a_crew_may_be_named_after_a_family_in_emoji(device: Device) -> None:
    crew = make_crew(device, ANA)
    send_list(device, crew, title="👨‍👩‍👧‍👦 Haus")
    assert reload_crew(crew).name == "👨‍👩‍👧‍👦 Haus"


def test_a_name_is_text_and_no_markup(device: Device) -> None:
    crew = make_crew(device, "<script>1</script>")
    assert "<script>1" not in device.client.get(crew.get_absolute_url()).content.decode()


def test_somebody_new_whose_name_was_refused_can_be_unticked(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    refused = send_list(device, crew, "ana").content.decode()
    assert re.search(r'name="name" value="ana".*?name="person" value="new"', refused, re.DOTALL)
    keys = [str(person.pk) for person in crew.people.all()]
    send_list(device, crew, "Dee", here=[1, 2], person=[*keys, "new"])
    assert list_names(crew) == [ANA, BRUNO, "Dee"]
    assert [person.here for person in crew.people.filter(listed=True)] == [True, True, False]


def test_without_anybody_ticked_no_game_begins(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    answer = send_list(device, crew, do="start", here=[])
    assert (answer.status_code, Game.objects.count()) == (422, 0)
    assert "Tick who is here tonight." in read_words(answer)
    assert "Add the people who are here tonight." in read_words(send_list(device, make_crew(device), do="start"))


def test_a_crew_has_at_most_24_people(device: Device) -> None:
    crew = make_crew(device, *(f"Player {n}" for n in range(1, 25)))
    assert send_list(device, crew, ZOE).status_code == 422
    assert len(list_names(crew)) == 24


def test_the_same_press_makes_one_crew_and_twenty_crews_are_the_most(device: Device) -> None:
    same = make_key()
    for _ in range(2):
        device.client.post("/crews", {"key": same})
    assert Crew.objects.count() == 1
    for _ in range(19):
        device.client.post("/crews", {"key": make_key()})
    assert device.client.post("/crews", {"key": make_key()}).status_code == 409
    assert Crew.objects.count() == 20


def test_a_new_crew_begins_with_the_people_and_rules_of_the_last_game(device: Device) -> None:
    device.game(players=(ANA, BRUNO, HAL), ruleset="pot", target=5000)
    crew = Crew.objects.get(code=device.client.post("/crews", {"key": make_key()})["Location"].rpartition("/")[2])
    assert (list_names(crew), crew.ruleset, crew.target) == ([ANA, BRUNO, HAL], "pot", 5000)


@pytest.mark.examples
def test_players_typed_for_a_new_game_are_kept_as_a_crew(device: Device) -> None:
    form = {"key": make_key(), "ruleset": "pot", "target": "5000", "mode": "manual", "do": "keep-crew"}
    players = {"name": [ANA, CHLOE, "", HAL], "level": ["", "", "", "bold"], "colour": ["", "3", "", ""]}
    crew = Crew.objects.get(code=device.client.post("/new", form | players)["Location"].rpartition("/")[2])
    assert list(crew.people.values_list("name", "level", "colour", "here")) == [
        (ANA, "", None, True),
        (CHLOE, "", 3, True),
        (HAL, "bold", None, True),
    ]
    assert (crew.ruleset, crew.target, crew.mode) == ("pot", 5000, "manual")


def test_other_players_typed_into_the_same_form_are_another_crew(device: Device) -> None:
    """As after Back: what was typed then must not be lost, while a second press makes no second crew."""
    form = {"key": make_key(), "level": [""], "ruleset": "classic", "do": "keep-crew"}
    pages = [device.client.post("/new", form | {"name": [name]})["Location"] for name in (ANA, ANA, CHLOE)]
    assert pages[0] == pages[1] != pages[2]
    assert Crew.objects.count() == 2


def test_a_new_game_without_names_leads_to_the_crews(device: Device) -> None:
    form = {"key": make_key(), "name": ["", ""], "level": ["", ""], "ruleset": "classic", "do": "keep-crew"}
    assert device.client.post("/new", form)["Location"] == "/crews"
    assert not Crew.objects.exists()


def test_a_wrong_name_of_a_new_game_makes_no_crew(device: Device) -> None:
    form = {"key": make_key(), "name": [ANA, ANA], "level": ["", ""], "ruleset": "classic", "do": "keep-crew"}
    response = device.client.post("/new", form)
    assert (response.status_code, Crew.objects.count()) == (422, 0)
    assert "That name is taken." in response.content.decode()


def test_a_holder_of_twenty_crews_is_told_so_beside_a_new_game(device: Device) -> None:
    for _ in range(20):
        make_crew(device)
    form = {"key": make_key(), "name": [ANA], "level": [""], "ruleset": "classic", "do": "keep-crew"}
    response = device.client.post("/new", form)
    assert (response.status_code, Crew.objects.count()) == (409, 20)
    assert "You hold 20 crews already. Delete one first." in response.content.decode()


@pytest.mark.parametrize("nonsense", ["", "\0", "-1", "NaN", "9" * 500, str(2**63), "١", "<script>"])
def test_nonsense_breaks_no_page_of_a_crew(device: Device, nonsense: str) -> None:
    crew = make_crew(device, ANA, BRUNO)
    fields = (
        "version",
        "person",
        "colour",
        "level",
        "here",
        "ruleset",
        "own",
        "target",
        "mode",
        "title",
        "member",
        "do",
    )
    for field in fields:
        for part in ("", "/members"):
            form = {"key": make_key(), "version": crew.version, "name": ["Ana"], "ruleset": "classic", field: nonsense}
            assert device.client.post(crew.get_absolute_url() + part, form).status_code < 500, (field, part)


# ── who sees a crew ──


def test_a_guest_with_the_link_sees_no_names_until_the_holder_lets_them_in(
    device: Device, other_device: Device
) -> None:
    crew, third = make_crew(device, ANA, BRUNO, title="Friday"), Device()
    address = crew.get_absolute_url()
    third.game()
    for _ in range(2):
        page = other_device.client.get(address)
        assert page.status_code == 200
        assert not {ANA, BRUNO, "Friday"} & set(re.split(r"\W+", read_words(page)))
        other_device.client.post(f"{address}/members", {"key": make_key(), "do": "ask", "name": ZOE})
    assert f"{ZOE} asks to be let in" in read_words(device.client.get(address))
    assert "You asked to be let in." in read_words(other_device.client.get(address))
    assert "Say who you are, and they can let you in." in read_words(third.client.get(address))
    admit_member(device, crew)
    assert ANA in other_device.client.get(address).content.decode()
    assert send_list(other_device, crew, CHLOE).status_code == 303
    assert list_names(crew) == [ANA, BRUNO, ZOE, CHLOE]


@pytest.mark.parametrize(
    ("before", "after"),
    [((ANA,), [ANA, ZOE]), ((ZOE.upper(), ANA), [ZOE.upper(), ANA]), ((), [ZOE])],
)
def test_whoever_is_let_in_is_ticked_for_tonight_once(
    device: Device, other_device: Device, before: tuple[str, ...], after: list[str]
) -> None:
    crew = make_crew(device, *before)
    stale = reload_crew(crew).version
    let_in(crew, other_device, device)
    admit_member(device, crew)
    assert list_names(crew) == after
    assert all(crew.people.values_list("here", flat=True))
    assert send_list(device, crew, version=stale).status_code == (409 if after[-1] == ZOE else 303)


def test_a_full_list_stays_as_it_is_when_somebody_is_let_in(device: Device, other_device: Device) -> None:
    names = [f"Player {n}" for n in range(1, crews.PEOPLE_MOST + 1)]
    crew = make_crew(device, *names)
    let_in(crew, other_device, device)
    assert list_names(crew) == names and crew.members.exclude(admitted=None).exists()


def test_the_home_page_tells_the_holder_alone_who_asks_to_be_let_in(device: Device, other_device: Device) -> None:
    crew, asks = make_crew(device, ANA, BRUNO), f"{ZOE} asks to be let in"
    let_in(crew, other_device, device)
    assert "to be let in" not in read_words(device.client.get("/"))
    Device().client.post(f"{crew.get_absolute_url()}/members", {"key": make_key(), "do": "ask", "name": ZOE})
    for page in ("/", "/crews"):
        shown = device.client.get(page)
        assert asks in read_words(shown) and f'href="{crew.get_absolute_url()}#members"' in shown.content.decode()
        assert asks not in read_words(other_device.client.get(page))
    Device().client.post(f"{crew.get_absolute_url()}/members", {"key": make_key(), "do": "ask", "name": CHLOE})
    assert f"{ZOE} and {CHLOE} ask to be let in" in read_words(device.client.get("/"))


def test_a_crew_that_somebody_asks_to_join_comes_first_on_the_home_page(device: Device) -> None:
    crew, *_others = [make_crew(device, name) for name in (ANA, BRUNO, CHLOE, "Dora")]
    assert crew.get_absolute_url() not in device.client.get("/").content.decode()
    Device().client.post(f"{crew.get_absolute_url()}/members", {"key": make_key(), "do": "ask", "name": ZOE})
    home = device.client.get("/")
    assert f"{ZOE} asks to be let in" in read_words(home)
    assert re.findall(r"/crew/[\w-]+", home.content.decode())[0] == crew.get_absolute_url()


def admit_member(device: Device, crew: Crew) -> None:
    member = str(crew.members.get().pk)
    device.client.post(f"{crew.get_absolute_url()}/members", {"key": make_key(), "do": "admit", "member": member})


def let_in(crew: Crew, guest: Device, holder: Device) -> None:
    guest.client.post(f"{crew.get_absolute_url()}/members", {"key": make_key(), "do": "ask", "name": ZOE})
    admit_member(holder, crew)


def test_a_guest_who_was_not_let_in_changes_nothing(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    assert not has_word(send_list(other_device, crew, ZOE).content.decode(), ANA)
    for do in ("admit", "remove"):
        other_device.client.post(f"{crew.get_absolute_url()}/members", {"key": make_key(), "do": do, "member": "1"})
    assert other_device.client.post(f"{crew.get_absolute_url()}/delete", {"key": make_key()})["Location"] == "/crews"
    assert list_names(crew) == [ANA, BRUNO]


def test_a_member_whom_the_holder_removes_sees_no_names(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA)
    let_in(crew, other_device, device)
    member = str(crew.members.get().pk)
    address = f"{crew.get_absolute_url()}/members"
    assert other_device.client.post(address, {"key": make_key(), "do": "remove", "member": member}).status_code == 403
    device.client.post(address, {"key": make_key(), "do": "remove", "member": member})
    assert not has_word(other_device.client.get(crew.get_absolute_url()).content.decode(), ANA)


def test_a_removed_member_changes_nothing_and_may_ask_to_be_let_in(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA)
    let_in(crew, other_device, device)
    crews.remove_member(device.browser.visitor(), crew.code, crew.members.get().pk)
    answer = send_list(other_device, crew, ZOE)
    assert answer.status_code == 403 and "Ask to be let in" in read_words(answer)
    answer = send_list(other_device, crew, ZOE, htmx=True)
    assert (answer["HX-Redirect"], answer.content) == (crew.get_absolute_url(), b"")
    pressed_before = Command(other_device.browser.visitor(), make_key(), reload_crew(crew).version, "")
    with pytest.raises(crews.NoSuchCrew):
        crews.save_crew(crew.code, pressed_before, (), crews.CrewSettings(), "")
    assert list_names(crew) == [ANA, ZOE]


def test_a_crew_with_24_members_and_requests_takes_no_more_requests(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA)
    others = Visitor.objects.bulk_create([Visitor(token_hash=f"{n:064}") for n in range(24)])
    CrewMember.objects.bulk_create([CrewMember(crew=crew, visitor=other, name=ZOE) for other in others])
    ask = {"key": make_key(), "do": "ask", "name": ZOE}
    refused = other_device.client.post(f"{crew.get_absolute_url()}/members", ask)
    assert refused.status_code == 409 and "This crew is full: nobody else can join." in read_words(refused)
    assert crew.members.count() == 24


def test_a_member_may_leave(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA)
    let_in(crew, other_device, device)
    answer = other_device.client.post(f"{crew.get_absolute_url()}/members", {"key": make_key(), "do": "leave"})
    assert not crew.members.exists()
    assert "You have left the crew." in read_words(other_device.client.get(answer["Location"]))


def test_whoever_leaves_one_crew_stays_in_the_other(device: Device, other_device: Device) -> None:
    left, other = make_crew(device, ANA), make_crew(device, BRUNO)
    for crew in (left, other):
        let_in(crew, other_device, device)
    other_device.client.post(f"{left.get_absolute_url()}/members", {"key": make_key(), "do": "leave"})
    assert BRUNO in read_words(other_device.client.get(other.get_absolute_url()))


@pytest.mark.parametrize("do", ["admit", "remove"])
def test_only_the_holder_decides_who_is_let_in(device: Device, other_device: Device, do: str) -> None:
    """Neither a member of the crew nor the holder of another one does."""
    crew, third, guest = make_crew(device, ANA), Device(), Device()
    own = make_crew(third, BRUNO)
    let_in(crew, other_device, device)
    guest.client.post(f"{crew.get_absolute_url()}/members", {"key": make_key(), "do": "ask", "name": CHLOE})
    member = {"key": make_key(), "do": do, "member": str(crew.members.get(name=CHLOE).pk)}
    refused = other_device.client.post(f"{crew.get_absolute_url()}/members", member)
    assert refused.status_code == 403 and "Only the holder of this crew can do that." in read_words(refused)
    third.client.post(f"{own.get_absolute_url()}/members", member)
    assert crew.members.get(name=CHLOE).admitted is None
    assert (list_names(crew), list_names(own)) == ([ANA, ZOE], [BRUNO])


def test_whoever_withdraws_a_request_is_told_so(device: Device, other_device: Device) -> None:
    address = f"{make_crew(device, ANA).get_absolute_url()}/members"
    other_device.client.post(address, {"key": make_key(), "do": "ask", "name": ZOE})
    answer = other_device.client.post(address, {"key": make_key(), "do": "withdraw"}, follow=True)
    assert "Your request has been withdrawn." in read_words(answer) and not CrewMember.objects.exists()
    door = other_device.client.get(address.removesuffix("/members")).content.decode()
    assert f'name="name" value="{ZOE}"' in door  # to ask again by the same name


def test_only_the_holder_deletes_a_crew_and_its_games_stay(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    let_in(crew, other_device, device)
    send_list(device, crew, do="start")
    address = f"{crew.get_absolute_url()}/delete"
    assert other_device.client.get(address).status_code == 403
    assert other_device.client.post(address, {"key": make_key()}).status_code == 403
    assert "games stay" in read_words(device.client.get(address))
    assert "The crew has been deleted." in read_words(device.client.post(address, {"key": make_key()}, follow=True))
    assert device.client.post(address, {"key": make_key()})["Location"] == "/crews?done=delete"  # a second press
    assert (Crew.objects.count(), Game.objects.count()) == (0, 1)


def test_a_stranger_gets_the_door_of_a_crew_and_an_unknown_crew_is_not_found(client: Client, device: Device) -> None:
    crew = make_crew(device, ANA)
    assert client.get(crew.get_absolute_url()).status_code == 200
    assert client.get("/crew/" + "A" * 22).status_code == 404


# ── accounts ──


def test_a_crew_moves_to_the_account_with_the_games(device: Device) -> None:
    make_crew(device, ANA)
    sign_up(device)
    assert "This browser has crews, or rules that it keeps." in read_words(device.client.get("/account/"))
    device.client.post("/account/adopt", {"do": "take"})
    user = User.objects.get()
    assert Crew.objects.get().holder.user == user
    data = device.client.get("/account/data")
    assert f'"people": ["{ANA}"]' in b"".join(data.streaming_content).decode()  # type: ignore[attr-defined]
    accounts.delete_account(user)
    assert not Crew.objects.exists()


def test_a_member_who_signs_up_is_asked_about_the_crew_and_stays_in_it(device: Device, other_device: Device) -> None:
    crew = make_crew(other_device, ANA)
    let_in(crew, device, other_device)
    sign_up(device)
    assert "This browser has crews, or rules that it keeps." in read_words(device.client.get("/account/"))
    device.client.post("/account/adopt", {"do": "take"})
    assert ANA in read_words(device.client.get(crew.get_absolute_url()))


def test_a_member_on_one_of_two_browsers_stays_a_member_in_the_account(device: Device, other_device: Device) -> None:
    """The account had asked to be let in from another device, and that request was still open."""
    crew = make_crew(other_device, ANA)
    let_in(crew, device, other_device)
    account = accounts.find_or_make_visitor(User.objects.create_user("zoe"))
    crew.members.create(visitor=account, name=ZOE)
    accounts.give_all(require(device.browser.visitor()), accounts.find_or_make_visitor(User.objects.get()))
    assert is_let_in(crew, account)
    assert crew.members.count() == 1


def test_nobody_is_both_holder_and_member_after_moving_to_an_account(device: Device) -> None:
    crew = make_crew(device, ANA)
    account = accounts.find_or_make_visitor(User.objects.create_user("ana"))
    crew.members.create(visitor=account, name=ANA, admitted=timezone.now())
    accounts.give_all(require(device.browser.visitor()), accounts.find_or_make_visitor(User.objects.get()))
    assert Crew.objects.get().holder == account
    assert not crew.members.exists()


# ── who played last ──


def test_a_new_game_begins_with_the_people_and_rules_of_the_last(device: Device) -> None:
    device.game(players=(ANA, BRUNO, CHLOE, ZOE), ruleset="pot")
    page = device.client.get("/new?for=phone").content.decode()
    assert re.findall(r'name="name" value="([^"]*)"', page) == [ANA, BRUNO, CHLOE, ZOE]
    assert re.search(r'value="pot" checked', page)


def test_a_new_game_has_the_target_of_the_last_unless_it_is_for_other_rules(device: Device) -> None:
    device.game(players=(ANA, BRUNO), ruleset="pot", target=5000)
    for query, target in (("", "5000"), ("&ruleset=farkle", "")):
        page = device.client.get(f"/new?for=phone{query}").content.decode()
        assert re.findall(r'id="target" name="target" value="(\d*)"', page) == [target]


def test_a_person_for_whom_a_computer_stood_in_plays_the_new_game_again(device: Device) -> None:
    device.game(bank(0, 1000, IN), {"type": "hand", "player": 1, "level": "bold"}, players=(ANA, BRUNO))
    page = device.client.get("/new").content.decode()
    assert re.findall(r'name="name" value="([^"]*)"', page) == [ANA, BRUNO] and 'value="bold" selected' not in page


def test_the_newest_of_many_games_counts_as_the_last(device: Device) -> None:
    for n in range(15):
        device.game(players=(f"Player {n + 1}", f"Other {n + 1}"))
    page = device.client.get("/new").content.decode()
    assert re.findall(r'name="name" value="([^"]*)"', page) == ["Player 15", "Other 15"]


def test_a_game_at_one_phone_does_not_begin_with_players_of_a_computer_game(device: Device) -> None:
    device.game(players=(ANA, BRUNO))
    device.game(players=(ANA, HAL))
    page = device.client.get("/new?for=phone").content.decode()
    assert re.findall(r'name="name" value="([^"]*)"', page) == [ANA, BRUNO]


def test_the_same_people_play_again_with_one_press(device: Device) -> None:
    device.game(players=(ANA, BRUNO, HAL), ruleset="pot")
    same = make_key()
    first = device.client.post("/again", {"key": same})
    assert device.client.post("/again", {"key": same})["Location"] == first["Location"]
    game = Game.objects.latest("pk")
    assert (Game.objects.count(), game.rules.slug) == (2, "pot")
    assert [name for name, _level in list_seats(game)] == [ANA, BRUNO, HAL]


def test_the_same_people_play_again_to_the_same_target_in_the_same_colours(device: Device) -> None:
    form = {"key": make_key(), "name": [ANA, BRUNO], "level": ["", ""], "colour": ["5", ""], "ruleset": "pot"}
    device.client.post("/new", form | {"target": "5000", "hints": "odds", "free": "1"})
    device.client.post("/again", {"key": make_key()})
    again = Game.objects.latest("pk")
    assert (Game.objects.count(), again.target, again.hints, again.rules.ante) == (2, 5000, "odds", 0)
    assert [seat.colour for seat in again.seats] == [5, None]


@pytest.mark.parametrize("stakes", [{"ante": 0}, {"bust_penalty": 0}])
def test_the_same_people_play_again_for_the_same_money(device: Device, stakes: dict[str, int]) -> None:
    rules = {**preset("pot").to_json(), "slug": "ours", **stakes}
    device.game(players=(ANA, BRUNO), ruleset=rules)
    device.client.post("/again", {"key": make_key()})
    again = Game.objects.latest("pk").rules
    assert (again.ante, again.bust_penalty) == (rules["ante"], rules["bust_penalty"]) != (0, 0)


def test_a_player_who_keeps_score_with_real_dice_continues_with_them(device: Device) -> None:
    device.do(device.game(players=(ANA, BRUNO)), "mode", mode="manual")
    device.client.post("/again", {"key": make_key()})
    assert Game.objects.latest("pk").mode == "manual"
    device.do(device.game(players=(ANA, BRUNO)), "mode", mode="manual")
    device.client.post("/crews", {"key": make_key()})
    assert Crew.objects.get().mode == "manual"


def test_after_the_end_that_press_opens_the_rematch(device: Device) -> None:
    over = device.game(bank(0, 1000, IN), bust(1, throw("223446")), target=1000, players=(ANA, BRUNO))
    same = make_key()
    first = device.client.post("/again", {"key": same})
    assert device.client.post("/again", {"key": same})["Location"] == first["Location"]
    rematch = Game.objects.get(follows=over)
    assert first["Location"] == rematch.get_absolute_url()
    assert [name for name, _level in list_seats(rematch)] == [BRUNO, ANA]


def test_without_a_last_game_on_this_device_alone_the_form_is_shown(device: Device, other_device: Device) -> None:
    assert device.client.post("/again", {"key": make_key()})["Location"] == "/new"
    game = device.game()
    other_device.takes(game, 1)
    assert device.client.post("/again", {"key": make_key()})["Location"] == "/new"
