"""One setting of a ruleset: how its value is read from JSON, written, and checked against its limits."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from game.rules.combinations import EFFECTS, Combination, is_pattern
from game.rules.marking import gettext_noop
from game.rules.names import is_printable

KIND_SIZES = (3, 4, 5, 6)
NO_FACES = (0, 0, 0, 0, 0, 0)
COMBINATIONS_MOST = 20
SLUG_LONGEST = 50
COMBINATION_NAME_LONGEST = 40
SETTING_POINTS_MOST = 100_000


@dataclass(frozen=True)
class Problem:
    """A fault of one setting: an English `sentence` with placeholders for `args`."""

    setting: str
    sentence: str
    limits: Mapping[str, object] = field(default_factory=dict)

    @property
    def args(self) -> Mapping[str, object]:
        """The values of the placeholders: the setting itself, and its limits."""
        return {"setting": self.setting, **self.limits}

    def __str__(self) -> str:
        """Return the sentence in English."""
        return self.sentence % self.args


class RulesetError(ValueError):
    """An invalid ruleset, with all `problems`."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Say all problems in one line."""
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


UNKNOWN = gettext_noop("%(setting)s is not a setting")


def shorten(name: object) -> str:
    """Return an unknown name fit to be shown: its first 40 characters, in ASCII."""
    return ascii(str(name)[:40])[1:-1]


def read_plain(value: Any) -> Any:
    """Return a value from JSON, a list as a tuple: so are most settings read."""
    return tuple(value) if isinstance(value, list) else value


def write_plain(value: Any) -> Any:
    """Return a value for JSON, a tuple as a list: so are most settings written."""
    return list(value) if isinstance(value, tuple) else value


def _read_grid(value: Any) -> Any:
    """Return the four rows of `{"3": [...], ...}`; a size that is left out is six zeros. Raises `RulesetError`."""
    if not isinstance(value, dict):
        return value
    unknown = [size for size in value if size not in {str(size) for size in KIND_SIZES}]
    if unknown:
        raise RulesetError([Problem(f"of_a_kind.{shorten(unknown[0])}", UNKNOWN)])
    return tuple(read_plain(value.get(str(size), NO_FACES)) for size in KIND_SIZES)


def _write_grid(value: tuple[tuple[int, ...], ...]) -> dict[str, list[int]]:
    return {str(size): list(row) for size, row in zip(KIND_SIZES, value, strict=True)}


def _read_first_player(value: Any) -> Any:
    return "throw_for_it" if value == "highest" else value


