"""A ruleset in a few words: the facts on its card, the table of what scores, and how long a game takes."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import format_dice_count, format_money, name_all_dice, number
from game.pages.rulesets.face_points import describe_ones, find_formula, find_points_of_a_kind
from game.pages.rulesets.labels import LABELS, SETS, SIZES
from game.pages.rulesets.patterns import describe_combination_worth, find_sample, name_combination
from game.pages.rulesets.values import describe_goal
from game.rules import Ruleset
from game.rules.combinations import Combination
from game.rules.ruleset import DICE
from game.sentences import isolate
from game.strategy.duration import SECONDS_A_TURN, estimate_minutes, estimate_rounds

PLAYERS_USUAL = 4


@dataclass(frozen=True)
class ScoringDice:
    """A row of the scoring table: dice that show it, its name and its points."""

    dice: tuple[int, ...]
    name: str
    points: str
    ones: str = ""  # what 1s score, if they don't follow the formula in `points`


def list_distinguishing_facts(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the three facts that tell rulesets apart: the first bank, the target, and what is special."""
    entry = _("%(n)s to get on the board") if ruleset.entry_minimum else _("no opening minimum")
    if ruleset.entry_needs == "set" and not ruleset.entry_minimum:
        entry = ""  # the set that it takes is the first of the specials
    special = describe_specials(ruleset, 2)
    if not special and ruleset.straight:
        special = _("a straight scores %(n)s") % {"n": number(ruleset.straight)}
    facts = (entry % {"n": number(ruleset.least_first_bank)}, describe_end(ruleset), special)
    return tuple(filter(None, facts))


def describe_end(ruleset: Ruleset) -> str:
    """Return how long a game goes on: "play to 10,000", "10 rounds"."""
    if ruleset.ending == "rounds":
        return describe_goal(ruleset)
    text = _("play to exactly %(n)s") if ruleset.exact != "no" else _("play to %(n)s")
    return text % {"n": number(ruleset.target)}


def describe_specials(ruleset: Ruleset, most: int | None = None) -> str:
    """Return what may surprise a player about a ruleset, in a line of at most `most` facts; empty for no surprises."""
    return " · ".join(islice(list_specials(ruleset), most))


def list_specials(ruleset: Ruleset) -> Iterator[str]:
    """Yield what may surprise a player about a ruleset, the most surprising first."""
    if ruleset.entry_needs == "set":
        yield _("first bank with a combination of three dice or more")
    if ruleset.entry_needs == "singles":
        yield _("only single dice score before the first bank")
    if ruleset.dice != DICE:
        yield _("%(all)s dice") % {"all": name_all_dice(ruleset.dice)}
    if ruleset.min_players == ruleset.max_players:
        yield ngettext("for %(n)s player", "for %(n)s players", ruleset.min_players) % {"n": ruleset.min_players}
    if ruleset.three_pairs_across_throws:
        yield _("three pairs can grow over several throws")
    if ruleset.ante:
        yield _("a pot of play money: %(ante)s each") % {"ante": format_money(ruleset.ante, ruleset.currency)}
    elif ruleset.bust_penalty:
        yield _("a pot of play money: %(amount)s for each bust") % {
            "amount": format_money(ruleset.bust_penalty, ruleset.currency)
        }
    yield from _list_specials_of_play(ruleset)
    if ruleset.last_die_throws > 1:
        yield _("three tries with the last die") if ruleset.last_die_throws == 3 else _("two tries with the last die")
    if ruleset.bank_minimum:
        yield _("bank at least %(n)s") % {"n": number(ruleset.least_bank)}
    if ruleset.pick_up:
        yield _("pick up the last player’s dice")
    if ruleset.six_of_a_kind_wins:
        yield _("six of a kind wins")
    if ruleset.two_triplets:
        yield _("two triplets score %(n)s") % {"n": number(ruleset.two_triplets)}
    if ruleset.after_sweep == "must_throw":
        yield _("hot dice: you must throw again")


