"""The log: the throws of the running turn; and the earlier turns, with other changes between them, newest first."""

from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile

from django.db.models import prefetch_related_objects
from markupsafe import Markup

from game import history
from game.history.replay import Turn, find_first_steps, find_first_steps_before
from game.models import ChangeRow, ShotRow, ThrowRow
from game.pages.parts.components import ThrowEntry, Tray, TurnEntry
from game.pages.parts.event_sentences import describe_table_event
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_amount, format_dice, join_names, number
from game.pages.parts.view_of_game import ViewerGame
from game.rules import Ruleset, dice_left, events
from game.rules.play.banking import falls_short
from game.storage.reading import find_start_values

MARKS = ("??", "?", "?!", "!", "")  # of a review's decisions, the worst first


def build_turn_log(throws: Iterable[ThrowRow], tray: Tray | None) -> tuple[ThrowEntry, ...]:
    """Return the throws of the running turn; in the newest, the dice chosen in the tray count as kept."""
    return tuple(build_throw_entry(i, throw, tray) for i, throw in enumerate(throws, 1))


def build_earlier_turns(game: ViewerGame) -> tuple[tuple[TurnEntry, ...], bool]:
    """Return the last few turns and changes, newest first, and whether there are more.

    At most three queries, apart from those for `game.latest` and `game.changes`.
    """
    most, latest = game.turns_most, game.latest
    shots, oldest = latest[:most], latest[most - 1].place if len(latest) >= most else 0
    firsts = find_first_steps_before(game.end.steps, latest) if game.is_over else find_first_steps(game.row, shots)
    changes = game.changes
    if shots and len(changes) == most and changes[-1].place > shots[-1].place:  # turns may be older than all of them
        changes = history.list_changes_after(game.row, shots[-1].place)
    by_computer = find_computers_turns(shots, changes)
    left = count_dice_left(shots, by_computer, game.state.ruleset.dice) if game.hints == "coach" else {}
    entries = [
        (
            shot.place,
            TurnEntry(
                shot.player.seat + 1,
                describe_turn(shot, shot.player.name, left.get(shot.pk), yours=shot.player.seat in game.called_you),
                shot.cancelled,
                f"{game.url}?at={firsts[shot.pk]}" if shot.pk in firsts else "",
                "computer" if shot.pk in by_computer else "here",
            ),
        )
        for shot in shots
    ]
    for change in game.changes:
        if change.place >= oldest and not change.data.get("start"):  # a start with real dice is not worth a line
            entries.append((change.place, TurnEntry(0, describe_change(change))))
    entries.sort(key=lambda entry: entry[0], reverse=True)
    return tuple(entry for _place, entry in entries), len(latest) > most


def build_throw_entry(n: int, throw: ThrowRow, tray: Tray | None = None, *, shows_kept: bool = True) -> ThrowEntry:
    """Return the entry of a turn's `n`th throw; if it is the one in the tray, with the dice chosen now."""
    kept, points = throw.kept_columns if shows_kept else (), number(throw.points)
    if not kept and tray and tray.throw_number == throw.pk:
        kept, points = tuple(die.column for die in tray.dice if die.checked), tray.this
    lying = throw.by_column
    values = {
        "n": n,
        "dice": format_dice(throw.faces),
        "kept": format_dice(lying[column] for column in kept),
        "points": points,
    }
    chosen = tray.choices[tray.chosen].spoken if tray and tray.choices and tray.throw_number == throw.pk else ""
    is_kept = kept and not chosen
    label = _("Throw %(n)s: %(dice)s, kept %(kept)s for %(points)s points") if is_kept else _("Throw %(n)s: %(dice)s")
    shown = tuple((face, column in kept) for column, face in lying.items())
    return ThrowEntry(n, shown, points if kept else "", label % values, chosen)


def find_computers_turns(shots: Sequence[ShotRow], changes: Sequence[ChangeRow]) -> set[int]:
    """Return the keys of the turns that a computer played, whoever plays its seat now.

    `changes`: all since the oldest of these turns, newest first.
    """
    return {
        shot.pk
        for shot in shots
        if find_start_values(
            shot.player_id,
            shot.player.name,
            shot.player.level,
            (change for change in reversed(changes) if change.place > shot.place),
        )[1]
    }


def count_dice_left(shots: Sequence[ShotRow], by_computer: Collection[int], all_dice: int) -> dict[int, int]:
    """Return how many dice computers had left when they banked, by key of the turn; all after a sweep. One query.

    `by_computer`: the keys of the turns that computers played.
    """
    banked = [s for s in shots if s.outcome == ShotRow.Outcome.BANK and s.pk in by_computer and not s.manual]
    prefetch_related_objects(banked, "throws")
    last = {shot.pk: list(shot.throws.all())[-1] for shot in banked}
    return {pk: dice_left(throw.dice, throw.kept, all_dice) for pk, throw in last.items()}


