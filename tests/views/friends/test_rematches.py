"""A finished game on several devices: its rematch, who sits there, and what the old game's page still says."""

import re
from datetime import timedelta

import pytest

from game.models import Game
from game.rules import preset
from tests.cast import ANA, BRUNO, IN, Device, bank, bust, let_time_pass, make_key, reload_game, share_game, throw
from tests.require import require
from tests.words import read_text


@pytest.fixture
def finished(device: Device, other_device: Device) -> Game:
    return share_game(device, other_device, bank(0, 1000, IN), bust(1, throw("223446")), target=1000)


@pytest.fixture
def private_rematch(finished: Game, device: Device) -> Game:
    device.do(finished, "rematch")
    following = Game.objects.get(follows=finished)
    device.do(following, "watching", allowed="0")
    return following


def test_the_others_are_led_to_the_rematch_and_have_their_seats(
    finished: Game, device: Device, other_device: Device
) -> None:
    device.do(finished, "rematch")
    following = Game.objects.get(follows=finished)
    assert following.get_absolute_url() in other_device.page(finished)
    assert "Your turn, Bruno" in other_device.page(following)
    assert following.get_absolute_url() in Device().page(finished)


def test_a_rematch_is_announced_by_sentence_and_sound_to_all_but_its_maker(
    finished: Game, device: Device, other_device: Device
) -> None:
    before = find_cue(other_device.page(finished))
    device.do(finished, "rematch")
    link = Game.objects.get(follows=finished).get_absolute_url()
    for page, button in (
        (other_device.page(finished), "Join the rematch"),
        (Device().page(finished), "Watch the rematch"),
    ):
        assert "Ana has started a rematch." in page and f"{button} already set up" in read_text(page)
        assert page.count(f'href="{link}"') == 1
        assert find_cue(page) != before and find_cue(page).startswith("turn ")
    own = device.page(finished)
    assert "has started a rematch" not in own and "Go to the rematch" in own


def find_cue(page: str) -> str:
    return require(re.search(r'data-cue="([^"]*)"', page))[1]


def list_names(game: Game) -> list[str]:
    return [seat.name for seat in game.players.all()]


def test_a_seat_that_nobody_holds_is_left_out_of_the_rematch(device: Device, other_device: Device) -> None:
    players = (ANA, BRUNO, "Chloé")
    game = share_game(device, other_device, bank(0, 1000, IN), target=1000, players=players)
    Game.objects.update(status=Game.Status.ABANDONED)
    other_device.do(game, "delete", do="delete")
    device.do(game, "rematch")
    assert list_names(Game.objects.get(follows=game)) == ["Chloé", ANA]


def test_if_nobody_else_is_left_the_rematch_waits_for_somebody(
    finished: Game, device: Device, other_device: Device
) -> None:
    other_device.do(finished, "delete", do="delete")
    device.do(finished, "rematch")
    following = Game.objects.get(follows=finished)
    assert following.status == Game.Status.WAITING and list_names(following) == [BRUNO, ANA]
    assert "Nobody has taken Bruno’s seat yet." in device.page(following)
    friend = Device()
    assert friend.sit(following, "", player=following.players.get(seat=0).pk).status_code == 303
    device.do(following, "start", waiting="1")
    assert "Your turn, Bruno" in friend.page(following)


def test_a_player_who_stepped_out_is_back_before_a_rematch_waits(device: Device, other_device: Device) -> None:
    players = (ANA, BRUNO, "Chloé")
    game = share_game(device, other_device, bank(0, 1000, IN), players=players)
    device.do(game, "seats", do="out", seat="2")
    Game.objects.update(status=Game.Status.ABANDONED)
    other_device.do(game, "delete", do="delete")
    device.do(game, "rematch")
    following = Game.objects.get(follows=game)
    assert following.status == Game.Status.RUNNING and list_names(following) == ["Chloé", ANA]


@pytest.mark.parametrize("maker", ["Ana", "Bruno"])
def test_a_repeated_press_leads_to_the_rematch_whoever_made_it(
    finished: Game, device: Device, other_device: Device, maker: str
) -> None:
    if maker == "Bruno":
        other_device.do(finished, "rematch", do="words")
    press = make_key()
    answers = [device.client.post("/again", {"key": press}) for _ in range(2)]
    address = Game.objects.get(follows=finished).get_absolute_url()
    assert [answer.headers["Location"] for answer in answers] == [address, address]


def test_a_repeated_press_for_words_opens_the_same_rematch_at_its_words(finished: Game, device: Device) -> None:
    press = make_key()
    answers = [device.do(finished, "rematch", do="words", key=press, version=1) for _ in range(2)]
    assert len({answer.headers["Location"] for answer in answers}) == 1


def test_a_repeated_press_leads_back_if_the_rematch_is_gone(finished: Game, device: Device) -> None:
    press = make_key()
    device.do(finished, "rematch", key=press)
    Game.objects.filter(follows=finished).delete()
    assert device.do(finished, "rematch", key=press).headers["Location"] == finished.get_absolute_url()


def test_a_finished_game_offers_no_stepping_out_and_no_new_host(finished: Game, device: Device) -> None:
    page = device.page(finished)
    assert "Sit out" not in page and "seat-0" in page and f'{finished.get_absolute_url()}/host"' not in page


