"""The panels beside the game: who sits where, the link, and what the host may change."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from django.urls import reverse

from game.rules import IllegalMove, Join, State, why_not
from game.views.board import Options, People, Seat
from game.views.board.facts import Facts
from game.views.board.reasons import sentence


def people(facts: Facts, link: str) -> People:
    """`link`: the game's absolute address. The QR code is drawn here, so that nothing is loaded for it."""
    reason = why_nobody_joins(facts.state)
    return People(
        seats=tuple(seats(facts)),
        can_join=facts.host and reason is None,
        join_why_not=sentence(reason) if reason and facts.host else "",
        link=link,
        qr=qr(link),
        download=reverse("game:file", args=[facts.game.code]),
    )


def why_nobody_joins(state: State) -> IllegalMove | None:
    """What stands against a new player, whatever the name."""
    reason = why_not(state, Join(name="?"))
    return None if reason and reason.code == "name_taken" else reason


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


@lru_cache(maxsize=1000)
def qr(link: str) -> str:
    """The drawing of a link. Working it out takes longer than the rest of the panel, and a link never changes."""
    drawn = io.BytesIO()
    segno.make_qr(link, error="m").save(
        drawn, kind="svg", xmldecl=False, svgns=False, border=2, omitsize=True, svgclass="qr", lineclass=None
    )
    return drawn.getvalue().decode()


def options(facts: Facts) -> Options | None:
    if not facts.host or facts.state.finished:
        return None
    return Options(target=facts.state.target, mode=facts.state.mode, hints=facts.game.hints)
