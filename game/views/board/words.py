"""The sentences of the game page: numbers and names in, one whole translated sentence out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.rules import State, events
from game.rules.events import Event


def number(value: int | float, places: int | None = None) -> str:
    """In the reader's way: 4,350 · 4.350 · 4 350. Rounded, where Django's own would cut off."""
    return number_format(value if places is None else round(value, places), places, force_grouping=True)


def percent(chance: float) -> str:
    """A chance 0–1 as the buttons say it: whole per cent, one decimal below ten."""
    return number(chance * 100, 1 if chance < 0.0995 else 0) + "%"


def faces(dice: Iterable[int]) -> str:
    return " ".join(map(str, dice))


def face_name(face: int) -> str:
    return (_("one"), _("two"), _("three"), _("four"), _("five"), _("six"))[face - 1]


def face_names(face: int) -> str:
    """More than one die of a face: part of three 3s."""
    return f"{face}s"


def dice_count(n: int) -> str:
    return ngettext("%(n)s die", "%(n)s dice", n) % {"n": n}


def money(coins: int) -> str:
    """An amount in the smallest coin, as 1.45."""
    return number(coins / 100, 2)


def name_list(names: Sequence[str]) -> str:
    return str(get_text_list(list(names), _("and")))


def tell(happened: Sequence[Event], state: State, mine: frozenset[int]) -> str:
    """What a listener has to know after an action, in the order in which it happened."""
    banked = any(isinstance(event, events.Banked) for event in happened)
    passing = events.Swept if banked else ()  # who banks after a sweep throws nothing again
    told = (tell_one(event, state, mine) for event in happened if not isinstance(event, passing))
    return " ".join(sentence for sentence in told if sentence)


def tell_one(event: Event, state: State, mine: frozenset[int]) -> str:
    def name(player: int) -> str:
        return state.players[player].name

    match event:
        case events.Threw(player, dice):
            if player in mine:
                return _("You threw %(dice)s.") % {"dice": faces(dice)}
            return _("%(name)s threw %(dice)s.") % {"name": name(player), "dice": faces(dice)}
        case events.PickedUp(player, dice, points):
            return ngettext(
                "%(name)s picks up %(n)s die and goes on from %(points)s.",
                "%(name)s picks up %(n)s dice and goes on from %(points)s.",
                dice,
            ) % {"name": name(player), "n": dice, "points": number(points)}
        case events.Swept(_player, points):
            return _("All six score: %(points)s so far.") % {"points": number(points)}
        case events.Missed(_player, tries):
            return _("Try %(k)s of 3 with one die.") % {"k": tries + 1}
        case events.Bust(_player, lost) if lost:
            return _("Bust. %(points)s points lost.") % {"points": number(lost)}
        case events.Bust():
            return _("Bust.")
        case events.Penalty(player, points):
            return ngettext(
                "%(busts)s bust in a row. %(name)s loses %(n)s points.",
                "%(busts)s busts in a row. %(name)s loses %(n)s points.",
                state.ruleset.bust_streak,
            ) % {"busts": state.ruleset.bust_streak, "name": name(player), "n": number(points)}
        case events.Paid(player, coins):
            return _("%(name)s adds %(amount)s to the pot.") % {
                "name": name(player),
                "amount": money(coins),
            }
        case events.Banked(player, points, score):
            return _("%(name)s banked %(points)s. Score %(score)s.") % {
                "name": name(player),
                "points": number(points),
                "score": number(score),
            }
        case events.Entered(player):
            return _("%(name)s is in.") % {"name": name(player)}
        case events.FinalRound(player, score):
            return _("Final round. %(name)s has %(score)s.") % {
                "name": name(player),
                "score": number(score),
            }
        case events.FinalRoundOff():
            return _("The final round is called off.")
        case events.Tie(score):
            return _("Tie at %(score)s. Everyone plays one more round.") % {"score": number(score)}
        case events.Won(_winners, at_once):
            return winner_sentence(state, at_once and state.ruleset.ending != "at_once")
        case events.Renamed(_player, new):
            return _("Renamed to %(name)s.") % {"name": new}
        case events.Joined(player):
            return _("%(name)s joins.") % {"name": name(player)}
        case events.SteppedOut(player):
            return _("%(name)s steps out.") % {"name": name(player)}
        case events.SteppedIn(player):
            return _("%(name)s is back.") % {"name": name(player)}
        case events.ModeSet(mode) if mode == "manual":
            return _("Real dice from the next turn on.")
        case events.ModeSet():
            return _("Dice on screen from the next turn on.")
        case events.TargetSet(value):
            return _("Target is now %(n)s.") % {"n": number(value)}
    return ""


def beside_the_dice(happened: Sequence[Event]) -> list[Event]:
    """The events that nobody made by throwing or keeping: names, players, target, mode."""
    table = events.Renamed | events.Joined | events.SteppedOut | events.SteppedIn | events.TargetSet | events.ModeSet
    return [event for event in happened if isinstance(event, table)]


def winner_sentence(state: State, by_six_alike: bool) -> str:
    """As in: Bruno wins with 10,200, 550 ahead of Ana."""
    winners = [state.players[seat] for seat in state.winners]
    if not winners:
        return _("The game is over. Nobody is left to win it.")
    if by_six_alike:
        return _("Six alike. %(name)s wins at once.") % {"name": winners[0].name}
    score = winners[0].score
    if len(winners) > 1:
        return _("%(names)s share the win with %(score)s.") % {
            "names": name_list([player.name for player in winners]),
            "score": number(score),
        }
    others = [p for i, p in enumerate(state.players) if i not in state.winners and p.active]
    if not others:
        return _("%(name)s wins with %(score)s.") % {"name": winners[0].name, "score": number(score)}
    second = max(others, key=lambda player: player.score)
    if second.score == score:
        return _("%(name)s wins with %(score)s, reached before %(second)s.") % {
            "name": winners[0].name,
            "score": number(score),
            "second": second.name,
        }
    return _("%(name)s wins with %(score)s, %(n)s ahead of %(second)s.") % {
        "name": winners[0].name,
        "score": number(score),
        "n": number(score - second.score),
        "second": second.name,
    }
