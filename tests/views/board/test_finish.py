"""The end of a game: what each viewer reads, everybody's place, and the picture of the result."""

import re
from xml.etree import ElementTree

from game.models import Game
from game.pages.board.tray import build_last_tray
from game.pages.parts.view_of_game import load_viewer_game
from game.prefs import Prefs
from game.rules import preset
from tests.cast import HAL, IN, Device, bank, bust, open_turn, share_game, throw
from tests.require import require
from tests.words import read_text

SVG = "{http://www.w3.org/2000/svg}"
LAST_TURN = bank(0, 1000, IN)  # with a target of 1,000


def read_headline(page: str) -> str:
    return read_text(re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.S)[0]).strip()


def list_places(page: str, look: str = "place-") -> list[str]:
    podium = page.partition('class="podium"')[2].partition("</ol>")[0]
    return [read_text(one.partition(">")[2]).strip() for one in podium.split("<li")[1:] if look in one]


def let_ana_win(device: Device, *others: str, **more: object) -> Game:
    names = ["Ana", *(others or ("Bruno",))]
    busts = [bust(seat, throw("223446")) for seat in range(1, len(names))]
    return device.game(LAST_TURN, *busts, players=names, target=1000, **more)


def test_a_shared_win_is_told_before_the_bank_and_after_it(device: Device) -> None:
    shared = {**preset("classic").to_json(), "slug": "shared", "name": "Shared", "tie": "shared"}
    game = device.game(LAST_TURN, open_turn(1, throw("111346")), target=1000, ruleset=shared)
    assert "1,000 · shares the win" in read_text(device.page(game))
    device.do(game, "bank", keep=[1, 2, 3])
    assert "Ana and Bruno share the win with 1,000." in read_text(device.page(game))
    assert "Ana and Bruno share the win" in read_text(device.client.get("/games?show=finished").content.decode())


def test_whoever_shares_the_win_with_a_computer_reads_so(device: Device) -> None:
    shared = {**preset("classic").to_json(), "slug": "shared", "name": "Shared", "tie": "shared"}
    game = device.game(LAST_TURN, bank(1, 1000, IN), players=("Ana", HAL), target=1000, ruleset=shared)
    page = device.page(game)
    assert read_headline(page) == "You share the win with *HAL" and page.count('class="prize"') == 2


def test_whoever_played_alone_reads_what_they_reached(device: Device) -> None:
    game = device.game(bust(0, throw("223446")), LAST_TURN, players=["Ana"], target=1000)
    page = device.page(game)
    assert read_headline(page) == "1,000 in 2 rounds!" and "The best turn had 1,000." in read_text(page)
    short = {"slug": "short", "name": "Short", "ending": "rounds", "rounds": 1, "target_choices": []}
    game = device.game(LAST_TURN, players=["Ana"], ruleset={**preset("classic").to_json(), **short})
    assert read_headline(device.page(game)) == "You scored 1,000!"


def test_the_winner_reads_you_win_and_the_others_by_how_much(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, LAST_TURN, open_turn(1, throw("555236")), target=1000)
    other_device.do(game, "bank", keep=["1", "2", "3"])
    assert read_headline(device.page(game)) == "You win!"
    assert read_headline(other_device.page(game)) == "Ana wins by 500"
    assert read_headline(Device().page(game)) == "Ana wins by 500"


def test_against_a_computer_you_win_and_round_one_device_the_winner_is_named(device: Device) -> None:
    page = device.page(let_ana_win(device, HAL))
    assert read_headline(page) == "You win!"
    assert list_places(page) == ["You 1,000 1", "*HAL 0 2"] and "You had the best turn, 1,000." in read_text(page)
    assert read_headline(device.page(let_ana_win(device, "Bruno"))) == "Ana wins by 1,000"


