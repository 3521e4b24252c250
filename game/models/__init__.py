from game.models.numbers import Review, Table, Tally
from game.models.rulesets import Ruleset
from game.models.tables import Change, Game, Player, Request, Seed, Shot, Throw
from game.models.visitors import Audience, Invite, Transfer, Visitor

__all__ = [
    "Audience",
    "Change",
    "Game",
    "Invite",
    "Player",
    "Request",
    "Review",
    "Ruleset",
    "Seed",
    "Shot",
    "Table",
    "Tally",
    "Throw",
    "Transfer",
    "Visitor",
]
