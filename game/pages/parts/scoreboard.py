"""The scoreboard: a card for each player, with a short line about how they stand."""

from collections.abc import Collection, Sequence

from django.utils.translation import pgettext

from game.live import Contact
from game.pages.parts.components import ScoreCard
from game.pages.parts.computer_levels import LEVELS
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import number
from game.rules import DEFAULT_LEVEL, State

ROUND_SCORE = 1000


def build_cards(
    state: State, contacts: Sequence[Contact], at_risk: int, yours: Collection[int] = (), *, abandoned: bool = False
) -> tuple[ScoreCard, ...]:
    """Return a card for each seat.

    `contacts`: who is there; `at_risk`: points of the turn, as Bank would bank them; `yours`: seats called "You";
    `abandoned`: nobody goes on with the turn.
    """
    cards, scores = [], [player.score for player in state.players]
    for seat, (player, contact) in enumerate(zip(state.players, contacts, strict=True)):
        current = seat == state.player and not (state.finished or abandoned)
        risk = at_risk if current else 0
        cards.append(
            ScoreCard(
                seat=seat + 1,
                name=_("You") if seat in yours else player.name,
                score=number(player.score),
                remark=(player.active and describe_contact(contact)) or describe_standing(state, seat, risk),
                shape="computer" if player.level else "here" if player.active and contact == "here" else "away",
                bar=measure_score(find_full_bar(state.goal, scores), player.score),
                risk=measure_risk(state.goal, scores, seat, risk),
                current=current,
                won=seat in state.winners,
            )
        )
    return tuple(cards)


def find_full_bar(goal: int, scores: Sequence[int]) -> int:
    """Return the score that fills a bar: the goal or, where rounds end the game, the next thousand above all scores."""
    return goal or (max(0, *scores) // ROUND_SCORE + 1) * ROUND_SCORE


def measure_score(full: int, score: int) -> float:
    """Return a score in per cent of the score that fills the bar, 0 to 100."""
    return round(max(0, min(100 * score / full, 100)), 1)


def measure_risk(goal: int, scores: Sequence[int], seat: int, points: int) -> float:
    """Return by how many per cent unbanked points would lengthen the bar of a seat. `scores`: all seats'."""
    full, score = find_full_bar(goal, scores), scores[seat]
    return round(measure_score(full, score + points) - measure_score(full, score), 1)


def describe_contact(contact: Contact) -> str:
    """Return "away" or "gone"; empty for somebody who is there."""
    return {"away": _("away"), "gone": _("gone")}.get(contact, "")


def describe_standing(state: State, seat: int, risk: int) -> str:
    """Return the first remark that applies to a player; empty if there is none. `risk`: unbanked points."""
    player = state.players[seat]
    if seat in state.winners:
        return pgettext("a player", "won")
    if risk:
        return _("+%(points)s now") % {"points": number(risk)}
    if player.eliminated:
        return _("eliminated")
    if not player.active:
        return _("sitting out")
    if not player.entered and state.ruleset.entry_minimum and not state.finished:
        return _("needs %(points)s") % {"points": number(state.ruleset.least_first_bank)}
    if state.leaders == (seat,) and len(state.active) > 1:
        return _("leads")
    if state.final_stands and not state.finished:
        return _("last turn") if seat in state.due else _("played")
    if player.level:
        return describe_computer(player.level)
    if player.streak > 1 and state.ruleset.bust_streak:
        busts = ngettext("%(n)s bust", "%(n)s busts in a row", player.streak)
        return busts % {"n": player.streak}
    return ""


def describe_computer(level: str) -> str:
    """Return "computer", with its level unless that is the default one."""
    if level == DEFAULT_LEVEL or level not in LEVELS:
        return _("computer")
    return _("computer (%(level)s)") % {"level": LEVELS[level].name}
