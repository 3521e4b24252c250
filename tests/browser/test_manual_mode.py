"""Real dice: the number pad and tapped dice; and what people can change while a game runs."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from game.forms.fields import read_typed_number
from game.models import Game
from game.storage import load_state
from tests.axe import check_accessible_at_widths
from tests.browser.conftest import find_small_controls, iterate_widths, press_and_wait, wait_until_ready
from tests.cast import ANA, BOTH_IN, BRUNO, LEFT_FOR_OTHERS, Device, open_turn, reload_game, throw
from tests.require import require

Sit = Callable[..., Page]


def expect_scores(page: Page, *wanted: str) -> None:
    expect(page.locator(".player .score")).to_have_text([*wanted])


@pytest.fixture
def pad(page: Page, sit: Sit, device: Device) -> Page:
    """The page of a game with real dice."""
    game = device.game(*BOTH_IN)
    device.do(game, "mode", mode="manual")
    return sit(page, game)


# ── the number pad ──


@pytest.mark.smoke
@pytest.mark.parametrize("javascript", [True, False])
def test_keeping_score_with_real_dice_starts_on_the_home_page(browse: Callable[..., Page], javascript: bool) -> None:
    page = browse(360, javascript=javascript)
    page.goto("/")
    page.get_by_role("link", name="Keep score with real dice").click()
    page.locator("#start").click()
    for points in ("1000", "650"):
        page.locator("#points").fill(points)
        if javascript:
            wait_until_ready(page)
        page.get_by_role("button", name="Bank").click()
        expect(page.locator("#detail")).to_contain_text(f"banked {int(points):,}.")
    expect_scores(page, "1,000", "650")


@pytest.mark.parametrize(
    ("typed", "pressed", "points"),
    [
        ("1.000", "+50", "1050"),
        ("1 000", "0", "10000"),
        ("3a", "5", "35"),
        ("1.000", "Delete the last digit", "100"),
    ],
)
def test_keys_continue_from_what_was_typed_without_misreading_it(
    pad: Page, typed: str, pressed: str, points: str
) -> None:
    pad.locator("#points").fill(typed)
    pad.get_by_role("button", name=pressed, exact=True).click()
    expect(pad.locator("#points")).to_have_value(points)


@pytest.mark.parametrize(("typed", "pressed"), [("999999", "+1,000"), ("123456", "7")])
def test_a_digit_that_no_longer_fits_is_not_dropped_in_silence(pad: Page, typed: str, pressed: str) -> None:
    pad.locator("#points").fill(typed)
    pad.get_by_role("button", name=pressed, exact=True).click()
    expect(pad.locator("#points")).to_have_value(typed)
    for place in ("#detail", "#live"):
        expect(pad.locator(place)).to_have_text("No more than six digits fit here.")


def test_points_can_be_entered_by_mouse(pad: Page) -> None:
    for name in ("3", "00", "+50", "Delete the last digit", "0", "+1,000"):
        pad.get_by_role("button", name=name, exact=True).click()
    expect(pad.locator("#points")).to_have_value("1350")
    press_and_wait(pad, lambda: pad.locator("#bank").click())
    expect_scores(pad, "2,350", "1,000")
    expect(pad.locator("#points")).to_have_value("")


def test_points_can_be_typed_on_the_keyboard(pad: Page) -> None:
    pad.keyboard.type("3500")
    pad.keyboard.press("Backspace")
    press_and_wait(pad, lambda: pad.keyboard.press("Enter"))
    expect_scores(pad, "1,350", "1,000")
    wait_until_ready(pad)
    press_and_wait(pad, lambda: pad.keyboard.press("b"))
    expect(pad.locator("#status")).to_have_text(f"Your turn, {ANA}")
    expect(pad.locator("#detail")).to_have_text(f"{BRUNO} busted. Pass to {ANA}.")


def test_a_headline_covers_the_focused_heading(page: Page, sit: Sit, device: Device) -> None:
    game = device.game()
    device.do(game, "mode", mode="manual")
    sit(page, game)
    page.clock.install(time=0)
    page.clock.pause_at(1)  # the headline stays
    page.keyboard.type("500")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_be_focused()
    page.locator(".moment b").click(trial=True)  # fails if anything covers the headline


def test_bank_shows_the_points_as_they_are_typed_and_enter_banks(pad: Page) -> None:
    bank = pad.locator("#bank b")
    expect(bank).to_have_text("Bank")
    pad.locator("#points").fill("1350")
    expect(bank).to_have_text("Bank 1,350")
    pad.get_by_role("button", name="Delete the last digit").click()
    expect(bank).to_have_text("Bank 135")
    pad.locator("#points").fill("350")
    press_and_wait(pad, lambda: pad.locator("#points").press("Enter"))
    expect_scores(pad, "1,350", "1,000")
    expect(bank).to_have_text("Bank")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("1.000", "Bank 1,000"),
        ("1,000", "Bank 1,000"),
        (" 1 000", "Bank 1,000"),
        ("10’000", "Bank 10,000"),
        ("1.5", "Bank"),
        ("1e3", "Bank"),
        ("10.00", "Bank"),
        ("350.", "Bank"),
    ],
)
def test_bank_reads_what_is_typed_as_the_server_does(pad: Page, typed: str, shown: str) -> None:
    pad.locator("#points").fill(typed)
    expect(pad.locator("#bank b")).to_have_text(shown)
    number = read_typed_number(typed.strip())
    assert shown == (f"Bank {number:,}" if number else "Bank")


def test_points_typed_before_the_scripts_come_are_banked(pad: Page) -> None:
    held: list[Route] = []
    pad.route("**/js/game.*", lambda route: held.append(route))
    with pad.expect_request("**/js/game.*"):
        pad.reload(wait_until="commit")
    pad.locator("#points").fill("350")
    held[0].continue_()
    expect(pad.locator("#bank b")).to_have_text("Bank 350")
    press_and_wait(pad, lambda: pad.locator("#bank").click())
    expect_scores(pad, "1,350", "1,000")


def test_points_that_no_turn_makes_are_refused_with_the_nearest_and_stay(pad: Page) -> None:
    pad.locator("#points").fill("175")
    pad.locator("#bank").click()
    refused = "No turn can make 175 points under these rules. Did you mean 150 or 200?"
    expect(pad.get_by_role("alert")).to_have_text(refused)
    expect(pad.locator("#live")).to_be_empty()  # an alert is read out already
    expect(pad.locator("#points")).to_have_value("175")
    expect_scores(pad, "1,000", "1,000")
    pad.locator("#points").fill("200")
    press_and_wait(pad, lambda: pad.locator("#bank").click())
    expect_scores(pad, "1,200", "1,000")
    expect(pad.get_by_role("alert")).to_have_count(0)


def test_a_bust_with_real_dice_can_be_entered(pad: Page) -> None:
    press_and_wait(pad, lambda: pad.locator("#bust").click())
    expect(pad.locator("#status")).to_have_text(f"Your turn, {BRUNO}")
    expect_scores(pad, "1,000", "1,000")


def test_dice_picked_up_and_dice_left_can_be_entered(page: Page, sit: Sit, device: Device) -> None:
    game = device.game(*BOTH_IN, LEFT_FOR_OTHERS, ruleset="wikipedia")
    device.do(game, "mode", mode="manual")
    sit(page, game)
    page.get_by_label("Picked up 3 dice: the turn starts from 200").check()
    page.get_by_label("Dice left").select_option("2")
    page.locator("#points").fill("300")
    press_and_wait(page, lambda: page.locator("#bank").click())
    expect_scores(page, "1,200", "1,300")
    expect(page.get_by_label("Picked up 2 dice: the turn starts from 300")).to_be_visible()


def test_six_names_are_written_out_on_a_tablet(browse: Callable[..., Page], sit: Sit, device: Device) -> None:
    game = device.game(players=["Großmutter", "Maximilian", "Anna-Lena", "Großvater", "Friederike", "Tom"])
    device.do(game, "mode", mode="manual")
    for points in ("10000", "500"):
        device.do(game, "points", points=points, end="bank")
    cut = """names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"""
    page = sit(browse(768, locale="de-DE"), game)
    for width in iterate_widths(page, 768, 1280):
        assert page.locator(".player b").evaluate_all(cut) == [], width


def test_the_names_on_the_podium_are_whole_on_a_phone(browse: Callable[..., Page], sit: Sit, device: Device) -> None:
    game = device.game(players=["Maximiliaan", "Großmutter Hilde", "Anna-Lena"], target=1000)
    device.do(game, "mode", mode="manual")
    for points in ("500", "600", "1000"):
        device.do(game, "points", points=points, end="bank")
    lines = "names => names.map(name => [name.scrollWidth <= name.clientWidth, name.scrollHeight / 20])"
    shown = sit(browse(360), game).locator(".podium b").evaluate_all(lines)
    assert shown == [[True, 1], [True, 2], [True, 1]]


def test_a_long_word_of_a_name_is_written_smaller_on_a_phone(
    browse: Callable[..., Page], sit: Sit, device: Device
) -> None:
    names = ["Wolfeschlegelsteinhausen", "Bartholomäusphilippinos", "Maximilianarosalinda"]
    game = device.game(players=names, target=1000)
    device.do(game, "mode", mode="manual")
    page = sit(browse(360), game)
    lines = """(part, name) => {
        const words = new Range(), text = part.firstChild, at = text.data.indexOf(name)
        words.setStart(text, at)
        words.setEnd(text, at + name.length)
        return words.getClientRects().length
    }"""
    for name, points in zip(names, ("500", "600", "1000"), strict=True):
        page.goto(game.get_absolute_url())
        assert page.locator("#status").evaluate(lines, name) == 1
        device.do(game, "points", points=points, end="bank")
    page.goto(game.get_absolute_url())
    assert page.locator("#status").evaluate(lines, names[2]) == 1
    cut = "names => names.filter(name => name.scrollHeight > name.clientHeight).map(name => name.textContent)"
    for width in iterate_widths(page, 320, 360):
        assert page.locator(".podium b").evaluate_all(cut) == [], width


def test_a_turn_with_real_dice_is_one_line_of_the_earlier_turns_on_a_phone(
    browse: Callable[..., Page], sit: Sit, device: Device
) -> None:
    game = device.game(players=["Maximilian", BRUNO])
    device.do(game, "mode", mode="manual")
    device.do(game, "points", points="10000", end="bank")
    page = sit(browse(360, locale="de-DE"), game)
    line = page.get_by_text("Maximilian hat 10.000 gesichert", exact=True)
    assert line.evaluate("line => new Set([...line.getClientRects()].map(part => part.top)).size") == 1


def test_a_score_of_six_digits_stays_in_its_card(browse: Callable[..., Page], sit: Sit, device: Device) -> None:
    game = device.game(players=[ANA, BRUNO, "Chloé", "Dora"], target=100_000)
    device.do(game, "mode", mode="manual")
    device.do(game, "points", points="124450", end="bank")
    page = sit(browse(320), game)
    expect_scores(page, "124,450", "0", "0", "0")
    left_over = """card => {
        const digits = new Range()
        digits.selectNodeContents(card.querySelector('.score'))
        return card.getBoundingClientRect().right - digits.getBoundingClientRect().right
    }"""
    for width in iterate_widths(page, 320, 360):
        assert page.locator(".player").first.evaluate(left_over) >= 2, width


def test_undo_cancels_a_typed_turn(pad: Page) -> None:
    pad.locator("#points").fill("350")
    press_and_wait(pad, lambda: pad.locator("#bank").click())
    press_and_wait(pad, lambda: pad.get_by_role("button", name="Undo").click())
    expect_scores(pad, "1,000", "1,000")
    expect(pad.locator("#status")).to_have_text(f"Your turn, {ANA}")
    expect(pad.locator("#earlier .undone")).to_contain_text("undone")


# ── throw by throw, and tapped ──


def tap_faces(page: Page, faces: str) -> None:
    for face in faces:
        page.locator(f"[data-tap='{face}']").click()


def test_throws_are_added_one_by_one_and_banked_together(pad: Page) -> None:
    pad.locator("#points").fill("300")
    pad.get_by_role("button", name="Add throw").click()
    expect(pad.locator("#so-far")).to_have_text("turn 300")
    pad.keyboard.type("150")
    expect(pad.locator("#bank b")).to_have_text("Bank 450")
    pad.reload()
    expect(pad.locator("#so-far")).to_have_text("turn 300")
    pad.get_by_role("button", name="Undo entry").click()
    expect(pad.locator("#so-far")).to_have_text("")
    pad.locator("#points").fill("200")
    pad.get_by_role("button", name="Add throw").click()
    expect(pad.locator("#so-far")).to_have_text("turn 200")
    press_and_wait(pad, lambda: pad.locator("#bank").click())
    expect_scores(pad, "1,200", "1,000")


@pytest.mark.parametrize(("width", "height"), [(667, 375), (844, 390)])
def test_all_that_is_tapped_is_on_the_screen_of_a_phone_held_sideways(pad: Page, width: int, height: int) -> None:
    pad.set_viewport_size({"width": width, "height": height})
    for part in ("#points", ".digits", "#bust", "#add", "#bank", "#tap"):
        expect(pad.locator(part)).to_be_in_viewport(ratio=1)
    assert find_small_controls(pad) == []
    pad.locator("#tap").click()
    for part in (".dice", ".taps", "#untap", "#next"):
        expect(pad.locator(part)).to_be_in_viewport(ratio=1)
    tap_faces(pad, "115346")
    for part in (".dice", ".shelf", "#sum", "#bank", "#throw"):
        expect(pad.locator(part)).to_be_in_viewport(ratio=1)


@pytest.mark.smoke
def test_a_turn_can_be_tapped_with_odds_and_both_buttons(pad: Page) -> None:
    pad.get_by_role("button", name="Tap dice").click()
    tap_faces(pad, "1552")
    shown = pad.locator("#tray .die.new use").evaluate_all("all => all.map(use => use.getAttribute('href'))")
    assert shown == ["#f1", "#f5", "#f5", "#f2"]
    pad.get_by_role("button", name="Delete").click()
    expect(pad.locator("#tray .die.new")).to_have_count(3)
    tap_faces(pad, "236")
    expect(pad.locator("#bank")).to_contain_text("Bank 200")
    expect(pad.locator("#throw")).to_contain_text("28% bust risk")
    pad.locator("#die-2").click(force=True)
    expect(pad.locator("#bank")).to_contain_text("Bank 150")
    pad.locator("#throw").click()
    expect(pad.locator("#next")).to_contain_text("Tap 4 dice")
    expect(pad.locator("#live")).to_have_text("150 so far. Throw 4 dice and tap them.")
    tap_faces(pad, "1446")
    press_and_wait(pad, lambda: pad.locator("#bank").click())
    expect_scores(pad, "1,250", "1,000")
    expect(pad.locator("#next")).to_contain_text("Tap 6 dice")
    assert require(reload_game(Game.objects.get()).shots.last()).throws.count() == 2


def test_tapped_dice_stay_when_some_are_missing(pad: Page) -> None:
    pad.get_by_role("button", name="Tap dice").click()
    tap_faces(pad, "15")
    pad.locator("#next").click()
    expect(pad.get_by_role("alert")).to_have_text("Enter 6 dice, each from 1 to 6.")
    expect(pad.locator("#tray .die.new")).to_have_count(2)
    tap_faces(pad, "5236")
    expect(pad.locator("#bank")).to_contain_text("Bank 200")


def test_an_undone_throw_lies_there_again_but_for_the_die_that_had_sent_it(pad: Page) -> None:
    pad.get_by_role("button", name="Tap dice").click()
    tap_faces(pad, "155235")
    press_and_wait(pad, lambda: pad.get_by_role("button", name="Undo entry").click())
    expect(pad.locator("#tray .die.new")).to_have_count(5)
    tap_faces(pad, "6")
    expect(pad.locator("#bank")).to_contain_text("Bank 200")


def test_a_tap_too_many_lays_no_die_while_the_others_are_on_their_way(pad: Page) -> None:
    pad.get_by_role("button", name="Tap dice").click()
    held: list[Route] = []
    pad.route("**/pad", lambda route: held.append(route), times=1)
    with pad.expect_request("**/pad"):
        tap_faces(pad, "155236")
    tap_faces(pad, "1")
    expect(pad.locator("#tray .die.new")).to_have_count(6)
    held[0].continue_()
    expect(pad.locator("#bank")).to_contain_text("Bank 200")


def test_without_any_tapped_die_the_announcement_says_what_to_tap(pad: Page) -> None:
    pad.get_by_role("button", name="Tap dice").click()
    tap_faces(pad, "1")
    expect(pad.locator("#live")).to_have_text("On the table: 1.")
    pad.get_by_role("button", name="Delete").click()
    expect(pad.locator("#live")).to_have_text("Tap 6 dice as they lie on the table")


def test_a_turn_can_be_tapped_by_keyboard(pad: Page) -> None:
    pad.get_by_role("button", name="Tap dice").click()
    expect(pad.locator("#next")).to_be_visible()
    pad.locator("#status").focus()
    pad.keyboard.type("15")
    pad.keyboard.press("Backspace")
    pad.keyboard.type("55236")
    expect(pad.locator("#throw")).to_be_visible()
    pad.locator("#status").focus()
    pad.keyboard.press("Backspace")
    expect(pad.locator("#next")).to_contain_text("Tap 6 dice")
    expect(pad.locator("#tray .die.new")).to_have_count(5)
    pad.locator("#status").focus()
    pad.keyboard.type("6")
    expect(pad.locator("#throw")).to_be_visible()
    pad.locator("#status").focus()
    pad.keyboard.press("r")
    expect(pad.locator("#next")).to_contain_text("Tap 3 dice")
    pad.locator("#status").focus()
    pad.keyboard.type("244")
    expect(pad.locator("#sum")).to_have_text("200")
    expect(pad.locator("#detail")).to_have_text("Bust! This throw scores nothing.")
    pad.locator("#status").focus()
    press_and_wait(pad, lambda: pad.keyboard.press("b"))
    expect(pad.locator("#detail")).to_have_text(f"{ANA} busted and lost 200 points. Pass to {BRUNO}.")


def test_loading_the_page_again_loses_no_throw(pad: Page) -> None:
    pad.get_by_role("button", name="Tap dice").click()
    tap_faces(pad, "155236")
    expect(pad.locator("#bank")).to_contain_text("Bank 200")
    pad.reload()
    expect(pad.locator("#bank")).to_contain_text("Bank 200")
    pad.get_by_role("button", name="Undo entry").click()
    expect(pad.locator("#next")).to_contain_text("Tap 6 dice")


def test_dice_can_be_entered_without_javascript(plain: Page, sit: Sit, device: Device) -> None:
    game = device.game(*BOTH_IN)
    device.do(game, "mode", mode="manual")
    sit(plain, game)
    plain.get_by_role("button", name="Tap dice").click()
    plain.get_by_label("The faces of the 6 dice you threw").fill("1 5 5 2 3 6")
    plain.locator("#next").click()
    plain.locator("#throw").click()
    plain.get_by_label("The faces of the 3 dice you threw").fill("144")
    plain.keyboard.press("Enter")
    plain.locator("#bank").click()
    expect_scores(plain, "1,300", "1,000")


def test_the_pads_are_accessible(page: Page, sit: Sit, device: Device) -> None:
    game = device.game(*BOTH_IN, LEFT_FOR_OTHERS, ruleset="wikipedia")
    device.do(game, "mode", mode="manual")
    sit(page, game)
    check_accessible_at_widths(page, (360, 1280))
    page.get_by_role("button", name="Tap dice").click()
    tap_faces(page, "15")
    check_accessible_at_widths(page, (360, 1280))
    tap_faces(page, "2344")
    expect(page.locator("#throw")).to_be_visible()
    check_accessible_at_widths(page, (360, 1280))
    page.locator("#throw").click()
    tap_faces(page, "2346")
    expect(page.locator("#detail")).to_have_text("Bust! This throw scores nothing.")
    check_accessible_at_widths(page, (360, 1280))


# ── changes at the table ──


def test_a_game_can_switch_to_real_dice_and_back(page: Page, sit: Sit, device: Device) -> None:
    """The change applies from the next turn on; the running turn ends with the dice that it began with."""
    sit(page, device.game(*BOTH_IN, open_turn(0, throw("115236"))))
    page.get_by_label("Menu").click()
    press_and_wait(page, lambda: page.get_by_role("button", name="Real dice (enter points)").click())
    expect(page.locator("#menu")).not_to_have_attribute("open", "")
    expect(page.locator("#options [value=manual]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#tray .die")).to_have_count(6)
    press_and_wait(page, lambda: page.locator("#bank").click())
    expect(page.locator("#points")).to_be_visible()
    page.get_by_label("Menu").click()
    press_and_wait(page, lambda: page.get_by_role("button", name="Dice on screen").click())
    expect(page.locator("#throw")).to_be_visible()


def test_the_target_can_be_changed(page: Page, sit: Sit, device: Device) -> None:
    game = device.game(*BOTH_IN)
    sit(page, game)
    page.get_by_label("Menu").click()
    page.get_by_label("Target").fill("2000")
    press_and_wait(page, lambda: page.get_by_label("Target").press("Enter"))
    expect(page.locator("#live")).to_have_text("The target is now 2,000.")
    assert load_state(reload_game(game)).target == 2000


def test_players_can_be_renamed_join_sit_out_and_rejoin(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN, open_turn(0, throw("115236"))))
    names = page.locator(".player b")
    people = page.locator("#people")
    people.get_by_text("Players").click()
    people.get_by_label("Name", exact=True).first.fill("Anna")
    press_and_wait(page, people.get_by_role("button", name="Rename").first.click)
    expect(names).to_have_text(["Anna", BRUNO])
    expect(page.locator("#status")).to_have_text("Your turn, Anna")
    people.get_by_label("Name of the new player").fill("Chloé")
    press_and_wait(page, lambda: people.get_by_role("button", name="Add player").click())
    press_and_wait(page, lambda: people.get_by_role("button", name="Add computer").click())
    expect(names).to_have_text(["Anna", BRUNO, "Chloé", re.compile(r"^\*")])
    press_and_wait(page, lambda: people.get_by_role("button", name="Sit out").nth(1).click())
    expect(page.locator(".player .word").nth(1)).to_have_text("sitting out")
    press_and_wait(page, lambda: people.get_by_role("button", name="Rejoin").click())
    expect(people.get_by_role("button", name="Rejoin")).to_have_count(0)


def test_the_list_of_players_opens_from_the_header_and_from_the_menu(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN))
    players = page.get_by_label("Name of the new player")
    page.get_by_role("link", name="Players and link").click()
    expect(players).to_be_visible()
    expect(page.locator("#live")).to_have_text("Saved. Come back by this link, or download the game.")
    page.locator("#people").get_by_text("Players").click()
    expect(players).to_be_hidden()
    page.get_by_label("Menu").click()
    page.locator("#menu").get_by_role("link", name="Players", exact=True).click()
    expect(players).to_be_visible()
    expect(page.locator("#menu")).not_to_have_attribute("open", "")


def test_a_name_that_is_taken_is_refused_in_words(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN))
    people = page.locator("#people")
    people.get_by_text("Players").click()
    people.get_by_label("Name", exact=True).first.fill(BRUNO)
    people.get_by_role("button", name="Rename").first.click()
    expect(page.get_by_role("alert")).to_have_text("That name is taken. Choose another one.")
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.locator(".player b")).to_have_text([ANA, BRUNO])


# ── saved and loaded ──


def test_a_game_continues_from_its_file(page: Page, sit: Sit, device: Device) -> None:
    sit(page, device.game(*BOTH_IN, open_turn(0, throw("115236"))))
    dice = page.locator("#tray .die > .vh").all_inner_texts()
    with page.expect_download() as saving:
        page.get_by_role("link", name="Download").click()
    page.goto("/games/import")
    page.get_by_label("Game file").set_input_files(saving.value.path())
    page.get_by_role("button", name="Load").click()
    page.wait_for_url("**/g/*")
    expect_scores(page, "1,000", "1,000")
    assert page.locator("#tray .die > .vh").all_inner_texts() == dice
    press_and_wait(page, lambda: page.locator("#bank").click())
    expect_scores(page, "1,250", "1,000")
    assert Game.objects.count() == 2
