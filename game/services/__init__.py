"""The verbs that views call: each changes a game or ruleset in one transaction. Nothing else writes them.

Here are also the questions that pages ask about what is allowed. Services with a subject of their own, such as crews
and accounts, are imported from their modules.
"""

from game.services.archive import RestoreResult, restore_games
from game.services.broadcasts import REACTIONS, share_choice, share_reaction
from game.services.consent import answer_question, find_games_to_answer, may_allow, name_question, set_mode, undo_turn
from game.services.corrections import correct_turns, find_typed_points, list_correctable
from game.services.delete_game import delete_game, end_game, is_deleted_for_all, leave_to_others
from game.services.device_transfer import claim_transfer, find_transfer, list_moving, offer_transfer
from game.services.games import create_game, play_again, start_rematch
from game.services.host_actions import (
    change_host,
    hand_to_computer,
    is_silent,
    set_watching,
    skip_player,
    take_back_seat,
)
from game.services.loading import load_game
from game.services.lobby import (
    INVITE_ROUNDS,
    add_seat,
    can_join_late,
    choose_colour,
    choose_ruleset,
    choose_target,
    explain_missing,
    find_invite,
    move_seat,
    remove_seat,
    rename_seat,
    renew_invite,
    set_word,
    start_game,
    take_seat,
)
from game.services.real_dice import change_draft, enter_points
from game.services.refusals import AlreadyDone, LinkEnded, NotYourSeat, Refusal
from game.services.reviews import request_review
from game.services.rulesets import (
    copy_ruleset,
    load_shipped_rulesets,
    offer_ruleset_again,
    present_ruleset,
    retire_ruleset,
    save_ruleset,
)
from game.services.seat_changes import change_game_as_host, change_own_seat, decides_alone, set_hints
from game.services.shots import GameAndEvents, advance_computers, advance_unattended, bank_points, throw_dice
from game.services.transaction import Command, find_host, has_lapsed, has_part, may_see
from game.services.win_tables import list_solving

__all__ = [
    "INVITE_ROUNDS", "REACTIONS", "AlreadyDone", "Command", "GameAndEvents", "LinkEnded", "NotYourSeat", "Refusal",
    "RestoreResult", "add_seat", "advance_computers", "advance_unattended", "answer_question", "bank_points",
    "can_join_late", "change_draft", "change_game_as_host", "change_host", "change_own_seat", "choose_colour",
    "choose_ruleset", "choose_target", "claim_transfer", "copy_ruleset", "correct_turns", "create_game",
    "decides_alone", "delete_game", "end_game", "enter_points", "explain_missing", "find_games_to_answer", "find_host",
    "find_invite", "find_transfer", "find_typed_points", "hand_to_computer", "has_lapsed", "has_part",
    "is_deleted_for_all", "is_silent", "leave_to_others", "list_correctable", "list_moving", "list_solving",
    "load_game", "load_shipped_rulesets", "may_allow", "may_see", "move_seat", "name_question", "offer_ruleset_again",
    "offer_transfer", "play_again", "present_ruleset", "remove_seat", "rename_seat", "renew_invite", "request_review",
    "restore_games", "retire_ruleset", "save_ruleset", "set_hints", "set_mode", "set_watching", "set_word",
    "share_choice", "share_reaction", "skip_player", "start_game", "start_rematch", "take_back_seat", "take_seat",
    "throw_dice", "undo_turn",
]  # fmt: skip
