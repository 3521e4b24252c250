"""Crews in Chromium: three taps to the first throw, the list by keyboard and without scripts; and the single keys."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from game.models import Crew, Game
from game.services.spoken_codes import say_code
from tests.axe import check_accessible
from tests.browser.test_pages_round_a_game import GAME, list_players, press_slowly, read_names
from tests.cast import ANA, BRUNO, HAL, Device
from tests.views.crews.test_crews import make_crew
from tests.views.crews.test_evenings import CHLOE, play_game

Browse = Callable[..., Page]
FAMILY = ["Oma", "Papa", "Mia", "Leo"]
# Of each cell of the table of an evening: its text, how many words it has, and how many lines they take.
CELLS = """[...document.querySelectorAll('.lined :is(th, td)')].map(cell => {
    const text = document.createRange(), words = cell.innerText.trim().split(/\\s+/)
    text.selectNodeContents(cell)
    return [cell.innerText, words.length, new Set([...text.getClientRects()].map(box => Math.round(box.top))).size]
})"""
CREW = re.compile(r"/crew/[\w-]{22}")


def keep_family(page: Page, *people: str) -> None:
    page.goto("/crews")
    page.get_by_role("button", name="New crew").click()
    for name in people:
        page.get_by_label("Somebody new").fill(name)
        page.get_by_label("Somebody new").press("Enter")
        expect(page.get_by_role("checkbox", name=f"{name} plays tonight")).to_be_checked()
    page.wait_for_load_state()  # and so for the script that listens to presses


def test_a_crew_of_four_is_three_taps_from_the_first_throw(browse: Browse) -> None:
    page = browse(360, has_touch=True)
    keep_family(page, *FAMILY)
    page.goto("/")
    taps = [page.get_by_role("link", name="My crew"), page.get_by_role("button", name="Start", exact=True)]
    for tap in [*taps, page.get_by_role("button", name="Throw 6 dice")]:
        tap.tap()
    expect(page.locator("#tray .die:not(.blank)")).to_have_count(6)
    assert list_players() == FAMILY
    assert Game.objects.get().thrown == 1


def test_the_last_players_are_three_taps_from_the_next_game(
    browse: Browse, sit: Callable[..., Page], device: Device
) -> None:
    device.game(players=FAMILY)
    page = sit(browse(360, has_touch=True))
    page.goto("/")
    page.get_by_role("link", name="Pass one phone").tap()
    page.wait_for_url("**/new?*")
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    assert read_names(page) == FAMILY
    page.get_by_role("button", name="Start", exact=True).tap()
    page.get_by_role("button", name="Throw 6 dice").tap()
    expect(page.locator("#tray .die:not(.blank)")).to_have_count(6)
    assert Game.objects.count() == 2


@pytest.mark.parametrize("javascript", [True, False])
def test_people_are_ticked_moved_and_started(browse: Browse, javascript: bool) -> None:
    page = browse(360, javascript=javascript)
    keep_family(page, ANA, BRUNO, HAL)
    page.get_by_role("button", name="Move Bruno up").click()
    expect(page.locator("[name=name]").first).to_have_value(BRUNO)
    page.get_by_role("checkbox", name="*HAL plays tonight").uncheck()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(GAME)
    assert list_players() == [BRUNO, ANA]


def test_the_focus_moves_along_with_a_moved_person(page: Page) -> None:
    keep_family(page, ANA, BRUNO, HAL)
    page.get_by_role("button", name="Move *HAL up").focus()
    for place in (1, 0):
        expect(page.get_by_role("button", name="Move *HAL up")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("[name=name]").nth(place)).to_have_value(HAL)
    expect(page.get_by_role("button", name="Move *HAL down")).to_be_focused()


def test_quick_presses_move_a_person_and_start_the_game(page: Page) -> None:
    keep_family(page, ANA, BRUNO, HAL, CHLOE)
    let_go = press_slowly(page, "[aria-label='Move Chloé up']")
    page.get_by_role("button", name="Move Chloé up").click()
    page.get_by_role("checkbox", name="*HAL plays tonight").uncheck()
    page.get_by_label("Name of Bruno").fill("Bea")
    page.get_by_role("button", name="Start", exact=True).click(no_wait_after=True)
    let_go()
    page.wait_for_url("**/g/*")
    assert list_players() == [ANA, CHLOE, "Bea"]


def test_a_colour_saved_while_somebody_is_added_is_stored(page: Page) -> None:
    keep_family(page, ANA)
    page.get_by_text("Colours, levels, removing somebody").click()
    let_go = press_slowly(page, "#add-computer")
    page.get_by_label("Colour of Ana").select_option("3")
    page.locator("#edit-people").get_by_role("button", name="Save").click(no_wait_after=True)
    with page.expect_response(lambda answer: "do=save" in (answer.request.post_data or "")):
        let_go()
    assert Crew.objects.get().people.get(name=ANA).colour == 3


def test_a_name_typed_while_somebody_is_added_is_not_lost(page: Page) -> None:
    keep_family(page, ANA)
    let_go = press_slowly(page, "#add-computer")
    page.get_by_label("Somebody new").fill(BRUNO)
    let_go()
    expect(page.locator("[name=here]")).to_have_count(2)
    expect(page.get_by_label("Somebody new")).to_be_focused()
    expect(page.get_by_label("Somebody new")).to_have_value(BRUNO)


def test_no_held_press_follows_a_refused_change(page: Page) -> None:
    keep_family(page, ANA, BRUNO)
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Move Bruno up").click()
    expect(other.locator("[name=name]").first).to_have_value(BRUNO)
    other.close()
    let_go = press_slowly(page, "[aria-label='Move Bruno up']")
    page.get_by_role("button", name="Start", exact=True).click(no_wait_after=True)
    let_go()
    expect(page.get_by_role("alert")).to_contain_text("Somebody changed this crew.")
    page.get_by_role("button", name="Move Ana up").click()  # would fail on the page of a game
    expect(page.locator("[name=name]").first).to_have_value(ANA)
    assert not Game.objects.exists()


def test_a_crews_pages_are_accessible(browse: Browse) -> None:
    page = browse(320)
    keep_family(page, ANA, "Maximiliane Hildegard", HAL)
    page.get_by_text("Colours, levels, removing somebody").click()
    for address in (page.url, "/crews", "/join"):
        page.goto(address)
        check_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_member_who_was_let_in_can_use_the_list(browse: Browse) -> None:
    holder, guest = browse(), browse()
    keep_family(holder, ANA, BRUNO)
    address = Crew.objects.get().get_absolute_url()
    guest.goto(address)
    expect(guest.get_by_text(ANA)).to_have_count(0)
    guest.get_by_label("Your name").fill("Zoë")
    guest.get_by_role("button", name="Ask to be let in").click()
    expect(guest.get_by_role("link", name="Look again")).to_be_visible()
    holder.goto(address)
    holder.get_by_role("button", name="Let in Zoë").click()
    expect(holder.get_by_role("button", name="Remove Zoë")).to_be_visible()
    guest.get_by_role("link", name="Look again").click()
    expect(guest.get_by_role("checkbox", name=f"{ANA} plays tonight")).to_be_checked()


# ── keys ──


def test_p_plays_again_with_the_same_people(page: Page, sit: Callable[..., Page], device: Device) -> None:
    game = device.game(players=(ANA, BRUNO, HAL), ruleset="pot")
    sit(page, game).keyboard.press("p")
    expect(page).not_to_have_url(re.compile(game.code))
    expect(page).to_have_url(GAME)
    following = Game.objects.latest("pk")
    assert list(following.players.order_by("seat").values_list("name", flat=True)) == [ANA, BRUNO, HAL]


def test_l_leads_to_the_page_for_files_and_opens_the_file_dialog(page: Page) -> None:
    page.on("filechooser", lambda chooser: None)  # set now, because a listener that is set later misses the press
    page.goto("/")
    page.keyboard.press("l")
    page.wait_for_url("**/games/import")  # waits for the load, and so for the script that listens to keys
    expect(page.get_by_label("Game file")).to_be_focused()
    with page.expect_file_chooser():
        page.keyboard.press("l")


def test_s_downloads_the_game_at_once(page: Page, sit: Callable[..., Page], device: Device) -> None:
    game = device.game()
    sit(page, game)
    with page.expect_download() as download:
        page.keyboard.press("s")
    assert game.code in download.value.suggested_filename
    assert '"format"' in Path(download.value.path()).read_text()


def test_no_letter_does_anything_while_somebody_types(page: Page, sit: Callable[..., Page], device: Device) -> None:
    sit(page)
    device.game()
    page.goto("/new")
    field = page.get_by_label("Name of player 1")
    field.fill("")
    page.keyboard.type("plpS")
    expect(field).to_have_value("plpS")
    assert Game.objects.count() == 1


# ── three words ──


def test_three_words_read_out_lead_a_friend_to_a_seat(browse: Browse, device: Device) -> None:
    game = device.waiting_game()
    friend = browse(360)
    friend.goto("/")
    friend.get_by_role("link", name="three words").click()
    friend.get_by_label("The three words").fill(say_code(game.invite.spoken).upper())
    friend.keyboard.press("Enter")
    friend.get_by_role("button", name="Join the game").click()
    expect(friend).to_have_url(GAME)
    assert game.players.count() == 2


def test_the_table_of_an_evening_fits_a_phone_and_is_accessible(
    browse: Browse,
    sit: Callable[..., Page],
    device: Device,
) -> None:
    crew = make_crew(device, ANA, BRUNO, "Maximiliane Hildegard")
    game = play_game(device, crew, ANA, ANA, BRUNO, "Maximiliane Hildegard", rounds=2)
    page = sit(browse(320))
    page.goto(crew.get_absolute_url())
    page.locator("#evenings a").click()
    expect(page.get_by_text(f"{BRUNO} pays {ANA}")).to_be_visible()
    expect(page).to_have_url(re.compile(game.code))
    check_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize(("games", "px"), [(4, 688), (12, 1017)])
def test_the_table_of_an_evening_breaks_no_word_on_paper(
    browse: Browse, sit: Callable[..., Page], device: Device, games: int, px: int
) -> None:
    """A sheet has 182 mm in width beside its margins; from five games on it is printed in landscape, 269 mm wide."""
    crew = make_crew(device, ANA, BRUNO, "Chloé")
    for n in range(games):
        last = play_game(device, crew, (ANA, BRUNO)[n % 2], ANA, BRUNO, "Chloé")
    page = browse(px, locale="de-DE")
    sit(page)
    page.goto(f"{crew.get_absolute_url()}/evening/{last.code}")
    page.emulate_media(media="print")
    assert [cell for cell, words, lines in page.evaluate(CELLS) if lines > words] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= px


def test_an_evening_has_the_date_where_its_reader_is(browse: Browse, sit: Callable[..., Page], device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    play_game(device, crew, ANA, ANA, BRUNO, at=datetime(2026, 11, 1, 1, 5, tzinfo=UTC))
    page = sit(browse(360, locale="en-US", timezone_id="America/New_York"))
    page.goto(crew.get_absolute_url())
    page.get_by_role("link", name="October 31, 2026").click()
    expect(page.locator("main p").first).to_have_text("October 31, 2026")
    expect(page).to_have_title(re.compile("October 31, 2026"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    assert download.value.suggested_filename == "ten-thousand-evening-2026-10-31.csv"


def test_a_tap_on_the_pot_tells_who_paid_what(browse: Browse, sit: Callable[..., Page], device: Device) -> None:
    bank, bust = (
        {"type": "shot", "manual": True, "end": "bank", "points": 1000},
        {"type": "shot", "manual": True, "end": "bust"},
    )
    game = device.game(*({**turn, "player": n} for turn in (bank, bust) for n in (0, 1)), ruleset="pot")
    page = sit(browse(360, has_touch=True), game)
    page.locator("#pot summary").tap()
    expect(page.locator("#pot dl")).to_contain_text(ANA)
    paid = [float(text) for text in page.locator("#pot dd").all_inner_texts()]
    assert f"{sum(paid):.2f}" in page.locator("#pot summary").inner_text()
    assert len(paid) == 2 and min(paid) > 0


def test_escape_or_a_press_elsewhere_closes_the_pot(page: Page, sit: Callable[..., Page], device: Device) -> None:
    sit(page, device.game(players=(ANA, BRUNO, HAL), ruleset="pot"))
    pot = page.locator("#pot summary")
    pot.click()
    expect(page.locator("#pot dl")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#pot dl")).to_be_hidden()
    expect(pot).to_be_focused()
    pot.click()
    page.locator("#pot dl").click()
    expect(page.locator("#pot dl")).to_be_visible()
    page.locator("#menu > summary").click()
    expect(page.locator("#pot dl")).to_be_hidden()
    pot.click()
    expect(page.locator("#pot dl")).to_be_visible()
    page.locator("#status").click()
    expect(page.locator("#pot dl")).to_be_hidden()
