"""The verbs: each is one transaction, and nothing else writes a game."""

from game.services.delete_game import delete, goes_for_all
from game.services.device_transfer import claim, offer_transfer, transfer_of
from game.services.games import create, rematch
from game.services.host_actions import hand_over, hand_to_computer, is_silent, set_watching, skip, take_back_seat
from game.services.loading import load
from game.services.refusals import AlreadyDone, LinkEnded, NotYourSeat, Refusal
from game.services.reviews import ask_for_review, is_stuck
from game.services.rulesets import (
    copy_ruleset,
    load_shipped_rulesets,
    retire,
    save_ruleset,
    unretire,
)
from game.services.seat_changes import (
    join,
    rename,
    set_hints,
    set_mode,
    set_target,
    step_in,
    step_out,
)
from game.services.shots import Done, advance, advance_unattended, bank, enter_points, throw_dice
from game.services.transaction import Asked, belongs, has_lapsed, host_of
from game.services.undo import answer_undo, at_once, undo
from game.services.waiting import (
    add_seat,
    choose_target,
    invite_of,
    missing_to_start,
    move_seat,
    remove_seat,
    rename_waiting,
    renew_invite,
    set_word,
    sit,
    start,
)
from game.services.win_tables import solving

__all__ = [
    "AlreadyDone",
    "Asked",
    "Done",
    "LinkEnded",
    "NotYourSeat",
    "Refusal",
    "add_seat",
    "advance",
    "advance_unattended",
    "answer_undo",
    "ask_for_review",
    "at_once",
    "bank",
    "belongs",
    "choose_target",
    "claim",
    "copy_ruleset",
    "create",
    "delete",
    "enter_points",
    "goes_for_all",
    "hand_over",
    "hand_to_computer",
    "has_lapsed",
    "host_of",
    "invite_of",
    "is_silent",
    "is_stuck",
    "join",
    "load",
    "load_shipped_rulesets",
    "missing_to_start",
    "move_seat",
    "offer_transfer",
    "rematch",
    "remove_seat",
    "rename",
    "rename_waiting",
    "renew_invite",
    "retire",
    "save_ruleset",
    "set_hints",
    "set_mode",
    "set_target",
    "set_watching",
    "set_word",
    "sit",
    "skip",
    "solving",
    "start",
    "step_in",
    "step_out",
    "take_back_seat",
    "throw_dice",
    "transfer_of",
    "undo",
    "unretire",
]
