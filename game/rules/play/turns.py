"""The order of play: how a shot ends, who is next, when the final round begins and who wins."""

from game.rules.events import Banked, Bust, Entered, Event, FinalRound, FinalRoundOff, Paid, Penalty, Tie, Won
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


def bust_shot(state: State) -> Step:
    """End the shot with nothing; entered players pay for it, in coins, and in points for too many in a row."""
    seat = state.player
    bust = Bust(seat, state.shot.points if state.shot else 0)
    if not state.players[seat].entered:
        return end_shot(state).preceded_by(bust)
    state, events = _count_bust(state)
    return end_shot(state).preceded_by(bust, *events)


def _count_bust(state: State) -> Step:
    """Take from an entered player what the bust costs."""
    ruleset, seat = state.ruleset, state.player
    player = state.players[seat]
    events: tuple[Event, ...] = ()
    if ruleset.bust_penalty:
        events = (Paid(seat, ruleset.bust_penalty),)
        state = alter(state, pot=state.pot + ruleset.bust_penalty)
    if not ruleset.bust_streak or player.streak + 1 < ruleset.bust_streak:
        return Step(with_player(state, seat, streak=player.streak + 1), events)
    lost = min(ruleset.bust_streak_penalty, player.score)
    if not lost:
        return Step(with_player(state, seat, streak=0), events)
    state = with_player(state, seat, streak=0, score=player.score - lost, since=state.shots + 1)
    return Step(state, (*events, Penalty(seat, lost)))


def end_shot(state: State, offer: Offer | None = None) -> Step:
    """End a shot, however it came out: judge the final round and pass the dice on."""
    state = alter(_spend_shot(state), offer=offer, shots=state.shots + 1, round_begun=True)
    state, events = _judge_final_round(state)
    return Step(state, events) if state.finished else _pass_dice(state).preceded_by(*events)


def give_shot_away(state: State) -> Step:
    """Pass the dice on from a player who stepped out before the first throw."""
    state = _spend_shot(state)
    if state.due or not state.final:
        return _pass_dice(state)
    # Nobody has a shot any more, so the game would end here. The target may have been raised, or the last who was at it
    # may have stepped out, since a shot was judged: then the final round is called off, and the game goes on.
    state, events = _judge_final_round(state)
    return _pass_dice(state).preceded_by(*events)


def _spend_shot(state: State) -> State:
    """Note that the player has had the shot of this round, and the last shot if it was that."""
    state = with_player(state, state.player, played=True, last=state.final)
    return alter(state, shot=None, to_throw=0)


def _judge_final_round(state: State) -> Step:
    """Begin or call off the final round by the scores and the target."""
    reached = any(player.active and player.score >= state.target for player in state.players)
    if reached == state.final:
        return Step(state)
    if not reached:
        players = tuple(alter(player, last=False) for player in state.players)
        return Step(alter(state, players=players, final=False, first=None, extra=0), (FinalRoundOff(),))
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
            if _plays_this_round(state, seat):
                return Step(alter(state, player=seat))
        return Step(_begin_round(state))
    due = [seat for seat in after + before if state.has_shot(seat)]
    if not due:
        return _conclude_game(state)
    if state.last_shots and due[0] in before:
        state = _begin_round(state)
    return Step(alter(state, player=due[0]))


def _plays_this_round(state: State, seat: int) -> bool:
    player = state.players[seat]
    return player.active and not player.waiting and not player.played


def _begin_round(state: State) -> State:
    """Begin a new round with the first active player of the order."""
    players = tuple(alter(player, played=False, waiting=False) for player in state.players)
    return alter(state, players=players, round=state.round + 1, round_begun=False, player=state.active[0])


def _conclude_game(state: State) -> Step:
    """End the final round: the highest score wins, and the ruleset says what a shared one brings."""
    leaders = state.leaders
    if len(leaders) > 1 and state.ruleset.tie == "extra_rounds":
        tie = Tie(state.players[leaders[0]].score, tuple(sorted(leaders)))
        return Step(_begin_round(alter(state, extra=state.extra + 1)), (tie,))
    winners = leaders if state.ruleset.tie == "shared" else leaders[:1]
    return finish_game(state, tuple(sorted(winners)))


def finish_game(state: State, winners: tuple[int, ...], *, at_once: bool = False) -> Step:
    """End the game. `at_once`: by six of a kind, or as the first at the target where nobody has a last shot."""
    state = alter(state, finished=True, winners=winners, won_at_once=at_once, shot=None, to_throw=0, offer=None)
    return Step(state, (Won(winners, at_once),))
