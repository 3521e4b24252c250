"""The page of one ruleset."""

from game.models import RulesetRow
from game.pages.rulesets import examples, summary
from game.pages.rulesets.best_play import find_best_play
from game.pages.rulesets.duration import explain_duration
from game.pages.rulesets.face_points import build_value_grid
from game.pages.rulesets.nameless import NamelessRules
from game.pages.rulesets.names import name_ruleset
from game.pages.rulesets.origins import find_origin
from game.pages.rulesets.prose import list_prose_values
from game.services.gallery import find_world_table

# Keys of the page's context that only some pages of rulesets fill.
NOT_EVERYWHERE = (
    "best_play", "table", "description", "keeps_seats", "newest", "played", "kept", "kept_name", "may_publish",
    "refusal",
)  # fmt: skip


def build_ruleset_page(row: RulesetRow | NamelessRules) -> dict[str, object]:
    """Return what the page of a ruleset shows: of the site's own all, of played rules nothing in users' own words."""
    rules, named = row.rules, isinstance(row, RulesetRow)
    return dict.fromkeys(NOT_EVERYWHERE) | {
        "row": row,
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


def _describe_row(row: RulesetRow) -> dict[str, object]:
    return {
        "origin": find_origin(row),
        "table": find_world_table(row),
        "description": row.description,
        "keeps_seats": row.keeps_seats,
    }


def _describe_played(rules: NamelessRules) -> dict[str, object]:
    best_play = find_best_play(rules.rules, f"{rules.get_absolute_url()}/solve")
    return {"origin": rules.origin, "played": rules, "best_play": best_play}
