"""What an answer to a position is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from game.pages.parts import coach
from game.pages.parts.language import gettext as _
from game.pages.parts.refusals import describe_refusal
from game.pages.parts.text import format_dice, format_dice_count, number, percent
from game.pages.review.components import OptionRow
from game.rules import Bank, Dice, State, Throw, Win, dice_left, why_not
from game.strategy.coach import Advice, give_advice
from game.strategy.win import RatedOption, rate_state

# Losses smaller than these are no mistake: of the chance to win (0–1), and in points.
NEGLIGIBLE_CHANCE, NEGLIGIBLE_POINTS = 0.0005, 0.5


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth. `by_chance`: judged by the chance to win, else by points."""

    right: bool
    title: str
    sentence: str
    rows: tuple[OptionRow, ...]
    by_chance: bool


def judge(state: State, keep: Sequence[int], then: str) -> Verdict | None:
    """Return what an answer is worth; None if the dice cannot be kept. `then`: 'bank' or 'throw'.

    Raises `ValueError` if there are no expectations to judge by.
    """
    rated = rate_state(state)
    faces = tuple(sorted(keep))
    options = (o for o in rated if o.option.keep.dice == faces and o.option.then in (then, "win"))
    chosen = next(options, None)
    if chosen is None:
        return None
    advice = give_advice(state, rated)
    title = _describe_loss(advice, chosen, rated)
    thrown = state.shot.dice if state.shot else ()
    all_dice = state.ruleset.dice
    rows = tuple(_list_option(thrown, option, option == advice.best, option == chosen, all_dice) for option in rated)
    sentence = coach.describe_advice(state, advice)
    if not title and chosen != advice.best:
        sentence = _("Just as good: %(way)s.") % {"way": _name_way(thrown, advice.best, all_dice)}
    return Verdict(not title, title or _("Right!"), sentence, rows, chosen.win is not None)


def explain_wrong_keep(state: State, faces: tuple[int, ...], then: str) -> str:
    """Return why these dice cannot be kept."""
    reason = why_not(state, Bank(faces) if then == "bank" else Throw(faces)) or why_not(state, Win(faces))
    return describe_refusal(reason) if reason else ""


def _describe_loss(advice: Advice, chosen: RatedOption, rated: Sequence[RatedOption]) -> str:
    """Return what the answer costs; "" for a right one."""
    best = advice.best
    if chosen == best:
        return ""
    if best.win is not None and chosen.win is not None:
        if best.win - chosen.win < NEGLIGIBLE_CHANCE:
            return ""
        return _("That costs %(loss)s percentage points of the chance to win: %(got)s instead of %(best)s.") % {
            "loss": number(round(100 * best.win, 1) - round(100 * chosen.win, 1), 1),  # as a reader would calculate it
            "got": coach.format_chance(chosen.win),
            "best": coach.format_chance(best.win),
        }
    if best != rated[0]:
        return _("There is a better choice.")  # at the end of a game, points no longer decide
    lost = best.option.points - chosen.option.points
    if lost < NEGLIGIBLE_POINTS:
        return ""
    got, most = coach.format_apart(chosen.option.points, best.option.points)
    return _("That costs %(loss)s points on average: %(got)s instead of %(best)s.") % {
        "loss": number(max(1, round(best.option.points) - round(chosen.option.points))),
        "got": got,
        "best": most,
    }


def _name_way(thrown: Dice, rated: RatedOption, all_dice: int) -> str:
    """Return what an option does, "keep 1 5 and bank 350"."""
    way = rated.option
    values = {
        "dice": format_dice(way.keep.dice),
        "points": number(way.total),
        "left": format_dice_count(dice_left(thrown, way.keep.dice, all_dice)),
    }
    if way.then == "throw":
        return _("keep %(dice)s and throw %(left)s") % values
    return (_("keep %(dice)s and bank %(points)s") if way.then == "bank" else _("keep %(dice)s and win")) % values


def _list_option(thrown: Dice, rated: RatedOption, best: bool, chosen: bool, all_dice: int) -> OptionRow:
    way = rated.option
    if way.then == "throw":
        then = _("throw %(dice)s") % {"dice": format_dice_count(dice_left(thrown, way.keep.dice, all_dice))}
    else:
        then = _("bank %(points)s") % {"points": number(way.total)} if way.then == "bank" else _("win")
    win = "" if rated.win is None else coach.format_chance(rated.win)
    bust = percent(way.bust) if way.then == "throw" else "–"
    return OptionRow(way.keep.dice, then, win, number(way.points, 0), bust, best, chosen)
