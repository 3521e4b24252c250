"""Positions to practise on: made up by number, the same for the same number, and always such as a game can come to."""

from __future__ import annotations

from random import Random
from typing import Literal

from game.rules import Entry, Ruleset, State, Throw, apply, keeps_now, legal_moves, new_game, throw
from game.rules.play.state import alter, with_player
from game.rules.scoring import Keep
from game.strategy.turn import solve_shot_points
from game.strategy.win.ends import NoTable, make_race

PositionKind = Literal["entry", "late", "keep"]


class NoPosition(LookupError):
    """Under these rules hardly a throw scores, or a shot need never end: no choice is better than another."""


STEP = 50  # scores are multiples of it
NEAR_THE_END = 2500
TRIES = 60


def make_position(ruleset: Ruleset, kind: PositionKind, number: int, names: tuple[str, str]) -> State:
    """A choice that is due to the first of two players, or to the only one where the rules are for one.

    "entry": before getting in; "late": near the target or in the last shot of all; "keep": with many ways to keep.
    Raises `NoPosition`.
    """
    try:
        solve_shot_points(ruleset)  # what answers are judged by
    except ValueError as unknown:  # nothing scores, or a shot need never end
        raise NoPosition from unknown
    rng = Random(f"{kind} {number}")
    start = _scores(_begin(ruleset, names), kind, rng)
    for _ in range(TRIES):
        state = _play(start, rng)
        if state is not None and _is_a_question(state, kind):
            return state
    return _first_choice(start, rng)


def _begin(ruleset: Ruleset, names: tuple[str, str]) -> State:
    players = max(ruleset.min_players, min(2, ruleset.max_players))
    entries = [Entry(name) for name in names[:players]]
    entries += [Entry(f"*{seat}") for seat in range(len(entries) + 1, players + 1)]
    state = new_game(ruleset, entries).state
    while state.starting:
        state = throw(state, [6, *[1] * (state.to_throw - 1)]).state
    return state


def _scores(state: State, kind: PositionKind, rng: Random) -> State:
    """The scores, and at times the last shot of all, as the kind wants them."""
    target = state.target
    for seat in range(len(state.players)):
        if kind == "late":
            score = target - STEP * _up_to(rng, min(NEAR_THE_END, target) // STEP)
        else:
            score = STEP * _up_to(rng, target * 7 // 10 // STEP)
        score = max(score, state.ruleset.entry_minimum)
        if kind == "entry" and (seat == 0 or rng.random() < 0.3):
            score = 0
        state = with_player(state, seat, score=score, entered=score > 0)
    if kind == "late" and len(state.players) == 2 and rng.random() < 0.4 and _has_last_shots(state.ruleset):
        return _last_shot(state, rng)
    return state


def _has_last_shots(ruleset: Ruleset) -> bool:
    """Whether the last shot of all can be judged, and there is one."""
    try:
        return make_race(ruleset, ruleset.target).ending == "last_shot_each"
    except NoTable:
        return False


def _last_shot(state: State, rng: Random) -> State:
    """The other one is at the target, and this is the last shot."""
    score = state.target + STEP * _up_to(rng, 12)
    return alter(with_player(state, 1, score=score, last=True, played=True), final=True, first=1)


def _up_to(rng: Random, most: int) -> int:
    """From 1 to `most`. Random.random is the one draw that stays the same from release to release."""
    return 1 + int(rng.random() * most)


def _fall(state: State, rng: Random) -> State:
    return throw(state, [_up_to(rng, 6) for _ in range(state.to_throw)]).state


def _play(start: State, rng: Random) -> State | None:
    """A choice in a shot that goes on for up to three throws; None for a bust before it."""
    state = apply(start, Throw()).state
    for _ in range(_up_to(rng, 3) - 1):
        state = _fall(state, rng)
        if state.shot is None or not state.shot.dice:
            return None
        state = apply(state, Throw(_some_keep(state, rng).dice)).state
    state = _fall(state, rng)
    return state if state.player == start.player and keeps_now(state) else None


def _some_keep(state: State, rng: Random) -> Keep:
    found = [keep for keep in keeps_now(state) if not keep.wins] or list(keeps_now(state))
    return found[0] if rng.random() < 0.5 else found[int(rng.random() * len(found))]


def _is_a_question(state: State, kind: PositionKind) -> bool:
    """Whether there is something to think about: several ways, no win at once, and for "keep" many keeps."""
    found = keeps_now(state)
    if any(keep.wins for keep in found):
        return False
    return len(found) >= 4 if kind == "keep" else len(legal_moves(state)) >= 3


def _first_choice(start: State, rng: Random) -> State:
    """Where nothing of the kind turned up: the first throw that is no bust."""
    for _ in range(TRIES * TRIES):
        state = _fall(apply(start, Throw()).state, rng)
        if state.player == start.player and keeps_now(state):
            return state
    raise NoPosition
