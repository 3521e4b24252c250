"""The panels beside the game: who sits where, the link, and what the host may change."""

from __future__ import annotations

import io

import segno
from django.urls import reverse
from django.utils.translation import gettext as _

from game.rules import Join, why_not
from game.views.board import Options, People, Seat
from game.views.board.facts import Facts
from game.views.board.reasons import sentence


def people(facts: Facts, link: str) -> People:
    """`link`: the game's absolute address. The QR code is drawn here, so that nothing is loaded for it."""
    reason = why_not(facts.state, Join(name=_("Player %(n)s") % {"n": len(facts.players) + 1}))
    return People(
        seats=tuple(seats(facts)),
        can_join=bool(facts.mine) and reason is None,
        join_why_not=sentence(reason) if reason else "",
        link=link,
        qr=qr(link),
        download=reverse("game:file", args=[facts.game.code]),
    )


def seats(facts: Facts) -> list[Seat]:
    return [
        Seat(
            seat=seat,
            name=player.name,
            computer=player.level is not None,
            level=player.level or "",
            plays=player.active,
            yours=seat in facts.mine,
        )
        for seat, player in enumerate(facts.state.players)
    ]


def qr(link: str) -> str:
    drawn = io.BytesIO()
    segno.make_qr(link, error="m").save(
        drawn, kind="svg", xmldecl=False, svgns=False, border=2, omitsize=True, svgclass="qr", lineclass=None
    )
    return drawn.getvalue().decode()


def options(facts: Facts) -> Options | None:
    if not facts.host or facts.state.finished:
        return None
    return Options(target=facts.state.target, mode=facts.state.mode, hints=facts.game.hints)
