"""The tray with dice to choose from: every legal keep, and what the two buttons say once it is chosen."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext_noop, pgettext

from game.models import ThrowRow
from game.pages.parts.components import Button, KeepChoice, Tray
from game.pages.parts.dice import fill_tray, lay_aside, lay_choosable, lay_shown, write_captions
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.scoreboard import describe_standing, measure_risk
from game.pages.parts.text import format_dice, format_dice_count, name_all_dice, number, tie_dot, write_percent
from game.pages.parts.view_of_game import LegalKeep, ViewerGame
from game.rules import (
    Bank,
    IllegalMove,
    Ruleset,
    Shot,
    State,
    Throw,
    apply,
    cost_of_bust,
    nearest_keep,
    why_not,
    why_not_bank,
)
from game.rules.play.banking import is_last_throw
from game.rules.ruleset import DICE
from game.storage.columns import pick_columns


def build_choice_tray(
    state: State,
    keeps: Sequence[LegalKeep],
    throw: ThrowRow,
    aside: Mapping[int, int],
    ticked: Collection[int] | None,
    *,
    free: bool,
    address: Callable[[str], str],
    chooser: str = "",
) -> Tray:
    """Return the tray in which dice of the throw are chosen.

    `aside`: column → face of the dice set aside; `ticked`: the columns, as at the table, that the viewer chose, None
    at first; `free`: nothing is chosen at first; `address`: returns the URL of 'bank' or 'throw'; `chooser`: the name
    of the player who chooses, if the viewer only looks on.
    """
    shot, all_dice = state.shot, state.ruleset.dice
    assert shot is not None
    lying, columns = throw.by_column, {table: column for column, table in throw.table_columns.items()}
    ticked = ticked and [columns.get(column, column) for column in ticked]
    checked = find_chosen(keeps, lying, ticked, free)
    choices = {keep.key: build_keep_choice(state, shot, keep, len(aside), address, chooser) for keep in keeps}
    if free or chooser:
        choices[""] = build_no_choice(state, shot, len(aside), address)
    chosen = choices["".join(sorted(str(lying[column]) for column in checked))]
    can_bank = any(choice.bank.does for choice in choices.values())
    to_go = state.goal - state.players[state.player].score
    if chooser:
        dice = lay_shown(throw, checked)
    else:
        dice = lay_choosable(throw, state, [keep.keep for keep in keeps], checked, free)
    return fill_tray(
        lay_aside(aside) + dice,
        shot.points,
        chosen.shown - shot.points,
        hot=len(checked) + len(aside) == all_dice and chosen.throw.does,
        yours=not chooser,
        throw_number=throw.pk,
        bank=chosen.bank,
        throw=chosen.throw,
        choices=choices,
        free=free,
        seat=state.player + 1,
        tries_used=shot.tries,
        rules=state.ruleset,
        notes=tuple(list_notes(state.ruleset, shot, 0, to_go, can_bank=can_bank)),
    )


def find_chosen(
    keeps: Sequence[LegalKeep], lying: Mapping[int, int], ticked: Collection[int] | None, free: bool
) -> tuple[int, ...]:
    """Return the columns of the keep nearest to the `ticked` ones; if none is, of the best keep, or none if `free`."""
    chosen = [column for column in ticked or () if column in lying]
    if chosen:
        keep = nearest_keep([keep.keep for keep in keeps], sorted(lying[column] for column in chosen))
        return pick_columns(lying, keep.dice, chosen)
    return () if free else pick_columns(lying, find_best(keeps).keep.dice)


def find_best(keeps: Sequence[LegalKeep]) -> LegalKeep:
    """Return the best keep: one that wins, else the one that adds the most points; among equals, that of most dice."""
    return max(keeps, key=lambda keep: (keep.keep.wins, keep.gain, len(keep.keep.dice)))


def build_keep_choice(
    state: State, shot: Shot, keep: LegalKeep, before: int, address: Callable[[str], str], chooser: str
) -> KeepChoice:
    """Return what the tray says while this keep is chosen. `before`: how many dice are set aside already."""
    all_dice, over = state.ruleset.dice, may_go_over(state.ruleset)
    swept, dice = keep.left == all_dice, keep.keep.dice
    lying = 0 if swept and keep.keep.wins else keep.left
    upper, lower = write_captions(lying, 0 if lying == all_dice else before + len(dice))
    bank = build_bank_button(state, keep, address("bank"))
    if keep.keep.wins:
        throw = Button(_("Throw"), describe_win(dice), does=False, url=address("throw"))
        detail = praise_win(dice)
    else:
        cost = cost_of_bust(state, keep.points)
        throw = build_throw_button(keep.left, keep.bust or 0, address("throw"), cost, over=over)
        if swept:
            throw = replace(throw, line1=_("Throw all %(all)s") % {"all": name_all_dice(all_dice)})
        if reason := why_not(state, Throw(dice)):
            throw = replace(throw, line2=describe_obstacle(reason), does=False, meter=None)
        detail = describe_gain(state.ruleset, shot, keep, swept, bank.does)
        if swept and chooser:  # only the player at the dice is told what to do next
            detail = _("Hot dice! %(points)s so far.") % {"points": number(keep.points)}
    return KeepChoice(
        sum=number(keep.points),
        this=number(keep.gain),
        shown=keep.points,
        upper=upper,
        lower=lower,
        bank=bank,
        throw=throw,
        spoken=describe_spoken(keep, chooser, over=over),
        detail=detail,
        remark=describe_standing(state, state.player, keep.points),
        risk=measure_risk(state.goal, [player.score for player in state.players], state.player, keep.points),
    )


def may_go_over(ruleset: Ruleset) -> bool:
    """Return whether a throw may also end the turn without a bust, by going beyond an exact target."""
    return ruleset.exact == "stay"


def describe_spoken(keep: LegalKeep, chooser: str, *, over: bool) -> str:
    """Return what is announced when this keep is chosen: to the player who chooses, or to those watching `chooser`.

    `over`: the next throw may also end the turn without a bust.
    """
    if chooser and keep.bust is None:
        text = _("%(name)s keeps %(dice)s: %(total)s points at risk.")
    elif chooser and over:
        text = _(
            "%(name)s keeps %(dice)s: %(total)s points at risk. "
            "%(left)s left to throw, %(risk)s risk: bust or over the target."
        )
    elif chooser:
        text = _("%(name)s keeps %(dice)s: %(total)s points at risk. %(left)s left to throw, %(risk)s bust risk.")
    elif keep.bust is None:
        text = _("Keeping %(dice)s: %(points)s this throw, %(total)s in all.")
    elif over:
        text = _(
            "Keeping %(dice)s: %(points)s this throw, %(total)s in all. "
            "%(left)s left to throw, %(risk)s risk: bust or over the target."
        )
    else:
        text = _(
            "Keeping %(dice)s: %(points)s this throw, %(total)s in all. %(left)s left to throw, %(risk)s bust risk."
        )
    return text % {
        "name": chooser,
        "dice": format_dice(keep.keep.dice),
        "points": number(keep.gain),
        "total": number(keep.points),
        "left": keep.left,
        "risk": write_percent(keep.bust or 0),
    }


def is_six_of_a_kind(dice: Sequence[int]) -> bool:
    """Return whether the winning dice are six of a kind."""
    return len(dice) == DICE and len(set(dice)) == 1


def praise_win(dice: Sequence[int]) -> str:
    """Return the exclamation for dice that win."""
    return _("Six of a kind!") if is_six_of_a_kind(dice) else _("These dice win the game!")


def describe_win(dice: Sequence[int]) -> str:
    """Return the second line of the button that wins with these dice."""
    return _("six of a kind wins") if is_six_of_a_kind(dice) else _("these dice win")


def describe_gain(ruleset: Ruleset, shot: Shot, keep: LegalKeep, swept: bool, may_bank: bool) -> str:
    """Return the line beside the status: what the turn is worth with this keep."""
    factor = shot.factor(ruleset)
    values = {
        "k": shot.throws,
        "points": number(keep.points if swept else keep.gain),
        "all": name_all_dice(ruleset.dice),
        "n": ruleset.throws_most,
        "factor": factor,
    }
    if swept and may_bank and is_last_throw(ruleset, shot):
        return _("Hot dice! Bank %(points)s: that was your last throw.") % values
    if swept and ruleset.three_pairs_across_throws and keep.keep.with_aside:
        if may_bank:
            return _("Three pairs with your kept dice! Bank %(points)s, or throw all %(all)s again.") % values
        return _("Three pairs with your kept dice! Throw all %(all)s again: %(points)s so far.") % values
    if swept and may_bank:
        return _("Hot dice! Bank %(points)s, or throw all %(all)s again.") % values
    if swept:
        return _("Hot dice! Throw all %(all)s again: %(points)s so far.") % values
    if factor > 1:
        return (
            ngettext(
                "Throw %(k)s: %(points)s points, counted %(factor)s time",
                "Throw %(k)s: %(points)s points, counted %(factor)s times",
                factor,
            )
            % values
        )
    if ruleset.throws_most:
        return _("Throw %(k)s of %(n)s: %(points)s points") % values
    return _("Throw %(k)s: %(points)s points") % values


def list_notes(ruleset: Ruleset, shot: Shot | None, cost: int, to_go: int, *, can_bank: bool = False) -> Iterator[str]:
    """Yield what counts in this turn besides dice and points; nothing under most rules.

    `cost`: points that a bust takes off the score now; `to_go`: points from the score to the target; `can_bank`: some
    keep of the throw proves all points, and of the others the Bank button says that they don't.
    """
    if shot and shot.memory.to_prove and not can_bank:
        by = ruleset.confirm_by
        if isinstance(by, int):
            yield _("To prove: %(n)s more points") % {"n": number(shot.memory.to_prove)}
        else:
            yield _("To prove: a single die") if by == "single" else _("To prove: any keep")
    if shot and shot.memory.growing:
        yield _("Growing: %(dice)s") % {"dice": format_dice(shot.memory.growing)}
    if cost:
        yield _("A bust costs %(n)s points") % {"n": number(cost)}
    if ruleset.exact != "no":
        yield _("%(n)s to go, exactly") % {"n": number(max(0, to_go))}


def build_no_choice(state: State, shot: Shot, before: int, address: Callable[[str], str]) -> KeepChoice:
    """Return what the tray says while nothing is kept: both buttons only explain why they can't act."""
    upper, lower = write_captions(len(shot.dice), before)
    why = _(NOTHING_KEPT)
    return KeepChoice(
        sum=number(shot.points),
        this="0",
        shown=shot.points,
        upper=upper,
        lower=lower,
        bank=explain_bank(shot.points, why, address("bank")),
        throw=Button(_("Throw"), why, does=False, url=address("throw")),
        spoken=why,
        detail=_("Throw %(k)s") % {"k": shot.throws},
        remark=describe_standing(state, state.player, shot.points),
        risk=measure_risk(state.goal, [player.score for player in state.players], state.player, shot.points),
    )


