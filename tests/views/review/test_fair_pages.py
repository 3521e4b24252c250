"""The page on fair dice, and the page that checks the dice of one game."""

import re
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.dice import hash_words
from game.history.fair import FallenThrow
from game.models import Game, RulesetRow, Tally
from game.rules import Entry
from game.services import create_game
from game.services.dice import fix_words
from tests.cast import ANA, BRUNO, IN, Device, bank, make_key, open_turn, reload_game, throw
from tests.require import require
from tests.words import read_text

SIX_TWOS = open_turn(0, throw("222222"))
OUTSIDE = ">outside<"
ALL = ["1", "2", "3", "4", "5", "6"]


def start_game(device: Device, *names: str, slug: str = "classic") -> Game:
    seats = [Entry(name) for name in names or (ANA, BRUNO)]
    return create_game(device.browser, make_key(), RulesetRow.objects.get(slug=slug, latest=True), seats, target=1000)


def play_game(device: Device, slug: str = "classic") -> Game:
    """Return a finished game between two computers, with the site's own dice."""
    game = start_game(device, "*HAL", "*Ada", slug=slug)
    for _press in range(40):
        if reload_game(game).status == "finished":
            break
        device.do(game, "advance")
    return reload_game(game)


def read_seed(game: Game, epoch: int = 1) -> str:
    return bytes(game.seeds.get(epoch=epoch).seed).hex()


def open_page(device: Device, game: Game) -> str:
    answer = device.client.get(f"{game.get_absolute_url()}/fair")
    assert answer.status_code == 200
    return answer.content.decode()


def list_rows(html: str) -> list[str]:
    texts = re.findall(r"<tr[ >].*?</tr>", html.partition('id="throws"')[2], re.S)[1:]
    return [read_text(row).strip() for row in texts]


# ── one game ──


def test_a_running_game_shows_its_seal_and_not_its_seed(device: Device) -> None:
    game = start_game(device)
    device.do(game, "throw")
    html = open_page(device, game)
    assert game.seeds.get().seal in html and read_seed(game) not in html
    assert "1 throw so far." in html and 'id="throws"' not in html


def test_before_the_end_the_page_says_who_added_a_word_but_not_which(device: Device) -> None:
    game = start_game(device)
    game.players.filter(seat=0).update(word="sunflower")
    html = open_page(device, game)
    assert "sunflower" not in html
    assert "added a word" in html and "no word" in html
    game.players.update(word="")
    assert "Nobody added a word." in open_page(device, game)


def test_a_finished_game_shows_seed_words_table_and_every_throw(device: Device) -> None:
    game = play_game(device)
    html = open_page(device, game)
    assert read_seed(game) in html and game.seeds.get().table in html
    assert len(list_rows(html)) == game.throws.count()
    assert list_rows(html)[0] == f"1 {' '.join(require(game.throws.first()).dice)} *HAL 1"


def test_the_words_are_shown_after_the_end(device: Device) -> None:
    game = play_game(device)
    game.players.filter(seat=0).update(word="<b>sunflower</b>")
    assert 'data-word="&lt;b&gt;sunflower&lt;/b&gt;"' in open_page(device, game)


def test_an_abandoned_game_shows_its_seed_as_well(device: Device) -> None:
    game = start_game(device)
    Game.objects.update(status="abandoned")
    assert read_seed(game) in open_page(device, game)
    assert device.client.get(f"{game.get_absolute_url()}/check.py").status_code == 200


def test_an_undone_end_leaves_the_old_seed_open_and_the_new_one_sealed(device: Device) -> None:
    game = device.game(SIX_TWOS, ruleset="boxcars")
    device.do(game, "bank", keep=ALL)
    device.do(game, "undo")
    device.do(game, "throw")
    html = open_page(device, game)
    assert read_seed(game, 1) in html and read_seed(game, 2) not in html
    assert list_rows(html)[-1].endswith(f"still sealed {ANA} 1")


def test_undone_throws_are_listed_with_their_numbers(device: Device) -> None:
    game = start_game(device)
    for what in ("throw", "undo", "throw"):
        device.do(game, what)
    Game.objects.update(status="abandoned")
    throwers = [(row.split()[0], *row.split()[-2:]) for row in list_rows(open_page(device, game))]
    assert throwers == [("1", ANA, "1"), ("2", ANA, "1")]
    assert "undone" in list_rows(open_page(device, game))[0]


