"""Which banks the points allow, and the scores beyond which a bank is best or further points hardly matter."""

from bisect import bisect_left
from collections.abc import Callable

from game.strategy.arrays import Flags, Floats, Indices, np
from game.strategy.turn.graph import Graph
from game.strategy.win.race import Race

# Called with the share of the work that has been done, 0 to 1.
ProgressCallback = Callable[[float], None]

# If the other player's chance is this small, a score is all but safe: larger scores hardly matter for smaller ones.
SAFE_REPLY = 1e-6
# A lead hardly matters if the chance that one player gets it, and the other makes it up again, is this small. The
# second limit is for coarse grids, and for rulesets in which busts cost points.
SETTLED_CHANCE, COARSE_SETTLED_CHANCE = 1e-8, 1e-6
# If the other player's chance is this small, it counts as 0. The second limit is for coarse grids, and for rulesets in
# which busts cost points. Leads of that size are about as rare themselves, so the error is much smaller than the limit.
NO_REPLY, COARSE_NO_REPLY = 1e-9, 1e-5


def least_scores(race: Race, entered: Flags, own: Indices) -> Indices:
    """Return the smallest scores, in rows, that players with the scores `own` can bank to."""
    return own + np.maximum(np.where(entered, race.least, race.entry), 1)


def forbid_banks(race: Race, bank: Floats, scores: Indices, own: Indices, entered: Flags) -> None:
    """Set `bank`, the values of banking to these scores (rows x … x pairs), to -1 where the points alone forbid it."""
    least = least_scores(race, entered, own)
    allowed = scores >= least
    if race.graph.period > 1:
        allowed &= (scores - own) % race.graph.period == 0
    if race.is_exact:
        # A bank that makes exactly the target needs less, and no bank goes beyond it.
        allowed = np.where(scores == race.target, entered | (scores >= least), allowed & (scores < race.target))
    np.moveaxis(bank, -1, 1)[~allowed] = -1.0


def first_below(falling: Floats, share: float) -> int:
    """Return the first place with a value of at most `share`, or the last place if none has; the values are falling."""
    return min(int(np.searchsorted(-falling, -share)), len(falling) - 1)


def find_settled_lead(mine: Floats, theirs: Floats, behind: int, chance: float = SETTLED_CHANCE) -> int:
    """Return the lead, in rows, from which on it hardly matters how large it is.

    `mine`, `theirs`: the chance of either player to make up a lead in one shot, by its rows, as in `Endgame.reply`; the
    last entry is ignored. Wins at once, which make up any lead, are left out. `behind`: how far the player to move is
    behind, in rows. `chance`: what is no more likely than this hardly matters.
    """
    last, ours, others = len(mine) - 2, mine - mine[-2:].max(), theirs - theirs[-2:].max()

    def is_settled(lead: int) -> bool:
        return bool(others[lead] * ours[min(max(lead + behind, 0), last)] <= chance)

    return bisect_left(range(last), True, key=is_settled)


def largest_reply(graph: Graph) -> float:
    """Return up to which chance of the other player, 0 to 1, a bank is the best, if a bust loses the game.

    It is half of the smallest risk of a throw, and less where even a shot with enough points may have to be thrown on.
    """
    return 0.5 * graph.least_risk if graph.is_sure_to_bank else min(0.5 * graph.least_risk, SAFE_REPLY)


def least_stakes(graph: Graph, reply: Floats, forced: Floats, risk: float, negligible: float) -> Floats:
    """Return, for each lead in rows, how much a bust has to cost at least so that a bank is the best there and beyond.

    The costs are chances to win, and fall with the lead. For graphs that are sure to bank. `reply`, `forced` (... x
    rows) and `risk` as in `Endgame`. `negligible`: chances of the other player up to this count as 0.

    Looking one throw ahead is enough: if no throw followed by a bank beats a bank, at this lead and all larger ones, no
    longer shot does. A throw risks what the bust costs, and lowers the other player's chance to that at a larger lead.
    Throws are valued as if a sweep could be banked, too. If it cannot, keeping fewer dice and banking has to be better
    than the sweep, whose value is that of `forced`. If a throw of all dice is never a bust, it is always made, and a
    sweep is worth what it brings.
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
    return np.maximum.accumulate(needed[..., ::-1], axis=-1)[..., ::-1]
