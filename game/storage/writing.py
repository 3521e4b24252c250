"""From the rules' events to rows: shots, throws, changes, and the copies of the state in players' rows."""

from collections.abc import Sequence
from typing import TypedDict, Unpack

from django.db.models import Model

from game.models import ChangeRow, Checkpoint, Game, Player, ShotRow, ThrowRow
from game.models.compiled import insert_row, update_row
from game.rules import STATE_FORMAT, Manual, State, Step, events, state_to_json
from game.rules.play.known_throws import ENDS_BY_DICE
from game.storage import sums
from game.storage.columns import find_free_columns, pick_columns
from game.storage.reading import load_state

BATCH = 500
# What a move may change in a game's own row.
MOVE_FIELDS = [
    "status", "dice_version", "turn_version", "dice_changed_at", "asking", "state_format", "state_data", "place",
    "epoch", "thrown", "draft", "undone", "touched",
]  # fmt: skip
FIELDS_AFTER_THE_END = [name for name in MOVE_FIELDS if name != "touched"]

# In the order in which new rows are saved: a throw needs its shot's primary key, a change its player's.
TABLES: tuple[type[Model], ...] = (Player, ShotRow, ThrowRow, ChangeRow, Checkpoint)


class EventContext(TypedDict, total=False):
    """What an event does not say, because it does not matter to the rules."""

    columns: Sequence[int]  # which of several equal dice were kept
    number: int  # which throw of the sealed dice fell
    manual: Manual | None  # the entry of real dice that was applied
    visitor: int  # who joins, if it is not the host who adds a player


def record_step(game: Game, step: Step, **context: Unpack[EventContext]) -> None:
    """Store what happened as rows, and the state after it; at the end of the game also the sums of its turns.

    Call it within the transaction that has bumped the game's version.
    """
    before = load_state(game)
    writer = Writer(game)
    writer.note(before, step, **context)
    writer.save()
    if step.state.shots != before.shots:
        game.turn_version = game.version
    keep_state(game, step.state)
    if step.state.finished:
        sums.add_up(game)


def keep_state(game: Game, state: State) -> None:
    """Store the state with the game, and the status that follows from it. Drops the draft unless its turn goes on."""
    before, was_over = game.known_state, game.is_over
    if before is None or not state.by_hand or (before.shots, before.player) != (state.shots, state.player):
        game.draft = {}
    game.known_state = state
    game.state_data = state_to_json(state)
    game.state_format = STATE_FORMAT
    if state.finished:
        game.status = Game.Status.FINISHED
    elif game.status != Game.Status.ABANDONED:  # its seed has been revealed, so it cannot be continued
        game.status = Game.Status.RUNNING
    # A new name after the end is no move, so `touched` still says when the game ended.
    update_row(game, FIELDS_AFTER_THE_END if was_over and game.is_over else MOVE_FIELDS)


def list_player_fields(state: State, seat: int) -> dict[str, object]:
    """Return the copy of the state in a player's row, for lists that must not read the state."""
    player = state.players[seat]
    return {
        "name": player.name,
        "level": player.level or "",
        "score": player.score,
        "entered": player.entered,
        "active": player.active,
        "won": seat in state.winners,
    }


def update_players(game: Game, state: State) -> list[tuple[Player, list[str]]]:
    """Copy the state to the players' rows. Return those that have changed, and the names of the fields to be saved."""
    changes = []
    for row in game.seats:
        now = list_player_fields(state, row.seat)
        if names := [name for name, value in now.items() if getattr(row, name) != value]:
            vars(row).update(now)
            changes.append((row, names))
    return changes


