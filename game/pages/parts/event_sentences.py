"""Events as sentences for a screen reader: one for each event that listeners need to know."""

from collections.abc import Collection, Sequence

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import describe_winner, format_amount, format_dice, join_names, number
from game.rules import Ruleset, State, events
from game.rules.events import Event


def describe_event(event: Event, state: State, listeners: Collection[int], called_you: Collection[int] = ()) -> str:
    """Return the event as a sentence; empty if there is nothing to say.

    `listeners`: the seats of those who hear it; `called_you`: the seat of the only person who plays, who needs no name.
    """
    if isinstance(event, events.Won):
        at_target = any(state.players[seat].score >= state.target for seat in event.winners)
        by_dice = event.at_once and not (at_target and state.ruleset.ending == "at_once")
        return announce_winner(state, by_dice, listeners, called_you)
    seat = getattr(event, "player", None)
    names = [player.name for player in state.players]
    name = "" if seat is None else names[seat]
    return (
        (describe_own_event(event, state.ruleset) if seat in called_you else "")
        or describe_throw_event(event, name, seat in listeners, state.ruleset.last_die_throws)
        or describe_turn_event(event, name, state.ruleset)
        or describe_table_event(event, name)
        or describe_end_event(event, name, names if state.ruleset.tie == "tied_only" else ())
    )


def announce_winner(state: State, by_dice: bool, listeners: Collection[int], called_you: Collection[int]) -> str:
    """Return who won; "You win" if the winners are those who hear it. `by_dice`: with dice that win at once.

    `called_you` as in `describe_event`.
    """
    if not state.winners or set(state.winners) != set(listeners):
        return describe_winner(state, by_dice, called_you)
    if by_dice:
        return _("You win!")
    return _("You win with %(score)s!") % {"score": number(state.players[state.winners[0]].score)}


def describe_own_event(event: Event, ruleset: Ruleset) -> str:
    """Return what the only person who plays did or lost, said to "you"; empty if the usual sentence needs no name."""
    match event:
        case events.PickedUp(_player, dice, points):
            return ngettext(
                "You pick up %(n)s die and continue from %(points)s points.",
                "You pick up %(n)s dice and continue from %(points)s points.",
                dice,
            ) % {"n": dice, "points": number(points)}
        case events.Banked(_player, points, score):
            values = {"points": number(points), "score": number(score)}
            return _("You banked %(points)s. Score %(score)s.") % values
        case events.Entered():
            return _("You’re on the board!")
        case events.Penalty(_player, points):
            return ngettext(
                "The bust costs you %(n)s points.",
                "%(busts)s busts in a row. You lose %(n)s points.",
                ruleset.bust_streak,
            ) % {"busts": ruleset.bust_streak, "n": number(points)}
        case events.Cost(_player, points):
            return _("The bust costs you %(points)s points.") % {"points": number(points)}
        case events.Paid(_player, coins):
            return _("You add %(amount)s to the pot.") % {"amount": format_amount(coins, ruleset.currency)}
        case events.Over():
            return _("You went beyond the target: the turn counts for nothing.")
        case events.Eliminated():
            return _("You were eliminated.")
        case events.FinalRound(_player, score):
            return _("Final round. You have %(score)s.") % {"score": number(score)}
    return ""


def describe_throw_event(event: Event, name: str, own: bool, tries: int) -> str:
    """Return what fell, what was kept or picked up, or what is thrown next; empty for other events.

    `own`: the listener threw, and knows the keep; `tries`: how many the last die has.
    """
    match event:
        case events.Threw(_player, dice) if own:
            return _("You threw %(dice)s.") % {"dice": format_dice(dice)}
        case events.Threw(_player, dice):
            return _("%(name)s threw %(dice)s.") % {"name": name, "dice": format_dice(dice)}
        case events.Kept(_player, dice, points) if not own:
            values = {"name": name, "dice": format_dice(dice), "points": number(points)}
            return _("%(name)s keeps %(dice)s for %(points)s.") % values
        case events.PickedUp(_player, dice, points):
            return ngettext(
                "%(name)s picks up %(n)s die and continues from %(points)s points.",
                "%(name)s picks up %(n)s dice and continues from %(points)s points.",
                dice,
            ) % {"name": name, "n": dice, "points": number(points)}
        case events.Swept(_player, points):
            return _("Hot dice! %(points)s so far.") % {"points": number(points)}
        case events.Missed(_player, missed):
            return _("Try %(k)s of %(n)s with one die.") % {"k": missed + 1, "n": tries}
        case events.ThrownAgain(_player, points):
            return describe_thrown_again(points)
    return ""


