"""Rules changed at the table: from the form to the end of a game at two devices, its review and its rules page."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from game.models import Game
from game.rules.ruleset import SIX_DICE_SETTINGS
from game.storage import load_state
from tests.browser.conftest import has_effect, press_and_wait
from tests.cast import reload_game

Browse = Callable[..., Page]
PRESSES_MOST = 60


def change_rules(page: Page) -> None:
    """Choose rules with five dice, two rounds, and 900 points for a low straight."""
    page.goto("/new?for=friends")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Change these rules").click()
    page.wait_for_url("**/rules/change")  # waits for the load, and so for the script that tries what is typed
    page.get_by_label("Play with five dice.").check()
    page.get_by_label("A straight from 1 to 5 scores").fill("900")
    page.get_by_label("After a fixed number of rounds").check()
    page.get_by_label("A game of rounds lasts").fill("2")
    page.locator("#throw").fill("12345")
    expect(page.locator("#example")).to_contain_text("900")
    page.get_by_role("button", name="Use these rules").last.click()
    expect(page.get_by_label("Your name")).to_have_value("Ana")
    expect(page.locator("#facts-own")).to_contain_text("2 rounds")


def test_with_five_dice_the_form_has_nothing_that_needs_six(browse: Browse) -> None:
    page = browse()
    page.goto("/rules/change?ruleset=classic")
    page.evaluate("document.querySelectorAll('main details').forEach(group => { group.open = true })")
    needs_six = [page.locator(f"[name={name}]").first for name in (*SIX_DICE_SETTINGS, "kind_6_1")]
    for setting in needs_six:
        expect(setting).to_be_visible()
    page.get_by_label("Play with five dice.").check()
    for setting in needs_six:
        expect(setting).to_be_hidden()
    expect(page.get_by_label("A straight from 1 to 5 scores")).to_be_visible()


def join_game(page: Page, host: Page) -> None:
    link = host.locator("#invite .link").get_attribute("href")
    assert link
    page.goto(link)
    page.get_by_label("Your name").fill("Bruno")
    page.get_by_role("button", name="Join the game", exact=True).click()
    expect(page.locator("#status")).to_have_text("You’re in!")


# Ana's first bank; Bruno's low straight with hot dice and the throw after it; and a bust of each in the second round.
FALLEN = "11123", "12345", "11236", "22346", "22346"


def take_turn(page: Page) -> None:
    """Throw, and bank as soon as the rules allow it."""
    expect(page.locator("#status")).to_have_text(re.compile("^Your turn"))
    turn = page.locator("#tray").get_attribute("data-seat")
    for _press in range(PRESSES_MOST):
        bank = page.locator("#bank")
        button = bank if has_effect(bank) else page.locator("#throw")
        press_and_wait(page, button.click)
        if page.locator("#finish").count() or page.locator("#tray").get_attribute("data-seat") != turn:
            return


def test_a_game_by_changed_rules_is_played_to_its_end_at_two_devices(
    browse: Browse, falls: Callable[..., None]
) -> None:
    ana, bruno = browse(), browse(width=360, has_touch=True)
    change_rules(ana)
    ana.get_by_role("button", name="Create game").click()
    join_game(bruno, ana)
    ana.locator("#start").click()
    expect(ana.locator(".round").first).to_have_text("Round 1 of 2")
    expect(ana.locator(".columns kbd")).to_have_count(5)
    game = Game.objects.get()
    assert (game.rules.dice, game.rules.rounds, game.rules.low_straight) == (5, 2, 900)
    falls(*FALLEN)
    for page in (ana, bruno, ana, bruno):
        assert reload_game(game).status == "running"
        take_turn(page)
    expect(bruno.locator("#finish")).to_be_visible()
    assert reload_game(game).status == "finished"
    assert [player.score for player in load_state(reload_game(game)).players] == [1000, 1100]
    ana.goto(f"{game.get_absolute_url()}/analysis")
    expect(ana.locator("h1")).to_be_visible()
    ana.goto(game.rules_address)
    expect(ana.locator("main")).to_contain_text("After 2 rounds the highest score wins.")
    ana.get_by_role("link", name="Play these rules").click()
    expect(ana.locator("#facts-own")).to_contain_text("five dice")


def test_no_button_fades_while_rules_are_being_changed(unlucky: Page) -> None:
    unlucky.goto("/new?for=friends")
    unlucky.get_by_role("button", name="Change these rules").click()
    unlucky.wait_for_url("**/rules/change")
    unlucky.route("**/rules/change", lambda _: None)
    unlucky.get_by_label("A straight from 1 to 5 scores").fill("900")
    button = unlucky.locator("form.htmx-request").get_by_role("button", name="Use these rules").last
    expect(button).to_have_css("transition-duration", "0s")
    expect(button).to_have_css("opacity", "1")
