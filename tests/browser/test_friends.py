"""Friends in one game at several devices: from the invite to the rematch, with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from game.models import Game
from game.storage import load_state
from tests.axe import check_accessible_at_widths
from tests.browser.conftest import iterate_widths, press_and_wait, wait_until_ready
from tests.cast import IN, Device, bank, bust, let_time_pass, reload_game, share_game, throw
from tests.require import require

Browse = Callable[..., Page]
Sit = Callable[..., Page]


@dataclass
class Friends:
    """A waiting game: Ana made it on a desktop, and Bruno joined on a phone."""

    game: Game
    ana: Page
    bruno: Page


def make_game(page: Page, name: str = "Ana") -> str:
    """Make a game from the home page; return the link of its invite."""
    page.goto("/")
    page.get_by_role("link", name=re.compile("Invite friends")).click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Create game").click()
    expect(page.locator("#status")).to_have_text("Waiting for your friends")
    link = page.locator("#invite .link").get_attribute("href")
    assert link
    return link


def join_game(page: Page, invite: str, name: str) -> None:
    page.goto(invite)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join the game", exact=True).click()
    expect(page.locator("#status")).to_have_text("You’re in!")


def open_settings(page: Page) -> Page:
    page.locator("#settings > summary").click()
    return page


CUT = """parts => parts.filter(part => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1)
    .map(part => part.textContent)"""


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_table_on_a_large_screen_has_room_for_names(browse: Browse, sit: Sit, device: Device, seats: int) -> None:
    page = sit(browse(1280), device.waiting_game(*(f"Friedrich-Wilhelm {n}" for n in range(seats))))
    assert page.locator(".ring b").evaluate_all(CUT) == []


def test_long_names_round_a_table_are_written_out_on_small_screens(browse: Browse, sit: Sit, device: Device) -> None:
    names = ("Maximiliane Wolkenstein", "Bartholomew of Zanzibar", "Konstantin Rosenkavalier", "Jean-Christophe")
    page = browse(320)
    for seats in (names[:3], names, (*names, "Wilhelmina van den Broek", "Ingrid Lindström-Öberg")):
        sit(page, device.waiting_game(*seats))
        for width in iterate_widths(page, 320, 360, 412, 768, 1000):
            assert page.locator(".ring b").evaluate_all(CUT) == [], width


def test_two_at_a_table_have_room_for_their_names(browse: Browse, sit: Sit, device: Device) -> None:
    page = sit(browse(320, locale="de-DE"), device.waiting_game("Friederike Wilhelmine", "Großvater Hans"))
    rows = "parts => parts.map(part => part.getBoundingClientRect()).sort((one, other) => one.top - other.top)"
    for width in iterate_widths(page, 320, 360):
        assert page.locator(".ring b").evaluate_all(CUT) == [], width
        upper, middle, lower = page.locator(".ring li, #table .middle").evaluate_all(rows)
        assert upper["bottom"] <= middle["top"] and middle["bottom"] <= lower["top"], width


@pytest.mark.parametrize(("width", "height"), [(360, 640), (768, 900), (1280, 800)])
def test_the_host_of_an_empty_table_shares_the_invite_without_scrolling(
    browse: Browse, sit: Sit, device: Device, other_device: Device, width: int, height: int
) -> None:
    page = browse(width)
    page.set_viewport_size({"width": width, "height": height})
    game = device.waiting_game()
    sit(page, game)
    share = page.get_by_role("button", name="Share invite")
    expect(share).to_be_in_viewport(ratio=1)  # the only one that is shown
    loaded = "() => performance.getEntriesByType('resource').some(file => file.name.includes('/js/share'))"
    page.wait_for_function(loaded)  # before the first press: Safari would not copy after it
    share.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    other_device.sit(game, "Bruno")
    expect(page.locator("#live")).to_have_text("Bruno joined.")
    expect(page.locator("#begin .go")).to_have_count(0)
    expect(page.locator("#invite .go")).to_be_visible()


@pytest.fixture
def friends(browse: Browse, sit: Sit, device: Device, other_device: Device) -> Friends:
    """The friends as if they had found each other as in `invited`."""
    game = device.waiting_game()
    other_device.sit(game)
    return Friends(game, sit(browse(), game), sit(browse(width=360, has_touch=True), game, who=other_device))


@pytest.fixture
def invited(browse: Browse) -> Friends:
    """The friends once they have found each other on the pages of the site."""
    ana, bruno = browse(), browse(width=360, has_touch=True)
    join_game(bruno, make_game(ana), "Bruno")
    return Friends(Game.objects.get(), ana, bruno)


@pytest.fixture
def spectator(browse: Browse) -> Page:
    """The page of a spectator, without scripts."""
    return browse(javascript=False)


def start_game(friends: Friends) -> None:
    friends.ana.get_by_role("button", name="Start").click()
    expect(friends.ana.locator("#status")).to_have_text("Your turn, Ana")


# ── from the invite to the first throw ──


def test_a_player_who_joins_appears_on_the_waiting_pages(invited: Friends, spectator: Page) -> None:
    expect(invited.ana.locator("#live")).to_have_text("Bruno joined.")
    expect(invited.ana.locator("#seats input[name=name]").nth(1)).to_have_value("Bruno")
    spectator.goto(invited.ana.url)
    expect(spectator.locator("#seats")).to_contain_text("Bruno")
    assert spectator.locator("main form").count() == 0


def test_the_table_shows_the_players_and_a_tap_on_your_own_seat_renames_it(friends: Friends) -> None:
    for page in (friends.ana, friends.bruno):
        expect(page.locator("#table .ring b")).to_have_text(["Ana", "Bruno"])
        expect(page.locator("#table")).to_contain_text("2 of 2 ready")
    expect(friends.ana.locator("#start")).to_contain_text("2 of 2 ready")
    own = friends.bruno.locator("#table .ring").get_by_role("button")
    expect(own).to_have_text(re.compile("Bruno"))
    own.click()
    name = friends.bruno.locator("#table").get_by_label("Name of Bruno")
    expect(name).to_be_visible()
    name.fill("Bea")
    press_and_wait(friends.bruno, friends.bruno.locator("#table").get_by_role("button", name="Rename").click)
    expect(friends.ana.locator("#table .ring b")).to_have_text(["Ana", "Bea"])


@pytest.mark.parametrize("seats", [1, 2, 6, 7, 12])
def test_the_seats_round_the_felt_do_not_overlap_and_stay_on_it(
    browse: Browse, sit: Sit, device: Device, seats: int
) -> None:
    page = sit(browse(320), device.waiting_game(*(f"Maximiliane {n}" for n in range(seats))))
    for _width in iterate_widths(page, 320, 1280):
        check_seats_apart(page)


def check_seats_apart(page: Page) -> None:
    """Check that the seats and the words in the middle overlap nowhere, and that the words are centred."""
    felt = require(page.locator("#table").bounding_box())
    boxes = [require(part.bounding_box()) for part in page.locator("#table .ring .sitter, #table .middle").all()]
    for box in boxes:
        assert felt["x"] <= box["x"] and box["x"] + box["width"] <= felt["x"] + felt["width"]
        assert felt["y"] <= box["y"] and box["y"] + box["height"] <= felt["y"] + felt["height"]
    apart = [
        one["x"] + one["width"] <= two["x"]
        or two["x"] + two["width"] <= one["x"]
        or one["y"] + one["height"] <= two["y"]
        or two["y"] + two["height"] <= one["y"]
        for n, one in enumerate(boxes)
        for two in boxes[:n]
    ]
    assert all(apart)
    centres = page.evaluate(
        """[...document.querySelectorAll('#table .middle > *')].map(each => {
            const line = document.createRange()
            line.selectNodeContents(each)
            const {left, width} = line.getBoundingClientRect()
            return left + width / 2
        })"""
    )
    assert all(abs(felt["x"] + felt["width"] / 2 - centre) < 2 for centre in centres), centres


def test_the_rules_can_be_changed_until_the_start_and_everybody_sees_it(friends: Friends) -> None:
    open_settings(friends.ana).get_by_label("Rules").select_option("Greed")
    press_and_wait(friends.ana, friends.ana.locator("#ruleset + button").click)
    expect(friends.ana.locator("#live")).to_have_text("Now you play Greed.")
    expect(friends.bruno.locator("#table h2")).to_have_text("Greed")
    start_game(friends)
    assert reload_game(friends.game).rules.slug == "greed"


def test_the_start_brings_everybody_to_the_dice(friends: Friends, spectator: Page) -> None:
    spectator.goto(friends.ana.url)
    start_game(friends)
    expect(friends.bruno.locator("#status")).to_have_text("Ana’s turn")
    spectator.get_by_role("link", name="Look again").click()
    expect(spectator.locator("#status")).to_have_text("Ana’s turn")
    expect(friends.bruno.get_by_role("link", name="Look again")).to_be_hidden()


@pytest.mark.smoke
def test_a_throw_is_seen_on_all_devices(invited: Friends, spectator: Page, falls: Callable[..., None]) -> None:
    spectator.goto(invited.ana.url)
    start_game(invited)
    falls("115236")
    press_and_wait(invited.ana, invited.ana.locator("#throw").click)
    seen = invited.ana.locator("#turnlog .throws .vh").first.inner_text().split(",")[0]
    expect(invited.bruno.locator("#turnlog .throws .vh").first).to_contain_text(seen)
    assert invited.bruno.locator("#tray").get_by_role("button").count() == 0
    spectator.reload()
    expect(spectator.locator("#turnlog .throws .vh").first).to_contain_text(seen)
    assert spectator.locator("button#throw, button#bank, #undo:visible").count() == 0


def test_text_being_typed_stays_when_somebody_joins(browse: Browse) -> None:
    ana, bruno = browse(), browse()
    invite = make_game(ana)
    word = open_settings(ana).get_by_label("Your word")
    word.press_sequentially("half a w")
    join_game(bruno, invite, "Bruno")
    expect(ana.locator("#seats input[name=name]").nth(1)).to_have_value("Bruno")
    expect(word).to_have_value("half a w")
    expect(word).to_be_focused()


def test_seats_are_ordered_by_keyboard_and_the_focus_moves_along(friends: Friends) -> None:
    ana = open_settings(friends.ana)
    up = ana.get_by_role("button", name="Move Bruno up")
    up.focus()
    press_and_wait(ana, lambda: up.press("Enter"))
    expect(ana.locator("#seats input[name=name]").first).to_have_value("Bruno")
    expect(up).to_be_focused()


def test_a_phone_can_take_two_seats_of_a_game(friends: Friends) -> None:
    bruno = friends.bruno
    invite = friends.ana.locator("#invite .link").get_attribute("href")
    bruno.goto(str(invite))
    bruno.get_by_label("Add a player on this device").fill("Chloé")
    bruno.get_by_role("button", name="Join the game", exact=True).click()
    expect(bruno.locator("#seats input[name=name]")).to_have_count(2)
    expect(open_settings(bruno).get_by_label("The word of Chloé")).to_be_visible()


def test_a_word_is_saved_and_announced(friends: Friends) -> None:
    open_settings(friends.bruno).get_by_label("Your word").fill("Otter")
    press_and_wait(friends.bruno, friends.bruno.locator("#words button").click)
    expect(friends.bruno.locator("#live")).to_have_text("Your word is in the dice.")
    assert friends.game.players.get(name="Bruno").word == "Otter"


def test_an_impossible_start_explains_itself(browse: Browse) -> None:
    ana = browse()
    make_game(ana)
    open_settings(ana).get_by_label("Add a player").fill("Chloé")
    press_and_wait(ana, ana.get_by_role("button", name="Save a seat for a friend").click)
    expect(ana.get_by_label("Add a player")).to_have_value("")
    ana.get_by_role("button", name="Start").click(force=True)
    expect(ana.locator("#live")).to_have_text("Nobody has taken Chloé’s seat yet. Wait, or remove it.")
    assert Game.objects.get().status == Game.Status.WAITING


def test_a_game_between_friends_works_without_scripts(browse: Browse, falls: Callable[..., None]) -> None:
    falls("115236")
    ana, bruno = browse(javascript=False), browse(width=360, javascript=False)
    join_game(bruno, make_game(ana), "Bruno")
    ana.reload()
    open_settings(ana).get_by_role("button", name="Move Bruno up").click()
    expect(ana.locator("#seats input[name=name]").first).to_have_value("Bruno")
    ana.get_by_role("button", name="+ Add computer").click()
    expect(ana.locator("#seats li")).to_have_count(3)
    ana.get_by_role("button", name="Start").click()
    expect(ana.locator("#status")).to_have_text("Bruno’s turn")
    bruno.reload()
    expect(bruno.locator("#status")).to_have_text("Your turn, Bruno")
    bruno.get_by_role("button", name=re.compile("Throw 6 dice")).click()
    expect(bruno.locator("#turnlog .throws li")).to_have_count(1)
    ana.reload()
    expect(ana.locator("#turnlog .throws li")).to_have_count(1)


# ── in the game ──


@pytest.fixture
def two(browse: Browse, sit: Sit, device: Device, other_device: Device) -> Callable[..., tuple[Game, Page, Page]]:
    """Return a function that returns a game after these events, with Ana's and Bruno's pages of it."""

    def lay_out(*events: dict[str, object], **more: object) -> tuple[Game, Page, Page]:
        game = share_game(device, other_device, *events, **more)
        return game, sit(browse(), game), sit(browse(width=360, has_touch=True), game, who=other_device)

    return lay_out


@pytest.mark.smoke
def test_a_turn_is_undone_when_the_other_player_allows_it(two: Callable[..., tuple[Game, Page, Page]]) -> None:
    _game, ana, bruno = two(bank(0, 1000, IN))
    ana.get_by_role("button", name="Ask to undo").click()
    expect(ana.locator("#banner")).to_contain_text("Waiting for the others…")
    expect(bruno.locator("#banner")).to_contain_text("Ana wants to undo the turn that banked 1,000.")
    press_and_wait(bruno, bruno.get_by_role("button", name="Allow").click)
    expect(ana.locator("#status")).to_have_text("Your turn, Ana")
    expect(ana.locator("#banner")).to_be_empty()


def test_the_two_answers_to_an_undo_are_side_by_side_under_the_question(
    browse: Browse, sit: Sit, device: Device, other_device: Device
) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN))
    device.do(game, "undo")
    bruno, parts = sit(browse(320), game, who=other_device), ("#banner span", "#allow", "#refuse")
    for width in iterate_widths(bruno, 320, 360, 1280):
        question, allow, refuse = (require(bruno.locator(at).bounding_box()) for at in parts)
        assert allow["y"] == refuse["y"] >= question["y"] + question["height"], width
        assert allow["width"] == refuse["width"] and min(allow["height"], refuse["height"]) >= 44, width
        assert allow["x"] + allow["width"] < refuse["x"], width


def test_a_player_who_asked_is_told_of_the_refusal(two: Callable[..., tuple[Game, Page, Page]]) -> None:
    game, ana, bruno = two(bank(0, 1000, IN))
    ana.get_by_role("button", name="Ask to undo").click()
    bruno.get_by_role("button", name="Decline").click()
    expect(ana.locator("#banner")).to_contain_text("Bruno said no to the undo.")
    assert load_state(reload_game(game)).players[0].score == 1000


def test_the_host_can_continue_without_an_absent_player(two: Callable[..., tuple[Game, Page, Page]]) -> None:
    game, ana, bruno = two(bank(0, 1000, IN))
    let_time_pass(game, dice_changed=timedelta(minutes=4))
    ana.reload()
    press_and_wait(ana, ana.get_by_role("button", name="Let the computer play for Bruno").click)
    expect(bruno.locator("#people")).to_contain_text("Take over from the computer")


@pytest.mark.smoke
def test_a_seat_continues_on_another_device(two: Callable[..., tuple[Game, Page, Page]], browse: Browse) -> None:
    _game, _ana, bruno = two(bank(0, 1000, IN))
    bruno.get_by_role("button", name="Move to another device").click()
    link = bruno.locator("#people, .sitting").locator(".link").inner_text()
    tablet = browse(width=800)
    tablet.goto("/" + link.partition("/")[2])
    expect(tablet.locator("h1")).to_have_text("Continue here as Bruno")
    tablet.get_by_role("button", name="Continue here").click()
    expect(tablet.locator("#status")).to_have_text("Your turn, Bruno")
    bruno.get_by_role("link", name="Back to the game").click()
    bruno.wait_for_url("**/g/*")
    expect(bruno.locator("#status")).to_have_text("Bruno’s turn")
    expect(bruno.locator("#throw")).to_have_count(0)


def test_a_device_that_was_left_stops_offering_the_dice(
    two: Callable[..., tuple[Game, Page, Page]], browse: Browse, other_device: Device
) -> None:
    game, _ana, bruno = two(bank(0, 1000, IN))
    expect(bruno.locator("#throw")).to_be_visible()
    answer = other_device.client.post(f"{game.get_absolute_url()}/transfer", {"key": "k" * 22})
    link = re.search(r"/c/[\w-]{22}", answer.content.decode())
    assert link
    tablet = browse()
    tablet.goto(link[0])
    tablet.get_by_role("button", name="Continue here").click()
    expect(bruno.locator("#status")).to_have_text("Bruno’s turn")
    expect(bruno.locator("#throw")).to_have_count(0)


def test_the_rematch_is_one_tap_away_for_everybody(
    two: Callable[..., tuple[Game, Page, Page]],
) -> None:
    game, ana, bruno = two(bank(0, 1000, IN), bust(1, throw("223446")), target=1000)
    wait_until_ready(ana)
    ana.get_by_role("button", name="Rematch").click()
    expect(ana.locator("#status")).to_have_text("Bruno’s turn")
    expect(bruno.locator("#banner")).to_contain_text("Ana has started a rematch.")
    bruno.get_by_role("link", name="Join the rematch").click()
    expect(bruno.locator("#status")).to_have_text("Your turn, Bruno")
    assert Game.objects.get(follows=game).players.count() == 2


# ── for everybody ──


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_option_that_lets_phones_in_is_not_broken(browse: Browse, sit: Sit, device: Device, width: int) -> None:
    page = sit(browse(width), device.waiting_game("Ana"))
    assert page.get_by_text("--lan", exact=True).evaluate("code => code.getClientRects().length") == 1


def test_the_pages_between_friends_are_accessible(browse: Browse, sit: Sit, device: Device) -> None:
    game = device.waiting_game("Ana", "Dana")
    host, guest = sit(browse(), game), browse()
    device.do(game, "seats", do="free", name="Chloé", waiting="1")
    host.reload()
    check_accessible_at_widths(host, (320, 1280))
    check_accessible_at_widths(open_settings(host), (320, 1280))
    guest.goto(f"/j/{game.invite.token}")
    check_accessible_at_widths(guest, (320, 1280))
    guest.get_by_label("Your name").fill("Ana")
    guest.get_by_role("button", name="Join the game", exact=True).click()
    expect(guest.get_by_role("alert")).to_contain_text("That name is taken")
    check_accessible_at_widths(guest, (320, 1280))
    guest.get_by_label("Your name").fill("Bruno")
    guest.get_by_role("button", name="Join the game", exact=True).click()
    expect(guest.locator("#status")).to_have_text("You’re in!")
    check_accessible_at_widths(guest, (320, 1280))
    host.get_by_role("button", name="Move to another device").click()
    expect(host.locator(".sitting .link")).to_be_visible()
    check_accessible_at_widths(host, (320, 1280))
    link = host.locator(".sitting .link").inner_text()
    guest.goto("/" + link.partition("/")[2])
    check_accessible_at_widths(guest, (320, 1280))


def test_questions_at_the_table_are_accessible(
    two: Callable[..., tuple[Game, Page, Page]], browse: Browse, sit: Sit, device: Device
) -> None:
    game, _ana, bruno = two(bank(0, 1000, IN))
    bruno.get_by_role("button", name="Ask to undo").click()
    let_time_pass(game, dice_changed=timedelta(minutes=4))
    page = sit(browse(), game)
    expect(page.locator("#allow")).to_be_visible()
    expect(page.locator("#skip-turn")).to_be_visible()
    check_accessible_at_widths(page, (320, 1280))


def test_the_option_that_lets_phones_in_is_kept_on_one_line(browse: Browse, sit: Sit, device: Device) -> None:
    page = browse(320)
    for game in (device.waiting_game(), device.game()):
        sit(page, game)
        option = page.locator("#invite code, #people code")
        expect(option).to_have_text("--lan")
        for width in iterate_widths(page, 320, 360, 1280):
            assert option.evaluate("code => code.getClientRects().length") == 1, width
