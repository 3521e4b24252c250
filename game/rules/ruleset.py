"""What a game is played by: every setting once, with its meaning, its limits and its default.

A setting is data. Nothing in the rules ever asks for the name of a ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from game.rules.marking import gettext_noop

FACES = (1, 2, 3, 4, 5, 6)
SIZES = (3, 4, 5, 6)
DICE = 6
POINTS_MOST = 100_000
COINS_MOST = 1_000_000
TARGET_LEAST = 1_000
TARGET_MOST = 100_000
TARGET_STEP = 50
PLAYERS_MOST = 12
STREAK_MOST = 100
RULESET_NAME_LONGEST = 60

Sweep = Literal["must_throw", "may_bank"]
Ending = Literal["complete_round", "last_shot_each", "at_once"]
Tie = Literal["extra_rounds", "leader_stands", "shared"]
FirstPlayer = Literal["seat_order", "throw_for_it"]

_NO_FACES = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Problem:
    """Something wrong with one setting: `sentence` has places for `args`, among them the setting itself."""

    setting: str
    sentence: str
    limits: Mapping[str, object] = field(default_factory=dict)

    @property
    def args(self) -> Mapping[str, object]:
        return {"setting": self.setting, **self.limits}

    def __str__(self) -> str:
        return self.sentence % self.args


class RulesetError(ValueError):
    """A ruleset that cannot be played by, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


def is_target(value: object) -> bool:
    """Whether a game can be played to this: 1,000 to 100,000 points in steps of 50."""
    return type(value) is int and TARGET_LEAST <= value <= TARGET_MOST and value % TARGET_STEP == 0


def _kind(kind: str, **limits: object) -> Mapping[str, object]:
    """What a form, the reader of game files and the check below need to know about a setting."""
    return {"kind": kind, **limits}


_POINTS = _kind("points", least=0, most=POINTS_MOST)
_COINS = _kind("coins", least=0, most=COINS_MOST)
_PLAYERS = _kind("number", least=1, most=PLAYERS_MOST)
_SWITCH = _kind("switch")