def test_throws_for_the_first_player_are_listed(device: Device) -> None:
    game = play_game(device, "farkle")
    assert "to see who goes first" in list_rows(open_page(device, game))[0]


def test_loaded_dice_are_marked_as_not_thrown_here(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), SIX_TWOS | {"player": 1}, ruleset="boxcars")
    device.do(game, "bank", keep=ALL)
    assert list_rows(open_page(device, game))[0].endswith(f"not thrown here {ANA} –")


def test_a_game_of_real_dice_only_has_nothing_to_check(device: Device) -> None:
    """Its game file can be downloaded like that of any game."""
    game = device.game(SIX_TWOS, ruleset="boxcars")
    device.do(game, "bank", keep=ALL)
    html = open_page(device, game)
    assert "there is nothing to check" in html and "1 throw in all." in html
    assert "Download the check" not in html and "fair.js" not in html and "Download this game" in html
    assert "The seal proves" not in html


def test_a_running_game_with_real_dice_has_nothing_to_seal_until_it_is_switched(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN))
    assert "are fixed already" in open_page(device, game)
    device.do(game, "mode", mode="manual")
    html = open_page(device, game)
    assert "Real dice are thrown in this game, so there is nothing to seal or check" in html
    assert "fixed already" not in html and game.seeds.get().seal not in html
    assert "The seal proves" not in html and 'id="words"' not in html
    device.do(game, "mode", mode="auto")
    assert game.seeds.get().seal in open_page(device, game) and "Real dice" not in open_page(device, game)
    device.do(game, "throw")
    device.do(game, "bank")
    device.do(game, "mode", mode="manual")
    assert game.seeds.get().seal in open_page(device, game)  # for what fell on screen


def test_a_game_with_only_typed_points_counts_no_throws(device: Device) -> None:
    game = device.game()
    Game.objects.update(status="abandoned")
    assert "there is nothing to check" in open_page(device, game) and 'id="thrown"' not in open_page(device, game)


def test_after_the_end_the_number_of_throws_is_final(device: Device) -> None:
    game = start_game(device)
    device.do(game, "throw")
    assert "1 throw so far." in open_page(device, game)
    Game.objects.update(status="abandoned")
    assert "1 throw in all." in open_page(device, game) and "Download the check" in open_page(device, game)


