"""The eight rulesets of the documents: data only. Comments name the written rules that each was made from."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from game.rules.ruleset import Ruleset
from game.rules.setting_values import NO_FACES

_SINGLES = (100, 0, 0, 0, 50, 0)


def _equal_dice(ones: int, times: int) -> tuple[int, ...]:
    """Return the points of equal dice by face: `ones` for ones, `times` the face for the others."""
    return (ones, *(times * face for face in range(2, 7)))


_TRIPLES = _equal_dice(1000, 100)

_CLASSIC = Ruleset(  # "Classic 10000"
    slug="classic", name="Classic 10000", singles=_SINGLES,
    of_a_kind=(_TRIPLES, _equal_dice(2000, 200), _equal_dice(4000, 400), _equal_dice(10000, 1000)),
    straight=1500, three_pairs=1000,
    entry_minimum=500, sweep="must_throw", target_choices=(5000, 10000), ending="complete_round", tie="extra_rounds",
)  # fmt: skip

_WIKIPEDIA = Ruleset(  # "Dice 10000" in Wikipedia
    slug="wikipedia", name="Dice 10,000", singles=_SINGLES,
    of_a_kind=(_TRIPLES, _equal_dice(2000, 200), _equal_dice(4000, 400), _equal_dice(8000, 800)),
    straight=2000, three_pairs=750, six_of_a_kind_wins=True,
    entry_minimum=550, pick_up=True, target_choices=(5000, 10000),
)  # fmt: skip

_BOXCARS = replace(  # the same, "an alternative scoring set"
    _WIKIPEDIA, slug="boxcars", name="Boxcars",
    low_straight=1000, high_straight=1000, full_house=750, three_pairs_across_throws=True,
)  # fmt: skip

_POT = Ruleset(  # "The Game of 10,000"
    slug="pot", name="The Pot", singles=_SINGLES,
    of_a_kind=(_TRIPLES, _equal_dice(2000, 200), _equal_dice(3000, 300), _equal_dice(4000, 400)),
    straight=1500, three_pairs=500,
    entry_minimum=1000, target_choices=(5000, 10000), min_players=2, ante=25, bust_penalty=5,
)  # fmt: skip

_FARKLE = Ruleset(  # "Farkle"
    slug="farkle", name="Farkle", singles=_SINGLES,
    of_a_kind=(_TRIPLES, _equal_dice(2000, 200), _equal_dice(4000, 400), _equal_dice(8000, 800)),
    straight=1500, three_pairs=500,
    entry_minimum=1000, bank_minimum=350, sweep="must_throw", last_die_throws=3, target_choices=(5000, 10000),
    tie="shared", first_player="throw_for_it",
)  # fmt: skip

_FARKLE_QUICK = replace(  # the same, "to speed up the game"
    _FARKLE, slug="farkle-quick", name="Quick Farkle", entry_minimum=500, target=5000
)

_GREED = Ruleset(  # "My Dice Game", also known as Greed
    slug="greed", name="Greed", singles=_SINGLES,
    of_a_kind=(_TRIPLES, NO_FACES, NO_FACES, (10000, 3000, 3000, 3000, 3000, 3000)),
    straight=1500, three_pairs=1500, two_triplets=2500,
    entry_minimum=500, target_choices=(5000, 10000), min_players=2, max_players=2,
)  # fmt: skip

_GREED_5000 = replace(_GREED, slug="greed-5000", name="Quick Greed", target=5000)

_ALL = (_CLASSIC, _WIKIPEDIA, _BOXCARS, _POT, _FARKLE, _FARKLE_QUICK, _GREED, _GREED_5000)

PRESETS: Mapping[str, Ruleset] = MappingProxyType({ruleset.slug: ruleset for ruleset in _ALL})


class UnknownPreset(LookupError):
    """No shipped ruleset has this slug."""

    def __init__(self, slug: str) -> None:
        """Name the slug, shortened, and the existing ones."""
        super().__init__(f"There is no ruleset {slug[:40]!r}. There are: {', '.join(PRESETS)}.")


def preset(slug: str) -> Ruleset:
    """Return the shipped ruleset with this slug. Raises `UnknownPreset`, listing the existing ones."""
    if slug not in PRESETS:
        raise UnknownPreset(slug)
    return PRESETS[slug]
