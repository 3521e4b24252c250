"""Which largest values are taken in which order, so that throws that offer much the same share the work.

Every class of throws asks for the largest of some values. The largest of a set is the larger of those of two subsets
that cover it, and most sets have such subsets among the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from game.strategy.arrays import Floats, Indices, np

# This many of the largest subsets are tried.
SUBSETS_TRIED = 12
Choices = frozenset[int]


@dataclass(frozen=True, eq=False)
class Merging:
    """The largest values of many sets of choices, as nodes.

    The first nodes are the values at `sources`; those after them, step by step of `steps`, are each the larger of two
    nodes before. `classes`: the node of each set.
    """

    sources: Indices
    steps: tuple[tuple[Indices, Indices], ...]
    classes: Indices

    @classmethod
    def of(cls, wanted: Iterable[Choices]) -> Self:
        """Plan the merging of these sets, which are not empty."""
        sets = list(wanted)
        # By set, in how many steps it is reached, and which two make it.
        depth: dict[Choices, int] = {frozenset([choice]): 0 for choice in sorted(set[int]().union(*sets))}
        made: dict[Choices, tuple[Choices, Choices]] = {}
        for choices in sorted(sets, key=len):
            _plan_set(choices, depth, made)
        order = sorted(depth, key=lambda each: (depth[each], -len(each)))
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
        """Return the values of all nodes (nodes x batch); the sources count from the row `begin` of `flat` on."""
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
    """Plan how a set is made of two others, and these where they are not planned yet."""
    if choices in depth:
        return
    subsets = sorted((known for known in depth if known < choices), key=len, reverse=True)
    for part in subsets[:SUBSETS_TRIED]:
        rest = choices - part
        covering = [other for other in subsets if rest <= other]
        if covering:
            other = min(covering, key=lambda each: depth[each])
            break
    else:
        part = subsets[0]
        other = choices - part
        _plan_set(other, depth, made)
    made[choices] = (part, other)
    depth[choices] = 1 + max(depth[part], depth[other])
