"""The panels beside the game: who sits where, the link, and what the host may change."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import ngettext

from game.pages.parts.components import HostOptions, PlayersPanel, SeatRow
from game.pages.parts.computer_levels import level_and_line, level_choices
from game.pages.parts.qr_code import draw_qr
from game.pages.parts.refusals import sentence
from game.pages.parts.scoreboard import absent
from game.pages.parts.text import number
from game.pages.parts.view_of_game import Facts
from game.rules import IllegalMove, Join, State, why_not
from game.rules.names import is_computer_name
from game.strategy.computers import FIRST_LEVEL


def people(facts: Facts, link: str) -> PlayersPanel:
    """`link`: the game's absolute address. The QR code is drawn here, so that nothing is loaded for it."""
    reason = why_nobody_joins(facts.state)
    return PlayersPanel(
        seats=tuple(seats(facts)),
        can_join=facts.host and reason is None and not facts.over,
        join_why_not=sentence(reason) if reason and facts.host and not facts.over else "",
        link=link,
        qr=draw_qr(link),
        download=reverse("game:file", args=[facts.game.code]) if facts.mine or facts.over else "",
        levels=level_choices(FIRST_LEVEL),
        watching=watching(facts.there.watching),
        over=facts.over,
        transfer=bool(facts.mine) or facts.host,
        host=facts.host,
        open=facts.game.watching,
        loaded=facts.game.loaded,
    )


def watching(people: int) -> str:
    if not people:
        return ""
    return ngettext("%(n)s person watching", "%(n)s people watching", people) % {"n": number(people)}


def why_nobody_joins(state: State) -> IllegalMove | None:
    """What stands against a new player, whatever the name."""
    reason = why_not(state, Join(name="?"))
    return None if reason and reason.code == "name_taken" else reason


def may_be_host(facts: Facts, seat: int) -> bool:
    """Whether the viewer can give the host's powers to who sits here: a person on another device."""
    row = facts.players[seat]
    return facts.host and not facts.over and not row.level and row.visitor_id is not None and seat not in facts.mine


def seats(facts: Facts) -> list[SeatRow]:
    host, elsewhere = facts.host_seat, facts.elsewhere
    return [
        SeatRow(
            seat=seat,
            name=player.name,
            level=level_and_line(player.level or ""),
            plays=player.active,
            yours=seat in facts.mine,
            host=seat == host and elsewhere,
            contact=absent(facts.contact(seat)),
            handed=seat in facts.mine and player.level is not None and not is_computer_name(player.name),
            may_host=may_be_host(facts, seat),
        )
        for seat, player in enumerate(facts.state.players)
    ]


def options(facts: Facts) -> HostOptions | None:
    if not facts.host or facts.over:
        return None
    return HostOptions(target=facts.state.target, mode=facts.state.mode, hints=facts.game.hints)
