"""Checks stored games by replay: dice against seeds, legality, points, scores, the stored state, and the seals.

Read-only. A difference names the first wrong row in the order of the game.
"""

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.utils.translation import gettext as _

from game import dice
from game.history import fair
from game.models import ChangeRow, Checkpoint, Game, Player, Seed, ShotRow, ThrowRow
from game.rules import STATE_FORMAT, RecordError, State, events, record, state_to_json
from game.rules.record import ReplayedGame
from game.storage import list_event_rows, list_player_fields, load_checkpoint, load_record, restore_mode

PLACE = re.compile(r"event (\d+)(?:, throw (\d+))?")

CheckedRow = Seed | ThrowRow | ShotRow | ChangeRow | Checkpoint | Player | Game


@dataclass(frozen=True)
class Difference:
    """A fault. `order`: the place of its row in the game, as (event, throw); `row`: how to look it up."""

    order: tuple[int, int]
    row: str
    text: str


AT_THE_START = (-1, 0)
WHOLE_TURN = 99  # sorts after the turn's throws, so that a fault of one of them comes first
AT_THE_END = (10**9, 0)


def find_first_difference(game: Game) -> Difference | None:
    """Return the first difference; None for a sound game. Call it in the `consistent_read` that reads the game."""
    return min(find_differences(game), key=lambda difference: difference.order, default=None)


def find_differences(game: Game) -> Iterator[Difference]:
    """Yield all faults, in no particular order."""
    rows = list_event_rows(game)
    places = {
        throw.pk: (index, n) for index, row in enumerate(rows) for n, throw in enumerate(list_throws_of_row(row), 1)
    }
    yield from check_seals(game)
    yield from check_dice(game, places)
    yield from check_play(game, rows)


def list_throws_of_row(row: ShotRow | ChangeRow) -> Sequence[ThrowRow]:
    """Return the throws of a row behind an event; a change has none."""
    return list(row.throws.all()) if isinstance(row, ShotRow) else ()


def name_row(row: CheckedRow, place: object = "") -> str:
    """Return how to look a row up: its table and primary key, with its place if it has one."""
    table = row._meta.db_table.removeprefix("game_")
    return f"{table} {row.pk}" + (f" ({place})" if place else "")


def check_seals(game: Game) -> Iterator[Difference]:
    """Yield seeds that do not fit their seals, and word lists that differ from the seats'."""
    made = dice.hash_words(fair.list_seat_words(game))
    seeds = fair.list_epochs(game)
    if [seed.epoch for seed in seeds] != list(range(1, game.epoch + 1)):
        yield Difference(AT_THE_START, name_row(game), _("There has to be a seed for each epoch"))
    for seed in seeds:
        row = name_row(seed, f"epoch {seed.epoch}")
        if dice.seal_seed(game.code, seed.epoch, bytes(seed.seed)) != seed.seal:
            yield Difference(AT_THE_START, row, _("The seal does not match the seed"))
        if seed.table != made:
            yield Difference(AT_THE_START, row, _("The table does not match the words"))


def check_dice(game: Game, places: dict[int, tuple[int, int]]) -> Iterator[Difference]:
    """Yield dice that the seed does not give, and throw numbers out of sequence."""
    seeds = {seed.epoch: seed for seed in fair.list_epochs(game)}
    counted = last = 0
    for row, fell in zip(fair.query_throws(game), fair.list_fallen_throws(game, list(seeds.values())), strict=False):
        if row.number is None:
            continue
        order, name = places.get(row.pk, (0, 0)), name_row(row, f"throw {fell.place}")
        if not counted < row.number <= (last if row.cancelled else counted) + 1:
            yield Difference(
                order, name, _("Its number is %(n)s, after %(before)s") % {"n": row.number, "before": counted}
            )
        counted, last = counted if row.cancelled else row.number, row.number
        seed = seeds.get(fell.epoch)
        given = seed and dice.draw_dice(bytes(seed.seed), game.code, seed.epoch, seed.table, row.number, len(row.dice))
        if given and given != row.faces:
            values = {"fell": format_faces(row.faces), "given": format_faces(given)}
            yield Difference(order, name, _("%(fell)s fell, the seed gives %(given)s") % values)
    if counted != game.thrown:
        yield Difference(
            AT_THE_END,
            name_row(game),
            _("Throws recorded: %(noted)s, found: %(fallen)s") % {"noted": game.thrown, "fallen": counted},
        )


def format_faces(faces: Sequence[int]) -> str:
    """Return dice as people write them."""
    return " ".join(map(str, faces))


def check_play(game: Game, rows: Sequence[ShotRow | ChangeRow]) -> Iterator[Difference]:
    """Yield differences between the rows and their replay. If that breaks off, yield why, and those before."""
    try:
        yield from check_points(rows, replayed := record.replay(load_record(game)))
        yield from check_checkpoints(game, rows, replayed)
        yield from check_state(game, replayed.state)
    except RecordError as error:
        difference = find_refused_event(game, rows, error)
        yield difference
        yield from check_before(game, rows[: max(difference.order[0], 0)])


def check_before(game: Game, rows: Sequence[ShotRow | ChangeRow]) -> Iterator[Difference]:
    """Yield the faults of the turns before the illegal one."""
    with contextlib.suppress(RecordError):
        whole = load_record(game)
        yield from check_points(rows, record.replay(replace(whole, events=whole.events[: len(rows)])))


