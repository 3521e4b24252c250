"""From what the rules say happened to rows: shots, throws, changes and the players' standing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypedDict

from game.rules import Manual, State, events

if TYPE_CHECKING:
    from game.models.tables import Game, Player, Shot, Throw

ALL_COLUMNS = "123456"


class Told(TypedDict, total=False):
    """What an event does not say, because the rules do not care."""

    columns: Sequence[int]  # which of several equal dice were kept
    number: int  # which throw of the sealed dice fell
    manual: Manual  # the entry of real dice that was applied


class Writer:
    """One step on its way into the rows. Reads the players, the running shot and its last throw once each."""

    def __init__(self, game: Game, before: State, after: State, told: Told) -> None:
        self.game, self.before, self.after, self.told = game, before, after, told
        self.players: list[Player] = list(game.players.all())
        self.shot: Shot | None = game.shots.filter(outcome="", cancelled=False).first()
        self.last: Throw | None = self.shot.throws.last() if self.shot else None

    def write(self, happened: Iterable[events.Event]) -> None:
        for event in happened:
            self.write_one(event)
        self.save_players()

    def write_one(self, event: events.Event) -> None:
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
            case events.SteppedOut(player, lost):
                self.stepped_out(player, lost)
            case events.SteppedIn(player):
                self.change("in", player)
            case events.Joined(player):
                self.joined(player)
            case events.Renamed(player, name):
                before = self.players[player].name
                self.change("rename", player, name=name, before=before)
            case events.TargetSet(value):
                self.change("target", None, value=value)
            case events.Handed(player, level):
                self.change("hand", player, level=level)
            case events.ModeSet(mode):
                self.change("mode", None, value=mode)

    # ── shots ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def begin(self, player: int, **more: object) -> Shot:
        if self.shot is None:
            self.game.place += 1
            self.shot = self.game.shots.create(
                player=self.players[player], place=self.game.place, round=self.before.round, **more
            )
        return self.shot

    def threw(self, player: int, dice: tuple[int, ...]) -> None:
        shot = self.begin(player)
        columns = self.columns_for(len(dice))
        shot.count += 1
        shot.save(update_fields=["count"])
        self.last = self.game.throws.create(
            shot=shot,
            order=shot.count,
            number=self.told.get("number"),
            dice="".join(map(str, dice)),
            columns=columns,
        )

    def columns_for(self, count: int) -> str:
        """Dice thrown again fall into the places that the kept ones left; a die never changes its column."""
        before = self.last
        if before is None and self.shot and self.shot.picked_up:
            before = self.left_lying()
        free = [c for c in before.columns if c not in before.kept] if before else []
        return "".join(free) if len(free) == count else ALL_COLUMNS[:count]

    def left_lying(self) -> Throw | None:
        """The last throw of the turn before: its dice are the ones that were picked up."""
        done = self.game.shots.exclude(outcome="").filter(cancelled=False).last()
        return done.throws.last() if done else None

    def kept(self, event: events.Kept) -> None:
        assert self.last is not None  # dice can be kept only from a throw
        columns = self.told.get("columns") or leftmost(self.last, event.dice)
        self.last.kept = "".join(map(str, sorted(columns)))
        self.last.points = event.points
        self.last.with_aside = event.with_aside
        self.last.save(update_fields=["kept", "points", "with_aside"])

    def end(self, player: int, outcome: str, points: int) -> None:
        shot = self.begin(player)
        shot.outcome, shot.points = outcome, points
        shot.score = self.after.players[player].score
        if manual := self.told.get("manual"):
            shot.manual, shot.picked_up, shot.dice_left = True, manual.pick_up, manual.dice_left
        shot.save()
        self.shot = self.last = None

    def by_six_alike(self) -> bool:
        """A game that a bank ended has no running shot any more; one that six alike ended still has."""
        manual = self.told.get("manual")
        return manual.end == "win" if manual else self.shot is not None

    def stepped_out(self, player: int, lost: int) -> None:
        """In the middle of a shot it ends the shot; otherwise it is a change of its own."""
        if self.shot and self.shot.player == self.players[player]:
            self.end(player, "out", lost)
        else:
            self.change("out", player)

    # ── the rest ────────────────────────────────────────────────────────────────────────────────────────────────────

    def start_thrown(self, faces: Sequence[int | None]) -> None:
        """A round of throwing for the first player: one throw of as many dice as take part, seat order."""
        self.game.throws.create(
            number=self.told.get("number"), dice="".join(str(face) for face in faces if face), columns=""
        )

    def joined(self, seat: int) -> None:
        entry = self.after.players[seat]
        self.players.append(
            self.game.players.create(
                seat=seat, name=entry.name, level=entry.level or "", visitor_id=self.game.host_id
            )
        )
        self.change("join", seat, name=entry.name, level=entry.level)

    def change(self, kind: str, player: int | None, **data: object) -> None:
        """A change stands before the shot during which it was made, as in the game file."""
        self.game.place += 1
        place = self.game.place
        if self.shot:
            place = self.shot.place
            self.shot.place = self.game.place
            self.shot.save(update_fields=["place"])
        who = self.players[player] if player is not None else None
        self.game.changes.create(place=place, kind=kind, player=who, data=data)

    def save_players(self) -> None:
        """Score, entered, playing, name and level repeat the state; only rows that differ are written."""
        for row, player in zip(self.players, self.after.players, strict=True):
            now = {
                "name": player.name,
                "level": player.level or "",
                "score": player.score,
                "entered": player.entered,
                "active": player.active,
                "won": row.seat in self.after.winners,
            }
            changed = [name for name, value in now.items() if getattr(row, name) != value]
            for name in changed:
                setattr(row, name, now[name])
            if changed:
                row.save(update_fields=changed)


def leftmost(throw: Throw, faces: Iterable[int]) -> list[int]:
    """Columns for a keep where nobody said which of several equal dice: the leftmost ones."""
    wanted = Counter(faces)
    columns = []
    for column, face in throw.by_column.items():
        if wanted[face]:
            wanted[face] -= 1
            columns.append(column)
    return columns
