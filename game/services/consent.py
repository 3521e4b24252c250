"""What needs the consent of the people on other devices: undoing a turn, and switching to other dice."""

from collections.abc import Iterable

from game.history import find_undoable_shot, find_undoable_shots
from game.models import ChangeRow, Game, ShotRow, Visitor
from game.rules import SetMode
from game.rules.play.moves import Mode, read_mode
from game.services.refusals import NotForYou, NothingAsked, NotYourSeat, StaleMove
from game.services.seat_changes import apply_change, decides_alone, end_question, is_persons_seat, list_seats_of_people
from game.services.shots import GameAndEvents
from game.services.transaction import RUNNING, Command, locked_change, log_change
from game.services.undo import cancel_turn, find_last_turn
from game.storage import load_state

ASKED_IN = RUNNING | {Game.Status.FINISHED}  # in an abandoned game nobody is asked any more
CAME = ("join", "moved")  # the changes by which a seat came to another device


def undo_turn(code: str, command: Command) -> GameAndEvents:
    """Cancel the running turn if dice have fallen, else the last finished one, and computers' turns along with it.

    If people play on other devices, it only asks them. Raises a `Refusal`, and `IllegalMove` if there is nothing to
    undo, or the rest of the game would be inconsistent.
    """
    with locked_change(code, command, dice=False, when=ASKED_IN) as game:
        if command.is_older_than_dice(game):
            raise StaleMove
        turn = find_last_turn(game)
        alone = decides_alone(game, command.known_visitor) and not turn.belongs_to_others(command.known_visitor)
        if alone or agrees_by_asking(game, command.known_visitor, "undo"):
            cancel_turn(game, turn)
        else:
            ask_others(game, command.known_visitor, "undo")
        return game, ()


def set_mode(code: str, command: Command, mode: Mode) -> GameAndEvents:
    """Switch between dice on screen and real dice, from the next turn on; only the host may.

    If people play on other devices, it only asks them, because entered points may be made up. Raises a `Refusal`.
    """
    with locked_change(code, command, dice=False, host=True) as game:
        if load_state(game).mode == mode:  # nothing to ask; a question about switching is withdrawn
            if game.question != "undo":
                end_question(game)
            return game, ()
        if decides_alone(game, command.known_visitor) or agrees_by_asking(game, command.known_visitor, mode):
            end_question(game)
            return apply_change(game, SetMode(mode))
        ask_others(game, command.known_visitor, mode)
        return game, ()


def agrees_by_asking(game: Game, visitor: Visitor, question: str) -> bool:
    """Return whether somebody on another device is asking for the same, so that asking for it too means agreeing."""
    return game.question == question and may_allow(game, visitor.pk)


def may_allow(game: Game, visitor: int | None) -> bool:
    """Return whether this visitor's yes to the pending question counts."""
    return visitor in find_allowers(game)


def find_games_to_answer(games: Iterable[Game], visitor: int) -> set[int]:
    """Return the keys of the games in which this visitor's yes to the pending question counts. Two queries at most."""
    open_ones = [game for game in games if game.asking_id and game.status in ASKED_IN and visitor in game.belonging]
    if not open_ones:
        return set()
    shots = find_undoable_shots(open_ones)
    came = list(ChangeRow.objects.filter(game__in=open_ones, kind__in=CAME))
    return {game.pk for game in open_ones if visitor in list_allowers(game, shots.get(game.pk), came)}


def find_allowers(game: Game) -> set[int]:
    """Return the visitors whose yes to the pending question counts, by primary key. Two queries if there is one."""
    if game.asking_id is None:
        return set()
    return list_allowers(game, find_undoable_shot(game), game.changes.filter(kind__in=CAME))


def list_allowers(game: Game, shot: ShotRow | None, came: Iterable[ChangeRow]) -> set[int]:
    """Return the visitors whose yes to the pending question counts, by primary key.

    `shot`: the turn that an undo cancels; `came`: when seats were added or moved to another device.

    If the turn to undo is not the asker's, only the person who played it can agree. To an undo of the asker's own turn,
    or to other dice, any of the others can agree. A host without a seat agrees to nothing.

    A seat that was added or moved since that turn may be a second phone of the person who played it. Its yes counts
    only if none of the others was there before. If the asker's seat or that of the turn is such a seat, the person who
    played the turn can agree only if no third person was there before, but can always ask for the undo.
    """
    asking = next(seat for seat in game.seats if seat.pk == game.asking_id)
    since = shot.place if shot else 0
    late = {seat for row in came if row.place > since for seat in row.data.get("seats", [row.player_id])}
    others = [seat for seat in game.seats if is_persons_seat(seat) and seat.visitor_id != asking.visitor_id]
    everybody = {seat.visitor_id for seat in others if seat.visitor_id is not None}
    were_there = {seat.visitor_id for seat in others if seat.visitor_id is not None and seat.pk not in late}
    owner = game.seats[load_state(game).player] if game.draft else shot and shot.player
    if game.question == "undo" and owner and owner.visitor_id in everybody:
        is_known = late.isdisjoint({asking.pk, owner.pk}) or not were_there - {owner.visitor_id}
        return {owner.visitor_id} if is_known else set()
    return were_there or everybody


def ask_others(game: Game, visitor: Visitor, question: str) -> None:
    """Ask the others; the question stands until the dice change.

    Raises `NotYourSeat` for a host who does not play, and `NotForYou` if nobody's yes would count.
    """
    mine = [seat for seat in game.seats if seat.visitor_id == visitor.pk]
    if not mine:
        raise NotYourSeat
    if game.asking and game.asking.visitor_id != visitor.pk:
        log_change(game, "expired", game.asking, question=game.question)
    game.asking, game.question = next((seat for seat in mine if not seat.level), mine[0]), question
    if not find_allowers(game):
        raise NotForYou(NotForYou.OWNER)
    game.save(update_fields=["asking", "question"])


def end_unanswerable_question(game: Game) -> None:
    """Withdraw the pending question if nobody is left to answer it, now that seats have changed hands."""
    del game.seats
    if game.asking and not find_allowers(game):
        end_question(game)


def name_question(game: Game) -> str:
    """Return an identifier of the pending question, so that answers match the one their page showed; "" for none."""
    return f"{game.asking.seat}-{game.question}" if game.asking else ""


def answer_question(code: str, command: Command, allow: bool, seen: str) -> GameAndEvents:
    """Allow or refuse what somebody on another device is asking for; the first answer counts.

    `seen`: the question that the page showed, by `name_question`. Raises a `Refusal`, also if another question has
    replaced it.
    """
    with locked_change(code, command, dice=False, when=ASKED_IN) as game:
        asking, question = game.asking, game.question
        if asking is None or command.is_older_than_dice(game) or seen != name_question(game):
            raise NothingAsked
        mine = list_seats_of_people(game, command.known_visitor)
        is_asker = asking.visitor_id == command.who  # perhaps only by a computer's seat
        if not (mine or is_asker) or (allow and not may_allow(game, command.who)):
            raise NotForYou(NotForYou.OTHERS)
        end_question(game)
        if not allow:
            if not is_asker:
                log_change(game, "refused", mine[0], question=question)
            return game, ()
        if question == "undo":
            cancel_turn(game, find_last_turn(game))
            return game, ()
        return apply_change(game, SetMode(read_mode(question)))
