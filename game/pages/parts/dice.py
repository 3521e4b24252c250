"""Where the dice lie: which faces stand in which of the six columns, kept or not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.utils.translation import gettext as _

from game.models import ThrowRow
from game.pages.parts.components import Die
from game.pages.parts.text import die_name, face_name, face_names, number
from game.rules import Keep, Ruleset, set_aside


def aside_after(throws: Iterable[ThrowRow]) -> dict[int, int]:
    """Return column → face of the dice that lie aside, since the last sweep, after these throws of a shot."""
    aside: tuple[tuple[int, int], ...] = ()
    for throw in throws:
        lying = throw.by_column
        aside = set_aside(aside, throw.dice, [(column, lying[column]) for column in throw.kept_columns])
    return dict(aside)


def within(part: Sequence[int], whole: Sequence[int]) -> bool:
    return all(part.count(face) <= whole.count(face) for face in part)


def die(column: int, face: int, look: str, note: str, **more: object) -> Die:
    return Die(column, face, look, die_name(column, face), note, **more)  # type: ignore[arg-type]


def old_dice(kept: Mapping[int, int]) -> list[Die]:
    return [die(column, face, "old", _("Kept earlier.")) for column, face in kept.items()]


def plain_dice(throw: ThrowRow, kept: Collection[int], mark: str = "") -> list[Die]:
    """The dice of a throw that are only shown, those in the kept columns below."""
    return [
        die(column, face, "plain", "", tumble=tumble(throw, column), checked=column in kept, mark=mark)
        for column, face in throw.by_column.items()
    ]


def left_behind(throws: Sequence[ThrowRow]) -> list[Die]:
    """The dice that may be picked up, above those that the player before kept; none after a sweep, six fresh ones."""
    last = throws[-1]
    free = [each for each in plain_dice(last, ()) if each.column not in last.kept_columns]
    return old_dice(aside_after(throws)) + free if free else []


def tumble(throw: ThrowRow, column: int) -> int:
    """One of eight angles, the same for every viewer of a throw."""
    return (throw.pk * 5 + column * 3) % 8


def choosable_dice(
    throw: ThrowRow, ruleset: Ruleset, keeps: Sequence[Keep], checked: Collection[int], free: bool
) -> list[Die]:
    """The dice that await a choice, each with what a tap on it would mean."""
    lying = throw.by_column
    chosen = [lying[column] for column in checked]
    dice = []
    for column, face in lying.items():
        ticked = column in checked
        look = look_of(face, ticked, chosen, keeps, free)
        note = _("Scores nothing now.") if look == "dead" else note_of(face, list(lying.values()), ruleset)
        dice.append(die(column, face, look, note, checked=ticked, tumble=tumble(throw, column)))
    return dice


def look_of(face: int, ticked: bool, chosen: Sequence[int], keeps: Sequence[Keep], free: bool) -> str:
    if ticked:
        rest = list(chosen)
        rest.remove(face)
        return "opt" if free or any(within(keep.dice, rest) for keep in keeps) else "must"
    more = chosen.count(face) + 1
    return "opt" if any(keep.dice.count(face) >= more for keep in keeps) else "dead"


def note_of(face: int, thrown: Sequence[int], ruleset: Ruleset) -> str:
    """What the die is worth. Whether it is optional, the page says by its look."""
    count = list(thrown).count(face)
    points = ruleset.of_a_kind[count - 3][face - 1] if count >= 3 else 0
    if points:
        return _("Part of %(count)s %(faces)s, %(points)s points.") % {
            "count": face_name(count),
            "faces": face_names(face),
            "points": number(points),
        }
    if ruleset.singles[face - 1]:
        return _("%(points)s points.") % {"points": number(ruleset.singles[face - 1])}
    return _("Part of a set.")
