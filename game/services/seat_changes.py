"""Changes beside the dice of a running game: names, joining, stepping out and in, the target, the mode, hints."""

from __future__ import annotations

from game.models import Game
from game.rules import Change, Join, Rename, SetMode, SetTarget, Shot, State, StepIn, StepOut, apply
from game.services.refusals import NotForYou
from game.services.shots import Done
from game.services.transaction import RUNNING, Asked, change, dealt


def rename(code: str, asked: Asked, seat: int, name: str) -> Done:
    """A new name for a seat of this visitor, at any time, also after the end."""
    return of_a_seat(code, asked, Rename(seat, name), when=RUNNING | Game.OVER)


def step_out(code: str, asked: Asked, seat: int) -> Done:
    return of_a_seat(code, asked, StepOut(seat))


def step_in(code: str, asked: Asked, seat: int) -> Done:
    return of_a_seat(code, asked, StepIn(seat))


def join(code: str, asked: Asked, name: str, level: str | None) -> Done:
    """A new player at the end of the order, on the device of whoever made the game."""
    return of_the_host(code, asked, Join(name, level))


def set_target(code: str, asked: Asked, value: int) -> Done:
    return of_the_host(code, asked, SetTarget(value))


def set_mode(code: str, asked: Asked, mode: str) -> Done:
    """Dice on screen or real dice, from the next turn on."""
    return of_the_host(code, asked, SetMode(mode))


def set_hints(code: str, asked: Asked, level: str) -> Done:
    """Locks Ways to keep at a level for everybody, or with "" leaves it to each viewer."""
    with change(code, asked, dice=False, host=True) as game:
        game.hints = level
        game.save(update_fields=["hints", "touched"])
        return game, ()


def of_a_seat(code: str, asked: Asked, wanted: Rename | StepOut | StepIn, *, when: frozenset[str] = RUNNING) -> Done:
    with change(code, asked, dice=False, when=when) as game:
        holder = game.seats[wanted.player] if wanted.player < len(game.seats) else None
        if holder and holder.visitor_id != (asked.visitor and asked.visitor.pk):
            raise NotForYou(NotForYou.SEAT)
        return written(game, wanted)


def of_the_host(code: str, asked: Asked, wanted: Change) -> Done:
    with change(code, asked, dice=False, host=True) as game:
        return written(game, wanted)


def written(game: Game, wanted: Change) -> Done:
    """Applies and writes it. Where it ended the running shot or changed who plays it, forms made before are stale."""
    step = apply(game.state(), wanted)
    if who_is_due(game.state()) != who_is_due(step.state):
        dealt(game)
    game.record(step)
    return game, step.events


def who_is_due(state: State) -> tuple[int, Shot | None, str | None]:
    """The seat, its running shot, and whether a computer plays it."""
    return state.player, state.shot, state.players[state.player].level
