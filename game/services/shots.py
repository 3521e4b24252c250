"""What the player at the dice does: throw, bank, enter points; and a computer's next step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from game.models import Game, ThrowRow
from game.rules import (
    Bank,
    IllegalMove,
    Manual,
    Move,
    Step,
    Throw,
    Win,
    apply,
    find_keep,
    keeps_now,
    nearest_keep,
    points_with,
    throw,
)
from game.rules.events import Event
from game.services.dice import throw_sealed_dice
from game.services.plans import NO_PLAN, Plan, is_computer_due, plan_moves
from game.services.refusals import AlreadyDone, ComputersShot, NoSuchGame, NotYourShot, PointsChanged, StaleMove
from game.services.transaction import (
    Command,
    bump_version,
    locked_change,
    mark_dice_changed,
    refusal_of_status,
    require_part,
)
from game.storage import load_state, record_step

GameAndEvents = tuple[Game, tuple[Event, ...]]
COMPUTER_STEPS_MOST = 60
UNATTENDED = timedelta(seconds=15)  # longer than any page waits between two steps of a computer


def throw_dice(code: str, command: Command, columns: Sequence[int], *, pick_up: bool = False) -> GameAndEvents:
    """Keeps the dice in these columns and throws the rest; the first throw of a turn keeps none."""
    with locked_change(code, command) as game:
        check_whose_shot(game, command)
        keep = faces_in(game.last_throw, columns)
        return game, play_move(game, Throw(keep, pick_up=pick_up), columns)


def bank_points(code: str, command: Command, columns: Sequence[int], shown: int | None) -> GameAndEvents:
    """Ends the turn with what is kept; where six alike win at once, keeping them wins the game.

    `shown`: the points the person saw; banking anything else is refused.
    """
    with locked_change(code, command) as game:
        check_whose_shot(game, command)
        faces = faces_in(game.last_throw, columns)
        kept = find_keep(load_state(game), faces)
        shot = load_state(game).shot
        if shown is not None and shot and kept and shown != points_with(shot, kept):
            raise PointsChanged(points_with(shot, kept))
        move = Win(kept.dice) if kept and kept.wins else Bank(faces)
        return game, play_move(game, move, columns)


def enter_points(code: str, command: Command, entry: Manual) -> GameAndEvents:
    """Real dice: the points of a whole turn, or 0 for a bust."""
    with locked_change(code, command) as game:
        check_whose_shot(game, command)
        step = apply(load_state(game), entry)
        record_step(game, step, manual=entry)
        return game, step.events


def advance_computers(code: str, command: Command, *, to_a_person: bool) -> GameAndEvents:
    """One step of the computer whose turn it is; with `to_a_person` the steps up to a person's turn.

    Raises `AlreadyDone` where somebody else's page was quicker. Pages of all who sit there ask for every step, so it is
    found out by reading, and only who comes first waits for the lock. Many computers in a row take more than one press,
    so that nobody else waits long for it.
    """
    most = COMPUTER_STEPS_MOST if to_a_person else 1
    before = Game.by_code(code)
    if before is None:
        raise NoSuchGame
    require_part(before, command.visitor)
    check_step_due(before, command)
    planned = plan_moves(before, most)
    with locked_change(code, command, dice=False, table=False, when=Game.OPEN | Game.OVER) as game:
        check_step_due(game, command)
        return game, play_computers(game, most, planned)


def check_step_due(game: Game, command: Command) -> None:
    """Refuses where no step is due: the board from which somebody asks is older than the last move, or a person is."""
    if command.version is None or command.version < game.dice_version:
        raise AlreadyDone
    if game.status != Game.Status.RUNNING:
        raise refusal_of_status(game)
    if not computer_due(game):
        raise AlreadyDone


def advance_unattended(code: str) -> GameAndEvents:
    """The computers' steps up to a person's turn in a game where no page asks for them.

    Raises `StaleMove` where there is nothing to do, or a page was quicker.
    """
    before = Game.objects.filter(code=code, status=Game.Status.RUNNING).first()
    planned = plan_moves(before, COMPUTER_STEPS_MOST) if before else NO_PLAN
    if not planned.moves:
        raise StaleMove  # without the lock: after a start the worker looks at every game that runs
    with bump_version(code, table=False) as game:
        if (
            game.status != Game.Status.RUNNING
            or timezone.now() - game.dice_changed_at < UNATTENDED
            or not computer_due(game)
        ):
            raise StaleMove
        return game, play_computers(game, COMPUTER_STEPS_MOST, planned)


def play_computers(game: Game, most: int, planned: Plan) -> tuple[Event, ...]:
    happened: list[Event] = []
    for step in range(most):
        if load_state(game).finished or not computer_due(game):
            break
        happened += play_move(game, planned.move(game, step), ())
    if happened:
        mark_dice_changed(game)
        game.save(update_fields=["dice_version", "dice_changed_at", "asks_undo"])
    return tuple(happened)


def computer_due(game: Game) -> bool:
    return is_computer_due(load_state(game))


def check_whose_shot(game: Game, command: Command) -> None:
    """Refuses everybody but the person whose turn it is; a computer's turn is nobody's."""
    state = load_state(game)
    seat = game.seats[state.player]
    if seat.level:
        raise ComputersShot(seat.name)
    if seat.visitor_id != (command.visitor and command.visitor.pk):
        raise NotYourShot(seat.name)


def faces_in(last: ThrowRow | None, columns: Sequence[int]) -> tuple[int, ...]:
    """The faces of the dice on the table in these columns. A column without such a die is refused."""
    lying = last.by_column if last else {}
    if len(set(columns)) != len(columns) or any(column not in lying for column in columns):
        raise IllegalMove("cannot_keep", dice=tuple(lying.get(c, 0) for c in columns))
    return tuple(sorted(lying[column] for column in columns))


def apply_with_nearest(game: Game, move: Move) -> Step:
    """Applies a move; a refusal of dice that do not all score names the nearest ones that do."""
    try:
        return apply(load_state(game), move)
    except IllegalMove as illegal:
        choices = keeps_now(load_state(game))
        if illegal.code != "cannot_keep" or not choices:
            raise
        raise illegal.with_data(nearest=nearest_keep(choices, move.keep).dice) from illegal


def play_move(game: Game, move: Move, columns: Sequence[int]) -> tuple[Event, ...]:
    """A move and, where it throws, the dice that fall, written together."""
    step = apply_with_nearest(game, move)
    if step.state.to_throw:
        step = throw(step.state, throw_sealed_dice(game, step.state.to_throw)).preceded_by(*step.events)
    record_step(game, step, columns=columns, number=game.thrown)
    return step.events