def build_throw_button(dice: int, bust: float, url: str, cost: int = 0, *, over: bool) -> Button:
    """Return the button that throws this number of dice.

    `bust`: the chance, 0–1, that the throw ends the turn; `cost`: points that a bust takes off the score;
    `over`: the throw may also end the turn without a bust, beyond an exact target.
    """
    values = {"p": write_percent(bust), "n": number(cost)}
    if over:
        risk = _("%(p)s risk: over, or a bust that costs %(n)s") if cost else _("%(p)s risk: bust or over")
    else:
        risk = _("%(p)s bust risk (costs %(n)s)") if cost else _("%(p)s bust risk")
    return Button(
        _("Throw %(dice)s") % {"dice": format_dice_count(dice)},
        risk % values,
        meter=round(100 * bust, 1),
        url=url,
    )


def build_bank_button(state: State, keep: LegalKeep, url: str) -> Button:
    """Return the Bank button for this keep; where it can't act, it says why."""
    if keep.keep.wins:
        return Button(pgettext("button", "Win"), describe_win(keep.keep.dice), url=url)
    reason = why_not_bank(state, keep.keep)
    if reason is None:
        return Button(_("Bank %(points)s") % {"points": number(keep.points)}, describe_score(state, keep), url=url)
    return explain_bank(keep.points, describe_obstacle(reason), url)


