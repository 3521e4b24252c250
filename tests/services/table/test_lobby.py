"""Before the first throw: sitting down by invite, the order of the seats, the words, and the start."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from game import dice, services
from game.models import Game, Invite, Visitor
from game.rules import IllegalMove
from game.services import AlreadyDone, Command, LinkEnded, NotYourSeat, Refusal
from game.services.refusals import NoSuchGame
from game.storage import load_state
from tests.cast import BRUNO, HAL, IN, Device, bank, make_key, reload_game


def make_command(device: Device, game: Game) -> Command:
    """A command from the page of this device as it is now."""
    return Command(device.browser.visitor(), make_key(), reload_game(game).version, "")


def list_names(game: Game) -> list[str]:
    return list(game.players.order_by("seat").values_list("name", flat=True))


def find_player(game: Game, name: str) -> int:
    return game.players.get(name=name).pk


def take_seat(device: Device, game: Game, name: str = BRUNO, **data: Any) -> Game:
    return services.take_seat(device.browser, game.invite.token, make_key(), "", name, **data)


@pytest.fixture
def game(device: Device) -> Game:
    return device.waiting_game()


def test_a_game_for_friends_waits_and_has_no_dice(game: Game) -> None:
    assert game.status == Game.Status.WAITING
    assert game.throws.count() == 0
    assert game.seeds.get().seal


def test_a_friend_sits_down_under_a_name(game: Game, other_device: Device) -> None:
    take_seat(other_device, game)
    assert list_names(game) == ["Ana", "Bruno"]
    assert game.players.get(name=BRUNO).visitor == other_device.browser.visitor()


def test_two_friends_share_a_phone(game: Game, other_device: Device) -> None:
    take_seat(other_device, game)
    take_seat(other_device, game, "Chloé")
    assert list_names(game) == ["Ana", "Bruno", "Chloé"]
    assert Visitor.objects.count() == 2


@pytest.mark.parametrize("name", ["*Bruno", "* *Bruno", " ** * Bruno", "*\N{NO-BREAK SPACE}*Bruno"])
def test_a_name_with_stars_is_a_person_at_the_invite(game: Game, other_device: Device, name: str) -> None:
    take_seat(other_device, game, name)
    assert game.players.get(name=BRUNO).level == ""


def test_a_name_of_nothing_but_stars_is_refused(game: Game, other_device: Device) -> None:
    with pytest.raises(IllegalMove, match="Enter a name"):
        take_seat(other_device, game, "* *")
    assert list_names(game) == ["Ana"]


def test_the_same_press_again_seats_nobody_twice(game: Game, other_device: Device) -> None:
    form = make_key()
    for _press in range(2):
        assert services.take_seat(other_device.browser, game.invite.token, form, "", BRUNO) == game
    assert list_names(game) == ["Ana", "Bruno"]


def test_the_same_press_again_leads_to_the_game_that_has_started_meanwhile(
    game: Game, device: Device, other_device: Device
) -> None:
    form, token = make_key(), game.invite.token
    services.take_seat(other_device.browser, token, form, "", BRUNO)
    services.start_game(game.code, make_command(device, game))
    assert services.take_seat(other_device.browser, token, form, "", BRUNO) == game


def test_a_taken_name_is_refused(game: Game, other_device: Device) -> None:
    with pytest.raises(IllegalMove) as refused:
        take_seat(other_device, game, "ＡＮＡ")
    assert refused.value.code == "name_taken"
    assert not Visitor.objects.filter(token_hash=other_device.browser.token_hash).exists()


def test_a_seat_kept_free_is_taken_once(game: Game, device: Device, other_device: Device) -> None:
    services.add_seat(game.code, make_command(device, game), BRUNO, None, free=True)
    take_seat(other_device, game, "", player=find_player(game, BRUNO))
    with pytest.raises(Refusal) as refused:
        take_seat(Device(), game, "", player=find_player(game, BRUNO))
    assert refused.value.status == 409
    assert game.players.get(name=BRUNO).visitor == other_device.browser.visitor()


def test_a_computers_seat_cannot_be_taken(game: Game, device: Device, other_device: Device) -> None:
    services.add_seat(game.code, make_command(device, game), HAL, "careful")
    with pytest.raises(Refusal):
        take_seat(other_device, game, "", player=find_player(game, HAL))


def test_when_all_seats_are_taken_a_friend_is_told_to_watch(device: Device, other_device: Device) -> None:
    game = device.waiting_game("Ana", "Bruno", ruleset="greed")
    with pytest.raises(Refusal, match=r"All seats are taken\. You can watch\."):
        take_seat(other_device, game, "Chloé")


@pytest.mark.parametrize("aged", [Invite, Game], ids=["the invite", "the game"])
def test_after_a_week_the_invite_has_ended(game: Game, other_device: Device, aged: type[Invite | Game]) -> None:
    token = game.invite.token
    aged.objects.update(created=timezone.now() - timedelta(days=7, minutes=1))
    with pytest.raises(LinkEnded):
        services.take_seat(other_device.browser, token, make_key(), "", BRUNO)


def test_a_new_invite_ends_the_one_before(game: Game, device: Device, other_device: Device) -> None:
    old = game.invite.token
    services.renew_invite(game.code, make_command(device, game))
    with pytest.raises(LinkEnded):
        services.take_seat(other_device.browser, old, make_key(), "", BRUNO)
    assert take_seat(other_device, reload_game(game)) == game


@pytest.mark.parametrize("name", ["Chloé", "*Chloé", "* *Chloé"])
def test_a_friend_can_still_sit_down_in_the_first_two_rounds(
    game: Game, device: Device, other_device: Device, name: str
) -> None:
    take_seat(other_device, game)
    services.start_game(game.code, make_command(device, game))
    late = Device()
    take_seat(late, game, name)
    chloe = reload_game(game).players.get(name="Chloé")
    assert (chloe.visitor, chloe.level, chloe.seat) == (late.browser.visitor(), "", 2)
    assert [seated.name for seated in load_state(reload_game(game)).players] == ["Ana", "Bruno", "Chloé"]
    assert late.do(game, "seats", do="rename", seat=2, name="Zoë").status_code == 303, "the seat is theirs"


def test_sitting_down_late_does_not_make_a_players_move_stale(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    services.start_game(game.code, make_command(device, game))
    before = reload_game(game).version
    take_seat(Device(), game, "Chloé")
    assert device.do(game, "throw", version=before).status_code == 303


@pytest.mark.parametrize("name", ["Ana", "ＡＮＡ"])
def test_a_late_friend_cannot_take_a_players_name(game: Game, device: Device, other_device: Device, name: str) -> None:
    take_seat(other_device, game)
    services.start_game(game.code, make_command(device, game))
    with pytest.raises(IllegalMove):
        take_seat(Device(), game, name)
    assert list_names(game) == ["Ana", "Bruno"]


@pytest.mark.parametrize(("rounds", "welcome"), [(1, True), (2, False)], ids=["round 2", "round 3"])
def test_the_invite_ends_with_the_second_round(device: Device, rounds: int, welcome: bool) -> None:
    game = device.game(*(bank(seat, 1000, IN) for _ in range(rounds) for seat in (0, 1)))
    Invite.objects.create(game=game)
    if welcome:
        take_seat(Device(), game, "Chloé")
        assert list_names(game) == ["Ana", "Bruno", "Chloé"]
        return
    with pytest.raises(LinkEnded) as ended:
        take_seat(Device(), game, "Chloé")
    assert ended.value.game == game


def test_an_invite_seats_nobody_in_the_final_round(device: Device) -> None:
    game = device.game(bank(0, 1000, IN), target=1000)
    Invite.objects.create(game=game)
    with pytest.raises(LinkEnded):
        take_seat(Device(), game, "Chloé")


# ── seats ──


def test_the_host_orders_the_seats(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    services.move_seat(game.code, make_command(device, game), find_player(game, BRUNO), -1)
    assert list_names(game) == ["Bruno", "Ana"]


def test_the_first_seat_goes_no_further_up(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    services.move_seat(game.code, make_command(device, game), find_player(game, "Ana"), -1)
    assert list_names(game) == ["Ana", "Bruno"]


def test_the_host_removes_a_guest(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    services.remove_seat(game.code, make_command(device, game), find_player(game, BRUNO))
    assert list_names(game) == ["Ana"]
    assert game.changes.get(kind="removed").data.items() >= {"name": "Bruno", "left": False}.items()


def test_a_guest_leaves(game: Game, other_device: Device) -> None:
    take_seat(other_device, game)
    services.remove_seat(game.code, make_command(other_device, game), find_player(game, BRUNO))
    assert list_names(game) == ["Ana"]


def test_one_press_that_arrives_twice_leaves_once(game: Game, other_device: Device) -> None:
    take_seat(other_device, game)
    press, leaving = make_command(other_device, game), find_player(game, BRUNO)
    services.remove_seat(game.code, press, leaving)
    with pytest.raises(AlreadyDone):
        services.remove_seat(game.code, press, leaving)


@pytest.mark.parametrize(
    "change", [services.remove_seat, lambda code, by, seat: services.rename_seat(code, by, seat, "Zoë")]
)
def test_a_guest_cannot_change_somebody_elses_seat(
    game: Game, other_device: Device, change: Callable[..., object]
) -> None:
    take_seat(other_device, game)
    with pytest.raises(Refusal) as refused:
        change(game.code, make_command(other_device, game), find_player(game, "Ana"))
    assert refused.value.status == 403
    assert list_names(game) == ["Ana", "Bruno"]


def test_a_host_who_changes_the_seat_of_a_guest_who_has_just_left_reads_that_they_were_quicker(
    game: Game, device: Device, other_device: Device
) -> None:
    take_seat(other_device, game)
    bruno = find_player(game, BRUNO)
    services.remove_seat(game.code, make_command(other_device, game), bruno)
    for change in (services.remove_seat, partial(services.rename_seat, name="Bea"), partial(services.move_seat, by=-1)):
        with pytest.raises(Refusal, match="Someone moved first"):
            change(game.code, make_command(device, game), bruno)


def test_strangers_do_not_learn_that_a_private_game_exists(game: Game, device: Device, other_device: Device) -> None:
    services.set_watching(game.code, make_command(device, game), False)
    with pytest.raises(NoSuchGame):
        services.start_game(game.code, make_command(other_device, game))


@pytest.mark.parametrize(
    "act",
    [
        lambda code, by, seat: services.start_game(code, by),
        lambda code, by, seat: services.add_seat(code, by, "Chloé", None),
        lambda code, by, seat: services.move_seat(code, by, seat, -1),
        lambda code, by, seat: services.choose_target(code, by, 5000),
        lambda code, by, seat: services.renew_invite(code, by),
        lambda code, by, seat: services.set_watching(code, by, False),
        lambda code, by, seat: services.change_host(code, by, 1),
    ],
    ids=["start", "add", "order", "target", "links", "watching", "host"],
)
def test_a_guest_cannot_do_what_the_host_does(game: Game, other_device: Device, act: Callable[..., object]) -> None:
    take_seat(other_device, game)
    with pytest.raises(Refusal, match="Only the host"):
        act(game.code, make_command(other_device, game), find_player(game, BRUNO))


def test_a_stranger_cannot_start_the_game(game: Game, other_device: Device) -> None:
    with pytest.raises(NotYourSeat):
        services.start_game(game.code, make_command(other_device, game))


def test_a_person_renamed_with_a_star_becomes_a_computer(game: Game, device: Device) -> None:
    services.rename_seat(game.code, make_command(device, game), find_player(game, "Ana"), "*Ana")
    assert game.players.get().level == "balanced"


def test_a_guest_whose_seat_the_host_gives_to_a_computer_is_not_told_to_be_in(
    game: Game, device: Device, other_device: Device
) -> None:
    take_seat(other_device, game)
    assert "You’re in!" in other_device.page(game)
    services.rename_seat(game.code, make_command(device, game), find_player(game, BRUNO), "*Bruno")
    assert "You’re in!" not in other_device.page(game)
    assert game.players.get(name="*Bruno").visitor == device.browser.visitor()


def test_a_guest_who_typed_a_star_keeps_their_seat_when_the_host_takes_the_star_away(
    game: Game, device: Device, other_device: Device
) -> None:
    take_seat(other_device, game)
    services.rename_seat(game.code, make_command(other_device, game), find_player(game, BRUNO), "*Bruno")
    services.rename_seat(game.code, make_command(device, game), find_player(game, "*Bruno"), BRUNO)
    assert game.players.get(name=BRUNO).visitor == other_device.browser.visitor()


def test_a_host_who_adds_one_too_many_is_not_told_to_watch(game: Game, device: Device) -> None:
    for n in range(game.rules.max_players - 1):
        services.add_seat(game.code, make_command(device, game), f"P{n}", None)
    with pytest.raises(Refusal, match=r"All seats are taken\.$"):
        services.add_seat(game.code, make_command(device, game), "Zoë", None)


def test_a_level_that_does_not_exist_is_refused(game: Game, device: Device) -> None:
    with pytest.raises(IllegalMove, match="level"):
        services.add_seat(game.code, make_command(device, game), HAL, "godlike")


def test_people_can_change_different_seats_at_the_same_time(game: Game, device: Device, other_device: Device) -> None:
    before = make_command(device, game)
    take_seat(other_device, game)
    services.add_seat(game.code, before, HAL, "bold")
    assert list_names(game) == ["Ana", "Bruno", "*HAL"]


# ── words and the start ──


def test_words_go_into_the_dice_in_the_order_of_the_seats(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    services.set_word(game.code, make_command(device, game), find_player(game, "Ana"), "alice")
    services.set_word(game.code, make_command(other_device, game), find_player(game, BRUNO), "Büro")
    services.move_seat(game.code, make_command(device, game), find_player(game, BRUNO), -1)
    services.start_game(game.code, make_command(device, game))
    assert game.seeds.get().table == dice.hash_words(["Büro", "alice"])


def test_a_seat_that_becomes_a_computer_loses_its_word(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    services.set_word(game.code, make_command(device, game), find_player(game, "Ana"), "alice")
    services.rename_seat(game.code, make_command(device, game), find_player(game, "Ana"), "*Ana")
    services.start_game(game.code, make_command(device, game))
    assert game.players.get(name="*Ana").word == "" and game.seeds.get().table == dice.hash_words(["", ""])


def test_nobody_can_type_a_word_for_somebody_else_or_a_computer(
    game: Game, device: Device, other_device: Device
) -> None:
    take_seat(other_device, game)
    services.add_seat(game.code, make_command(device, game), HAL, "bold")
    for name in (BRUNO, HAL):
        with pytest.raises(Refusal, match="not one of yours"):
            services.set_word(game.code, make_command(device, game), find_player(game, name), "mine")


def test_no_word_can_change_after_the_start(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    services.start_game(game.code, make_command(device, game))
    with pytest.raises(Refusal, match="already started"):
        services.set_word(game.code, make_command(device, game), find_player(game, "Ana"), "late")


def test_the_start_says_whose_seat_is_still_free(game: Game, device: Device) -> None:
    services.add_seat(game.code, make_command(device, game), BRUNO, None, free=True)
    with pytest.raises(Refusal, match="Nobody has taken Bruno’s seat yet"):
        services.start_game(game.code, make_command(device, game))


def test_a_player_alone_starts_only_on_purpose(game: Game, device: Device) -> None:
    with pytest.raises(Refusal, match="Nobody else is here yet"):
        services.start_game(game.code, make_command(device, game))
    services.start_game(game.code, make_command(device, game), alone=True)
    assert reload_game(game).status == Game.Status.RUNNING


def test_the_start_needs_as_many_players_as_the_rules_do(device: Device) -> None:
    game = device.waiting_game(ruleset="greed")
    with pytest.raises(Refusal, match="Add 1 more player to start"):
        services.start_game(game.code, make_command(device, game))


def test_the_start_is_refused_if_somebody_sat_down_unseen(game: Game, device: Device, other_device: Device) -> None:
    before = make_command(device, game)
    take_seat(other_device, game)
    with pytest.raises(Refusal, match="moved first"):
        services.start_game(game.code, before)


def test_the_start_is_refused_if_somebody_left_unseen(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    take_seat(Device(), game, "Chloé")
    before = make_command(device, game)
    services.leave_to_others(game.code, make_command(other_device, game))
    with pytest.raises(Refusal, match="moved first"):
        services.start_game(game.code, before)


def test_the_game_starts_with_all_players_who_have_sat_down(game: Game, device: Device, other_device: Device) -> None:
    take_seat(other_device, game)
    services.add_seat(game.code, make_command(device, game), HAL, "bold")
    services.choose_target(game.code, make_command(device, game), 5000)
    services.start_game(game.code, make_command(device, game))
    state = load_state(reload_game(game))
    seats = [(seated.name, seated.level) for seated in state.players]
    assert seats == [("Ana", None), ("Bruno", None), ("*HAL", "bold")]
    assert (state.target, reload_game(game).status) == (5000, Game.Status.RUNNING)


def test_dice_are_thrown_for_the_first_player_at_the_start(device: Device, other_device: Device) -> None:
    game = device.waiting_game(ruleset="farkle")
    take_seat(other_device, game)
    services.start_game(game.code, make_command(device, game))
    assert game.throws.filter(shot=None).exists()
    assert load_state(reload_game(game)).to_throw == 0


@pytest.mark.parametrize("target", [999, 1025, 100_050])
def test_a_bad_target_is_refused(game: Game, device: Device, target: int) -> None:
    with pytest.raises(IllegalMove):
        services.choose_target(game.code, make_command(device, game), target)


def test_a_game_that_nobody_started_for_a_week_is_gone(game: Game, device: Device) -> None:
    Game.objects.update(created=timezone.now() - timedelta(days=7, minutes=1))
    with pytest.raises(Refusal) as refused:
        services.start_game(game.code, make_command(device, game))
    assert refused.value.status == 404
