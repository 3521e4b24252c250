"""A game that has not started, as one viewer sees it: who sits where, the invite, the words for the dice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from django.urls import reverse

from game import history, live, services
from game.history.fair import uses_sealed_dice
from game.history.head_to_head import HeadToHead, find_heads
from game.models import Game, Player, Visitor
from game.pages.board.banner import mark_presence
from game.pages.board.change_notes import describe_chosen_rules
from game.pages.parts.colours import list_seat_colours
from game.pages.parts.components import RefusedInput, StatusText
from game.pages.parts.computer_levels import LEVELS
from game.pages.parts.event_sentences import describe_table_event
from game.pages.parts.language import gettext as _
from game.pages.parts.names import suggest_person_name
from game.pages.parts.text import join_names
from game.pages.parts.turn_log import describe_change
from game.pages.rulesets.shortlist import list_shortlist
from game.pages.rulesets.values import describe_goal
from game.rules import events
from game.services.spoken_codes import say_code

CHANGES_MOST = 20  # newest changes that are searched for people who left


@dataclass(frozen=True)
class LobbySeat:
    """A seat, and what it is to this viewer."""

    player: Player
    colour: int  # 1–8, the same for every viewer
    shape: str  # 'here' 'away' 'computer', or 'free' where nobody has sat down
    remark: str  # "computer (Balanced)", "saved for a friend", "away"
    host: bool
    yours: bool
    heads: HeadToHead | None  # the standing between the viewer and whoever sits here


def build_lobby(
    row: Game, visitor: Visitor | None, link: str, *, refusal: str, refused: RefusedInput, note: str, heard: str
) -> dict[str, Any]:
    """Return what the page of a game shows a viewer before its start.

    `link`: the game's absolute address; `note`: what was just done; `heard`: the same, but only for a screen reader,
    because the page shows it; `refused`: what was typed into a form that was refused.
    """
    viewer = visitor.pk if visitor else None
    acting = services.find_host(row, viewer)
    host = viewer is not None and acting == viewer
    own = [seat for seat in row.seats if visitor and seat.visitor_id == visitor.pk]
    names = [seat.name for seat in row.seats]
    presence = live.find_presence(row)
    url, places = row.get_absolute_url(), build_lobby_seats(row, visitor, presence, acting)
    ready = sum(place.shape in ("here", "computer") for place in places)
    values = {"n": ready, "seats": max(2, row.rules.min_players, len(places))}
    invite = link.removesuffix(url) + reverse("game:invite", args=[row.invite.token]) if host else ""
    return {
        "row": row,
        "code": row.code,
        "version": row.version,
        "url": url,
        "settled": describe_settings(row),
        "host": host,
        "belongs": host or bool(own),
        "status": build_lobby_status(row, acting, host, own, ready == len(places), note),
        "live": "" if refusal else note or heard,  # a refusal is an alert, which is read out already
        "refusal": refusal,
        "refused": refused,
        "places": places,
        "hint": suggest_person_name(len(names) + 1, names),
        "own_seats": [seat for seat in own if not seat.level],  # the viewer's seats, each with its word for the dice
        "seal": row.seeds.get(epoch=row.epoch).seal if uses_sealed_dice(row, row.mode) else "",
        "invite": invite,  # the host's link that gives a seat
        "spoken": say_code(row.invite.spoken) if host else "",  # the same as three words
        "join": link.removesuffix(url) + reverse("game:join"),  # the address at which they are typed
        "link": link,
        "missing": services.explain_missing(row, viewer) if host else "",
        "rulesets": list_shortlist(row.rules.slug) if host else [],
        "ready": _("%(n)s of %(seats)s ready") % values,
        "alone": host and len(names) == 1 and not services.explain_missing(row, viewer, alone=True),
        "presence": mark_presence(presence, False, acting != row.host_id),
        "sat": mark_table(row),  # the page sends this back to learn what has changed since
    }


def list_held_seats(row: Game) -> list[Player]:
    """Return the seats that people hold."""
    return [seat for seat in row.seats if seat.visitor_id is not None and not seat.level]


def list_free_seats(row: Game) -> list[Player]:
    """Return the seats saved for guests; none once the game has begun: nobody takes the place of a player who left."""
    is_waiting = row.status == Game.Status.WAITING
    return [seat for seat in row.seats if is_waiting and seat.visitor_id is None and not seat.level]


def mark_table(row: Game) -> str:
    """Return who sits here, all seats in order, the rules and the target, in a form that contains no name."""
    held = ".".join(str(seat.pk) for seat in list_held_seats(row))
    order = ".".join(f"{seat.pk}-{crc32(seat.name.encode())}" for seat in row.seats)
    return f"{held}~{order}~{row.rules.digest}~{row.target}"


def announce_lobby_changes(row: Game, sat: str, shown: int) -> str:
    """Return who left and who sat down, and what else was changed, since a page showed a table so marked.

    `shown`: the version that the page shows.
    """
    held, order, rules, target = (sat.split("~") + [""] * 3)[:4]
    before = set(filter(None, held.split(".")))
    gone = before - {str(seat.pk) for seat in row.seats}
    changes = history.list_latest_changes(row, CHANGES_MOST)
    removals = [change for change in changes if change.kind == "removed"]
    hosts = [change for change in changes if change.kind == "host" and change.data.get("version", 0) > shown]
    came = {str(seat.pk): seat.name for seat in list_held_seats(row) if str(seat.pk) not in before}

    def list_others(order: str) -> list[str]:
        return [place for place in order.split(".") if place.partition("-")[0] not in {"", *gone, *came}]

    sentences = [describe_change(change) for change in reversed(removals[: len(gone)])]
    sentences += [_("%(name)s joined.") % {"name": name} for name in came.values()]
    sentences += [describe_change(change) for change in hosts[:1]]
    if row.seats and list_others(order) != list_others(mark_table(row).split("~")[1]):
        sentences.append(describe_order(row))
    if rules != row.rules.digest:
        sentences.append(describe_chosen_rules(row))
    if target != str(row.target) and row.rules.ending != "rounds":
        sentences.append(describe_table_event(events.TargetSet(row.target), ""))
    return " ".join(sentences)


def announce_own_change(row: Game) -> str:
    """Return who plays now, after a change of who plays; empty after another one, which has a note."""
    return describe_order(row) if row.seats and row.dice_version == row.version else ""


def describe_order(row: Game) -> str:
    """Return who plays, in order of play."""
    return _("The players are now, in order: %(names)s.") % {"names": join_names([seat.name for seat in row.seats])}


def describe_settings(row: Game) -> str:
    """Return what ends the game, and which dice it uses, for a line beside the name of the ruleset."""
    if row.rules.ending == "rounds":
        text = _("%(target)s · real dice") if row.mode == "manual" else _("%(target)s · dice on screen")
    else:
        text = _("to %(target)s · real dice") if row.mode == "manual" else _("to %(target)s · dice on screen")
    return text % {"target": describe_goal(row.rules, row.target)}


def build_lobby_status(
    row: Game, acting: int | None, host: bool, own: Sequence[Player], all_here: bool, note: str
) -> StatusText:
    """Return what the lobby is waiting for.

    `acting`: who has the host's powers now; `host`: that is the viewer; `own`: the viewer's seats; `all_here`: nobody
    is missing; `note`: what was just done, comes first.
    """
    starter = row.find_person(acting)
    values = {"name": starter.name if starter else _("The host")}
    is_ready = host and len(row.seats) > 1 and not services.explain_missing(row, acting)
    is_full = all_here and len(row.seats) >= row.rules.max_players
    if host and acting != row.host_id:
        title, text = _("You’re in!"), _("%(name)s has been away for a while, so you are the host for now.")
        if is_ready:
            text = _("%(name)s has been away for a while, so you can start the game.")
        text %= {"name": name_host(row)}
    elif is_ready and (is_full or all(seat.level or seat.visitor_id == row.host_id for seat in row.seats)):
        title, text = _("Ready to start"), _("Everyone’s here. Add words to the dice if you like, then press Start.")
        if not uses_sealed_dice(row, row.mode):
            text = _("Everyone’s here. Press Start.")
    elif is_ready and all_here:
        title, text = _("Ready to start"), _("Press Start, or share the invite with more friends.")
    elif host:
        title, text = _("Waiting for your friends"), _("Share the invite, then press Start when everyone’s here.")
    elif own and all(seat.level for seat in own):
        title, text = _("You’re not playing"), _("To play yourself, take the star off a computer’s name.")
    elif own:
        title, text = _("You’re in!"), _("%(name)s starts the game when everyone’s here.") % values
    else:
        title, text = _("This game has not started yet"), _("Want to play? Ask the host for the invite link.")
        if starter:
            text = _("Want to play? Ask %(name)s for the invite link.") % values
    return StatusText(title, f"{note} {text}".lstrip())


def name_host(row: Game) -> str:
    """Return the host's name, or "The host" for one without a seat, to begin a sentence with."""
    host = row.find_person(row.host_id)
    return host.name if host else _("The host")


