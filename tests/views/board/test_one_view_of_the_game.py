"""The answer to a move reads the game once and hands what it read to everything else."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest

from game import pages
from game.models import Game
from game.pages.parts.view_of_game import ViewerGame
from game.rules import State
from tests.cast import ANA, BRUNO, HAL, IN, Device, bank, open_turn, reseal_until, share_game, throw

PAGES = Path(pages.__file__).parent
READERS_MOST = 30

BOTH_IN = (bank(0, 1000, IN), bank(1, 1000, IN))
DECIDING = (*BOTH_IN, open_turn(0, throw("115236")))


def is_bust(dice: Sequence[int]) -> bool:
    """Return whether these dice hold no 1, no 5, no three of a kind and no three pairs."""
    return {2, 3, 4, 6} == {*dice} and max(Counter(dice).values()) == 2


@contextmanager
def count_readers() -> Iterator[Counter[str]]:
    """Yield a counter of how often each function of `game/pages` is called with a game.

    A game here is the row, its state in the rules or the view of it, passed as any argument; so methods and properties
    of the view count too. Functions that get single values of a game (a name, points, dice) do not. Lambdas and
    comprehensions are not counted by themselves.
    """
    counted: Counter[str] = Counter()
    of_pages: dict[CodeType, bool] = {}

    def count_call(frame: FrameType, event: str, _value: object) -> None:
        code = frame.f_code
        if event != "call":
            return
        if code not in of_pages:
            of_pages[code] = Path(code.co_filename).is_relative_to(PAGES) and not code.co_name.startswith("<")
        if of_pages[code]:
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            if any(isinstance(frame.f_locals[name], ViewerGame | Game | State) for name in names):
                counted[f"{Path(code.co_filename).stem}.{code.co_qualname}"] += 1

    sys.setprofile(count_call)
    try:
        yield counted
    finally:
        sys.setprofile(None)


def keep_and_throw(here: Device, _there: Device) -> Callable[[], object]:
    game = reseal_until(here.game(*DECIDING), lambda dice: 1 in dice[:5])
    return lambda: here.do(game, "throw", htmx=True, keep=[1])


def throw_with_a_coach(here: Device, there: Device) -> Callable[[], object]:
    here.client.cookies["prefs"] = "hints=coach"
    game = reseal_until(share_game(here, there, *BOTH_IN), lambda dice: 1 in dice)
    return lambda: here.do(game, "throw", htmx=True)


def bust_with_a_coach(here: Device, there: Device) -> Callable[[], object]:
    here.client.cookies["prefs"] = "hints=coach"
    game = reseal_until(share_game(here, there, *BOTH_IN), is_bust)
    return lambda: here.do(game, "throw", htmx=True)


def press_bank(here: Device, _there: Device) -> Callable[[], object]:
    game = here.game(*DECIDING)
    return lambda: here.do(game, "bank", htmx=True, keep=[1, 2])


def bank_while_a_friend_waits(here: Device, there: Device) -> Callable[[], object]:
    game = share_game(here, there, *DECIDING)
    return lambda: here.do(game, "bank", htmx=True, keep=[1, 2])


def bank_and_win(here: Device, _there: Device) -> Callable[[], object]:
    game = here.game(bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("111236")), players=(ANA, BRUNO))
    Game.objects.filter(pk=game.pk).update(target=2000)
    return lambda: here.do(game, "bank", htmx=True, keep=[1, 2, 3])


def let_computer_step(here: Device, _there: Device) -> Callable[[], object]:
    game = reseal_until(here.game(*BOTH_IN, bank(0, 1000, IN), players=(ANA, HAL)), lambda dice: 1 in dice)
    return lambda: here.do(game, "advance", htmx=True)


def let_computer_bust(here: Device, _there: Device) -> Callable[[], object]:
    game = reseal_until(here.game(*BOTH_IN, bank(0, 1000, IN), players=(ANA, HAL)), is_bust)
    return lambda: here.do(game, "advance", htmx=True)


def throw_and_bust(here: Device, _there: Device) -> Callable[[], object]:
    game = reseal_until(here.game(*DECIDING), lambda dice: is_bust(dice[:5]))
    return lambda: here.do(game, "throw", htmx=True, keep=[1])


def enter_points(here: Device, _there: Device) -> Callable[[], object]:
    game = here.game(*BOTH_IN)
    here.do(game, "mode", mode="manual")
    return lambda: here.do(game, "points", htmx=True, points=500, end="bank")


MOVES = (
    keep_and_throw,
    throw_with_a_coach,
    bust_with_a_coach,
    press_bank,
    bank_while_a_friend_waits,
    bank_and_win,
    let_computer_step,
    let_computer_bust,
    throw_and_bust,
    enter_points,
)


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
def test_the_answer_to_a_move_passes_through_few_functions_that_read_the_game(
    device: Device, other_device: Device, move: Callable[[Device, Device], Callable[[], object]]
) -> None:
    answer = move(device, other_device)
    with count_readers() as counted:
        answer()
    assert counted["view_of_game.load_viewer_game"] == 1, "the game is read once"
    assert len(counted) <= READERS_MOST, "\n".join(sorted(counted))
