"""Matches: any number of games between computers."""

from collections.abc import Iterator
from dataclasses import dataclass

from game.rules import Entry, Ruleset, apply, new_game, throw
from game.strategy.arena.batch_policy import PointsPolicy, PointValues, build_point_values
from game.strategy.arena.chances import EndPolicy, policies_for_any, policies_for_two
from game.strategy.arena.games import Games
from game.strategy.arena.shots import BatchPolicy, play_shots
from game.strategy.arrays import Floats, Indices, np
from game.strategy.computers import BEST, COMPUTERS, choose_move
from game.strategy.splitmix import hash64
from game.strategy.turn import solve_shot_points
from game.strategy.win import ScoreSituation, SeatScore, WinTable, make_rough_table, prepare_table


@dataclass(frozen=True)
class Match:
    """A match between computers of these levels; the first player changes from game to game."""

    ruleset: Ruleset
    target: int
    levels: tuple[str, ...]

    def order(self, game: int) -> tuple[int, ...]:
        """Return the order of play in this game, as places in `levels`."""
        count = len(self.levels)
        return tuple((game + place) % count for place in range(count))


def play_match(match: Match, numbers: range, seed: int) -> Floats:
    """Play the games with these numbers, and return what each computer has won (games x levels): 1, 0, or a part.

    The dice of a game depend only on the seed and its number, not on the computers or the other games. Raises
    `NoBestPlay` where points have no bound.
    """
    best = BEST in match.levels
    by_table = best and (match.ruleset.pick_up or match.ruleset.busts_may_cost)
    table = prepare_table(match.ruleset, match.target) if best else None  # the others play by points
    if match.ruleset.later_settings() or match.ruleset.tie == "tied_only" or by_table:
        solve_shot_points(match.ruleset)
        return np.array([_play_by_the_rules(match, number, seed) for number in numbers])
    values = build_point_values(match.ruleset)
    entrants = np.array([match.order(number) for number in numbers], dtype=np.intp)
    games = Games(match.ruleset, match.target, len(match.levels), hash64(seed, np.array(numbers)))
    levels = np.array(match.levels)
    while len(running := games.running()):
        due = levels[entrants[running, games.player[running]]]
        for level in set(due.tolist()):
            _play_level(games, running[due == level], level, values, table)
    won = np.empty_like(games.shares)
    np.put_along_axis(won, entrants, games.shares, axis=1)
    return won


def _play_by_the_rules(match: Match, number: int, seed: int) -> list[float]:
    """Play one game move by move, under rules that the arrays do not support."""
    order = match.order(number)
    seats = [Entry(f"*{seat}", match.levels[place]) for seat, place in enumerate(order)]
    state, dice, thrown = new_game(match.ruleset, seats, match.target).state, int(hash64(seed, number)[0]), 0
    while not state.finished:
        if state.to_throw:
            faces = int(hash64(dice, thrown)[0])
            state = throw(state, [faces // 6**place % 6 + 1 for place in range(state.to_throw)]).state
            thrown += 1
        else:
            state = apply(state, choose_move(state)).state
    won = {order[seat]: 1 / len(state.winners) for seat in state.winners}
    return [won.get(place, 0.0) for place in range(len(order))]


def _play_level(games: Games, which: Indices, level: str, values: PointValues, table: WinTable | None) -> None:
    """Play the shots that are due in these games, all by players of this level."""
    shots = games.begin_shots(which)
    offered = np.flatnonzero(shots.offered)  # none where the best computer plays: then games are played move by move
    if len(offered):
        takes = PointsPolicy(values, COMPUTERS[level]).picks_up(shots, offered)
        shots.offered[offered[~takes]] = 0
    for policy, part in _split_by_policy(games, which, level, values, table):
        played = play_shots(values.choices, policy, games.ruleset.last_die_throws, shots.part(part))
        games.end_shots(which[part], played)


def _split_by_policy(
    games: Games, which: Indices, level: str, values: PointValues, table: WinTable | None
) -> Iterator[tuple[BatchPolicy, Indices]]:
    """Yield policies, each with the places in `which` of the games that it is for."""
    points = PointsPolicy(values, COMPUTERS[level])
    rough = make_rough_table(games.ruleset, games.target) if level == BEST and table is None else None
    if rough is not None:
        for policy, part in policies_for_any(rough, values.choices, _make_situations(games, which)):
            yield EndPolicy(points, policy, games.target, bool(games.final[which[part[0]]])), part
        return
    if level != BEST or table is None:
        yield points, np.arange(len(which))
        return
    unit, me = table.race.graph.unit, games.player[which]
    places = np.where(games.entered[which], 1 + games.score[which] // unit, 0)
    plain = (places <= table.race.target).all(axis=1) & (games.players == 2)
    for seat in range(games.players if plain.any() else 0):
        mine = np.flatnonzero(plain & (me == seat))
        role = seat if table.race.roles > 1 else 0
        for policy, part in policies_for_two(table, values.choices, role, places[mine, seat], places[mine, 1 - seat]):
            yield policy, mine[part]
    rest = np.flatnonzero(~plain)
    for policy, part in policies_for_any(table, values.choices, _make_situations(games, which[rest])):
        yield policy, rest[part]


def _make_situations(games: Games, which: Indices) -> list[ScoreSituation]:
    situations, count = [], games.players
    for game, due in zip(which.tolist(), games.due(which), strict=True):
        me = int(games.player[game])
        turn = [(me + step) % count for step in range(count)]
        seats = tuple(SeatScore(int(games.score[game, place]), bool(games.entered[game, place])) for place in turn)
        left = tuple(step for step, place in enumerate(turn) if step and due[place])
        situations.append(ScoreSituation(seats, (-me) % count, left if games.final[game] else None))
    return situations
