"""With people on other devices, undoing a turn and switching to or from real dice need the consent of one of them."""

from collections.abc import Callable

import pytest

from game import services
from game.models import Game
from game.rules import Join, Rename, SetTarget, StepIn, StepOut
from game.services import Command, Refusal
from game.services.host_actions import PLAYER_SILENT
from game.storage import load_state
from tests.cast import (
    ANA,
    HAL,
    IN,
    Device,
    bank,
    bust,
    let_time_pass,
    make_key,
    open_turn,
    reload_game,
    share_game,
    throw,
)
from tests.require import require
from tests.views.friends.test_transfer import make_transfer_link
from tests.words import read_text


def make_command(device: Device, game: Game) -> Command:
    return Command(device.browser.visitor(), make_key(), reload_game(game).version, "")


def answer_question(game: Game, given: Command, allow: bool, seen: str | None = None) -> None:
    """Answer the open question, or another one that was seen before."""
    services.answer_question(
        game.code, given, allow, services.name_question(reload_game(game)) if seen is None else seen
    )


@pytest.fixture
def game(device: Device, other_device: Device) -> Game:
    """Ana has banked 1,000, and it is Bruno's turn on the other device."""
    return share_game(device, other_device, bank(0, 1000, IN))


def load_score(game: Game) -> int:
    return load_state(reload_game(game)).players[0].score


