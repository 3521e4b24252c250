"""Loading a game file: always as a new game, with a new seed, continued where the file ends."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from game.identity import Browser
from game.models import Game, RulesetRow, ShotRow, ThrowRow, Visitor
from game.rules import Entry, Manual, Record, RecordError, Ruleset, State, Step, best_points, record
from game.rules.play.moves import Mode
from game.rules.play.playable import why_unplayable
from game.rules.record import Flaw, ReplayedGame, ShotRecord
from game.services.games import create_rows, digest_content, make_once, store_start
from game.storage import EventContext, Writer, keep_state
from game.storage.columns import pick_columns

UNDONE_MOST = 24  # undone turns in a row that are remembered: each is tried with each, and files come from anybody


class UndoneShot(NamedTuple):
    """A turn that was undone, the state in which it began, and its step; that has no events if it can't be played."""

    shot: ShotRecord
    before: State
    step: Step


def load_game(browser: Browser, key: str, saved: Record) -> Game:
    """Return the game from a file, for this browser to continue; the same key again gives the same game.

    Its throws are shown, but they are not sealed and have no numbers. Raises `RecordError` for unplayable rules or a
    file that does not replay, and `KeyUsed` if the key made another game; then nothing is stored.
    """
    if problem := why_unplayable(saved.ruleset):
        raise RecordError([Flaw(problem.setting, problem.sentence, problem.args)])
    replayed = record.replay(saved)
    undone = find_undone(saved, replayed)  # here, since others wait for the lock
    digest = digest_content(saved)

    def make(visitor: Visitor) -> Game:
        ruleset = find_ruleset_row(saved.ruleset)
        state = replayed.start.state
        seats = [(Entry(player.name, player.level), visitor) for player in state.players]
        fields = {"target": state.target, "loaded": True, "digest": digest}
        game = create_rows(visitor, key, ruleset, saved.ruleset, seats, {}, {}, **fields)
        counted = [shot for shot in saved.events if isinstance(shot, ShotRecord) and not shot.cancelled]
        mode: Mode = "manual" if counted and counted[-1].manual else "auto"  # it continues as its last turn was played
        store_start(game, replace(state, mode=mode))
        write_rows(game, saved, replayed, undone)
        game.undone = any(not one.shot.manual for one in undone.values())
        keep_state(game, replace(replayed.state, mode=mode))
        return game

    return make_once(browser, key, digest, make)


def find_ruleset_row(rules: Ruleset) -> RulesetRow | None:
    """Return the newest row with exactly these rules, if there is one."""
    rows = RulesetRow.objects.filter(slug=rules.slug).order_by("-version")
    return next((row for row in rows if row.rules == rules), None)


def find_undone(saved: Record, replayed: ReplayedGame) -> dict[int, UndoneShot]:
    """Return the turns that were undone, by the index of their event."""
    undone: dict[int, UndoneShot] = {}
    state, lately = replayed.start.state, list[UndoneShot]()  # since the last turn that counts
    for index, (event, step) in enumerate(zip(saved.events, replayed.steps, strict=True)):
        if isinstance(event, ShotRecord) and event.cancelled:
            undone[index] = find_beginning(saved, event, list_beginnings(lately, event, state), state)
            lately = [*lately, undone[index]][-UNDONE_MOST:]
        elif isinstance(event, ShotRecord):
            lately = []
        state = step.state
    return undone


def write_rows(game: Game, saved: Record, replayed: ReplayedGame, undone: Mapping[int, UndoneShot]) -> None:
    """Write the rows of everything that happened in the file, in a few queries."""
    writer = Writer(game)
    state = replayed.start.state
    writer.note(state, replayed.start)
    for index, (event, step) in enumerate(zip(saved.events, replayed.steps, strict=True)):
        if index in undone:
            note_cancelled(writer, undone[index])
        else:
            writer.note(state, step, **find_context(event))
        state = step.state
    writer.save()


def find_context(event: object) -> EventContext:
    """Return what the step of a recorded event does not say: that a turn was played with real dice."""
    if isinstance(event, ShotRecord) and event.manual:
        return {"manual": event.find_entry() or Manual(0, "bust", event.pick_up)}
    return {}


def list_beginnings(undone: Sequence[UndoneShot], shot: ShotRecord, state: State) -> list[State]:
    """Return the states in which an undone turn may have begun, each once, the likeliest first.

    The file does not say how many turns each undo took back. So the turn may be an earlier one played again, follow the
    last one, or be another turn in the place of an earlier one. `state`: what the last turn that counts has left.
    """
    again = [one.before for one in reversed(undone) if is_played_again(one.shot, shot)]
    states = [*again, *(one.step.state for one in undone[-1:]), *(one.before for one in reversed(undone)), state]
    return list({id(begun): begun for begun in states}.values())  # comparing states would take longer than a try


def find_beginning(saved: Record, shot: ShotRecord, states: Sequence[State], state: State) -> UndoneShot:
    """Return an undone turn as it began in the first of these states that allows it.

    A file may hold a turn that fits into none of them: that one stands at `state`.
    """
    alone = replace(saved, events=(replace(shot, cancelled=False),), result=None, proof=None)
    for before in states:
        with suppress(RecordError):
            (step,) = record.replay(alone, before).steps
            return UndoneShot(shot, before, step)
    return UndoneShot(shot, state, Step(state))


def note_cancelled(writer: Writer, undone: UndoneShot) -> None:
    """Note a turn that was undone: it gets its rows, but is no step of the game."""
    shot, before, step = undone
    left, rows = writer.left, len(writer.new)
    writer.before, writer.after, writer.context = before, step.state, find_context(shot)
    for event in step.events:
        writer.note_event(event)
    if not step.events:
        note_alone(writer, shot)
    for row in writer.new[rows:]:
        assert isinstance(row, ShotRow | ThrowRow)
        row.cancelled = True
    # An undone turn leaves nothing, so the next turn picks up what the turn before this one left.
    writer.left, writer.shot, writer.throws = left, None, []


def is_played_again(shot: ShotRecord, other: ShotRecord) -> bool:
    """Return whether `other` is the same turn, played again after an undo: the same dice have fallen."""
    first, second = ([faces.dice for faces in turn.throws[:1]] for turn in (shot, other))
    return shot.player == other.player and first == second != []


def note_alone(writer: Writer, shot: ShotRecord) -> None:
    """Note a turn by what its record says, since it cannot be played."""
    row = writer.begin_shot(shot.player, shot.pick_up)
    for faces in shot.throws:
        writer.add_throw(shot.player, faces.dice)
        last = writer.last_throw
        assert last is not None  # it has just fallen
        if faces.keep:
            last.kept = "".join(map(str, pick_columns(last.by_column, faces.keep)))
            last.points = best_points(writer.before.ruleset, faces.keep) or 0
    writer.end_shot(shot.player, shot.end or "", shot.points or 0)
    row.manual, row.dice_left, row.lost, row.nothing = shot.manual, shot.dice_left, shot.lost, shot.nothing
