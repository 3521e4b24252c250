"""Which banks the points allow, and the scores beyond which nothing else matters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.turn.graph import Graph
from game.strategy.win.race import Race

# Called with the share of the work that is done, 0 to 1.
ProgressCallback = Callable[[float], None]

# The other player's chance at which a score is all but safe: what lies beyond hardly matters for what lies before.
SAFE_REPLY = 1e-6
# Leads that somebody comes to, and the other player makes up again, as seldom as this hardly matter; on a coarse grid,
# and where busts cost points, as seldom as the second.
SETTLED_CHANCE, COARSE_SETTLED_CHANCE = 1e-8, 1e-6
# Chances of the other player as small as this count as none; on a coarse grid, and where busts cost points, those as
# small as the second: leads so large are as rare again.
NO_REPLY, COARSE_NO_REPLY = 1e-9, 1e-5


def least_scores(race: Race, entered: Flags, own: Indices) -> Indices:
    """Return the least scores, in rows, that players can bank to; `own`: theirs, and whether they have entered."""
    return own + np.maximum(np.where(entered, race.least, race.entry), 1)


def forbid_banks(race: Race, bank: Floats, scores: Indices, own: Indices, entered: Flags) -> None:
    """Set the values of banking to these scores (rows x … x pairs) to -1 where the points alone forbid it."""
    least = least_scores(race, entered, own)
    allowed = scores >= least
    if race.graph.period > 1:
        allowed &= (scores - own) % race.graph.period == 0
    if race.is_exact:
        # Exactly at the target less is asked for, and nothing is banked beyond it.
        allowed = np.where(scores == race.target, entered | (scores >= least), allowed & (scores < race.target))
    np.moveaxis(bank, -1, 1)[~allowed] = -1.0


def first_below(falling: Floats, share: float) -> int:
    """Return the first place whose value is at most this share; the last place where none is."""
    return min(int(np.searchsorted(-falling, -share)), len(falling) - 1)


def find_settled_lead(mine: Floats, theirs: Floats, behind: int, chance: float = SETTLED_CHANCE) -> int:
    """Return the lead, in rows, from which on it hardly matters how large it is.

    `mine`, `theirs`: each player's chance of making up a lead of this many rows in one shot, by the rows, as in
    `Endgame.reply`; the last one has no meaning. `behind`: how far the player to move is behind, in rows. `chance`: of
    what hardly matters. What wins at once does so at any lead.
    """
    last, ours, others = len(mine) - 2, mine - mine[-2:].max(), theirs - theirs[-2:].max()

    def is_settled(lead: int) -> bool:
        return bool(others[lead] * ours[min(max(lead + behind, 0), last)] <= chance)

    return bisect_left(range(last), True, key=is_settled)


def largest_reply(graph: Graph) -> float:
    """Return the largest chance of the other player, 0 to 1, after which a bank is the best where a bust loses.

    Half of the smallest risk of a throw; less where a shot that has enough may have to be thrown on all the same.
    """
    return 0.5 * graph.least_risk if graph.is_sure_to_bank else min(0.5 * graph.least_risk, SAFE_REPLY)


def least_stakes(graph: Graph, reply: Floats, forced: Floats, risk: float, negligible: float = NO_REPLY) -> Floats:
    """Return for each lead, in rows, how much a bust has to cost so that a bank is the best there and at larger leads.

    In chances, falling; for graphs that are sure to bank. `reply`, `forced` (... x rows) and `risk` as in `Endgame`.
    `negligible`: chances of the other player that count as none.

    One throw ahead is enough: where no throw with a bank after it beats a bank, at this lead and all larger ones, no
    longer shot does. A throw risks what the bust costs, and takes the reply from `reply` to that at a larger lead. It
    is valued as if dice after a sweep could be banked, too. Where they cannot, keeping fewer dice for a bank has to be
    better than the sweep, as `forced` takes it. Where all dice never bust they are always thrown on, and worth that.
    """
    leads, last = np.arange(reply.shape[-1]), reply.shape[-1] - 1
    needed = np.zeros(reply.shape)
    for layer in graph.layers:
        rises, columns = np.divmod(layer.choices, graph.width)
        sweeps = columns == graph.start
        free = sweeps & graph.never_busts
        most = np.where(columns == graph.win, last, np.where(free, 0, rises)).max(axis=0)
        ways = most * (last + 1) + np.where(free, rises, 0).max(axis=0)
        is_banked = (layer.columns != graph.start) | (not graph.never_busts)
        for weights, bust in zip(layer.weights[is_banked], layer.bust[is_banked], strict=True):
            steps = np.unique(ways[weights > 0])
            chances = np.array([weights[ways == step].sum() for step in steps])
            kept, swept = (np.minimum(leads[:, None] + rise, last) for rise in np.divmod(steps, last + 1))
            after = reply[..., kept]
            if graph.never_busts:
                after = np.where(swept > leads[:, None], np.minimum(after, 1 - forced[..., swept]), after)
            needed = np.maximum(needed, (reply - after @ chances) / max(float(bust), NO_REPLY))
        if not (graph.bankable[graph.start] or graph.never_busts):
            mixed = sweeps.any(axis=0) & ~sweeps.all(axis=0)
            kept, swept = (np.where(which, rises, 0).max(axis=0)[mixed] for which in (~sweeps, sweeps))
            for step, sweep in set(zip(kept.tolist(), swept.tolist(), strict=True)):
                banked, thrown = (np.minimum(leads + rise, last) for rise in (step, sweep))
                needed = np.maximum(needed, (reply[..., banked] + forced[..., thrown] - 1 + risk) / risk)
    needed[reply <= negligible] = 0.0
    falling: Floats = np.maximum.accumulate(needed[..., ::-1], axis=-1)[..., ::-1]
    return falling
