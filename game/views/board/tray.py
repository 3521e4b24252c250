"""The tray: two lines of dice, the points, and what the buttons would do for every legal way to keep."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from game.rules import IllegalMove, Keep, keeps_now, nearest_keep, points_with, why_not_bank
from game.rules.play.state import Offer
from game.strategy.odds import bust_chance
from game.views.board import Button, Choice, Die, Tray
from game.views.board import dice as lie
from game.views.board.facts import Facts
from game.views.board.scores import word_line
from game.views.board.words import dice_count, faces, number, percent

BUST_HELD_MS = 1600  # a bust stays in sight this long before a computer goes on


def tray(facts: Facts, ticked: Collection[int] | None) -> Tray:
    """`ticked`: columns the viewer had chosen or asked for; None for the first state after a throw."""
    if facts.shot is None:
        return before_the_throw(facts)
    if facts.yours and facts.running.dice:
        return deciding(facts, ticked)
    return looking(facts)


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
    left = len(shot.dice) - len(keep.dice)
    if left == 0:
        return 6, ()
    return left, tuple(sorted(shot.aside + keep.dice))


def risk(facts: Facts, left: int, aside: tuple[int, ...], used: int = 0) -> float:
    """Chance 0–1 that throwing `left` dice ends in a bust, the further tries with a single die counted in."""
    chance = bust_chance(facts.state.ruleset, left, aside)
    return chance ** (facts.state.ruleset.last_die_throws - used) if left == 1 else chance


# ── before the first throw ──


def before_the_throw(facts: Facts) -> Tray:
    """Empty recesses; or the dice of the turn before: washed after a bust, lying ready where they may be picked up."""
    offer = facts.offer
    thrown = lie.last_throw(facts.previous)
    bust = facts.previous is not None and facts.previous.outcome == "bust"
    dice: list[Die] = []
    if thrown and (offer or bust):
        dice = lie.old_dice(lie.kept_before(facts.previous)) + lie.plain_dice(thrown)
    up = sum(not (d.look == "old" or d.checked) for d in dice)
    upper, lower = captions(up if dice else 6, len(dice) - up)
    return Tray(
        yours=facts.yours,
        dice=tuple(sorted(dice, key=lambda d: d.column)),
        upper=upper,
        lower=lower,
        sum="0",
        earlier="0",
        this="0",
        shown=0,
        throw_number=thrown.pk if thrown else 0,
        throw=first_throw(facts) if facts.yours else None,
        pick_up=pick_up_button(offer, facts) if offer and facts.yours else None,
        advance=advance_button(facts),
        pause_ms=max(facts.prefs.pause_ms, BUST_HELD_MS) if bust else facts.prefs.pause_ms,
        seat=facts.state.player + 1,
        lost=number(facts.previous.points) if bust and facts.previous else "",
    )


def first_throw(facts: Facts) -> Button:
    return Button(
        _("Throw %(dice)s") % {"dice": dice_count(6)},
        _("start of your turn"),
        url=facts.address("throw"),
    )


def pick_up_button(offer: Offer, facts: Facts) -> Button:
    return Button(
        _("Pick up %(dice)s") % {"dice": dice_count(offer.dice)},
        _("from %(points)s") % {"points": number(offer.points)},
        meter=round(100 * risk(facts, offer.dice, ()), 1),
        url=facts.address("throw"),
    )


def advance_button(facts: Facts) -> Button | None:
    """A computer's next step, for whoever holds a seat."""
    if not facts.computers or not facts.mine or facts.state.finished:
        return None
    name = facts.state.players[facts.state.player].name
    return Button(
        _("Go on"),
        _("%(name)s plays") % {"name": name},
        url=facts.address("advance"),
    )


# ── dice on the table ──


