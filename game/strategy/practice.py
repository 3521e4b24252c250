"""Positions to practise on, generated reproducibly from a number.

Their turns are played by the rules, but their scores are drawn: under a visitor's own rules, a game may never come to
such scores.
"""

from math import lcm
from random import Random
from typing import Literal

from game.rules import Entry, Keep, Ruleset, State, Throw, apply, keeps_now, legal_moves, new_game, throw, why_not
from game.rules.play.state import alter, with_player
from game.strategy.turn import solve_shot_points
from game.strategy.win import NoTable, make_race

PositionKind = Literal["entry", "late", "keep"]

SCORE_STEP = 50
NEAR_THE_END = 2500
# This many random turns are searched for a position of the kind, then the square of that for any position at all.
ATTEMPTS = 60


class NoPosition(LookupError):
    """There is nothing to practise: hardly any throw scores under these rules, or a shot need never end."""


def make_position(ruleset: Ruleset, kind: PositionKind, number: int, names: tuple[str, str]) -> State:
    """Return a state in which the first of two players, or the only one if the rules are for one, has a choice.

    "entry": before the first bank; "late": near the target or in the last shot of all; "keep": with many keeps.
    `names`: those of the two players. Raises `NoPosition`.
    """
    try:
        solve_shot_points(ruleset)  # answers are judged by these values
    except ValueError as unknown:  # nothing scores, or a shot need never end
        raise NoPosition from unknown
    rng = Random(f"{kind} {number}")
    start = _set_scores(_begin_game(ruleset, names), kind, rng)
    for _ in range(ATTEMPTS):
        state = _play_on(start, rng, _draw(rng, 3))
        if state is not None and _is_question(state, kind):
            return state
    for _ in range(ATTEMPTS * ATTEMPTS):
        state = _play_on(start, rng, 1)
        if state is not None:
            return state
    raise NoPosition


def _begin_game(ruleset: Ruleset, names: tuple[str, str]) -> State:
    players = max(ruleset.min_players, min(2, ruleset.max_players))
    entries = [Entry(name) for name in names[:players]]
    entries += [Entry(f"*{seat}") for seat in range(len(entries) + 1, players + 1)]
    return alter(new_game(ruleset, entries).state, starting=(), to_throw=0)


def _set_scores(state: State, kind: PositionKind, rng: Random) -> State:
    """Set the scores, and sometimes a last shot, as the kind demands."""
    target, exact = state.target, state.ruleset.exact != "no"
    step = lcm(SCORE_STEP, state.ruleset.least_value) if exact else SCORE_STEP
    for seat in range(len(state.players)):
        if kind == "late":
            score = target - step * _draw(rng, min(NEAR_THE_END, target) // step)
        else:
            score = step * _draw(rng, target * 7 // 10 // step)
        entry = state.ruleset.entry_minimum
        score = max(score, -(-entry // step) * step if exact else entry)
        if kind == "entry" and (seat == 0 or rng.random() < 0.3):
            score = 0
        state = with_player(state, seat, score=score, entered=score > 0)
    if kind == "late" and len(state.players) == 2 and rng.random() < 0.4 and _has_last_shots(state.ruleset):
        # The other player is at the target, and this is the last shot.
        score = target if exact else target + SCORE_STEP * _draw(rng, 12)
        state = alter(with_player(state, 1, score=score, last=True, played=True), final=True, first=1)
    if state.ruleset.ending == "rounds" and not state.final:
        # The round that goes with the scores, but not the last one.
        most = max(player.score for player in state.players)
        state = alter(state, round=min(1 + state.ruleset.rounds * most // target, state.ruleset.rounds - 1))
    return state


def _has_last_shots(ruleset: Ruleset) -> bool:
    """Return whether games have a last shot of all, and it can be judged by chances to win."""
    try:
        return make_race(ruleset, ruleset.target).ending == "last_shot_each"
    except NoTable:
        return False


def _draw(rng: Random, most: int) -> int:
    """Draw a number from 1 to `most`, by `Random.random` because only that is stable across Python releases."""
    return 1 + int(rng.random() * most)


def _throw_dice(state: State, rng: Random) -> State:
    return throw(state, [_draw(rng, 6) for _ in range(state.to_throw)]).state


def _play_on(start: State, rng: Random, throws: int) -> State | None:
    """Play this many throws of a shot, and return the state with the choice after the last; None without one."""
    state = apply(start, Throw()).state
    for _ in range(throws - 1):
        state = _throw_dice(state, rng)
        if state.shot is None or not state.shot.dice:
            return None
        move = Throw(_pick_keep(state, rng).dice)
        if why_not(state, move):  # it was the last throw of the turn
            return None
        state = apply(state, move).state
    state = _throw_dice(state, rng)
    return state if state.player == start.player and keeps_now(state) else None


def _pick_keep(state: State, rng: Random) -> Keep:
    keeps = [keep for keep in keeps_now(state) if not keep.wins] or list(keeps_now(state))
    return keeps[0] if rng.random() < 0.5 else keeps[int(rng.random() * len(keeps))]


def _is_question(state: State, kind: PositionKind) -> bool:
    """Return whether there is something to think about: several moves, no win at once, and for "keep" many keeps."""
    keeps = keeps_now(state)
    if any(keep.wins for keep in keeps):
        return False
    return len(keeps) >= 4 if kind == "keep" else len(legal_moves(state)) >= 3