def _read_combinations(value: Any) -> Any:
    """Return the combinations that a list of objects describes. Raises `RulesetError` for an unknown key."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return value
    known = {setting.name for setting in fields(Combination)}
    for number, item in enumerate(value, 1):
        unknown = [key for key in item if key not in known]
        if unknown:
            raise RulesetError([Problem(f"combinations.{number}.{shorten(unknown[0])}", UNKNOWN)])
        empty = [key for key, part in item.items() if part is None or part == "" or (key == "cost" and part == 0)]
        if empty:
            raise RulesetError(
                [Problem(f"combinations.{number}.{empty[0]}", gettext_noop("%(setting)s must not be empty"))]
            )
    return tuple(Combination(**{"pattern": "", **item, "points": read_plain(item.get("points"))}) for item in value)


def _write_combinations(value: tuple[Combination, ...]) -> list[dict[str, Any]]:
    return [{key: write_plain(part) for key, part in vars(combination).items() if part} for combination in value]


READERS: dict[str, Callable[[Any], Any]] = {
    "of_a_kind": _read_grid, "first_player": _read_first_player, "combinations": _read_combinations,
}  # fmt: skip
WRITERS: dict[str, Callable[[Any], Any]] = {"of_a_kind": _write_grid, "combinations": _write_combinations}

_Limits = Mapping[str, Any]
_Check = Callable[[str, Any, _Limits], list[Problem]]


def _check_number(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if type(value) is int and limits["least"] <= value <= limits["most"]:
        return []
    sentence = gettext_noop("%(setting)s must be a whole number from %(least)s to %(most)s")
    return [Problem(name, sentence, {"least": limits["least"], "most": limits["most"]})]


def _check_faces(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if not isinstance(value, tuple) or len(value) != len(NO_FACES):
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


def _check_mixed(name: str, value: Any, limits: _Limits) -> list[Problem]:
    """Check a setting that takes one of a few words or a number."""
    if value in limits["choices"] if isinstance(value, str) else not _check_number(name, value, limits):
        return []
    sentence = gettext_noop("%(setting)s must be one of %(choices)s, or a whole number from %(least)s to %(most)s")
    return [Problem(name, sentence, {**limits, "choices": ", ".join(limits["choices"])})]


def _check_kinds(name: str, value: Any, limits: _Limits) -> list[Problem]:
    choices = limits["choices"]
    known = isinstance(value, tuple) and all(isinstance(kind, str) and kind in choices for kind in value)
    if known and len(set(value)) == len(value):
        return []
    sentence = gettext_noop("%(setting)s must be a list of any of %(choices)s, each once")
    return [Problem(name, sentence, {"choices": ", ".join(choices)})]


def _check_combinations(name: str, value: Any, _limits: _Limits) -> list[Problem]:
    listed = isinstance(value, tuple) and all(isinstance(combination, Combination) for combination in value)
    if not listed or len(value) > COMBINATIONS_MOST:
        sentence = gettext_noop("%(setting)s must be a list of at most %(most)s combinations")
        return [Problem(name, sentence, {"most": COMBINATIONS_MOST})]
    return [
        problem
        for number, combination in enumerate(value, 1)
        for problem in _check_combination(f"{name}.{number}", combination)
    ]


def _check_combination(name: str, combination: Combination) -> list[Problem]:
    """Check one combination by itself; its length is checked with the number of dice."""
    if not is_pattern(combination.pattern):
        sentence = gettext_noop(
            "%(setting)s must be one to six characters: digits in ascending order, then letters in order from A"
        )
        return [Problem(f"{name}.pattern", sentence)]
    if (combination.points is None) == (combination.effect is None):
        return [Problem(name, gettext_noop("%(setting)s must have points or an effect, and not both"))]
    if combination.effect is None:
        return _check_combination_points(f"{name}.points", combination) + _check_combination_rest(name, combination)
    choices = _check_choice(f"{name}.effect", combination.effect, {"choices": EFFECTS})
    return choices + _check_combination_rest(name, combination)


def _check_combination_points(name: str, combination: Combination) -> list[Problem]:
    if len(combination.pattern) == 1:
        sentence = gettext_noop(
            "%(setting)s must be for two dice or more: the points of a single die have a setting of their own"
        )
        return [Problem(name, sentence)]
    if not isinstance(combination.points, tuple):
        return _check_number(name, combination.points, {"least": 1, "most": SETTING_POINTS_MOST})
    problems = _check_faces(name, combination.points, {"least": 0, "most": SETTING_POINTS_MOST})
    if not problems and ("A" not in combination.pattern or not combination.all_dice()):
        sentence = gettext_noop(
            "%(setting)s must have a letter in the pattern, "
            "and a value above 0 for a number that the letter can stand for"
        )
        return [Problem(name, sentence)]
    return problems


def _check_combination_rest(name: str, combination: Combination) -> list[Problem]:
    problems = []
    if type(combination.cost) is not int or combination.cost:
        problems += _check_number(f"{name}.cost", combination.cost, {"least": 1, "most": SETTING_POINTS_MOST})
        if combination.effect != "bust":
            problems += [Problem(f"{name}.cost", gettext_noop('%(setting)s needs the effect "bust"'))]
    if combination.name != "":
        problems += _check_name(f"{name}.name", combination.name, {"most": COMBINATION_NAME_LONGEST})
    return problems[:1]


def _check_target(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if type(value) is int and limits["least"] <= value <= limits["most"] and value % limits["step"] == 0:
        return []
    return [Problem(name, gettext_noop("%(setting)s must be from %(least)s to %(most)s in steps of %(step)s"), limits)]


def _check_targets(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if not isinstance(value, tuple) or len(value) > limits["count"]:
        sentence = gettext_noop("%(setting)s must be a list of at most %(count)s targets")
        return [Problem(name, sentence, limits)]
    return [problem for target in value for problem in _check_target(name, target, limits)][:1]


def _check_pattern(pattern: str, sentence: str) -> _Check:
    def check(name: str, value: Any, _limits: _Limits) -> list[Problem]:
        fits = isinstance(value, str) and re.fullmatch(pattern, value)
        return [] if fits else [Problem(name, sentence)]

    return check


def _check_name(name: str, value: Any, limits: _Limits) -> list[Problem]:
    if not isinstance(value, str) or not value.strip() or len(value) > limits["most"]:
        sentence = gettext_noop("%(setting)s must have 1 to %(most)s characters")
        return [Problem(name, sentence, {"most": limits["most"]})]
    if not is_printable(value):
        return [Problem(name, gettext_noop("%(setting)s has a character that cannot be used"))]
    return []


CHECKS: dict[str, _Check] = {
    "slug": _check_pattern(
        rf"(?!.{{{SLUG_LONGEST + 1}}})[A-Za-z0-9]+([-_][A-Za-z0-9]+)*",
        gettext_noop(
            "%(setting)s must be up to 50 letters and digits, with single hyphens or underscores between them"
        ),
    ),
    "name": _check_name,
    "faces": _check_faces,
    "grid": _check_grid,
    "points": _check_number,
    "coins": _check_number,
    "number": _check_number,
    "switch": _check_switch,
    "choice": _check_choice,
    "mixed": _check_mixed,
    "kinds": _check_kinds,
    "combinations": _check_combinations,
    "target": _check_target,
    "targets": _check_targets,
    "currency": _check_pattern(r"[A-Z]{3}", gettext_noop("%(setting)s must be three capital letters, as in USD")),
}