def test_asking_undoes_nothing_yet(game: Game, device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    assert load_score(game) == 1000
    assert require(reload_game(game).asking).name == "Ana"


def test_a_turn_is_undone_when_another_player_allows_it(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    answer_question(game, make_command(other_device, game), True)
    assert load_score(game) == 0
    assert reload_game(game).asking is None
    assert not game.changes.filter(kind="expired").exists()


def test_a_turn_stays_when_another_player_refuses(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    answer_question(game, make_command(other_device, game), False)
    assert load_score(game) == 1000
    assert require(game.changes.get(kind="refused").player).name == "Bruno"


def test_nobody_can_allow_their_own_undo(game: Game, device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    with pytest.raises(Refusal) as refused:
        answer_question(game, make_command(device, game), True)
    assert refused.value.status == 403
    assert load_score(game) == 1000


def test_the_player_who_asks_can_withdraw(game: Game, device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    answer_question(game, make_command(device, game), False)
    assert reload_game(game).asking is None
    assert not game.changes.exists()


def test_a_host_whose_device_has_only_a_computer_can_withdraw(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), players=(ANA, HAL, "Chloé"))
    other_device.takes(game, 0, 2)
    device.do(game, "undo")
    assert 'id="withdraw"' in device.page(game)
    assert device.answer(game, "refuse").status_code == 303
    assert reload_game(game).asking is None and not game.changes.filter(kind="refused").exists()


def test_a_spectator_cannot_answer(game: Game, device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    spectator = Device()
    spectator.waiting_game()
    with pytest.raises(Refusal) as refused:
        answer_question(game, make_command(spectator, game), True)
    assert refused.value.status == 403


def test_asking_for_the_same_is_agreeing(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    services.undo_turn(game.code, make_command(other_device, game))
    assert load_score(game) == 0


@pytest.fixture
def three(device: Device, other_device: Device) -> tuple[Game, Device]:
    """A game in which Ana, Bruno and Cleo sit at devices of their own and Bruno has banked last; and Cleo's device."""
    banks = [bank(seat, 1000, IN) for seat in (0, 1)]
    game, third = share_game(device, other_device, *banks, players=("Ana", "Bruno", "Cleo")), Device()
    third.takes(game, 2)
    return reload_game(game), third


def test_only_its_player_can_give_up_a_turn(three: tuple[Game, Device], device: Device, other_device: Device) -> None:
    game, third = three
    services.undo_turn(game.code, make_command(device, game))
    assert "Allow" not in third.page(game) and "Allow" in other_device.page(game)
    with pytest.raises(Refusal) as refused:
        answer_question(game, make_command(third, game), True)
    assert refused.value.status == 403
    services.undo_turn(game.code, make_command(third, game))  # asking for the same does not do it either
    assert load_state(reload_game(game)).players[1].score == 1000
    assert "Ana asked for an undo, but nobody answered in time." in third.page(game)
    answer_question(game, make_command(other_device, game), True)
    assert load_state(reload_game(game)).players[1].score == 0


def test_the_question_stays_when_one_of_those_asked_leaves_the_game(
    three: tuple[Game, Device], device: Device, other_device: Device
) -> None:
    game, _third = three
    services.set_mode(game.code, make_command(device, game), "manual")
    services.leave_to_others(game.code, make_command(other_device, game))
    assert require(reload_game(game).asking).name == "Ana"


def test_a_question_ends_when_the_last_of_those_asked_steps_out(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN))
    services.set_mode(game.code, make_command(device, game), "manual")
    services.change_own_seat(game.code, make_command(other_device, game), StepOut(1))
    assert reload_game(game).asking is None
    services.set_mode(game.code, make_command(device, game), "manual")
    assert reload_game(game).asking is None and load_state(reload_game(game)).mode == "manual"


def test_only_whose_answer_counts_is_told_that_somebody_waits_for_it(
    three: tuple[Game, Device], device: Device, other_device: Device
) -> None:
    game, third = three
    services.undo_turn(game.code, make_command(device, game))
    pages = [one.client.get("/games").content.decode() for one in (device, other_device, third)]
    assert ["Ana is waiting for your answer" in page for page in pages] == [False, True, False]


def test_any_other_player_can_allow_the_undo_of_ones_own_turn(three: tuple[Game, Device], other_device: Device) -> None:
    game, third = three
    services.undo_turn(game.code, make_command(other_device, game))
    answer_question(game, make_command(third, game), True)
    assert load_state(reload_game(game)).players[1].score == 0


@pytest.mark.parametrize("question", ["undo", "manual"])
def test_a_second_phone_of_the_player_who_asks_cannot_agree(
    device: Device, other_device: Device, question: str
) -> None:
    """The host adds a player after a bust, and moves that seat to another phone."""
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN), bust(0, throw("223446")))
    services.change_game_as_host(game.code, make_command(device, game), Join("Zoe", None))
    second = Device()
    assert second.client.post(make_transfer_link(device, game, seat="2"), {"key": make_key()}).status_code == 303
    if question == "undo":
        services.undo_turn(game.code, make_command(device, game))
    else:
        services.set_mode(game.code, make_command(device, game), "manual")
    assert "Allow" not in second.page(game)
    with pytest.raises(Refusal) as refused:
        answer_question(game, make_command(second, game), True)
    assert refused.value.status == 403
    answer_question(game, make_command(other_device, game), True)
    state = load_state(reload_game(game))
    assert (state.mode, state.player) == (("auto", 0) if question == "undo" else ("manual", 1))


@pytest.mark.parametrize("moved", [0, 2])
def test_two_phones_of_one_person_cannot_settle_an_undo_between_them(
    device: Device, other_device: Device, moved: int
) -> None:
    """Ana, the host, can't have a bust undone by asking from one phone and allowing it on another: Bruno is due."""
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN), bust(0, throw("223446")))
    services.change_game_as_host(game.code, make_command(device, game), Join("Zoe", None))
    second = Device()
    assert second.client.post(make_transfer_link(device, game, seat=str(moved)), {"key": make_key()}).status_code == 303
    ana, zoe = (second, device) if moved == 0 else (device, second)
    refusal = zoe.do(game, "undo")
    assert refusal.status_code == 403
    assert "Only the player whose turn it was can ask to undo it." in read_text(refusal.content.decode())
    assert "wants to undo" not in ana.page(game)
    services.undo_turn(game.code, make_command(ana, game))
    assert load_state(reload_game(game)).player == 1
    answer_question(game, make_command(other_device, game), True)
    assert load_state(reload_game(game)).player == 0


def test_undo_after_taking_a_seat_back_from_a_computer_asks_the_player_before(
    three: tuple[Game, Device], device: Device, other_device: Device
) -> None:
    """The computer's turn would be undone together with the one before it, which is Bruno's."""
    game, third = three
    let_time_pass(game, dice_changed=PLAYER_SILENT * 2)
    services.hand_to_computer(game.code, make_command(device, game), "balanced")
    while load_state(reload_game(game)).player == 2:
        device.do(game, "advance")
    services.take_back_seat(game.code, make_command(third, game), 2)
    services.undo_turn(game.code, make_command(third, game))
    assert "Cleo wants to undo Bruno’s turn, which banked 1,000." in read_text(other_device.page(game))
    assert "Allow" not in device.page(game) and "Allow" in other_device.page(game)
    with pytest.raises(Refusal) as refused:
        answer_question(game, make_command(device, game), True)
    assert refused.value.status == 403
    answer_question(game, make_command(other_device, game), True)
    assert load_state(reload_game(game)).player == 1


def test_a_player_who_just_moved_to_a_phone_agrees_if_nobody_else_can(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN))
    assert other_device.client.post(make_transfer_link(device, game, seat="1"), {"key": make_key()}).status_code == 303
    services.undo_turn(game.code, make_command(device, game))
    answer_question(game, make_command(other_device, game), True)
    assert load_score(game) == 0


