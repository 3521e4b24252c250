"""The tray: two lines of dice, the points and the buttons, in each of its states."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from game.history.replay import list_points_by_throw
from game.models import ThrowRow
from game.pages.parts.choices import (
    build_choice_tray,
    build_throw_button,
    describe_obstacle,
    explain_bank,
    list_notes,
    may_go_over,
)
from game.pages.parts.components import Button, Die, Tray
from game.pages.parts.dice import fill_tray, lay_aside, lay_left, lay_shown
from game.pages.parts.language import gettext as _
from game.pages.parts.text import format_dice_count, number, write_percent
from game.pages.parts.view_of_game import ViewerGame
from game.pages.rulesets.patterns import describe_effect
from game.rules import Bank, Ruleset, State, Throw, apply, cost_of_bust, why_not
from game.rules.scoring import find_effect
from game.storage.columns import ALL_COLUMNS, pick_columns
from game.strategy.odds import chance_to_end_next

BUST_HELD_MS = 1600  # a bust stays in sight this long before a computer plays


def build_board_tray(game: ViewerGame, ticked: Collection[int] | None) -> Tray:
    """Return the tray as it is now. `ticked`: the columns that the viewer chose; None for the first look at a throw."""
    if not game.throws:
        tray = build_empty_tray(game)
    elif game.is_yours and game.keeps:
        throw, free = game.throws[-1], game.prefs.first == "choose"
        tray = build_choice_tray(game.state, game.keeps, throw, game.aside, ticked, free=free, address=game.address)
        seen = game.shared or game.presence.watching
        return replace(tray, share=game.address("choice") if seen else "")
    elif game.keeps and not game.computer_due:
        return build_tray_of_others(game)
    else:
        tray = build_watched_tray(game)
    if not game.computer_due or not game.held:
        return tray
    following = Button(_("Skip ahead"), _("%(name)s is playing") % {"name": game.name_due}, url=game.address("advance"))
    return replace(tray, advance=following)


def build_tray_of_others(game: ViewerGame) -> Tray:
    """Return the dice that a person on another device is choosing from, with the initial keep.

    All other keeps are included, to be shown as soon as the page hears of them.
    """
    throw, chooser = game.throws[-1], game.name_due
    return build_choice_tray(
        game.state, game.keeps, throw, game.aside, None, free=False, address=lambda _action: "", chooser=chooser
    )


def build_empty_tray(game: ViewerGame) -> Tray:
    """Return empty places, or the dice of the turn before: greyed after a bust, or ready to be picked up.

    After an undo no bust is shown: its lost points would look like those of the turn that was undone.
    """
    before, offer, state = game.previous, game.state.pick_up, game.state
    stakes = state.ruleset, None, cost_of_bust(state, 0), state.goal - state.players[state.player].score
    throws = before.fallen if before else []
    bust = before is not None and before.outcome == "bust" and before is game.latest[0]
    dice: list[Die] = []
    if throws and offer:
        dice = lay_left(throws)
    elif throws and bust:
        dice = lay_aside(game.previous_aside) + lay_shown(throws[-1], throws[-1].kept_columns)
    tray = fill_tray(
        dice,
        before.points if before and bust else 0,
        0,
        lost=bust,
        yours=game.is_yours,
        throw_number=throws[-1].pk if throws else 0,
        next_columns=ALL_COLUMNS[: state.ruleset.dice],
        rules=state.ruleset,
        notes=(*explain_bust(state.ruleset, throws if bust else ()), *(list_notes(*stakes) if game.is_yours else ())),
        pause_ms=BUST_HELD_MS if bust and game.prefs.pause_ms else game.prefs.pause_ms,
        seat=state.player + 1,
    )
    if not game.is_yours:
        return tray
    url = game.address("throw")
    begin = Button(_("Throw %(dice)s") % {"dice": format_dice_count(state.ruleset.dice)}, _("your turn"), url=url)
    return replace(tray, throw=begin, pick_up=build_pick_up_button(state, *offer, url) if offer else None)


def explain_bust(ruleset: Ruleset, throws: Sequence[ThrowRow]) -> Iterator[str]:
    """Yield why the last throw was a bust if its dice scored all the same: few rulesets have such combinations."""
    if throws and (effect := find_effect(ruleset, throws[-1].faces)):
        yield describe_effect(effect)


def build_pick_up_button(state: State, dice: int, points: int, url: str) -> Button:
    """Return the button that picks up the dice on offer, with the points that come with them."""
    bust_chance, taken = chance_to_end_next(state, Throw(pick_up=True)), apply(state, Throw(pick_up=True)).state
    return Button(
        _("Pick up %(dice)s") % {"dice": format_dice_count(dice)},
        describe_offer(state, points, bust_chance, cost_of_bust(taken, points)),
        meter=round(100 * bust_chance, 1),
        url=url,
    )


def describe_offer(state: State, points: int, bust_chance: float, cost: int) -> str:
    """Return the second line of Pick up: the points that come with the dice, and those banked if they differ.

    `bust_chance`: 0–1, that the throw ends the turn; `cost`: points that a bust then takes off the score. Where a throw
    may also go beyond an exact target, the risk is not only that of a bust.
    """
    over, banked = may_go_over(state.ruleset), state.offer.points if state.offer else points
    if banked == points:
        if over and cost:
            text = _("from %(points)s · %(p)s risk, a bust costs %(n)s")
        elif over:
            text = _("from %(points)s · %(p)s risk: bust or over")
        elif cost:
            text = _("from %(points)s · %(p)s bust risk (costs %(n)s)")
        else:
            text = _("from %(points)s · %(p)s bust risk")
    elif over and cost:
        text = _("from %(points)s instead of %(banked)s · %(p)s risk, a bust costs %(n)s")
    elif over:
        text = _("from %(points)s instead of %(banked)s · %(p)s risk: bust or over")
    elif cost:
        text = _("from %(points)s instead of %(banked)s · %(p)s bust risk (costs %(n)s)")
    else:
        text = _("from %(points)s instead of %(banked)s · %(p)s bust risk")
    values = {"points": number(points), "banked": number(banked), "p": write_percent(bust_chance), "n": number(cost)}
    return text % values


def build_last_tray(game: ViewerGame) -> Tray | None:
    """Return the last throw of a finished game, as it lay; None if real dice ended it, or nobody did."""
    before = game.previous
    throws = before.fallen if before and not before.manual and not game.is_abandoned else []
    if before is None or not throws:
        return None
    last = throws[-1]
    earlier, total = list_points_by_throw(throws, 0)[-1]
    taken = max(before.points - total, 0)  # picked up with the dice; a win at once has no points of its own
    return fill_tray(
        lay_aside(game.previous_aside) + lay_shown(last, last.kept_columns),
        taken + earlier,
        total - earlier,
        lost=before.outcome == "bust",
        yours=False,
        rules=game.state.ruleset,
        throw_number=last.pk,
        seat=before.player.seat + 1,
    )


def build_watched_tray(game: ViewerGame) -> Tray:
    """Return a computer's dice with what it is about to keep, or those that must be thrown."""
    throw, state = game.throws[-1], game.state
    shot = state.shot
    assert shot is not None
    stakes = state.ruleset, shot, cost_of_bust(state, shot.points), state.goal - state.players[state.player].score
    move, keep = game.plan or (None, None)
    kept = pick_columns(throw.by_column, keep.keep.dice) if keep else throw.kept_columns
    if throw.kept:  # a game file ends here, before the next throw
        dice = lay_left(game.throws)
    else:
        dice = lay_aside(game.aside) + lay_shown(throw, kept, has_tries=shot.tries > 0)
    tray = fill_tray(
        dice,
        shot.points,
        keep.gain if keep else 0,
        yours=game.is_yours,
        throw_number=throw.pk,
        next_columns=find_next_columns(game, throw, kept),
        hot=keep is not None and keep.left == game.state.ruleset.dice and isinstance(move, Throw),
        rules=state.ruleset,
        notes=tuple(list_notes(*stakes)),
        pause_ms=game.prefs.pause_ms,
        stands_ms=2 * game.prefs.pause_ms // 3 if keep else 0,
        seat=game.state.player + 1,
        tries_used=shot.tries,
    )
    if not game.is_yours:
        return tray
    bust_chance = chance_to_end_next(game.state, Throw())
    reason = why_not(game.state, Bank(()))
    assert reason is not None  # there is nothing on the table to keep
    return replace(
        tray,
        bank=explain_bank(shot.points, describe_obstacle(reason), game.address("bank")),
        throw=build_throw_button(shot.left, bust_chance, game.address("throw"), over=may_go_over(state.ruleset)),
    )


def find_next_columns(game: ViewerGame, throw: ThrowRow, kept: Collection[int]) -> str:
    """Return the columns thrown next, as in "256": by a computer, or after a missed try; "" for a bank."""
    if not game.plan:
        left = game.state.to_throw
    else:
        move, keep = game.plan
        if not isinstance(move, Throw):
            return ""
        left = keep.left
    if left == game.state.ruleset.dice:
        return ALL_COLUMNS[:left]
    return "".join(str(column) for column in throw.by_column if column not in kept)
