"""Tidies the site: deletes expired links, keys, sessions and finished tasks, and games that nobody began or plays."""

from typing import Any

from django.utils.translation import gettext as _

from game.database_trouble import require_database
from game.management.shell import ShellCommand
from game.pages.parts.text import number, put_label
from game.services.tidying import tidy_site


class Command(ShellCommand):
    help = "Tidy old links, keys, sessions and unused games. A worker does it every hour; run it whenever you like."

    def handle(self, *args: Any, **options: Any) -> None:
        require_database()
        done = [put_label(_(what), number(count)) for what, count in tidy_site().items() if count]
        self.stdout.write("\n".join(done) or _("Nothing to tidy."))
