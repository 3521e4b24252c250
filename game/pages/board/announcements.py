"""What happened, in sentences for whoever listens: one for each event that a listener has to know of."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.parts.text import faces, money, number, winner_sentence
from game.rules import State, events
from game.rules.events import Event

AT_THE_TABLE = (
    events.Renamed
    | events.Joined
    | events.SteppedOut
    | events.SteppedIn
    | events.TargetSet
    | events.ModeSet
    | events.Handed
)


def tell(happened: Sequence[Event], state: State, mine: frozenset[int]) -> str:
    """What a listener has to know after an action, in the order in which it happened."""
    banked = any(isinstance(event, events.Banked) for event in happened)
    passing = events.Swept if banked else ()  # who banks after a sweep throws nothing again
    told = (sentence(event, state, mine) for event in happened if not isinstance(event, passing))
    return " ".join(text for text in told if text)


def tell_of_the_table(happened: Sequence[Event], state: State) -> str:
    """What nobody did by throwing or keeping: names, players, target, mode."""
    return tell([event for event in happened if isinstance(event, AT_THE_TABLE)], state, frozenset())


def sentence(event: Event, state: State, mine: frozenset[int]) -> str:
    said = {"name": name_in(event, state)}
    return of_a_throw(event, said, mine) or of_a_turn(event, said, state) or of_the_game(event, said, state)


def name_in(event: Event, state: State) -> str:
    player = getattr(event, "player", None)
    return "" if player is None else state.players[player].name


def of_a_throw(event: Event, said: dict[str, str], mine: frozenset[int]) -> str:
    match event:
        case events.Threw(player, dice) if player in mine:
            return _("You threw %(dice)s.") % {"dice": faces(dice)}
        case events.Threw(_player, dice):
            return _("%(name)s threw %(dice)s.") % {**said, "dice": faces(dice)}
        case events.PickedUp(_player, dice, points):
            return ngettext(
                "%(name)s picks up %(n)s die and goes on from %(points)s.",
                "%(name)s picks up %(n)s dice and goes on from %(points)s.",
                dice,
            ) % {**said, "n": dice, "points": number(points)}
        case events.Swept(_player, points):
            return _("All six score: %(points)s so far.") % {"points": number(points)}
        case events.Missed(_player, tries):
            return _("Try %(k)s of 3 with one die.") % {"k": tries + 1}
    return ""


def of_a_turn(event: Event, said: dict[str, str], state: State) -> str:
    """How a turn ended, and what it cost."""
    match event:
        case events.Bust(_player, lost) if lost:
            return _("Bust. %(points)s points lost.") % {"points": number(lost)}
        case events.Bust():
            return _("Bust.")
        case events.Penalty(_player, points):
            return ngettext(
                "%(busts)s bust in a row. %(name)s loses %(n)s points.",
                "%(busts)s busts in a row. %(name)s loses %(n)s points.",
                state.ruleset.bust_streak,
            ) % {**said, "busts": state.ruleset.bust_streak, "n": number(points)}
        case events.Paid(_player, coins):
            return _("%(name)s adds %(amount)s to the pot.") % {**said, "amount": money(coins)}
        case events.Banked(_player, points, score):
            told = {**said, "points": number(points), "score": number(score)}
            return _("%(name)s banked %(points)s. Score %(score)s.") % told
        case events.Entered():
            return _("%(name)s is in.") % said
    return ""


def of_the_game(event: Event, said: dict[str, str], state: State) -> str:
    """The way to the end of the game, and what was changed at the table."""
    match event:
        case events.FinalRound(_player, score):
            return _("Final round. %(name)s has %(score)s.") % {**said, "score": number(score)}
        case events.FinalRoundOff():
            return _("The final round is called off.")
        case events.Tie(score):
            return _("Tie at %(score)s. Everyone plays one more round.") % {"score": number(score)}
        case events.Won(_winners, at_once):
            return winner_sentence(state, at_once and state.ruleset.ending != "at_once")
        case events.Renamed(_player, new):
            return _("Renamed to %(name)s.") % {"name": new}
        case events.Joined():
            return _("%(name)s joins.") % said
        case events.SteppedOut():
            return _("%(name)s steps out.") % said
        case events.SteppedIn():
            return _("%(name)s is back.") % said
        case events.Skipped():
            return _("%(name)s was skipped.") % said
        case events.Handed(_player, level) if level:
            return _("The computer plays for %(name)s now.") % said
        case events.Handed():
            return _("%(name)s plays again.") % said
        case events.TargetSet(value):
            return _("Target is now %(n)s.") % {"n": number(value)}
        case events.ModeSet(mode) if mode == "manual":
            return _("Real dice from the next turn on.")
        case events.ModeSet():
            return _("Dice on screen from the next turn on.")
    return ""