def test_against_a_computer_that_was_there_first_the_end_says_so_to_you(device: Device) -> None:
    game = device.game(LAST_TURN, open_turn(1, throw("111346")), players=(HAL, "Ana"), target=1000, ruleset="pot")
    answer = device.do(game, "bank", htmx=True, keep=["1", "2", "3"]).content.decode()
    page = device.page(game)
    assert list_places(page) == ["*HAL 1,000 1", "You 1,000 2"]
    to_you, to_others = (f"*HAL wins with 1,000, reached before {name}." for name in ("you", "Ana"))
    replayed = device.page(game, "?at=2")
    assert read_headline(page) == to_you and f"<title>{to_you}" in page and f"<h1>{to_you}" in replayed
    assert to_you in read_text(answer.partition('<div id="live"')[2])
    assert f'data-text="{to_others}"' in page and read_headline(Device().page(game)) == to_others


def test_a_game_that_was_abandoned_is_shared_as_one_that_nobody_won(device: Device) -> None:
    game = device.game(LAST_TURN)
    Game.objects.update(status="abandoned")
    page = device.page(game)
    assert read_headline(page) == "Nobody won this game"
    assert 'alt="Nobody won this game."' in page and "Nobody is left" not in page


def test_the_end_says_who_takes_how_much_play_money_from_the_pot(device: Device) -> None:
    took = r"takes? [\d.]+ USD in play money from the pot\."
    assert re.search(f"You {took}", read_text(device.page(let_ana_win(device, HAL, ruleset="pot"))))
    assert re.search(f"Ana {took}", read_text(device.page(let_ana_win(device, ruleset="pot"))))


def test_the_chart_names_the_scores_of_its_lines_exactly(device: Device) -> None:
    won = bank(0, 1450, IN, throw("155", "155"), throw("112346", "11"), throw("5346", "5"))
    game = device.game(won, bust(1, throw("223446")), target=1000)
    labels = re.findall(r"<text y=[^>]*>(.*?)</text>", device.page(game))
    assert labels == ["0", "1k", "1,450", "500"]


def test_everybody_is_listed_with_their_place(device: Device) -> None:
    busts = [bust(seat, throw("223446")) for seat in (1, 2, 3)]
    game = device.game(LAST_TURN, *busts, players=list("ABCD"), target=1000)
    page = device.page(game)
    assert [place[-1] for place in map(str.strip, list_places(page))] == ["1", "2", "2", "2"]
    assert "A had the best turn, 1,000." in read_text(page)


def test_equal_scores_stand_together_on_the_podium_or_below_it(device: Device) -> None:
    busts = [bust(seat, throw("223446")) for seat in (2, 3)]
    game = device.game(LAST_TURN, bank(1, 500, throw("555236", "555")), *busts, players=list("ABCD"), target=1000)
    assert list_places(device.page(game), " below") == ["C 0 3", "D 0 3"]
    assert list_places(device.page(let_ana_win(device, *"BC")), " below") == []
    assert list_places(device.page(let_ana_win(device, *"BCD")), " below") == ["B 0 2", "C 0 2", "D 0 2"]


def test_nobody_is_said_to_have_got_away_with_a_first_throw(device: Device) -> None:
    assert "got away with it" not in read_text(device.page(let_ana_win(device)))


def test_nobody_is_praised_for_a_throw_that_the_rules_demand(device: Device) -> None:
    hot = bank(0, 1600, throw("111555", "111555"), throw("122346", "1"))
    assert "got away with it" not in read_text(device.page(device.game(hot, bust(1, throw("223446")), target=1000)))
    few = bank(1, 500, *(throw(dice, "1") for dice in ("122346", "12346", "1346", "134", "14")))
    assert "got away with it" not in read_text(device.page(device.game(LAST_TURN, few, target=1000)))
    game = device.game(LAST_TURN, bank(1, 1000, IN), bank(0, 1000, IN), few, target=2000)
    assert "Bruno threw 2 dice with 400 at risk and got away with it." in read_text(device.page(game))


def test_nobody_is_praised_for_a_throw_that_hardly_ever_busts(device: Device) -> None:
    safe = bank(1, 200, throw("112346", "1"), throw("12346", "1"))
    game = device.game(LAST_TURN, bank(1, 1000, IN), bank(0, 1000, IN), safe, target=2000)
    assert "got away with it" not in read_text(device.page(game))


def test_a_best_turn_that_two_players_had_is_not_named(device: Device) -> None:
    turns = bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 100, throw("122346", "1")), bust(1, throw("223446"))
    assert "had the best turn" not in read_text(device.page(device.game(*turns, target=1100)))


