"""An evening of a crew: who won how often, with how many points, and who owes whom."""

import csv
import io
import itertools
import random
from collections import Counter
from collections.abc import Hashable
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from game import history
from game.history import evenings
from game.history.evenings import EXACT_MOST, Standing, pay_in, settle_debts, settle_pots
from game.models import Crew, Game
from game.rules import preset
from game.services.crew_seats import seat_people
from game.storage import load_state
from tests.cast import ANA, BRUNO, Device, make_key, reload_game
from tests.views.crews.test_crews import let_in, make_crew, read_words, reload_crew, send_list

pytestmark = pytest.mark.django_db
CHLOE = "Chloé"
EVENING = datetime(2026, 3, 13, 20, tzinfo=UTC)


def make_turn(player: int, points: int = 0) -> dict[str, object]:
    """Return a turn with real dice: a bank of these points, or a bust for 0."""
    return {"type": "shot", "player": player, "manual": True} | (
        {"end": "bank", "points": points} if points else {"end": "bust"}
    )


def play_game(
    device: Device,
    crew: Crew,
    winner: str,
    *names: str,
    at: datetime = EVENING,
    ruleset: str | dict[str, object] = "pot",
    rounds: int = 0,
) -> Game:
    """Return a finished game of people of the crew, the winner in seat 0.

    Everybody gets on the board, busts `rounds` times, and then the winner reaches 2,000.
    """
    names = (winner, *(name for name in names if name != winner))
    people = {person.name: person.pk for person in crew.people.all()}
    seats = range(len(names))
    begun = [make_turn(seat, 1000) for seat in seats] + [make_turn(seat) for _ in range(rounds) for seat in seats]
    last = [make_turn(seat, 1000 if names[seat] == winner else 0) for seat in seats]
    game = device.game(*begun, *last, players=names, ruleset=ruleset, target=2000)
    seat_people(game, [people.get(name) for name in names])
    Game.objects.filter(pk=game.pk).update(created=at)
    assert reload_game(game).status == Game.Status.FINISHED
    return reload_game(game)


def find_address(crew: Crew, game: Game) -> str:
    return f"{crew.get_absolute_url()}/evening/{game.code}"


def load_table(device: Device, crew: Crew, game: Game) -> list[dict[str, str]]:
    answer = device.client.get(find_address(crew, game) + ".csv")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_the_end_of_a_game_leads_the_crew_alone_to_its_evening(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO)
    other_device.takes(game, 1)
    link = f'<a href="{find_address(crew, game)}">The evening so far</a>'
    assert link in device.page(game) and link not in other_device.page(game)
    let_in(crew, other_device, device)
    assert link in other_device.page(game) and link not in Device().page(game)
    assert "The evening so far" not in device.page(device.game(make_turn(0, 1000), players=(ANA,), target=1000))


def test_no_link_of_an_evening_leads_to_a_game_that_only_its_players_may_see(
    device: Device, other_device: Device
) -> None:
    crew = make_crew(device, ANA, BRUNO)
    let_in(crew, other_device, device)
    game = play_game(device, crew, ANA, ANA, BRUNO)
    link = f'href="{game.get_absolute_url()}"'
    for watching, links in ((True, 2), (False, 0)):
        Game.objects.update(watching=watching)
        assert other_device.client.get(find_address(crew, game)).content.decode().count(link) == links
        assert device.client.get(find_address(crew, game)).content.decode().count(link) == 2


def test_what_the_players_paid_in_adds_up_to_the_pot(device: Device) -> None:
    game = play_game(device, make_crew(device, ANA, BRUNO), ANA, ANA, BRUNO, rounds=3)
    busts = history.count_board_busts([game])
    assert sum(pay_in(game, player, busts) for player in game.seats) == load_state(game).pot > 0


@pytest.mark.parametrize(("stakes", "lost"), [({"bust_penalty": 0}, "-0.25"), ({"ante": 0}, "-0.05")])
def test_an_ante_or_a_price_of_busts_alone_makes_a_pot(device: Device, stakes: dict[str, int], lost: str) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO, ruleset={**preset("pot").to_json(), **stakes})
    assert {row["player"]: row["pot USD"] for row in load_table(device, crew, game)}[BRUNO] == lost


@pytest.mark.parametrize(("currency", "lost"), [("JPY", "30"), ("KWD", "0.030")])
def test_what_is_owed_has_the_decimals_of_its_currency(device: Device, currency: str, lost: str) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO, ruleset={**preset("pot").to_json(), "currency": currency})
    assert {row["player"]: row[f"pot {currency}"] for row in load_table(device, crew, game)}[BRUNO] == f"-{lost}"
    assert f"{BRUNO} pays {ANA} {lost} {currency}." in read_words(device.client.get(find_address(crew, game)))


