"""Changes to a running game apart from its dice: names, joining, stepping out and in, the target, hints."""

from typing import Unpack

from game.models import Game, Player, Visitor
from game.rules import Change, Join, Rename, SetTarget, Shot, State, StepIn, StepOut, apply
from game.services.refusals import NotForYou
from game.services.shots import GameAndEvents
from game.services.transaction import RUNNING, Command, locked_change, mark_dice_changed
from game.storage import load_state, record_step
from game.storage.writing import EventContext


def set_hints(code: str, command: Command, level: str) -> GameAndEvents:
    """Lock the hints at a level for everybody, or with "" leave them to each viewer. Raises a `Refusal`."""
    with locked_change(code, command, dice=False, host=True) as game:
        game.hints = level
        game.save(update_fields=["hints", "touched"])
        return game, ()


def change_own_seat(code: str, command: Command, change: Rename | StepOut | StepIn) -> GameAndEvents:
    """Rename a seat of this visitor, even after the end, or step out or in with it.

    Whoever steps out in the middle of a turn loses that turn. Raises a `Refusal`, or `IllegalMove` for the name.
    """
    when = RUNNING | Game.OVER if isinstance(change, Rename) else RUNNING
    with locked_change(code, command, dice=False, when=when) as game:
        holder = game.seats[change.player] if change.player < len(game.seats) else None
        if holder and holder.visitor_id != command.who:
            raise NotForYou(NotForYou.SEAT)
        return apply_change(game, change)


def change_game_as_host(code: str, command: Command, change: Join | SetTarget) -> GameAndEvents:
    """Add a player at the end of the order, on the host's device, or change the target, as the host.

    Raises a `Refusal`, and `IllegalMove` for the name, too many players, or a target that somebody has passed.
    """
    with locked_change(code, command, dice=False, host=True) as game:
        return apply_change(game, change)


def apply_change(game: Game, change: Change, **context: Unpack[EventContext]) -> GameAndEvents:
    """Apply a change and write it. If it ended the shot or the game, or changed who plays, older forms become stale."""
    before = load_state(game)
    step = apply(before, change)
    if who_is_due(before) != who_is_due(step.state) or step.state.finished:
        mark_dice_changed(game)
    record_step(game, step, **context)
    asking = game.asking
    if asking and asking.visitor and decides_alone(game, asking.visitor):  # nobody else is left to answer
        end_question(game)
    return game, step.events


def decides_alone(game: Game, visitor: Visitor) -> bool:
    """Return whether all people who still play sit at this visitor's device, so that nobody else has to agree.

    A person for whom a computer stands in keeps their say, since the seat is theirs again when they come back.
    """
    return all(seat.visitor_id == visitor.pk for seat in game.seats if seat.active and is_persons_seat(seat))


def list_seats_of_people(game: Game, visitor: Visitor) -> list[Player]:
    """Return the seats of this visitor's people, whoever is playing them at the moment."""
    return [seat for seat in game.seats if seat.visitor_id == visitor.pk and seat.is_person]


def is_persons_seat(seat: Player) -> bool:
    """Return whether the seat belongs to a person at some browser, whoever is playing it at the moment."""
    return seat.visitor_id is not None and seat.is_person


def end_question(game: Game) -> None:
    """Withdraw the pending question to the others, if there is one."""
    game.asking = None
    game.save(update_fields=["asking"])


def who_is_due(state: State) -> tuple[int, Shot | None, str | None]:
    """Return the seat that is due, its running shot, and the level of the computer that plays it."""
    return state.player, state.shot, state.players[state.player].level
