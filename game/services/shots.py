"""What the player who is due does: throw and bank, and the next step of a computer."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from game.models import Game
from game.rules import Bank, IllegalMove, Move, Step, Throw, Win, find_keep, keeps_now, nearest_keep, points_with, throw
from game.rules.events import Event
from game.services.computer_moves import Plan, is_computer_due, make_move, plan_moves
from game.services.dice import throw_sealed_dice
from game.services.refusals import AlreadyDone, ComputersShot, NotYourShot, PointsChanged, StaleMove
from game.services.transaction import (
    Command,
    bump_version,
    explain_status,
    find_own_game,
    locked_change,
    mark_dice_changed,
)
from game.storage import load_state, record_step
from game.storage.columns import find_faces

GameAndEvents = tuple[Game, tuple[Event, ...]]
COMPUTER_STEPS_MOST = 60
UNATTENDED = timedelta(seconds=15)  # longer than any page waits between two steps of a computer


def throw_dice(code: str, command: Command, columns: Sequence[int], *, pick_up: bool = False) -> GameAndEvents:
    """Keep the dice in these columns and throw the rest; the first throw of a turn keeps none.

    Raises a `Refusal`, or `IllegalMove` for dice that cannot be kept.
    """
    with locked_change(code, command) as game:
        check_whose_shot(game, command)
        keep = find_faces(game.last_throw, columns)
        return game, play_move(game, Throw(keep, pick_up=pick_up), columns)


def bank_points(code: str, command: Command, columns: Sequence[int], shown: int | None) -> GameAndEvents:
    """Keep the dice in these columns and end the turn; dice that win at once win the game.

    `shown`: the points the person saw; banking anything else is refused. Raises a `Refusal` or `IllegalMove`.
    """
    with locked_change(code, command) as game:
        check_whose_shot(game, command)
        faces = find_faces(game.last_throw, columns)
        state = load_state(game)
        keep = find_keep(state, faces)
        if shown is not None and state.shot and keep and shown != points_with(state.shot, keep):
            raise PointsChanged(n=points_with(state.shot, keep))
        move = Win(keep.dice) if keep and keep.wins else Bank(faces)
        return game, play_move(game, move, columns)


def advance_computers(code: str, command: Command, *, to_a_person: bool) -> GameAndEvents:
    """Play one step of the computer whose turn it is; with `to_a_person` the steps up to a person's turn.

    Raises `AlreadyDone` if somebody else's page was quicker, or a `Refusal`. All pages of the game ask for every step,
    so each request checks this by reading before it waits for the lock. Many computers in a row take more than one
    request, so that nobody waits long for the lock.
    """
    most = COMPUTER_STEPS_MOST if to_a_person else 1
    before, _visitor = find_own_game(code, command.visitor)
    check_step_due(before, command)
    plan = plan_moves(before, most)
    with locked_change(code, command, dice=False, table=False, when=Game.OPEN | Game.OVER) as game:
        check_step_due(game, command)
        return game, play_computers(game, most, plan)


def check_step_due(game: Game, command: Command) -> None:
    """Raise `AlreadyDone` if the asking board is older than the last move, or it is a person's turn.

    Raises a `Refusal` if the game is not running.
    """
    if command.is_older_than_dice(game):
        raise AlreadyDone
    if game.status != Game.Status.RUNNING:
        raise explain_status(game)
    if not is_computer_due(load_state(game)):
        raise AlreadyDone


def advance_unattended(code: str) -> None:
    """Play the computers' steps up to a person's turn in a game where no page asks for them.

    Raises `StaleMove` if there is nothing to do, or a page was quicker.
    """
    before = Game.objects.filter(code=code, status=Game.Status.RUNNING).first()
    plan = plan_moves(before, COMPUTER_STEPS_MOST) if before else None
    if not plan or not plan.moves:
        raise StaleMove  # without taking the lock, since the worker looks at every running game after it starts
    with bump_version(code, table=False) as game:
        is_new = timezone.now() - game.dice_changed_at < UNATTENDED
        if game.status != Game.Status.RUNNING or is_new or not is_computer_due(load_state(game)):
            raise StaleMove
        play_computers(game, COMPUTER_STEPS_MOST, plan)


def play_computers(game: Game, most: int, plan: Plan) -> tuple[Event, ...]:
    """Play up to `most` steps while computers are due, and return what happened."""
    events: list[Event] = []
    for step in range(most):
        state = load_state(game)
        if state.finished or not is_computer_due(state):
            break
        events += play_move(game, plan.move(game, step), ())
    if events:
        mark_dice_changed(game)
        # The worker overlooks a game whose dice have changed since it was touched.
        game.save(update_fields=["dice_version", "dice_changed_at", "asking", "touched"])
    return tuple(events)


def check_whose_shot(game: Game, command: Command) -> None:
    """Raise a `Refusal` for anybody but the person whose turn it is; nobody may play a computer's turn."""
    seat = game.seats[load_state(game).player]
    if seat.level:
        raise ComputersShot(name=seat.name)
    if seat.visitor_id != command.who:
        raise NotYourShot(name=seat.name)


def apply_with_nearest(game: Game, move: Move) -> Step:
    """Return the step of a move. The `IllegalMove` for dice that do not all score names the nearest ones that do."""
    state = load_state(game)
    try:
        return make_move(state, move)
    except IllegalMove as illegal:
        choices = keeps_now(state)
        if illegal.code != "cannot_keep" or not choices:
            raise
        raise illegal.with_data(nearest=nearest_keep(choices, move.keep).dice) from illegal


def play_move(game: Game, move: Move, columns: Sequence[int]) -> tuple[Event, ...]:
    """Write a move and, where it throws, the dice that fall; return what happened.

    Both are one step: a move is never written without its dice, so no retry can throw them again.
    """
    step = apply_with_nearest(game, move)
    if step.state.to_throw:
        step = throw(step.state, throw_sealed_dice(game, step.state.to_throw)).preceded_by(*step.events)
    record_step(game, step, columns=columns, number=game.thrown)
    return step.events
