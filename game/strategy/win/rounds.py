"""The chance to win for two where a number of rounds ends the game: a table for each number of shots left.

W[shots left, own entered, other entered, place] is the chance of the player to move. Scores count by their difference
alone: the place says the lead of the player to move, in rows, and of equal scores who has held theirs longer. With
each shot one less is left, so a table follows from the one before at once, and nothing depends on itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.strategy.turn.graph import Floats, Indices
from game.strategy.win.endgame import (
    Race,
    fill_values,
    find_extra_chances,
    must_throw_sweeps,
    solve_endgame,
)
from game.strategy.win.race_bounds import (
    SAFE_REPLY,
    ProgressCallback,
    first_below,
    forbid_banks,
    largest_reply,
    list_batches,
)
from game.strategy.win.win_table import WinTable

# A lead beyond this many points, plus this many for each round, is as good as decided.
LEAD_MOST, LEAD_PER_ROUND, LEAD_LIMIT = 10_000, 2_500, 60_000
# A chance this close to 0 or 1 counts as 0 or 1.
SURE = 1e-8


@dataclass(frozen=True, eq=False)
class RoundsTable(WinTable):
    """The table of a game that a number of rounds ends: `chances` as above, from no shot left to all of them."""

    @property
    def most(self) -> int:
        """The largest lead, in rows, that has a place of its own."""
        return int(self.chances.shape[-1]) // 2 - 1

    def places(self, leads: Indices, *, holds: bool) -> Indices:
        """Return the places of these leads, in rows. `holds`: who leads by nothing has held the score longer."""
        places = np.clip(leads, -self.most, self.most) + self.most
        return np.where((leads > 0) | ((leads == 0) & holds), places + 1, places)

    def mirror(self, places: Indices) -> Indices:
        """Return the places as the other player sees them."""
        mirrored: Indices = self.chances.shape[-1] - 1 - places
        return mirrored


def solve_rounds(race: Race, on_progress: ProgressCallback | None = None) -> RoundsTable:
    """Solve the tables of a game, within some 1e-8. Takes 10 to 60 s for ten rounds."""
    rounds = race.graph.ruleset.rounds
    most = min(LEAD_LIMIT, LEAD_MOST + LEAD_PER_ROUND * rounds) // race.graph.unit
    table = RoundsTable(race, solve_endgame(race), np.zeros((2 * rounds + 1, 2, 2, 2 * most + 2)))
    table.chances[0, :, :, most + 1 :] = 1.0
    if race.tie != "leader_stands":
        for entered, chance in zip((False, True), find_extra_chances(race), strict=True):
            table.chances[0, int(entered), int(entered), most : most + 2] = chance
    for left in range(1, len(table.chances)):
        for own in (0, 1):
            for other in (0, 1):
                _solve_leads(table, left, own, other)
        if on_progress:
            on_progress(left / (2 * rounds))
    return table


def _solve_leads(table: RoundsTable, left: int, own: int, other: int) -> None:
    """Solve all leads with this many shots left. Who has not entered has no points, and so no lead."""
    most, chances = table.most, table.chances[left, own, other]
    places = np.arange(2 * most + 2)
    # By what the other one makes of it: after a bust the lead is what it was.
    bust = 1 - table.chances[left - 1, other, own][table.mirror(places)]
    possible = (places <= most + 1 if not own else places >= 0) & (places >= most if not other else places >= 0)
    chances[possible] = np.where(bust > 0.5, 1.0, 0.0)[possible]
    open_places = places[possible & (bust < 1 - SURE)][::-1]
    for part in list_batches(np.ones(len(open_places), dtype=bool)):
        batch = open_places[part]
        chances[batch] = _solve_shots(table, left, own, other, batch, bust[batch])
        if chances[batch].max() < SURE:
            break


def _solve_shots(table: RoundsTable, left: int, own: int, other: int, places: Indices, bust: Floats) -> Floats:
    """Value a shot from fresh dice at each of these places."""
    race, most = table.race, table.most
    graph, leads = race.graph, np.where(places > most, places - 1, places) - most
    low = int(leads.min())
    bank = bank_values(table, left, other, np.arange(low, 2 * most + graph.reach))
    safe = SAFE_REPLY if must_throw_sweeps(graph) else 1.0
    share = np.maximum(min(largest_reply(graph), safe) * (1 - bust), SURE)
    enough = first_below(1 - bank, float(share.min()))
    top = max(enough, int(leads.max()) - low + max(race.entry, race.least, 1))
    rows = np.arange(low, low + top + graph.reach + 1)
    banks = np.repeat(bank_values(table, left, other, rows)[:, None], len(places), axis=1)
    forbid_banks(race, banks, rows, leads, np.full(len(places), bool(own)))
    values = fill_values(graph, banks, bust, begins=leads - low)
    shots: Floats = values[leads - low, race.start(bool(own)), np.arange(len(places))]
    return shots


def bank_values(table: RoundsTable, left: int, other: int, leads: Indices) -> Floats:
    """Compute the chance after a bank that makes these leads, in rows; `left`: the shots before it."""
    after = table.mirror(table.places(leads, holds=False))
    values: Floats = 1 - table.chances[left - 1, other, 1][after]
    return values