def test_thousands_of_throws_are_counted_with_a_separator(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    game = start_game(device)
    fallen = [FallenThrow(n, n, "223344", False, 1, 0) for n in range(1, 1235)]
    monkeypatch.setattr("game.history.fair.list_fallen_throws", lambda _game, _seeds: fallen)
    assert "1,234 throws so far." in open_page(device, game)
    Game.objects.update(status="abandoned")
    html = open_page(device, game)
    assert "1,234 throws in all." in html and list_rows(html)[-1] == f"1,234 2 2 3 3 4 4 {ANA} 1,234"
    assert 'data-number="1234"' in html  # what the script of the page computes with


def test_a_long_game_costs_as_few_queries_as_a_short_one(device: Device) -> None:
    rounds = [bank(0, 1000, IN), bank(1, 1000, IN)] + [bank(n % 2, 50, throw("223456", "5")) for n in range(100)]
    costs = []
    for game in (device.game(*rounds[:2]), device.game(*rounds)):
        Game.objects.filter(pk=game.pk).update(status="abandoned")
        with CaptureQueriesContext(connection) as queries:
            open_page(device, game)
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 12


def test_before_the_end_there_is_no_check_to_download(device: Device) -> None:
    assert device.client.get(f"{start_game(device).get_absolute_url()}/check.py").status_code == 404


# ── the proof in the game file ──


def test_the_words_of_the_start_are_in_the_proof(device: Device) -> None:
    game = start_game(device, "*HAL", "*Ada")
    game.players.filter(seat=0).update(word="sunflower")
    fix_words(game)
    assert reload_game(game).seeds.get().table == hash_words(["sunflower", ""])
    for _press in range(40):
        device.do(game, "advance")
    assert device.client.get(f"{game.get_absolute_url()}.json").json()["proof"]["words"] == ["sunflower", ""]


# ── all games ──


def add_tally(
    throws: int, *, busts: int = 0, dice: int = 6, computer: bool = False, day: date = date(2026, 1, 2)
) -> None:
    faces = [throws * dice // 6] * 6
    expected = throws * 0.0231
    Tally.objects.create(
        day=day, computer=computer, dice=dice, throws=throws, busts=busts, faces=faces, expected=expected
    )


def open_site_page(query: str = "") -> str:
    return Client().get(f"/fair{query}").content.decode()


@pytest.mark.django_db
def test_below_ten_thousand_throws_the_page_draws_no_conclusion() -> None:
    add_tally(9_999)
    assert "Not enough throws yet to say anything. Come back after 10,000 throws." in open_site_page()
    assert "9,999" in open_site_page()


@pytest.mark.django_db
@pytest.mark.parametrize("throws", [0, 20_000])
def test_it_is_said_how_often_new_throws_are_counted(throws: int) -> None:
    add_tally(throws)
    assert "New throws are counted once an hour." in open_site_page()


@pytest.mark.django_db
def test_people_and_computers_stand_side_by_side() -> None:
    add_tally(20_000, busts=470)
    add_tally(10_000, busts=231, computer=True)
    html = read_text(open_site_page().partition('id="live"')[2])
    assert "People 20,000 throws" in html and "Computers 10,000 throws" in html
    assert "6 2.35% 1.96% – 2.66% of 20,000 2.31% 1.82% – 2.80% of 10,000" in html
    assert OUTSIDE not in html


@pytest.mark.django_db
def test_a_figure_that_fair_dice_would_hardly_show_is_marked() -> None:
    add_tally(100_000, busts=3000)
    assert OUTSIDE in open_site_page()


@pytest.mark.django_db
def test_only_the_last_million_throws_count() -> None:
    add_tally(400_000, busts=99_999, day=date(2026, 1, 1))
    add_tally(600_000, busts=13_860, day=date(2026, 1, 2))
    add_tally(500_000, busts=11_550, day=date(2026, 1, 3))
    assert "The last 1,100,000 throws, since 2 January 2026." in open_site_page()
    assert OUTSIDE not in open_site_page()


@pytest.mark.django_db
def test_the_page_reads_the_tallies_and_nothing_else() -> None:
    add_tally(20_000)
    with CaptureQueriesContext(connection) as queries:
        open_site_page()
    assert len(queries) <= 3
    assert not any("game_throw" in query["sql"] for query in queries)


def test_the_example_on_the_page_has_the_published_numbers(db: None) -> None:
    html = open_site_page()
    assert "c384d16f07bae79d73b003a5b53d1fc50bb99e63f00fb1377a3de58f0403fd5c" in html
    assert "4 1 6 1 2 3" in html


@pytest.mark.parametrize("typed", ["{code}", "https://example.org/g/{code}?log=all", " /g/{code}.json "])
def test_a_link_or_a_code_leads_to_the_check_of_its_game(device: Device, typed: str) -> None:
    game = start_game(device)
    answer = device.client.get("/fair", {"game": typed.format(code=game.code)})
    assert answer["Location"] == f"{game.get_absolute_url()}/fair"


@pytest.mark.parametrize("typed", ["hello", "<script>", "A" * 21, "A" * 23, "\x00"])
def test_anything_but_a_link_or_a_code_is_refused_in_words(db: None, typed: str) -> None:
    answer = Client().get("/fair", {"game": typed})
    assert answer.status_code == 422
    assert "That isn’t a game link." in answer.content.decode() and "<script>" not in answer.content.decode()


def test_the_footer_the_game_and_its_end_link_to_fair_dice(device: Device) -> None:
    game = device.game(SIX_TWOS, ruleset="boxcars")
    assert 'href="/fair"' in device.page(game)
    assert f'href="{game.get_absolute_url()}/fair">Fair dice' in device.page(game)
    device.do(game, "bank", keep=ALL)
    assert f'href="{game.get_absolute_url()}/fair">Verify the dice' in device.page(game)