def _list_specials_of_play(ruleset: Ruleset) -> Iterator[str]:
    """Yield what is special about keeping, banking and paying."""
    if ruleset.entry_in == "throw":
        yield _("first bank in one throw")
    if ruleset.kinds_to_prove:
        yield _("some points must be proved")
    if ruleset.sets_grow != "never":
        yield _("sets grow over several throws")
    if ruleset.sets_need_all_dice:
        yield _("sets score with all dice only")
    if ruleset.must_keep == "all":
        yield _("keep all that scores")
    if ruleset.lone_five == "rethrow":
        yield _("a single 5 is thrown again")
    if ruleset.throws_most:
        yield ngettext("at most %(n)s throw a turn", "at most %(n)s throws a turn", ruleset.throws_most) % {
            "n": ruleset.throws_most
        }
    if ruleset.sweep_multiplier > 1:
        yield ngettext(
            "points count up to %(n)s time after hot dice",
            "points count up to %(n)s times after hot dice",
            ruleset.sweep_multiplier,
        ) % {"n": ruleset.sweep_multiplier}
    if ruleset.bank_step:
        yield _("bank in steps of %(n)s") % {"n": number(ruleset.bank_step)}
    if ruleset.bank_dice_left_most:
        yield _("bank with at most %(dice)s left") % {"dice": format_dice_count(ruleset.bank_dice_left_most)}
    if ruleset.streak_costs:
        yield _("busts cost points") if ruleset.bust_streak == 1 else _("busts in a row cost points")
    elif ruleset.busts_may_cost:
        yield _("some busts cost points")
    if ruleset.combinations:
        yield _("combinations of its own")


def list_scoring_dice(ruleset: Ruleset, *, named: bool = True) -> tuple[ScoringDice, ...]:
    """Return the table of what scores, the smallest sets first.

    `named`: False if users' own names for combinations may not be shown.
    """
    singles = (
        ScoringDice((face,), _("Each %(face)s") % {"face": face}, number(points))
        for face, points in enumerate(ruleset.singles, 1)
        if points
    )
    sets = (
        ScoringDice(combination.dice, str(combination.name), number(points))
        for combination in SETS
        if (points := getattr(ruleset, combination.setting))
    )
    own = (
        ScoringDice(
            find_sample(combination), _caption_combination(combination, named), describe_combination_worth(combination)
        )
        for combination in ruleset.combinations
    )
    bonus = ruleset.nothing_bonus
    nothing = (ScoringDice((), str(LABELS["nothing_bonus"]), number(bonus)),) if bonus else ()
    return (*singles, *_list_of_a_kind(ruleset), *sets, *own, *nothing)


def _caption_combination(combination: Combination, named: bool) -> str:
    """Return a combination's name; also that other dice like those shown make it, if the name is its own."""
    name, dice = name_combination(combination, named=named), name_combination(combination, named=False)
    return name if name == dice or combination.pattern.isdigit() else f"{isolate(name)} ({dice})"


def _list_of_a_kind(ruleset: Ruleset) -> Iterator[ScoringDice]:
    for size in range(3, ruleset.dice + 1):
        name, points = str(SIZES[str(size)]), find_points_of_a_kind(ruleset, size)
        if size == 6 and ruleset.six_of_a_kind_wins:
            yield ScoringDice((6,) * 6, name, _("wins"))
        elif formula := find_formula(points):
            yield ScoringDice((3,) * size, name, formula, describe_ones(points))
        else:
            for face in range(1, 7):
                if points[face - 1]:
                    yield ScoringDice((face,) * size, name, number(points[face - 1]))


def list_card_facts(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the facts that tell rulesets apart when choosing one, and how long a game takes unless nothing scores."""
    facts, words = list_distinguishing_facts(ruleset), _describe_duration(ruleset)
    return (*facts, _("about %(minutes)s minutes for %(players)s") % words) if words else facts


def explain_duration(ruleset: Ruleset) -> str:
    """Return how long a game takes in a sentence that says what it assumes; empty where nothing scores."""
    words = _describe_duration(ruleset)
    if not words:
        return ""
    return _("About %(minutes)s minutes for %(players)s: %(rounds)s, at the usual %(seconds)s seconds a turn.") % words


def _describe_duration(ruleset: Ruleset) -> dict[str, str]:
    """Return a game's length in words, for the usual number of players if allowed; empty if nothing scores."""
    players = max(ruleset.min_players, min(ruleset.max_players, PLAYERS_USUAL))
    minutes = estimate_minutes(ruleset, players)
    if minutes is None:
        return {}
    rounds = estimate_rounds(ruleset) or 0
    return {
        "minutes": number(minutes),
        "players": ngettext("%(n)s player", "%(n)s players", players) % {"n": number(players)},
        "rounds": ngettext("%(n)s round", "%(n)s rounds", rounds) % {"n": number(rounds)},
        "seconds": number(SECONDS_A_TURN),
    }
