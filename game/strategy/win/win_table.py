"""The solved table of a race of two."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from game.strategy.arrays import Floats, Precision
from game.strategy.win.endgame import Endgame
from game.strategy.win.offers import Offers
from game.strategy.win.race import Race
from game.strategy.win.race_bounds import (
    COARSE_SETTLED_CHANCE,
    NO_REPLY,
    SETTLED_CHANCE,
    find_settled_lead,
    least_stakes,
)


@dataclass(frozen=True, eq=False)
class WinTable:
    """The table of a race: `chances` to win (planes x places x places), with `offers` where dice are picked up.

    `rough`: whether the chances are only estimates, good enough at the end of a game. `negligible`: chances of the
    other player up to this count as 0. `precision`: the type of the numbers in which shots are valued.
    """

    race: Race
    endgame: Endgame
    chances: Floats
    offers: Offers | None = None
    rough: bool = False
    negligible: float = NO_REPLY
    precision: Precision = float

    @cached_property
    def stakes(self) -> Floats:
        """How much a bust has to cost at least in the final round of this race, from `least_stakes`."""
        endgame = self.endgame
        return least_stakes(self.race.graph, endgame.reply, endgame.forced, endgame.risk, self.negligible)

    @cached_property
    def find_settled(self) -> Callable[[int, int, int, int], int]:
        """A cached function that returns `find_settled_lead` in this race.

        Its arguments are whether the player to move has entered (0 or 1), the role of the other player, whether they
        have entered (0 or 1), and how far the player to move is behind, in rows.
        """
        reply, most = self.endgame.reply, self.endgame.reply.max(axis=0)
        seldom = SETTLED_CHANCE if self.negligible == NO_REPLY else COARSE_SETTLED_CHANCE
        return cache(
            lambda mine, role, theirs, behind: find_settled_lead(most[mine], reply[role, theirs], behind, seldom)
        )
