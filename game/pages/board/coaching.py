"""Help for newcomers: a bubble in each of the first three rounds, and suggestions after the first game."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.urls import reverse

from game import history
from game.models import ShotRow
from game.pages.board.status import list_tips
from game.pages.parts.language import gettext as _
from game.pages.parts.names import suggest_person_name
from game.pages.parts.text import number
from game.pages.parts.view_of_game import ViewerGame
from game.rules import Ruleset, keeps
from game.rules.scoring import find_effect
from game.services.crews import find_first_and_crew

TURNS = 3


@dataclass(frozen=True)
class AfterGame:
    """What a player is offered below a finished game."""

    first: bool  # it was their first
    seat: int | None  # of the player, while they have a default name; else None
    practises: bool  # positions of theirs are known: not only points were entered
    coached: bool  # the coach advised them unasked, as it does in a first game alone
    evening: str  # the address of the crew's evening, for those who may see it


def coach_newcomer(game: ViewerGame) -> tuple[str, ...]:
    """Return the sentences of this turn's bubble; none after three rounds, or if switched off.

    The bubble stays during the others' turns as well, so that nothing below it moves. At most two queries.
    """
    state = game.state
    if state.round > TURNS or game.prefs.coaching == "off":
        return ()
    visitor = game.players[min(game.people)].visitor_id if game.people else None
    if visitor is None or game.hints == "off" or not history.is_first_game(game.row, visitor):
        return ()
    if state.ruleset.must_keep == "all":
        choice = _("Keep every die that scores.")
    else:
        choice = _("When dice turn gold, you choose: keep them or throw them again. Tap one and watch the numbers.")
    lessons = choice, _("Bank keeps your points. Throw risks them for more."), next(list_tips(state.ruleset))
    lesson = lessons[state.round - 1]
    throwing = bool(game.throws or game.row.draft) and state.player in game.people
    counted = [] if throwing else [shot for shot in game.latest if not shot.cancelled]
    if has_nothing_scored(state.ruleset, counted, game.people):
        lesson = _("That was a bust: none of the dice thrown scored, so the points of the turn are lost.")
        if counted[0].player.seat not in game.people:
            lesson = _("Your last turn was a bust: none of the dice thrown scored, so its points are lost.")
    seat = state.player if state.player in game.people else min(game.people)
    needed = state.ruleset.least_first_bank
    has_enough = any(keep.points >= needed for keep in game.keeps) and throwing
    if state.players[seat].entered or not needed or state.ruleset.entry_in != "shot" or has_enough:
        return (lesson,)
    entry = _("You need %(points)s in one turn to get on the board.") % {"points": number(needed)}
    return lesson, entry


def has_nothing_scored(ruleset: Ruleset, turns: Iterable[ShotRow], seats: Collection[int]) -> bool:
    """Return whether the last turn of these seats was a bust in which no die of the last throw scored.

    `turns`: those that count, the newest first. With some rules scoring dice are a bust, too, such as too few points
    with the last throw.
    """
    last = next((shot for shot in turns if shot.player.seat in seats), None)
    if last is None or last.outcome != ShotRow.Outcome.BUST:
        return False
    return not any(keeps(ruleset, row.faces) or find_effect(ruleset, row.faces) for row in last.fallen[-1:])


def offer_after_game(game: ViewerGame) -> AfterGame | None:
    """Return what a player is offered once a game is over; None for spectators. One query."""
    seat = min(game.people, default=None)
    visitor = None if seat is None else game.players[seat].visitor_id
    if seat is None or visitor is None:
        return None
    first, crew = find_first_and_crew(game.row, visitor)
    nameless = first and game.called_you and game.state.players[seat].name == suggest_person_name(seat + 1, ())
    practises = not game.people.isdisjoint(game.end.seats_with_dice)
    evening = reverse("game:evening", args=[crew, game.row.code]) if crew and not game.is_abandoned else ""
    coached = first and practises and bool(game.called_you) and (game.row.hints or game.prefs.hints) == "auto"
    return AfterGame(first, seat if nameless else None, practises, coached, evening)
