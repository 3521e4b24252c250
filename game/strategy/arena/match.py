"""Games between computers, as many as wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from game.rules.ruleset import Ruleset
from game.strategy.arena.batch_policy import Board, ByPoints, board_of
from game.strategy.arena.chances import among_all, between_two
from game.strategy.arena.games import Games
from game.strategy.arena.shots import Flags, Shots, Sight, play_shots
from game.strategy.computers import BEST, COMPUTERS
from game.strategy.splitmix import Numbers, mixed
from game.strategy.turn.graph import Floats, Places
from game.strategy.win import ScoreSituation, SeatScore, WinTable, find_table


@dataclass(frozen=True)
class Match:
    """Computers of these levels play each other; who begins changes from game to game."""

    ruleset: Ruleset
    target: int
    levels: tuple[str, ...]

    def order(self, game: int) -> tuple[int, ...]:
        """The places in `levels` in the order of play of a game."""
        count = len(self.levels)
        return tuple((game + place) % count for place in range(count))


def dice_of(seed: int, games: Places | int) -> Numbers:
    """A number for each game, from which its dice follow, whatever the computers do."""
    return mixed(seed, games)


def play(match: Match, numbers: range, seed: int) -> Floats:
    """What each computer has won of each of the games with these numbers (games x levels): 1, 0, or a share.

    Raises `EndlessShot`.
    """
    board, table = board_of(match.ruleset), find_table(match.ruleset, match.target)
    entrants = np.array([match.order(number) for number in numbers], dtype=np.intp)
    dice = dice_of(seed, np.array(numbers))
    games = Games(match.ruleset, match.target, len(match.levels), dice)
    levels = np.array(match.levels)
    while len(running := games.running()):
        due = levels[entrants[running, games.player[running]]]
        for level in set(due.tolist()):
            _play_shots(games, running[due == level], level, board, table)
    won = np.empty_like(games.shares)
    np.put_along_axis(won, entrants, games.shares, axis=1)
    return won


def _play_shots(games: Games, which: Places, level: str, board: Board, table: WinTable | None) -> None:
    """Play the shots that are due in these games, all by players of this level."""
    shots = games.begin(which)
    for sight, part in _sights(games, which, shots, level, board, table):
        played = play_shots(board.choices, sight, games.ruleset.last_die_throws, shots.part(part))
        games.end(which[part], played)


def _sights(
    games: Games, which: Places, shots: Shots, level: str, board: Board, table: WinTable | None
) -> Iterator[tuple[Sight, Places]]:
    """How the players see their shots, and which of the shots they see so."""
    if level != BEST or table is None:
        yield ByPoints(board, COMPUTERS[level]), np.arange(len(which))
        return
    unit, me = table.race.graph.unit, games.player[which]
    spots = np.where(games.entered[which], 1 + games.score[which] // unit, 0)
    plain = (spots <= table.race.target).all(axis=1) & (games.places == 2)
    for place in range(games.places if plain.any() else 0):
        mine = np.flatnonzero(plain & (me == place))
        role = place if table.race.roles == 2 else 0
        for sight, part in between_two(table, board.choices, role, spots[mine, place], spots[mine, 1 - place]):
            yield sight, mine[part]
    rest = np.flatnonzero(~plain)
    for sight, part in among_all(table, board.choices, _standings(games, which[rest])):
        yield sight, rest[part]


def _standings(games: Games, which: Places) -> list[ScoreSituation]:
    due = games.due(which)
    return [_standing(games, int(game), due[place]) for place, game in enumerate(which)]


def _standing(games: Games, game: int, due: Flags) -> ScoreSituation:
    me, count = int(games.player[game]), games.places
    turn = [(me + step) % count for step in range(count)]
    seats = tuple(SeatScore(int(games.score[game, place]), bool(games.entered[game, place])) for place in turn)
    left = tuple(step for step, place in enumerate(turn) if step and due[place])
    return ScoreSituation(seats, (-me) % count, left if games.final[game] else None)