def build_lobby_seats(
    row: Game, visitor: Visitor | None, presence: live.Presence, acting: int | None
) -> list[LobbySeat]:
    """Return the seats of a game that has not started, or that an invite still leads to. `acting`: the host now."""
    host, free, seats = row.find_person(acting), list_free_seats(row), []
    heads = find_heads(row, visitor.pk) if visitor else {}
    for seat, colour, contact in zip(row.seats, list_seat_colours(row.seats), presence.seats, strict=True):
        yours = visitor is not None and seat.visitor_id == visitor.pk
        shape, remark = ("free", _("saved for a friend")) if seat in free else describe_lobby_seat(seat, yours, contact)
        seats.append(LobbySeat(seat, colour, shape, remark, seat == host, yours, heads.get(seat.seat)))
    return seats


def describe_lobby_seat(seat: Player, yours: bool, contact: live.Contact) -> tuple[str, str]:
    """Return the shape of a seat's dot, and a few words about who sits there."""
    if seat.level:
        return "computer", _("computer (%(level)s)") % {"level": LEVELS[seat.level].name}
    if seat.visitor_id is None:  # resigned
        return "away", _("gone")
    if yours:
        return "here", _("on this device")
    words = {"here": _("is here"), "away": _("away"), "gone": _("gone")}
    return "here" if contact == "here" else "away", words[contact]


def find_first_address(game: Game, words: bool) -> str:
    """Return the address to show after creating a game. `words`: its players want to add words to the dice first."""
    open_at_words = words and game.status == Game.Status.WAITING
    return game.get_absolute_url() + ("?words#words" if open_at_words else "")
