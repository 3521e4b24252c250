"""What the player who is due enters of a turn with real dice: its draft, which all pages show at once, and its end."""

from collections.abc import Callable

from game.models import Game
from game.rules import Manual, State, apply
from game.rules.play.manual import check_real_dice
from game.services.shots import GameAndEvents, check_whose_shot
from game.services.transaction import Command, locked_change
from game.storage import load_state, record_step
from game.storage.real_dice import Draft, TappedTurn, load_turn, play_draft


def change_draft(code: str, command: Command, change: Callable[[State, TappedTurn], Draft]) -> GameAndEvents:
    """Store the draft that `change` makes from the state before the turn and the turn so far.

    Raises a `Refusal`, `IllegalMove` for what the rules do not allow, and what `change` raises.
    """
    with locked_change(code, command) as game:
        turn = find_turn(game, command)
        draft = change(load_state(game), turn)
        play_draft(load_state(game), draft)  # refuses what the rules do not allow
        game.draft = draft.to_json()
        game.save(update_fields=["draft", "dice_version", "dice_changed_at", "asking", "touched"])
        return game, ()


def enter_points(code: str, command: Command, make: Callable[[State, TappedTurn], Manual]) -> GameAndEvents:
    """End a turn with real dice by the entry that `make` makes from the state before it and the turn so far.

    Its points are those of the whole turn, 0 for a bust. Raises a `Refusal`, `IllegalMove`, and what `make` raises.
    """
    with locked_change(code, command) as game:
        entry = make(load_state(game), find_turn(game, command))
        step = apply(load_state(game), entry)
        record_step(game, step, manual=entry)
        return game, step.events


def find_turn(game: Game, command: Command) -> TappedTurn:
    """Return the turn with real dice that this visitor is entering. Raises a `Refusal`, or `IllegalMove` for none."""
    check_whose_shot(game, command)
    check_real_dice(load_state(game))
    return load_turn(game)