def describe_turn(shot: ShotRow | Turn, name: str, left: int | None = None, *, yours: bool = False) -> Markup:
    """Return the outcome of a turn, with its player's name marked up.

    `left`: how many dice a computer left when it banked, if the coach is on; `yours`: the turn is that of the only
    person who plays, who needs no name.
    """
    n = shot.count if left is None else left
    match shot.outcome:
        case ShotRow.Outcome.BANK if left is not None:
            text = ngettext(
                "%(name)s banked %(points)s with %(n)s die left", "%(name)s banked %(points)s with %(n)s dice left", n
            )
        case ShotRow.Outcome.BANK if shot.manual and yours:
            text = _("You banked %(points)s")
        case ShotRow.Outcome.BANK if shot.manual:
            text = _("%(name)s banked %(points)s")
        case ShotRow.Outcome.BANK if yours:
            text = ngettext("You banked %(points)s in %(n)s throw", "You banked %(points)s in %(n)s throws", n)
        case ShotRow.Outcome.BANK:
            text = ngettext(
                "%(name)s banked %(points)s in %(n)s throw", "%(name)s banked %(points)s in %(n)s throws", n
            )
        case ShotRow.Outcome.BUST:
            text = choose_bust_sentence(has_lost_points(shot), bool(shot.cost), yours)
        case ShotRow.Outcome.WIN:
            text = _("You won at once") if yours else _("%(name)s won at once")
        case ShotRow.Outcome.OVER:
            text = _("You went beyond the target") if yours else _("%(name)s went beyond the target")
        case ShotRow.Outcome.ELIMINATED:
            text = _("You were eliminated") if yours else _("%(name)s was eliminated")
        case ShotRow.Outcome.OUT:
            text = _("You sat out during the turn") if yours else _("%(name)s sat out during the turn")
        case ShotRow.Outcome.SKIP:
            text = _("You were skipped") if yours else _("%(name)s was skipped")
        case _ if yours:
            text = ngettext("You threw %(n)s time", "You threw %(n)s times", n)
        case _:
            text = ngettext("%(name)s threw %(n)s time", "%(name)s threw %(n)s times", n)
    values = {"name": mark_name(name), "points": number(shot.points), "cost": number(shot.cost), "n": n}
    return Markup(text) % values  # noqa: S704 - a sentence of ours; the values are escaped


def has_lost_points(shot: ShotRow | Turn) -> bool:
    """Return whether a bust lost points of the turn, besides its cost: where those are the cost, they are lost once."""
    return shot.points not in (0, shot.cost)


def choose_bust_sentence(lost: bool, paid: bool, yours: bool) -> str:
    """Return the sentence for a bust that lost points of the turn, or cost some of the score, or both."""
    if lost and paid:
        sentence = _("%(name)s busted, lost %(points)s and paid %(cost)s points")
        return _("You busted, lost %(points)s and paid %(cost)s points") if yours else sentence
    if paid:
        return _("You busted and paid %(cost)s points") if yours else _("%(name)s busted and paid %(cost)s points")
    if lost:
        return _("You busted and lost %(points)s") if yours else _("%(name)s busted and lost %(points)s")
    return _("You busted") if yours else _("%(name)s busted")


def mark_name(name: str) -> Markup:
    """Return a name as lists show it, in a bidi-isolated element."""
    return Markup('<b dir="auto">{}</b>').format(name)


def describe_turn_end(shot: ShotRow, ruleset: Ruleset, *, yours: bool) -> str:
    """Return how a turn ended, in whole sentences. `yours`: the turn is that of the only person who plays."""
    values = {"name": shot.player.name, "points": number(shot.points), "cost": number(shot.cost)}
    match shot.outcome:
        case ShotRow.Outcome.BANK:
            return (_("You banked %(points)s.") if yours else _("%(name)s banked %(points)s.")) % values
        case ShotRow.Outcome.OUT if shot.player.active:
            return _("%(name)s is back.") % values
        case ShotRow.Outcome.OUT:
            return _("%(name)s is sitting out.") % values
        case ShotRow.Outcome.BUST:
            coins = ruleset.bust_penalty if shot.player.entered else 0
            is_short = shot.fallen and falls_short(ruleset, shot.count, shot.fallen[-1].faces)
            sentences = [
                describe_bust(has_lost_points(shot), bool(shot.cost), yours) % values,
                _("It was the last throw, and the points could not be banked.") if is_short else "",
                _("%(amount)s goes into the pot.") % {"amount": format_amount(coins, ruleset.currency)}
                if coins
                else "",
            ]
            return " ".join(filter(None, sentences))
        case ShotRow.Outcome.OVER if yours:
            return _("You went beyond the target: the turn counts for nothing.")
        case ShotRow.Outcome.OVER:
            return _("%(name)s went beyond the target: the turn counts for nothing.") % values
        case ShotRow.Outcome.ELIMINATED if yours:
            return _("You were eliminated.")
        case ShotRow.Outcome.ELIMINATED:
            return _("%(name)s was eliminated.") % values
    return (_("You were skipped.") if yours else _("%(name)s was skipped.")) % values


