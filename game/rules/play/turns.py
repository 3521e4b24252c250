"""The order of play: how a shot ends, who is next, when the final round begins and who wins."""

from __future__ import annotations

from game.rules.events import (
    Banked,
    Bust,
    Entered,
    Event,
    FinalRound,
    FinalRoundOff,
    Paid,
    Penalty,
    Tie,
    Won,
)
from game.rules.play.state import Offer, State, alter, with_player

Told = list[Event]


def bank(state: State, points: int, left: int | None, told: Told) -> State:
    """End the shot with points. `left`: the dice that the next player may pick up, None for none."""
    seat = state.player
    player = state.players[seat]
    score = player.score + points
    told.append(Banked(seat, points, score))
    if not player.entered:
        told.append(Entered(seat))
    state = with_player(state, seat, score=score, entered=True, streak=0, since=state.shots + 1)
    return end_shot(state, told, offer=Offer(seat, left, points) if left else None)


def bust(state: State, told: Told) -> State:
    """End the shot with nothing; entered players pay for it, with coins and for too many in a row with points."""
    seat = state.player
    told.append(Bust(seat, state.shot.points if state.shot else 0))
    if state.players[seat].entered:
        state = _count_bust(state, told)
    return end_shot(state, told)


def _count_bust(state: State, told: Told) -> State:
    ruleset, seat = state.ruleset, state.player
    player = state.players[seat]
    if ruleset.bust_penalty:
        told.append(Paid(seat, ruleset.bust_penalty))
        state = alter(state, pot=state.pot + ruleset.bust_penalty)
    if not ruleset.bust_streak or player.streak + 1 < ruleset.bust_streak:
        return with_player(state, seat, streak=player.streak + 1)
    lost = min(ruleset.bust_streak_penalty, player.score)
    if not lost:
        return with_player(state, seat, streak=0)
    told.append(Penalty(seat, lost))
    return with_player(state, seat, streak=0, score=player.score - lost, since=state.shots + 1)


def end_shot(state: State, told: Told, offer: Offer | None = None) -> State:
    """What every end of a shot brings: judging the final round, and the next player."""
    state = spend_shot(state)
    state = alter(state, offer=offer, shots=state.shots + 1, round_begun=True)
    state = _judge(state, told)
    return state if state.finished else advance(state, told)


def spend_shot(state: State) -> State:
    """The player has had the shot of this round, and the last shot if it was that."""
    state = with_player(state, state.player, played=True, last=state.final)
    return alter(state, shot=None, to_throw=0)


def _judge(state: State, told: Told) -> State:
    """Begin or call off the final round, by the scores and the target at the end of a shot."""
    reached = any(player.active and player.score >= state.target for player in state.players)
    if reached == state.final:
        return state
    if not reached:
        told.append(FinalRoundOff())
        players = tuple(alter(player, last=False) for player in state.players)
        return alter(state, players=players, final=False, first=None, extra=0)
    first = state.leaders[0]
    if state.ruleset.ending == "at_once":
        return finish(state, (first,), told, at_once=True)
    told.append(FinalRound(first, state.players[first].score))
    players = tuple(alter(player, waiting=False, last=seat == first) for seat, player in enumerate(state.players))
    return alter(state, players=players, final=True, first=first)


def advance(state: State, told: Told) -> State:
    """Pass the dice to the next player, or end the game where nobody has a shot any more."""
    place = state.order.index(state.player)
    after, before = state.order[place + 1 :], state.order[: place + 1]
    if not state.final:
        rest = [seat for seat in after if _plays_this_round(state, seat)]
        return alter(state, player=rest[0]) if rest else _next_round(state)
    due = [seat for seat in after + before if state.has_shot(seat)]
    if not due:
        return _conclude(state, told)
    if state.last_shots and due[0] in before:
        state = _next_round(state)
    return alter(state, player=due[0])


def _plays_this_round(state: State, seat: int) -> bool:
    player = state.players[seat]
    return player.active and not player.waiting and not player.played


def _next_round(state: State) -> State:
    """A new round, from the first active player of the order."""
    players = tuple(alter(player, played=False, waiting=False) for player in state.players)
    return alter(state, players=players, round=state.round + 1, round_begun=False, player=state.active[0])


def _conclude(state: State, told: Told) -> State:
    """The final round is over: the highest score wins, and the ruleset says what a shared one brings."""
    leaders = state.leaders
    if len(leaders) > 1 and state.ruleset.tie == "extra_rounds":
        told.append(Tie(state.players[leaders[0]].score, tuple(sorted(leaders))))
        return _next_round(alter(state, extra=state.extra + 1))
    winners = leaders if state.ruleset.tie == "shared" else leaders[:1]
    return finish(state, tuple(sorted(winners)), told)


def finish(state: State, winners: tuple[int, ...], told: Told, *, at_once: bool = False) -> State:
    """The game is over."""
    told.append(Won(winners, at_once))
    return alter(state, finished=True, winners=winners, won_at_once=at_once, shot=None, to_throw=0, offer=None)
