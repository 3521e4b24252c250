"""Whether the best play under a ruleset is worked out, and how far along that is."""

from dataclasses import dataclass

from game.pages.parts.text import percent
from game.rules import Ruleset
from game.services.win_tables import Solving, find_solving
from game.strategy import win


@dataclass(frozen=True)
class BestPlay:
    """What a page shows of the best play. `solving`: None if nobody has asked for it yet; `ask`: the URL to ask at."""

    solving: Solving | None
    ask: str

    @property
    def share(self) -> str:
        """Return how much is worked out, as in "60%"."""
        return percent(self.solving.progress / 100 if self.solving else 0, 0)

    @property
    def is_under_way(self) -> bool:
        """Tell whether the page should look again soon."""
        return self.solving is not None and not (self.solving.done or self.solving.stuck)


def find_best_play(rules: Ruleset, ask: str) -> BestPlay | None:
    """Return how far the win table for the rules' own target is; None if it comes with the app, or can't exist."""
    if win.never_has_table(rules) or win.is_shipped(rules, rules.target):
        return None
    return BestPlay(find_solving(rules, rules.target), ask)
