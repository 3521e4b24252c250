"""Real dice: the entry pad in the tray's place, for typed points or tapped dice."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.pages.board.real_dice_draft import Draft
from game.pages.board.real_dice_turn import Turn, gathered, play
from game.pages.board.tray import deciding
from game.pages.parts import dice as lie
from game.pages.parts.choices import captions
from game.pages.parts.components import Button, DraftFields, EntryPad, TapPad, Tray
from game.pages.parts.text import dice_count, number
from game.pages.parts.view_of_game import Facts
from game.rules import IllegalMove
from game.rules.play.state import Offer


@dataclass(frozen=True)
class Play:
    """What a turn is played with: the tray, or the pad that stands in its place; neither after the end."""

    facts: Facts  # with real dice as if those that were tapped had been thrown here
    tray: Tray | None = None
    pad: EntryPad | None = None
    points: int = 0  # of the turn, as Bank would bank them
    said: str = ""  # what the last entry came to


def pad(facts: Facts, draft: Draft, entry: str, typed: str, ticked: Collection[int] | None) -> Play:
    """`entry`: 'type' or 'tap'; `typed`: points after a refusal; `ticked`: columns of tapped dice that were chosen."""
    if entry != "tap" or not facts.yours:
        so_far = gathered(facts.state, draft)
        return Play(facts, pad=typing(facts, draft, typed, so_far), points=so_far)
    turn = tapped(facts, draft)
    seen = during(facts, turn)
    if turn.due:
        pad = replace(typing(facts, draft, typed, 0, entry), tap=tap(facts, turn))
        return Play(seen, pad=pad, points=turn.points, said=next_throw(turn))
    dice = tray(seen, turn, ticked)
    said = _("Bust: this throw scores nothing.") if turn.lost is not None else ""
    return Play(seen, dice, points=dice.shown, said=said)


def next_throw(turn: Turn) -> str:
    """What is thrown now on the table; nothing new before the first throw, and another try says so itself."""
    shot = turn.state.shot
    if not turn.throws or shot is None or shot.tries:
        return ""
    said = ngettext(
        "%(points)s so far. Throw %(n)s die, and tap it.",
        "%(points)s so far. Throw %(n)s dice, and tap them.",
        turn.due,
    )
    return said % {"n": turn.due, "points": number(turn.points)}


def typing(facts: Facts, draft: Draft, typed: str, so_far: int, entry: str = "type") -> EntryPad:
    rules = facts.state.ruleset
    offer = facts.offer
    return EntryPad(
        yours=facts.yours,
        url=facts.address("points"),
        bank=Button(_("Bank"), _("ends the turn")),
        bust=Button(_("Bust"), _("0 points")),
        add=Button(_("Add throw"), _("and go on"), url=facts.address("pad?do=add")),
        win=Button(_("Win"), _("six alike in one throw")) if rules.six_of_a_kind_wins else None,
        pick_up=pick_up(offer) if offer else None,
        picked_up=draft.pick_up,
        asks_left=rules.pick_up,
        value=typed,
        seat=facts.state.player + 1,
        so_far=so_far,
        so_far_text=_("turn %(points)s") % {"points": number(so_far)} if draft.sums else "",
        entered=entered(facts, draft, entry),
        others="" if facts.yours else waiting(facts),
    )


def waiting(facts: Facts) -> str:
    """Nothing of a turn with real dice is stored before its end."""
    text = _("%(name)s throws real dice. The turn appears here when it is entered.")
    return text % {"name": facts.name_due}


def pick_up(offer: Offer) -> tuple[int, str]:
    text = _("Picked up %(dice)s: the turn starts from %(points)s")
    return offer.dice, text % {"dice": dice_count(offer.dice), "points": number(offer.points)}


def entered(facts: Facts, draft: Draft, entry: str) -> DraftFields:
    begun = draft.sums if entry == "type" else draft.throws
    return DraftFields(
        fields=tuple(draft.fields),
        here=facts.game.get_absolute_url() + (f"?{draft.query}" if draft.query else ""),
        url=facts.address("pad"),
        entry=entry,
        back=_("Back one entry") if begun else "",
    )


# ── tapped dice ──


def tapped(facts: Facts, draft: Draft) -> Turn:
    """The turn so far; from its beginning where the rules do not allow what was sent."""
    try:
        return play(facts.state, draft)
    except IllegalMove:
        return play(facts.state, Draft(draft.turn))


def during(facts: Facts, turn: Turn) -> Facts:
    """The game as if the dice of the turn had been thrown here."""
    begun = turn.draft.throws or turn.draft.pick_up
    asked = f"{turn.draft.query}&" if begun else ""
    state = turn.state if turn.throws else facts.state
    return replace(facts, state=state, throws=turn.throws, asked=asked)


def tap(facts: Facts, turn: Turn) -> TapPad:
    """The dice that were thrown are laid down one by one, above those that are kept."""
    aside = lie.aside_after(turn.throws)
    upper, lower = captions(turn.due, len(aside))
    offer = facts.offer if not turn.throws else None
    return TapPad(
        due=turn.due,
        asks=ngettext("The face of the die you threw", "The faces of the %(n)s dice you threw, as 1 5 5", turn.due)
        % {"n": turn.due},
        columns=turn.free_columns,
        old=tuple(lie.old_dice(aside)),
        upper=upper,
        lower=lower,
        next=Button(
            ngettext("Tap %(n)s die", "Tap %(n)s dice", turn.due) % {"n": turn.due},
            ngettext("as it lies on the table", "as they lie on the table", turn.due),
        ),
        pick_up=pick_up(offer)[1] if offer else "",
    )


def tray(facts: Facts, turn: Turn, ticked: Collection[int] | None) -> Tray:
    """The dice to choose from, or those of a bust."""
    shown = lost(facts, turn) if turn.lost is not None else deciding(facts, ticked)
    return replace(
        shown,
        bank=shown.bank and replace(shown.bank, url=facts.address("points")),
        throw=shown.throw and replace(shown.throw, url=facts.address("pad?do=throw")),
        entered=entered(facts, turn.draft, "tap"),
    )


def lost(facts: Facts, turn: Turn) -> Tray:
    """A throw that scores nothing: one press ends the turn, another corrects the dice."""
    thrown = turn.throws[-1]
    dice = lie.old_dice(lie.aside_after(turn.throws[:-1])) + lie.plain_dice(thrown, ())
    upper, lower = captions(len(thrown.dice), len(dice) - len(thrown.dice))
    points = number(turn.lost or 0)
    return Tray(
        yours=True,
        dice=tuple(sorted(dice, key=lambda die: die.column)),
        upper=upper,
        lower=lower,
        sum=points,
        earlier=points,
        this="0",
        shown=0,
        throw_number=thrown.pk,
        bank=Button(_("Bust"), _("%(points)s points lost") % {"points": points}),
        seat=facts.state.player + 1,
        lost=points,
    )
