"""The lines above the dice: whose turn it is, what has just happened, and a tip."""

from collections.abc import Iterator

from game.history.replay import list_start_throws
from game.models import ShotRow
from game.pages.parts.choices import is_six_of_a_kind
from game.pages.parts.components import StatusText, Tray
from game.pages.parts.event_sentences import describe_thrown_again
from game.pages.parts.language import gettext as _
from game.pages.parts.text import describe_winner, format_dice_count, list_figures, number, tie_dot
from game.pages.parts.turn_log import describe_turn_end, describe_undone
from game.pages.parts.view_of_game import ViewerGame
from game.rules import Bank, Ruleset, Win
from game.rules.play.start import follow_start
from game.rules.ruleset import DICE
from game.strategy.odds import chance_to_end_with

LONGEST_LINE = 69  # characters: about what fits beside the heading on a phone, in three lines


def build_status(game: ViewerGame, tray: Tray | None, note: str) -> StatusText:
    """Return heading, line and tip. `note`: what was just done apart from the dice; it replaces the line."""
    state = game.state
    if state.finished:
        return StatusText(describe_winner(state, game.won_by_dice, game.called_you), "")
    title = (_("Your turn, %(name)s") if game.is_yours else _("%(name)s’s turn")) % {"name": game.name_due}
    if game.is_yours and game.called_you:  # no name needed for somebody playing alone
        title = _("Your turn")
    if not game.throws:
        line, hand_over = describe_start(game)
        before = game.previous
        busted = before and before.outcome == ShotRow.Outcome.BUST
        tip = choose_tip(state.ruleset, before.place) if before and busted and game.hints != "off" else ""
        return StatusText(title, note or line, tip, hand_over, begins=True)
    line = note or describe_throw(game, tray)
    if game.next_is_yours:
        dot = " " if line.endswith((".", "!")) else " · "
        line = tie_dot(dot.join(filter(None, (line, _("You are next.")))))
    return StatusText(title, line)


def describe_start(game: ViewerGame) -> tuple[str, bool]:
    """Return how the turn before ended or that it was undone, who gets the device if there is room, and who is next.

    Also return whether to pass the device on, because somebody else has just played on it.
    """
    before, ruleset = game.previous, game.state.ruleset
    undone = "" if game.called_you else describe_undone(game.latest)
    if undone:
        sentences = [undone]
    elif before:
        sentences = [describe_turn_end(before, ruleset, yours=before.player.seat in game.called_you)]
    else:
        sentences = [describe_start_throws(game)]
    hand_over = game.is_yours and before is not None and before.player.seat in game.people - {game.state.player}
    if hand_over:  # the heading and the colour of the band say so, too
        whole = [*sentences, _("Pass to %(name)s.") % {"name": game.name_due}]
        sentences = whole if len(" ".join(whole)) <= LONGEST_LINE else sentences
    if game.next_is_yours:
        sentences.append(_("You are next."))
    return " ".join(filter(None, sentences)), hand_over


def describe_start_throws(game: ViewerGame) -> str:
    """Return the throws that decided who begins, if the rules leave it to the dice. Players who tied threw again."""
    ruleset = game.state.ruleset
    if ruleset.first_player == "seat_order":
        return ""
    thrown = (throw.faces for throw in list_start_throws(game.row))
    rounds = [
        list_figures((game.state.players[seat].name, face) for seat, face in fallen.items())
        for fallen in follow_start(ruleset, thrown, len(game.players))
    ]
    return _("To see who goes first: %(throws)s.") % {"throws": " · ".join(rounds)} if rounds else ""


def describe_throw(game: ViewerGame, tray: Tray | None) -> str:
    """Return what the throw on the table is worth, or what a computer is about to do with it."""
    shot = game.state.shot
    assert shot is not None
    if shot.tries and not shot.dice:
        return _("Try %(k)s of %(n)s with one die.") % {"k": shot.tries + 1, "n": game.state.ruleset.last_die_throws}
    if not shot.dice and not game.throws[-1].kept:
        return describe_thrown_again(game.throws[-1].points)
    if game.plan:
        move, keep = game.plan
        values = {
            "name": game.name_due,
            "points": number(keep.gain),
            "total": number(keep.points),
            "dice": format_dice_count(keep.left),
        }
        if isinstance(move, Win):
            if not is_six_of_a_kind(keep.keep.dice):
                return _("%(name)s keeps dice that win.") % values
            return _("%(name)s keeps six of a kind.") % values
        if isinstance(move, Bank):
            return _("%(name)s keeps %(points)s and banks %(total)s.") % values
        return _("%(name)s keeps %(points)s and throws %(dice)s.") % values
    if tray and tray.choices:
        return tray.choices[tray.chosen].detail
    return _("Throw %(k)s") % {"k": shot.throws}


def choose_tip(ruleset: Ruleset, place: int) -> str:
    """Return the tip after a bust; the tips alternate. `place`: where the turn stands in the game."""
    tips = list(list_tips(ruleset))
    return tips[place % len(tips)]


def list_tips(ruleset: Ruleset) -> Iterator[str]:
    """Yield the tips that hold under these rules: one follows a bust, and the help page shows them all."""
    one, two, five = (100 * chance_to_end_with(ruleset, dice) for dice in (1, 2, 5))
    if ruleset.dice == DICE and ruleset.must_keep == "one" and (ruleset.singles[0], ruleset.singles[4]) == (100, 50):
        yield _(
            "You don’t have to keep every scoring die. "
            "A single 1 and five dice to throw often beats 150 points and four dice."
        )
    if (round(one), round(two)) == (67, 44):
        yield _("With one die left, 67% of throws bust; with two, 44%.")
    yield _("Far behind? Take more risk. In the lead? Bank more often.")
    if round(five, 1) == 7.7:
        yield _("Five dice bust only one time in 13.")
    if ruleset.dice == DICE:
        yield _(
            "Hot dice: if every die scores, you throw all six again. "
            "Keeping the last one can be worth more than its points."
        )