def test_points_picked_up_were_at_risk_from_the_first_throw(device: Device) -> None:
    took = {"type": "shot", "player": 0, "pick_up": 2, "throws": [throw("15", "5")], "end": "bank", "points": 1150}
    bold = {"type": "shot", "player": 1, "pick_up": 1, "throws": [throw("1", "1")], "end": "bank", "points": 1250}
    opened = bank(0, 1000, IN), bank(1, 1100, throw("111146", "111"), throw("146", "1"))
    game = device.game(*opened, took, bold, bust(0, throw("223446")), target=2200, ruleset="wikipedia")
    assert "Bruno threw 1 die with 1,150 at risk and got away with it." in read_text(device.page(game))


def test_the_boldest_throw_had_the_most_at_risk_with_three_pairs_instead_of_the_dice_set_aside(device: Device) -> None:
    pairs = [throw("552346", "55"), throw("3344", "3344"), throw("111552", "11155"), throw("1", "1")]
    other = bank(1, 1100, throw("112345", "12345"), throw("1", "1"))
    game = device.game(bank(0, 1950, *pairs), other, ruleset="boxcars", target=1000)
    page = read_text(device.page(game))
    assert "threw 1 die with 1,850 at risk and got away with it." in page


def test_the_last_throw_of_a_game_is_shown_with_what_it_added(device: Device) -> None:
    pairs = bank(1, 750, throw("552346", "55"), throw("3344", "3344"))
    six = {"type": "shot", "player": 0, "throws": [throw("666666", "666666")], "end": "win"}
    took = {"type": "shot", "player": 0, "pick_up": 3, "throws": [throw("156", "1")], "end": "bank", "points": 1100}
    last = {"type": "shot", "player": 1, "pick_up": 2, "throws": [throw("16", "1")], "end": "bank", "points": 1200}
    games = [
        (1000, [LAST_TURN, pairs], ("100", "650")),
        (1000, [six], ("0", "4,800")),
        (2000, [LAST_TURN, bank(1, 1000, IN), took, last], ("1,100", "100")),
    ]
    for target, happened, shown in games:
        game = device.game(*happened, ruleset="boxcars", target=target)
        tray = require(build_last_tray(load_viewer_game(game, None, Prefs())))
        assert (tray.earlier, tray.this) == shown


def test_an_end_without_a_final_round_does_not_speak_of_one(device: Device) -> None:
    """The last player of a round reaches the target: the game is over at once."""
    game = device.game(bust(0, throw("223446")), open_turn(1, throw("111346")), target=1000)
    answer = device.do(game, "bank", htmx=True, keep=["1", "2", "3"]).content.decode()
    live = read_text(answer.partition('<div id="live"')[2].partition(">")[2])
    assert "Bruno wins 1,000 to 0!" in live and "inal round" not in live


def test_the_gold_moves_once_and_only_for_the_winner(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, LAST_TURN, open_turn(1, throw("555236")), target=1000)
    loser = other_device.do(game, "bank", htmx=True, keep=["1", "2", "3"]).content.decode()
    news = device.client.get(f"{game.get_absolute_url()}/board", {"version": "1"}).content.decode()
    assert 'id="finish"' in loser and 'class="cheer"' not in loser
    assert 'class="cheer"' in news
    assert 'class="cheer"' not in device.page(game)


def test_the_picture_shows_names_scores_chart_and_link(device: Device) -> None:
    game = let_ana_win(device, "Bo & <b>Co</b>")
    answer = device.client.get(f"{game.get_absolute_url()}/result.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    drawing = ElementTree.fromstring(answer.content)
    words = [(one.text or "").strip() for one in drawing.iter(SVG + "text")]
    for word in ("Ana wins by 1,000", "Ana", "1,000", "Bo & <b>Co</b>", f"testserver{game.get_absolute_url()}"):
        assert word in words, word
    assert len(list(drawing.iter(SVG + "polyline"))) == 2


def test_a_picture_of_many_players_counts_those_it_leaves_out(device: Device) -> None:
    game = let_ana_win(device, *"BCDEFGHI")
    assert "and 3 more" in device.client.get(f"{game.get_absolute_url()}/result.svg").content.decode()
