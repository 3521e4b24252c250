"""Whether the best play under a ruleset is worked out, and how far along that is."""

from game.rules import Ruleset
from game.services.win_tables import find_solving
from game.strategy import win


def find_best_play(rules: Ruleset, ask: str) -> dict[str, object] | None:
    """Return how far the win table for the rules' own target is, if anybody has asked for it, and the URL to ask at.

    None if the table comes with the app, or can't exist.
    """
    if win.never_has_table(rules) or win.is_shipped(rules, rules.target):
        return None
    return {"solving": find_solving(rules, rules.target), "ask": ask}
