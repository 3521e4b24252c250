"""What the player at the dice does: throw, bank, win, enter points; and a computer's next step."""

from __future__ import annotations

from collections.abc import Sequence

from game.models import Game, writing
from game.rules import Bank, IllegalMove, Keep, Manual, Move, Throw, Win, apply, keeps, throw
from game.rules.events import Event
from game.services.dice import fall
from game.services.path import Asked, change
from game.services.refusals import ComputersShot, NotYourShot, PointsChanged
from game.strategy import computers

Done = tuple[Game, tuple[Event, ...]]
COMPUTER_STEPS_MOST = 2000


def throw_dice(code: str, asked: Asked, columns: Sequence[int], *, pick_up: bool = False) -> Done:
    """Keeps the dice in these columns and throws the rest; the first throw of a turn keeps none."""
    with change(code, asked) as game:
        at_the_dice(game, asked)
        keep = faces_in(game, columns)
        return game, play(game, Throw(keep, pick_up=pick_up), columns)


def bank(code: str, asked: Asked, columns: Sequence[int], shown: int | None) -> Done:
    """Ends the turn with what is kept. `shown`: the points the person saw; banking anything else is refused."""
    with change(code, asked) as game:
        at_the_dice(game, asked)
        keep = faces_in(game, columns)
        would = would_bank(game, keep)
        if shown is not None and would is not None and shown != would:
            raise PointsChanged(would)
        return game, play(game, Bank(keep), columns)


def win(code: str, asked: Asked, columns: Sequence[int]) -> Done:
    """Keeps six equal dice that win the game at once."""
    with change(code, asked) as game:
        at_the_dice(game, asked)
        return game, play(game, Win(faces_in(game, columns)), columns)


def enter_points(code: str, asked: Asked, entry: Manual) -> Done:
    """Real dice: the points of a whole turn, or 0 for a bust."""
    with change(code, asked) as game:
        at_the_dice(game, asked)
        step = apply(game.state(), entry)
        game.record(step, manual=entry)
        return game, step.events


def advance(code: str, asked: Asked, *, to_a_person: bool) -> Done:
    """One step of the computer whose turn it is; with `to_a_person` all steps up to a person's turn.

    When it is no computer's turn nothing happens: somebody else's page was quicker.
    """
    with change(code, asked, dice=False) as game:
        happened: list[Event] = []
        for _step in range(COMPUTER_STEPS_MOST if to_a_person else 1):
            if game.state().finished or not computers.plays(game.state()):
                break
            happened += play(game, computers.choose(game.state()), ())
        return game, tuple(happened)


def at_the_dice(game: Game, asked: Asked) -> None:
    """Refuses everybody but the person whose turn it is; a computer's turn is nobody's."""
    state = game.state()
    seat = game.players.get(seat=state.player)
    if seat.level:
        raise ComputersShot(seat.name)
    if seat.visitor_id != (asked.visitor and asked.visitor.pk):
        raise NotYourShot(seat.name)


def faces_in(game: Game, columns: Sequence[int]) -> tuple[int, ...]:
    """The faces of the dice on the table in these columns. A column without such a die is refused."""
    if not columns:
        return ()
    shot = game.shots.filter(outcome="", cancelled=False).first()
    last = shot.throws.last() if shot else None
    lying = last.by_column if last else {}
    if len(set(columns)) != len(columns) or any(column not in lying for column in columns):
        raise IllegalMove("cannot_keep", dice=tuple(lying.get(c, 0) for c in columns))
    return tuple(sorted(lying[column] for column in columns))


def would_bank(game: Game, keep: tuple[int, ...]) -> int | None:
    """The points that banking with this keep is worth; None where it is no keep."""
    shot = game.state().shot
    if shot is None or not shot.dice:
        return None
    found = keeps(game.rules, shot.dice, shot.aside, shot.aside_points)
    kept: Keep | None = next((k for k in found if k.dice == keep), None)
    if kept is None:
        return None
    return shot.points + kept.points - (shot.aside_points if kept.with_aside else 0)


def play(game: Game, move: Move, columns: Sequence[int]) -> tuple[Event, ...]:
    """A move and, where it throws, the dice that fall: written one after the other, in one transaction."""
    step = apply(game.state(), move)
    told: writing.Told = {"columns": columns} if columns else {}
    game.record(step, **told)
    happened = step.events
    if game.state().to_throw:
        fallen = throw(game.state(), fall(game, game.state().to_throw))
        game.record(fallen, number=game.thrown)
        happened += fallen.events
    return happened


