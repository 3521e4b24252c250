"""Undoing the last turn: an undo can change a decision, never a die. `consent` says who has to agree."""

from contextlib import suppress
from dataclasses import dataclass

from django.db.models import Min, QuerySet

from game.models import Checkpoint, Game, Review, ShotRow, Visitor
from game.models.compiled import update_row
from game.rules import STATE_FORMAT, IllegalMove, RecordError, State, record
from game.services.dice import seal_new_epoch
from game.services.seat_changes import is_persons_seat
from game.services.transaction import mark_dice_changed
from game.storage import (
    keep_state,
    list_event_rows,
    load_checkpoint,
    load_record,
    load_state,
    restore_mode,
    update_players,
)


@dataclass(frozen=True)
class LastTurn:
    """What an undo cancels: the rows of the turns, none for a draft; and the game's state without them."""

    shots: list[ShotRow]
    state: State

    def belongs_to_others(self, visitor: Visitor) -> bool:
        """Return whether one of the turns was a person's on another device, even one who has stepped out since."""
        return any(is_persons_seat(shot.player) and shot.player.visitor_id != visitor.pk for shot in self.shots)


def find_last_turn(game: Game) -> LastTurn:
    """Return the turn that an undo cancels. Raises `IllegalMove` if there is nothing to undo.

    A draft has no rows. Any other turn is found by a replay from the last checkpoint before it, so that a long game
    takes no longer than a short one.
    """
    if game.draft:
        return LastTurn([], load_state(game))
    for checkpoint in query_checkpoints(game):
        with suppress(IllegalMove):  # the computers' turns that go along may begin before it
            return replay_without_last(game, checkpoint)
    return replay_without_last(game, None)


def replay_without_last(game: Game, checkpoint: Checkpoint | None) -> LastTurn:
    """Return the last turn after a checkpoint, or in the whole game. Raises `IllegalMove` if it cannot be undone."""
    before = load_checkpoint(game, checkpoint) if checkpoint else None
    try:
        shorter, cancelled = record.undo(load_record(game, checkpoint), before)
    except RecordError as error:  # `manage.py verify` names the fault; the player can only play on
        raise IllegalMove("undo") from error
    rows = list_event_rows(game, checkpoint)
    shots = [row for row in map(rows.__getitem__, cancelled) if isinstance(row, ShotRow)]
    return LastTurn(shots, record.replay(shorter, before).state)


def query_checkpoints(game: Game) -> QuerySet[Checkpoint]:
    """Return the checkpoints from which the last turn of a person can be replayed, the newest first."""
    last = game.shots.filter(cancelled=False, player__level="").last()
    before = last.place if last else 0
    return game.checkpoints.filter(place__lt=before, state_format=STATE_FORMAT).order_by("-place")[:2]


def cancel_turn(game: Game, turn: LastTurn) -> None:
    """Cancel the rows of the last turn, and restore everything to how it was before."""
    game.asking = None
    game.place += 1  # an earlier refusal is no longer the latest event
    game.save(update_fields=["place"])
    mark_dice_changed(game)
    was_over = load_state(game).finished
    game.draft = {}
    if turn.shots:
        cancel_shots(game, turn.shots)
    state = restore_mode(game, turn.state)
    for row, names in update_players(game, state):
        update_row(row, names)
    keep_state(game, state)
    if was_over:
        # Its seed has been revealed, so from here on the dice come from a new one.
        seal_new_epoch(game)
        game.save(update_fields=["epoch"])
        Game.objects.filter(follows=game).update(follows=None)
        Review.objects.filter(game=game).delete()
        game.players.update(turns=None)  # summed up at the next end, if the game still counts for statistics


def cancel_shots(game: Game, shots: list[ShotRow]) -> None:
    """Cancel these turns. The numbers of their throws are free again, so that the same dice fall.

    That marks the game, since whoever knows the dice decides better. Points entered for real dice are only corrected.
    """
    rows = [shot.pk for shot in shots]
    throws = game.throws.filter(shot__in=rows)
    first = throws.aggregate(first=Min("number"))["first"]
    if first is not None:
        game.thrown = first - 1
        game.undone = True
    game.shots.filter(pk__in=rows).update(cancelled=True)
    throws.update(cancelled=True)
    game.checkpoints.filter(place__gte=shots[0].place).delete()
