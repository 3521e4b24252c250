"""The sentences of a review."""

from collections.abc import Sequence

from game.pages.parts.coach import format_chance
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import add_percent, format_dice, format_dice_count, list_figures, number, sign_number
from game.services.reviews import StoredOption


def describe_taken_option(option: StoredOption) -> str:
    """Return what the player did."""
    sentences = {
        "bank": _("Kept %(dice)s and banked %(points)s."),
        "win": _("Kept %(dice)s and won at once."),
        "fresh": _("Started with %(n)s."),
        "pick_up": _("Picked up %(n)s with %(points)s."),
        "throw": _("Kept %(dice)s (%(points)s) and threw %(n)s."),
    }
    return sentences[option.then] % _list_values(option)


def describe_better(option: StoredOption) -> str:
    """Return what would have been better."""
    sentences = {
        "bank": _("Better: keep %(dice)s and bank %(points)s."),
        "win": _("Better: keep %(dice)s and win."),
        "fresh": _("Better: start with %(n)s."),
        "pick_up": _("Better: pick up %(n)s with %(points)s."),
        "throw": _("Better: keep %(dice)s (%(points)s) and throw %(n)s."),
    }
    return sentences[option.then] % _list_values(option)


def name_action(option: StoredOption) -> str:
    """Return what the option does, in the words of the table, which has them beside the dice."""
    actions = {
        "bank": _("bank %(points)s"),
        "win": _("win"),
        "fresh": _("start with %(n)s"),
        "pick_up": _("pick up %(n)s with %(points)s"),
        "throw": _("throw %(n)s with %(points)s"),
    }
    return actions[option.then] % _list_values(option)


def _list_values(option: StoredOption) -> dict[str, str]:
    dice = format_dice(map(int, option.keep))
    return {"dice": dice, "points": number(option.total), "n": format_dice_count(option.left)}


def sign_luck(value: float, by: str | None) -> str:
    """Return luck with its sign: in points, or as a chance with one decimal."""
    return sign_number(value) if by == "points" else add_percent(sign_number(100 * value, 1))


def _name_worth(option: StoredOption) -> str:
    return number(option.points, 0) if option.win is None else format_chance(option.win)


def compare_options(best: StoredOption, taken: StoredOption) -> str:
    """Return what the best option and the chosen one were worth; "" if the two read the same."""
    worth = {"best": _name_worth(best), "taken": _name_worth(taken)}
    return _("%(best)s instead of %(taken)s.") % worth if worth["best"] != worth["taken"] else ""


def sign_loss(best: StoredOption, taken: StoredOption) -> str:
    """Return what the choice gave away, as a reader would work it out from the two numbers shown."""
    if best.win is None or taken.win is None:
        return sign_number(round(taken.points) - round(best.points))
    return add_percent(sign_number(round(100 * taken.win, 1) - round(100 * best.win, 1), 1))


def count_busts(count: int, expected: float | None) -> str:
    """Return the number of busts and how many were to be expected; "" if no throws are known (`expected` None)."""
    if expected is None:
        return ""
    values = {"n": number(count), "expected": number(expected, 1)}
    return ngettext("%(n)s bust, %(expected)s expected", "%(n)s busts, %(expected)s expected", count) % values


def number_place(round_: int, throw: int) -> str:
    """Return round and throw in short, as in "7.2"; the round alone if `throw` is 0."""
    return f"{number(round_)}.{number(throw)}" if throw else number(round_)


def name_moment(round_: int, throw: int) -> str:
    """Return round and throw in words; `throw` is 0 at the start of a turn."""
    values = {"round": number(round_), "throw": number(throw)}
    return _("Round %(round)s, throw %(throw)s") % values if throw else _("Round %(round)s, start of the turn") % values


def summarise_chart(names: Sequence[str], last: Sequence[float | None], by: str | None) -> str:
    """Return what the chart shows, for readers who can't see it. `last`: each player's chance to win, 0–1."""
    if by == "points" or all(win is None for win in last):
        return _("Luck of each throw in points: above the line the dice gave more than expected, below it less.")
    known = zip(names, last, strict=True)
    chances = list_figures((name, format_chance(win)) for name, win in known if win is not None)
    return _("Chance to win by throw, and the luck of each throw below it. After the last throw: %(chances)s.") % {
        "chances": chances
    }
