"""The home page: a tray that is one tap from the first throw, and the games and crews of this browser."""

from game.history.lists import list_open_games
from game.models import RulesetRow, Visitor
from game.pages import game_list
from game.pages.crews import list_crews
from game.pages.rulesets import summary
from game.pages.rulesets.shortlist import list_shortlist
from game.rules import Ruleset

SHOWN = 5  # open games on the home page, and as many again in which others wait for the viewer
CREWS_SHOWN = 3
OPPONENT = "*HAL"
HERO = (1, 5, 3, 3, 6, 3)


def suits_home(rules: Ruleset) -> bool:
    """Return whether these rules allow all that the home page says of its game: two players, six dice, a target."""
    return rules.min_players <= 2 <= rules.max_players and rules.dice == len(HERO) and rules.ending != "rounds"


def find_home_ruleset() -> RulesetRow | None:
    """Return the first ruleset of the shortlist for which the texts of the home page and the help are true, or None."""
    return next((row for row in list_shortlist() if suits_home(row.rules)), None)


def build_home(visitor: Visitor | None) -> dict[str, object]:
    """Return what the page shows a visitor."""
    ruleset = find_home_ruleset()
    rows = game_list.list_games(list_open_games(visitor) if visitor else [], visitor)
    waiting = [row for row in rows if row.waits][:SHOWN]
    mine = [row for row in rows if row not in waiting]
    return {
        "waiting": waiting,
        "mine": mine[:SHOWN],
        "crews": list_crews(visitor)[:CREWS_SHOWN],
        "first": game_list.pick_first(waiting or mine[:SHOWN]),
        "more": len(mine) > SHOWN,
        "opponent": OPPONENT,
        "hero": list(enumerate(HERO, 1)),
        "ruleset": ruleset,
        "scores": summary.list_scoring_dice(ruleset.rules) if ruleset else (),
    }