def describe_thrown_again(points: int) -> str:
    """Return why the same dice are thrown again, and what that adds to the turn."""
    if points:
        return _("Nothing scores: that’s worth %(points)s. Throw these dice again.") % {"points": number(points)}
    return _("No bust: these dice are thrown again.")


def describe_turn_event(event: Event, name: str, ruleset: Ruleset) -> str:
    """Return how a turn ended, and what it cost."""
    match event:
        case events.Bust(_player, lost) if lost:
            return _("Bust! %(points)s points lost.") % {"points": number(lost)}
        case events.Bust():
            return _("Bust!")
        case events.Penalty(_player, points):
            return ngettext(
                "The bust costs %(name)s %(n)s points.",
                "%(busts)s busts in a row. %(name)s loses %(n)s points.",
                ruleset.bust_streak,
            ) % {"name": name, "busts": ruleset.bust_streak, "n": number(points)}
        case events.Cost(_player, points):
            return _("The bust costs %(name)s %(points)s points.") % {"name": name, "points": number(points)}
        case events.Over(_player, lost) if lost:
            return _("Every keep goes beyond the target: %(name)s’s turn is over. %(points)s points lost.") % {
                "name": name,
                "points": number(lost),
            }
        case events.Over():
            return _("Every keep goes beyond the target: %(name)s’s turn is over.") % {"name": name}
        case events.Eliminated():
            return _("%(name)s is out of the game: this throw eliminates them.") % {"name": name}
        case events.Paid(_player, coins):
            values = {"name": name, "amount": format_amount(coins, ruleset.currency)}
            return _("%(name)s adds %(amount)s to the pot.") % values
        case events.Banked(_player, points, score):
            values = {"name": name, "points": number(points), "score": number(score)}
            return _("%(name)s banked %(points)s. Score %(score)s.") % values
        case events.Entered():
            return _("%(name)s is on the board!") % {"name": name}
        case events.Skipped():
            return _("%(name)s was skipped.") % {"name": name}
    return ""


def describe_table_event(event: Event, name: str) -> str:
    """Return what was changed at the table: names, players, target, mode."""
    match event:
        case events.Renamed(_player, new):
            return _("Renamed to %(name)s.") % {"name": new}
        case events.Joined():
            return _("%(name)s joined.") % {"name": name}
        case events.SteppedOut():
            return _("%(name)s is sitting out.") % {"name": name}
        case events.SteppedIn():
            return _("%(name)s is back.") % {"name": name}
        case events.Handed(_player, level) if level:
            return _("The computer is playing for %(name)s.") % {"name": name}
        case events.Handed():
            return _("%(name)s is playing again.") % {"name": name}
        case events.TargetSet(value):
            return _("The target is now %(n)s.") % {"n": number(value)}
        case events.ModeSet(mode) if mode == "manual":
            return _("Real dice from the next turn.")
        case events.ModeSet():
            return _("Dice on screen from the next turn.")
    return ""


def describe_end_event(event: Event, name: str, names: Sequence[str]) -> str:
    """Return what brings the end of the game nearer or puts it off.

    `names`: by seat, if only those who tied play the extra round; else empty.
    """
    match event:
        case events.FinalRound(_player, score):
            return _("Final round. %(name)s has %(score)s.") % {"name": name, "score": number(score)}
        case events.LastRound():
            return _("The last round begins. The highest score wins.")
        case events.FinalRoundOff():
            return _("The final round is called off.")
        case events.Tie(score, tied) if names:
            values = {"score": number(score), "names": join_names([names[seat] for seat in tied])}
            return _("Tie at %(score)s. %(names)s play one more round.") % values
        case events.Tie(score):
            return _("Tie at %(score)s. Everyone plays one more round.") % {"score": number(score)}
    return ""
