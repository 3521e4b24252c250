"""Tidies what is over: links, games that nobody began or plays any more, old keys, sessions and finished tasks."""

from typing import Any

from django.core.management.base import BaseCommand

from game.services.tidying import tidy_site


class Command(BaseCommand):
    """Tidy what is over."""

    help = "Tidy old links, keys, sessions and unused games. A worker does it every hour; run it whenever you like."

    def handle(self, *args: Any, **options: Any) -> None:
        done = [f"{count} {what}" for what, count in tidy_site().items() if count]
        self.stdout.write(", ".join(done) or "Nothing to tidy.")
