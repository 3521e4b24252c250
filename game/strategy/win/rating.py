"""Rates the options of a decision: by chance to win or, without a table, by expected points.

Even without a table the end of a game can be rated: it is known what a bank wins, and what a last shot has to beat.

Only the public state of a game is used, never the dice to come.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from game.rules import Ruleset, State, apply
from game.strategy.turn.options import Option, list_options, list_seats_in_turn
from game.strategy.win.rough_table import make_rough_table
from game.strategy.win.score_situation import ScoreSituation, SeatScore, ShotChances, solve_shot_chances
from game.strategy.win.store import find_table
from game.strategy.win.win_table import WinTable

# Rough chances that differ by no more than this count as even.
EVEN_ESTIMATES = 0.002


@dataclass(frozen=True)
class RatedOption:
    """An option, and the chance to win with it, 0 to 1, None if unknown. `estimate`: whether it is only an estimate."""

    option: Option
    win: float | None
    estimate: bool = False


def rate_state(state: State) -> tuple[RatedOption, ...]:
    """Return the rated options with the dice on the table, best first; empty where no choice of dice is due.

    Raises `NoBestPlay` where points have no bound.
    """
    options, situation = list_options(state), make_score_situation(state)
    table = find_table(state.ruleset, state.target)
    if not options:
        return ()
    if table is not None and len(situation.seats) > 1:
        return _rate_by_table(options, situation, table)
    return _rate_without_table(state, options, situation)


def _rate_without_table(state: State, options: Sequence[Option], situation: ScoreSituation) -> tuple[RatedOption, ...]:
    """Return the options rated by expected points, or by chance to win where the end of the game is in reach."""
    score = situation.seats[0].score
    highest = score + max(option.total for option in options)
    if not state.final_stands and (highest < state.target or state.ruleset.ending == "rounds"):
        return _rate_each(options, None, score)
    if len(situation.seats) > 1 and (rough := make_rough_table(state.ruleset, state.target)):
        return _favour_the_target(_rate_by_table(options, situation, rough), state.target - score)
    if not any(_wins_alone(state, option) for option in options):
        return _rate_each(options, None, score)
    # A throw risks a game that is won, and a bank that does not end the game leaves it open.
    chances = ((option, 1 - option.bust if option.then == "throw" else 0.0) for option in options)
    rated = (
        RatedOption(option, 1.0) if _wins_alone(state, option) else RatedOption(option, chance, estimate=True)
        for option, chance in chances
    )
    return tuple(sorted(rated, key=lambda entry: (-(entry.win or 0.0), -entry.option.points)))


def _favour_the_target(rated: tuple[RatedOption, ...], missing: int) -> tuple[RatedOption, ...]:
    """Put the best bank that reaches the target first, if its estimate is even with that of the best option."""
    banks = (entry for entry in rated if entry.option.then == "bank" and entry.option.total >= missing)
    bank = next(banks, None)
    if bank is None or bank.win is None or rated[0].win is None or rated[0].win - bank.win > EVEN_ESTIMATES:
        return rated
    return (replace(bank, win=rated[0].win), *(entry for entry in rated if entry is not bank))


def _wins_alone(state: State, option: Option) -> bool:
    return option.then != "throw" and apply(state, option.move).state.winners == (state.player,)


def rate_pick_up(state: State) -> tuple[float, float] | None:
    """Return the chances to win, 0 to 1, with the dice on offer and with fresh ones.

    None if no dice are on offer, for a single player, and without a table that knows offers.
    """
    if state.pick_up is None or len(state.active) == 1:
        return None
    table = find_table(state.ruleset, state.target)
    if table is None or not table.race.has_offers:
        return None
    dice, points = state.pick_up
    player = state.players[state.player]
    fresh, taken = solve_beginnings(table, state, player.score + points)
    column = table.race.graph.plain_column(dice, entered=player.entered)
    return taken.throw(column, player.score + points), fresh.begin


def solve_beginnings(table: WinTable, state: State, score: int) -> tuple[ShotChances, ShotChances]:
    """Solve the shot that is about to begin, with fresh dice and with those on offer.

    Both are the same unless a bust of a picked-up shot has another cost. `score`: as in `solve_shot_chances`.
    """
    situation = make_score_situation(state)
    points = state.pick_up[1] if state.pick_up else 0
    taken = replace(situation, picked_up=_count_brought(state.ruleset, points))
    return solve_shot_chances(table, situation, score), solve_shot_chances(table, taken, score)


def rate_options(state: State, table: WinTable | None) -> tuple[RatedOption, ...]:
    """Return the rated options, best first: by chance to win if there is a table, else by expected points.

    Options with equal chances are in the order of their expected points. Raises `NoBestPlay`.
    """
    options, situation = list_options(state), make_score_situation(state)
    if table is None or not options or len(situation.seats) == 1:
        return _rate_each(options, None, 0)
    return _rate_by_table(options, situation, table)


def _rate_by_table(options: Sequence[Option], situation: ScoreSituation, table: WinTable) -> tuple[RatedOption, ...]:
    score = situation.seats[0].score
    highest = score + max(option.total for option in options)
    return _rate_each(options, solve_shot_chances(table, situation, highest), score)


def rate_with_chances(state: State, chances: ShotChances | None) -> tuple[RatedOption, ...]:
    """Return the options rated by the chances of the whole shot, best first, or by expected points without any."""
    return _rate_each(list_options(state), chances, state.players[state.player].score)


def _rate_each(options: Sequence[Option], chances: ShotChances | None, score: int) -> tuple[RatedOption, ...]:
    if chances is None:
        return tuple(RatedOption(option, None) for option in options)
    pairs = ((option, _chance_with(chances, option, score)) for option in options)
    best_first = sorted(pairs, key=lambda pair: (-pair[1], -pair[0].points))
    return tuple(RatedOption(option, win, chances.estimate) for option, win in best_first)


def _chance_with(chances: ShotChances, option: Option, score: int) -> float:
    if option.then == "win":
        return 1.0
    after = score + option.total
    return chances.bank(option.column, after) if option.then == "bank" else chances.throw(option.column, after)


def make_score_situation(state: State) -> ScoreSituation:
    """Make the situation of the active players, or of those who play off a tie, in turn from the one to move."""
    seats = tuple(seat for seat in list_seats_in_turn(state) if seat in (state.tied or state.order))
    first = seats.index(next(seat for seat in state.order if seat in seats))
    due = tuple(seats.index(seat) for seat in state.due if seat != state.player)
    scores = tuple(_make_seat(state, seat) for seat in seats)
    shot = state.shot
    begins_so = shot is not None and shot.picked_up is not None
    brought = _count_brought(state.ruleset, shot.memory.base) if shot and begins_so else None
    return ScoreSituation(scores, first, due if state.final else None, brought)


def _count_brought(ruleset: Ruleset, points: int) -> int | None:
    """Return `ScoreSituation.picked_up` for a shot that begins with these points on offer."""
    if ruleset.streak_costs and ruleset.bust_cost == "shot":
        return points
    return 0 if ruleset.pick_up_cost else None


def _make_seat(state: State, seat: int) -> SeatScore:
    player = state.players[seat]
    streak = player.streak if state.ruleset.bust_streak > 1 and state.ruleset.busts_may_cost else 0
    rounds = max(state.ruleset.rounds - state.round, 0) if state.ruleset.rounds else 0
    left = rounds + (1 if seat == state.player or not (player.played or player.waiting) else 0)
    since = player.since if state.ruleset.rounds else 0
    return SeatScore(player.score, player.entered, left if state.ruleset.rounds else 0, since, streak)
