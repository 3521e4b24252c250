"""A record played again, and checked on the way."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from game.rules.marking import gettext_noop
from game.rules.play import apply, throw
from game.rules.play.banking import points_with
from game.rules.play.choosing import keeps_scored
from game.rules.play.known_throws import check_banked, check_pick_up, play_throws
from game.rules.play.moves import Skip, StepOut, Throw
from game.rules.play.start import Entry, new_game
from game.rules.play.state import Offer, Shot, State, Step, alter, with_player
from game.rules.record.fields import refuse_at
from game.rules.record.model import Record, RecordEvent, RecordResult, ShotRecord, event_place, refusal_at
from game.rules.refusals import IllegalMove
from game.rules.ruleset import EntryNeed, Ruleset
from game.rules.totals import nearest_totals

# More points than any shot has: a player who is this far from the target may keep everything that scores.
_FAR = 10**12


class ReplayedGame(NamedTuple):
    """The outcome of a record: its final state, the step that began it, and the step of each event."""

    state: State
    start: Step
    steps: tuple[Step, ...]


def replay(record: Record, before: State | None = None) -> ReplayedGame:
    """Play a record again. Raises `RecordError`, naming the place, where rules, points or result disagree.

    `before`: the state before its first event, for a record that continues a running game.
    """
    start = _begin_game(record) if before is None else Step(before)
    state = start.state
    steps = []
    for index, event in enumerate(record.events):
        try:
            step = _play_event(state, event)
        except IllegalMove as refusal:
            raise refusal_at(event_place(index), refusal) from None
        steps.append(step)
        state = step.state
    _check_result(record, state)
    _check_proof(record, state)
    return ReplayedGame(state, start, tuple(steps))


def result_of(state: State) -> RecordResult:
    """Return the scores and winners of a state, as a record has them."""
    return RecordResult(tuple(player.score for player in state.players), state.winners)


def _begin_game(record: Record) -> Step:
    try:
        state, events = new_game(record.ruleset, record.players, record.target)
    except IllegalMove as refusal:
        seat = refusal.data.get("player")
        raise refusal_at("players" if seat is None else f"player {seat}", refusal) from None
    if record.start is not None and not state.starting:
        refuse_at("start", gettext_noop("Under these rules play starts in seat order: there is nothing to throw for."))
    for faces in record.start or ():
        state, more = _throw_for_start(state, faces)
        events += more
    if state.starting:
        refuse_at("start", gettext_noop("The throws to see who goes first end in a tie."))
    return Step(state, events)


def _throw_for_start(state: State, faces: tuple[int | None, ...]) -> Step:
    if not state.starting:
        refuse_at("start", gettext_noop("There are more rounds than needed."))
    if len(faces) != len(state.players):
        refuse_at("start", gettext_noop("Each round needs a face or null for every player."))
    thrown = [seat for seat, face in enumerate(faces) if face is not None]
    if tuple(thrown) != state.starting:
        refuse_at("start", gettext_noop("Only the players who tied for first place throw again."))
    return throw(state, [face for face in faces if face is not None])


def _play_event(state: State, event: RecordEvent) -> Step:
    if not isinstance(event, ShotRecord):
        return apply(state, event)
    if event.player >= len(state.players):
        raise IllegalMove("no_player")
    if event.cancelled:
        _check_cancelled(state, event)
        return Step(state)
    if state.finished:
        raise IllegalMove("over")
    if event.player != state.player:
        raise IllegalMove("not_due_player", player=event.player, due=state.player)
    return _play_shot(state, event)


def _play_shot(state: State, shot: ShotRecord) -> Step:
    if entered := shot.find_entry():
        state, events = apply(alter(state, mode="manual"), entered)
        return Step(alter(state, mode="auto"), events)
    check_pick_up(state, shot.pick_up)
    step = Step(state)
    if shot.throws:
        step = play_throws(state, shot.throws, shot.end, pick_up=shot.pick_up is not None)
        check_banked(step.events, shot.points)
    elif shot.end == "out":
        # Real dice were thrown, or the shot would not be recorded: ending it does more than pass the dice on.
        step = Step(alter(state, shot=Shot(shot.player, left=state.ruleset.dice, throws=1)))
    if shot.end in ("out", "skip"):
        return apply(step.state, Skip() if shot.end == "skip" else StepOut(shot.player)).preceded_by(*step.events)
    return step


def _check_cancelled(state: State, shot: ShotRecord) -> None:
    """Check a cancelled shot by itself, but not whose turn it was, nor minimums, nor what could be picked up.

    It is no longer known whether its player was on the board, and with which score: where that matters, the shot passes
    if some answer makes it valid. Raises `IllegalMove`.
    """
    refusals = []
    for before in _states_before(state, shot):
        try:
            _play_shot(before, replace(shot, player=0, cancelled=False))
        except IllegalMove as refusal:
            refusals.append(refusal)
        else:
            return
    raise refusals[0]


def _states_before(state: State, shot: ShotRecord) -> Iterator[State]:
    """Yield games of one player in which the shot may have been played."""
    free = _without_minimums(state.ruleset)
    # A last throw depends on minimums, and other rules on whether the player has entered.
    others = () if state.ruleset.is_plain else product((free, state.ruleset), (True, False))
    for ruleset, entered in ((free, True), *others):
        solo = with_player(_solo_game(ruleset, picks_up=shot.pick_up is not None), 0, entered=entered)
        if shot.pick_up is not None:
            solo = alter(solo, offer=Offer(-1, shot.pick_up, _points_picked_up(solo, shot)))
        if ruleset.exact == "no":
            yield solo
            continue
        for points in (_FAR, *_points_lacked(solo, shot)):
            yield alter(solo, target=points)


def _points_lacked(state: State, shot: ShotRecord) -> set[int]:
    """Return how many points the player may have lacked to an exact target, if dice that score were struck.

    Those are as few as what was kept allows, or more if some of the last dice could be kept or if dice were picked up.
    Every number is only tried, so a wrong one does no harm; but they are few, since strangers send files.
    """
    lacked = {shot.points} if shot.points else set()
    try:
        gathered, gained = _points_at_the_end(state, shot)
    except (IllegalMove, ValueError):  # impossible throws, which every try will refuse
        return lacked
    least = state.ruleset.least_value
    extremes = {0, min(gained, default=0), max(gained, default=0)}
    return lacked | {gathered + more + beside for more in extremes for beside in (0, least)}


def _points_at_the_end(state: State, shot: ShotRecord) -> tuple[int, list[int]]:
    """Return the points gathered before the last throw, and what it may have added, whatever the target.

    Raises `IllegalMove` or `ValueError` for impossible throws.
    """
    if not shot.throws:
        return 0, []
    state = alter(state, ruleset=_without_target(state.ruleset))
    state = apply(state, Throw(pick_up=shot.pick_up is not None)).state
    for faces in shot.throws[:-1]:
        state = throw(state, faces.dice).state
        if state.shot and faces.keep is None:  # dice that score were struck
            state = alter(state, shot=alter(state.shot, dice=()))
        state = apply(state, Throw(faces.keep or ())).state
    last, running = shot.throws[-1], state.shot
    if running is None or len(last.dice) != state.to_throw:
        raise IllegalMove("dice", need=state.to_throw)
    running = alter(running, dice=last.dice, throws=running.throws + 1)
    scored = keeps_scored(state, running)
    kept = [keep for keep in scored if last.keep is None or keep.dice == tuple(sorted(last.keep))]
    return running.points, [points_with(running, keep) - running.points for keep in kept]


@lru_cache(maxsize=64)
def _without_target(ruleset: Ruleset) -> Ruleset:
    return replace(ruleset, exact="no")


@lru_cache(maxsize=64)
def _without_minimums(ruleset: Ruleset) -> Ruleset:
    needs: EntryNeed = "singles" if ruleset.entry_needs == "singles" else "any"
    return replace(ruleset, entry_minimum=0, bank_minimum=0, entry_in="shot", entry_needs=needs)


@lru_cache(maxsize=64)
def _solo_game(ruleset: Ruleset, *, picks_up: bool) -> State:
    """Return a game of one player."""
    free = replace(ruleset, min_players=1, first_player="seat_order", pick_up=ruleset.pick_up or picks_up)
    return with_player(new_game(free, [Entry("Solo")]).state, 0, entered=True)


def _points_picked_up(state: State, shot: ShotRecord) -> int:
    """Return points that a cancelled shot could have begun with: what it banked less what its own dice made."""
    if shot.points is None or shot.pick_up is None:
        return 0
    if not shot.throws:
        least = nearest_totals(state.ruleset, 0, shot.pick_up, shot.dice_left, picked_up=True)[1]
        return max(0, shot.points - (least or 0))
    try:
        gathered, gained = _points_at_the_end(alter(state, offer=Offer(-1, shot.pick_up, 0)), shot)
    except (IllegalMove, ValueError):  # impossible throws, which every try will refuse
        return 0
    return max(0, shot.points - gathered - sum(gained))


def _check_result(record: Record, state: State) -> None:
    if record.result is None:
        return
    replayed = result_of(state)
    if record.result.scores != replayed.scores:
        refuse_at("result", gettext_noop("The replay comes to these scores: %(scores)s."), scores=replayed.scores)
    if tuple(sorted(record.result.winners)) != replayed.winners:
        sentence = (
            gettext_noop("The replay has these winners: %(winners)s.")
            if replayed.winners
            else gettext_noop("The replay has no winner.")
        )
        refuse_at("result", sentence, winners=replayed.winners)


def _check_proof(record: Record, state: State) -> None:
    """Refuse a proof without a word per seat and a number per throw, or of a running game: it would reveal the seed."""
    proof = record.proof
    if proof is None:
        return
    if not state.finished:
        refuse_at("proof", gettext_noop("A game that is still running has no proof."))
    throws = [len(event.throws) for event in record.events if isinstance(event, ShotRecord)]
    if len(proof.numbers) != len(record.start or ()) + sum(throws):
        refuse_at("proof", gettext_noop("The proof needs a number for each throw."))
    if len(proof.words) != len(record.players):
        refuse_at("proof", gettext_noop("The proof needs a word for each player."))
