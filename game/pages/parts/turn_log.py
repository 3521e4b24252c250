"""The log: the throws of this turn; and the earlier turns with what else happened, newest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game import history
from game.history.replay import Turn, first_steps
from game.models import ChangeRow, ShotRow, ThrowRow
from game.pages.parts.components import EarlierTurns, ThrowEntry, Tray, TurnEntry, TurnLog
from game.pages.parts.text import faces, number
from game.pages.parts.view_of_game import TURNS_SHOWN, Facts
from game.rules import dice_left

TURNS_ALL = 500


def log(facts: Facts, dice: Tray | None) -> TurnLog:
    """`dice`: the tray, whose selection the newest throw shows as kept."""
    return TurnLog(
        round=_("round %(n)s") % {"n": facts.state.round},
        throws=tuple(throw_line(i, throw, dice) for i, throw in enumerate(facts.throws, 1)),
    )


def earlier(facts: Facts, everything: bool) -> EarlierTurns:
    """At most three queries. With `everything` as many turns as a page can bear, else the last few."""
    most = TURNS_ALL if everything else TURNS_SHOWN
    shots = history.latest_shots(facts.game, most + 1) if everything else facts.latest
    since = shots[most - 1].place if len(shots) >= most else 0
    changes = history.latest_changes(facts.game, most) if everything else facts.changes
    changes = [c for c in changes if c.place >= since]
    changes = [c for c in changes if not c.data.get("start")]  # that it began with real dice is no news
    entries = sorted([*shots[:most], *changes], key=lambda row: row.place, reverse=True)
    over = {turn.pk: turn.first for turn in facts.turns} if facts.over else None
    firsts = over or first_steps(facts.game, shots[:most])
    addresses = {shot: f"{facts.addresses}?at={step}" for shot, step in firsts.items()}
    left = left_by_computers(shots[:most]) if facts.hints == "coach" else {}
    return EarlierTurns(
        shots=tuple(line(entry, addresses, left) for entry in entries),
        more=f"{facts.addresses}?log=all" if len(shots) > most else "",
    )


def throw_line(n: int, throw: ThrowRow, dice: Tray | None = None, *, told: bool = True) -> ThrowEntry:
    """A throw of a turn; the one on the table with what is chosen of it now. `told`: what was kept may be seen."""
    kept, points = throw.kept_columns if told else (), number(throw.points)
    if not kept and dice and dice.throw_number == throw.pk:
        kept, points = tuple(d.column for d in dice.dice if d.checked), dice.this
    lying = throw.by_column
    said = {"n": n, "dice": faces(throw.faces), "kept": faces(lying[c] for c in kept), "points": points}
    label = _("Throw %(n)s: %(dice)s, kept %(kept)s for %(points)s points") if kept else _("Throw %(n)s: %(dice)s")
    shown = tuple((face, column in kept) for column, face in lying.items())
    return ThrowEntry(n, shown, points if kept else "", label % said)


def left_by_computers(shots: Sequence[ShotRow]) -> dict[int, int]:
    """With how many dice left computers banked, by the row of the turn; six where all had scored. One query."""
    banked = [s for s in shots if s.outcome == ShotRow.Outcome.BANK and s.player.level and not s.manual]
    prefetch_related_objects(banked, "throws")
    last = {shot.pk: list(shot.throws.all())[-1] for shot in banked}
    return {pk: dice_left(throw.dice, throw.kept) for pk, throw in last.items()}


def line(entry: ShotRow | ChangeRow, addresses: Mapping[int, str], left: Mapping[int, int]) -> TurnEntry:
    """`addresses`: where each turn is replayed, by its row; `left`: dice left at banks of which the reason is told."""
    if isinstance(entry, ChangeRow):
        player = entry.player
        return TurnEntry(player.name if player else "", player.seat + 1 if player else 0, change_text(entry))
    player = entry.player
    text = bank_of_a_computer(entry, left[entry.pk]) if entry.pk in left else shot_text(entry)
    return TurnEntry(player.name, player.seat + 1, text, entry.cancelled, addresses.get(entry.pk, ""))


def bank_of_a_computer(shot: ShotRow, left: int) -> str:
    """What the coach tells of it: what it had, and what it did not dare to throw."""
    return ngettext("banks at %(points)s with %(n)s die", "banks at %(points)s with %(n)s dice", left) % {
        "points": number(shot.points),
        "n": left,
    }


def shot_text(shot: ShotRow | Turn) -> str:
    points = number(shot.points)
    match shot.outcome:
        case ShotRow.Outcome.BANK if shot.manual:
            return _("banked %(points)s with real dice") % {"points": points}
        case ShotRow.Outcome.BANK:
            return ngettext("banked %(points)s in %(n)s throw", "banked %(points)s in %(n)s throws", shot.count) % {
                "points": points,
                "n": shot.count,
            }
        case ShotRow.Outcome.BUST if shot.points:
            return _("went bust and lost %(points)s") % {"points": points}
        case ShotRow.Outcome.BUST:
            return _("went bust")
        case ShotRow.Outcome.WIN:
            return _("won at once with six alike")
        case ShotRow.Outcome.OUT:
            return _("stepped out during the turn")
        case ShotRow.Outcome.SKIP:
            return _("was skipped")
    return ngettext("threw %(n)s time", "threw %(n)s times", shot.count) % {"n": shot.count}


def change_text(change: ChangeRow) -> str:
    data = change.data
    match change.kind:
        case "target":
            return _("The target is now %(n)s.") % {"n": number(data["value"])}
        case "rename":
            return _("was called %(name)s before") % {"name": data["before"]}
        case "join":
            return _("joined the game")
        case "out":
            return _("stepped out")
        case "in":
            return _("stepped in again")
        case "hand" if data.get("level"):
            return _("is played by the computer")
        case "hand":
            return _("is played by a person again")
        case "mode" if data["value"] == "manual":
            return _("Real dice from the next turn on.")
        case "mode":
            return _("Dice on screen from the next turn on.")
        case _:
            return table_text(change)


def table_text(change: ChangeRow) -> str:
    """What the host did, and what people on several devices settled with each other."""
    data = change.data
    match change.kind:
        case "host":
            return _("is the host now")
        case "links":
            return _("There is a new invite.")
        case "watching" if data["value"]:
            return _("Others may watch.")
        case "watching":
            return _("Only the players see this game.")
        case "moved":
            return _("goes on on another device")
        case "removed" if data.get("left"):
            return _("%(name)s left before the start.") % {"name": data["name"]}
        case "removed":
            return _("%(name)s was removed before the start.") % {"name": data["name"]}
        case "refused":
            return _("refused to take a turn back")
        case "expired":
            return _("asked to take a turn back, but the next dice came first")
    return ""


def name_mark(mark: str) -> str:
    """Return a review's mark as a word; empty for none."""
    words = {"?!": _("inaccuracy"), "?": _("mistake"), "??": _("blunder"), "!": _("sharp")}
    return words.get(mark, "")
