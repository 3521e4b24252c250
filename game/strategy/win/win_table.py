"""The solved table of a race of two."""

from __future__ import annotations

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
    """The table of a race: `chances` (planes x places x places), with `offers` where dice are picked up.

    `rough`: only estimates, good at the end of a game. `negligible`: chances of the other player that count as none.
    `precision`: in which shots are valued.
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
        """The least that a bust has to cost, as `least_stakes` says, in the final round of this race."""
        endgame = self.endgame
        return least_stakes(self.race.graph, endgame.reply, endgame.forced, endgame.risk, self.negligible)

    @cached_property
    def find_settled(self) -> Callable[[int, int, int, int], int]:
        """What `find_settled_lead` finds in this race, remembered.

        By whether the player to move has entered; the role of the other and whether they have; and how far the player
        to move is behind, in rows.
        """
        reply, most = self.endgame.reply, self.endgame.reply.max(axis=0)
        seldom = SETTLED_CHANCE if self.negligible == NO_REPLY else COARSE_SETTLED_CHANCE
        return cache(
            lambda mine, role, theirs, behind: find_settled_lead(most[mine], reply[role, theirs], behind, seldom)
        )