@dataclass(frozen=True)
class Ruleset:
    """Everything settled before the first throw. Values are points, 0 is "not a combination".

    Raises `RulesetError`, naming every setting that is out of its limits.
    """

    slug: str = field(default="custom", metadata=_kind("slug"))
    name: str = field(default="Custom", metadata=_kind("name"))
    # One die of each face; then 3, 4, 5 and 6 equal dice for each face.
    singles: tuple[int, ...] = field(default=_NO_FACES, metadata=_kind("faces", least=0, most=POINTS_MOST))
    of_a_kind: tuple[tuple[int, ...], ...] = field(
        default=(_NO_FACES,) * 4, metadata=_kind("grid", least=0, most=POINTS_MOST)
    )
    straight: int = field(default=0, metadata=_POINTS)
    low_straight: int = field(default=0, metadata=_POINTS)
    high_straight: int = field(default=0, metadata=_POINTS)
    full_house: int = field(default=0, metadata=_POINTS)
    three_pairs: int = field(default=0, metadata=_POINTS)
    two_triplets: int = field(default=0, metadata=_POINTS)
    four_and_two: int = field(default=0, metadata=_POINTS)
    four_and_two_is_three_pairs: bool = field(default=False, metadata=_SWITCH)
    three_pairs_across_throws: bool = field(default=False, metadata=_SWITCH)
    six_of_a_kind_wins: bool = field(default=False, metadata=_SWITCH)
    nothing_bonus: int = field(default=0, metadata=_POINTS)
    entry_minimum: int = field(default=0, metadata=_POINTS)
    bank_minimum: int = field(default=0, metadata=_POINTS)
    sweep: Sweep = field(default="may_bank", metadata=_kind("choice", choices=("must_throw", "may_bank")))
    last_die_throws: int = field(default=1, metadata=_kind("choice", choices=(1, 3)))
    pick_up: bool = field(default=False, metadata=_SWITCH)
    bust_streak: int = field(default=0, metadata=_kind("number", least=0, most=STREAK_MOST))
    bust_streak_penalty: int = field(default=0, metadata=_POINTS)
    target: int = field(default=10_000, metadata=_kind("target"))
    target_choices: tuple[int, ...] = field(default=(), metadata=_kind("targets"))
    ending: Ending = field(
        default="last_shot_each", metadata=_kind("choice", choices=("complete_round", "last_shot_each", "at_once"))
    )
    tie: Tie = field(
        default="leader_stands", metadata=_kind("choice", choices=("extra_rounds", "leader_stands", "shared"))
    )
    first_player: FirstPlayer = field(
        default="seat_order", metadata=_kind("choice", choices=("seat_order", "throw_for_it"))
    )
    min_players: int = field(default=1, metadata=_PLAYERS)
    max_players: int = field(default=PLAYERS_MOST, metadata=_PLAYERS)
    # Play money in the smallest coin of the currency. Nothing is ever charged.
    ante: int = field(default=0, metadata=_COINS)
    bust_penalty: int = field(default=0, metadata=_COINS)
    currency: str = field(default="USD", metadata=_kind("currency"))

    def __post_init__(self) -> None:
        problems = [
            problem
            for each in fields(self)
            for problem in _CHECKS[each.metadata["kind"]](each.name, getattr(self, each.name), each.metadata)
        ]
        if not problems and self.min_players > self.max_players:
            problems = [Problem("min_players", gettext_noop("%(setting)s must not be more than max_players"))]
        if problems:
            raise RulesetError(problems)
        values = tuple(getattr(self, each.name) for each in fields(self))
        object.__setattr__(self, "_hash", hash(values))

    def __hash__(self) -> int:
        """Counted once: tables of scores are looked up by ruleset at every throw."""
        return int(self.__dict__["_hash"])

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied by its settings: the number counted above holds in one process only."""
        return Ruleset.from_json, (self.to_json(),)

    def of(self, size: int, face: int) -> int:
        """Points of `size` equal dice (3 to 6) of a face."""
        return self.of_a_kind[size - 3][face - 1]

    @classmethod
    def from_json(cls, data: object) -> Ruleset:
        """The ruleset that this JSON object describes; what it leaves out has its default.

        Raises `RulesetError` naming the setting that is unknown, of a wrong type or out of its limits.
        """
        if not isinstance(data, dict):
            raise RulesetError([Problem("ruleset", gettext_noop("%(setting)s must be an object with settings"))])
        known = {each.name for each in fields(cls)}
        unknown = [Problem(_shorten(name), _UNKNOWN) for name in data if name not in known]
        if unknown:
            raise RulesetError(unknown)
        return cls(**{name: _READERS.get(name, _as_it_is)(value) for name, value in data.items()})

    def to_json(self) -> dict[str, Any]:
        """All settings, in the order of `Ruleset`, as JSON has them."""
        return {each.name: _WRITERS.get(each.name, _as_it_is)(getattr(self, each.name)) for each in fields(self)}


_UNKNOWN = gettext_noop("%(setting)s is not a setting")


def _shorten(name: object) -> str:
    return ascii(str(name)[:40])[1:-1]


def _as_it_is(value: Any) -> Any:
    return value


def _read_list(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _read_grid(value: Any) -> Any:
    """`{"3": [...], ...}` as four rows; a size that is left out is six zeros, an unknown one is kept to be refused."""
    if not isinstance(value, dict):
        return value
    unknown = [size for size in value if size not in {str(size) for size in SIZES}]
    if unknown:
        raise RulesetError([Problem(f"of_a_kind.{_shorten(unknown[0])}", _UNKNOWN)])
    return tuple(_read_list(value.get(str(size), _NO_FACES)) for size in SIZES)


def _write_grid(value: tuple[tuple[int, ...], ...]) -> dict[str, list[int]]:
    return {str(size): list(row) for size, row in zip(SIZES, value, strict=True)}


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
    return [problem for each in value for problem in _check_number(name, each, limits)][:1]


def _check_grid(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if not isinstance(value, tuple) or len(value) != len(SIZES):
        sentence = gettext_noop('%(setting)s must have a list of six numbers for each of "3", "4", "5" and "6"')
        return [Problem(name, sentence)]
    rows = zip(SIZES, value, strict=True)
    return [problem for size, row in rows for problem in _check_faces(f"{name}.{size}", row, limits)]


def _check_switch(name: str, value: Any, limits: _Limits) -> list[Problem]:
    return [] if isinstance(value, bool) else [Problem(name, gettext_noop("%(setting)s must be true or false"))]


def _check_choice(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if any(type(value) is type(choice) and value == choice for choice in limits["choices"]):
        return []
    choices = ", ".join(str(choice) for choice in limits["choices"])
    return [Problem(name, gettext_noop("%(setting)s must be one of %(choices)s"), {"choices": choices})]


def _check_target(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if is_target(value):
        return []
    sentence = gettext_noop("%(setting)s must be from %(least)s to %(most)s in steps of %(step)s")
    return [Problem(name, sentence, {"least": TARGET_LEAST, "most": TARGET_MOST, "step": TARGET_STEP})]


def _check_targets(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if not isinstance(value, tuple) or len(value) > 12:
        return [Problem(name, gettext_noop("%(setting)s must be a list of up to 12 targets"))]
    return [problem for each in value for problem in _check_target(name, each, limits)][:1]


def _check_pattern(pattern: str, sentence: str) -> _Check:
    def check(name: str, value: Any, limits: _Limits) -> list[Problem]:
        fits = isinstance(value, str) and re.fullmatch(pattern, value)
        return [] if fits else [Problem(name, sentence)]

    return check


def _check_name(name: str, value: Any, limits: _Limits) -> list[Problem]:
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
