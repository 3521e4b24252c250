"""The command `verify`, which replays all stored games, on good games and on games that somebody has tampered with."""

from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from game.management.commands import verify as verify_command
from game.management.commands.verify import Command
from game.models import Game, RulesetRow, ShotRow
from game.rules import Entry
from game.services import create_game
from game.services.dice import close_epochs
from tests.cast import ANA, BRUNO, IN, Device, bank, bust, make_key, open_turn, reload_game, reseal_until, throw
from tests.require import require

TURNS = (bank(0, 1000, IN), bust(1, throw("223446")), bank(0, 300, throw("155236", "155"), throw("144", "1")))


def run_verify(*codes: str) -> tuple[int, list[str]]:
    """Run the command; return its exit code and its lines."""
    output = StringIO()
    try:
        call_command("verify", "--", *codes, stdout=output, stderr=StringIO())
    except SystemExit as left:
        return int(left.code or 0), output.getvalue().splitlines()
    return 0, output.getvalue().splitlines()


def begin_game(device: Device, *names: str, slug: str = "classic") -> Game:
    """A game with the dice of the site."""
    ruleset = RulesetRow.objects.get(slug=slug, latest=True)
    return create_game(device.browser, make_key(), ruleset, [Entry(name) for name in names], target=1000)


def finish_game(device: Device, slug: str = "classic") -> Game:
    game = begin_game(device, "*HAL", "*Ada", slug=slug)
    while reload_game(game).status != "finished":
        device.do(game, "advance")
    return reload_game(game)


@pytest.mark.examples
@pytest.mark.parametrize("slug", ["classic", "boxcars", "farkle", "pot"])
def test_a_game_that_was_played_has_no_difference(device: Device, slug: str) -> None:
    finish_game(device, slug)
    assert run_verify() == (0, [])


def test_a_game_won_as_the_other_of_a_tie_steps_out_has_no_difference(device: Device) -> None:
    ruleset = RulesetRow.objects.get(slug="farkle-playpalace", latest=True).rules.to_json()
    six = throw("111111", "111111")
    tie = bank(0, 800, six), bank(1, 800, six), bust(2, throw("223346")), open_turn(0, throw("111346"))
    game = device.game(*tie, players=(ANA, BRUNO, "Chloé"), ruleset=ruleset, target=500)
    device.do(game, "seats", do="out", seat="1")
    assert (reload_game(game).status, reload_game(game).players.get(won=True).name) == ("finished", ANA)
    assert run_verify() == (0, [])
    assert device.do(game, "undo").status_code == 303
    assert reload_game(game).status == "running" and run_verify() == (0, [])


def test_a_game_with_undone_turns_and_changes_has_no_difference(device: Device) -> None:
    game = begin_game(device, ANA, BRUNO)
    for _time in range(2):
        device.do(game, "throw")
        device.do(game, "undo")
    device.do(game, "throw")
    device.do(game, "seats", do="rename", seat="1", name="Bo")
    device.do(game, "seats", do="join", name="Chloé")
    device.do(game, "target", target="2000")
    device.do(game, "seats", do="out", seat="0")
    device.do(game, "mode", mode="manual")
    device.do(game, "points", points="650")
    device.do(game, "seats", do="in", seat="0")
    assert run_verify() == (0, [])


def test_a_game_whose_end_was_undone_has_no_difference(device: Device) -> None:
    game = device.game(open_turn(0, throw("222222")), ruleset="boxcars")
    device.do(game, "bank", keep=[*"123456"])
    device.do(game, "undo")
    device.do(game, "throw")
    assert run_verify() == (0, [])


@pytest.mark.parametrize("end", ["out", "skip"])
def test_a_loaded_turn_with_real_dice_that_came_to_nothing_has_no_difference(device: Device, end: str) -> None:
    real: dict[str, Any] = {"type": "shot", "manual": True}
    game = device.game(real | {"player": 0, "end": "bank", "points": 1000}, real | {"player": 1, "end": end})
    assert game.shots.count() == 2 and run_verify() == (0, [])


