"""Practice: one position at a time, and what an answer costs; nothing is stored."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from game import services
from game.history.reviews import pick_costliest
from game.models import Game, Review, RulesetRow, Visitor
from game.pages.practice.positions import Position, find_state_at_step, list_costliest, make_numbered, take_from_game
from game.rules import preset
from game.services.reviews import encode_review
from game.storage import columns, load_record
from game.strategy.analysis import analyse_game
from game.strategy.practice import PositionKind
from game.strategy.turn import Option
from game.strategy.win import rate_state
from tests.cast import ANA, BRUNO, HAL, IN, Device, Response, bank, bust, throw
from tests.require import require
from tests.words import read_text

pytestmark = pytest.mark.django_db

AT = "/practice?mode=keep&ruleset=classic&n=7"


def read_page(response: Response, status: int = 200) -> str:
    assert response.status_code == status
    return response.content.decode()


def send_answer(client: Client, address: str, columns: Iterable[object], then: str = "bank") -> Response:
    return client.post(f"{address}&then={then}", {"keep": list(columns)})


def make_position(number: int = 7, mode: PositionKind = "keep", slug: str = "classic") -> Position:
    return make_numbered(preset(slug), mode, number)


def find_columns(at: Position, way: Option) -> tuple[int, ...]:
    return columns.pick_columns(at.thrown.by_column, way.keep.dice)


def test_practice_without_an_address_finds_a_position(client: Client) -> None:
    response = client.get("/practice")
    assert response.status_code == 302
    assert re.fullmatch(r"/practice\?mode=keep&ruleset=[\w-]+&n=\d+", response["Location"])
    assert 'id="situation"' in read_page(client.get(response["Location"]))


def test_practise_on_the_odds_page_keeps_its_rules(client: Client) -> None:
    odds = read_page(client.get("/odds?ruleset=macke"))
    response = client.get(require(re.search(r'href="(/practice[^"]+)">Practise<', odds))[1])
    assert re.fullmatch(r"/practice\?mode=keep&ruleset=macke&n=\d+", response["Location"])
    page = read_page(client.get(response["Location"]))
    assert 'id="situation"' in page and re.search(r'<option value="macke" selected', page)


def test_the_same_address_is_the_same_position(client: Client) -> None:
    first, second = read_page(client.get(AT)), read_page(client.get(AT))
    without_keys = re.compile(r'name="(?:key|csrfmiddlewaretoken)" value="[^"]+"')
    assert without_keys.sub("", first) == without_keys.sub("", second)
    assert "You have 3,300. Bruno has 4,700. The target is 10,000." in read_text(first)


@pytest.mark.parametrize("mode", ["entry", "late", "keep"])
def test_every_mode_has_a_tray_with_both_buttons(client: Client, mode: PositionKind) -> None:
    text = read_page(client.get(f"/practice?mode={mode}&ruleset=pot&n=5"))
    assert 'id="bank"' in text and 'id="throw"' in text and 'name="keep"' in text
    assert "hx-boost" not in require(re.search(r'<form id="tray".*?>', text, re.S))[0]


def test_in_entry_mode_the_player_is_told_the_entry_minimum(client: Client) -> None:
    assert "your first bank must be at least 1,000." in read_page(client.get("/practice?mode=entry&ruleset=pot&n=5"))


def test_the_right_answer_is_right_and_a_wrong_one_costs_what_it_loses(client: Client) -> None:
    at = make_position()
    rated = rate_state(at.state)
    best, worst = rated[0], rated[-1]
    right = client.get(send_answer(client, AT, find_columns(at, best.option), best.option.then)["Location"])
    assert '<h2 id="verdict">Right!</h2>' in read_page(right)
    wrong = read_page(
        client.get(send_answer(client, AT, find_columns(at, worst.option), worst.option.then)["Location"])
    )
    words = r"costs ([\d.]+) percentage points of the chance to win: ([\d.]+)% instead of ([\d.]+)%"
    costs = require(re.search(words, wrong))
    loss, got, instead = map(float, costs.groups())
    assert (got, instead) == pytest.approx((100 * require(worst.win), 100 * require(best.win)), abs=0.051)
    assert loss == pytest.approx(instead - got)


def test_an_equally_good_answer_is_not_told_of_a_better_one(client: Client) -> None:
    at = make_position(112)
    best, equal = rate_state(at.state)[:2]
    assert best.option.then == "bank" and equal.option.then == "throw"
    address = AT.replace("n=7", "n=112")
    text = read_page(client.get(send_answer(client, address, find_columns(at, equal.option), "throw")["Location"]))
    assert "Right!" in text and "Just as good: keep 1 5 5 5 and bank" in text
    assert "Best on average" not in text


def test_no_answer_is_said_to_cost_nothing(client: Client) -> None:
    at, address = make_position(102), AT.replace("n=7", "n=102")
    rated = rate_state(at.state)
    best, close = rated[0], next(choice for choice in rated if choice.option.then == "bank")
    assert 0.0005 < require(best.win) - require(close.win) < 0.001
    text = read_page(client.get(send_answer(client, address, find_columns(at, close.option))["Location"]))
    assert "Right!" in text and "That costs" not in text


def test_after_an_answer_all_options_are_listed_with_their_values(client: Client) -> None:
    at = make_position()
    rated = rate_state(at.state)
    text = read_page(client.get(f"{AT}&kept=1,3,6&then=bank"))
    rows = re.findall(r"<tr( class=\"yours\")?>\s*<th scope=\"row\">\s*<span class=\"vh\">([\d ]+)</span>", text)
    assert [tuple(map(int, dice.split())) for _, dice in rows] == [choice.option.keep.dice for choice in rated]
    assert [bool(yours) for yours, _ in rows].count(True) == 1
    assert f"{100 * require(rated[0].win):.1f}%" in text and ">Best<" in text and ">Yours<" in text
    assert 'id="next" href="/practice?mode=keep&amp;ruleset=classic&amp;n=8" autofocus' in text
    assert 'id="bank"' not in text


def test_under_rules_without_chances_to_win_points_are_given(client: Client) -> None:
    ruleset = replace(preset("wikipedia"), slug="costly", bust_streak=3, bust_streak_penalty=500)
    services.save_ruleset(None, ruleset.to_json())
    at = make_numbered(ruleset, "keep", 7)
    worst = rate_state(at.state)[-1]
    address = "/practice?mode=keep&ruleset=costly&n=7"
    text = read_page(
        client.get(send_answer(client, address, find_columns(at, worst.option), worst.option.then)["Location"])
    )
    assert re.search(r"That costs [\d,]+ points on average: [\d,]+ instead of [\d,]+\.", text)
    assert ">Wins<" not in text


def test_dice_that_do_not_score_are_refused_with_the_nearest_ticked(client: Client) -> None:
    text = read_page(send_answer(client, AT, "12"), 422)
    assert "These dice don’t all score." in text and 'id="tray"' in text and "<title>Error:" in text


def test_an_answer_that_keeps_nothing_is_refused(client: Client) -> None:
    assert "Keep at least one scoring die." in read_page(send_answer(client, AT, ""), 422)


def test_a_bank_below_the_minimum_is_refused(client: Client) -> None:
    at = make_position(5, "entry", "pot")
    few = min(rate_state(at.state), key=lambda choice: choice.option.total).option
    text = read_page(send_answer(client, "/practice?mode=entry&ruleset=pot&n=5", find_columns(at, few)), 422)
    assert "The first bank must be at least 1,000 points." in text


@pytest.mark.parametrize("address", [f"{AT}&then=steal", AT])
def test_an_unknown_answer_is_refused(client: Client, address: str) -> None:
    assert client.post(address, {"keep": ["1"]}).status_code == 400


def test_an_answer_with_900_dice_is_refused(client: Client) -> None:
    assert client.post(f"{AT}&then=bank", {"keep": ["1"] * 900}).status_code == 400


@pytest.mark.parametrize(
    ("mode", "pattern"),
    [
        ("entry", r"You have 0\. Bruno has [\d,]+\.( This turn so far: [\d,]+\.)? This is round \d of 10\."),
        ("late", r"You have [789],\d+\. Bruno has [789],\d+\.( This turn so far: \d+\.)? This is round [89] of 10\."),
    ],
)
def test_positions_of_ten_rounds_have_no_target_and_no_entry_minimum(client: Client, mode: str, pattern: str) -> None:
    for number in range(6):
        page = read_page(client.get(f"/practice?mode={mode}&ruleset=farkle-ten&n={number}"))
        situation = require(re.search(r'id="situation"[^>]*>([^<]+)<', page))[1]
        assert re.fullmatch(pattern, read_text(situation).strip())


@pytest.mark.parametrize(
    "junk", ["n=-1", "n=abc", "n=99999999999", "n=", "n=١", "n=1_0", "mode=x&n=3", "ruleset=zzz&n=3"]
)
def test_an_address_that_makes_no_sense_leads_to_one_that_does(client: Client, junk: str) -> None:
    assert client.get(f"/practice?{junk}", follow=True).status_code == 200


@pytest.mark.parametrize("kept", ["9", "x", "1,2", "1,2,3,4,5,6,7", "%00", "2"])
def test_an_answer_in_the_address_that_makes_no_sense_is_ignored(client: Client, kept: str) -> None:
    assert 'id="verdict"' not in read_page(client.get(f"{AT}&kept={kept}&then=bank"))


def test_five_dice_lie_in_five_columns() -> None:
    rules = RulesetRow.objects.get(slug="tysiac", latest=True).rules
    positions = [make_numbered(rules, "keep", n) for n in range(40)]
    assert {column for at in positions for column in (*at.columns, *at.aside)} == set(range(1, 6))


@pytest.mark.parametrize("mode", ["keep", "example"])
def test_rules_without_any_choice_have_nothing_to_practise(client: Client, mode: PositionKind) -> None:
    services.save_ruleset(None, {**preset("classic").to_json(), "slug": "sure", "name": "Sure", "singles": [50] * 6})
    page = client.get(f"/practice?mode={mode}&ruleset=sure&n=1")
    assert "These rules offer no choice to practise on." in read_page(page)


# ---- how many answers were right


def test_each_position_counts_once_in_this_browser(client: Client) -> None:
    at = make_position()
    rated = rate_state(at.state)
    for _ in range(3):
        send_answer(client, AT, find_columns(at, rated[0].option), rated[0].option.then)
    assert "1 of 1 right: 100%." in read_page(client.get(AT))
    second = make_position(8)
    worst = rate_state(second.state)[-1]
    send_answer(client, AT.replace("n=7", "n=8"), find_columns(second, worst.option), worst.option.then)
    assert "1 of 2 right: 50%." in read_page(client.get(AT))


def test_right_answers_in_a_row_are_counted(client: Client) -> None:
    for number in (7, 8, 9):
        at = make_position(number)
        best = rate_state(at.state)[0]
        send_answer(client, AT.replace("n=7", f"n={number}"), find_columns(at, best.option), best.option.then)
    assert "3 of 3 right: 100%. 3 in a row." in read_page(client.get(AT))


@pytest.mark.parametrize("cookie", ["9.9.9.x", "9.9.9.x:AAAA", "\0", "...."])
def test_a_made_up_count_is_ignored(client: Client, cookie: str) -> None:
    client.cookies["practice"] = cookie
    assert 'id="tally"' not in read_page(client.get(AT))


def test_the_count_ends_with_the_browser(client: Client) -> None:
    at = make_position()
    best = rate_state(at.state)[0]
    response = send_answer(client, AT, find_columns(at, best.option), best.option.then)
    assert response.cookies["practice"]["max-age"] == "" and response.cookies["practice"]["httponly"]


def test_neither_looking_nor_answering_writes_to_the_database(client: Client) -> None:
    at = make_position()
    best = rate_state(at.state)[0]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get("/practice", follow=True)
        send_answer(client, AT, find_columns(at, best.option), best.option.then)
    assert not [q for q in queries if re.match(r"\s*(INSERT|UPDATE|DELETE)", q["sql"])]
    assert Visitor.objects.count() == 0


def test_a_position_takes_few_queries(client: Client, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_max_num_queries(6):
        client.get(AT)


def test_no_crawler_follows_the_positions(client: Client) -> None:
    assert '<meta name="robots" content="noindex, nofollow">' in read_page(client.get(AT))


# ---- from games


def make_reviewed_game(device: Device, players: Sequence[str] = (ANA, HAL)) -> Game:
    """A short game that Ana wins, with choices that cost something, and its review."""
    costly = bank(0, 100, throw("112346", "1"))  # banks only one of two ones
    game = device.game(
        bank(0, 1000, IN), bank(1, 1000, IN), costly, bust(1, throw("223446")), bank(0, 1000, IN),
            bust(1, throw("223446")),
        ruleset="classic", players=players, target=2000,
    )  # fmt: skip
    assert game.status == Game.Status.FINISHED
    Review.objects.update_or_create(
        game=game, defaults={"data": encode_review(analyse_game(load_record(game))), "progress": 100}
    )
    return game


def test_the_costliest_choice_of_a_game_comes_first(device: Device) -> None:
    game = make_reviewed_game(device)
    at = require(take_from_game(game, None, 1))
    assert sorted(require(at.state.shot).dice) == [1, 1, 2, 3, 4, 6] and at.state.players[0].score == 1000
    losses = [decision["loss"] for decision in list_costliest(game, None)]
    assert losses == sorted(losses, reverse=True) and losses[0] > 0


def test_players_practise_only_their_own_choices(device: Device) -> None:
    game = make_reviewed_game(device, players=(ANA, BRUNO))
    visitor = game.players.get(seat=0).visitor
    game.players.filter(seat=1).update(visitor=None)
    assert {decision["seat"] for decision in list_costliest(Game.objects.get(pk=game.pk), visitor)} == {0}


def test_nobody_practises_on_what_a_computer_chose_for_them(device: Device) -> None:
    standing_in = [{"type": "hand", "player": 0, "level": "bold"}, bank(0, 100, throw("112346", "1"))]
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), *standing_in, {"type": "hand", "player": 0})
    decisions = encode_review(analyse_game(load_record(game)))["decisions"]
    assert any(decision["seat"] == 0 and decision["loss"] > 0 for decision in decisions)
    assert pick_costliest(game, device.browser.visitor(), decisions) == []


def test_a_choice_to_pick_up_or_not_is_no_position_to_practise(device: Device) -> None:
    fresh = bust(0, throw("223446"))
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), fresh, ruleset="wikipedia", target=5000)
    decisions = encode_review(analyse_game(load_record(game)))["decisions"]
    assert any(not decision["throw"] and decision["loss"] > 0 for decision in decisions)
    assert all(decision["throw"] for decision in pick_costliest(game, None, decisions))


def test_a_decision_of_the_second_player_at_a_device_can_be_practised(device: Device) -> None:
    costly = throw("115234", "5"), throw("11234", "1"), throw("2346")
    game = device.game(
        bank(0, 1000, IN), bank(1, 1000, IN), bank(0, 1000, IN), bust(1, *costly), target=2000, ruleset="pot"
    )
    review = encode_review(analyse_game(load_record(game)))
    Review.objects.create(game=game, data=review)
    costliest = list_costliest(game, device.browser.visitor())
    assert review["decisions"][-1]["seat"] == 1 and any(decision["seat"] == 1 for decision in costliest)
    for n in range(1, 1 + len(costliest)):
        assert 'id="situation"' in read_page(device.client.get(f"/practice?game={game.code}&n={n}"))


def test_every_decision_of_a_game_is_found_by_its_step(device: Device) -> None:
    game = make_reviewed_game(device)
    whole = load_record(game)
    states = [find_state_at_step(whole, step) for step in range(1, 7)]
    assert [bool(state) for state in states] == [True, True, True, False, True, False]
    assert sorted(require(require(states[2]).shot).dice) == [1, 1, 2, 3, 4, 6]


def test_from_my_games_leads_to_the_last_reviewed_game(device: Device) -> None:
    game = make_reviewed_game(device)
    response = device.client.get("/practice?mode=mine")
    assert response["Location"] == f"/practice?game={game.code}&n=1"
    text = read_page(device.client.get(response["Location"]))
    assert "Round 2 of your game against *HAL · 1 of" in text and "You have 1,000. *HAL has 1,000." in read_text(text)
    assert device.client.get("/practice")["Location"] == response["Location"]


def test_the_game_of_a_position_stands_on_a_line_of_its_own(device: Device) -> None:
    page = device.client.get(f"/practice?game={make_reviewed_game(device).code}&n=1").content.decode()
    _, situation = page.split("Round 2 of your game against *HAL · 1 of")
    assert situation.partition("</span>")[2].startswith("<br>")


def test_after_the_last_position_of_a_game_practice_ends(device: Device) -> None:
    game = make_reviewed_game(device)
    text = read_page(device.client.get(f"/practice?game={game.code}&n=99"))
    assert "That’s all for now. Play a game to get more." in text and f"game={game.code}" in text


def test_without_a_reviewed_game_the_page_says_so(client: Client) -> None:
    assert "None of your finished games has positions to practise on yet." in read_page(
        client.get("/practice?mode=mine")
    )


def test_games_without_a_mistake_are_passed_over(device: Device) -> None:
    game, flawless = make_reviewed_game(device), make_reviewed_game(device)
    Review.objects.filter(game=flawless).update(data={**require(flawless.review.data), "decisions": []})
    assert device.client.get("/practice")["Location"] == f"/practice?game={game.code}&n=1"
    Review.objects.filter(game=game).update(data={**require(game.review.data), "decisions": []})
    assert "mode=keep" in device.client.get("/practice")["Location"]
    assert flawless.code not in read_page(device.client.get("/practice?mode=mine"))


def test_a_running_game_or_one_closed_to_spectators_is_not_found(device: Device, other_device: Device) -> None:
    running = device.game(bank(0, 1000, IN))
    assert device.client.get(f"/practice?game={running.code}").status_code == 404
    game = make_reviewed_game(device)
    assert other_device.client.get(f"/practice?game={game.code}&n=1").status_code == 200
    Game.objects.filter(pk=game.pk).update(watching=False)
    assert other_device.client.get(f"/practice?game={game.code}&n=1").status_code == 404
    assert device.client.get(f"/practice?game={game.code}&n=1").status_code == 200
    assert device.client.get("/practice?game=%00").status_code == 404


def test_the_example_turn_of_the_help_can_be_played(client: Client) -> None:
    text = read_page(client.get("/help"))
    assert 'formaction="/practice?mode=example&amp;ruleset=' in text and "hx-boost" not in text.split('id="tray"')[1]
    action = require(re.search(r'formaction="([^"]+then=bank)"', text))[1].replace("&amp;", "&")
    response = client.post(action, {"keep": ["2", "3", "4", "6"]})
    assert "bank 450" in read_page(client.get(response["Location"]))
