"""Every legal way to keep, and what the tray and its two buttons say when it is chosen."""

from __future__ import annotations

from django.utils.translation import gettext as _

from game.pages.parts.components import Button, KeepChoice
from game.pages.parts.scoreboard import word_line
from game.pages.parts.text import dice_count, faces, number, percent
from game.pages.parts.view_of_game import Facts
from game.rules import IllegalMove, Keep, dice_left, keeps_now, points_with, set_aside, why_not_bank
from game.strategy.odds import bust_chance


def captions(upper: int, lower: int) -> tuple[str, str]:
    return (
        _("To throw · %(dice)s") % {"dice": dice_count(upper)},
        _("Kept · %(dice)s") % {"dice": dice_count(lower)},
    )


def gain(facts: Facts, keep: Keep) -> int:
    """What a keep adds to the points of the shot; a set over dice kept before replaces their points."""
    return points_with(facts.running, keep) - facts.running.points


def best_keep(facts: Facts) -> Keep:
    """All that scores: the most points, and of equal ones the most dice."""
    found = keeps_now(facts.state)
    return max(found, key=lambda keep: (keep.wins, gain(facts, keep), len(keep.dice)))


def left_after(facts: Facts, keep: Keep) -> tuple[int, tuple[int, ...]]:
    """Dice for the next throw, and those that then lie aside."""
    shot = facts.running
    return dice_left(shot.dice, keep.dice), set_aside(shot.aside, shot.dice, keep.dice)


def risk(facts: Facts, left: int, aside: tuple[int, ...], used: int = 0) -> float:
    """Chance 0–1 that throwing `left` dice ends in a bust, the further tries with a single die counted in."""
    chance = bust_chance(facts.state.ruleset, left, aside)
    return chance ** (facts.state.ruleset.last_die_throws - used) if left == 1 else chance


def choice(facts: Facts, keep: Keep, before: int) -> KeepChoice:
    left, aside = left_after(facts, keep)
    swept = left == 6
    upper, lower = captions(left if not swept else 0, before + len(keep.dice))
    points = points_with(facts.running, keep)
    bank = bank_button(facts, keep)
    return KeepChoice(
        sum=number(points),
        this=number(gain(facts, keep)),
        shown=points,
        upper=upper,
        lower=lower,
        bank=bank,
        throw=throw_button(facts, left, aside, 0, keep),
        spoken=_(
            "Keeping %(dice)s: %(points)s this throw, %(total)s in all. %(left)s left to throw, %(risk)s bust risk."
        )
        % {
            "dice": faces(keep.dice),
            "points": number(gain(facts, keep)),
            "total": number(points),
            "left": left,
            "risk": percent(risk(facts, left, aside)),
        },
        detail=what_it_makes(facts, keep, swept, bank.does),
        word=word_line(facts.state, facts.state.player, facts.state.players[facts.state.player], points),
    )


def what_it_makes(facts: Facts, keep: Keep, swept: bool, may_bank: bool) -> str:
    if keep.wins:
        return _("Six alike.")
    so_far = number(points_with(facts.running, keep))
    if swept and may_bank:
        return _("All six score: bank %(points)s, or throw them all again.") % {"points": so_far}
    if swept:
        return _("All six score. Throw them all again: %(points)s so far.") % {"points": so_far}
    return _("Throw %(k)s: %(points)s points") % {"k": facts.running.throws, "points": number(gain(facts, keep))}


def nothing_kept(facts: Facts, before: int) -> KeepChoice:
    """Nothing is chosen yet: both buttons explain."""
    shot = facts.running
    upper, lower = captions(len(shot.dice), before)
    why = _("Keep a scoring die first")
    return KeepChoice(
        sum=number(shot.points),
        this="0",
        shown=shot.points,
        upper=upper,
        lower=lower,
        bank=explain(number(shot.points), why, facts.address("bank")),
        throw=Button(_("Throw"), why, does=False, url=facts.address("throw")),
        spoken=why,
        detail=_("Throw %(k)s") % {"k": shot.throws},
        word=word_line(facts.state, facts.state.player, facts.state.players[facts.state.player], shot.points),
    )


def explain(points: str, why: str, url: str = "") -> Button:
    return Button(_("Bank %(points)s") % {"points": points}, why, does=False, url=url)


def throw_button(facts: Facts, left: int, aside: tuple[int, ...], used: int = 0, keep: Keep | None = None) -> Button:
    if keep and keep.wins:
        return Button(_("Throw"), _("six alike win at once"), does=False, url=facts.address("throw"))
    chance = risk(facts, left, aside, used)
    return Button(
        _("Throw %(dice)s") % {"dice": dice_count(left)},
        _("%(p)s bust risk") % {"p": percent(chance)},
        meter=round(100 * chance, 1),
        url=facts.address("throw"),
    )


def bank_button(facts: Facts, keep: Keep) -> Button:
    """What Bank does with this keep, or why it cannot."""
    points = points_with(facts.running, keep)
    url = facts.address("bank")
    if keep.wins:
        return Button(_("Win"), _("six alike win at once"), url=url)
    reason = why_not_bank(facts.state, keep)
    if reason is None:
        return Button(_("Bank %(points)s") % {"points": number(points)}, makes(facts, points), url=url)
    return explain(number(points), bank_reason(reason), url)


def makes(facts: Facts, points: int) -> str:
    """The second line of Bank: what the score becomes, and what that means."""
    state = facts.state
    score = state.players[state.player].score + points
    said = {"score": number(score)}
    best = max((p.score for i, p in enumerate(state.players) if p.active and i != state.player), default=0)
    if state.final and len(state.players) > 1:
        if score > best:
            return _("makes %(score)s · you lead") % said
        if score == best:
            return _("makes %(score)s · level") % said
        return _("%(score)s · %(n)s behind") % {**said, "n": number(best - score)}
    if score >= state.target:
        if state.ruleset.ending == "at_once" or len(state.players) == 1:
            return _("makes %(score)s · wins") % said
        return _("makes %(score)s · final round") % said
    return _("makes %(score)s") % said


def bank_reason(reason: IllegalMove) -> str:
    """The second line of a Bank button that only explains."""
    need, have = reason.data.get("need", 0), reason.data.get("have", 0)
    more = {"min": number(need), "n": number(need - have)}
    match reason.code:
        case "entry_minimum":
            return _("%(min)s needed to get in · %(n)s more") % more
        case "bank_minimum":
            return _("%(min)s needed per turn · %(n)s more") % more
        case "must_throw":
            return _("All six score: throw again")
        case "tries":
            return _("Finish your three tries first")
        case _:
            return _("Keep a scoring die first")
