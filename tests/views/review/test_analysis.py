"""The page of a review: what it shows, what it says while the review is worked out, and games without a review."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from game.history.reviews import find_marks, find_review
from game.models import Game, Review, RulesetRow
from game.pages.review.summary import summarise_review
from game.rules import preset
from game.services.reviews import review_game
from tests.cast import IN, Device, bank, throw
from tests.require import require
from tests.reviews import EVENTS, load_almost_finished_game, load_finished_game, load_game_with_skip, write_reviews
from tests.words import read_text


@pytest.fixture
def reviewed(device: Device) -> Callable[..., str]:
    """Return a function that reviews a game and returns the page of its review."""

    def page(game: Game, query: str = "", status: int = 200) -> str:
        device.client.post(f"{game.get_absolute_url()}/analysis")
        write_reviews()
        response = device.client.get(f"{game.get_absolute_url()}/analysis{query}")
        assert response.status_code == status
        return response.content.decode()

    return page


def test_a_game_without_a_review_can_be_reviewed(device: Device) -> None:
    game = load_finished_game(device)
    page = device.client.get(f"{game.get_absolute_url()}/analysis").content.decode()
    assert "Review the game</button>" in page and not Review.objects.exists()
    response = device.client.post(f"{game.get_absolute_url()}/analysis")
    assert (response.status_code, response["Location"]) == (303, f"{game.get_absolute_url()}/analysis")


def test_a_review_under_way_says_how_far_it_is(device: Device) -> None:
    game = load_finished_game(device)
    url = f"{game.get_absolute_url()}/analysis"
    device.client.post(url)
    assert "yours is waiting" in device.client.get(url).content.decode()
    Review.objects.update(progress=60)
    page = device.client.get(url).content.decode()
    assert "Reviewing: 60%" in page
    assert 'hx-trigger="every 1s"' in page and '<noscript><meta http-equiv="refresh"' in page


def test_a_review_that_an_undo_deletes_while_its_page_is_made_is_none(device: Device) -> None:
    game = load_finished_game(device)
    Review.objects.create(game=game, progress=100, data={"by": None, "players": [], "decisions": [], "throws": []})
    review = find_review(game)
    Review.objects.all().delete()
    assert summarise_review(game, review).state == "none"


def test_the_chart_writes_percentages_as_the_reader_does(device: Device, reviewed: Callable[..., str]) -> None:
    game = load_finished_game(device)
    reviewed(game)
    in_german = {"Accept-Language": "de"}
    page = device.client.get(f"{game.get_absolute_url()}/analysis", headers=in_german).content.decode()
    assert ">50\N{NO-BREAK SPACE}%</text>" in page and ">50%</text>" not in page


def test_a_review_that_stopped_can_be_asked_for_again(device: Device) -> None:
    game = load_finished_game(device)
    url = f"{game.get_absolute_url()}/analysis"
    device.client.post(url)
    Review.objects.update(touched="2020-01-01T00:00Z", progress=60)
    page = device.client.get(url).content.decode()
    assert "The review stopped. Try again." in page and "Try again</button>" in page


def test_a_review_that_waits_long_says_whether_a_worker_is_running(device: Device) -> None:
    game, other = load_finished_game(device), load_finished_game(device)
    url = f"{game.get_absolute_url()}/analysis"
    device.client.post(url)
    device.client.post(f"{other.get_absolute_url()}/analysis")
    Review.objects.filter(game=game).update(touched="2020-01-01T00:00Z")
    page = device.client.get(url).content.decode()
    assert "no worker seems to be running" in page and "Try again</button>" in page
    Review.objects.filter(game=other).update(progress=60)
    page = device.client.get(url).content.decode()
    assert "Games are reviewed one after the other, and yours is waiting." in page


def test_a_running_game_has_no_review(device: Device) -> None:
    game = load_almost_finished_game(device)
    for ask in (device.client.get, device.client.post):
        response = ask(f"{game.get_absolute_url()}/analysis")
        assert response.status_code == 409
        assert "once the game is over" in response.content.decode()


def test_a_review_says_how_good_the_decisions_and_how_kind_the_dice_were(
    device: Device, reviewed: Callable[..., str]
) -> None:
    page = reviewed(load_finished_game(device))
    assert re.search(r"accuracy <b>\d+</b>", page)
    assert re.search(r"luck <b>[+−][\d,]+</b><svg.*?</svg> <small>worth [+−]\d+% of a win</small>", page)
    assert re.search(r"1 bust, 0\.\d expected", page)


def test_the_bar_of_luck_is_as_long_under_rules_with_a_tenth_of_the_points(device: Device) -> None:
    usual = load_finished_game(device)
    tysiac = RulesetRow.objects.get(slug="tysiac").settings
    tenth = load_finished_game(device, bank(0, 100, throw("11123", "111")), ruleset=tysiac, target=100)
    for game, luck in (usual, 500), (tenth, 50):
        player = {"accuracy": 90, "luck_win": None, "busts": 0, "expected_busts": 0}
        players = [{**player, "luck": points} for points in (luck, -luck)]
        data = {"by": "points", "players": players, "decisions": [], "throws": []}
        Review.objects.create(game=game, progress=100, data=data)
        bars = re.findall(rf'luck <b>.{luck}</b><svg.*?><rect x="(\S+)" width="(\S+)"', device.page(game))
        assert bars == [("50%", "25%"), ("25%", "25%")]


def test_marked_decisions_are_listed_with_a_better_one_and_its_chance(
    device: Device, reviewed: Callable[..., str]
) -> None:
    page = reviewed(load_finished_game(device))
    assert "Kept 5 (50) and threw 5 dice." in page
    assert "Better: keep 1 1 1" in page
    assert re.search(r"\d+\.\d% instead of \d+\.\d%\.", page)
    assert "blunder" in page and "Round 2, throw 1" in page
    assert 'href="?all=1#decisions"' in page


def test_all_decisions_are_shown_on_request(device: Device, reviewed: Callable[..., str]) -> None:
    game = load_finished_game(device)
    few = reviewed(game).count('class="judgement" aria-hidden')
    total = len(require(Review.objects.get().data)["decisions"])
    assert f"Show all {total}" in reviewed(game)
    assert reviewed(game, "?all=1").count('class="judgement" aria-hidden') == total > few


def test_one_decision_is_shown_with_its_dice_and_all_options(device: Device, reviewed: Callable[..., str]) -> None:
    page = reviewed(load_finished_game(device), "?d=2")
    detail = page[page.index('id="decision"') :]
    assert detail.count("<tr") > 4 and "Chosen</span>" in detail and "Best</span>" in detail
    assert re.search(r'href="/g/[^"]+\?at=3"', detail)
    assert 'class="die ' in detail


@pytest.mark.parametrize(
    ("options", "chosen", "shown"),
    [
        (11, 10, ""),
        (12, 10, "The 12 best ways."),
        (12, 11, "The 11 best ways, and the one chosen."),  # perhaps the thirtieth
    ],
)
def test_a_decision_says_which_ways_are_shown(
    device: Device, reviewed: Callable[..., str], options: int, chosen: int, shown: str
) -> None:
    game = load_finished_game(device)
    reviewed(game)
    review = Review.objects.get()
    decision = require(review.data)["decisions"][2]
    decision |= {"options": decision["options"][:1] * options, "chosen": chosen}
    review.save()
    assert re.findall(r"The \d+ best ways[^<]*", reviewed(game, "?d=2")) == [shown][: bool(shown)]


def test_nonsense_in_the_address_shows_the_costliest_decision(device: Device, reviewed: Callable[..., str]) -> None:
    game = load_finished_game(device)
    costliest = read_decision(reviewed(game))
    for query in ("?d=x", "?d=-1", "?d=99999999999999", "?d=²", "?d=000000999999", f"?d={'0' * 5000}"):
        assert read_decision(reviewed(game, query)) == costliest
    assert read_decision(reviewed(game, "?d=1")) != costliest


def read_decision(page: str) -> str:
    """Return what the page says of the decision that it shows in full."""
    (shown,) = re.findall(r'id="decision".*?</section>', page, re.DOTALL)
    return read_text(shown)


def test_people_come_before_computers(device: Device, reviewed: Callable[..., str]) -> None:
    page = reviewed(load_finished_game(device, players=("*HAL", "Ana")))
    assert page.index(">You<") < page.index(">*HAL<")


def test_a_last_turn_shows_chances_to_win_where_other_turns_have_none(
    device: Device, reviewed: Callable[..., str]
) -> None:
    rules = replace(preset("classic"), entry_minimum=300, full_house=750).to_json()
    last = bank(1, 1250, throw("155234", "155"), throw("111", "111"), throw("266534", "5"))
    page = reviewed(
        load_finished_game(device, bank(0, 2000, throw("611114", "1111")), last, ruleset=rules, target=2000)
    )
    assert "Where the chance to win is not known, decisions are judged by the points" in page
    assert "26.3% instead of 0.0%." in page
    assert re.findall(r"<t[dh][^>]*>(Chance to win|26.3%|0.0%)</t", page) == ["Chance to win", "26.3%", "0.0%"]


def test_under_rules_without_chances_to_win_points_decide(device: Device, reviewed: Callable[..., str]) -> None:
    wins = {"type": "shot", "player": 1, "throws": [throw("111111", "111111")], "end": "win"}
    page = reviewed(load_finished_game(device, EVENTS[0], wins, ruleset="wikipedia", target=20_000))
    assert "judged by the points" in page
    assert "Chance to win" not in page


def test_real_dice_typed_as_points_leave_nothing_to_judge(device: Device, reviewed: Callable[..., str]) -> None:
    typed = [{"type": "shot", "player": seat, "manual": True, "end": "bank", "points": 5000} for seat in (0, 1)]
    game = load_finished_game(device, *typed)
    assert "Review the game" not in device.page(game)
    page = reviewed(game)
    assert "Turns with real dice cannot be judged where only their points are known." in page
    assert "Nobody made a decision" not in page
    finish = device.page(game)
    assert "accuracy" not in finish and "Review the game" not in finish
    assert ">Review</a>" not in device.page(game, "?at=1")


def test_a_review_in_which_only_the_computer_can_be_judged_is_offered(
    device: Device, reviewed: Callable[..., str]
) -> None:
    typed = {"type": "shot", "player": 0, "manual": True, "end": "bank", "points": 5000}
    game = load_finished_game(device, typed, EVENTS[1], players=("Ana", "*HAL"))
    assert "Review the game" in device.page(game) and ">Review</a>" in device.page(game, "?at=1")
    reviewed(game)
    finish = device.page(game)
    assert "Review the game" in finish and "accuracy" not in finish


def test_a_game_that_ended_before_its_first_throw_says_that_nobody_decided(
    device: Device, reviewed: Callable[..., str]
) -> None:
    game = device.game()
    device.do(game, "delete", do="end")
    assert "Nobody made a decision in this game." in reviewed(game)


@pytest.mark.parametrize("typed_by", [(), (0,), (0, 1)])
def test_practice_is_offered_only_to_players_whose_dice_are_known(
    device: Device, other_device: Device, reviewed: Callable[..., str], typed_by: tuple[int, ...]
) -> None:
    typed = [{"type": "shot", "player": seat, "manual": True, "end": "bank", "points": 1000} for seat in (0, 1)]
    thrown = [[bank(seat, 1000, IN), bank(seat, 100, throw("112346", "1"))] for seat in (0, 1)]  # the 100 is costly
    rounds = zip(*([typed[seat]] * 2 if seat in typed_by else thrown[seat] for seat in (0, 1)), strict=True)
    won = [typed[0] | {"points": 9000}, typed[1]]
    game = device.game(*(turn for turns in rounds for turn in turns), *won, players=("Ana", "Bruno"))
    assert game.is_over
    reviewed(game)
    other_device.takes(game, 1)
    for seat, who in enumerate((device, other_device)):
        review = who.client.get(f"{game.get_absolute_url()}/analysis").content.decode()
        offered = "Practise these" in review, "Practise on positions like yours" in who.page(game)
        assert offered == ((False, False) if seat in typed_by else (True, True))


def test_where_a_turn_can_go_on_for_ever_no_decision_is_judged(device: Device, reviewed: Callable[..., str]) -> None:
    every_die_scores = replace(preset("classic"), singles=(100,) * 6).to_json()
    turn = bank(0, 1200, throw("111223", "11122"))
    game = load_finished_game(device, turn, ruleset=every_die_scores, target=500, players=("Ana",))
    assert "a turn can go on forever without risk" in reviewed(game)
    assert "accuracy" not in device.page(game)


def test_busts_without_dice_are_not_counted_and_the_page_says_so(device: Device, reviewed: Callable[..., str]) -> None:
    typed = {"type": "shot", "player": 0, "manual": True, "end": "bust"}
    page = reviewed(load_finished_game(device, typed, *EVENTS[1:2], *EVENTS[:1], *EVENTS[3:], players=("Ana", "Bruno")))
    assert re.search(r"0 busts, 0\.\d expected", page) and "1 bust" not in page
    assert "cannot be judged where only their points are known." in page


def test_a_player_who_typed_every_turn_has_no_luck_and_no_busts(device: Device, reviewed: Callable[..., str]) -> None:
    typed = [
        {"type": "shot", "player": 0, "manual": True} | end
        for end in ({"end": "bust"}, {"end": "bank", "points": 5000})
    ]
    page = reviewed(load_finished_game(device, typed[0], *EVENTS[1:2], typed[1], EVENTS[3]))
    assert "luck unknown" in page and "1 bust" not in page


def test_the_chart_is_small_however_long_the_game_was(device: Device) -> None:
    game = load_finished_game(device)
    device.client.post(f"{game.get_absolute_url()}/analysis")
    review_game.call(Review.objects.get().pk)
    data = require(Review.objects.get().data)
    falls = [
        [step, step // 3 % 2, step // 6 + 1, 0.5 + step % 7 / 20, 0.01 * (step % 9 - 4), 5.0, 0] for step in range(900)
    ]
    Review.objects.update(data=data | {"throws": falls, "by": "win"})
    page = device.client.get(f"{game.get_absolute_url()}/analysis").content.decode()
    drawn = page[page.index('<svg viewBox="0 0 720') :]
    assert len(drawn[: drawn.index("</svg>")]) < 6 * 1024


def test_the_finish_page_shows_accuracy_luck_and_the_costliest_decisions(
    device: Device, reviewed: Callable[..., str]
) -> None:
    game = load_finished_game(device)
    assert "costliest" not in device.page(game).lower()
    reviewed(game)
    page = device.page(game)
    assert re.search(r"accuracy <b>\d+</b>", page)
    assert "Costliest decisions:" in page and "/analysis?d=" in page
    assert re.search(r'/analysis\?d=\d+#decision"><b dir="auto">(Ana|Bruno)</b> Round \d+, throw \d', page)


def test_a_lone_player_is_called_you_beside_the_figures(
    device: Device, other_device: Device, reviewed: Callable[..., str]
) -> None:
    game = load_finished_game(device, players=("Ana", "*HAL"))
    reviewed(game)
    figures = re.compile(r'<ul class="bars">.*?</i> ([^<]+)</b>.*?</ul>', re.DOTALL)
    for seen in (device.page(game), device.client.get(f"{game.get_absolute_url()}/review").content.decode()):
        assert figures.findall(seen) == ["You"]
    assert figures.findall(other_device.page(game)) == ["Ana"]


def test_a_lone_player_is_called_you_in_the_review(
    device: Device, other_device: Device, reviewed: Callable[..., str]
) -> None:
    game = load_finished_game(device, players=("Ana", "*HAL"))
    own = read_text(reviewed(game, "?all=1"))
    others = read_text(other_device.client.get(f"{game.get_absolute_url()}/analysis?all=1").content.decode())
    assert "Your chance" in own and "Ana" not in own
    assert "Ana’s chance" in others and "Your chance" not in others


def test_the_finish_page_waits_for_a_review_that_is_under_way(device: Device) -> None:
    game = load_almost_finished_game(device)
    device.do(game, "bank", keep=[1, 2, 3])
    assert f'hx-get="{game.get_absolute_url()}/review"' in device.page(game)
    write_reviews()
    part = device.client.get(f"{game.get_absolute_url()}/review").content.decode()
    assert "hx-get" not in part and "accuracy" in part


def test_a_game_that_may_not_be_watched_has_no_review_for_others(device: Device, other_device: Device) -> None:
    game = load_game_with_skip(device)
    Game.objects.filter(pk=game.pk).update(watching=False)
    assert other_device.client.get(f"{game.get_absolute_url()}/analysis").status_code == 404


def test_the_replay_shows_the_marks_with_the_turns(device: Device, reviewed: Callable[..., str]) -> None:
    game = load_finished_game(device)
    reviewed(game)
    page = device.page(game, "?at=1")
    assert re.search(r'<b class="mark-of" aria-hidden="true">\?\?</b>\s*<span class="vh">blunder</span>', page)
    assert 'class="mark-of"' not in device.page(game, "?at=1&choices=hidden")


def test_an_abandoned_game_can_be_reviewed_as_far_as_it_went(device: Device, reviewed: Callable[..., str]) -> None:
    game = load_almost_finished_game(device)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.ABANDONED)
    page = reviewed(game)
    assert page.count('id="decision"') == 1 and "accuracy" in page
    assert device.client.get(f"/practice?game={game.code}").status_code == 200


def test_the_finish_page_reads_the_decisions_only_the_first_time(device: Device, reviewed: Callable[..., str]) -> None:
    """Reading all decisions of a long game takes longer than making the page."""
    game = load_finished_game(device)
    reviewed(game)
    url = game.get_absolute_url()
    assert "accuracy <b>" in device.client.get(url).content.decode()
    with CaptureQueriesContext(connection) as queries:
        assert "accuracy <b>" in device.client.get(f"{url}/board?version=0").content.decode()
    statements = [query["sql"] for query in queries if "game_review" in query["sql"]]
    assert len(statements) == 1 and '"data"' not in statements[0]


@pytest.mark.parametrize("mark", ["?", "??"])
def test_a_review_with_the_number_of_an_older_one_has_its_own_marks(device: Device, mark: str) -> None:
    """That happens after a backup was restored, and here because every test begins with the same numbers."""
    game = device.game()
    Review.objects.create(pk=1, game=game, progress=100, data={"decisions": [{"step": 1, "mark": mark}]})
    assert find_marks(game) == {1: mark}
