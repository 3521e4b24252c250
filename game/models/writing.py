"""From what the rules say happened to rows: shots, throws, changes and the players' standing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

from game.models.shots import ChangeRow, ShotRow, ThrowRow, columns_after, columns_of
from game.rules import Manual, State, Step, events

if TYPE_CHECKING:
    from game.models.games import Game, Player

BATCH = 500


class Told(TypedDict, total=False):
    """What an event does not say, because the rules do not care."""

    columns: Sequence[int]  # which of several equal dice were kept
    number: int  # which throw of the sealed dice fell
    manual: Manual | None  # the entry of real dice that was applied


class Writer:
    """Steps on their way into the rows: noted one after the other, then saved all at once.

    A move notes one step, a game file as many as it has events; both cost the same few queries.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.last: ThrowRow | None = game.last_throw
        self.shot: ShotRow | None = self.last.shot if self.last else None
        self.changed: dict[int, ShotRow | ThrowRow | Player] = {}
        self.new: dict[type[ShotRow | ThrowRow | ChangeRow | Player], list[ShotRow | ThrowRow | ChangeRow | Player]] = {
            game.players.model: [],
            ShotRow: [],
            ThrowRow: [],
            ChangeRow: [],
        }
        self.left: ThrowRow | None = None  # the last throw of the turn before: what can be picked up lies there

    # ── noting ──

    def note(self, before: State, step: Step, **told: Unpack[Told]) -> None:
        self.before, self.after, self.told = before, step.state, told
        for event in step.events:
            self.note_one(event)
        self.note_players()

    def note_one(self, event: events.Event) -> None:
        match event:
            case events.StartThrown(faces):
                self.start_thrown(faces)
            case events.PickedUp(player, dice):
                self.begin(player, picked_up=dice)
            case events.Threw(player, dice):
                self.threw(player, dice)
            case events.Kept():
                self.kept(event)
            case events.Bust(player, lost):
                self.end(player, "bust", lost)
            case events.Banked(player, points):
                self.end(player, "bank", points)
            case events.Won(winners) if self.by_six_alike():
                self.end(winners[0], "win", 0)
            case events.Skipped(player, lost):
                self.end(player, "skip", lost)
            case _:
                self.note_change(event)

    def note_change(self, event: events.Event) -> None:
        seats = self.game.seats
        match event:
            case events.SteppedOut(player, lost):
                self.stepped_out(player, lost)
            case events.SteppedIn(player):
                self.change("in", player)
            case events.Joined(player):
                self.joined(player)
            case events.Renamed(player, name):
                self.change("rename", player, name=name, before=seats[player].name, level_before=seats[player].level)
            case events.TargetSet(value):
                self.change("target", None, value=value)
            case events.Handed(player, level):
                self.change("hand", player, level=level, level_before=seats[player].level)
            case events.ModeSet(mode):
                self.change("mode", None, value=mode)

    def begin(self, player: int, picked_up: int | None = None) -> ShotRow:
        if self.shot is None:
            self.shot = ShotRow(
                game=self.game,
                player=self.game.seats[player],
                place=self.next_place(),
                round=self.before.round,
                picked_up=picked_up,
            )
            self.create(self.shot)
        return self.shot

    def next_place(self) -> int:
        self.game.place += 1
        return self.game.place

    def threw(self, player: int, dice: tuple[int, ...]) -> None:
        shot = self.begin(player)
        before = self.left_lying() if self.last is None and shot.picked_up else self.last
        shot.count += 1
        self.last = ThrowRow(
            game=self.game,
            shot=shot,
            order=shot.count,
            number=self.told.get("number"),
            dice="".join(map(str, dice)),
            columns=columns_after(before, len(dice)),
        )
        self.change_row(shot)
        self.create(self.last)

    def left_lying(self) -> ThrowRow | None:
        """The last throw of the turn before, whose dice are picked up."""
        if self.left:
            return self.left
        done = self.game.throws.filter(cancelled=False, shot__isnull=False).exclude(shot__outcome="")
        return done.last()

    def kept(self, event: events.Kept) -> None:
        assert self.last is not None  # dice can be kept only from a throw
        columns = self.told.get("columns") or columns_of(self.last.by_column, event.dice)
        self.last.kept = "".join(map(str, sorted(columns)))
        self.last.points = event.points
        self.last.with_aside = event.with_aside
        self.change_row(self.last)

    def end(self, player: int, outcome: str, points: int) -> None:
        shot = self.begin(player)
        shot.outcome, shot.points = outcome, points
        shot.score = self.after.players[player].score
        if manual := self.told.get("manual"):
            shot.manual, shot.picked_up, shot.dice_left = True, manual.pick_up, manual.dice_left
        self.change_row(shot)
        self.left, self.shot, self.last = self.last, None, None

    def by_six_alike(self) -> bool:
        """A game that a bank ended has no running shot any more; one that six alike ended still has."""
        manual = self.told.get("manual")
        return manual.end == "win" if manual else self.shot is not None

    def stepped_out(self, player: int, lost: int) -> None:
        """In the middle of a shot it ends the shot; otherwise it is a change of its own."""
        if self.shot and self.shot.player.seat == player:
            self.end(player, "out", lost)
        else:
            self.change("out", player)

    def start_thrown(self, faces: Sequence[int | None]) -> None:
        """A round of throwing for the first player: one throw of as many dice as take part, seat order."""
        fallen = "".join(str(face) for face in faces if face)
        self.create(ThrowRow(game=self.game, number=self.told.get("number"), dice=fallen))

    def joined(self, seat: int) -> None:
        entry = self.after.players[seat]
        level = entry.level or ""
        row = self.game.players.model(
            game=self.game, seat=seat, name=entry.name, level=level, visitor_id=self.game.host_id
        )
        self.game.seats.append(row)
        self.create(row)
        self.change("join", seat, name=entry.name, level=entry.level)

    def change(self, kind: str, player: int | None, **data: object) -> None:
        """A change stands before the shot during which it was made, as in the game file."""
        place = self.next_place()
        if self.shot:
            place, self.shot.place = self.shot.place, place
            self.change_row(self.shot)
        who = self.game.seats[player] if player is not None else None
        self.create(ChangeRow(game=self.game, place=place, kind=kind, player=who, data=data))

    def note_players(self) -> None:
        """Score, entered, playing, name and level repeat the state."""
        for row, player in zip(self.game.seats, self.after.players, strict=True):
            now = {
                "name": player.name,
                "level": player.level or "",
                "score": player.score,
                "entered": player.entered,
                "active": player.active,
                "won": row.seat in self.after.winners,
            }
            if any(getattr(row, name) != value for name, value in now.items()):
                vars(row).update(now)
                self.change_row(row)

    # ── saving ──

    def create(self, row: ShotRow | ThrowRow | ChangeRow | Player) -> None:
        self.new[type(row)].append(row)

    def change_row(self, row: ShotRow | ThrowRow | Player) -> None:
        if row.pk:
            self.changed[id(row)] = row

    def save(self) -> None:
        for row in self.changed.values():
            row.save()
        for table, rows in self.new.items():
            if rows:
                table._default_manager.bulk_create(rows, batch_size=BATCH)
        self.game.last_throw = self.last
