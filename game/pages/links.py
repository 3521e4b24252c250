"""The pages of links that give seats to whoever presses their button: invites, and transfers to another device."""

from collections.abc import Mapping

from game import live, services
from game.models import Game, Transfer, Visitor
from game.pages.lobby import build_lobby_seats, describe_settings, name_host
from game.pages.parts.text import join_names
from game.pages.rulesets.names import name_ruleset
from game.storage import load_state


def build_invite(game: Game, visitor: Visitor | None) -> dict[str, object]:
    """Return what the page of an invite shows a visitor of the game."""
    seats = build_lobby_seats(game, visitor, live.find_presence(game), game.host_id)
    return {
        "game": game,
        "host": name_host(game),
        "ruleset": name_ruleset(game.rules),
        "settled": describe_settings(game),
        "round": load_state(game).round if game.status == Game.Status.RUNNING else 0,
        "places": seats,
        "free": [seat for seat in seats if seat.shape == "free"],
        "full": len(seats) >= game.rules.max_players,
        "mine": join_names([seat.player.name for seat in seats if seat.yours]),
    }


def find_problem_place(shown: Mapping[str, object], *, chose_seat: bool) -> str:
    """Return the id of what to look at after a refusal: the name typed, or where there are seats to choose from."""
    if shown["free"] and (shown["full"] or chose_seat):
        return "free-title"
    return "who-title" if shown["full"] else "name"


def build_transfer(link: Transfer) -> dict[str, object]:
    """Return who will play on the other device, as "Ana and Bruno" ("" for a host without a seat), and how many.

    `watches`: this device keeps no seat, because the link moves all of them; `free`: nobody holds the seats yet.
    """
    seats = [seat for seat in services.list_moving(link.game, link) if seat.is_person]
    names = [seat.name for seat in seats]
    is_free = bool(seats) and all(seat.visitor_id is None for seat in seats)
    return {"who": join_names(names), "people": len(names), "watches": link.player_id is None, "free": is_free}
