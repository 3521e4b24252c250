"""What a game is played by: every setting once, with its meaning, its limits and its default.

A setting is data. Nothing in the rules ever asks for the name of a ruleset. "House rule" marks the settings that are in
none of the written rules that the shipped rulesets were made from; many families and published analyses have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from game.rules.marking import gettext_noop

FACES = (1, 2, 3, 4, 5, 6)
KIND_SIZES = (3, 4, 5, 6)
DICE = 6
SETTING_POINTS_MOST = 100_000
COINS_MOST = 1_000_000
TARGET_LEAST = 1_000
TARGET_MOST = 100_000
TARGET_STEP = 50
TARGET_CHOICES_MOST = 12
PLAYERS_MOST = 12
STREAK_MOST = 100
RULESET_NAME_LONGEST = 60

Dice = tuple[int, ...]
"""Faces from 1 to 6."""

SweepRule = Literal["must_throw", "may_bank"]
Ending = Literal["complete_round", "last_shot_each", "at_once"]
TieRule = Literal["extra_rounds", "leader_stands", "shared"]
FirstPlayer = Literal["seat_order", "throw_for_it"]

_NO_FACES = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Problem:
    """Something wrong with one setting: an English `sentence` with places for `args`."""

    setting: str
    sentence: str
    limits: Mapping[str, object] = field(default_factory=dict)

    @property
    def args(self) -> Mapping[str, object]:
        """Return what the sentence has places for: the setting itself, and its limits."""
        return {"setting": self.setting, **self.limits}

    def __str__(self) -> str:
        """Return the sentence in English."""
        return self.sentence % self.args


class RulesetError(ValueError):
    """A ruleset that cannot be played by, with all `problems`."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Say all problems in one line."""
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


def is_target(value: object) -> bool:
    """Tell whether a game can be played to this: 1,000 to 100,000 points in steps of 50."""
    return type(value) is int and TARGET_LEAST <= value <= TARGET_MOST and value % TARGET_STEP == 0


def _setting(kind: str, **limits: object) -> Mapping[str, object]:
    """Return what a form, the reader of game files and the check below need to know about a setting."""
    return {"kind": kind, **limits}


_POINTS = _setting("points", least=0, most=SETTING_POINTS_MOST)
_COINS = _setting("coins", least=0, most=COINS_MOST)
_PLAYERS = _setting("number", least=1, most=PLAYERS_MOST)
_SWITCH = _setting("switch")


