"""How far a review has come, and whether a worker is on it."""

from django.utils import timezone

from game.models import Review
from game.services import is_stuck
from game.services.reviews import REVIEW_STUCK


def find_review_state(review: Review | None) -> str:
    """Return "none", "waiting", "idle" (no worker is running), "working", "stuck" (begun and abandoned) or "done"."""
    if review is None:
        return "none"
    if review.is_done:
        return "done"
    if review.progress:
        return "stuck" if is_stuck(review) else "working"
    return "idle" if is_stuck(review) and not _is_worker_busy() else "waiting"


def _is_worker_busy() -> bool:
    """Tell whether a worker reviewed another game lately: games are reviewed one after the other."""
    return Review.objects.filter(progress__gt=0, touched__gt=timezone.now() - REVIEW_STUCK).exists()
