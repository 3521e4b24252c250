"""The tray: two lines of dice, the points and the buttons, in each of its states."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import gettext as _

from game.models import ThrowRow
from game.models.shots import columns_of
from game.pages.parts import dice as lie
from game.pages.parts.choices import best_keep, captions, choice, explain, gain, nothing_kept, risk, throw_button
from game.pages.parts.components import Button, Die, Tray
from game.pages.parts.text import dice_count, faces, number, percent
from game.pages.parts.view_of_game import Facts
from game.rules import Keep, keeps_now, nearest_keep
from game.rules.play.state import Offer

BUST_HELD_MS = 1600  # a bust stays in sight this long before a computer goes on
TUMBLE_MS = 570  # the longest that dice take to fall: what they show is read after it


def tray(facts: Facts, ticked: Collection[int] | None) -> Tray:
    """`ticked`: columns the viewer had chosen or asked for; None for the first state after a throw."""
    if not facts.throws:
        return before_the_throw(facts)
    if facts.yours and facts.running.dice:
        return deciding(facts, ticked)
    return looking(facts)


# ── before the first throw ──


def before_the_throw(facts: Facts) -> Tray:
    """Empty recesses; or the dice of the turn before: washed after a bust, lying ready where they may be picked up."""
    offer = facts.offer
    lay = facts.previous.fallen if facts.previous else []
    thrown = lay[-1] if lay else None
    bust = facts.previous is not None and facts.previous.outcome == "bust"
    dice: list[Die] = []
    if thrown and offer:
        dice = lie.left_behind(lay)
    elif thrown and bust:
        dice = lie.old_dice(lie.aside_after(lay[:-1])) + lie.plain_dice(thrown, thrown.kept_columns)
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
        pause_ms=BUST_HELD_MS if bust and facts.prefs.pause_ms else facts.prefs.pause_ms,
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
    chance = risk(facts, offer.dice, ())
    return Button(
        _("Pick up %(dice)s") % {"dice": dice_count(offer.dice)},
        _("from %(points)s · %(p)s bust risk") % {"points": number(offer.points), "p": percent(chance)},
        meter=round(100 * chance, 1),
        url=facts.address("throw"),
    )


def advance_button(facts: Facts) -> Button | None:
    """A computer's next step, for whoever holds a seat."""
    if not facts.computer_due or not facts.mine or facts.over:
        return None
    name = facts.state.players[facts.state.player].name
    return Button(
        _("Go on"),
        _("%(name)s plays") % {"name": name},
        url=facts.address("advance"),
    )


# ── dice on the table ──


def looking(facts: Facts) -> Tray:
    """Someone else's dice, a computer's with what it is about to keep, or those of a try that missed."""
    thrown = facts.throws[-1]
    shot = facts.running
    keeping = facts.plan_keep
    kept = columns_of(thrown.by_column, keeping.dice) if keeping else ()
    old = lie.old_dice(lie.aside_after(facts.throws[:-1]))
    dice = old + lie.plain_dice(thrown, kept, "try" if shot.tries else "")
    up = sum(not (d.look == "old" or d.checked) for d in dice)
    upper, lower = captions(up, len(dice) - up)
    this = gain(facts, keeping) if keeping else 0
    again = facts.yours and not shot.dice
    return Tray(
        yours=facts.yours,
        dice=tuple(sorted(dice, key=lambda d: d.column)),
        upper=upper,
        lower=lower,
        sum=number(shot.points + this),
        earlier=number(shot.points),
        this=number(this),
        shown=shot.points + this,
        throw_number=thrown.pk,
        bank=explain(number(shot.points), _("Finish your three tries first")) if again else None,
        throw=throw_button(facts, shot.left, shot.aside, shot.tries) if again else None,
        advance=advance_button(facts),
        pause_ms=facts.prefs.pause_ms and facts.prefs.pause_ms + TUMBLE_MS,
        seat=facts.state.player + 1,
        tries_used=shot.tries or None,
    )


def deciding(facts: Facts, ticked: Collection[int] | None) -> Tray:
    return choosing(facts, facts.throws[-1], lie.aside_after(facts.throws[:-1]), ticked)


def choosing(facts: Facts, thrown: ThrowRow, kept: Mapping[int, int], ticked: Collection[int] | None) -> Tray:
    """`kept`: column → face of the dice that lie aside."""
    found = keeps_now(facts.state)
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
        return columns_of(lying, keep.dice, chosen)
    return () if free else columns_of(lying, best_keep(facts).dice)