def explain_bank(points: int, why: str, url: str) -> Button:
    """Return a Bank button that can't act and says why."""
    return Button(_("Bank %(points)s") % {"points": number(points)}, why, does=False, url=url)


def describe_score(state: State, keep: LegalKeep) -> str:
    """Return the second line of Bank: what the score becomes with this keep, and what that means."""
    seat, others = state.player, [p.score for i, p in enumerate(state.players) if p.active and i != state.player]
    score = state.players[seat].score + keep.points
    rival = max(others, default=0)
    values = {"score": number(score), "n": number(rival - score)}
    ends = state.final or score >= state.target or state.ruleset.ending == "rounds"
    after = apply(state, Bank(keep.keep.dice)).state if ends else state
    if after.finished:
        return _describe_end(after, seat, rival - score) % values
    if state.final_stands and len(state.players) > 1:
        if score > rival:
            return _("%(score)s · you lead") % values
        return (_("%(score)s · level") if score == rival else _("%(score)s · %(n)s behind")) % values
    if after.final:
        return _("%(score)s · final round") % values
    return _("makes %(score)s") % values


def _describe_end(after: State, seat: int, behind: int) -> str:
    """Return what a bank that ends the game means for this seat. `behind`: points up to the best score of others."""
    if after.winners == (seat,):
        return _("%(score)s · wins")
    if seat in after.winners:
        return _("%(score)s · shares the win")
    return _("%(score)s · loses by %(n)s") if behind > 0 else _("%(score)s · loses the tie")


