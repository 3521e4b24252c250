"""Games in the database without the time it takes to play them: one that is long, and very many."""

from __future__ import annotations

import random
from functools import cache

from django.db import connection

from game import services
from game.models import Game, Player, RulesetRow, ShotRow, ThrowRow
from game.rules import (
    Bank,
    Entry,
    Faces,
    Record,
    SetTarget,
    State,
    Step,
    apply,
    keeps_now,
    legal_moves,
    new_game,
    preset,
    throw,
)
from game.rules.events import Banked, Bust
from game.rules.record import RecordEvent, ShotRecord
from tests.cast import ANA, BRUNO, HAL, Device, key

BATCH = 5000
FOUR = ("Chloé", HAL, BRUNO, ANA)
TWELVE = (*FOUR, "Dora", "Emil", "Fay", "Gil", "Hugo", "Ida", "Jo", "Kai")


def long_game(
    device: Device, turns: int = 500, *, over: bool = True, seed: int = 1, names: tuple[str, ...] = FOUR
) -> Game:
    """A game with so many turns or a few more; with `over` it is played to its end."""
    game = services.load_game(device.browser, key(), long_record(turns, over, seed, names))
    game.loaded = False
    game.save(update_fields=["loaded"])
    return game


@cache
def long_record(turns: int, over: bool, seed: int, names: tuple[str, ...]) -> Record:
    rng = random.Random(seed)
    rules = preset("classic")
    players = tuple(Entry(name, "balanced" if name == HAL else None) for name in names)
    state = new_game(rules, players, 100_000).state
    happened: list[RecordEvent] = []
    while not state.finished and not (not over and len(happened) >= turns):
        if over and len(happened) == turns - len(players):
            state = apply(state, SetTarget(1000)).state
            happened.append(SetTarget(1000))
        state, shot = a_turn(state, rng)
        happened.append(shot)
    return Record(rules, 100_000, players, None, tuple(happened))


def a_turn(state: State, rng: random.Random) -> tuple[State, ShotRecord]:
    """One turn of somebody who banks as soon as three dice or fewer are left."""
    throws: list[Faces] = []
    seat, move = state.player, legal_moves(state)[0]
    while True:
        state, _events = apply(state, move)
        dice = tuple(rng.choices(range(1, 7), k=state.to_throw))
        state, events = throw(state, dice)
        if any(isinstance(event, Bust) for event in events):
            return state, ShotRecord(seat, "bust", (*throws, Faces(dice, None)))
        keep = keeps_now(state)[0]
        throws.append(Faces(dice, keep.dice))
        moves = legal_moves(state)
        if Bank(keep.dice) in moves and len(dice) - len(keep.dice) <= 3:
            step: Step = apply(state, Bank(keep.dice))
            points = next(event.points for event in step.events if isinstance(event, Banked))
            return step.state, ShotRecord(seat, "bank", tuple(throws), points)
        move = next(move for move in moves if move.keep == keep.dice)


def many_games(device: Device, count: int, *, status: str = "finished", turns: int = 2) -> None:
    """So many games of one person against the computer, all alike but for their codes, with a few rows each."""
    visitor = device.browser.visitor_or_new()
    like = device.game(players=(ANA, HAL))
    ruleset = RulesetRow.objects.get(slug="classic", latest=True)
    made = Game.objects.bulk_create(
        [
            Game(
                key=key(),
                status=status,
                ruleset=ruleset,
                settings=like.settings,
                target=like.target,
                host=visitor,
                state_format=like.state_format,
                state_data=like.state_data,
            )
            for _n in range(count)
        ],
        batch_size=BATCH,
    )
    seats = [
        Player(game=game, seat=seat, name=name, level=level, visitor=visitor, score=10_000 - seat, won=seat == n % 2)
        for n, game in enumerate(made)
        for seat, (name, level) in enumerate(((ANA, ""), (HAL, "balanced")))
    ]
    Player.objects.bulk_create(seats, batch_size=BATCH)
    shots = [
        ShotRow(game=seat.game, player=seat, place=place, round=1, points=500, score=500, count=1, outcome="bank")
        for seat in seats[::2]
        for place in range(1, turns + 1)
    ]
    ShotRow.objects.bulk_create(shots, batch_size=BATCH)
    ThrowRow.objects.bulk_create(
        [
            ThrowRow(game=shot.game, shot=shot, number=n, dice="555234", columns="123456", kept="123", points=500)
            for n, shot in enumerate(shots, 1)
        ],
        batch_size=BATCH,
    )
    know_the_sizes()


def know_the_sizes() -> None:
    """PostgreSQL looks over its tables by itself now and then; rows that came all at once it has not seen yet."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
