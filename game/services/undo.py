"""Taking back the last turn: a decision can change, a die never does."""

from __future__ import annotations

from django.db.models import Max

from game.models import Game, Shot, reading
from game.rules import State, record
from game.services.dice import seal_new_epoch
from game.services.path import Asked, change
from game.services.shots import Done


def undo(code: str, asked: Asked) -> Done:
    """Cancels the running turn if dice have fallen, else the last finished one, and computers' turns along with it.

    Raises `IllegalMove` where there is nothing to take back, or where the game would not go together without it.
    """
    with change(code, asked, over=True) as game:
        rows = reading.rows_in_order(game)
        shorter, cancelled = record.undo(reading.record_of(game))
        was_over = game.state().finished
        cancel(game, [rows[index] for index in cancelled])
        game.undone = True
        back_to(game, reading.in_its_mode(game, record.replay(shorter).state))
        if was_over:
            # Its seed has been shown: from here on the dice come from another one.
            seal_new_epoch(game, game.epoch + 1)
            game.save(update_fields=["epoch"])
            Game.objects.filter(follows=game).update(follows=None)
        return game, ()


def cancel(game: Game, shots: list[Shot]) -> None:
    ids = [shot.pk for shot in shots]
    game.shots.filter(pk__in=ids).update(cancelled=True)
    game.throws.filter(shot__in=ids).update(cancelled=True)
    still = game.throws.filter(cancelled=False).aggregate(last=Max("number"))
    game.thrown = still["last"] or 0


def back_to(game: Game, state: State) -> None:
    """The state before the cancelled turns, and the players' rows as it has them."""
    for row, player in zip(game.seats, state.players, strict=True):
        row.name, row.level = player.name, player.level or ""
        row.score, row.entered, row.active = player.score, player.entered, player.active
        row.won = row.seat in state.winners
        row.save(update_fields=["name", "level", "score", "entered", "active", "won"])
    game.keep_state(state)