def test_the_rematch_reaches_the_open_page_of_the_old_game(
    finished: Game, device: Device, other_device: Device
) -> None:
    shown = reload_game(finished).version
    device.do(finished, "rematch")
    news = other_device.client.get(f"{finished.get_absolute_url()}/board?version={shown}")
    assert "Join the rematch" in news.content.decode()


@pytest.mark.parametrize(
    ("watching", "view", "follows"), [(True, "&big", True), (True, "", False), (False, "&big", False)]
)
def test_only_the_big_screen_goes_to_a_rematch_by_itself_and_only_if_it_may_watch(
    finished: Game, device: Device, watching: bool, view: str, follows: bool
) -> None:
    shown = reload_game(finished).version
    device.do(finished, "rematch")
    Game.objects.filter(follows=finished).update(watching=watching)
    news = Device().client.get(
        f"{finished.get_absolute_url()}/board?version={shown}{view}", headers={"HX-Request": "true"}
    )
    assert ("HX-Redirect" in news.headers) == follows
    assert ("Watch the rematch" in news.content.decode()) == (watching and not follows)


def test_a_private_rematch_is_linked_only_for_those_who_sit_in_it(
    finished: Game, private_rematch: Game, device: Device, other_device: Device
) -> None:
    link = private_rematch.get_absolute_url()
    assert link in device.page(finished) and link in other_device.page(finished)
    assert link not in Device().page(finished) and "has started a rematch" not in Device().page(finished)
    other_device.do(private_rematch, "delete", do="leave")
    left = other_device.page(finished)
    assert link not in left and f"{finished.get_absolute_url()}/rematch" not in left


def test_no_button_leads_to_a_private_rematch_without_a_seat_in_it(
    finished: Game, private_rematch: Game, other_device: Device
) -> None:
    other_device.do(private_rematch, "delete", do="leave")
    pressed = other_device.do(finished, "rematch")
    assert pressed.status_code == 404 and "Ana wins" in read_text(pressed.content.decode())
    assert other_device.client.post("/again", {"key": make_key()}).headers["Location"] == "/new"


def test_a_repeated_press_does_not_lead_to_a_rematch_that_is_private_since(
    finished: Game, device: Device, other_device: Device
) -> None:
    press = make_key()
    other_device.do(finished, "rematch", key=press)
    following = Game.objects.get(follows=finished)
    other_device.do(following, "watching", allowed="0")
    other_device.do(following, "delete", do="leave")
    assert other_device.do(finished, "rematch", key=press).headers["Location"] == finished.get_absolute_url()


def test_a_rematch_that_nobody_started_in_a_week_makes_room_for_another(
    finished: Game, device: Device, other_device: Device
) -> None:
    device.do(finished, "rematch", do="table")
    lapsed = Game.objects.get(follows=finished)
    let_time_pass(lapsed, seen=Game.WAITING_LASTS + timedelta(minutes=1))
    page = other_device.page(finished)
    assert f"{finished.get_absolute_url()}/rematch" in page and lapsed.get_absolute_url() not in page
    other_device.do(finished, "rematch")
    following = Game.objects.get(follows=finished)
    assert following != lapsed and following.get_absolute_url() in device.page(finished)


def test_a_game_whose_end_is_undone_has_no_rematch_any_more(
    finished: Game, device: Device, other_device: Device
) -> None:
    device.do(finished, "rematch")
    device.do(finished, "undo")
    other_device.answer(finished, "allow")
    assert reload_game(finished).status == Game.Status.RUNNING
    assert not Game.objects.filter(follows=finished).exists()


def test_the_rematch_of_a_private_game_is_private(finished: Game, device: Device, other_device: Device) -> None:
    device.do(finished, "watching", allowed="0")
    device.do(finished, "rematch")
    following = Game.objects.get(follows=finished)
    assert "Only players can see this game." in read_text(other_device.page(following))
    assert Device().client.get(following.get_absolute_url()).status_code == 404


def test_spectators_no_longer_hear_of_a_rematch_once_it_is_private(finished: Game, device: Device) -> None:
    news = f"{finished.get_absolute_url()}/board?version={reload_game(finished).version}"
    device.do(finished, "rematch")
    following = Game.objects.get(follows=finished)
    for allowed in ("1", "0"):
        device.do(following, "watching", allowed=allowed)
        answer = Device().client.get(news).content.decode()
        assert (following.get_absolute_url() in answer) == (allowed == "1")
        assert ("Ana has started a rematch." in answer) == (allowed == "1")


OWN = preset("classic").to_json() | {"slug": "ours", "name": "Ours"}


@pytest.mark.parametrize(
    ("ruleset", "order"), [("greed", ["Ana", "Bruno"]), ("classic", ["Bruno", "Ana"]), (OWN, ["Bruno", "Ana"])]
)
def test_the_same_player_begins_a_rematch_only_where_the_rules_say_so(
    device: Device, ruleset: str | dict[str, object], order: list[str]
) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223446")), target=1000, ruleset=ruleset)
    device.do(game, "rematch")
    following = Game.objects.get(follows=game)
    assert [player.name for player in following.players.order_by("seat")] == order
