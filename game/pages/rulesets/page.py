"""The page of one ruleset."""

from game.models import Game, RulesetRow
from game.pages.parts.text import format_dice_count, join_names, name_all_dice
from game.pages.rulesets import examples, summary
from game.pages.rulesets.choices import CHOICES
from game.pages.rulesets.face_points import build_value_grid
from game.pages.rulesets.labels import KINDS_TO_PROVE
from game.pages.rulesets.names import find_origin, name_ruleset
from game.pages.rulesets.patterns import describe_effect
from game.pages.rulesets.played_rules import PlayedRules
from game.pages.rulesets.summary import explain_duration
from game.rules import Ruleset
from game.rules.totals import may_bank_sweep
from game.services.shipped_rulesets import find_world_table
from game.services.win_tables import find_solving
from game.storage import load_target
from game.strategy import win

# Keys of the page's context that only some pages of rulesets fill.
NOT_EVERYWHERE = (
    "best_play", "table", "description", "keeps_seats", "newest", "played", "kept", "kept_name", "may_publish",
    "refusal",
)  # fmt: skip


def build_ruleset_page(row: RulesetRow | PlayedRules, game: Game | None = None) -> dict[str, object]:
    """Return what the page of a ruleset shows; for played rules, without any user's own words.

    `game`: the one from which it is read.
    """
    rules, named = row.rules, isinstance(row, RulesetRow)
    return dict.fromkeys(NOT_EVERYWHERE) | {
        "row": row,
        "game": game,
        "own_target": find_own_target(game) if game else None,
        "name": name_ruleset(rules) if named else row.name,
        **list_prose_values(rules, named=named),
        "scores": summary.list_scoring_dice(rules, named=named),
        "grid": build_value_grid(rules),
        "duration": explain_duration(rules),
        "examples": examples.list_examples(rules, named=named),
        "chances": examples.list_bust_chances(rules),
        "file": f"{row.get_absolute_url()}.json",
        **(_describe_row(row) if isinstance(row, RulesetRow) else _describe_played(row)),
    }


def find_own_target(game: Game) -> int | None:
    """Return the target of a game where it is not that of its rules; else None."""
    target = load_target(game)
    return None if game.rules.ending == "rounds" or target == game.rules.target else target


def _describe_row(row: RulesetRow) -> dict[str, object]:
    return {
        "origin": find_origin(row),
        "table": find_world_table(row),
        "description": row.description,
        "keeps_seats": row.keeps_seats,
    }


def _describe_played(rules: PlayedRules) -> dict[str, object]:
    best_play = find_best_play(rules.rules, f"{rules.get_absolute_url()}/solve")
    return {"origin": rules.origin, "played": rules, "best_play": best_play}


def list_prose_values(ruleset: Ruleset, *, named: bool = True) -> dict[str, object]:
    """Return what the template of the prose needs besides the settings.

    `named`: False if users' own words may not be shown; `chosen`: the sentence of each setting that is in words.
    """
    values = {name: str(getattr(ruleset, name)) for name in CHOICES} | {"sweep": ruleset.after_sweep}
    return {
        "rules": ruleset,
        "chosen": {
            name: choice.sentence for name, value in values.items() for choice in CHOICES[name] if choice.value == value
        },
        "all_dice": name_all_dice(ruleset.dice),
        "effects": [
            describe_effect(combination, named=named) for combination in ruleset.combinations if combination.effect
        ],
        "kinds": join_names([str(KINDS_TO_PROVE[kind]) for kind in ruleset.kinds_to_prove]),
        "dice_left": format_dice_count(ruleset.bank_dice_left_most),
        "leaves_all_dice": may_bank_sweep(ruleset, at_target=False) and "sweep" not in ruleset.confirm,
    }


def find_best_play(rules: Ruleset, ask: str) -> dict[str, object] | None:
    """Return how far the win table for the rules' own target is, if anybody has asked for it, and the URL to ask at.

    None if the table comes with the app, or can't exist.
    """
    if win.never_has_table(rules) or win.is_shipped(rules, rules.target):
        return None
    return {"solving": find_solving(rules, rules.target), "ask": ask}
