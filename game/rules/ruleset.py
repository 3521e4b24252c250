"""The rules of a game: every setting once, with its meaning, its limits and its default.

A setting is data. Nothing in the rules ever asks for the name of a ruleset. "House rule" marks settings found in none
of the documents behind the shipped rulesets, but in many families and published analyses.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Literal, Self, get_args

from game.rules.combinations import Combination
from game.rules.marking import gettext_noop
from game.rules.setting_values import (
    CHECKS,
    NO_FACES,
    READERS,
    SETTING_POINTS_MOST,
    UNKNOWN,
    WRITERS,
    Problem,
    RulesetError,
    read_plain,
    shorten,
    write_plain,
)

DICE = 6
COINS_MOST = 1_000_000
TARGET_LEAST = 100
TARGET_MOST = 100_000
TARGET_STEP = 50
TARGET_CHOICES_MOST = 12
PLAYERS_MOST = 12
STREAK_MOST = 100
RULESET_NAME_LONGEST = 60

SweepRule = Literal["must_throw", "may_bank"]
Ending = Literal["complete_round", "last_shot_each", "at_once", "rounds"]
TieRule = Literal["extra_rounds", "leader_stands", "shared", "tied_only"]
EntryNeed = Literal["any", "singles", "set"]
FirstPlayer = Literal["seat_order", "throw_for_it", "lowest"]

# Settings that need six dice.
SIX_DICE_SETTINGS = (
    "straight", "three_pairs", "two_triplets", "four_and_two", "four_and_two_is_three_pairs",
    "three_pairs_across_throws", "six_of_a_kind_wins",
)  # fmt: skip

CONFIRM_KINDS = ("of_a_kind", "straights", "groups", "combinations", "sweep")


def _setting(kind: str, **limits: object) -> Mapping[str, object]:
    """Return the metadata of a setting, for forms, the reader of game files and the check below."""
    return {"kind": kind, **limits}


_POINTS = _setting("points", least=0, most=SETTING_POINTS_MOST)
_COINS = _setting("coins", least=0, most=COINS_MOST)
_PLAYERS = _setting("number", least=1, most=PLAYERS_MOST)
_SWITCH = _setting("switch")
_TARGET = _setting("target", least=TARGET_LEAST, most=TARGET_MOST, step=TARGET_STEP)


def _choice(*choices: object) -> Mapping[str, object]:
    return _setting("choice", choices=choices)


def _later(kind: Mapping[str, object]) -> Mapping[str, object]:
    """Mark a setting that JSON omits at its default, because it is newer than many game files."""
    return {**kind, "later": True}


_COST = _later(_POINTS)


def is_target(value: object) -> bool:
    """Return whether a game can be played to this: 100 to 100,000 points in steps of 50."""
    return not CHECKS["target"]("target", value, _TARGET)


# Settings under which more of a shot counts than its dice and points.
_SHOT_SETTINGS = frozenset(
    {
        "sets_grow", "lone_five", "confirm", "entry_in", "entry_needs", "bank_step", "bank_dice_left_most",
        "throws_most", "sweep_multiplier", "nothing", "nothing_when", "nothing_cost", "exact",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Ruleset:
    """Everything settled before the first throw.

    Points are whole numbers from 0 to 100,000; 0 means that the combination does not exist. Tuples of six are for the
    faces 1 to 6. Raises `RulesetError`, naming every setting out of its limits.
    """

    slug: str = field(default="custom", metadata=_setting("slug"))
    """Part of URLs and game files: letters and digits, single hyphens and underscores between them, at most 50."""
    name: str = field(default="Custom", metadata=_setting("name", most=RULESET_NAME_LONGEST))
    """What people call it, 1 to 60 characters."""
    singles: tuple[int, ...] = field(default=NO_FACES, metadata=_setting("faces", least=0, most=SETTING_POINTS_MOST))
    """Points of one die of each face."""
    of_a_kind: tuple[tuple[int, ...], ...] = field(
        default=(NO_FACES,) * 4, metadata=_setting("grid", least=0, most=SETTING_POINTS_MOST)
    )
    """Points of three, four, five and six equal dice of each face: four rows of six."""
    straight: int = field(default=0, metadata=_POINTS)
    """Points of 1 2 3 4 5 6."""
    low_straight: int = field(default=0, metadata=_POINTS)
    """Points of 1 2 3 4 5."""
    high_straight: int = field(default=0, metadata=_POINTS)
    """Points of 2 3 4 5 6."""
    full_house: int = field(default=0, metadata=_POINTS)
    """Points of three equal dice and two of another face."""
    three_pairs: int = field(default=0, metadata=_POINTS)
    """Points of three pairs of three different faces."""
    two_triplets: int = field(default=0, metadata=_POINTS)
    """Points of two triplets of different faces."""
    four_and_two: int = field(default=0, metadata=_POINTS)
    """Points of four equal dice and two of another face. House rule."""
    four_and_two_is_three_pairs: bool = field(default=False, metadata=_SWITCH)
    """Four and two count as three pairs, too. Off in every shipped ruleset, as the written rules leave it open."""
    three_pairs_across_throws: bool = field(default=False, metadata=_SWITCH)
    """Three pairs may be made with the dice set aside since the last sweep, whose points they replace ("Boxcars")."""
    six_of_a_kind_wins: bool = field(default=False, metadata=_SWITCH)
    """Keeping six equal dice of one throw wins the game at once."""
    nothing_bonus: int = field(default=0, metadata=_POINTS)
    """Points of a throw of all dice without any combination, which sets all of them aside. House rule."""
    entry_minimum: int = field(default=0, metadata=_POINTS)
    """The fewest points of a player's first bank, made in one shot."""
    bank_minimum: int = field(default=0, metadata=_POINTS)
    """The fewest points of any later bank."""
    sweep: SweepRule = field(default="may_bank", metadata=_choice(*get_args(SweepRule)))
    """Whether a player who has set all dice aside must throw them again, or may bank."""
    last_die_throws: int = field(default=1, metadata=_choice(1, 2, 3))
    """How often a single remaining die may be thrown before it is a bust."""
    pick_up: bool = field(default=False, metadata=_SWITCH)
    """A player may begin with the dice that the player before left, and with their points; `pick_up_by` says who."""
    bust_streak: int = field(default=0, metadata=_setting("number", least=0, most=STREAK_MOST))
    """How many busts in a row cost points, 0 for never. Off the board they count only if `below_zero` is "always"."""
    bust_streak_penalty: int = field(default=0, metadata=_POINTS)
    """How many points such a row costs; `below_zero` says whether a score can fall below 0."""
    target: int = field(default=10_000, metadata=_TARGET)
    """The score that begins the final round: 100 to 100,000 points in steps of 50."""
    target_choices: tuple[int, ...] = field(
        default=(), metadata={**_TARGET, "kind": "targets", "count": TARGET_CHOICES_MOST}
    )
    """Targets offered when a game is set up, at most twelve."""
    ending: Ending = field(default="last_shot_each", metadata=_choice(*get_args(Ending)))
    """How the game ends once somebody is at the target. Two are house rules: "at_once", by which the first there wins,
    and "rounds", by which the highest score after `rounds` rounds wins, and the target means nothing."""
    tie: TieRule = field(default="leader_stands", metadata=_choice(*get_args(TieRule)))
    """What follows from a shared highest score: extra rounds for all or, with "tied_only", for those who share it; a
    win for whoever has held it longest; or a win for all of them."""
    first_player: FirstPlayer = field(default="seat_order", metadata=_choice(*get_args(FirstPlayer)))
    """Whether the first seat begins, or each player throws a die for it, and the highest or the lowest begins."""
    min_players: int = field(default=1, metadata=_PLAYERS)
    """The fewest who can play, 1 to `max_players`."""
    max_players: int = field(default=PLAYERS_MOST, metadata=_PLAYERS)
    """The most who can play, up to 12."""
    ante: int = field(default=0, metadata=_COINS)
    """What each player pays into the pot at the start, in the smallest coin; 0 for none. Nothing is ever charged."""
    bust_penalty: int = field(default=0, metadata=_COINS)
    """What a player who has entered pays into the pot for each bust, in the smallest coin."""
    currency: str = field(default="USD", metadata=_setting("currency"))
    """The code of the currency (ISO 4217) in which the play money is shown."""
    dice: int = field(default=6, metadata=_later(_choice(6, 5)))
    """How many dice are played with: "all dice" of the other settings."""
    combinations: tuple[Combination, ...] = field(default=(), metadata=_later(_setting("combinations")))
    """Up to twenty combinations that the ruleset adds, which score, win at once, bust or eliminate."""
    sets_need_all_dice: bool = field(default=False, metadata=_later(_SWITCH))
    """Combinations of two or more dice count only in a throw of all dice."""
    sets_grow: Literal["never", "of_a_kind"] = field(default="never", metadata=_later(_choice("never", "of_a_kind")))
    """Whether dice of later throws may join three or more equal dice that were kept in one throw."""
    must_keep: Literal["one", "all"] = field(default="one", metadata=_later(_choice("one", "all")))
    """How many of the dice that score have to be kept: at least one, or as many as possible."""
    lone_five: Literal["keep", "rethrow"] = field(default="keep", metadata=_later(_choice("keep", "rethrow")))
    """Whether a throw in which only a single 5 scores is thrown again, without being a bust."""
    confirm: tuple[str, ...] = field(default=(), metadata=_later(_setting("kinds", choices=CONFIRM_KINDS)))
    """Kinds of combinations after which a shot cannot be banked until a later keep has proved it."""
    confirm_by: str | int = field(
        default="any", metadata=_later(_setting("mixed", choices=("any", "single"), least=50, most=10_000))
    )
    """What proves them: any later keep, one with a single die in it, or later keeps of this many points."""
    entry_in: Literal["shot", "throw"] = field(default="shot", metadata=_later(_choice("shot", "throw")))
    """Whether the entry minimum may be gathered over a whole shot, or has to come from one throw."""
    entry_needs: EntryNeed = field(default="any", metadata=_later(_choice(*get_args(EntryNeed))))
    """What a player who has not entered may score: "singles": only single dice; "set": anything, but a first bank needs
    a combination of at least three dice."""
    bank_step: int = field(default=0, metadata=_later(_setting("number", least=0, most=10_000)))
    """The points of a bank must be a multiple of this; 0 for any."""
    bank_dice_left_most: int = field(default=0, metadata=_later(_setting("number", least=0, most=DICE - 1)))
    """A bank may leave at most this many dice unkept; 0 for no condition."""
    throws_most: int = field(default=0, metadata=_later(_setting("number", least=0, most=20)))
    """A shot ends after this many throws; 0 for no limit."""
    sweep_multiplier: int = field(default=1, metadata=_later(_setting("number", least=1, most=6)))
    """After the first sweep of a shot keeps count twice, after the second three times, up to this many times."""
    nothing: Literal["sweep", "again"] = field(default="sweep", metadata=_later(_choice("sweep", "again")))
    """Whether `nothing_bonus` is for a keep of all dice, or is added and the dice are thrown again."""
    nothing_when: Literal["all_dice", "first_throw"] = field(
        default="all_dice", metadata=_later(_choice("all_dice", "first_throw"))
    )
    """Whether the settings on a throw of nothing apply to every throw of all dice, or only to a shot's first."""
    nothing_cost: int = field(default=0, metadata=_COST)
    """How many points a throw of all dice without any combination costs, besides being a bust."""
    bust_cost: Literal["fixed", "shot", "everything"] = field(
        default="fixed", metadata=_later(_choice("fixed", "shot", "everything"))
    )
    """What a row of busts costs: `bust_streak_penalty`, the points that the shot had gathered, or the whole score."""
    below_zero: Literal["never", "entered", "always"] = field(
        default="never", metadata=_later(_choice("never", "entered", "always"))
    )
    """Whose score a bust can take below 0: nobody's, that of players who have entered, or everybody's. Only in the last
    case do busts cost points before entering, too."""
    pick_up_by: Literal["entered", "all"] = field(default="entered", metadata=_later(_choice("entered", "all")))
    """Who may pick up: only players who have entered, or all."""
    pick_up_worth: str | int = field(
        default="banked", metadata=_later(_setting("mixed", choices=("banked",), least=1, most=SETTING_POINTS_MOST))
    )
    """How many points a picked-up shot begins with: those that were banked, or this many."""
    pick_up_cost: int = field(default=0, metadata=_COST)
    """How many points a bust costs after picking up."""
    rounds: int = field(default=0, metadata=_later(_setting("number", least=0, most=50)))
    """How many rounds a game with the ending "rounds" has."""
    exact: Literal["no", "bust", "stay"] = field(default="no", metadata=_later(_choice("no", "bust", "stay")))
    """Whether the target has to be made exactly, and if so whether a shot that goes beyond it is a bust or counts for
    nothing."""

    def __post_init__(self) -> None:
        """Check every setting, and store the hash and the two switches below."""
        problems = [
            problem
            for setting in fields(self)
            for problem in CHECKS[setting.metadata["kind"]](setting.name, getattr(self, setting.name), setting.metadata)
        ]
        if not problems:
            object.__setattr__(self, "confirm", tuple(kind for kind in CONFIRM_KINDS if kind in self.confirm))
            problems = list(find_contradictions(self))
        if problems:
            raise RulesetError(problems)
        values = tuple(getattr(self, setting.name) for setting in fields(self))
        object.__setattr__(self, "_hash", hash(values))
        object.__setattr__(self, "is_plain", not _SHOT_SETTINGS.intersection(self.later_settings()))
        entry = self.entry_in == "throw" or self.entry_needs == "set"
        object.__setattr__(self, "remembers_keeps", bool(self.confirm) or self.sweep_multiplier > 1 or entry)

    is_plain: ClassVar[bool]
    """Only the dice and points of a shot decide what may be kept and banked. Needed at every throw."""

    remembers_keeps: ClassVar[bool]
    """Earlier keeps decide what may be banked or how often points count. A set that grows is not counted here."""

    def __hash__(self) -> int:
        """Return the precomputed hash: score tables are looked up by ruleset at every throw."""
        return int(self.__dict__["_hash"])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the settings: string hashes differ between processes."""
        return Ruleset.from_json, (self.to_json(),)

    def points_for(self, size: int, face: int) -> int:
        """Return the points of `size` equal dice (3 to 6) of a face (1 to 6)."""
        return self.of_a_kind[size - 3][face - 1]

    def has_effect(self, effect: str) -> bool:
        """Return whether one of its own combinations "wins", is a "bust" or puts its player "out"."""
        return any(combination.effect == effect for combination in self.combinations)

    @property
    def combination_values(self) -> tuple[int, ...]:
        """The points, without 0, of everything that can be kept on its own."""
        sets = (self.straight, self.low_straight, self.high_straight, self.full_house, self.three_pairs)
        values = [*self.singles, *(points for row in self.of_a_kind for points in row), *sets]
        values += [self.two_triplets, self.four_and_two]
        values += [points for combination in self.combinations for points in combination.list_points()]
        return tuple(points for points in values if points)

    @property
    def kinds_to_prove(self) -> tuple[str, ...]:
        """The kinds of `confirm` that can be kept under this ruleset, with the settings of "groups" in their place."""
        groups = ("full_house", "three_pairs", "two_triplets", "four_and_two")
        worth: dict[str, bool] = {
            "of_a_kind": any(points for row in self.of_a_kind for points in row),
            "straights": any((self.straight, self.low_straight, self.high_straight)),
            "combinations": any(points for combination in self.combinations for points in combination.list_points()),
            "sweep": True,
            **{group: getattr(self, group) > 0 for group in groups},
        }
        kinds = (name for kind in self.confirm for name in (groups if kind == "groups" else (kind,)))
        return tuple(kind for kind in kinds if worth[kind])

    @property
    def after_sweep(self) -> SweepRule:
        """What follows a sweep: one that is to be proved cannot be banked, so the dice must be thrown again."""
        return "must_throw" if "sweep" in self.confirm else self.sweep

    @property
    def streak_costs(self) -> bool:
        """Whether busts in a row, or each of them, cost points."""
        return bool(self.bust_streak and (self.bust_streak_penalty or self.bust_cost != "fixed"))

    @property
    def busts_may_cost(self) -> bool:
        """Whether a bust can take points off a score."""
        costs = [combination.cost for combination in self.combinations]
        return any([self.streak_costs, self.nothing_cost, self.pick_up_cost, *costs])

    @property
    def least_first_bank(self) -> int:
        """The fewest points of a player's first bank, or of the one throw that it needs."""
        return self.entry_minimum if self.entry_in == "throw" else self._round_up_to_step(self.entry_minimum)

    @property
    def least_bank(self) -> int:
        """The fewest points of any later bank, unless it makes an exact target."""
        return self._round_up_to_step(self.bank_minimum)

    def _round_up_to_step(self, points: int) -> int:
        step = self.bank_step or 1
        return -(-points // step) * step

    @property
    def least_value(self) -> int:
        """The fewest points that anything scores, 0 if nothing does; under `exact` all scores are multiples."""
        return min(self.combination_values, default=0)

    def scale_points(self, points: int) -> int:
        """Return points of the usual scale, on which a single 1 scores 100, on this ruleset's own.

        Where single 1s score nothing, they are returned as they are.
        """
        return points * (self.singles[0] or 100) // 100

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Return the ruleset that this JSON object describes, with defaults for what it leaves out.

        Raises `RulesetError` naming the setting that is unknown, of a wrong type or out of its limits.
        """
        if not isinstance(data, dict):
            raise RulesetError([Problem("ruleset", gettext_noop("%(setting)s must be an object with settings"))])
        known = {setting.name for setting in fields(cls)}
        unknown = [Problem(shorten(name), UNKNOWN) for name in data if name not in known]
        if unknown:
            raise RulesetError(unknown)
        return cls(**{name: READERS.get(name, read_plain)(value) for name, value in data.items()})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values, in the order of `Ruleset`: the canonical form of the ruleset.

        Settings newer than many game files are left out at their default.
        """
        written = {
            setting.name: getattr(self, setting.name) for setting in fields(self) if not self._is_left_out(setting)
        }
        return {name: WRITERS.get(name, write_plain)(value) for name, value in written.items()}

    def later_settings(self) -> tuple[str, ...]:
        """Return the settings from `dice` on that differ from their default."""
        later = [setting for setting in fields(self) if "later" in setting.metadata]
        return tuple(setting.name for setting in later if not self._is_left_out(setting))

    def _is_left_out(self, setting: Field[Any]) -> bool:
        return "later" in setting.metadata and getattr(self, setting.name) == setting.default

    def playing_settings(self) -> dict[str, Any]:
        """Return the settings, with the ruleset's own combinations without their names and in a fixed order."""
        settings = self.to_json()
        if self.combinations:
            for combination in settings["combinations"]:
                combination.pop("name", None)
            settings["combinations"].sort(key=lambda one: (one["pattern"], one.get("effect", "")))
        return settings

    def bare_settings(self) -> dict[str, Any]:
        """Return the settings without any names: equal for all rulesets that play the same."""
        return {name: value for name, value in self.playing_settings().items() if name not in ("slug", "name")}

    @property
    def digest(self) -> str:
        """20 hex digits that are the same for all rulesets that play the same, whatever their names."""
        plain = json.dumps(self.bare_settings(), separators=(",", ":"))
        return hashlib.sha256(plain.encode()).hexdigest()[:20]


def find_contradictions(ruleset: Ruleset) -> Iterator[Problem]:
    """Yield contradictions between settings, each of which is within its limits."""
    if ruleset.min_players > ruleset.max_players:
        yield Problem("min_players", gettext_noop("%(setting)s must not be more than max_players"))
    yield from _check_dice(ruleset)
    yield from _check_growing(ruleset)
    yield from _check_banking(ruleset)
    yield from _check_costs(ruleset)
    yield from _check_ending(ruleset)


def _check_dice(ruleset: Ruleset) -> Iterator[Problem]:
    if ruleset.dice < 6:
        for name in SIX_DICE_SETTINGS:
            if getattr(ruleset, name):
                yield Problem(name, gettext_noop("%(setting)s needs six dice"))
        if any(ruleset.of_a_kind[3]):
            yield Problem("of_a_kind.6", gettext_noop("%(setting)s needs six dice"))
    seen = set()
    for number, combination in enumerate(ruleset.combinations, 1):
        if len(combination.pattern) > ruleset.dice:
            yield Problem(
                f"combinations.{number}.pattern", gettext_noop("%(setting)s must not be longer than the number of dice")
            )
        if (combination.pattern, combination.effect) in seen:
            yield Problem(f"combinations.{number}.pattern", gettext_noop("%(setting)s appears twice"))
        seen.add((combination.pattern, combination.effect))


def _check_growing(ruleset: Ruleset) -> Iterator[Problem]:
    grows = ruleset.sets_grow != "never"
    if ruleset.three_pairs_across_throws and (grows or ruleset.sets_need_all_dice):
        sentence = gettext_noop("%(setting)s cannot go with sets_grow or sets_need_all_dice")
        yield Problem("three_pairs_across_throws", sentence)
    if grows and ruleset.sets_need_all_dice:
        yield Problem("sets_grow", gettext_noop("%(setting)s cannot go with sets_need_all_dice"))


def _check_banking(ruleset: Ruleset) -> Iterator[Problem]:
    if ruleset.confirm_by != "any" and not ruleset.confirm:
        yield Problem("confirm_by", gettext_noop("%(setting)s can only be chosen if some points must be proved"))
    if ruleset.confirm_by == "any" and "sweep" in ruleset.confirm:
        sentence = gettext_noop(
            "%(setting)s must not include hot dice if any keep proves them; "
            "choose that all dice must be thrown again instead"
        )
        yield Problem("confirm", sentence)
    if ruleset.confirm_by == "single" and not any(ruleset.singles):
        yield Problem("confirm_by", gettext_noop("%(setting)s cannot be a single die if no single die scores"))
    if ruleset.entry_in == "throw" and not ruleset.entry_minimum:
        yield Problem("entry_in", gettext_noop("%(setting)s can only be one throw if entry_minimum is more than 0"))
    if ruleset.entry_needs == "singles" and not any(ruleset.singles):
        yield Problem("entry_needs", gettext_noop("%(setting)s cannot require single dice if no single die scores"))
    if ruleset.bank_dice_left_most >= ruleset.dice:
        yield Problem("bank_dice_left_most", gettext_noop("%(setting)s must be less than the number of dice"))


def _check_costs(ruleset: Ruleset) -> Iterator[Problem]:
    if ruleset.bust_cost != "fixed" and (not ruleset.bust_streak or ruleset.bust_streak_penalty):
        sentence = gettext_noop(
            "%(setting)s can only be something else if bust_streak is at least 1 and bust_streak_penalty is 0"
        )
        yield Problem("bust_cost", sentence)
    if ruleset.nothing_cost and (ruleset.nothing_bonus or ruleset.nothing == "again"):
        sentence = gettext_noop("%(setting)s must be 0 if such a throw scores points or is thrown again")
        yield Problem("nothing_cost", sentence)
    matters = ruleset.nothing_bonus or ruleset.nothing_cost or ruleset.nothing == "again"
    if ruleset.nothing_when != "all_dice" and not matters:
        sentence = gettext_noop(
            "%(setting)s can only be changed if a throw of nothing scores points, costs points or is thrown again"
        )
        yield Problem("nothing_when", sentence)
    for name, default in (("pick_up_by", "entered"), ("pick_up_worth", "banked"), ("pick_up_cost", 0)):
        if getattr(ruleset, name) != default and not ruleset.pick_up:
            yield Problem(name, gettext_noop("%(setting)s can only be changed if players may pick up dice"))


def _check_ending(ruleset: Ruleset) -> Iterator[Problem]:
    if ruleset.ending == "rounds" and not ruleset.rounds:
        yield Problem("rounds", gettext_noop("%(setting)s must be at least 1 if a number of rounds ends the game"))
    if ruleset.rounds and ruleset.ending != "rounds":
        yield Problem("rounds", gettext_noop("%(setting)s must be 0 unless a number of rounds ends the game"))
    if ruleset.ending == "rounds" and ruleset.target_choices:
        yield Problem("target_choices", gettext_noop("%(setting)s must be empty if a number of rounds ends the game"))
    if ruleset.exact != "no":
        yield from _check_exact(ruleset)


def _check_exact(ruleset: Ruleset) -> Iterator[Problem]:
    if ruleset.ending == "rounds":
        yield Problem("exact", gettext_noop("%(setting)s cannot be used if a number of rounds ends the game"))
    if ruleset.tie in ("extra_rounds", "tied_only"):
        sentence = gettext_noop(
            "%(setting)s needs a tie to be shared or won by the first to reach the score: "
            "in extra rounds nobody could go above the target"
        )
        yield Problem("exact", sentence)
    if ruleset.entry_minimum > ruleset.target:
        sentence = gettext_noop("%(setting)s must not be more than the target if that has to be made exactly")
        yield Problem("entry_minimum", sentence)
    if ruleset.must_keep == "all" and ruleset.lone_five == "rethrow":
        sentence = gettext_noop(
            "%(setting)s cannot be used if every die that scores must be kept and a single 5 may be thrown again"
        )
        yield Problem("exact", sentence)
    least = ruleset.least_value
    if least and any(value % least for value in _values_of_sums(ruleset)):
        sentence = gettext_noop(
            "%(setting)s needs points that are all multiples of %(least)s, the fewest that anything scores, "
            "or no sum may reach it"
        )
        yield Problem("exact", sentence, {"least": least})


def _values_of_sums(ruleset: Ruleset) -> Iterator[int]:
    """Yield all numbers that scores are made of: gains, losses, and targets."""
    yield from ruleset.combination_values
    yield from (ruleset.nothing_bonus, ruleset.bust_streak_penalty, ruleset.nothing_cost, ruleset.pick_up_cost)
    yield from (combination.cost for combination in ruleset.combinations)
    if isinstance(ruleset.pick_up_worth, int):
        yield ruleset.pick_up_worth
    yield from (ruleset.target, *ruleset.target_choices)
