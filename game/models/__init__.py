from game.models.tables import Change, Game, Player, Request, Ruleset, Seed, Shot, Throw, Visitor

__all__ = ["Change", "Game", "Player", "Request", "Ruleset", "Seed", "Shot", "Throw", "Visitor"]
