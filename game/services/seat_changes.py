"""Changes beside the dice of a running game: names, joining, stepping out and in, the target, the mode, hints."""

from game.models import Game
from game.rules import Change, Join, Rename, SetMode, SetTarget, Shot, State, StepIn, StepOut, apply
from game.rules.play.moves import Mode
from game.services.refusals import NotForYou
from game.services.shots import GameAndEvents
from game.services.transaction import RUNNING, Command, locked_change, mark_dice_changed
from game.services.undo import can_undo_at_once
from game.storage import load_state, record_step


def rename_player(code: str, command: Command, seat: int, name: str) -> GameAndEvents:
    """Give a seat of this visitor a new name, at any time, also after the end. Raises `IllegalMove` for the name."""
    return change_own_seat(code, command, Rename(seat, name), when=RUNNING | Game.OVER)


def step_out(code: str, command: Command, seat: int) -> GameAndEvents:
    """Let a seat of this visitor be passed over from now on. In the middle of its turn, that turn is lost."""
    return change_own_seat(code, command, StepOut(seat))


def step_in(code: str, command: Command, seat: int) -> GameAndEvents:
    """Let a seat of this visitor take part again."""
    return change_own_seat(code, command, StepIn(seat))


def add_player(code: str, command: Command, name: str, level: str | None) -> GameAndEvents:
    """Add a player at the end of the order, on the host's device. Raises `IllegalMove` for the name or too many."""
    return change_as_host(code, command, Join(name, level))


def set_target(code: str, command: Command, value: int) -> GameAndEvents:
    """Change the target. Raises `IllegalMove` for one that is none, or that somebody has passed."""
    return change_as_host(code, command, SetTarget(value))


def set_mode(code: str, command: Command, mode: Mode) -> GameAndEvents:
    """Switch between dice on screen and real dice, from the next turn on."""
    return change_as_host(code, command, SetMode(mode))


def set_hints(code: str, command: Command, level: str) -> GameAndEvents:
    """Lock the hints at a level for everybody, or with "" leave it to each viewer."""
    with locked_change(code, command, dice=False, host=True) as game:
        game.hints = level
        game.save(update_fields=["hints", "touched"])
        return game, ()


def change_own_seat(
    code: str, command: Command, change: Rename | StepOut | StepIn, *, when: frozenset[str] = RUNNING
) -> GameAndEvents:
    """Apply a change that only who holds the seat may make. Raises a `Refusal` or `IllegalMove`."""
    with locked_change(code, command, dice=False, when=when) as game:
        holder = game.seats[change.player] if change.player < len(game.seats) else None
        if holder and holder.visitor_id != command.who:
            raise NotForYou(NotForYou.SEAT)
        return apply_change(game, change)


def change_as_host(code: str, command: Command, change: Change) -> GameAndEvents:
    """Apply a change that only the host may make. Raises a `Refusal` or `IllegalMove`."""
    with locked_change(code, command, dice=False, host=True) as game:
        return apply_change(game, change)


def apply_change(game: Game, change: Change) -> GameAndEvents:
    """Apply a change and write it. Where it ended the running shot or changed who plays it, older forms are stale."""
    before = load_state(game)
    step = apply(before, change)
    if who_is_due(before) != who_is_due(step.state):
        mark_dice_changed(game)
    record_step(game, step)
    asking = game.asks_undo
    if asking and asking.visitor and can_undo_at_once(game, asking.visitor):  # nobody is left to answer
        game.asks_undo = None
        game.save(update_fields=["asks_undo"])
    return game, step.events


def who_is_due(state: State) -> tuple[int, Shot | None, str | None]:
    """Return the seat that is due, its running shot, and the level of the computer that plays it."""
    return state.player, state.shot, state.players[state.player].level
