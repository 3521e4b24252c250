"""The page of one ruleset, and its card in the gallery."""

from game.models import RulesetRow
from game.pages.rulesets import examples, prose, summary
from game.pages.rulesets.duration import explain_duration
from game.pages.rulesets.face_points import build_value_grid
from game.pages.rulesets.nameless import NamelessRules
from game.pages.rulesets.names import name_ruleset

# Keys of the page's context that only some pages of rulesets fill.
NOT_EVERYWHERE = (
    "best_play", "table", "description", "keeps_seats", "newest", "played", "kept", "kept_name", "may_publish",
    "refusal",
)  # fmt: skip


ShownRules = RulesetRow | NamelessRules


def build_ruleset_page(row: ShownRules, *, named: bool) -> dict[str, object]:
    """Return what the page of a ruleset shows. `named`: False if users' own words may not be shown."""
    rules = row.rules
    return dict.fromkeys(NOT_EVERYWHERE) | {
        "row": row,
        "name": name_ruleset(rules) if named else row.name,
        "sections": prose.write_sections(rules, named=named),
        "scores": summary.list_scoring_dice(rules, named=named),
        "grid": build_value_grid(rules),
        "duration": explain_duration(rules),
        "examples": examples.list_examples(rules, named=named),
        "chances": examples.list_bust_chances(rules),
    }
