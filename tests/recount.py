"""Head to head counted again in plain Python from the rows of turns and seats, and games of all kinds to count."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from game.history.head_to_head import HeadToHead
from game.models import Game, Player, RulesetRow, ShotRow, Visitor
from tests.cast import make_key
from tests.stored_games import analyse_tables

BATCH = 5000
NAMES = ("Ana", "Bruno", "Chloé", "Bruno K.")
COMPUTERS = (("*HAL", "balanced"), ("*HAL", "bold"), ("*Eva", "best"))


@dataclass
class Counted:
    """The result of a recount, in the words of `HeadToHead`."""

    games: int = 0
    won: int = 0
    lost: int = 0
    points: list[int] = field(default_factory=list)  # of each bank here
    their_points: list[int] = field(default_factory=list)


Known = tuple[str, int | None, str, str]  # an opponent: name, visitor, level, the person of this browser they met
ALONE = "alone"  # in the last place: nobody else sat at the opponent's device


def count_again(visitor: Visitor, name: str) -> dict[Known, Counted]:
    """Count all games of this visitor's people against each opponent of this name."""
    games: dict[int, list[Player]] = defaultdict(list)
    for seat in Player.objects.filter(turns__isnull=False).order_by("game", "seat"):
        games[seat.game_id].append(seat)
    banks: dict[int, list[int]] = defaultdict(list)
    for player, points in ShotRow.objects.filter(outcome="bank", cancelled=False).values_list("player", "points"):
        banks[player].append(points)
    named: dict[Known, Counted] = defaultdict(Counted)
    for seats in games.values():
        mine = [seat for seat in seats if seat.visitor_id == visitor.pk and not seat.level]
        for other in seats:
            if not mine:
                continue
            for known, sides in find_opponents_of(visitor, other, seats, mine, name):
                add_game(named[known], sides, other, banks)
    met = {(*known[:3], known[3].removeprefix(ALONE)) for known in named if known[0] == name}
    return {known: add_up_names(named, known) for known in met}


def find_opponents_of(
    visitor: Visitor, other: Player, seats: Sequence[Player], mine: Sequence[Player], name: str
) -> list[tuple[Known, Sequence[Player]]]:
    """Return the opponents that a seat is to this visitor's people, each with those of their seats that meet it."""
    if other.level:
        return [((other.name, None, other.level, ""), mine)] if other.name.startswith("*") else []
    if other.visitor_id == visitor.pk:
        if other.name != name:
            return []
        return [((name, None, "", one.name), [one]) for one in mine if one.name != name]
    beside = [seat for seat in seats if seat.visitor_id == other.visitor_id and not seat.level]
    alone = ALONE if other.visitor_id and len(beside) == 1 else ""
    return [((other.name, other.visitor_id, "", alone), mine)]


def add_game(counted: Counted, mine: Sequence[Player], other: Player, banks: dict[int, list[int]]) -> None:
    counted.games += 1
    won, score = any(seat.won for seat in mine), max(seat.score for seat in mine)
    counted.won += (won and not other.won) or (not won and not other.won and score > other.score)
    counted.lost += (other.won and not won) or (not won and not other.won and score < other.score)
    for seat in mine:
        counted.points += banks[seat.pk]
    counted.their_points += banks[other.pk]


def add_up_names(named: dict[Known, Counted], known: Known) -> Counted:
    """Add up an opponent's games under all names: they are one person, unless two sat at their device."""
    _name, visitor, level, _here = known
    if visitor is None or level:
        return named[known]
    total = Counted()
    for other, part in named.items():
        if other[1] == visitor and (other[3] == ALONE or other == known):
            total.games += part.games
            total.won += part.won
            total.lost += part.lost
            total.points += part.points
            total.their_points += part.their_points
    return total


def is_same(heads: HeadToHead, counted: Counted) -> bool:
    """Whether the page and the recount have the same sums."""
    mine, theirs = heads.mine, heads.theirs
    return (
        (heads.games, heads.won, heads.lost) == (counted.games, counted.won, counted.lost)
        and (mine.banks, mine.banked, mine.best) == sum_points(counted.points)
        and (theirs.banks, theirs.banked, theirs.best) == sum_points(counted.their_points)
    )


def sum_points(points: Sequence[int]) -> tuple[int, int, int]:
    return len(points), sum(points), max(points, default=0)


def store_mixed_games(visitors: Sequence[Visitor], like: Game, count: int, seed: int = 1) -> None:
    """Store finished games of 2 to 4 seats, held by these visitors, computers and nobody, under a few names."""
    rng = random.Random(seed)
    ruleset = RulesetRow.objects.get(slug="classic", latest=True)
    fields = {"status": "finished", "ruleset": ruleset, "settings": like.settings, "target": like.target}
    games = Game.objects.bulk_create([Game(key=make_key(), **fields) for _n in range(count)], batch_size=BATCH)
    seats, shots = [], []
    for game in games:
        counts = rng.random() < 0.9
        free = [(name, "") for name in NAMES] + [("Bruno", "careful")] + list(COMPUTERS)
        taken: set[str] = set()
        for number in range(rng.randint(2, 4)):
            name, level = rng.choice([one for one in free if one[0] not in taken])
            taken.add(name)
            banks = [50 * rng.randint(7, 60) for _turn in range(rng.randint(0, 3))]
            seat = Player(
                game=game,
                seat=number,
                name=name,
                level=level,
                visitor=rng.choice([visitors[0], visitors[0], *visitors, None]),
                score=sum(banks),
                won=rng.random() < 0.4,
                turns=5 if counts else None,
                banks=len(banks),
                banked=sum(banks),
                best_bank=max(banks, default=0),
            )
            seats.append(seat)
            shots += [
                ShotRow(game=game, player=seat, place=place, round=place, points=points, outcome="bank", count=1)
                for place, points in enumerate(banks, 1)
            ]
    Player.objects.bulk_create(seats, batch_size=BATCH)
    ShotRow.objects.bulk_create(shots, batch_size=BATCH)
    analyse_tables()