def test_a_game_that_waited_when_a_backup_was_restored_has_no_difference(device: Device) -> None:
    game = device.waiting_game(ANA, BRUNO)
    close_epochs()
    player = game.players.get(seat=0).pk
    device.do(game, "word", player=player, word="abracadabra")
    device.do(game, "start")
    device.do(game, "throw")
    assert run_verify() == (0, [])


# ── tampered with ──


Tamper = Callable[[Game], object]


def find_first_turn(game: Game) -> ShotRow:
    return require(game.shots.order_by("place").first())


def find_last_turn(game: Game) -> ShotRow:
    return require(game.shots.order_by("place").last())


def change_seal(game: Game) -> None:
    game.seeds.update(seal="0" * 64)


def lose_seed(game: Game) -> None:
    game.seeds.all().delete()


def change_word(game: Game) -> None:
    game.players.filter(seat=0).update(word="changed")


def change_points_of_a_throw(game: Game) -> None:
    find_first_turn(game).throws.update(points=900)


def change_points(game: Game) -> None:
    game.shots.filter(pk=find_first_turn(game).pk).update(points=1050)


def change_cost(game: Game) -> None:
    game.shots.filter(pk=find_first_turn(game).pk).update(cost=50)


def change_number_of_throws(game: Game) -> None:
    game.shots.filter(pk=find_first_turn(game).pk).update(count=2)


def change_score_in_a_turn(game: Game) -> None:
    game.shots.filter(pk=find_last_turn(game).pk).update(score=1400)


def change_score_of_a_player(game: Game) -> None:
    game.players.filter(seat=0).update(score=9950)


def change_kept(game: Game) -> None:
    find_first_turn(game).throws.update(kept="124")


def change_turn(game: Game) -> None:
    game.shots.filter(pk=find_last_turn(game).pk).update(player=game.players.get(seat=1))


def change_state(game: Game) -> None:
    game.state_data["round"] = 7
    game.save()


def change_status(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status="finished")


