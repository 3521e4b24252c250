"""A plan for finding the best choices of many classes of throws, so that classes with common choices share the work.

For every class the largest of some values is needed. The largest value of a set is the larger one of two subsets that
cover it, and most sets have such subsets among the others.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from game.strategy.arrays import Floats, Indices, np

# At most this many of the largest subsets are tried.
SUBSETS_TRIED = 12
Choices = frozenset[int]


@dataclass(frozen=True, eq=False)
class Merging:
    """The plan as nodes, each of which has the largest value of a set of choices.

    The first nodes have the values of the single choices in `sources`. The nodes of each of `steps` follow: every one
    has the larger value of two earlier nodes, its left and its right one. `classes`: the node of each wanted set.
    """

    sources: Indices
    steps: tuple[tuple[Indices, Indices], ...]
    classes: Indices

    @classmethod
    def of(cls, wanted: Iterable[Choices]) -> Self:
        """Plan the merging of these sets, which are not empty."""
        sets = list(wanted)
        # For each set, in how many steps it is reached (`depth`), and the two sets it is made of (`made`).
        depth: dict[Choices, int] = {frozenset([choice]): 0 for choice in sorted(set[int]().union(*sets))}
        made: dict[Choices, tuple[Choices, Choices]] = {}
        for choices in sorted(sets, key=len):
            _plan_set(choices, depth, made)
        order = sorted(depth, key=lambda choices: (depth[choices], -len(choices)))
        node = {choices: number for number, choices in enumerate(order)}
        steps = []
        for step in range(1, max(depth.values(), default=0) + 1):
            pairs = [[node[part] for part in made[choices]] for choices in order if depth[choices] == step]
            left, right = np.array(pairs, dtype=np.intp).T.copy()
            steps.append((left, right))
        sources = [next(iter(choices)) for choices in order if not depth[choices]]
        classes = np.array([node[choices] for choices in sets], dtype=np.intp)
        return cls(np.array(sources, dtype=np.intp), tuple(steps), classes)

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.sources) + sum(len(left) for left, _ in self.steps)

    def merge_values(self, flat: Floats, begin: int) -> Floats:
        """Return the values of all nodes (nodes x batch); the sources are offsets from `begin` in `flat`."""
        nodes = np.empty((self.size, flat.shape[1]))
        last = len(self.sources)
        flat.take(begin + self.sources, axis=0, out=nodes[:last], mode="clip")
        for left, right in self.steps:
            here = nodes[last : last + len(left)]
            nodes.take(left, axis=0, out=here, mode="clip")
            np.maximum(here, nodes.take(right, axis=0), out=here)
            last += len(left)
        return nodes


def _plan_set(choices: Choices, depth: dict[Choices, int], made: dict[Choices, tuple[Choices, Choices]]) -> None:
    """Plan how a set is made of two others; plan these as well if they are not planned yet."""
    if choices in depth:
        return
    subsets = sorted((known for known in depth if known < choices), key=len, reverse=True)
    for part in subsets[:SUBSETS_TRIED]:
        rest = choices - part
        covering = [other for other in subsets if rest <= other]
        if covering:
            other = min(covering, key=lambda subset: depth[subset])
            break
    else:
        part = subsets[0]
        other = choices - part
        _plan_set(other, depth, made)
    made[choices] = (part, other)
    depth[choices] = 1 + max(depth[part], depth[other])
