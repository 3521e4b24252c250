"""How a game begins: who plays, and who plays first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from game.rules.combinations import Dice
from game.rules.events import Event, LastRound, Paid, Starts, StartThrown
from game.rules.names import check_free, clean_name, is_computer_name
from game.rules.play.moves import Mode
from game.rules.play.state import LEVELS, PlayerState, State, Step, alter
from game.rules.refusals import IllegalMove
from game.rules.ruleset import Ruleset, is_target

DEFAULT_LEVEL = "balanced"


class Entry(NamedTuple):
    """A player to be seated. A name that begins with `*` makes a computer, of level "balanced" if none is given."""

    name: str
    level: str | None = None


def new_game(ruleset: Ruleset, players: Sequence[Entry], target: int | None = None, mode: Mode = "auto") -> Step:
    """Return a game about to begin; `state.to_throw` > 0 where the players throw for who begins.

    `target` in points, None for the ruleset's own. Raises `IllegalMove` for too few or too many players, and for
    invalid names, levels and targets; `data["player"]` is then the seat at fault, if there is one.
    """
    if not ruleset.min_players <= len(players) <= ruleset.max_players:
        code = "players" if ruleset.min_players < ruleset.max_players else "players_exact"
        raise IllegalMove(code, least=ruleset.min_players, most=ruleset.max_players)
    target = ruleset.target if target is None else target
    check_target(ruleset, target)
    seats = tuple(range(len(players)))
    events: tuple[Event, ...] = tuple(Paid(seat, ruleset.ante) for seat in seats if ruleset.ante)
    state = State(ruleset, target, _seat_all(players), seats, pot=ruleset.ante * len(seats), mode=mode)
    if ruleset.rounds == 1:
        state = alter(state, final=True)
        events = (*events, LastRound())
    if ruleset.first_player != "seat_order":
        return Step(alter(state, starting=seats, to_throw=len(seats)), events)
    return Step(state, (*events, Starts(0)))


def check_target(ruleset: Ruleset, target: int) -> None:
    """Raise `IllegalMove` for a target that cannot be played to under these rules."""
    if not is_target(target):
        raise IllegalMove("target")
    if ruleset.ending == "rounds" and target != ruleset.target:
        raise IllegalMove("target_rounds")
    if ruleset.exact == "no":
        return
    if target < ruleset.entry_minimum:
        raise IllegalMove("target_entry", need=ruleset.entry_minimum)
    if ruleset.least_value and target % ruleset.least_value:
        raise IllegalMove("target_exact", least=ruleset.least_value)


def _seat_all(players: Sequence[Entry]) -> tuple[PlayerState, ...]:
    seated: list[PlayerState] = []
    for seat, (name, level) in enumerate(players):
        try:
            seated.append(seat_player(name, level, seated))
        except IllegalMove as refusal:
            raise refusal.with_data(player=seat) from refusal
    return tuple(seated)


def seat_player(name: str, level: str | None, others: Sequence[PlayerState]) -> PlayerState:
    """Return a new player. Raises `IllegalMove` for an invalid name or level."""
    name = clean_name(name)
    check_free(name, [player.name for player in others])
    check_level(level)
    if level is not None and not is_computer_name(name):
        raise IllegalMove("person")
    return PlayerState(name, (level or DEFAULT_LEVEL) if is_computer_name(name) else None)


def check_level(level: str | None) -> None:
    """Raise `IllegalMove` for a level that does not exist; None is a person's."""
    if level is not None and level not in LEVELS:
        raise IllegalMove("level")


def throw_for_start(state: State, dice: Dice) -> Step:
    """Throw one die for each seat that takes part, in seat order; those who tie for first place throw again."""
    faces = dict(zip(state.starting, dice, strict=True))
    thrown = StartThrown(tuple(faces.get(seat) for seat in range(len(state.players))))
    ahead = find_ahead(state.ruleset, faces)
    first = ahead[0]
    if len(ahead) > 1:
        return Step(alter(state, starting=ahead, to_throw=len(ahead), player=first), (thrown,))
    order = (*state.order[first:], *state.order[:first])
    return Step(alter(state, starting=(), to_throw=0, order=order, player=first), (thrown, Starts(first)))


def find_ahead(ruleset: Ruleset, faces: Mapping[int, int]) -> tuple[int, ...]:
    """Return the seats that threw best: a single one begins, several throw again. `faces`: what each seat threw."""
    wanted = min(faces.values()) if ruleset.first_player == "lowest" else max(faces.values())
    return tuple(seat for seat, face in faces.items() if face == wanted)


def follow_start(ruleset: Ruleset, rounds: Iterable[Sequence[int]], players: int) -> Iterator[dict[int, int]]:
    """Yield what each seat threw in each round for the first player: everybody, then those who tied for first."""
    seats: Sequence[int] = range(players)
    for faces in rounds:
        fallen = dict(zip(seats, faces, strict=False))  # players who joined later have not thrown
        yield fallen
        seats = find_ahead(ruleset, fallen)
