"""How a game begins: who plays, and who plays first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from game.rules.events import Paid, Starts, StartThrown
from game.rules.names import check_free, clean_name, is_computer_name
from game.rules.play.moves import Mode
from game.rules.play.state import LEVELS, Player, State, Step, alter
from game.rules.play.turns import Told
from game.rules.refusals import IllegalMove
from game.rules.ruleset import Ruleset, is_target
from game.rules.scoring import Dice

DEFAULT_LEVEL = "balanced"


class Entry(NamedTuple):
    """Who takes a seat. A name that begins with `*` makes a computer, of level "balanced" unless said."""

    name: str
    level: str | None = None


def new_game(ruleset: Ruleset, players: Sequence[Entry], target: int | None = None, mode: Mode = "auto") -> Step:
    """A game about to begin; `state.to_throw` > 0 where the players throw for who begins.

    Raises `IllegalMove` for too few or too many players, names, levels and targets that cannot be.
    """
    if not ruleset.min_players <= len(players) <= ruleset.max_players:
        raise IllegalMove("players", least=ruleset.min_players, most=ruleset.max_players)
    target = ruleset.target if target is None else target
    if not is_target(target):
        raise IllegalMove("target")
    seated = _seat_all(players)
    seats = tuple(range(len(seated)))
    told: Told = [Paid(seat, ruleset.ante) for seat in seats if ruleset.ante]
    state = State(ruleset, target, tuple(seated), seats, pot=ruleset.ante * len(seats), mode=mode)
    if ruleset.first_player == "throw_for_it":
        return Step(alter(state, starting=seats, to_throw=len(seats)), tuple(told))
    return Step(state, (*told, Starts(0)))


def _seat_all(players: Sequence[Entry]) -> list[Player]:
    """All players in seat order; a refusal has the seat at fault as its `player`."""
    seated: list[Player] = []
    for seat, (name, level) in enumerate(players):
        try:
            seated.append(seat_player(name, level, seated))
        except IllegalMove as refusal:
            refusal.data["player"] = seat
            raise
    return seated


def seat_player(name: str, level: str | None, others: Sequence[Player]) -> Player:
    """A new player. Raises `IllegalMove` for a name or level that cannot be."""
    name = clean_name(name)
    check_free(name, [player.name for player in others])
    check_level(level)
    if level is not None and not is_computer_name(name):
        raise IllegalMove("person")
    return Player(name, (level or DEFAULT_LEVEL) if is_computer_name(name) else None)


def check_level(level: str | None) -> None:
    """Raises `IllegalMove` for a level that does not exist."""
    if level is not None and level not in LEVELS:
        raise IllegalMove("level")


def throw_for_start(state: State, dice: Dice, told: Told) -> State:
    """One die for each seat that takes part, in seat order; those who tie for the highest throw again."""
    faces = dict(zip(state.starting, dice, strict=True))
    told.append(StartThrown(tuple(faces.get(seat) for seat in range(len(state.players)))))
    highest = tuple(seat for seat in state.starting if faces[seat] == max(dice))
    if len(highest) > 1:
        return alter(state, starting=highest, to_throw=len(highest), player=highest[0])
    first = highest[0]
    told.append(Starts(first))
    order = (*state.order[first:], *state.order[:first])
    return alter(state, starting=(), to_throw=0, order=order, player=first)
