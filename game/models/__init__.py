from game.models.derived import Review, Table, Tally
from game.models.games import Game, Player, Seed
from game.models.rulesets import Ruleset
from game.models.shots import Change, Shot, Throw
from game.models.visitors import Audience, Invite, Request, Transfer, Visitor

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
