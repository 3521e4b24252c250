"""A record played again, and checked on the way."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from game.rules.events import Banked
from game.rules.marking import gettext_noop
from game.rules.play import apply, throw
from game.rules.play.faces import end_throws, play_throws
from game.rules.play.moves import Manual, Skip, StepOut
from game.rules.play.start import Entry, new_game
from game.rules.play.state import Offer, Shot, State, Step, alter, with_player
from game.rules.play.turns import Told
from game.rules.record.fields import refuse
from game.rules.record.model import (
    Record,
    RecordEvent,
    Result,
    ShotRecord,
    event_place,
    refused,
)
from game.rules.refusals import IllegalMove
from game.rules.ruleset import DICE, Ruleset
from game.rules.totals import nearest


class Replay(NamedTuple):
    """How a record came out: the state at its end, the step that began it, and the step of each of its events."""

    state: State
    start: Step
    steps: tuple[Step, ...]


def replay(record: Record) -> Replay:
    """Play a record again. Raises `RecordError`, naming the place, where rules, points or result disagree."""
    start = _begin(record)
    state = start.state
    steps = []
    for index, event in enumerate(record.events):
        try:
            step = _play(state, event)
        except IllegalMove as refusal:
            raise refused(event_place(index), refusal) from None
        steps.append(step)
        state = step.state
    _check_result(record, state)
    _check_proof(record, state)
    return Replay(state, start, tuple(steps))


def result_of(state: State) -> Result:
    """The scores and winners of a state, as a record has them."""
    return Result(tuple(player.score for player in state.players), state.winners)


def _begin(record: Record) -> Step:
    try:
        state, events = new_game(record.ruleset, record.players, record.target)
    except IllegalMove as refusal:
        seat = refusal.data.get("player")
        raise refused("players" if seat is None else f"player {seat}", refusal) from None
    if not state.starting:
        if record.start is not None:
            refuse("start", gettext_noop("These rules have the players begin in seat order."))
        return Step(state, events)
    for faces in record.start or ():
        state, more = _throw_for_start(state, faces)
        events += more
    if state.starting:
        refuse("start", gettext_noop("The throws for the first player have no single highest at their end."))
    return Step(state, events)


def _throw_for_start(state: State, faces: tuple[int | None, ...]) -> Step:
    if not state.starting:
        refuse("start", gettext_noop("There are more rounds than needed."))
    if len(faces) != len(state.players):
        refuse("start", gettext_noop("Each round needs a face or null for every player."))
    thrown = [seat for seat, face in enumerate(faces) if face is not None]
    if tuple(thrown) != state.starting:
        refuse("start", gettext_noop("Those who tie for the highest throw again, nobody else."))
    return throw(state, [face for face in faces if face is not None])


def _play(state: State, event: RecordEvent) -> Step:
    if not isinstance(event, ShotRecord):
        return apply(state, event)
    if event.player >= len(state.players):
        raise IllegalMove("no_player")
    if event.cancelled:
        _check_cancelled(state.ruleset, event)
        return Step(state, ())
    if state.finished:
        raise IllegalMove("over")
    if event.player != state.player:
        raise IllegalMove("not_due_player", player=event.player, due=state.player)
    return _play_shot(state, event)


def _play_shot(state: State, shot: ShotRecord) -> Step:
    if shot.manual and shot.end in ("bank", "bust", "win"):
        played = Manual(shot.points or 0, shot.end, shot.pick_up, shot.dice_left, shot.throws)
        state, events = apply(alter(state, mode="manual"), played)
        return Step(alter(state, mode="auto"), events)
    _check_pick_up(state, shot.pick_up)
    told: Told = []
    if shot.throws:
        state = _play_throws(state, shot, told)
    elif shot.end == "out":
        state = alter(state, shot=Shot(shot.player, left=DICE, throws=1))
    if shot.end in ("out", "skip"):
        state, events = apply(state, Skip() if shot.end == "skip" else StepOut(shot.player))
        told.extend(events)
    return Step(state, tuple(told))


def _check_pick_up(state: State, taken_over: int | None) -> None:
    if taken_over is None:
        return
    if state.pick_up is None:
        raise IllegalMove("pick_up")
    if taken_over != state.pick_up[0]:
        raise IllegalMove("pick_up_dice", need=state.pick_up[0])


def _play_throws(state: State, shot: ShotRecord, told: Told) -> State:
    state = play_throws(state, shot.throws, shot.pick_up is not None, told)
    state = end_throws(state, shot.throws, shot.end, told)
    for made in (event.points for event in told if isinstance(event, Banked)):
        if made != shot.points:
            raise IllegalMove("throws_points", have=made, points=shot.points)
    return state


def _check_cancelled(ruleset: Ruleset, shot: ShotRecord) -> None:
    """A cancelled shot is checked by itself: not for turn, minimum or what was offered to be picked up."""
    alone = _alone(ruleset, shot.pick_up is not None)
    if shot.pick_up is not None:
        alone = alter(alone, offer=Offer(-1, shot.pick_up, _taken_over(ruleset, shot)))
    _play_shot(alone, replace(shot, player=0, cancelled=False))


@lru_cache(maxsize=32)
def _alone(ruleset: Ruleset, picks_up: bool) -> State:
    """A game of one player for whom nothing has a minimum."""
    free = replace(
        ruleset, entry_minimum=0, bank_minimum=0, min_players=1, first_player="seat_order",
        pick_up=ruleset.pick_up or picks_up,
    )  # fmt: skip
    return with_player(new_game(free, [Entry("Solo")]).state, 0, entered=True)


def _taken_over(ruleset: Ruleset, shot: ShotRecord) -> int:
    """Points that a cancelled shot can have begun with: what it banked without what its own dice made."""
    if shot.points is None or shot.pick_up is None:
        return 0
    if not shot.throws:
        return max(0, shot.points - (nearest(ruleset, 0, shot.pick_up, shot.dice_left)[1] or 0))
    told: Told = []
    alone = alter(_alone(ruleset, True), offer=Offer(-1, shot.pick_up, 0))
    end_throws(play_throws(alone, shot.throws, True, told), shot.throws, shot.end, told)
    made = sum(event.points for event in told if isinstance(event, Banked))
    return max(0, shot.points - made)


def _check_result(record: Record, state: State) -> None:
    if record.result is None:
        return
    true = result_of(state)
    if record.result.scores != true.scores:
        refuse("result", gettext_noop("The scores are %(scores)s."), scores=", ".join(map(str, true.scores)))
    if tuple(sorted(record.result.winners)) != true.winners:
        sentence = gettext_noop("The winners are %(winners)s.") if true.winners else gettext_noop("Nobody has won.")
        refuse("result", sentence, winners=", ".join(map(str, true.winners)))


def _check_proof(record: Record, state: State) -> None:
    """The proof has a word per seat and a number per throw; a game that still runs must not show its seed."""
    proof = record.proof
    if proof is None:
        return
    if not state.finished:
        refuse("proof", gettext_noop("A game that still runs has no proof."))
    throws = [len(event.throws) for event in record.events if isinstance(event, ShotRecord)]
    if len(proof.numbers) != len(record.start or ()) + sum(throws):
        refuse("proof", gettext_noop("There has to be a number for each throw."))
    if len(proof.words) != len(record.players):
        refuse("proof", gettext_noop("There has to be a word for each player."))