def find_refused_event(game: Game, rows: Sequence[ShotRow | ChangeRow], error: RecordError) -> Difference:
    """Return the difference for an event that the rules refuse, at its row."""
    flaw = error.problems[0]
    reason = (_(flaw.sentence) % flaw.args).rstrip(".")
    place = PLACE.match(flaw.place)
    if place is None or int(place[1]) > len(rows):
        return Difference(AT_THE_START, name_row(game), f"{flaw.place}: {reason}")
    index, throw = int(place[1]) - 1, int(place[2] or 0)
    row: CheckedRow = rows[index]
    thrown = list_throws_of_row(rows[index])
    if 0 < throw <= len(thrown):
        row = thrown[throw - 1]
    return Difference((index, throw or WHOLE_TURN), name_row(row, flaw.place), reason)


def check_points(rows: Sequence[ShotRow | ChangeRow], replayed: ReplayedGame) -> Iterator[Difference]:
    """Yield turns and throws whose points, scores or counts differ from the rules'."""
    for index, (row, step) in enumerate(zip(rows, replayed.steps, strict=False)):
        if not isinstance(row, ShotRow) or row.cancelled:
            continue
        made = [event for event in step.events if isinstance(event, events.Kept | events.Missed | events.ThrownAgain)]
        for n, (throw, event) in enumerate(zip_longest(list_throws_of_row(row), made), 1):
            points, with_aside = find_throw_points(event)
            if throw and (throw.points, throw.with_aside) != (points, with_aside):
                text = _("Points: %(stored)s, the rules make %(right)s") % {"stored": throw.points, "right": points}
                yield Difference((index, n), name_row(throw, f"event {index + 1}, throw {n}"), text)
        yield from check_turn(row, index, step.events, step.state)


def check_checkpoints(game: Game, rows: Sequence[ShotRow | ChangeRow], replayed: ReplayedGame) -> Iterator[Difference]:
    """Yield checkpoints that differ from the state after the events up to their place."""
    for checkpoint in game.checkpoints.filter(state_format=STATE_FORMAT):
        events_before = sum(row.place <= checkpoint.place for row in rows)
        after = replayed.steps[events_before - 1].state if events_before else replayed.start.state
        if load_checkpoint(game, checkpoint) != after:
            text = _("Its state is not what the events before it lead to")
            yield Difference((events_before, 0), name_row(checkpoint, str(checkpoint)), text)


def find_throw_points(event: events.Event | None) -> tuple[int, bool]:
    """Return the points of a throw, and whether dice set aside were part of a combination; (0, False) for a bust."""
    match event:
        case events.Kept(points=points, with_aside=with_aside):
            return points, with_aside
        case events.ThrownAgain(points=points):
            return points, False
    return 0, False


def check_turn(row: ShotRow, index: int, happened: Sequence[events.Event], after: State) -> Iterator[Difference]:
    """Yield points, score or number of throws of a turn that differ from the rules'."""
    name, order = name_row(row, f"event {index + 1}"), (index, WHOLE_TURN)
    points = next((made for event in happened if (made := find_turn_points(event)) is not None), 0)
    cost = sum(event.points for event in happened if isinstance(event, events.Cost | events.Penalty))
    score = after.players[row.player.seat].score if row.outcome else row.score
    for stored, right, text in (
        (row.points, points, _("Points: %(stored)s, the rules make %(right)s")),
        (row.cost, cost, _("Cost: %(stored)s, the rules make %(right)s")),
        (row.score, score, _("Score: %(stored)s, the rules make %(right)s")),
    ):
        if stored != right:
            yield Difference(order, name, text % {"stored": stored, "right": right})
    if row.count != len(list_throws_of_row(row)):
        text = _("Throws recorded: %(noted)s, found: %(there)s")
        yield Difference(order, name, text % {"noted": row.count, "there": len(list_throws_of_row(row))})


def find_turn_points(event: events.Event) -> int | None:
    """Return the points that a turn made or lost; None for an event that does not end one."""
    match event:
        case events.Banked(_, points):
            return points
        case (
            events.Bust(_, lost)
            | events.Over(_, lost)
            | events.Eliminated(_, lost)
            | events.Skipped(_, lost)
            | events.SteppedOut(_, lost)
        ):
            return lost
    return None


def check_state(game: Game, replayed: State) -> Iterator[Difference]:
    """Yield what differs between players, status or the stored state and the end of the replay."""
    state = restore_mode(game, replayed)
    for row in game.seats[: len(state.players)]:
        for name, right in list_player_fields(state, row.seat).items():
            if (stored := getattr(row, name)) != right:
                values = {"name": name, "stored": stored, "right": right}
                text = _("%(name)s: %(stored)s, the rules make %(right)s") % values
                yield Difference(AT_THE_END, name_row(row, f"seat {row.seat}"), text)
    if state.finished != (game.status == Game.Status.FINISHED):
        yield Difference(AT_THE_END, name_row(game), _("The status is %(status)s") % {"status": game.status})
    if game.state_format == STATE_FORMAT:
        for name, right in state_to_json(state).items():
            if game.state_data.get(name) != right:
                yield Difference(AT_THE_END, name_row(game), _("The stored state differs in %(name)s") % {"name": name})
