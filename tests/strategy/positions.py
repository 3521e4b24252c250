"""Games in which a choice of dice is due, made by hand or met while playing at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from game.rules import Entry, Ruleset, Shot, State, Throw, apply, keeps_now, legal_moves, new_game, throw
from game.rules.play.state import PlayerState, alter, with_player
from tests.require import require

NAMES = ("Ana", "Bruno", "Cleo")

# Rules with so few scores that any target is solved in no time; and settings to which others are added, as few.
TINY = Ruleset(
    singles=(500, 0, 0, 0, 0, 0),
    of_a_kind=((1500, 0, 0, 0, 0, 1000), *((0,) * 6 for _ in range(3))),
    three_pairs=1000,
    entry_minimum=1000,
    target=2000,
)
FEW_SCORES: dict[str, Any] = {
    "dice": 5,
    "singles": [500, 0, 0, 0, 0, 0],
    "of_a_kind": {"3": [1500, 0, 0, 0, 0, 1000], "4": [2000, 0, 0, 0, 0, 1500]},
    "target": 2000,
}


def set_up_throw(ruleset: Ruleset, dice: str, *scores: int, **changes: Any) -> State:
    """Return a game whose first player has thrown these dice; it has a player for each score, all entered."""
    state = new_game(ruleset, [Entry(NAMES[seat]) for seat in range(len(scores))]).state
    while state.starting:
        state = throw(state, range(6, 6 - state.to_throw, -1)).state
    for seat, score in enumerate(scores):
        state = with_player(state, seat, score=score, entered=True)
    state = apply(alter(state, **changes), Throw()).state
    shot = alter(require(state.shot), left=len(dice))
    return throw(alter(state, shot=shot, to_throw=len(dice)), [int(face) for face in dice]).state


def set_up_choice(
    ruleset: Ruleset, dice: Sequence[int], points: int = 0, *, scores: Sequence[int] = (0, 0), entered: bool = True,
    **more: Any,
) -> State:  # fmt: skip
    """Return a game whose first player, with these points before the throw, chooses among these dice.

    It has a player for each score, all entered or none. `more`: what else the shot has.
    """
    players = tuple(PlayerState(name, score=score, entered=entered) for name, score in zip(NAMES, scores, strict=False))
    shot = Shot(0, len(dice), points, tuple(dice), throws=1, **more)
    return State(ruleset, ruleset.target, players, tuple(range(len(scores))), shot=shot)


def list_decisions(ruleset: Ruleset, rng: Random, most: int) -> Iterator[State]:
    """Yield up to `most` decisions of a random game that begins at the start, in the middle or near the end."""
    players = rng.randint(max(1, ruleset.min_players), min(3, ruleset.max_players))
    state = new_game(ruleset, [Entry(name) for name in NAMES[:players]]).state
    while state.starting:
        state = throw(state, rng.choices(range(1, 7), k=state.to_throw)).state
    for seat in range(players):
        score = rng.choice((0, rng.randrange(0, state.target, 50), state.target - 50 * rng.randint(1, 30)))
        state = with_player(state, seat, score=max(score, 0), entered=score > 0)
    count = 0
    while not state.finished and count < most:
        if state.to_throw:
            state = throw(state, rng.choices(range(1, 7), k=state.to_throw)).state
            continue
        if keeps_now(state) and rng.random() < 0.3:
            count += 1
            yield state
        state = apply(state, rng.choice(legal_moves(state))).state
