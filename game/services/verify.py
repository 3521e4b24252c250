"""Stored games replayed: dice against seeds, legality, points, scores, the state that is kept, and the seals.

Nothing is written. What differs is told by the first row that does, in the order of the game.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from game import dice
from game.history import fair, seat_words, throws_in_order
from game.models import ChangeRow, Game, Player, Seed, ShotRow, ThrowRow
from game.rules import STATE_FORMAT, RecordError, State, events, record, state_to_json
from game.rules.record import ReplayedGame
from game.storage import event_rows, is_shot, record_of, state_with_mode

PLACE = re.compile(r"event (\d+)(?:, throw (\d+))?")
ATTEMPTS = 5

Row = Seed | ThrowRow | ShotRow | ChangeRow | Player | Game


@dataclass(frozen=True)
class Difference:
    """Something that is not as it should be. `order`: where its row stands in the game; `row`: how to look it up."""

    order: tuple[int, int]
    row: str
    said: str


AT_THE_START = (-1, 0)
WHOLE_TURN = 99  # after its throws: what is wrong with one of them comes first
AT_THE_END = (10**9, 0)


def first_difference(game: Game) -> Difference | None:
    """None for a game that is as it should be. A game that is played on meanwhile is read again."""
    found = None
    for _attempt in range(ATTEMPTS):
        found = min(find_differences(game), key=lambda each: each.order, default=None)
        version = Game.objects.values_list("version", flat=True).get(pk=game.pk)
        if found is None or version == game.version:
            return found
        game = Game.objects.get(pk=game.pk)
    return found


def find_differences(game: Game) -> Iterator[Difference]:
    rows = event_rows(game)
    places = {throw.pk: (index, n) for index, row in enumerate(rows) for n, throw in enumerate(throws_of(row), 1)}
    yield from check_seals(game)
    yield from check_dice(game, places)
    yield from check_play(game, rows)


def throws_of(row: ShotRow | ChangeRow) -> Sequence[ThrowRow]:
    return list(row.throws.all()) if is_shot(row) else ()


def row_name(row: Row, place: object = "") -> str:
    """A row by its table and number, with its place where it has one."""
    table = row._meta.db_table.removeprefix("game_")
    return f"{table} {row.pk}" + (f" ({place})" if place else "")


# ── seals and dice ──


def check_seals(game: Game) -> Iterator[Difference]:
    made = dice.hash_words(seat_words(game))
    seeds = fair.epochs_of(game)
    if [seed.epoch for seed in seeds] != list(range(1, game.epoch + 1)):
        yield Difference(AT_THE_START, row_name(game), "There has to be a seed for each epoch")
    for seed in seeds:
        row = row_name(seed, f"epoch {seed.epoch}")
        if dice.seal_seed(game.code, seed.epoch, bytes(seed.seed)) != seed.seal:
            yield Difference(AT_THE_START, row, "The seal does not fit the seed")
        if seed.table != made:
            yield Difference(AT_THE_START, row, "The table does not fit the words")


def check_dice(game: Game, places: dict[int, tuple[int, int]]) -> Iterator[Difference]:
    """Dice that the seed does not give, and numbers that are not the next ones."""
    seeds = {seed.epoch: seed for seed in fair.epochs_of(game)}
    counted = last = 0
    for row, fell in zip(throws_in_order(game), fair.fallen_throws(game, list(seeds.values())), strict=False):
        if row.number is None:
            continue
        order, name = places.get(row.pk, (0, 0)), row_name(row, f"throw {fell.place}")
        if not counted < row.number <= (last if row.cancelled else counted) + 1:
            yield Difference(order, name, f"Its number is {row.number}, after {counted}")
        counted, last = counted if row.cancelled else row.number, row.number
        seed = seeds.get(fell.epoch)
        given = seed and dice.draw_dice(bytes(seed.seed), game.code, seed.epoch, seed.table, row.number, len(row.dice))
        if given and given != row.faces:
            yield Difference(order, name, f"{spaced_faces(row.faces)} fell, the seed gives {spaced_faces(given)}")
    if counted != game.thrown:
        yield Difference(AT_THE_END, row_name(game), f"{game.thrown} throws are noted, {counted} have fallen")


def spaced_faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


# ── the play ──


def check_play(game: Game, rows: Sequence[ShotRow | ChangeRow]) -> Iterator[Difference]:
    try:
        told = record_of(game)
        yield from check_points(rows, replayed := record.replay(told))
        yield from check_state(game, replayed.state)
    except RecordError as error:
        difference = refused_event(game, rows, error)
        yield difference
        yield from check_before(game, rows[: max(difference.order[0], 0)])


def check_before(game: Game, rows: Sequence[ShotRow | ChangeRow]) -> Iterator[Difference]:
    """The points of the turns before the one that cannot be."""
    with contextlib.suppress(RecordError):
        told = record_of(game)
        yield from check_points(rows, record.replay(replace(told, events=told.events[: len(rows)])))


def refused_event(game: Game, rows: Sequence[ShotRow | ChangeRow], error: RecordError) -> Difference:
    """What the rules do not allow, at the row where they say so."""
    flaw = error.problems[0]
    place = PLACE.match(flaw.place)
    if place is None or int(place[1]) > len(rows):
        return Difference(AT_THE_START, row_name(game), f"{flaw.place}: {flaw.reason}")
    index, throw = int(place[1]) - 1, int(place[2] or 0)
    row: Row = rows[index]
    thrown = throws_of(rows[index])
    if 0 < throw <= len(thrown):
        row = thrown[throw - 1]
    return Difference((index, throw or WHOLE_TURN), row_name(row, flaw.place), flaw.reason)


def check_points(rows: Sequence[ShotRow | ChangeRow], replayed: ReplayedGame) -> Iterator[Difference]:
    """Turns and throws whose points, scores or counts are not those that the rules make."""
    for index, (row, step) in enumerate(zip(rows, replayed.steps, strict=False)):
        if not is_shot(row) or row.cancelled:
            continue
        kept = iter([event for event in step.events if isinstance(event, events.Kept)])
        for n, throw in enumerate(throws_of(row), 1):
            worth = next(kept, None) if throw.kept else None
            if (throw.points, throw.with_aside) != ((worth.points, worth.with_aside) if worth else (0, False)):
                said = f"{throw.points} points, the rules make {worth.points if worth else 0}"
                yield Difference((index, n), row_name(throw, f"event {index + 1}, throw {n}"), said)
        yield from check_turn(row, index, step.events, step.state)


def check_turn(row: ShotRow, index: int, happened: Sequence[events.Event], after: State) -> Iterator[Difference]:
    name, order = row_name(row, f"event {index + 1}"), (index, WHOLE_TURN)
    points = next((turn_points(event) for event in happened if turn_points(event) is not None), 0)
    if row.points != points:
        yield Difference(order, name, f"{row.points} points, the rules make {points}")
    score = after.players[row.player.seat].score
    if row.outcome and row.score != score:
        yield Difference(order, name, f"A score of {row.score}, the rules make {score}")
    if row.count != len(throws_of(row)):
        yield Difference(order, name, f"{row.count} throws are noted, {len(throws_of(row))} are there")


def turn_points(event: events.Event) -> int | None:
    """What a turn came to, or lost."""
    match event:
        case events.Banked(_, points):
            return points
        case events.Bust(_, lost) | events.Skipped(_, lost) | events.SteppedOut(_, lost):
            return lost
    return None


def check_state(game: Game, replayed: State) -> Iterator[Difference]:
    """Players, status and the kept state, against the state after the last row."""
    state = state_with_mode(game, replayed)
    for row, player in zip(game.seats, state.players, strict=False):
        stands = (row.name, row.level, row.score, row.entered, row.active, row.won)
        should = (
            player.name,
            player.level or "",
            player.score,
            player.entered,
            player.active,
            row.seat in state.winners,
        )
        names = ("name", "level", "score", "entered", "active", "won")
        for name, has, right in zip(names, stands, should, strict=True):
            if has != right:
                yield Difference(
                    AT_THE_END,
                    row_name(row, f"seat {row.seat}"),
                    f"{name.capitalize()} is {has}, the rules make {right}",
                )
    if state.finished != (game.status == Game.Status.FINISHED):
        yield Difference(AT_THE_END, row_name(game), f"The status is {game.status}")
    if game.state_format == STATE_FORMAT:
        made = state_to_json(state)
        for name in made:
            if made[name] != game.state_data.get(name):
                yield Difference(AT_THE_END, row_name(game), f"The kept state differs in {name}")
