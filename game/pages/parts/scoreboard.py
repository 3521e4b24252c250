"""The scoreboard: a card for each player, and what one short word line says of each."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.live import Contact
from game.pages.parts.components import ScoreCard
from game.pages.parts.computer_levels import LEVELS
from game.pages.parts.text import number
from game.pages.parts.view_of_game import Facts
from game.rules import Player, State
from game.strategy.computers import FIRST_LEVEL


def cards(facts: Facts, at_risk: int) -> tuple[ScoreCard, ...]:
    """`at_risk`: the points of the running turn, as Bank would bank them."""
    state = facts.state
    there = [facts.contact(seat) for seat in range(len(state.players))]
    return tuple(card(state, seat, player, at_risk, there[seat]) for seat, player in enumerate(state.players))


def card(state: State, seat: int, player: Player, at_risk: int, contact: Contact = "here") -> ScoreCard:
    current = seat == state.player and not state.finished
    risk = at_risk if current else 0
    reach = max(state.target, player.score, 1)
    bar = 100 * player.score / reach
    return ScoreCard(
        seat=seat + 1,
        name=player.name,
        score=number(player.score),
        word=(player.active and absent(contact)) or word_line(state, seat, player, risk),
        shape="computer" if player.level else "here" if player.active and contact == "here" else "away",
        bar=round(bar, 1),
        risk=round(min(100 * risk / reach, 100 - bar), 1),
        current=current,
        won=seat in state.winners,
    )


def absent(contact: Contact) -> str:
    return {"away": _("away"), "gone": _("gone")}.get(contact, "")


def word_line(state: State, seat: int, player: Player, risk: int) -> str:
    """The first that applies; empty where there is nothing to say."""
    if seat in state.winners:
        return _("won")
    if risk:
        return _("+%(points)s now") % {"points": number(risk)}
    if not player.active:
        return _("out")
    if not player.entered and state.ruleset.entry_minimum and not state.finished:
        return _("needs %(points)s") % {"points": number(state.ruleset.entry_minimum)}
    if seat == leader(state):
        return _("leads")
    if state.final and not state.finished:
        return _("last turn") if seat in state.due else _("played")
    if player.level:
        return computer(player.level)
    if player.streak > 1 and state.ruleset.bust_streak:
        busts = ngettext("%(n)s bust in a row", "%(n)s busts in a row", player.streak)
        return busts % {"n": player.streak}
    return ""


def computer(level: str) -> str:
    """What is said of a computer: its level where that is not the usual one."""
    if level == FIRST_LEVEL or level not in LEVELS:
        return _("computer")
    return _("computer, %(level)s") % {"level": LEVELS[level].name}


def leader(state: State) -> int | None:
    """The one player who is alone in front, if there is one."""
    scores = [player.score if player.active else -1 for player in state.players]
    best = max(scores)
    return scores.index(best) if best > 0 and scores.count(best) == 1 and len(scores) > 1 else None
