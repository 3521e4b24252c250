"""The verbs: each is one transaction, and nothing else writes a game."""

from game.services.games import create, rematch
from game.services.loading import load
from game.services.path import Asked
from game.services.refusals import AlreadyDone, NotYourSeat, Refusal
from game.services.rulesets import (
    copy_ruleset,
    load_shipped_rulesets,
    retire,
    save_ruleset,
    unretire,
)
from game.services.seats import (
    join,
    rename,
    set_hints,
    set_mode,
    set_target,
    step_in,
    step_out,
)
from game.services.shots import Done, advance, bank, enter_points, throw_dice
from game.services.undo import undo

__all__ = [
    "AlreadyDone",
    "Asked",
    "Done",
    "NotYourSeat",
    "Refusal",
    "advance",
    "bank",
    "copy_ruleset",
    "create",
    "enter_points",
    "join",
    "load",
    "load_shipped_rulesets",
    "rematch",
    "rename",
    "retire",
    "save_ruleset",
    "set_hints",
    "set_mode",
    "set_target",
    "step_in",
    "step_out",
    "throw_dice",
    "undo",
    "unretire",
]
