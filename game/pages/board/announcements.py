"""What screen readers say: about the viewer's action by its events, about others' by the state that they left."""

from collections.abc import Sequence
from itertools import takewhile

from game.models import ChangeRow, Player, ShotRow
from game.pages.board.banner import describe_rematch
from game.pages.board.sound import describe_lead
from game.pages.board.status import describe_throw
from game.pages.parts.choices import describe_choosable_throw
from game.pages.parts.event_sentences import announce_winner, describe_event, describe_table_event
from game.pages.parts.language import gettext as _
from game.pages.parts.text import format_dice, number
from game.pages.parts.turn_log import describe_change, describe_turn_end, describe_undone
from game.pages.parts.view_of_game import ViewerGame, find_newest_change
from game.rules import events
from game.rules.events import Event
from game.rules.play.turns import find_begun_round, is_final_round_undone

THROWS = events.PickedUp | events.Threw | events.Kept | events.Swept | events.Missed | events.ThrownAgain
ENDS = events.Banked | events.Bust | events.Over | events.Eliminated | events.Skipped


def announce_action(game: ViewerGame, happened: Sequence[Event]) -> str:
    """Return the events in order as sentences, and who is next after a turn's end; or the choice that is due."""
    if game.is_yours and game.keeps and not announce_changes(happened, game.players):
        return describe_choosable_throw(game)
    banked = any(isinstance(event, events.Banked) for event in happened)
    over = game.state.finished
    heard = [
        event
        for event in happened
        if not (banked and isinstance(event, events.Swept))  # nothing is thrown again
        and not (over and isinstance(event, events.FinalRound))  # nobody has another turn
    ]
    if game.previous and game.previous.manual and game.previous.fallen:
        heard = [event for event in heard if not isinstance(event, THROWS)]  # announced as their dice were tapped
    if game.prefs.order == "sorted":
        heard = [events.Threw(e.player, tuple(sorted(e.dice))) if isinstance(e, events.Threw) else e for e in heard]
    scores = [(event.player, event.score) for event in heard if isinstance(event, events.Banked)]
    sentences = [
        announce_round(game, event)
        if isinstance(event, events.FinalRound) and (event.player, event.score) in scores  # the score was just said
        else describe_event(event, game.state, game.people, game.called_you)
        for event in heard
    ]
    if banked and not over and game.previous:
        sentences.append(describe_lead(game, game.previous, yours=game.previous.player.seat in game.called_you))
    if passes_dice_on(happened, moved=game.row.dice_version == game.row.version) and not over and len(game.players) > 1:
        nameless = game.state.player in game.called_you
        sentences.append(_("It is your turn.") if nameless else _("%(name)s is next.") % {"name": game.name_due})
    return " ".join(filter(None, sentences))


def passes_dice_on(happened: Sequence[Event], *, moved: bool) -> bool:
    """Return whether these events ended a turn. `moved`: they concerned the dice or the legal moves.

    Whoever sits out gives away their own turn, and nobody else's.
    """
    return any(isinstance(event, ENDS) or (moved and isinstance(event, events.SteppedOut)) for event in happened)


def announce_changes(happened: Sequence[Event], players: Sequence[Player]) -> str:
    """Return what was changed at the table, in order; empty if somebody only played."""
    sentences = (describe_table_event(event, players[getattr(event, "player", 0)].name) for event in happened)
    return " ".join(filter(None, sentences))


def announce_missed(game: ViewerGame, moved: bool, shown: int) -> str:
    """Return what happened last, in a sentence or two. `moved`: it concerned the dice or the legal moves.

    `shown`: the version that the page shows. A question to the others is no change: the line that asks it announces it.
    """
    if not moved:
        change = find_newest_change(game.row, game.changes)
        missed = describe_newest_changes(game.changes) if change and change.data.get("version", 0) > shown else ""
        return missed or describe_rematch(game)
    if game.is_abandoned:
        return _("Nobody won this game.")
    if game.state.finished:
        winner = announce_winner(game.state, game.won_by_dice, game.people, game.called_you)
        return f"{announce_end(game)} {winner}".lstrip()
    if not game.throws:
        following = _("It is your turn.") if game.is_yours else _("%(name)s is next.") % {"name": game.name_due}
        return f"{announce_end(game)} {following}".lstrip()
    if not game.keeps:
        return announce_throw_without_choice(game)
    return describe_choosable_throw(game) if game.is_yours else announce_throw(game)


