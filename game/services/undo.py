"""Undoing the last turn: a decision can change, a die never does."""

from django.db.models import Max

from game.models import Game, Player, Review, ShotRow, Visitor
from game.rules import State, record
from game.services.dice import seal_new_epoch
from game.services.refusals import NotForYou, NothingAsked, NotYourSeat, StaleMove
from game.services.shots import GameAndEvents
from game.services.transaction import RUNNING, Command, locked_change, log_change, mark_dice_changed
from game.storage import event_rows, is_shot, keep_state, load_state, player_fields, record_of, state_with_mode

WHEN = RUNNING | {Game.Status.FINISHED}


def undo_turn(code: str, command: Command) -> GameAndEvents:
    """Cancel the running turn if dice have fallen, else the last finished one, and computers' turns along with it.

    Where people play on other devices it only asks them. Raises a `Refusal`, and `IllegalMove` where there is nothing
    to undo, or where the game would not go together without it.
    """
    with locked_change(code, command, dice=False, when=WHEN) as game:
        assert command.visitor is not None  # `locked_change` lets nobody in without a part in the game
        if command.is_older_than_dice(game):
            raise StaleMove
        if can_undo_at_once(game, command.visitor) or is_asked_by_another(game, command.visitor):
            cancel_last_turn(game)
        else:
            ask_for_undo(game, command.visitor)
        return game, ()


def can_undo_at_once(game: Game, visitor: Visitor) -> bool:
    """Return whether nobody on another device has to agree: real dice, or everybody plays on this one."""
    people = (seat for seat in game.seats if is_person(seat) and seat.active)  # who stepped out is not asked
    return load_state(game).mode == "manual" or all(seat.visitor_id == visitor.pk for seat in people)


def is_person(seat: Player) -> bool:
    """Return whether a person plays there, at some browser."""
    return not seat.level and seat.visitor_id is not None


def is_asked_by_another(game: Game, visitor: Visitor) -> bool:
    """Return whether somebody on another device asks for the same undo: asking for it, too, is to agree.

    A host without a seat does not agree by it.
    """
    sits = any(is_person(seat) and seat.visitor_id == visitor.pk for seat in game.seats)
    return sits and game.asks_undo is not None and game.asks_undo.visitor_id != visitor.pk


def ask_for_undo(game: Game, visitor: Visitor) -> None:
    """Ask the others; it counts until the next dice fall. Raises `IllegalMove` for what cannot be undone."""
    record.undo(record_of(game))
    mine = [seat for seat in game.seats if seat.visitor_id == visitor.pk]
    if not mine:
        raise NotYourSeat
    game.asks_undo = next((seat for seat in mine if not seat.level), mine[0])
    game.save(update_fields=["asks_undo"])


def answer_undo(code: str, command: Command, allow: bool) -> GameAndEvents:
    """Allow or refuse an undo for which somebody on another device asks; the first answer counts.

    Raises a `Refusal`.
    """
    with locked_change(code, command, dice=False, when=WHEN) as game:
        asking = game.asks_undo
        if asking is None or command.is_older_than_dice(game):
            raise NothingAsked
        mine = [seat for seat in game.seats if is_person(seat) and seat.visitor_id == command.who]
        if not mine or (allow and asking in mine):
            raise NotForYou(NotForYou.OTHERS)
        if allow:
            cancel_last_turn(game)
        else:
            refuse_undo(game, asking, mine)
        return game, ()


def refuse_undo(game: Game, asking: Player, answering: list[Player]) -> None:
    """End the question: refused, or withdrawn by whoever asked."""
    game.asks_undo = None
    game.save(update_fields=["asks_undo"])
    if asking not in answering:
        log_change(game, "refused", answering[0])


def cancel_last_turn(game: Game) -> None:
    """Cancel the rows of the last turn, and bring everything back to how it was before.

    Raises `IllegalMove` where there is nothing to undo.
    """
    game.asks_undo = None
    game.place += 1  # a refusal from before is no longer the last that happened
    game.save(update_fields=["place"])
    mark_dice_changed(game)
    rows = event_rows(game)
    shorter, cancelled = record.undo(record_of(game))
    was_over = load_state(game).finished
    cancel_shots(game, [row for row in map(rows.__getitem__, cancelled) if is_shot(row)])
    game.undone = True
    restore_state(game, state_with_mode(game, record.replay(shorter).state))
    if was_over:
        # Its seed has been shown: from here on the dice come from another one.
        seal_new_epoch(game, game.epoch + 1)
        game.save(update_fields=["epoch"])
        Game.objects.filter(follows=game).update(follows=None)
        Review.objects.filter(game=game).delete()
        game.players.update(turns=None)  # such a game counts for no statistics


def cancel_shots(game: Game, shots: list[ShotRow]) -> None:
    """Cancel these turns. The numbers of their throws are free again, so that the same dice fall."""
    rows = [shot.pk for shot in shots]
    game.shots.filter(pk__in=rows).update(cancelled=True)
    game.throws.filter(shot__in=rows).update(cancelled=True)
    game.thrown = game.throws.filter(cancelled=False).aggregate(last=Max("number"))["last"] or 0


def restore_state(game: Game, state: State) -> None:
    """Store the state before the cancelled turns, and let the players' rows repeat it."""
    for row in game.seats:
        fields = player_fields(state, row.seat)
        vars(row).update(fields)
        row.save(update_fields=[*fields])
    keep_state(game, state)
