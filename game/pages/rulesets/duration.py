"""How long a game takes, in words."""

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import number
from game.pages.rulesets.summary import list_distinguishing_facts
from game.rules import Ruleset
from game.strategy.duration import SECONDS_A_TURN, estimate_minutes, estimate_rounds

PLAYERS_USUAL = 4


def list_card_facts(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the facts that tell rulesets apart when choosing one, and how long a game takes unless nothing scores."""
    facts, words = list_distinguishing_facts(ruleset), _estimate(ruleset)
    return (*facts, _("about %(minutes)s minutes for %(players)s") % words) if words else facts


def explain_duration(ruleset: Ruleset) -> str:
    """Return how long a game takes in a sentence that says what it assumes; empty where nothing scores."""
    words = _estimate(ruleset)
    if not words:
        return ""
    return (
        _("About %(minutes)s minutes for %(players)s: some %(rounds)s, at the usual %(seconds)s seconds a turn.")
        % words
    )


def _estimate(ruleset: Ruleset) -> dict[str, str]:
    """Return the figures in words, for the usual number of players if the rules allow it; empty if nothing scores."""
    players = max(ruleset.min_players, min(ruleset.max_players, PLAYERS_USUAL))
    minutes = estimate_minutes(ruleset, ruleset.target, players)
    if minutes is None:
        return {}
    rounds = estimate_rounds(ruleset, ruleset.target) or 0
    return {
        "minutes": number(minutes),
        "players": ngettext("%(n)s player", "%(n)s players", players) % {"n": number(players)},
        "rounds": ngettext("%(n)s round", "%(n)s rounds", rounds) % {"n": number(rounds)},
        "seconds": number(SECONDS_A_TURN),
    }