def test_a_question_ends_when_the_only_one_who_could_answer_it_moves_to_the_device_that_asks(
    game: Game, device: Device, other_device: Device
) -> None:
    services.undo_turn(game.code, make_command(device, game))
    assert reload_game(game).asking
    assert device.client.post(make_transfer_link(other_device, game), {"key": make_key()}).status_code == 303
    assert reload_game(game).asking is None
    services.undo_turn(game.code, make_command(device, game))
    assert load_score(game) == 0


def test_a_question_ends_when_the_player_who_asks_moves_so_that_nobody_may_answer(
    three: tuple[Game, Device], device: Device, other_device: Device
) -> None:
    """Only Bruno could give up his turn, but on a new device Ana might be a second phone of his."""
    game, _third = three
    services.undo_turn(game.code, make_command(device, game))
    assert "Allow" in other_device.page(game)
    assert Device().client.post(make_transfer_link(device, game), {"key": make_key()}).status_code == 303
    assert reload_game(game).asking is None
    assert "wants to undo" not in other_device.page(game)


def test_a_question_stays_when_somebody_who_can_answer_it_moves(
    game: Game, device: Device, other_device: Device
) -> None:
    services.undo_turn(game.code, make_command(device, game))
    phone = Device()
    assert phone.client.post(make_transfer_link(other_device, game), {"key": make_key()}).status_code == 303
    answer_question(game, make_command(phone, game), True)
    assert load_score(game) == 0


