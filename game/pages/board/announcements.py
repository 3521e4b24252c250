"""Announcements for screen readers after the viewer's own action."""

from collections.abc import Sequence

from game.models import Player
from game.pages.parts.choices import describe_choosable_throw, may_go_over
from game.pages.parts.event_sentences import describe_event, describe_table_event
from game.pages.parts.language import gettext as _
from game.pages.parts.view_of_game import ViewerGame
from game.rules import events
from game.rules.events import Event

ENDS = events.Banked | events.Bust | events.Over | events.Eliminated


def announce_action(game: ViewerGame, happened: Sequence[Event]) -> str:
    """Return the events in order as sentences, and who is next after a turn's end; or the choice that is due."""
    if game.is_yours and game.keeps and not announce_changes(happened, game.players):
        return describe_choosable_throw(game.keeps, game.throws[-1].faces, over=may_go_over(game.state.ruleset))
    banked = any(isinstance(event, events.Banked) for event in happened)
    over = game.state.finished
    heard = [
        event
        for event in happened
        if not (banked and isinstance(event, events.Swept))  # nothing is thrown again
        and not (over and isinstance(event, events.FinalRound))  # nobody has another turn
    ]
    if game.prefs.order == "sorted":
        heard = [events.Threw(e.player, tuple(sorted(e.dice))) if isinstance(e, events.Threw) else e for e in heard]
    sentences = [describe_event(event, game.state, game.people, game.called_you) for event in heard]
    ended = any(isinstance(event, ENDS) for event in happened)
    if ended and not over and len(game.players) > 1:
        nameless = game.state.player in game.called_you
        following = _("It is your turn.") if nameless else _("%(name)s is next.") % {"name": game.name_due}
        sentences.append(following)
    return " ".join(filter(None, sentences))


def announce_changes(happened: Sequence[Event], players: Sequence[Player]) -> str:
    """Return what was changed at the table, in order; empty if somebody only played."""
    sentences = (describe_table_event(event, players[getattr(event, "player", 0)].name) for event in happened)
    return " ".join(filter(None, sentences))
