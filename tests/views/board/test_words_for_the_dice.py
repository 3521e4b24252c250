"""Players can add words to the dice even where a game would begin at once: the seal comes first, then the words."""

from __future__ import annotations

import re

import pytest

from game import dice
from game.models import Game
from tests.cast import ANA, BRUNO, IN, Device, Response, bank, bust, make_key, reload_game, throw
from tests.words import read_text


def find_new_game(answer: Response) -> Game:
    """Return the game that a press made, once it is clear that the answer leads to where the words are typed."""
    assert answer.status_code == 303 and answer["Location"].endswith("?words#words")
    return Game.objects.latest("pk")


def add_words(device: Device, game: Game, *words: str) -> None:
    """Add one word for each person's seat, as the page asks for them."""
    html = device.page(game, "?words")
    assert game.seeds.get().seal in html and '<details id="settings" class="panel" open>' in html
    seats = re.findall(r'id="word-(\d+)"', html)
    for seat, word in zip(seats, words, strict=True):
        assert device.do(game, "word", player=seat, word=word).status_code == 303


def test_the_home_page_can_ask_for_a_word_before_the_first_throw(device: Device) -> None:
    home = device.client.get("/").content.decode()
    assert "Add a word to the dice first" in home
    game = find_new_game(device.client.post("/quick", {"key": make_key(), "do": "words"}))
    assert game.status == Game.Status.WAITING and not game.throws.exists()
    add_words(device, game, "abracadabra")
    device.do(game, "start")
    device.do(game, "throw")
    seed = reload_game(game).seeds.get()
    assert seed.table == dice.hash_words(["abracadabra", ""])
    fallen = game.throws.get()
    assert fallen.faces == dice.draw_dice(bytes(seed.seed), game.code, 1, seed.table, 1, 6)


def test_people_at_one_phone_each_add_a_word(device: Device) -> None:
    assert "Add words to the dice before the first throw" in device.client.get("/new?for=phone").content.decode()
    form = {"key": make_key(), "name": [ANA, BRUNO], "player": ["", ""], "ruleset": "farkle", "words": "1"}
    game = find_new_game(device.client.post("/new", form))
    assert not game.throws.exists()  # under these rules dice decide who begins
    add_words(device, game, "alice", "Büro")
    device.do(game, "start")
    assert reload_game(game).seeds.get().table == dice.hash_words(["alice", "Büro"])
    assert game.throws.exists()


REAL = "Real dice are thrown in this game, so there is nothing to seal or check"


def test_before_a_game_with_real_dice_nobody_is_asked_for_words(device: Device) -> None:
    game = device.waiting_game(ANA, BRUNO, mode="manual")
    page = read_text(device.page(game, "?words"))
    assert REAL in page and "The dice are sealed" not in page and "Add words" not in page
    assert game.seeds.get().seal not in page and f'id="word-{game.seats[0].pk}"' not in device.page(game, "?words")


@pytest.mark.parametrize(("names", "ruleset"), [((ANA, "*HAL"), "classic"), ((ANA, BRUNO), "farkle")])
def test_dice_that_fall_on_screen_beside_real_ones_get_words(
    device: Device, names: tuple[str, ...], ruleset: str
) -> None:
    """Those of computers, and those that decide who begins."""
    game = device.waiting_game(*names, ruleset=ruleset, mode="manual")
    page = read_text(device.page(game, "?words"))
    assert "The dice are sealed" in page and game.seeds.get().seal in page and REAL not in page


@pytest.mark.parametrize(("opponent", "waits"), [(BRUNO, False), ("*HAL", True)])
def test_a_new_game_with_real_dice_waits_for_words_only_if_a_computer_throws(
    device: Device, opponent: str, waits: bool
) -> None:
    form = {"key": make_key(), "name": [ANA, opponent], "ruleset": "classic", "mode": "manual", "words": "1"}
    answer = device.client.post("/new", form)
    assert answer["Location"].endswith("?words#words") == waits
    assert (Game.objects.get().status == Game.Status.WAITING) == waits


def test_no_words_are_offered_for_a_rematch_with_real_dice(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), target=1000)
    device.do(game, "mode", mode="manual")
    device.do(game, "points", points="0", bust="1")
    page = device.page(game)
    assert 'name="do" value="words"' not in page and "Rematch" in page


def test_a_game_that_waits_for_nobody_says_so(device: Device) -> None:
    game = find_new_game(device.client.post("/quick", {"key": make_key(), "do": "words"}))
    html = device.page(game)
    assert "Ready to start" in html and "Waiting for your friends" not in html


@pytest.mark.parametrize("opponent", [BRUNO, "*HAL"])
def test_words_are_added_to_a_rematch(device: Device, opponent: str) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223346")), players=(ANA, opponent), target=1000)
    assert "Add words to the dice first" in device.page(game)
    following = find_new_game(
        device.client.post(f"{game.get_absolute_url()}/rematch", {"key": make_key(), "do": "words"})
    )
    words = ["alice"] if opponent == "*HAL" else ["Büro", "alice"]
    add_words(device, following, *words)
    device.do(following, "start")
    seats = ["", "alice"] if opponent == "*HAL" else words
    assert reload_game(following).seeds.get().table == dice.hash_words(seats)


def test_a_second_press_on_rematch_leads_to_the_same_table(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bust(1, throw("223346")), target=1000)
    other_device.takes(game, 1)
    rematch = f"{game.get_absolute_url()}/rematch"
    following = find_new_game(device.client.post(rematch, {"key": make_key(), "do": "words"}))
    answer = other_device.client.post(rematch, {"key": make_key()})
    assert answer["Location"] == following.get_absolute_url()
    assert "Your word" in other_device.page(following)