# What the Bank button says instead, by the code of the rules' refusal.
OBSTACLES = {
    "entry_minimum": gettext_noop("First bank: %(min)s+ · %(n)s to go"),
    "bank_minimum": gettext_noop("Minimum: %(min)s · %(n)s to go"),
    "must_throw": gettext_noop("Hot dice: throw them all"),
    "tries": gettext_noop("Finish your three tries first"),
    "two_tries": gettext_noop("Finish your two tries first"),
    "throw_again": gettext_noop("These dice are thrown again"),
    "last_throw": gettext_noop("That was your last throw"),
    "bank_step": gettext_noop("Only multiples of %(step)s"),
    "unproved": gettext_noop("To prove: keep any more dice"),
    "unproved_single": gettext_noop("To prove: keep a single die"),
    "unproved_points": gettext_noop("To prove: %(min)s more points"),
    "entry_throw": gettext_noop("First bank: %(min)s+ in one throw"),
    "entry_set": gettext_noop("First bank: a combination of 3+ dice"),
    "throw_first": gettext_noop("Throw first"),
}
NOTHING_KEPT = gettext_noop("Keep a scoring die first")


def describe_obstacle(reason: IllegalMove) -> str:
    """Return the second line of a button that only explains why it can't act."""
    data = reason.data
    if reason.code == "bank_dice_left":
        most = data["most"]
        return ngettext("At most %(n)s die may be left", "At most %(n)s dice may be left", most) % {"n": most}
    need = data.get("need", 0)
    values = {"min": number(need), "n": number(need - data.get("have", 0)), "step": number(data.get("step", 0))}
    return tie_dot(_(OBSTACLES.get(reason.code, NOTHING_KEPT)) % values)


def describe_choosable_throw(game: ViewerGame) -> str:
    """Return what a screen reader says of a throw to choose from: its worth, and the risk of throwing again, if any."""
    best = find_best(game.keeps)
    values = {
        "dice": format_dice(game.throws[-1].faces),
        "kept": format_dice(best.keep.dice),
        "points": number(best.gain),
        "total": number(best.points),
        "left": format_dice_count(best.left),
        "risk": write_percent(best.bust or 0),
    }
    if best.bust is None:
        end = praise_win(best.keep.dice) if best.keep.wins else _("That was your last throw.")
        worth = _("You threw %(dice)s: keeping %(kept)s is %(points)s points, %(total)s in all.")
        return f"{worth % values} {end}"
    if may_go_over(game.state.ruleset):
        text = _(
            "You threw %(dice)s: keeping %(kept)s is %(points)s points, %(total)s in all, "
            "with %(left)s to throw. %(risk)s risk: bust or over the target."
        )
    else:
        text = _(
            "You threw %(dice)s: keeping %(kept)s is %(points)s points, %(total)s in all, "
            "with %(left)s to throw and %(risk)s bust risk."
        )
    hot = " " + _("Hot dice!") if best.left == game.state.ruleset.dice else ""
    return text % values + hot
