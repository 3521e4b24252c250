"""The draft: a turn with real dice that is not over yet. It is stored in its game as it was entered, without rows.

The rules play the dice that were tapped as if they had been thrown here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from game.models import Game, ThrowRow
from game.rules import Faces, IllegalMove, Manual, State, Throw, apply, dice_left, events, find_keep, points_with, throw
from game.rules.play.known_throws import ENDS_BY_DICE, EndByDice
from game.rules.totals import can_make, nearest_totals, rules_before_bank
from game.storage.columns import find_faces, find_free_columns, pick_columns
from game.storage.reading import load_state

ENTRIES_MOST = 60  # throws, or points added, in one turn


@dataclass(frozen=True)
class Draft:
    """What was entered of a turn so far.

    `sums`: typed points of throws; `throws`: tapped throws, of which the last has no keep while the choice is due, and
    a try that missed has none; `pick_up`: the turn begins with the dice that the player before left.
    """

    sums: tuple[int, ...] = ()
    throws: tuple[Faces, ...] = ()
    pick_up: bool = False

    @property
    def is_full(self) -> bool:
        """Whether the draft has all the entries that one turn may have."""
        return max(len(self.sums), len(self.throws)) >= ENTRIES_MOST

    def to_json(self) -> dict[str, Any]:
        """Return the draft as its game stores it: throws as in a game file, and no key for what was not entered."""
        throws = [{"dice": faces.dice} | ({"keep": faces.keep} if faces.keep else {}) for faces in self.throws]
        data = {"sums": self.sums, "throws": throws, "pick_up": self.pick_up}
        return {name: value for name, value in data.items() if value}

    def with_keep(self, keep: tuple[int, ...]) -> Draft:
        """Return the draft with these dice kept of its last throw, which must exist."""
        return replace(self, throws=(*self.throws[:-1], Faces(self.throws[-1].dice, keep or None)))

    def without_last(self, entry: str) -> Draft:
        """Return the draft without its last entry; a throw loses its keep first. `entry`: 'type' or 'tap'."""
        if entry == "type":
            return replace(self, sums=self.sums[:-1])
        if not self.throws:
            return replace(self, pick_up=False)
        return self.with_keep(()) if self.throws[-1].keep else replace(self, throws=self.throws[:-1])


def draft_from_json(data: dict[str, Any]) -> Draft:
    """Return the draft that a game keeps."""
    throws = (Faces(tuple(faces["dice"]), tuple(faces.get("keep", ())) or None) for faces in data.get("throws", ()))
    return Draft(tuple(data.get("sums", ())), tuple(throws), data.get("pick_up", False))


@dataclass(frozen=True)
class TappedTurn:
    """Where the turn stands. `state`: after the last throw, but before one that ends the turn.

    `lost`: the points lost by that one; None while the turn goes on.
    """

    draft: Draft
    state: State
    throws: tuple[ThrowRow, ...]  # they have no rows in the database
    lost: int | None = None
    end: EndByDice = "bust"

    @property
    def last_throw(self) -> ThrowRow | None:
        """The last throw; None before the first."""
        return self.throws[-1] if self.throws else None

    @property
    def due(self) -> int:
        """How many dice are to be tapped now; 0 if a choice is due or the turn has ended."""
        return self.state.to_throw if self.lost is None else 0

    @property
    def points(self) -> int:
        """The points of the dice kept so far, including points picked up."""
        return self.state.shot.points if self.state.shot else 0


def load_turn(game: Game) -> TappedTurn:
    """Return the turn with real dice that is being entered. It starts over if a new target forbids what was kept."""
    state = load_state(game)
    try:
        return play_draft(state, draft_from_json(game.draft))
    except IllegalMove:
        return play_draft(state, Draft())


def play_draft(state: State, draft: Draft) -> TappedTurn:
    """Return where a turn stands after its tapped throws. Raises `IllegalMove` for what the rules do not allow."""
    state = apply(replace(state, mode="auto"), Throw(pick_up=draft.pick_up)).state
    throws: tuple[ThrowRow, ...] = ()
    for place, faces in enumerate(draft.throws, 1):
        dice = "".join(map(str, faces.dice))
        columns = find_free_columns(throws[-1] if throws else None, len(dice))
        throws = (*throws, ThrowRow(pk=place, order=place, dice=dice, columns=columns))
        fallen = throw(state, faces.dice)
        for event in fallen.events:
            if isinstance(event, events.Bust | events.Over | events.Eliminated):
                return TappedTurn(draft, state, throws, event.lost, ENDS_BY_DICE[type(event)])
        state = fallen.state
        missed = state.shot is not None and not state.shot.dice
        if faces.keep or missed:
            state = keep_and_throw(state, throws[-1], faces.keep or ())
    return TappedTurn(draft, state, throws)


def keep_and_throw(state: State, row: ThrowRow, keep: tuple[int, ...]) -> State:
    """Return the state with the next throw due, and note in the row what was kept. Raises `IllegalMove`."""
    step = apply(state, Throw(keep))
    before, after = state.shot, step.state.shot
    row.kept = "".join(map(str, pick_columns(row.by_column, keep)))
    row.points = (after.points if after else 0) - (before.points if before else 0)
    row.with_aside = any(isinstance(event, events.Kept) and event.with_aside for event in step.events)
    return step.state


def make_manual_move(turn: TappedTurn, chosen: Sequence[int]) -> Manual:
    """Return the move that enters the whole turn: its bust, a bank with these columns kept, or six of a kind that win.

    Raises `IllegalMove` for columns without a die.
    """
    state, shot = turn.state, turn.state.shot
    picked_up = shot.picked_up if shot else None
    if turn.lost is not None:
        return Manual(0, turn.end, picked_up, None, turn.draft.throws)
    dice = find_faces(turn.last_throw, chosen)
    throws = turn.draft.with_keep(dice).throws
    keep = find_keep(state, dice)
    if keep and keep.wins:
        return Manual(0, "win", picked_up, None, throws)
    points = points_with(shot, keep) if shot and keep else 0
    left = dice_left(throws[-1].dice, dice, state.ruleset.dice) if state.ruleset.pick_up else None
    return Manual(points, "bank", picked_up, left, throws)


def sum_typed_points(state: State, draft: Draft) -> int:
    """Return the points of the typed throws, including points picked up; 0 before any was typed."""
    base = state.pick_up[1] if state.pick_up and draft.pick_up else 0
    return base + sum(draft.sums) if draft.sums else 0


def add_points(state: State, draft: Draft, points: int, *, pick_up: bool) -> Draft:
    """Return the draft with the points of one more throw. `pick_up`: the turn begins with the dice left over.

    Raises `IllegalMove` for points that no throws can have made, with the nearest below and above that they can.
    """
    picked_up = bool(state.pick_up and pick_up)
    dice = state.pick_up[0] if state.pick_up and pick_up else state.ruleset.dice
    rules, before = rules_before_bank(state.ruleset), sum(draft.sums)
    if not can_make(rules, before + points, dice, picked_up=picked_up):
        nearest = nearest_totals(rules, before + points, dice, picked_up=picked_up)
        below, above = (near and max(0, near - before) for near in nearest)
        raise IllegalMove("cannot_make", points=points, below=below, above=above)
    return replace(draft, sums=(*draft.sums, points), pick_up=pick_up)