def describe_undone(latest: Sequence[ShotRow]) -> str:
    """Return that a turn was undone; empty if the newest one counts. `latest`: newest first.

    Of several that were undone in a row, the earliest was undone last, with the computers' turns after it.
    """
    undone = list(takewhile(lambda shot: shot.cancelled, latest))
    return _("%(name)s’s turn was undone.") % {"name": undone[-1].player.name} if undone else ""


def describe_bust(lost: bool, paid: bool, yours: bool) -> str:
    """Return the whole sentence for a bust that lost points of the turn, or cost some of the score, or both."""
    if lost and paid:
        sentence = _("%(name)s busted, lost %(points)s and paid %(cost)s points.")
        return _("You busted, lost %(points)s and paid %(cost)s points.") if yours else sentence
    if paid:
        return _("You busted and paid %(cost)s points.") if yours else _("%(name)s busted and paid %(cost)s points.")
    if lost:
        sentence = _("%(name)s busted and lost %(points)s points.")
        return _("You busted and lost %(points)s points.") if yours else sentence
    return _("You busted.") if yours else _("%(name)s busted.")


def describe_change(change: ChangeRow) -> str:
    """Return a change apart from the dice as a sentence; empty for a kind that the log doesn't show."""
    data, name = change.data, change.player.name if change.player else change.data.get("name", "")
    match change.kind:
        case "rename":
            return _("%(before)s is now called %(name)s.") % {"before": data["before"], "name": data["name"]}
        case "host":
            return _("%(name)s is the host now.") % {"name": name}
        case "links":
            return _("There is a new invite link.")
        case "watching" if data["value"]:
            return _("Spectators can watch.")
        case "watching":
            return _("Only players can see this game.")
        case "moved":
            return describe_move(change)
        case "removed" if data.get("left"):
            return _("%(name)s left before the start.") % {"name": name}
        case "removed":
            return _("%(name)s was removed before the start.") % {"name": name}
        case "refused" if data.get("question", "undo") != "undo":
            return _("%(name)s said no to other dice.") % {"name": name}
        case "refused":
            return _("%(name)s said no to the undo.") % {"name": name}
        case "expired" if data.get("question", "undo") != "undo":
            return _("%(name)s asked for other dice, but nobody answered in time.") % {"name": name}
        case "expired":
            return _("%(name)s asked for an undo, but nobody answered in time.") % {"name": name}
    event = find_event(change)
    return describe_table_event(event, name) if event else ""


def describe_move(change: ChangeRow) -> str:
    """Return which people have moved to another device, by the seats that moved together."""
    assert change.player is not None  # nobody is told of a host without a seat
    moved, first = change.data.get("seats", ()), change.player  # who may have become a computer since
    names = [seat.name for seat in first.game.seats if seat == first or (seat.pk in moved and seat.is_person)]
    text = ngettext("%(names)s has moved to another device.", "%(names)s have moved to another device.", len(names))
    return text % {"names": join_names(names)}


def find_event(change: ChangeRow) -> events.Event | None:
    """Return the event of the rules for this change; None if the rules have none for it."""
    seat = change.player.seat if change.player else 0
    match change.kind:
        case "join":
            return events.Joined(seat, change.data.get("name", ""), False)
        case "out":
            return events.SteppedOut(seat, 0)
        case "in":
            return events.SteppedIn(seat)
        case "hand":
            return events.Handed(seat, change.data["level"])
        case "target":
            return events.TargetSet(change.data["value"])
        case "mode":
            return events.ModeSet(change.data["value"])
    return None


def name_mark(mark: str) -> str:
    """Return a review's mark as a word; empty for none."""
    words = {"?!": _("inaccuracy"), "?": _("mistake"), "??": _("blunder"), "!": _("sharp")}
    return words.get(mark, "")
