"""The page of an invite: who invites to what, and which seats are free."""

from collections.abc import Mapping

from game import live
from game.models import Game, Visitor
from game.pages.lobby import build_lobby_seats, describe_late_seat, describe_settings, name_host
from game.pages.parts.text import join_names
from game.pages.rulesets.names import name_ruleset


def build_invite(game: Game, visitor: Visitor | None) -> dict[str, object]:
    """Return what the page of an invite shows a visitor of the game."""
    seats = build_lobby_seats(game, visitor, live.presence_at(game))
    return {
        "game": game,
        "host": name_host(game),
        "ruleset": name_ruleset(game.rules),
        "settled": describe_settings(game),
        "late": describe_late_seat(game) if game.status == Game.Status.RUNNING else "",
        "places": seats,
        "free": [seat for seat in seats if seat.shape == "free"],
        "full": len(seats) >= game.rules.max_players,
        "mine": join_names([seat.name for seat in seats if seat.yours]),
    }


def find_problem_place(shown: Mapping[str, object], *, chose_seat: bool) -> str:
    """Return the id of what to look at after a refusal: the name typed, or where there are seats to choose from."""
    if shown["free"] and (shown["full"] or chose_seat):
        return "free-title"
    return "who-title" if shown["full"] else "name"