def looking(facts: Facts) -> Tray:
    """Someone else's dice, or those of a try that missed: nothing to choose."""
    thrown = lie.last_throw(facts.shot)
    shot = facts.running
    old = lie.old_dice(lie.kept_before(facts.shot))
    dice = old + (lie.plain_dice(thrown, "try" if shot.tries else "") if thrown else [])
    up = sum(not (d.look == "old" or d.checked) for d in dice)
    upper, lower = captions(up, len(dice) - up)
    tries = shot.tries if shot.tries else None
    again = facts.yours and not shot.dice
    return Tray(
        yours=facts.yours,
        dice=tuple(sorted(dice, key=lambda d: d.column)),
        upper=upper,
        lower=lower,
        sum=number(shot.points),
        earlier=number(shot.points),
        this="0",
        shown=shot.points,
        throw_number=thrown.pk if thrown else 0,
        bank=explain(number(shot.points), _("Finish your three tries first")) if again else None,
        throw=throw_button(facts, shot.left, shot.aside, shot.tries) if again else None,
        advance=advance_button(facts),
        pause_ms=facts.prefs.pause_ms,
        seat=facts.state.player + 1,
        tries_used=tries,
    )


def deciding(facts: Facts, ticked: Collection[int] | None) -> Tray:
    thrown = lie.last_throw(facts.shot)
    assert thrown is not None  # a state with dice on the table has their row
    found = keeps_now(facts.state)
    kept = lie.kept_before(facts.shot)
    free = facts.prefs.first == "choose"
    checked = chosen_columns(facts, found, thrown.by_column, ticked, free)
    chosen = tuple(sorted(thrown.by_column[column] for column in checked))
    choices = {faces(k.dice).replace(" ", ""): choice(facts, k, len(kept)) for k in found}
    if free:
        choices[""] = nothing_kept(facts, len(kept))
    now = choices["".join(map(str, chosen))]
    shot = facts.running
    dice = lie.choosable_dice(thrown, facts.state.ruleset, found, checked, free)
    return Tray(
        yours=True,
        dice=tuple(sorted(lie.old_dice(kept) + dice, key=lambda d: d.column)),
        upper=now.upper,
        lower=now.lower,
        sum=now.sum,
        earlier=number(shot.points),
        this=now.this,
        shown=now.shown,
        throw_number=thrown.pk,
        bank=now.bank,
        throw=now.throw,
        choices=choices,
        free=free,
        seat=facts.state.player + 1,
        tries_used=shot.tries or None,
    )


def chosen_columns(
    facts: Facts,
    found: Sequence[Keep],
    lying: dict[int, int],
    ticked: Collection[int] | None,
    free: bool,
) -> tuple[int, ...]:
    chosen = [column for column in ticked or () if column in lying]
    if chosen:
        faces_chosen = tuple(sorted(lying[column] for column in chosen))
        keep = nearest_keep(found, faces_chosen)
        return lie.columns_of(lying, keep.dice, chosen)
    return () if free else lie.columns_of(lying, best_keep(facts).dice)


def choice(facts: Facts, keep: Keep, before: int) -> Choice:
    left, aside = left_after(facts, keep)
    swept = left == 6
    upper, lower = captions(left if not swept else 0, before + len(keep.dice))
    points = points_with(facts.running, keep)
    return Choice(
        sum=number(points),
        this=number(gain(facts, keep)),
        shown=points,
        upper=upper,
        lower=lower,
        bank=bank_button(facts, keep),
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
        detail=what_it_makes(facts, keep, swept),
        word=word_line(facts.state, facts.state.player, facts.state.players[facts.state.player], points),
    )


def what_it_makes(facts: Facts, keep: Keep, swept: bool) -> str:
    if keep.wins:
        return _("Six alike.")
    if swept:
        so_far = number(points_with(facts.running, keep))
        return _("All six score. Throw them all again: %(points)s so far.") % {"points": so_far}
    return _("Throw %(k)s: %(points)s points") % {"k": facts.running.throws, "points": number(gain(facts, keep))}


def nothing_kept(facts: Facts, before: int) -> Choice:
    """Nothing is chosen yet: both buttons explain."""
    shot = facts.running
    upper, lower = captions(len(shot.dice), before)
    why = _("Keep a scoring die first")
    return Choice(
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
            return _("%(min)s needed to get in · %(n)s more") % more
        case "bank_minimum":
            return _("%(min)s needed per turn · %(n)s more") % more
        case "must_throw":
            return _("All six score: throw again")
        case "tries":
            return _("Finish your three tries first")
        case _:
            return _("Keep a scoring die first")