def announce_throw_without_choice(game: ViewerGame) -> str:
    """Return what fell when there is nothing to choose: a missed try of the last die, or dice to be thrown again."""
    last = game.throws[-1]
    if last.kept:  # a game file ends here, before the next throw
        return _("It is %(name)s’s turn.") % {"name": game.name_due}
    values = {"name": game.name_due, "dice": format_dice(last.faces)}
    fallen = _("You threw %(dice)s.") if game.state.player in game.called_you else _("%(name)s threw %(dice)s.")
    return f"{fallen % values} {describe_throw(game, None)}"


def announce_throw(game: ViewerGame) -> str:
    """Return what somebody else threw, and what they had kept and put at risk before it."""
    *before, last = game.throws
    values = {"name": game.name_due, "dice": format_dice(last.faces)}
    kept = before[-1].kept_columns if before else ()
    if not kept or game.state.shot is None:
        return _("%(name)s threw %(dice)s.") % values
    lying = before[-1].by_column
    values |= {"kept": format_dice(lying[column] for column in kept), "points": number(game.state.shot.points)}
    return _("%(name)s keeps %(kept)s, has %(points)s points at risk, and throws %(dice)s.") % values


def announce_end(game: ViewerGame) -> str:
    """Return how the turn before ended, or that it was undone, or what was changed since; empty before the first."""
    newest, change = next(iter(game.latest), None), next(iter(game.changes), None)
    missed = describe_undone(game.latest)
    if missed:
        missed = f"{missed} {announce_final_round_off(game)}".rstrip()
    elif newest and change and change.place > newest.place and change.kind != "expired":  # its throw is announced
        missed = describe_newest_changes(game.changes)
    if missed or not game.previous:
        return missed
    begun = find_begun_round(game.state, game.previous.player.seat)
    return f"{announce_turn(game, game.previous)} {announce_round(game, begun)}".strip()


def announce_final_round_off(game: ViewerGame) -> str:
    """Return that the last undo called the final round off; empty if it did not."""
    if is_final_round_undone(game.state, list_undone_scores(game.latest)):
        return describe_event(events.FinalRoundOff(), game.state, ())
    return ""


def list_undone_scores(latest: Sequence[ShotRow]) -> list[int]:
    """Return the scores after the turns of the last undo, in order. `latest`: newest first; an undo leaves a gap."""
    undone = takewhile(lambda shot: shot.cancelled and shot.outcome, latest)
    return [shot.score for back, shot in enumerate(undone) if shot.place == latest[0].place - back][::-1]


def announce_round(game: ViewerGame, begun: Event | None) -> str:
    """Return the sentence that a round has begun; empty for none. The score that led to a final round was just said."""
    if isinstance(begun, events.FinalRound):
        return _("The final round begins.")
    return describe_event(begun, game.state, ()) if begun else ""


def describe_newest_changes(changes: Sequence[ChangeRow]) -> str:
    """Return the newest change, after those that were made together with it. There must be one; newest first."""
    version = changes[0].data.get("version", -1)
    together = [changes[0], *takewhile(lambda change: change.data.get("version") == version, changes[1:])]
    return " ".join(filter(None, map(describe_change, reversed(together))))


def announce_turn(game: ViewerGame, shot: ShotRow) -> str:
    """Return how a turn ended, with the score after a bank, and the dice of a bust or of those that won at once."""
    yours = shot.player.seat in game.called_you
    if shot.outcome == ShotRow.Outcome.BANK:
        banked = events.Banked(shot.player.seat, shot.points, shot.score)
        lead = "" if game.state.finished else describe_lead(game, shot, yours=yours)
        return f"{describe_event(banked, game.state, (), game.called_you)} {lead}".rstrip()
    won = shot.outcome == ShotRow.Outcome.WIN
    end = "" if won else describe_turn_end(shot, game.state.ruleset, yours=yours)
    if not shot.fallen or not (won or shot.outcome == ShotRow.Outcome.BUST):
        return end
    values = {"name": shot.player.name, "dice": format_dice(shot.fallen[-1].faces)}
    fallen = _("You threw %(dice)s.") if yours else _("%(name)s threw %(dice)s.")
    return f"{fallen % values} {end}".rstrip()