def test_verify_speaks_the_language_of_the_shell(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    game = device.game(*TURNS)
    change_score_in_a_turn(reload_game(game))
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    code, lines = run_verify()
    assert (code, lines[0].rpartition(": ")[2]) == (1, "1400, nach den Regeln 1300")
    with pytest.raises(CommandError, match="Es gibt kein Spiel"):
        run_verify("A" * 22)


@pytest.mark.parametrize(
    ("tamper", "row", "problem"),
    [
        (change_seal, "seed {seed} (epoch 1)", "The seal does not match the seed"),
        (lose_seed, "game {game}", "There has to be a seed for each epoch"),
        (change_word, "seed {seed} (epoch 1)", "The table does not match the words"),
        (change_points_of_a_throw, "throw {throw} (event 1, throw 1)", "Points: 900, the rules make 1000"),
        (change_points, "shot {first} (event 1)", "The throws make 1000 points, not 1050"),
        (change_cost, "shot {first} (event 1)", "Cost: 50, the rules make 0"),
        (change_number_of_throws, "shot {first} (event 1)", "Throws recorded: 2, found: 1"),
        (change_score_in_a_turn, "shot {last} (event 3)", "Score: 1400, the rules make 1300"),
        (change_score_of_a_player, "player {player} (seat 0)", "score: 9950, the rules make 1300"),
        (change_kept, "throw {throw} (event 1, throw 1)", "3 cannot be kept"),
        (change_turn, "shot {last} (event 3)", "It is player 0’s turn, not player 1’s"),
        (change_state, "game {game}", "The stored state differs in round"),
        (change_status, "game {game}", "The status is finished"),
    ],
)
def test_the_first_row_that_differs_is_named(device: Device, tamper: Tamper, row: str, problem: str) -> None:
    game = device.game(*TURNS)
    ids = {
        "game": game.pk,
        "seed": game.seeds.get().pk,
        "first": find_first_turn(game).pk,
        "last": find_last_turn(game).pk,
        "throw": find_first_turn(game).throws.get().pk,
        "player": game.players.get(seat=0).pk,
    }
    tamper(reload_game(game))
    assert run_verify() == (1, [f"{game.code}: {row.format(**ids)}: {problem}"])


@pytest.mark.parametrize(
    "such",
    [
        lambda dice: sorted(dice) == [2, 2, 3, 4, 6, 6] and dice[0] == 6,  # a bust, and with the changed die none
        lambda dice: sorted(dice) == [2, 2, 3, 4, 5, 6] and dice[0] == 5,  # the other way round
        lambda dice: sorted(dice) == [1, 1, 2, 3, 4, 6],
    ],
    ids=["no bust any more", "a bust now", "both score"],
)
def test_a_changed_die_is_named_with_what_the_seed_gives(device: Device, such: Callable[[Sequence[int]], bool]) -> None:
    game = reseal_until(begin_game(device, ANA, BRUNO), such)
    device.do(game, "throw")
    fallen = game.throws.get()
    other = str(fallen.faces[0] % 6 + 1) + fallen.dice[1:]
    game.throws.update(dice=other)
    difference = f"{' '.join(other)} fell, the seed gives {' '.join(fallen.dice)}"
    assert run_verify() == (1, [f"{game.code}: throw {fallen.pk} (throw 1): {difference}"])


def test_a_missing_throw_is_noticed(device: Device) -> None:
    game = finish_game(device)
    second = game.throws.order_by("pk")[1]
    game.throws.filter(number__gt=1).update(cancelled=True, number=5000)
    code, lines = run_verify()
    assert code == 1 and lines == [f"{game.code}: throw {second.pk} (throw 2): Its number is 5000, after 1"]


def test_of_several_differences_the_first_one_is_named(device: Device) -> None:
    game = device.game(*TURNS)
    change_score_of_a_player(game)
    change_score_in_a_turn(game)
    change_points_of_a_throw(game)
    assert [line.split(":")[1].split()[0] for line in run_verify()[1]] == ["throw"]


def test_only_the_games_that_are_asked_for_are_replayed(device: Device) -> None:
    good, bad = device.game(*TURNS), device.game(*TURNS)
    change_seal(bad)
    assert run_verify(good.code) == (0, [])
    assert run_verify(bad.code, good.code)[0] == 1


def test_a_game_that_does_not_exist_is_an_error(db: None) -> None:
    with pytest.raises(CommandError, match="There is no game"):
        run_verify("A" * 22)


@pytest.mark.parametrize("before", [(), ("--",), ("-v", "1", "--")])
def test_a_code_that_begins_with_a_dash_is_no_option(
    device: Device, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, before: tuple[str, ...]
) -> None:
    game = device.game(*TURNS)
    dashed = "-" + game.code[:-1]
    Game.objects.update(code=dashed)
    monkeypatch.setattr(connections, "close_all", lambda: None)  # it would end the test's transaction
    with pytest.raises(SystemExit) as left:
        Command().run_from_argv(["manage.py", "verify", *before, dashed])
    assert left.value.code == 1 and "The seal does not match" in capsys.readouterr().out


def test_games_that_wait_for_players_are_left_out(device: Device) -> None:
    ruleset = RulesetRow.objects.get(slug="classic", latest=True)
    change_seal(create_game(device.browser, make_key(), ruleset, [Entry(ANA)], wait=True))
    assert run_verify() == (0, [])


def test_all_of_many_games_are_replayed(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_command, "GAMES_AT_ONCE", 2)
    games = [device.game(*TURNS) for _game in range(5)]
    change_seal(games[-1])
    assert [line.split(":")[0] for line in run_verify()[1]] == [games[-1].code]
