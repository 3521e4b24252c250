"""Why something is not allowed, in the reader's language: a sentence for each code of the rules, and what would be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from game.pages.parts.text import format_dice, number
from game.rules import IllegalMove

ECHOED_MOST = 40


def describe_refusal(reason: IllegalMove) -> str:
    said = {name: shown(value) for name, value in reason.data.items()}
    match reason.code:
        case "cannot_keep" | "not_thrown":
            return cannot_keep(reason.data)
        case "keep_something" | "nothing_to_keep":
            return _("Keep at least one scoring die.")
        case "entry_minimum":
            return _("You need %(need)s in one turn to get in. You have %(have)s.") % said
        case "bank_minimum":
            return _("You need at least %(need)s in a turn to bank. You have %(have)s.") % said
        case "cannot_make":
            return cannot_make(reason.data)
        case "name_taken":
            return _("That name is taken in this game. Choose another name.")
        case "name_empty" | "name_text":
            return _("Enter a name, up to 24 characters.")
        case "name_long":
            return _("A name has at most %(most)s characters.") % said
        case "full" | "players":
            return _("No more players fit: %(most)s can play by these rules.") % said
    simple = SIMPLE.get(reason.code)
    return _(simple) % said if simple else str(reason)


def shown(value: Any) -> str:
    if isinstance(value, tuple):
        return format_dice(value)
    if isinstance(value, int):
        return number(value)
    return str(value)[:ECHOED_MOST]


def cannot_keep(data: Mapping[str, Any]) -> str:
    nearest = data.get("nearest")
    if nearest:
        text = _("These dice do not all score. Keep %(suggestion)s, or choose again.")
        return text % {"suggestion": format_dice(nearest)}
    return _("These dice do not all score. Choose again.")


def cannot_make(data: Mapping[str, Any]) -> str:
    points, below, above = data["points"], data.get("below"), data.get("above")
    said = {"n": number(points), "below": number(below or 0), "above": number(above or 0)}
    if below and above:
        return _("No turn makes %(n)s in these rules. Did you mean %(below)s or %(above)s?") % said
    if above:
        return _("No turn makes %(n)s in these rules. Did you mean %(above)s?") % said
    if below:
        return _("No turn makes %(n)s in these rules. Did you mean %(below)s?") % said
    return _("No turn makes %(n)s in these rules.") % said


SIMPLE = {
    "over": gettext_noop("This game is over."),
    "throw_first": gettext_noop("Throw the dice first."),
    "keep_wins": gettext_noop("Six alike: keep them all and win."),
    "no_win": gettext_noop("Only six alike in one throw win at once, where the rules say so."),
    "must_throw": gettext_noop("All six score: throw them again before you bank."),
    "tries": gettext_noop("Finish your three tries with the last die first."),
    "pick_up": gettext_noop("There are no dice to pick up."),
    "mode": gettext_noop("Points are typed only with real dice. This turn is played with the dice on screen."),
    "real_dice": gettext_noop("This turn is played with real dice. Type its points."),
    "shot_begun": gettext_noop("The turn has already begun on screen."),
    "pick_up_dice": gettext_noop("%(need)s dice were left to pick up."),
    "dice_left": gettext_noop("Say how many dice were left: 1 to 5, or 6 after all six scored."),
    "target": gettext_noop("Choose a target from 1,000 to 100,000 in steps of 50."),
    "no_player": gettext_noop("There is no such player in this game."),
    "is_out": gettext_noop("This player has already stepped out."),
    "is_in": gettext_noop("This player is already in."),
    "final_round": gettext_noop("Nobody can join once the final round has begun."),
    "level": gettext_noop("There is no such level."),
    "person": gettext_noop("Only computers have a level: a name that begins with *."),
    "name_character": gettext_noop(
        "The name has a character that cannot be used. Use letters, digits, signs or emoji."
    ),
    "name_marks": gettext_noop("The name has too many marks on one letter. Up to three are fine."),
    "nothing_to_undo": gettext_noop("There is nothing to take back."),
    "undo": gettext_noop("This turn cannot be taken back any more."),
}
