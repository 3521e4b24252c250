"""A game that has not started, as one viewer finds it: who sits where, the invite, the words for the dice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext as _

from game import history, live, services
from game.models import Game, Player, Visitor
from game.pages.parts.components import Banner, StatusText
from game.pages.parts.computer_levels import LEVELS, list_level_choices
from game.pages.parts.names import suggest_person_name
from game.pages.parts.qr_code import draw_qr
from game.pages.parts.text import number
from game.pages.parts.turn_log import describe_arrangement
from game.rules.ruleset import TARGET_LEAST, TARGET_MOST, TARGET_STEP
from game.strategy.computers import FIRST_LEVEL

TOLD_MOST = 20  # changes that are looked through for who left


@dataclass(frozen=True)
class Place:
    """A seat, and what this viewer may do with it."""

    player: int  # its row, as posted
    seat: int  # 1–12, for the colour
    name: str
    shape: str  # 'here' 'away' 'computer', or 'free' where nobody has sat down
    word: str  # "computer, Balanced", "kept free", "away"
    host: bool
    yours: bool
    changes: bool  # rename and remove
    leaves: bool  # removing it is leaving the game
    may_host: bool  # the viewer can make the one who sits here the host
    up: bool
    down: bool


@dataclass(frozen=True)
class Word:
    """The field for what one of the viewer's seats puts into the dice."""

    player: int
    name: str
    word: str


@dataclass(frozen=True)
class Link:
    url: str
    qr: str  # SVG markup, trusted


@dataclass(frozen=True)
class Waiting:
    """Everything the page of a game shows before its start."""

    code: str
    version: int
    url: str
    ruleset: str
    ruleset_url: str
    settled: str  # "to 10,000 · dice on screen"
    target: int
    target_least: int
    target_most: int
    target_step: int
    host: bool
    belongs: bool  # the viewer has a seat, or is the host
    status: StatusText
    live: str
    banner: Banner | None
    places: tuple[Place, ...]
    full: bool
    hint: str  # the name that an empty field gets
    levels: tuple[tuple[str, str, bool], ...]  # (value, words, whether it is chosen)
    words: tuple[Word, ...]
    seal: str
    invite: Link | None  # the host's
    link: Link  # of the game: gives no seat
    watching: bool
    missing: str  # why the host cannot start yet
    presence: str  # the same for as long as nobody comes or goes
    sat: str  # who has sat down: the page sends it back, to be told of whoever came or left since


def waiting(game: Game, visitor: Visitor | None, link: str, *, refusal: str = "", said: str = "") -> Waiting:
    """`link`: the game's absolute address. A handful of queries, whoever looks."""
    host = visitor is not None and game.host_id == visitor.pk
    mine = [seat for seat in game.seats if visitor and seat.visitor_id == visitor.pk]
    names = [seat.name for seat in game.seats]
    presence = live.presence_at(game)
    return Waiting(
        code=game.code,
        version=game.version,
        url=game.get_absolute_url(),
        ruleset=game.rules.name,
        ruleset_url=game.rules_address,
        settled=settled(game),
        target=game.target,
        target_least=TARGET_LEAST,
        target_most=TARGET_MOST,
        target_step=TARGET_STEP,
        host=host,
        belongs=host or bool(mine),
        status=with_news(say(game, host, bool(mine)), said),
        live=refusal or said,
        banner=Banner("error", refusal, alert=True) if refusal else None,
        places=places(game, visitor, host, presence),
        full=len(names) >= game.rules.max_players,
        hint=suggest_person_name(len(names) + 1, names),
        levels=list_level_choices(FIRST_LEVEL),
        words=tuple(Word(seat.pk, seat.name, seat.word) for seat in mine if not seat.level),
        seal=game.seeds.get(epoch=game.epoch).seal,
        invite=invite(game, link) if host else None,
        link=Link(link, draw_qr(link)),
        watching=game.watching,
        missing=services.missing_to_start(game) if host else "",
        presence=presence.mark,
        sat=".".join(str(seat.pk) for seat in people(game)),
    )


def people(game: Game) -> list[Player]:
    return [seat for seat in game.seats if seat.visitor_id is not None and not seat.level]


def told_since(game: Game, sat: str) -> str:
    """Who has left and who has sat down since a page showed these people."""
    before = set(filter(None, sat.split(".")))
    gone = len(before - {str(seat.pk) for seat in game.seats})
    removals = [change for change in history.latest_changes(game, TOLD_MOST) if change.kind == "removed"]
    left = [describe_arrangement(change) for change in removals[:gone]]
    came = [_("%(name)s has sat down.") % {"name": seat.name} for seat in people(game) if str(seat.pk) not in before]
    return " ".join([*reversed(left), *came])


def settled(game: Game) -> str:
    """What is played, in one line beside the name of the rules."""
    said = {"n": number(game.target)}
    if game.mode == "manual":
        return _("to %(n)s · real dice") % said
    return _("to %(n)s · dice on screen") % said


def say(game: Game, host: bool, seated: bool) -> StatusText:
    if host:
        return StatusText(
            _("Waiting for your friends"), _("Send them the invite, and press Start when everybody sits.")
        )
    named = {"name": host_name(game)}
    if seated:
        return StatusText(_("You are in"), _("%(name)s starts the game when everyone is here.") % named)
    return StatusText(
        _("This game has not started yet"),
        _("%(name)s starts the game when everyone is here. To play, ask for the invite.") % named,
    )


def with_news(shown: StatusText, said: str) -> StatusText:
    """What is announced can be read, too: who came or left, and that a word was saved."""
    return replace(shown, detail=f"{said} {shown.detail}".lstrip())


def host_name(game: Game) -> str:
    """The name on the host's own seat, where there is one."""
    people = (seat.name for seat in game.seats if seat.visitor_id == game.host_id and not seat.level)
    return next(people, _("The host"))


def invite(game: Game, link: str) -> Link:
    """On the same site as the game's link."""
    url = link.removesuffix(game.get_absolute_url()) + reverse("game:invite", args=[game.invite.token])
    return Link(url, draw_qr(url))


def places(game: Game, visitor: Visitor | None, host: bool, presence: live.Presence) -> tuple[Place, ...]:
    last = len(game.seats) - 1
    hosting = next((s.pk for s in game.seats if s.visitor_id == game.host_id and not s.level), None)
    return tuple(
        place(seat, contact, visitor, host, hosting == seat.pk, last)
        for seat, contact in zip(game.seats, presence.seats, strict=True)
    )


def place(seat: Player, contact: str, visitor: Visitor | None, host: bool, hosting: bool, last: int) -> Place:
    yours = visitor is not None and seat.visitor_id == visitor.pk
    return Place(
        player=seat.pk,
        seat=seat.seat + 1,
        name=seat.name,
        shape=shape(seat, yours, contact),
        word=word(seat, yours, contact),
        host=hosting,
        yours=yours,
        changes=host or yours,
        leaves=yours and not host,
        may_host=host and not yours and not seat.level and seat.visitor_id is not None,
        up=host and seat.seat > 0,
        down=host and seat.seat < last,
    )


def shape(seat: Player, yours: bool, contact: str) -> str:
    if seat.level:
        return "computer"
    if seat.visitor_id is None:
        return "free"
    return "here" if yours or contact == "here" else "away"


def word(seat: Player, yours: bool, contact: str) -> str:
    if seat.level:
        return _("computer, %(level)s") % {"level": LEVELS[seat.level].name}
    if seat.visitor_id is None:
        return _("kept free")
    if yours:
        return _("on this device")
    return {"here": _("is here"), "away": _("away"), "gone": _("gone")}[contact]