def test_a_host_without_a_seat_cannot_agree(game: Game, device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    host = Device()
    Game.objects.filter(pk=game.pk).update(host=host.browser.visitor_or_new())
    with pytest.raises(Refusal) as refused:
        services.undo_turn(game.code, make_command(host, game))
    assert refused.value.status == 403
    assert load_score(game) == 1000


def test_the_next_throw_ends_the_question(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    services.throw_dice(game.code, make_command(other_device, game), ())
    assert reload_game(game).asking is None
    assert require(game.changes.get(kind="expired").player).name == "Ana"
    with pytest.raises(Refusal, match="no longer open"):
        answer_question(game, make_command(other_device, game), True)


def test_an_answer_from_before_the_throw_is_too_late(game: Game, device: Device, other_device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    before = make_command(other_device, game)
    services.throw_dice(game.code, make_command(other_device, game), ())
    services.undo_turn(game.code, make_command(device, game))
    with pytest.raises(Refusal, match="no longer open"):
        answer_question(game, before, True)


def test_a_player_who_stepped_out_is_not_asked(game: Game, device: Device, other_device: Device) -> None:
    services.change_own_seat(game.code, make_command(other_device, game), StepOut(1))
    services.undo_turn(game.code, make_command(device, game))
    assert reload_game(game).asking is None


def test_real_dice_are_entered_only_when_the_others_agree(game: Game, device: Device, other_device: Device) -> None:
    services.set_mode(game.code, make_command(device, game), "manual")
    assert load_state(reload_game(game)).mode == "auto"
    answer_question(game, make_command(other_device, game), True)
    assert load_state(reload_game(game)).mode == "manual"
    assert reload_game(game).asking is None


def test_the_dice_stay_when_the_others_refuse(game: Game, device: Device, other_device: Device) -> None:
    services.set_mode(game.code, make_command(device, game), "manual")
    answer_question(game, make_command(other_device, game), False)
    assert load_state(reload_game(game)).mode == "auto"
    assert load_score(game) == 1000


def test_choosing_the_dice_that_are_in_use_asks_nobody(game: Game, device: Device, other_device: Device) -> None:
    services.set_mode(game.code, make_command(device, game), "auto")
    assert reload_game(game).asking is None and not game.changes.exists()
    services.set_mode(game.code, make_command(device, game), "manual")
    services.set_mode(game.code, make_command(device, game), "auto")
    assert reload_game(game).asking is None
    services.undo_turn(game.code, make_command(other_device, game))
    services.set_mode(game.code, make_command(device, game), "auto")
    assert require(reload_game(game).asking).name == "Bruno"


def test_on_one_device_the_dice_are_switched_at_once(device: Device) -> None:
    game = device.game()
    services.set_mode(game.code, make_command(device, game), "manual")
    assert load_state(reload_game(game)).mode == "manual"


def test_with_real_dice_the_others_are_asked_about_an_undo_too(
    game: Game, device: Device, other_device: Device
) -> None:
    services.set_mode(game.code, make_command(device, game), "manual")
    answer_question(game, make_command(other_device, game), True)
    services.undo_turn(game.code, make_command(device, game))
    assert load_score(game) == 1000
    answer_question(game, make_command(other_device, game), True)
    assert load_score(game) == 0


def test_a_player_who_asks_for_something_else_has_not_waited_in_vain(game: Game, device: Device) -> None:
    services.undo_turn(game.code, make_command(device, game))
    services.set_mode(game.code, make_command(device, game), "manual")
    assert reload_game(game).question == "manual" and not game.changes.filter(kind="expired").exists()


def test_a_person_asks_and_not_the_computer_beside_them(device: Device, other_device: Device) -> None:
    game = device.game(bank(0, 1000, IN), bank(1, 1000, IN), players=(HAL, "Ana", "Bruno"))
    other_device.takes(game, 2)
    services.undo_turn(game.code, make_command(device, game))
    assert "Ana wants to undo" in read_text(other_device.page(game))


def test_asking_for_real_dice_is_no_consent_to_an_undo(game: Game, device: Device, other_device: Device) -> None:
    services.set_mode(game.code, make_command(device, game), "manual")
    services.undo_turn(game.code, make_command(other_device, game))
    assert load_score(game) == 1000
    assert require(reload_game(game).asking).name == "Bruno"


def test_a_yes_to_one_question_does_not_answer_the_next(game: Game, device: Device, other_device: Device) -> None:
    services.set_mode(game.code, make_command(device, game), "manual")
    seen = services.name_question(reload_game(game))
    services.undo_turn(game.code, make_command(device, game))
    with pytest.raises(Refusal, match="no longer open"):
        answer_question(game, make_command(other_device, game), True, seen)
    assert load_score(game) == 1000


def test_a_player_who_is_away_is_still_asked(game: Game, device: Device, other_device: Device) -> None:
    let_time_pass(game, dice_changed=PLAYER_SILENT * 2)
    services.hand_to_computer(game.code, make_command(device, game), "balanced")
    services.undo_turn(game.code, make_command(device, game))
    assert load_score(game) == 1000
    assert "Allow" in other_device.page(game)
    answer_question(game, make_command(other_device, game), True)
    assert load_score(game) == 0


def test_the_turn_of_a_player_who_stepped_out_needs_their_consent(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN))
    services.change_own_seat(game.code, make_command(other_device, game), StepOut(1))
    services.undo_turn(game.code, make_command(device, game))
    assert load_state(reload_game(game)).players[1].score == 1000
    answer_question(game, make_command(other_device, game), True)
    assert load_state(reload_game(game)).players[1].score == 0


def test_no_change_at_the_table_undoes_a_bust(device: Device, other_device: Device) -> None:
    """Whatever a host does alone after a bust, the turn stays over and the other player stays due."""
    host = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN), bust(0, throw("223446")))
    acts: list[Callable[[], object]] = [
        lambda: services.change_own_seat(host.code, make_command(device, host), Rename(0, "Anna")),
        lambda: services.set_mode(host.code, make_command(device, host), "manual"),
        lambda: services.change_game_as_host(host.code, make_command(device, host), Join("Cleo", None)),
        lambda: services.change_game_as_host(host.code, make_command(device, host), SetTarget(5000)),
        lambda: services.undo_turn(host.code, make_command(device, host)),
        lambda: services.change_own_seat(host.code, make_command(device, host), StepOut(0)),
        lambda: services.change_own_seat(host.code, make_command(device, host), StepIn(0)),
        lambda: services.change_host(host.code, make_command(device, host), 1),
    ]
    for act in acts:
        act()
        state = load_state(reload_game(host))
        assert (state.player, state.players[0].score, state.players[1].score) == (1, 1000, 1000)


