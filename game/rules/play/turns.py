"""The order of play: how a shot ends, who is next, when the final round begins and who wins."""

from collections.abc import Iterable

from game.rules.events import (
    Banked,
    Bust,
    Cost,
    Eliminated,
    Entered,
    Event,
    FinalRound,
    FinalRoundOff,
    LastRound,
    Over,
    Paid,
    Penalty,
    Tie,
    Won,
)
from game.rules.play.state import Offer, State, Step, alter, with_player


def bank_points(state: State, points: int, left: int | None) -> Step:
    """End the shot with points. `left`: how many dice the next player may pick up, None for none."""
    seat = state.player
    player = state.players[seat]
    score = player.score + points
    banked = Banked(seat, points, score)
    events: tuple[Event, ...] = (banked,) if player.entered else (banked, Entered(seat))
    state = with_player(state, seat, score=score, entered=True, streak=0, since=state.shots + 1)
    return end_shot(state, Offer(seat, left, points) if left else None).preceded_by(*events)


def bust_shot(state: State, *, cost: int = 0, nothing: bool = False) -> Step:
    """End the shot with nothing. Players on the board pay for it in coins; they, or everybody, pay in points as well.

    `cost`: the points that a pattern of dice costs, if it made the bust. `nothing`: the bust was a throw of all dice
    without any combination.
    """
    seat, shot, ruleset = state.player, state.shot, state.ruleset
    bust = Bust(seat, shot.points if shot else 0)
    entered = state.players[seat].entered
    if not entered and ruleset.below_zero != "always":
        return end_shot(state).preceded_by(bust)
    events: tuple[Event, ...] = (bust,)
    if ruleset.bust_penalty and entered:
        events = (bust, Paid(seat, ruleset.bust_penalty))
        state = alter(state, pot=state.pot + ruleset.bust_penalty)
    picked_up = ruleset.pick_up_cost if shot and shot.picked_up is not None else 0
    for points in (cost, ruleset.nothing_cost if nothing else 0, picked_up):
        state, lost = _take_points(state, points)
        events += (Cost(seat, lost),) if lost else ()
    state, more = _count_bust(state)
    return end_shot(state).preceded_by(*events, *more)


def cost_of_bust(state: State, points: int) -> int:
    """Return the points that any bust would take off the player's score; some dice may cost more.

    `points`: those of the shot so far.
    """
    shot = state.shot and alter(state.shot, points=points)
    busted = bust_shot(alter(state, shot=shot)).events
    return sum(event.points for event in busted if isinstance(event, Cost | Penalty))


def _take_points(state: State, points: int) -> tuple[State, int]:
    """Return the state with points taken off the score, and how many: scores stop at 0 unless they may fall below."""
    seat = state.player
    score = state.players[seat].score
    lost = min(points, score) if state.ruleset.below_zero == "never" else points
    return (with_player(state, seat, score=score - lost, since=state.shots + 1), lost) if lost else (state, 0)


def _count_bust(state: State) -> Step:
    """Count one more bust in a row, and charge what the row costs once it is full."""
    ruleset, seat, shot = state.ruleset, state.player, state.shot
    player = state.players[seat]
    if not ruleset.bust_streak or player.streak + 1 < ruleset.bust_streak:
        return Step(with_player(state, seat, streak=player.streak + 1))
    gathered = shot.points - shot.memory.base if shot else 0
    costs = {"fixed": ruleset.bust_streak_penalty, "shot": gathered, "everything": max(player.score, 0)}
    state, lost = _take_points(with_player(state, seat, streak=0), costs[ruleset.bust_cost])
    return Step(state, (Penalty(seat, lost),) if lost else ())


def end_beyond_target(state: State) -> Step:
    """End a shot in which every keep goes beyond the exact target: no points, no cost, no bust counted."""
    return end_shot(state).preceded_by(Over(state.player, state.shot.points if state.shot else 0))


def eliminate_player(state: State) -> Step:
    """End the shot and eliminate its player; the last one left wins."""
    seat = state.player
    event = Eliminated(seat, state.shot.points if state.shot else 0)
    state = leave_tie(with_player(state, seat, active=False, eliminated=True), seat)
    left = state.tied or state.active
    if len(left) < 2:
        return finish_game(alter(state, shots=state.shots + 1), left).preceded_by(event)
    return end_shot(state).preceded_by(event)


def leave_tie(state: State, seat: int) -> State:
    """Return the state without this seat among those who play off a tie."""
    return alter(state, tied=tuple(other for other in state.tied if other != seat)) if seat in state.tied else state


def end_shot(state: State, offer: Offer | None = None) -> Step:
    """End a shot, whatever its outcome: judge the final round and pass the dice on."""
    state = alter(_spend_shot(state), offer=offer, shots=state.shots + 1, round_begun=True)
    state, events = _judge_final_round(state)
    return Step(state, events) if state.finished else _pass_dice(state).preceded_by(*events)


