"""The tables of the database, as Django models."""

from game.models.calls import CallSettings, PushSubscription, TurnCall
from game.models.colours import COLOURS, share_out_colours
from game.models.crews import Crew, CrewMember, CrewPerson, CrewSeat
from game.models.derived import Review, SolvedTable, Tally
from game.models.games import Game, Player, Seed
from game.models.rulesets import KeptRuleset, PlayedRuleset, RulesetRow
from game.models.shots import ChangeRow, Checkpoint, ShotRow, ThrowRow
from game.models.visitors import Audience, Invite, Request, Transfer, Visitor

__all__ = [
    "COLOURS", "Audience", "CallSettings", "ChangeRow", "Checkpoint", "Crew", "CrewMember", "CrewPerson", "CrewSeat",
    "Game", "Invite", "KeptRuleset", "PlayedRuleset", "Player", "PushSubscription", "Request", "Review", "RulesetRow",
    "Seed", "ShotRow", "SolvedTable", "Tally", "ThrowRow", "Transfer", "TurnCall", "Visitor",
    "share_out_colours",
]  # fmt: skip