def test_only_a_choice_moves_dice_that_have_fallen(device: Device, other_device: Device) -> None:
    """A computer that stands in for a while, real dice, another device, another host: the same dice stay there."""
    fallen = (1, 1, 2, 2, 3, 4)
    game = share_game(device, other_device, bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("112234")))
    third = Device()

    def stand_in_and_go() -> None:
        let_time_pass(game, dice_changed=PLAYER_SILENT * 2)
        services.hand_to_computer(game.code, make_command(device, game), "balanced")
        services.take_back_seat(game.code, make_command(device, game), 0)

    acts: list[Callable[[], object]] = [
        stand_in_and_go,
        lambda: services.set_mode(game.code, make_command(device, game), "manual"),
        lambda: services.answer_question(game.code, make_command(other_device, game), True, "0-manual"),
        lambda: services.set_mode(game.code, make_command(device, game), "auto"),
        lambda: services.answer_question(game.code, make_command(other_device, game), True, "0-auto"),
        lambda: services.undo_turn(game.code, make_command(device, game)),
        lambda: third.client.post(make_transfer_link(device, game, seat="0"), {"key": make_key()}),
        lambda: services.change_host(game.code, make_command(device, game), 1),
    ]
    for act in acts:
        act()
        state = load_state(reload_game(game))
        assert state.shot and (state.player, state.shot.dice, game.throws.count()) == (0, fallen, 3)


def test_whoever_left_a_game_that_is_over_asks_for_nothing_any_more(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bust(1, throw("223346")), target=1000)
    services.undo_turn(game.code, make_command(other_device, game))
    assert "Bruno wants to undo" in device.page(game)
    services.delete_game(game.code, make_command(other_device, game))
    assert "Bruno wants to undo" not in device.page(game)


def test_the_end_of_a_game_can_be_undone_by_consent(device: Device, other_device: Device) -> None:
    game = share_game(device, other_device, bank(0, 1000, IN), bust(1, throw("223446")), target=1000)
    assert reload_game(game).status == Game.Status.FINISHED
    services.undo_turn(game.code, make_command(device, game))
    answer_question(game, make_command(other_device, game), True)
    assert reload_game(game).status == Game.Status.RUNNING
    assert reload_game(game).epoch == 2