def give_shot_away(state: State) -> Step:
    """Pass the dice on from a player who stepped out before the first throw."""
    state = _spend_shot(state)
    if state.due or not state.final:
        return _pass_dice(state)
    # Nobody has a shot left, so the game would end here. But since a shot was last judged, the target may have been
    # raised, or the last player at it may have stepped out: then the final round is called off and the game goes on.
    state, events = _judge_final_round(state)
    return _pass_dice(state).preceded_by(*events)


def _spend_shot(state: State) -> State:
    """Note that the player has had the shot of this round and, in the final round, the last one."""
    state = with_player(state, state.player, played=True, last=state.final)
    return alter(state, shot=None, to_throw=0)


def _judge_final_round(state: State) -> Step:
    """Begin or call off the final round by the scores and the target; a fixed number of rounds needs neither."""
    if state.ruleset.ending == "rounds":
        return Step(state)
    reached = any(player.active and player.score >= state.target for player in state.players)
    if reached == state.final:
        return Step(state)
    if not reached:
        players = tuple(alter(player, last=False) for player in state.players)
        return Step(alter(state, players=players, final=False, first=None, extra=0, tied=()), (FinalRoundOff(),))
    first = state.leaders[0]
    if state.ruleset.ending == "at_once":
        return finish_game(state, (first,), at_once=True)
    players = tuple(alter(player, waiting=False, last=seat == first) for seat, player in enumerate(state.players))
    event = FinalRound(first, state.players[first].score)
    return Step(alter(state, players=players, final=True, first=first), (event,))


def _pass_dice(state: State) -> Step:
    """Pass the dice to the next player, or end the game where nobody has a shot any more."""
    place = state.order.index(state.player)
    after, before = state.order[place + 1 :], state.order[: place + 1]
    if not state.final:
        for seat in after:
            player = state.players[seat]
            if player.active and not player.waiting and not player.played:
                return Step(alter(state, player=seat))
        return _begin_round(state)
    due = [seat for seat in after + before if state.has_shot(seat)]
    if not due:
        return _conclude_game(state)
    if state.has_last_shots and due[0] in before:
        state = _begin_round(state).state
    return Step(alter(state, player=due[0]))


def _begin_round(state: State) -> Step:
    """Begin a new round with the first in order who plays it; the last of a fixed number of rounds is the final one."""
    players = tuple(alter(player, played=False, waiting=False) for player in state.players)
    first = next(seat for seat in state.active if not state.tied or seat in state.tied)
    state = alter(state, players=players, round=state.round + 1, round_begun=False, player=first)
    if state.round == state.ruleset.rounds:
        return Step(alter(state, final=True), (LastRound(),))
    return Step(state)


def _conclude_game(state: State) -> Step:
    """End the final round: the highest score wins, and the ruleset says what follows from a tie."""
    leaders = state.leaders
    if len(leaders) > 1 and state.ruleset.tie in ("extra_rounds", "tied_only"):
        tied = tuple(sorted(leaders))
        state = alter(state, extra=state.extra + 1, tied=tied if state.ruleset.tie == "tied_only" else ())
        return _begin_round(state).preceded_by(Tie(state.players[tied[0]].score, tied))
    winners = leaders if state.ruleset.tie == "shared" else leaders[:1]
    return finish_game(state, tuple(sorted(winners)))


def find_begun_round(state: State, seat: int) -> FinalRound | LastRound | Tie | None:
    """Return the event of the final round, or of a last or extra one, that the newest shot has begun; None for none.

    `seat`: that of the player of that shot. A state keeps no events, so this is worked out from what the shot left.
    """
    if not state.final_stands or state.finished:
        return None
    if state.extra or state.ruleset.ending == "rounds":
        tied = tuple(sorted(state.leaders))
        begun = Tie(state.players[tied[0]].score, tied) if state.extra else LastRound()
        return None if state.round_begun else begun
    return FinalRound(seat, state.players[seat].score) if seat == state.first else None


def is_final_round_undone(state: State, scores: Iterable[int]) -> bool:
    """Return whether the final round had begun in shots that were undone since, and does not stand without them.

    `state`: before those shots. `scores`: that of its player after each of them.
    """
    if state.final or state.ruleset.ending == "rounds":
        return False
    for score in scores:
        if state.finished:
            break
        state = end_shot(with_player(state, state.player, score=score)).state
    return state.final and not state.finished


def finish_game(state: State, winners: tuple[int, ...], *, at_once: bool = False) -> Step:
    """End the game. `at_once`: by dice that win at once, or as the first at the target where nobody has a last shot."""
    state = alter(state, finished=True, winners=winners, shot=None, to_throw=0, offer=None)
    return Step(state, (Won(winners, at_once),))
