"""Changes beside the dice of a running game: names, joining, stepping out and in, the target, the mode, hints."""

from __future__ import annotations

from game.models import Game
from game.rules import Change, Join, Rename, SetMode, SetTarget, Shot, State, StepIn, StepOut, apply
from game.services.refusals import NotForYou
from game.services.shots import GameAndEvents
from game.services.transaction import RUNNING, Command, locked_change, mark_dice_changed
from game.storage import load_state, record_step


def rename_player(code: str, command: Command, seat: int, name: str) -> GameAndEvents:
    """A new name for a seat of this visitor, at any time, also after the end."""
    return change_own_seat(code, command, Rename(seat, name), when=RUNNING | Game.OVER)


def step_out(code: str, command: Command, seat: int) -> GameAndEvents:
    return change_own_seat(code, command, StepOut(seat))


def step_in(code: str, command: Command, seat: int) -> GameAndEvents:
    return change_own_seat(code, command, StepIn(seat))


def add_player(code: str, command: Command, name: str, level: str | None) -> GameAndEvents:
    """A new player at the end of the order, on the device of whoever made the game."""
    return change_as_host(code, command, Join(name, level))


def set_target(code: str, command: Command, value: int) -> GameAndEvents:
    return change_as_host(code, command, SetTarget(value))


def set_mode(code: str, command: Command, mode: str) -> GameAndEvents:
    """Dice on screen or real dice, from the next turn on."""
    return change_as_host(code, command, SetMode(mode))


def set_hints(code: str, command: Command, level: str) -> GameAndEvents:
    """Locks Ways to keep at a level for everybody, or with "" leaves it to each viewer."""
    with locked_change(code, command, dice=False, host=True) as game:
        game.hints = level
        game.save(update_fields=["hints", "touched"])
        return game, ()


def change_own_seat(
    code: str, command: Command, wanted: Rename | StepOut | StepIn, *, when: frozenset[str] = RUNNING
) -> GameAndEvents:
    with locked_change(code, command, dice=False, when=when) as game:
        holder = game.seats[wanted.player] if wanted.player < len(game.seats) else None
        if holder and holder.visitor_id != (command.visitor and command.visitor.pk):
            raise NotForYou(NotForYou.SEAT)
        return apply_change(game, wanted)


def change_as_host(code: str, command: Command, wanted: Change) -> GameAndEvents:
    with locked_change(code, command, dice=False, host=True) as game:
        return apply_change(game, wanted)


def apply_change(game: Game, wanted: Change) -> GameAndEvents:
    """Applies and writes it. Where it ended the running shot or changed who plays it, forms made before are stale."""
    step = apply(load_state(game), wanted)
    if who_is_due(load_state(game)) != who_is_due(step.state):
        mark_dice_changed(game)
    record_step(game, step)
    return game, step.events


def who_is_due(state: State) -> tuple[int, Shot | None, str | None]:
    """The seat, its running shot, and whether a computer plays it."""
    return state.player, state.shot, state.players[state.player].level