class Writer:
    """Collects the rows of steps, noted one after the other, and saves them all at once.

    A move notes one step, a game file one per event; both cost the same few queries.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.throws: list[ThrowRow] = list(game.running_throws)
        self.shot: ShotRow | None = self.last_throw.shot if self.last_throw else None
        self.ended: ShotRow | None = None  # the last turn that ended
        self.changed: dict[int, tuple[ShotRow | ThrowRow | Player, set[str]]] = {}
        self.new: list[Model] = []  # rows still to be created
        self.left: ThrowRow | None = None  # the last throw of the turn before, whose dice can be picked up

    @property
    def last_throw(self) -> ThrowRow | None:
        """The last throw of the running shot; None before the first."""
        return self.throws[-1] if self.throws else None

    def note(self, before: State, step: Step, **context: Unpack[EventContext]) -> None:
        """Note the rows of one step, which began from the state `before`."""
        self.before, self.after, self.context = before, step.state, context
        for event in step.events:
            self.note_event(event)
        self.note_players()
        if step.state.shots != before.shots and step.state.shots % Checkpoint.TURNS == 0:
            data = state_to_json(step.state)
            place = self.game.place  # the last one that was given
            self.new.append(Checkpoint(game=self.game, place=place, state_format=STATE_FORMAT, state_data=data))

    def note_event(self, event: events.Event) -> None:
        """Note what an event of the dice means for shots and throws; note any other as a change."""
        match event:
            case events.StartThrown(faces):
                fallen = "".join(str(face) for face in faces if face)
                self.new.append(ThrowRow(game=self.game, number=self.context.get("number"), dice=fallen))
            case events.PickedUp(player, dice):
                self.begin_shot(player, picked_up=dice)
            case events.Threw(player, dice):
                self.add_throw(player, dice)
            case events.Kept():
                self.set_kept(event)
            case events.Bust(player, lost) | events.Over(player, lost) | events.Eliminated(player, lost):
                self.end_shot(player, ENDS_BY_DICE[type(event)], lost)
            case events.Cost(_player, points) | events.Penalty(_player, points):
                assert self.ended is not None  # the bust that costs points comes first
                self.ended.cost += points
                self.mark_changed(self.ended, "cost")
            case events.ThrownAgain(_player, points):
                assert self.last_throw is not None  # it has just fallen
                self.last_throw.points = points
                self.mark_changed(self.last_throw, "points")
            case events.Banked(player, points):
                self.end_shot(player, "bank", points)
            case events.Won(winners, True) if self.is_won_at_once():
                self.end_shot(winners[0], "win", 0)
            case events.Won() if self.shot:
                self.cancel_shot()
            case events.Skipped(player, lost):
                self.end_shot(player, "skip", lost)
            case _:
                self.note_change(event)

    def note_change(self, event: events.Event) -> None:
        """Note a change apart from the dice. An event without a row of its own is skipped."""
        seats = self.game.seats
        match event:
            case events.SteppedOut(player, lost):
                self.step_out(player, lost)
            case events.SteppedIn(player):
                self.add_change("in", player)
            case events.Joined(player):
                self.add_player(player)
            case events.Renamed(player, name):
                was = seats[player]
                self.add_change("rename", player, name=name, before=was.name, level_before=was.level)
            case events.TargetSet(value):
                self.add_change("target", None, value=value)
            case events.Handed(player, level):
                self.add_change("hand", player, level=level, level_before=seats[player].level)
            case events.ModeSet(mode):
                self.add_change("mode", None, value=mode)

    def begin_shot(self, player: int, picked_up: int | None = None) -> ShotRow:
        """Return the running shot, which begins now if there is none."""
        if self.shot is None:
            self.shot = ShotRow(
                game=self.game,
                player=self.game.seats[player],
                place=self.next_place(),
                round=self.before.round,
                picked_up=picked_up,
            )
            self.new.append(self.shot)
        return self.shot

    def next_place(self) -> int:
        """Return the next place in the order that shots and changes share."""
        self.game.place += 1
        return self.game.place

    def add_throw(self, player: int, dice: tuple[int, ...]) -> None:
        """Note a throw of the running shot, or one that begins a shot."""
        shot = self.begin_shot(player)
        before = self.left_lying() if self.last_throw is None and shot.picked_up else self.last_throw
        shot.count += 1
        throw = ThrowRow(
            game=self.game,
            shot=shot,
            order=shot.count,
            number=self.context.get("number"),
            dice="".join(map(str, dice)),
            columns=find_free_columns(before, len(dice)),
        )
        self.mark_changed(shot, "count")
        self.new.append(throw)
        self.throws.append(throw)

    def left_lying(self) -> ThrowRow | None:
        """Return the last throw of the turn before, whose dice are picked up."""
        if self.left:
            return self.left
        finished = self.game.throws.filter(cancelled=False, shot__isnull=False).exclude(shot__outcome="")
        return finished.last()

    def set_kept(self, event: events.Kept) -> None:
        """Note which dice of the last throw are kept, in the columns named or the leftmost that fit."""
        assert self.last_throw is not None  # only dice of a throw can be kept
        columns = self.context.get("columns") or pick_columns(self.last_throw.by_column, event.dice)
        self.last_throw.kept = "".join(map(str, sorted(columns)))
        self.last_throw.points = event.points
        self.last_throw.with_aside = event.with_aside
        self.mark_changed(self.last_throw, "kept", "points", "with_aside")

    def end_shot(self, player: int, outcome: str, points: int) -> None:
        """Note how the running shot ended, with its points banked or lost."""
        shot = self.begin_shot(player)
        shot.outcome, shot.points = outcome, points
        shot.score = self.after.players[player].score
        self.mark_changed(shot, "outcome", "points", "score")
        if manual := self.context.get("manual"):
            shot.manual, shot.picked_up, shot.dice_left = True, manual.pick_up, manual.dice_left
            shot.lost, shot.nothing = manual.lost, manual.nothing
            self.mark_changed(shot, "manual", "picked_up", "dice_left", "lost", "nothing")
        self.ended, self.left, self.shot, self.throws = shot, self.last_throw, None, []

    def cancel_shot(self) -> None:
        """Cancel the running shot: its player won in the middle of it, when the other one of a tie stepped out."""
        assert self.shot is not None
        numbers = [throw.number for throw in self.throws if throw.number is not None]
        self.game.thrown = min(numbers, default=self.game.thrown + 1) - 1
        rows: list[ShotRow | ThrowRow] = [self.shot, *self.throws]
        for row in rows:
            row.cancelled = True
            self.mark_changed(row, "cancelled")
        self.shot, self.throws = None, []

    def is_won_at_once(self) -> bool:
        """Return whether the dice won. After a bank or an elimination there is no running shot any more."""
        manual = self.context.get("manual")
        return manual.end == "win" if manual else self.shot is not None

    def step_out(self, player: int, lost: int) -> None:
        """Note that a player stepped out. It ends the player's running shot; without one it is a change of its own.

        A game file may hold a turn with real dice that ended so, without its throws: that is a shot, too.
        """
        if self.context.get("manual") or (self.shot and self.shot.player.seat == player):
            self.end_shot(player, "out", lost)
        else:
            self.add_change("out", player)

    def add_player(self, seat: int) -> None:
        """Note a player who joined: a visitor by an invite, else on the host's device."""
        player, holder = self.after.players[seat], self.context.get("visitor", self.game.host_id)
        row = Player(game=self.game, seat=seat, name=player.name, level=player.level or "", visitor_id=holder)
        self.game.seats.append(row)
        self.new.append(row)
        self.add_change("join", seat, name=player.name, level=player.level)

    def add_change(self, kind: str, player: int | None, **data: object) -> None:
        """Note a change. Its place is before the shot during which it was made, as in the game file."""
        place = self.next_place()
        if self.shot:
            place, self.shot.place = self.shot.place, place
            self.mark_changed(self.shot, "place")
        row = self.game.seats[player] if player is not None else None
        data["version"] = self.game.version
        self.new.append(ChangeRow(game=self.game, place=place, kind=kind, player=row, data=data))

    def note_players(self) -> None:
        """Copy the state after the step to the players' rows."""
        for row, names in update_players(self.game, self.after):
            self.mark_changed(row, *names)

    def mark_changed(self, row: ShotRow | ThrowRow | Player, *names: str) -> None:
        """Schedule fields of a row to be saved. Name only changed ones: writing an indexed one updates its indexes."""
        if row.pk:  # a row still to be created is saved in its final form
            self.changed.setdefault(id(row), (row, set()))[1].update(names)

    def save(self) -> None:
        """Write what was noted, in a few queries, however much it is."""
        for row, names in self.changed.values():
            update_row(row, sorted(names))
        for table in TABLES:
            rows = [row for row in self.new if isinstance(row, table)]
            if len(rows) == 1:
                insert_row(rows[0])
            elif rows:
                table._default_manager.bulk_create(rows, batch_size=BATCH)
        self.game.running_throws = tuple(self.throws)
