"""Totals of each seat's turns in a finished game, stored with the seat so that statistics need not read every throw."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from game.models import Game, Player
from game.rules import Dice, Ruleset, keeps, set_aside
from game.storage.reading import load_state, query_level_then
from game.strategy.odds import bust_chance, chance_to_end_with, room_needed

ThrowTuple = tuple[int, str, str, str, int]  # the shot's row, dice, their columns, columns kept, points


@dataclass
class Sums:
    """Totals of the turns that a seat's own player played, not those that a computer played for a person.

    `turns` and `busts` count only turns with known dice: others have no bust chance.
    """

    turns: int = 0
    banks: int = 0
    banked: int = 0
    best_bank: int = 0
    busts: int = 0
    expected_busts: float = 0.0

    def add(self, outcome: str, points: int, chance: float | None) -> None:
        """Add a turn. `chance`: the sum of its throws' bust chances, None if it was entered without dice."""
        if chance is not None:
            self.turns += 1
            self.busts += outcome == "bust"
            self.expected_busts += chance
        if outcome == "bank":
            self.banks += 1
            self.banked += points
            self.best_bank = max(self.best_bank, points)


def add_up(game: Game) -> None:
    """Store the sums of a finished game, unless it is from a file or one of its throws was undone. Three queries."""
    if game.loaded or game.undone:
        return
    finished = game.shots.filter(cancelled=False).exclude(outcome="").annotate(level_then=query_level_then())
    shots = list(finished.values_list("pk", "player", "outcome", "points", "score", "cost", "level_then"))
    rooms: dict[int, int] = {}  # how many points each turn had below an exact target when it began
    if game.rules.exact == "bust":
        target = load_state(game).target
        for shot, _player, outcome, points, score, cost, _level in shots:
            rooms[shot] = target - score - cost + (points if outcome == "bank" else 0)
    throws = game.throws.filter(shot__isnull=False).order_by("shot_id", "pk")
    by_shot = groupby(throws.values_list("shot", "dice", "columns", "kept", "points"), key=itemgetter(0))
    chances = {shot: sum(bust_chances(game.rules, of_shot, rooms.get(shot))) for shot, of_shot in by_shot}
    sums = {player.pk: Sums() for player in game.seats}
    people = {player.pk for player in game.seats if player.is_person}
    for shot, player, outcome, points, _score, _cost, level in shots:
        if (player in people) != bool(level):
            sums[player].add(outcome, points, chances.get(shot))
    contest = is_contest(game.seats)
    for seat in game.seats:
        vars(seat).update(vars(sums[seat.pk]), contest=contest)
    Player.objects.bulk_update(game.seats, [*vars(Sums()), "contest"])


def is_contest(seats: Iterable[Player]) -> bool:
    """Return whether these players are not all people at one device; only then does a win mean something."""
    return len({(seat.visitor_id, seat.level) for seat in seats}) > 1


def update_contest_flag(game: Game) -> None:
    """Recompute `Player.contest` after seats changed hands: two opponents may be one account now. Two queries."""
    game.players.update(contest=is_contest(game.players.all()))


def chance_of_throw(
    rules: Ruleset, dice: int, aside: Dice, growing: Dice, throws: int, points: int, room: int | None
) -> float:
    """Return the chance, 0 to 1, that one throw of this many dice ends the shot.

    `growing`: the set among the dice `aside` that may grow. `throws` and `points`: how many the shot has had before.
    They count for the last throw of a turn that has a limit, which also ends the shot if it leaves the points below the
    minimum to bank. `room`: how many points more there may be below an exact target; None for any number. Where more
    than that counts, as with proofs, it is the chance of a player without points in the shot: to know more, the shot
    would have to be replayed.
    """
    if room is not None and room >= room_needed(rules, dice):
        room = None
    if throws + 1 == rules.throws_most:
        return chance_to_end_with(rules, dice, throws=throws, points=points, growing=growing, room=room)
    if rules.is_plain or rules.three_pairs_across_throws or dice == 1:
        return bust_chance(rules, dice, aside, growing, room)
    later = min(throws, 1)  # only the first throw may have rules of its own
    return chance_to_end_with(rules, dice, throws=later, growing=growing, room=room)


def find_growing(rules: Ruleset, dice: Dice, kept: Dice, growing: Dice) -> Dice:
    """Return the set that dice of later throws may join, after a throw of which these faces were kept."""
    if rules.sets_grow == "never" or len(kept) == len(dice):
        return ()
    grown = (keep.growing for keep in keeps(rules, dice, growing=growing) if keep.dice == tuple(sorted(kept)))
    return next(grown, growing)


def bust_chances(rules: Ruleset, throws: Iterable[ThrowTuple], room: int | None = None) -> Iterator[float]:
    """Yield the chance, 0 to 1, of each throw of one shot to end that shot.

    Of several tries with the last die only the last one can end it, so earlier tries yield nothing. The last throw of a
    turn that has a limit is also the last try. Neither does a throw made again without points yield anything, because
    the chance of the one before includes it.
    """
    aside: Dice = ()
    growing: Dice = ()
    misses = gathered = 0
    for before, (_shot, dice, columns, kept, points) in enumerate(throws):
        is_last_try = misses == rules.last_die_throws - 1 or before + 1 == rules.throws_most
        if is_last_try if len(dice) == 1 else not misses:
            left = None if room is None else room - gathered
            yield chance_of_throw(rules, len(dice), aside, growing, before, gathered, left)
        gathered += points
        thrown = tuple(map(int, dice))
        gained = rules.nothing_bonus > 0 and len(dice) > 1 and not keeps(rules, thrown)
        misses = 0 if kept or gained else misses + 1
        faces = tuple(face for column, face in zip(columns, thrown, strict=True) if column in kept)
        growing = find_growing(rules, thrown, faces, growing)
        aside = set_aside(aside, thrown, faces)
