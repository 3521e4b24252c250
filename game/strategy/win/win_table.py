"""The solved table of a race of two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from game.strategy.turn.graph import Floats
from game.strategy.win.endgame import Endgame
from game.strategy.win.offers import Offers
from game.strategy.win.race import Race
from game.strategy.win.race_bounds import NO_REPLY, least_stakes


@dataclass(frozen=True, eq=False)
class WinTable:
    """The table of a race: `chances` (planes x places x places), with `offers` where dice are picked up.

    `rough`: only estimates, good at the end of a game. `negligible`: chances of the other player that count as none.
    """

    race: Race
    endgame: Endgame
    chances: Floats
    offers: Offers | None = None
    rough: bool = False
    negligible: float = NO_REPLY

    @cached_property
    def stakes(self) -> Floats:
        """The least that a bust has to cost, as `least_stakes` says, in the final round of this race."""
        endgame = self.endgame
        return least_stakes(self.race.graph, endgame.reply, endgame.forced, endgame.risk, self.negligible)
