"""The game of 10,000, pure: standard library only, no input or output, no clock, no randomness."""

from game.rules import events, record
from game.rules.combinations import Dice
from game.rules.names import clean_name
from game.rules.play import apply, throw, why_not
from game.rules.play.banking import points_needed, points_with
from game.rules.play.moves import (
    Bank,
    Change,
    Faces,
    Hand,
    Join,
    Manual,
    Move,
    Rename,
    SetMode,
    SetTarget,
    Skip,
    StepIn,
    StepOut,
    Throw,
    Win,
)  # fmt: skip
from game.rules.play.shot import find_keep, keeps_now, legal_moves, nearest_keep, score_after, why_not_bank  # fmt: skip
from game.rules.play.start import DEFAULT_LEVEL, Entry, new_game
from game.rules.play.state import LEVELS, STATE_FORMAT, PlayerState, Shot, State, Step, state_from_json, state_to_json
from game.rules.play.turns import cost_of_bust
from game.rules.presets import PRESETS, UnknownPreset, preset
from game.rules.record import Record, RecordError
from game.rules.refusals import IllegalMove
from game.rules.ruleset import Ruleset
from game.rules.scoring import Keep, best_points, dice_left, keeps, set_aside
from game.rules.setting_values import Problem, RulesetError

__all__ = [
    "DEFAULT_LEVEL", "LEVELS", "PRESETS", "STATE_FORMAT", "Bank", "Change", "Dice", "Entry", "Faces", "Hand",
    "IllegalMove", "Join", "Keep", "Manual", "Move", "PlayerState", "Problem", "Record", "RecordError", "Rename",
    "Ruleset", "RulesetError", "SetMode", "SetTarget", "Shot", "Skip", "State", "Step", "StepIn", "StepOut", "Throw",
    "UnknownPreset", "Win", "apply", "best_points", "clean_name", "cost_of_bust", "dice_left", "events", "find_keep",
    "keeps", "keeps_now", "legal_moves", "nearest_keep", "new_game", "points_needed", "points_with", "preset", "record",
    "score_after", "set_aside", "state_from_json", "state_to_json", "throw", "why_not", "why_not_bank",
]  # fmt: skip
