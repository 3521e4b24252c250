"""Real dice: the entry pad that stands in the tray's place."""

from __future__ import annotations

from django.utils.translation import gettext as _

from game.rules.play.state import Offer
from game.views.board import Button, Pad
from game.views.board.facts import Facts
from game.views.board.words import dice_count, number


def pad(facts: Facts, value: str) -> Pad:
    """`value`: what was typed, after a refusal."""
    rules = facts.state.ruleset
    offer = facts.offer
    return Pad(
        yours=facts.yours,
        url=facts.address("points"),
        bank=Button(_("Bank"), _("the points of the whole turn")),
        bust=Button(_("Bust"), _("0 points")),
        win=Button(_("Win"), _("six alike in one throw")) if rules.six_of_a_kind_wins else None,
        pick_up=pick_up(offer) if offer else None,
        asks_left=rules.pick_up,
        value=value,
        seat=facts.state.player + 1,
    )


def pick_up(offer: Offer) -> tuple[int, str]:
    text = _("Picked up %(dice)s: the turn starts from %(points)s")
    return offer.dice, text % {"dice": dice_count(offer.dice), "points": number(offer.points)}
