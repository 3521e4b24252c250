"""The page of a game that has not started, for the host, a guest and a spectator with the link."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from game.models import Game, RulesetRow
from tests.cast import ANA, BRUNO, Device, Response, let_time_pass, make_key, reload_game
from tests.words import read_text


@pytest.fixture
def game(device: Device) -> Game:
    return device.waiting_game()


def change_seats(device: Device, game: Game, do: str, name: str = "", **data: Any) -> int:
    if name and "player" not in data and do not in ("add", "free", "computer"):
        data["player"] = game.players.get(name=name).pk
    sent: dict[str, Any] = {"do": do, "waiting": "1", "name": data.pop("to", name)} | data
    return device.do(game, "seats", **sent).status_code


def list_names(game: Game) -> list[str]:
    return list(game.players.order_by("seat").values_list("name", flat=True))


# ── making a game that waits ──


def test_friends_are_one_tap_from_the_home_page(client: Client, db: None) -> None:
    assert "/new?for=friends" in client.get("/").content.decode()
    assert "Create game" in client.get("/new?for=friends").content.decode()


def test_create_game_makes_a_game_that_waits(device: Device) -> None:
    form = {"key": make_key(), "ruleset": "classic", "name": ["Ana"], "level": [""], "wait": "1"}
    answer = device.client.post("/new", form)
    game = Game.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, game.get_absolute_url())
    assert game.status == Game.Status.WAITING
    assert "Waiting for your friends" in device.page(game)


def test_start_makes_a_game_that_begins_at_once(device: Device) -> None:
    form = {"key": make_key(), "ruleset": "classic", "name": ["Ana", "Bruno"], "level": ["", ""]}
    device.client.post("/new", form)
    assert Game.objects.get().status == Game.Status.RUNNING


def test_too_many_players_for_the_rules_are_refused_before_friends_come(device: Device) -> None:
    names_ = ["Ana", "Bruno", "Chloé"]
    form = {"key": make_key(), "ruleset": "greed", "name": names_, "level": [""] * 3, "wait": "1"}
    assert device.client.post("/new", form).status_code == 422


# ── who sees what ──


def test_without_a_script_a_change_leads_back_to_the_seats(game: Game, device: Device) -> None:
    answer = device.do(game, "seats", waiting="1", do="add", name="Dana")
    assert answer["Location"] == f"{game.get_absolute_url()}#seats"


def test_the_host_sees_the_invite_and_what_keeps_the_game_from_starting(game: Game, device: Device) -> None:
    change_seats(device, game, "free", "Chloé")
    page = device.page(game)
    assert f"/j/{game.invite.token}" in page
    assert "Nobody has taken Chloé’s seat yet. Wait, or remove it." in read_text(page)
    assert re.search(r'id="start" aria-disabled="true"', page)


def test_one_of_the_people_at_the_hosts_device_is_marked_as_host(device: Device) -> None:
    page = device.page(device.waiting_game(ANA, BRUNO))
    assert page.count('<b class="tag">host</b>') == 1


def test_guests_can_change_only_their_own_seats(game: Game, other_device: Device) -> None:
    other_device.sit(game)
    page = other_device.page(game)
    ana, bruno = (game.players.get(name=name).pk for name in ("Ana", BRUNO))
    assert "Ana starts the game when everyone’s here." in read_text(page)
    assert f'id="name-{bruno}"' in page and f'id="word-{bruno}"' in page and "Leave" in page
    assert f'id="name-{ana}"' not in page and 'id="start"' not in page and 'id="add"' not in page


def test_a_guest_who_lets_a_computer_play_reads_so_and_how_to_play_again(game: Game, other_device: Device) -> None:
    other_device.sit(game)
    change_seats(other_device, game, "rename", BRUNO, to=f"*{BRUNO}")
    page = read_text(other_device.page(game))
    assert "You’re not playing" in page and "You’re in!" not in page
    assert "To play yourself, take the star off a computer’s name." in page
    change_seats(other_device, game, "rename", f"*{BRUNO}", to=BRUNO)
    assert "You’re in!" in read_text(other_device.page(game))


def test_a_guest_who_plays_beside_a_computer_of_theirs_is_in(game: Game, other_device: Device) -> None:
    for name in (BRUNO, "Chloé"):
        other_device.sit(game, name)
    change_seats(other_device, game, "rename", BRUNO, to=f"*{BRUNO}")
    page = read_text(other_device.page(game))
    assert "You’re in!" in page and "You’re not playing" not in page


def test_whoever_left_their_own_seat_to_computers_alone_reads_that_they_are_not_playing(
    game: Game, device: Device, other_device: Device
) -> None:
    other_device.sit(game)
    for name in ("*HAL", "*Eve"):
        change_seats(device, game, "computer", name)
    device.do(game, "host", seat=1)
    change_seats(device, game, "remove", ANA)
    page = read_text(device.page(game))
    assert "You’re not playing" in page and "your seat" not in page
    assert "To play yourself, take the star off a computer’s name." in page
    change_seats(device, game, "rename", "*HAL", to="HAL")
    assert "You’re in!" in read_text(device.page(game))


def test_a_spectator_is_told_how_to_join(game: Game, other_device: Device) -> None:
    page = other_device.page(game)
    assert "Want to play? Ask Ana for the invite link." in read_text(page)
    assert "<form" not in page.split("<main")[1].split("</main")[0]


def test_the_link_to_watch_can_be_copied_by_hand(game: Game, device: Device) -> None:
    assert f"testserver{game.get_absolute_url()}" in read_text(device.page(game))


def test_everybody_sees_the_seal(game: Game, device: Device, other_device: Device) -> None:
    seal = game.seeds.get().seal
    assert all(seal in page for page in (device.page(game), other_device.page(game)))


def test_nobody_sees_the_words_of_others(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game)
    player = game.players.get(name=BRUNO).pk
    other_device.do(game, "word", player=player, word="Otternase")
    assert "Otternase" in other_device.page(game)
    assert "Otternase" not in device.page(game)


def test_a_game_closed_to_spectators_shows_them_no_page(game: Game, device: Device, other_device: Device) -> None:
    device.do(game, "watching", allowed="0")
    assert other_device.client.get(game.get_absolute_url()).status_code == 404
    assert "Only players can see this game." in read_text(device.page(game))


# ── what can be done before the start ──


@pytest.mark.parametrize(("htmx", "header"), [(True, "HX-Redirect"), (False, "Location")])
def test_a_guest_who_leaves_a_game_closed_to_spectators_comes_to_their_games(
    game: Game, device: Device, other_device: Device, htmx: bool, header: str
) -> None:
    other_device.sit(game)
    device.do(game, "watching", allowed="0", waiting="1")
    seat = game.players.get(name=BRUNO).pk
    left = other_device.do(game, "seats", htmx=htmx, waiting="1", do="remove", player=seat)
    assert "You have left the game." in read_text(other_device.client.get(left.headers[header]).content.decode())
    assert list_names(game) == [ANA]


@pytest.mark.parametrize(("htmx", "header"), [(True, "HX-Redirect"), (False, "Location")])
def test_a_press_on_leave_that_is_sent_again_leads_to_the_same_list(
    game: Game, device: Device, other_device: Device, htmx: bool, header: str
) -> None:
    other_device.sit(game)
    device.do(game, "watching", allowed="0", waiting="1")
    form = {"key": make_key(), "waiting": "1", "do": "remove", "player": game.players.get(name=BRUNO).pk}
    first, again = (other_device.do(game, "seats", htmx=htmx, **form) for _press in range(2))
    assert again.headers[header] == first.headers[header] == "/games?done=left"


def test_the_host_fills_the_table(game: Game, device: Device) -> None:
    for do, name in (("add", "Dana"), ("free", "Chloé"), ("computer", ""), ("add", "")):
        assert change_seats(device, game, do, name) == 303
    assert list_names(game) == ["Ana", "Dana", "Chloé", "*HAL", "Player 5"]


def test_a_computer_gets_the_level_that_was_chosen(game: Game, device: Device) -> None:
    change_seats(device, game, "computer", level="bold")
    assert game.players.exclude(level="").get().level == "bold"
    assert "computer (Bold)" in read_text(device.page(game))


def test_seats_are_ordered_renamed_and_removed(game: Game, device: Device) -> None:
    change_seats(device, game, "add", "Dana")
    change_seats(device, game, "up", "Dana")
    assert list_names(game) == ["Dana", "Ana"]
    change_seats(device, game, "down", "Dana")
    change_seats(device, game, "rename", "Dana", to="Dora")
    assert list_names(game) == ["Ana", "Dora"]
    change_seats(device, game, "remove", "Dora")
    assert list_names(game) == ["Ana"]


@pytest.mark.parametrize(
    ("typed", "name"), [("Hector", "*Hector"), ("* Hector", "*Hector"), ("*", "*Wintermute"), ("HAL", "*HAL")]
)
def test_a_computer_renamed_without_its_star_stays_a_computer(
    game: Game, device: Device, typed: str, name: str
) -> None:
    change_seats(device, game, "computer", level="bold")
    player = game.players.exclude(level="").get()
    assert change_seats(device, game, "rename", to=typed, player=player.pk) == 303
    assert list_names(game) == ["Ana", name]
    assert "computer (Bold)" in read_text(device.page(game))


def test_a_lone_star_makes_a_person_a_computer_with_a_name(game: Game, device: Device) -> None:
    assert change_seats(device, game, "rename", "Ana", to="*") == 303
    assert list_names(game) == ["*HAL"]


def test_a_star_typed_by_mistake_is_taken_away_again(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game)
    for typed, name in ((f"*{BRUNO}", f"*{BRUNO}"), ("*", "*HAL"), (BRUNO, f"*{BRUNO}"), (BRUNO, BRUNO)):
        assert change_seats(other_device, game, "rename", game.players.get(seat=1).name, to=typed) == 303
        assert list_names(game) == ["Ana", name]
    assert not game.players.get(seat=1).level


def test_a_computer_is_not_renamed_to_nothing(game: Game, device: Device) -> None:
    change_seats(device, game, "computer", level="bold")
    player = game.players.exclude(level="").get()
    assert change_seats(device, game, "rename", to=" ", player=player.pk) == 422


def test_the_host_changes_the_target(game: Game, device: Device) -> None:
    device.do(game, "target", target="5000", waiting="1")
    assert "to 5,000 · dice on screen" in read_text(device.page(game))


@pytest.mark.parametrize("target", ["0", "999", "1025", "1e4", "²", "9" * 5000])
def test_a_bad_target_is_refused_in_words(game: Game, device: Device, target: str) -> None:
    answer = device.do(game, "target", target=target, waiting="1")
    assert answer.status_code == 422
    assert "Choose a target from 100 to 100,000 in steps of 50." in read_text(answer.content.decode())


WALES = "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"


@pytest.mark.parametrize(
    ("word", "kept"),
    [
        ("  alice ", "alice"),
        ("Bu\u0308ro", "Büro"),
        ("", ""),
        ("x" * 64, "x" * 64),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        (WALES, WALES),
        ("می\u200cروم", "می\u200cروم"),
        ("<b>", "<b>"),
    ],
)
def test_a_word_is_kept_as_typed(game: Game, device: Device, word: str, kept: str) -> None:
    player = game.players.get()
    assert device.do(game, "word", player=player.pk, word=word).status_code == 303
    player.refresh_from_db()
    assert player.word == kept


@pytest.mark.parametrize("word", ["x" * 65, "a\x00b", "a\nb", "\u202ea", "a\u200bb", "a\u200cb", "\ufffd", "\ue000"])
def test_a_word_that_cannot_be_typed_again_is_refused(game: Game, device: Device, word: str) -> None:
    player = game.players.get()
    assert device.do(game, "word", player=player.pk, word=word).status_code == 422
    player.refresh_from_db()
    assert player.word == ""


@pytest.mark.parametrize(
    ("do", "data"),
    [
        ("dance", {}),
        ("rename", {}),
        ("rename", {"player": "x"}),
        ("up", {"player": "-1"}),
        ("remove", {"player": "１"}),
    ],
)
def test_nonsense_about_seats_changes_nothing(game: Game, device: Device, do: str, data: dict[str, Any]) -> None:
    assert device.do(game, "seats", do=do, waiting="1", **data).status_code == 400
    assert list_names(game) == ["Ana"]


def test_the_rules_can_be_changed_until_the_start(game: Game, device: Device) -> None:
    assert device.do(game, "rules", ruleset="farkle", waiting="1").status_code == 303
    row = reload_game(game)
    assert (row.rules.slug, row.target) == ("farkle", row.rules.target)
    assert "Farkle" in read_text(device.page(game))


@pytest.mark.parametrize("ruleset", ["nothing", "9223372036854775808", "classic\0", "greed"])
def test_rules_that_are_not_on_offer_are_refused(game: Game, device: Device, ruleset: str) -> None:
    RulesetRow.objects.filter(slug="greed").update(retired="2026-01-01T00:00Z")
    refused = device.do(game, "rules", ruleset=ruleset, waiting="1")
    assert refused.status_code == 422
    assert "Choose a ruleset from this page." in read_text(refused.content.decode())
    assert reload_game(game).rules.slug == "classic"


def test_choosing_the_same_rules_again_keeps_the_target(game: Game, device: Device) -> None:
    device.do(game, "target", target="5000", waiting="1")
    device.do(game, "rules", ruleset="classic", waiting="1")
    assert reload_game(game).target == 5000


def test_rules_for_fewer_players_than_have_seats_are_refused(game: Game, device: Device) -> None:
    small = RulesetRow.objects.get(slug="farkle", latest=True)
    RulesetRow.objects.filter(pk=small.pk).update(settings=small.settings | {"max_players": 2})
    change_seats(device, game, "add", "Dana")
    assert device.do(game, "rules", ruleset="farkle", waiting="1").status_code == 303
    change_seats(device, game, "remove", "Dana")
    device.do(game, "rules", ruleset="classic", waiting="1")
    for name in ("Dana", "Chloé"):
        change_seats(device, game, "add", name)
    refused = device.do(game, "rules", ruleset="farkle", waiting="1")
    assert refused.status_code == 409
    assert "These rules are for at most 2 players." in read_text(refused.content.decode())


def test_the_start_leads_to_the_dice(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game)
    assert device.do(game, "start").status_code == 303
    assert "Your turn, Ana" in device.page(game)
    assert "Ana’s turn" in other_device.page(game)


def test_an_impossible_start_says_why(device: Device) -> None:
    game = device.waiting_game(ruleset="greed")
    answer = device.do(game, "start")
    assert answer.status_code == 409
    assert "Add 1 more player to start." in read_text(answer.content.decode())
    assert reload_game(game).status == Game.Status.WAITING


def test_after_a_refusal_the_settings_are_open(device: Device) -> None:
    game = device.waiting_game(ANA)
    assert '<details id="settings" class="panel">' in device.page(game)
    refused = device.do(game, "seats", do="add", name="ana", waiting="1")
    assert refused.status_code == 422
    assert '<details id="settings" class="panel" open>' in refused.content.decode()


def test_the_host_reads_how_many_players_the_rules_still_need(device: Device) -> None:
    row = RulesetRow.objects.get(slug="farkle", latest=True)
    RulesetRow.objects.filter(pk=row.pk).update(settings=row.settings | {"min_players": 4})
    game = device.waiting_game(ANA, BRUNO, ruleset="farkle")
    page = read_text(device.page(game))
    assert "Add 2 more players to start." in page and "2 of 4 ready" in page
    assert "Ready to start" not in page and "Everyone’s here. Add" not in page
    for name in ("Chloé", "Dora"):
        change_seats(device, game, "add", name)
    page = read_text(device.page(game))
    assert "Ready to start" in page and "4 of 4 ready" in page


def test_the_host_waits_for_nobody_once_every_friend_is_there(device: Device, other_device: Device) -> None:
    game = device.waiting_game()
    assert "Waiting for your friends" in device.page(game)
    other_device.sit(game)
    other_device.page(game)
    page = read_text(device.page(game))
    assert "2 of 2 ready" in page and "Ready to start" in page
    assert "Press Start, or share the invite with more friends." in page


@pytest.mark.parametrize("seats_most", [2, 8])
def test_the_host_waits_for_a_friend_who_went_away(device: Device, other_device: Device, seats_most: int) -> None:
    row = RulesetRow.objects.get(slug="farkle", latest=True)
    RulesetRow.objects.filter(pk=row.pk).update(settings=row.settings | {"max_players": seats_most})
    game = device.waiting_game(ruleset="farkle")
    other_device.sit(game)
    let_time_pass(game, seen=timedelta(minutes=1))
    html = device.page(game)
    page = read_text(html)
    assert "Waiting for your friends" in page and "Ready to start" not in page
    assert "1 of 2 ready" in page and len(re.findall(r"dot away|>away<", html)) == 2


def test_a_friend_who_sits_down_is_there_before_their_page_is_heard_of(
    game: Game, device: Device, other_device: Device
) -> None:
    change_seats(device, game, "free", "Chloé")
    let_time_pass(game, seen=timedelta(minutes=1))
    other_device.sit(game)
    Device().sit(game, player=game.players.get(name="Chloé").pk)
    page = read_text(device.page(game))
    assert "3 of 3 ready" in page and " away " not in page


def test_a_host_whose_table_is_full_is_not_told_to_invite_more_friends(device: Device, other_device: Device) -> None:
    row = RulesetRow.objects.get(slug="farkle", latest=True)
    RulesetRow.objects.filter(pk=row.pk).update(settings=row.settings | {"max_players": 2})
    game = device.waiting_game(ruleset="farkle")
    other_device.sit(game)
    other_device.page(game)
    page = read_text(device.page(game))
    assert "Everyone’s here. Add words to the dice" in page and "more friends" not in page


def test_rules_for_one_player_are_refused_in_the_singular(device: Device) -> None:
    row = RulesetRow.objects.get(slug="farkle", latest=True)
    RulesetRow.objects.filter(pk=row.pk).update(settings=row.settings | {"max_players": 1, "min_players": 1})
    game = device.waiting_game(ANA, BRUNO)
    refused = device.do(game, "rules", ruleset="farkle", waiting="1")
    assert "These rules are for at most 1 player." in read_text(refused.content.decode())


def test_a_host_who_is_alone_is_told_to_wait_or_to_play_alone(device: Device) -> None:
    game = device.waiting_game()
    page = device.page(game)
    assert "Nobody else is here yet. Wait, or play alone." in page and "Play alone" in page
    assert device.do(game, "start").status_code == 409
    assert device.do(game, "start", alone="1").status_code == 303
    assert reload_game(game).status == Game.Status.RUNNING


def test_a_host_with_guests_is_not_offered_to_play_alone(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game)
    assert "Play alone" not in device.page(game)


def test_a_host_without_a_seat_cannot_begin_a_game_of_one_guest(
    game: Game, device: Device, other_device: Device
) -> None:
    other_device.sit(game)
    device.do(game, "seats", do="remove", player=reload_game(game).seats[0].pk, waiting="1")
    page = read_text(device.page(game))
    assert "Only Bruno is here. Wait for more players, or take a seat yourself." in page and "Play alone" not in page
    assert device.do(game, "start", alone="1").status_code == 409
    assert reload_game(game).status == Game.Status.WAITING


def test_the_host_makes_a_guest_host(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game)
    assert "Make host: Bruno" in device.page(game) and "Make host: Ana" not in device.page(game)
    assert device.do(game, "host", seat="1", waiting="1").status_code == 303
    assert 'id="start"' in other_device.page(game) and 'id="start"' not in device.page(game)


# ── with scripts ──


def test_a_change_answers_with_all_regions(game: Game, device: Device) -> None:
    answer = device.do(game, "seats", htmx=True, do="computer", waiting="1")
    regions = set(re.findall(r'id="(\w+)"[^>]*hx-swap-oob', answer.content.decode()))
    assert regions >= {"banner", "say", "seats", "begin", "people", "words"}


def test_the_answer_says_what_was_saved(game: Game, device: Device) -> None:
    player = game.players.get(seat=0).pk
    answer = device.do(game, "word", htmx=True, player=player, word="Otter", waiting="1")
    assert "Your word is in the dice." in read_text(answer.content.decode())
    answer = device.do(game, "links", htmx=True, waiting="1")
    assert "There is a new invite link." in read_text(answer.content.decode())


def read_announcement(answer: Response) -> str:
    live = re.search(r'<div id="live"[^>]*>(.*?)</div>', answer.content.decode(), re.DOTALL)
    return html.unescape(live[1]) if live else ""


@pytest.mark.parametrize(
    ("do", "form", "names"),
    [
        ("computer", {}, "Ana, Bruno and *HAL"),
        ("free", {"name": "Chloé"}, "Ana, Bruno and Chloé"),
        ("rename", {"player": BRUNO, "name": "Bea"}, "Ana and Bea"),
        ("up", {"player": BRUNO}, "Bruno and Ana"),
        ("down", {"player": ANA}, "Bruno and Ana"),
        ("remove", {"player": BRUNO}, "Ana"),
    ],
)
def test_the_host_hears_who_plays_after_a_change_of_their_own(
    device: Device, do: str, form: dict[str, str], names: str
) -> None:
    game = device.waiting_game(ANA, BRUNO)
    player = {"player": game.players.get(name=form["player"]).pk} if "player" in form else {}
    answer = device.do(game, "seats", htmx=True, do=do, waiting="1", **(form | player))
    assert read_announcement(answer) == f"The players are now, in order: {names}."
    assert "in order" not in read_text(answer.content.decode().split('id="detail"')[1].split("</p>")[0])


def test_a_refusal_before_the_start_is_an_alert_alone(device: Device) -> None:
    game = device.waiting_game(ANA, BRUNO)
    player = game.players.get(name=BRUNO).pk
    answer = device.do(game, "seats", htmx=True, do="rename", waiting="1", player=player, name=ANA)
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert not read_announcement(answer), "a screen reader would say it twice"


def test_the_host_hears_the_target_and_the_rules_that_they_have_saved(game: Game, device: Device) -> None:
    answer = device.do(game, "target", htmx=True, target="5000", waiting="1")
    assert read_announcement(answer) == "The target is now 5,000."
    answer = device.do(game, "rules", htmx=True, ruleset="wikipedia", waiting="1")
    assert read_announcement(answer) == "Now you play Dice 10,000. The target is now 10,000."
    answer = device.do(game, "rules", htmx=True, ruleset="wikipedia", waiting="1")
    assert read_announcement(answer) == "Now you play Dice 10,000."


def test_a_colour_is_chosen_without_a_word_about_who_plays(game: Game, device: Device) -> None:
    answer = device.do(game, "seats", htmx=True, do="colour", player=game.players.get().pk, colour="5", waiting="1")
    assert read_announcement(answer) == ""


def test_a_waiting_page_left_open_is_led_to_the_dice(game: Game, device: Device, other_device: Device) -> None:
    other_device.sit(game)
    device.do(game, "start")
    player = game.players.get(name=BRUNO).pk
    answer = other_device.do(game, "word", htmx=True, player=player, word="late", waiting="1")
    assert answer["HX-Redirect"] == f"{game.get_absolute_url()}?late"
    assert "This game has already started." in other_device.page(game, "?late")


@pytest.mark.parametrize("action", ["throw", "bank", "points", "undo", "mode", "options", "rematch", "skip", "hand"])
def test_commands_for_a_running_game_are_refused_before_the_start(game: Game, device: Device, action: str) -> None:
    data: dict[str, Any] = {"do": "skip", "seat": "0", "mode": "auto", "points": "50"}
    assert device.do(game, action, **data).status_code == 409


@pytest.mark.parametrize("page", ["/sheet", ".json", ".csv", "/fair", "/analysis", "?at=1"])
def test_pages_of_a_game_that_has_not_started_do_not_break(device: Device, page: str) -> None:
    game = device.waiting_game(ruleset="greed")
    assert device.client.get(game.get_absolute_url() + page).status_code < 500
