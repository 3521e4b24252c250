"""What became of the games in a zip file that was restored."""

from game.pages.parts.refusals import describe_flaw
from game.sentences import quote_input
from game.services import RestoreResult

REFUSED_SHOWN = 20  # files


def describe_restored(done: RestoreResult | None) -> dict[str, object]:
    """Return what the page shows of it: the first refused files, each with its reason, and how many more there are."""
    refused = done.refused if done else ()
    return {
        "done": done,
        "refused": [(quote_input(name), describe_flaw(error.problems[0])) for name, error in refused[:REFUSED_SHOWN]],
        "more_refused": max(0, len(refused) - REFUSED_SHOWN),
    }
