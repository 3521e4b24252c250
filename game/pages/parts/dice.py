"""Where the dice lie: which face is in which of the six columns, kept or not; and the tray that holds them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from game.models import ShotRow, ThrowRow
from game.pages.parts.components import Die, Tray
from game.pages.parts.language import gettext as _
from game.pages.parts.text import format_dice_count, name_die, number
from game.rules import Keep, Ruleset, State, set_aside
from game.rules.play.choosing import do_sets_count
from game.rules.ruleset import DICE

NO_DICE: Mapping[int, int] = MappingProxyType({})


def fill_tray(
    dice: Sequence[Die], earlier: int, gain: int, *, rules: Ruleset, hot: bool = False, lost: bool = False, **more: Any
) -> Tray:
    """Return a tray with these dice.

    `earlier`: points that the turn had before this throw; `gain`: points of the dice kept from it; `hot`: all dice have
    scored and are thrown again; `lost`: the dice are a bust, so the points are gone and nothing is at risk any longer.
    """
    down = 0 if hot else sum(die.look == "old" or die.checked for die in dice)
    upper, lower = write_captions(len(dice) - down if dice else rules.dice, down)
    return Tray(
        dice=tuple(sorted(dice, key=lambda die: die.column)),
        upper=upper,
        lower=lower,
        sum=number(earlier + gain),
        earlier=number(earlier),
        this=number(gain),
        shown=0 if lost else earlier + gain,
        lost=number(earlier) if lost else "",
        hot=hot,
        all_dice=rules.dice,
        tries=rules.last_die_throws,
        **more,
    )


def write_captions(upper: int, lower: int) -> tuple[str, str]:
    """Return the captions of the two lines of dice. `upper`, `lower`: how many dice lie in each."""
    return (
        _("To throw · %(dice)s") % {"dice": format_dice_count(upper)},
        _("Kept · %(dice)s") % {"dice": format_dice_count(lower)},
    )


def sort_throws(throws: Iterable[ThrowRow]) -> tuple[ThrowRow, ...]:
    """Return copies of a turn's throws for a viewer who wants each throw sorted by face. Never save the copies.

    A die keeps its place until it is thrown again, as at the table. A copy's `table_columns` maps its columns to those
    of the table, which forms and other viewers use.
    """
    places: dict[int, int] = {}  # column at the table → column for this viewer
    rows = []
    for throw in throws:
        lying = throw.by_column
        free = sorted(places.get(column, column) for column in lying)
        order = sorted(lying, key=lambda column: (lying[column], column))
        places |= zip(order, free, strict=True)
        row = ThrowRow(**{field.attname: getattr(throw, field.attname) for field in ThrowRow._meta.concrete_fields})
        row.dice = "".join(str(lying[column]) for column in order)
        row.columns = "".join(map(str, free))
        row.kept = "".join(str(places[column]) for column in throw.kept_columns)
        row.table_columns = dict(zip(free, order, strict=True))
        rows.append(row)
    return tuple(rows)


def find_aside(throws: Iterable[ThrowRow], taken_over: Mapping[int, int] = NO_DICE) -> dict[int, int]:
    """Return column → face of the dice set aside since the last sweep, after these throws of a turn.

    `taken_over`: column → face of the dice that already lay aside when the turn began.
    """
    aside = tuple(taken_over.items())
    for throw in throws:
        lying = throw.by_column
        aside = set_aside(aside, throw.dice, [(column, lying[column]) for column in throw.kept_columns])
    return dict(aside)


def find_taken_over(throws: Sequence[ThrowRow], before: Sequence[ShotRow]) -> dict[int, int]:
    """Return column → face of the dice that the player before had kept, if these throws began by picking up the rest.

    `before`: the earlier turns that count, newest first. For a viewer who sorts dice by face, the thrown dice may lie
    in other columns than before, so the dice set aside get the columns that are left.
    """
    if not throws or not before:
        return {}
    fallen, earlier = before[0].fallen, before[1:] if before[0].picked_up is not None else ()
    aside = find_aside(fallen, find_taken_over(fallen, earlier))
    free = (column for column in range(1, DICE + 1) if column not in throws[0].by_column)
    return dict(zip(free, (face for _column, face in sorted(aside.items())), strict=False))


def lay_aside(aside: Mapping[int, int]) -> list[Die]:
    """Return the dice that were kept from earlier throws. `aside`: column → face."""
    return [Die(column, face, "old", name_die(column, face), _("Kept earlier.")) for column, face in aside.items()]


def lay_shown(throw: ThrowRow, kept: Collection[int], has_tries: bool = False) -> list[Die]:
    """Return the dice of a throw for a tray without a choice, those in the kept columns in the lower line."""
    return [
        Die(
            column,
            face,
            "plain",
            name_die(column, face),
            "",
            column in kept,
            pick_angle(throw, column),
            has_tries,
            throw.table_columns.get(column, 0),
        )
        for column, face in throw.by_column.items()
    ]


def lay_left(throws: Sequence[ThrowRow]) -> list[Die]:
    """Return the dice that may be picked up and, in the lower line, those kept before; none after a sweep."""
    last = throws[-1]
    free = [die for die in lay_shown(last, ()) if die.column not in last.kept_columns]
    return lay_aside(find_aside(throws)) + free if free else []


def lay_choosable(
    throw: ThrowRow, state: State, keeps: Sequence[Keep], checked: Collection[int], free: bool
) -> list[Die]:
    """Return the dice to choose from, each with its worth and whether a tap is of use. `free`: none has to be kept."""
    lying = throw.by_column
    chosen = [lying[column] for column in checked]
    dice = []
    for column, face in lying.items():
        ticked = column in checked
        look = choose_look(face, ticked, chosen, keeps, free)
        note = _("Scores nothing now.") if look == "dead" else describe_die_worth(face, throw.faces, state, keeps)
        angle = pick_angle(throw, column)
        value = throw.table_columns.get(column, 0)
        dice.append(Die(column, face, look, name_die(column, face), note, ticked, angle, value=value))
    return dice


def choose_look(face: int, ticked: bool, chosen: Sequence[int], keeps: Sequence[Keep], free: bool) -> str:
    """Return 'opt' if a tap on the die is of use, 'must' if it has to stay kept, 'dead' if it scores nothing."""
    rest = Counter(chosen)
    if ticked:
        rest[face] -= 1
        return "opt" if free or any(Counter(keep.dice) <= rest for keep in keeps) else "must"
    return "opt" if any(keep.dice.count(face) > rest[face] for keep in keeps) else "dead"


def describe_die_worth(face: int, thrown: Sequence[int], state: State, keeps: Sequence[Keep]) -> str:
    """Return what a die of a throw is worth; its look says whether it is optional. `keeps`: the throw's legal keeps."""
    ruleset, shot, count = state.ruleset, state.shot, thrown.count(face)
    assert shot is not None  # its dice lie on the table
    single, factor = ruleset.singles[face - 1], shot.factor(ruleset)
    points = ruleset.points_for(count, face) if count >= 3 else 0
    whole = any(keep.dice.count(face) == count for keep in keeps)
    if points and points >= count * single and whole and do_sets_count(state, shot):
        texts = (
            _("Part of three of a kind, %(points)s points."),
            _("Part of four of a kind, %(points)s points."),
            _("Part of five of a kind, %(points)s points."),
            _("Part of six of a kind, %(points)s points."),
        )
        return texts[count - 3] % {"points": number(points * factor)}
    alone = next((keep.points for keep in keeps if keep.dice == (face,) and not keep.with_aside), single * factor)
    return _("%(points)s points.") % {"points": number(alone)} if alone else _("Part of a set.")


def pick_angle(throw: ThrowRow, column: int) -> int:
    """Return the angle from which a die falls, one of eight, 0 to 7; the same for every viewer of a throw."""
    return (throw.pk * 5 + column * 3) % 8
