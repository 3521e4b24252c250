"""What each seat's turns of a finished game come to, kept with the seat: statistics must not read every throw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from game.rules import Ruleset, set_aside
from game.strategy.odds import bust_chance

if TYPE_CHECKING:
    from game.models.games import Game, Player

Thrown = tuple[int, str, str, str]  # the shot's row, dice, their columns, columns kept


@dataclass
class Sums:
    """`turns`, and the busts among them, are those with known dice: of others nothing was to be expected."""

    turns: int = 0
    banks: int = 0
    banked: int = 0
    busts: int = 0
    expected_busts: float = 0.0


def add_up(game: Game) -> None:
    """Writes the sums of a game that is over, if it counts: not loaded, and nothing in it taken back. Three queries."""
    if game.loaded or game.undone:
        return
    shots = list(game.shots.exclude(outcome="").values_list("pk", "player", "outcome", "points"))
    thrown = game.throws.filter(shot__isnull=False).order_by("shot", "pk")
    chances = chance_by_shot(game.rules, thrown.values_list("shot", "dice", "columns", "kept"))
    found = {player.pk: Sums() for player in game.seats}
    for shot, seat, outcome, points in shots:
        add(found[seat], outcome, points, chances.get(shot))
    contest = is_contest(game.seats)
    for player in game.seats:
        vars(player).update(vars(found[player.pk]), contest=contest)
    type(game.seats[0]).objects.bulk_update(game.seats, [*vars(Sums()), "contest"])


def is_contest(seats: Iterable[Player]) -> bool:
    """Whether not all of them are people at one device: a win over others says something, any other does not."""
    return len({(seat.visitor_id, seat.level) for seat in seats}) > 1


def look_for_others(game: Game) -> None:
    """Anew, once seats have changed hands: two who played each other may be one account now. Two queries."""
    game.players.update(contest=is_contest(game.players.all()))


def add(sums: Sums, outcome: str, points: int, chance: float | None) -> None:
    """`chance`: how many busts the turn's dice let expect, None where it was entered without them."""
    if chance is not None:
        sums.turns += 1
        sums.busts += outcome == "bust"
        sums.expected_busts += chance
    if outcome == "bank":
        sums.banks += 1
        sums.banked += points


def chance_by_shot(rules: Ruleset, thrown: Iterable[Thrown]) -> dict[int, float]:
    """How many busts the throws of each shot let expect, from the exact odds of each."""
    return {shot: sum(chances(rules, throws)) for shot, throws in groupby(thrown, key=itemgetter(0))}


def chances(rules: Ruleset, throws: Iterable[Thrown]) -> Iterator[float]:
    """The chance of each throw of one shot to end it. A try with the last die ends it only when it is the last try."""
    aside: tuple[int, ...] = ()
    misses = 0
    for _shot, dice, columns, kept in throws:
        if len(dice) > 1 or misses == rules.last_die_throws - 1:
            yield bust_chance(rules, len(dice), aside)
        misses = 0 if kept else misses + 1
        faces = tuple(int(face) for column, face in zip(columns, dice, strict=True) if column in kept)
        aside = set_aside(aside, dice, faces)
