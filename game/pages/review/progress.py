"""How far a review is, and whether anybody is at work on reviews at all."""

from __future__ import annotations

from django.utils import timezone

from game.models import Review
from game.services import is_stuck
from game.services.reviews import SILENT


def state_of(review: Review | None) -> str:
    """In a word: none, waiting, idle (not begun, and no worker is about), working, stuck (begun and left) or done."""
    if review is None:
        return "none"
    if review.data is not None:
        return "done"
    if review.progress:
        return "stuck" if is_stuck(review) else "working"
    return "idle" if is_stuck(review) and not others_go_on() else "waiting"


def others_go_on() -> bool:
    """Whether a worker was heard of lately: games are reviewed one after the other, and a long line takes long."""
    return Review.objects.filter(progress__gt=0, touched__gt=timezone.now() - SILENT).exists()