@dataclass(frozen=True)
class Ruleset:
    """Everything settled before the first throw.

    Points are whole numbers from 0 to 100,000, and a combination of 0 points is none. Tuples of six are for the faces 1
    to 6. Raises `RulesetError`, naming every setting that is out of its limits.
    """

    slug: str = field(default="custom", metadata=_setting("slug"))
    """Part of addresses and game files: letters, digits, single hyphens and underscores between them, at most 50."""
    name: str = field(default="Custom", metadata=_setting("name"))
    """What people call it, 1 to 60 characters."""
    singles: tuple[int, ...] = field(default=_NO_FACES, metadata=_setting("faces", least=0, most=SETTING_POINTS_MOST))
    """Points of one die of each face."""
    of_a_kind: tuple[tuple[int, ...], ...] = field(
        default=(_NO_FACES,) * 4, metadata=_setting("grid", least=0, most=SETTING_POINTS_MOST)
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
    """Points of two times three equal dice, of different faces."""
    four_and_two: int = field(default=0, metadata=_POINTS)
    """Points of four equal dice and two of another face. House rule."""
    four_and_two_is_three_pairs: bool = field(default=False, metadata=_SWITCH)
    """Four and two count as three pairs, too. Off in every shipped ruleset, as the written rules leave it open."""
    three_pairs_across_throws: bool = field(default=False, metadata=_SWITCH)
    """Three pairs may be made with the dice set aside since the last sweep, whose points they replace ("Boxcars")."""
    six_of_a_kind_wins: bool = field(default=False, metadata=_SWITCH)
    """Keeping six equal dice of one throw wins the game at once."""
    nothing_bonus: int = field(default=0, metadata=_POINTS)
    """Points of a throw of all six dice without any combination, which sets all six aside. House rule."""
    entry_minimum: int = field(default=0, metadata=_POINTS)
    """The fewest points of a player's first bank, made in one shot."""
    bank_minimum: int = field(default=0, metadata=_POINTS)
    """The fewest points of any later bank."""
    sweep: SweepRule = field(default="may_bank", metadata=_setting("choice", choices=("must_throw", "may_bank")))
    """Whether a player who has set all six dice aside must throw them again, or may bank."""
    last_die_throws: int = field(default=1, metadata=_setting("choice", choices=(1, 3)))
    """How often a single remaining die may be thrown before it is a bust."""
    pick_up: bool = field(default=False, metadata=_SWITCH)
    """A player who has entered may begin with the dice and the points that the player before banked with."""
    bust_streak: int = field(default=0, metadata=_setting("number", least=0, most=STREAK_MOST))
    """How many busts in a row cost an entered player points; 0 for never. House rule."""
    bust_streak_penalty: int = field(default=0, metadata=_POINTS)
    """How many points those cost; a score never falls below 0. House rule."""
    target: int = field(default=10_000, metadata=_setting("target"))
    """The score that begins the final round: 1,000 to 100,000 points in steps of 50."""
    target_choices: tuple[int, ...] = field(default=(), metadata=_setting("targets"))
    """Targets offered when a game is set up, at most twelve."""
    ending: Ending = field(
        default="last_shot_each", metadata=_setting("choice", choices=("complete_round", "last_shot_each", "at_once"))
    )
    """How the game ends once somebody is at the target. "at_once", the first there wins, is a house rule."""
    tie: TieRule = field(
        default="leader_stands", metadata=_setting("choice", choices=("extra_rounds", "leader_stands", "shared"))
    )
    """What a shared highest score brings: extra rounds, a win for who has held it longest, or a win for all of them."""
    first_player: FirstPlayer = field(
        default="seat_order", metadata=_setting("choice", choices=("seat_order", "throw_for_it"))
    )
    """Whether the first seat begins, or each player throws a die for it."""
    min_players: int = field(default=1, metadata=_PLAYERS)
    """The fewest who can play, 1 to `max_players`."""
    max_players: int = field(default=PLAYERS_MOST, metadata=_PLAYERS)
    """The most who can play, up to 12."""
    ante: int = field(default=0, metadata=_COINS)
    """What each player pays into the pot at the start, in the smallest coin; 0 is no money. Nothing is ever charged."""
    bust_penalty: int = field(default=0, metadata=_COINS)
    """What each bust of an entered player pays into the pot, in the smallest coin."""
    currency: str = field(default="USD", metadata=_setting("currency"))
    """The code of the currency (ISO 4217) in which the play money is shown."""

    def __post_init__(self) -> None:
        """Check every setting, and keep the hash."""
        problems = [
            problem
            for setting in fields(self)
            for problem in _CHECKS[setting.metadata["kind"]](
                setting.name, getattr(self, setting.name), setting.metadata
            )
        ]
        if not problems and self.min_players > self.max_players:
            problems = [Problem("min_players", gettext_noop("%(setting)s must not be more than max_players"))]
        if problems:
            raise RulesetError(problems)
        values = tuple(getattr(self, setting.name) for setting in fields(self))
        object.__setattr__(self, "_hash", hash(values))

    def __hash__(self) -> int:
        """Return the hash that was computed once: tables of scores are looked up by ruleset at every throw."""
        return int(self.__dict__["_hash"])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the settings: the hash of texts differs from process to process."""
        return Ruleset.from_json, (self.to_json(),)

    def of(self, size: int, face: int) -> int:
        """Return the points of `size` equal dice (3 to 6) of a face (1 to 6)."""
        return self.of_a_kind[size - 3][face - 1]

    @classmethod
    def from_json(cls, data: object) -> Ruleset:
        """Return the ruleset that this JSON object describes; what it leaves out has its default.

        Raises `RulesetError` naming the setting that is unknown, of a wrong type or out of its limits.
        """
        if not isinstance(data, dict):
            raise RulesetError([Problem("ruleset", gettext_noop("%(setting)s must be an object with settings"))])
        known = {setting.name for setting in fields(cls)}
        unknown = [Problem(_shorten(name), _UNKNOWN) for name in data if name not in known]
        if unknown:
            raise RulesetError(unknown)
        return cls(**{name: _READERS.get(name, _as_it_is)(value) for name, value in data.items()})

    def to_json(self) -> dict[str, Any]:
        """Return all settings as values of JSON, in the order of `Ruleset`."""
        names = [setting.name for setting in fields(self)]
        return {name: _WRITERS.get(name, _as_it_is)(getattr(self, name)) for name in names}


_UNKNOWN = gettext_noop("%(setting)s is not a setting")


def _shorten(name: object) -> str:
    return ascii(str(name)[:40])[1:-1]


def _as_it_is(value: Any) -> Any:
    return value


def _read_list(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _read_grid(value: Any) -> Any:
    """Return the four rows of `{"3": [...], ...}`; a size that is left out is six zeros. Raises `RulesetError`."""
    if not isinstance(value, dict):
        return value
    unknown = [size for size in value if size not in {str(size) for size in KIND_SIZES}]
    if unknown:
        raise RulesetError([Problem(f"of_a_kind.{_shorten(unknown[0])}", _UNKNOWN)])
    return tuple(_read_list(value.get(str(size), _NO_FACES)) for size in KIND_SIZES)


def _write_grid(value: tuple[tuple[int, ...], ...]) -> dict[str, list[int]]:
    return {str(size): list(row) for size, row in zip(KIND_SIZES, value, strict=True)}


_READERS: dict[str, Callable[[Any], Any]] = {
    "singles": _read_list, "target_choices": _read_list, "of_a_kind": _read_grid,
}  # fmt: skip
_WRITERS: dict[str, Callable[[Any], Any]] = {"singles": list, "target_choices": list, "of_a_kind": _write_grid}

_Limits = Mapping[str, Any]
_Check = Callable[[str, Any, _Limits], list[Problem]]


def _check_number(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if type(value) is int and limits["least"] <= value <= limits["most"]:
        return []
    sentence = gettext_noop("%(setting)s must be a whole number from %(least)s to %(most)s")
    return [Problem(name, sentence, {"least": limits["least"], "most": limits["most"]})]


def _check_faces(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if not isinstance(value, tuple) or len(value) != len(FACES):
        return [Problem(name, gettext_noop("%(setting)s must be a list of six numbers, for the faces 1 to 6"))]
    return [problem for points in value for problem in _check_number(name, points, limits)][:1]


def _check_grid(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if not isinstance(value, tuple) or len(value) != len(KIND_SIZES):
        sentence = gettext_noop('%(setting)s must have a list of six numbers for each of "3", "4", "5" and "6"')
        return [Problem(name, sentence)]
    rows = zip(KIND_SIZES, value, strict=True)
    return [problem for size, row in rows for problem in _check_faces(f"{name}.{size}", row, limits)]


def _check_switch(name: str, value: Any, _limits: _Limits) -> list[Problem]:
    return [] if isinstance(value, bool) else [Problem(name, gettext_noop("%(setting)s must be true or false"))]


def _check_choice(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if any(type(value) is type(choice) and value == choice for choice in limits["choices"]):
        return []
    choices = ", ".join(str(choice) for choice in limits["choices"])
    return [Problem(name, gettext_noop("%(setting)s must be one of %(choices)s"), {"choices": choices})]


def _check_target(name: str, value: Any, _limits: _Limits | None = None) -> list[Problem]:
    if is_target(value):
        return []
    sentence = gettext_noop("%(setting)s must be from %(least)s to %(most)s in steps of %(step)s")
    return [Problem(name, sentence, {"least": TARGET_LEAST, "most": TARGET_MOST, "step": TARGET_STEP})]


def _check_targets(name: str, value: Any, _limits: _Limits) -> list[Problem]:
    if not isinstance(value, tuple) or len(value) > TARGET_CHOICES_MOST:
        sentence = gettext_noop("%(setting)s must be a list of at most %(most)s targets")
        return [Problem(name, sentence, {"most": TARGET_CHOICES_MOST})]
    return [problem for target in value for problem in _check_target(name, target)][:1]


def _check_pattern(pattern: str, sentence: str) -> _Check:
    def check(name: str, value: Any, _limits: _Limits) -> list[Problem]:
        fits = isinstance(value, str) and re.fullmatch(pattern, value)
        return [] if fits else [Problem(name, sentence)]

    return check


def _check_name(name: str, value: Any, _limits: _Limits) -> list[Problem]:
    if isinstance(value, str) and value.strip() and value.isprintable() and len(value) <= RULESET_NAME_LONGEST:
        return []
    sentence = gettext_noop("%(setting)s must have 1 to %(most)s characters")
    return [Problem(name, sentence, {"most": RULESET_NAME_LONGEST})]


_CHECKS: dict[str, _Check] = {
    "slug": _check_pattern(
        r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*(?<!.{51})", gettext_noop("%(setting)s must be letters, digits and hyphens")
    ),
    "name": _check_name,
    "faces": _check_faces,
    "grid": _check_grid,
    "points": _check_number,
    "coins": _check_number,
    "number": _check_number,
    "switch": _check_switch,
    "choice": _check_choice,
    "target": _check_target,
    "targets": _check_targets,
    "currency": _check_pattern(r"[A-Z]{3}", gettext_noop("%(setting)s must be three capital letters, as in USD")),
}
