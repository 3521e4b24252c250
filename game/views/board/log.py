"""The log: the throws of this turn, then the earlier turns and what else happened, newest first."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game import history
from game.models import Change, Shot, Throw
from game.views.board import Log, LogShot, LogThrow, Tray
from game.views.board.facts import Facts
from game.views.board.words import faces, number

TURNS_SHOWN = 5
TURNS_ALL = 500
AT_THE_START = 1  # the place of a game that began with real dice: no news


def log(facts: Facts, dice: Tray | None, everything: bool) -> Log:
    """Two queries. With `everything` as many turns as a page can bear, else the last few.

    `dice`: the tray, whose selection the newest throw shows as kept.
    """
    most = TURNS_ALL if everything else TURNS_SHOWN
    shots = history.latest_shots(facts.game, most + 1)
    since = shots[most - 1].place if len(shots) >= most else 0
    changes = [c for c in history.latest_changes(facts.game, most) if c.place >= since]
    changes = [c for c in changes if c.place > AT_THE_START or c.kind != "mode"]
    entries = sorted([*shots[:most], *changes], key=lambda row: row.place, reverse=True)
    running = facts.shot
    throws = list(running.throws.all()) if running else []
    return Log(
        round=_("round %(n)s") % {"n": facts.state.round},
        throws=tuple(throw_line(i, throw, dice) for i, throw in enumerate(throws, 1)),
        shots=tuple(line(entry) for entry in entries),
        earlier_url=f"{facts.game.get_absolute_url()}?log=all" if len(shots) > most else "",
    )


def throw_line(n: int, throw: Throw, dice: Tray | None) -> LogThrow:
    """A throw of the running turn; the one on the table with what is chosen of it now."""
    kept, points = throw.kept_columns, number(throw.points)
    if not kept and dice and dice.throw_number == throw.pk:
        kept, points = tuple(d.column for d in dice.dice if d.checked), dice.this
    lying = throw.by_column
    said = {"n": n, "dice": faces(throw.faces), "kept": faces(lying[c] for c in kept), "points": points}
    label = _("Throw %(n)s: %(dice)s, kept %(kept)s for %(points)s points") if kept else _("Throw %(n)s: %(dice)s")
    shown = tuple((face, column in kept) for column, face in lying.items())
    return LogThrow(n, shown, points if kept else "", label % said)


def line(entry: Shot | Change) -> LogShot:
    if isinstance(entry, Change):
        player = entry.player
        return LogShot(player.name if player else "", player.seat + 1 if player else 0, change_text(entry))
    player = entry.player
    return LogShot(player.name, player.seat + 1, shot_text(entry), entry.cancelled)


def shot_text(shot: Shot) -> str:
    points = number(shot.points)
    match shot.outcome:
        case Shot.Outcome.BANK if shot.manual:
            return _("banked %(points)s with real dice") % {"points": points}
        case Shot.Outcome.BANK:
            return ngettext("banked %(points)s in %(n)s throw", "banked %(points)s in %(n)s throws", shot.count) % {
                "points": points,
                "n": shot.count,
            }
        case Shot.Outcome.BUST if shot.points:
            return _("bust, lost %(points)s") % {"points": points}
        case Shot.Outcome.BUST:
            return _("bust")
        case Shot.Outcome.WIN:
            return _("six alike: wins at once")
        case Shot.Outcome.OUT:
            return _("stepped out during the turn")
        case Shot.Outcome.SKIP:
            return _("was skipped")
    return ngettext("threw %(n)s time", "threw %(n)s times", shot.count) % {"n": shot.count}


def change_text(change: Change) -> str:
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
    return ""