def test_wins_points_and_the_pot_of_an_evening_are_added_up(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO, CHLOE)
    first = play_game(device, crew, ANA, ANA, BRUNO, CHLOE)
    play_game(device, crew, BRUNO, ANA, BRUNO, at=EVENING + timedelta(hours=5), rounds=1)
    rows = {row["player"]: row for row in load_table(device, crew, first)}
    assert [(rows[name]["wins"], rows[name]["points"]) for name in (ANA, BRUNO, CHLOE)] == [
        ("1", "3000"),
        ("1", "3000"),
        ("0", "1000"),
    ]
    assert [rows[name]["game 2"] for name in (ANA, BRUNO, CHLOE)] == ["1000", "2000", ""]
    assert sum(round(100 * float(row["pot USD"])) for row in rows.values()) == 0
    assert float(rows[CHLOE]["pot USD"]) < 0


def test_two_winners_of_a_game_share_the_win_in_the_list_of_an_evening(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    rules = {**preset("classic").to_json(), "tie": "shared"}
    game = device.game(*(make_turn(seat, 1000) for seat in (0, 1, 0, 1)), ruleset=rules, target=2000)
    seat_people(game, [person.pk for person in crew.people.order_by("pk")])
    assert reload_game(game).status == Game.Status.FINISHED
    assert "Ana and Bruno share the win" in read_words(device.client.get(find_address(crew, game)))


def test_each_game_of_an_evening_has_its_number_and_a_target_of_its_own(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    play_game(device, crew, ANA, ANA, BRUNO, ruleset="classic")
    rules = {**preset("classic").to_json(), "target": 2000, "name": "Ours", "slug": "ours"}
    game = play_game(device, crew, BRUNO, ANA, BRUNO, ruleset=rules)
    page = read_words(device.client.get(find_address(crew, game)))
    assert "Game 1: Classic 10,000, to 2,000 Ana won Game 2: Ours Bruno won" in page


def test_an_evening_goes_past_midnight_and_ends_with_a_gap_of_six_hours(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    games = [
        play_game(device, crew, ANA, ANA, BRUNO, at=EVENING + timedelta(hours=hours), ruleset="classic")
        for hours in (0, 3, 6, 13)
    ]
    page = read_words(device.client.get(crew.get_absolute_url()))
    assert "3 games" in page and "1 game " in page
    assert {"game 1", "game 2", "game 3"} <= set(load_table(device, crew, games[2])[0])
    assert "game 2" not in load_table(device, crew, games[3])[0]


def test_a_game_that_waited_since_noon_belongs_to_the_evening_on_which_it_began(
    device: Device, other_device: Device
) -> None:
    crew = make_crew(device, ANA, BRUNO)
    device.client.cookies["name"] = ANA
    send_list(device, crew, do="invite")
    waited = Game.objects.get()
    Game.objects.update(created=waited.created - timedelta(hours=9))
    other_device.sit(waited, player=str(waited.players.get(name=BRUNO).pk))
    assert device.do(waited, "start").status_code == 303
    following = play_game(device, crew, ANA, ANA, BRUNO, at=waited.created + timedelta(hours=1))
    Game.objects.update(status=Game.Status.FINISHED)
    assert {"game 1", "game 2"} <= set(load_table(device, crew, following)[0])


def test_a_renamed_person_counts_as_one_person_of_the_evening(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    before = play_game(device, crew, ANA, ANA, BRUNO)
    people = [str(person.pk) for person in crew.people.all()]
    send_list(device, crew, name=["Oma", BRUNO], person=people)
    play_game(device, reload_crew(crew), "Oma", "Oma", BRUNO, at=EVENING + timedelta(hours=1))
    assert [(row["player"], row["wins"]) for row in load_table(device, crew, before)] == [("Oma", "2"), (BRUNO, "0")]


def test_a_latecomer_who_was_listed_later_counts_as_one_person_of_the_evening(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    came = play_game(device, crew, CHLOE, ANA, BRUNO, CHLOE)
    send_list(device, crew, CHLOE)
    play_game(device, reload_crew(crew), CHLOE, ANA, BRUNO, CHLOE, at=EVENING + timedelta(hours=1))
    rows = [(row["player"], row["wins"]) for row in load_table(device, crew, came)]
    assert rows == [(CHLOE, "2"), (ANA, "0"), (BRUNO, "0")]


def test_a_guest_who_typed_wide_letters_once_counts_as_one_person_of_the_evening(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO, CHLOE)
    play_game(device, crew, BRUNO, BRUNO, "ＣＨＬＯÉ", at=EVENING + timedelta(hours=1))
    assert [row["player"] for row in load_table(device, crew, game)] == [BRUNO, ANA, CHLOE]


def test_somebody_listed_again_after_a_removal_counts_as_one_person_of_the_evening(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    before = play_game(device, crew, ANA, ANA, BRUNO)
    send_list(device, crew, do="remove-1")
    send_list(device, reload_crew(crew), ANA)
    play_game(device, reload_crew(crew), ANA, ANA, BRUNO, at=EVENING + timedelta(hours=1))
    assert [(row["player"], row["wins"]) for row in load_table(device, crew, before)] == [(ANA, "2"), (BRUNO, "0")]


def test_a_guest_with_the_name_of_somebody_in_the_same_game_has_a_row_of_their_own(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO, CHLOE)
    people = [str(person.pk) for person in crew.people.all()]
    send_list(device, crew, name=[ANA, CHLOE], person=people)
    assert [row["player"] for row in load_table(device, crew, game)] == [ANA, CHLOE, CHLOE]


def test_a_guest_who_sat_before_somebody_of_the_same_name_is_somebody_else(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, CHLOE, CHLOE, ANA, BRUNO)
    people = [str(person.pk) for person in crew.people.all()]
    send_list(device, crew, name=[ANA, CHLOE], person=people)
    play_game(device, reload_crew(crew), CHLOE, CHLOE, ANA, at=EVENING + timedelta(hours=1))
    rows = [(row["player"], row["points"], row["wins"]) for row in load_table(device, crew, game)]
    assert rows == [(CHLOE, "3000", "1"), (CHLOE, "2000", "1"), (ANA, "2000", "0")]


def test_people_taken_off_the_list_stay_in_past_evenings(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO)
    send_list(device, crew, do="remove-1")
    assert ANA in read_words(device.client.get(find_address(crew, game)))


def test_a_rematch_belongs_to_the_same_evening(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO)
    device.do(game, "rematch")
    following = Game.objects.get(follows=game)
    assert following.players.filter(crew_seat__person__crew=crew).count() == 2


def test_a_game_begun_with_the_same_people_instead_of_another_belongs_to_the_same_evening(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    send_list(device, crew, do="start")
    device.client.post("/again", {"key": make_key()})
    again = Game.objects.latest("pk")
    assert again.players.filter(crew_seat__person__crew=crew).count() == 2
    Game.objects.filter(pk=again.pk).update(status=Game.Status.FINISHED)
    assert {row["player"] for row in load_table(device, crew, again)} == {ANA, BRUNO}


def test_the_page_says_who_pays_whom(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO)
    page = read_words(device.client.get(find_address(crew, game)))
    assert "Bruno pays Ana" in page
    assert "Everybody is even." not in page


def test_a_pot_that_nobody_won_goes_back_to_those_who_paid(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    out = [{"type": "out", "player": seat} for seat in (0, 1)]
    game = device.game(make_turn(0, 1000), make_turn(1, 1000), make_turn(0), *out, ruleset="pot")
    seat_people(game, [person.pk for person in crew.people.order_by("pk")])
    assert reload_game(game).status == Game.Status.FINISHED and load_state(reload_game(game)).pot > 0
    page = read_words(device.client.get(find_address(crew, game)))
    assert ANA in page and " pays " not in page
    assert {row["wins"] for row in load_table(device, crew, game)} == {"0"}


def test_a_pot_that_nobody_won_leaves_debts_for_another_pot_unchanged(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    won = play_game(device, crew, ANA, ANA, BRUNO)
    owed = [row["pot USD"] for row in load_table(device, crew, won)]
    game = device.game(*({"type": "out", "player": seat} for seat in (0, 1)), ruleset="pot")
    seat_people(game, [person.pk for person in crew.people.order_by("pk")])
    Game.objects.filter(pk=game.pk).update(created=EVENING + timedelta(hours=1))
    assert "game 2" in load_table(device, crew, won)[0]
    assert [row["pot USD"] for row in load_table(device, crew, won)] == owed


def test_the_rules_are_named_in_the_readers_language(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO)
    device.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert "Der Topf" in read_words(device.client.get(find_address(crew, game)))


def test_no_spreadsheet_reads_a_name_as_a_formula(device: Device) -> None:
    name = "=1+1"
    crew = make_crew(device, name, BRUNO)
    game = play_game(device, crew, name, name, BRUNO)
    assert load_table(device, crew, game)[0]["player"] == "'=1+1"


@pytest.mark.parametrize(
    ("zone", "day"), [("", "03-13"), ("Europe/Kyiv", "03-14"), ("America/New_York", "03-13"), ("../nowhere", "03-13")]
)
def test_the_table_of_an_evening_is_saved_under_the_readers_day(device: Device, zone: str, day: str) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO, at=datetime(2026, 3, 13, 23, 30, tzinfo=UTC))
    answer = device.client.get(find_address(crew, game) + ".csv", {"zone": zone})
    assert answer["Content-Disposition"] == f'attachment; filename="ten-thousand-evening-2026-{day}.csv"'


def test_only_holder_and_members_see_an_evening(device: Device, other_device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO)
    assert other_device.client.get(find_address(crew, game))["Location"] == crew.get_absolute_url()
    assert other_device.client.get(find_address(crew, game) + ".csv").status_code == 404
    let_in(crew, other_device, device)
    assert ANA in read_words(other_device.client.get(find_address(crew, game)))
    assert device.client.get(find_address(crew, game)[:-1] + "_").status_code == 404


def test_more_games_cost_no_more_queries(device: Device) -> None:
    crew = make_crew(device, ANA, BRUNO)
    game = play_game(device, crew, ANA, ANA, BRUNO, rounds=1)

    def count_queries(url: str) -> int:
        with CaptureQueriesContext(connection) as statements:
            device.client.get(url)
        return len(statements)

    before = [count_queries(url) for url in (find_address(crew, game), crew.get_absolute_url(), "/crews")]
    for hours in range(1, 5):
        play_game(device, crew, BRUNO, ANA, BRUNO, at=EVENING + timedelta(hours=hours), rounds=1)
    assert [count_queries(url) for url in (find_address(crew, game), crew.get_absolute_url(), "/crews")] == before
    assert max(before) <= 12


# ── settling ──


def count_fewest(balances: list[int]) -> int:
    """Return the fewest payments, by trying every way to divide the people into groups whose balances add up to 0."""
    people = [coins for coins in balances if coins]
    if not people:
        return 0
    first, rest = people[0], people[1:]
    return min(
        size + count_fewest([coins for n, coins in enumerate(rest) if n not in chosen])
        for size in range(1, len(rest) + 1)
        for chosen in itertools.combinations(range(len(rest)), size)
        if first + sum(rest[n] for n in chosen) == 0
    )


@pytest.mark.parametrize("seed", range(40))
def test_pots_are_settled_with_the_fewest_payments(seed: int) -> None:
    chance = random.Random(seed)
    balances = [chance.randint(-4, 4) for _ in range(chance.randint(1, 6))]
    balances.append(-sum(balances))
    payments = settle_debts(dict(enumerate(balances)), EXACT_MOST)
    left = list(balances)
    for payer, payee, coins in payments:
        assert coins > 0
        left[payer] += coins
        left[payee] -= coins
    assert not any(left)
    assert len(payments) == count_fewest(balances)


def test_nineteen_people_are_settled_with_fewer_payments_than_people() -> None:
    balances = {n: n - 9 for n in range(19)}
    payments = settle_debts(balances, EXACT_MOST)
    assert len(payments) < 19
    assert all(coins > 0 for _payer, _payee, coins in payments)


@pytest.mark.parametrize(("currencies", "people"), [(2, 12), (3, 12), (100, 4), (100, 8), (2_000, 2)])
def test_an_evening_in_many_currencies_is_settled_with_no_more_work_than_one(
    currencies: int, people: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets: list[int] = []

    def find_one_group(amounts: list[int]) -> list[list[int]]:
        sets.append(2 ** len(amounts))
        return [[*range(len(amounts))]]

    monkeypatch.setattr(evenings, "find_even_groups", find_one_group)
    pots = [Counter({f"{currency}": coins for currency in range(currencies)}) for coins in (-10, 10)]
    standings: dict[Hashable, Standing] = {n: Standing(f"{n}", pot=pots[n % 2]) for n in range(people)}
    assert len(list(settle_pots(standings))) == currencies * people // 2
    assert sum(sets) <= 2**EXACT_MOST


@pytest.mark.parametrize("balances", [[-25, -25], [25], [-30, 10, 10], [40, -10, -10]])
def test_balances_that_do_not_add_up_are_settled_as_far_as_possible(balances: list[int]) -> None:
    payments = settle_debts(dict(enumerate(balances)), EXACT_MOST)
    assert sum(coins for _payer, _payee, coins in payments) == min(
        sum(coins for coins in balances if coins > 0), -sum(coins for coins in balances if coins < 0)
    )
