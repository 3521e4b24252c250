"""The coach of Ways to keep: a sentence that names the best way, says why, and gives true numbers."""

from collections.abc import Sequence

from game.pages.parts.choices import is_six_of_a_kind, may_go_over
from game.pages.parts.language import gettext as _
from game.pages.parts.text import add_percent, fill_sentences, format_dice_count, name_all_dice, number, write_percent
from game.rules import State, dice_left, keeps_now, points_with
from game.strategy.coach import EQUAL_WITHIN, Advice, PickUpChoice, give_advice, judge_pick_up
from game.strategy.preload import rate_if_ready, request_readiness
from game.strategy.win import RatedOption

NEVER, ALWAYS = 0.0005, 0.9995  # chances beyond these read as "under 0.05%" and "over 99.95%"
PLACES_MOST = 3


def find_advice(state: State) -> Advice | None:
    """Return the best way to play the dice on the table; None while it is unknown, or if points have no bound."""
    rated = rate_if_ready(state)
    return give_advice(state, rated) if rated else None


def describe_advice(state: State, advice: Advice) -> str:
    """Return the sentence that names the best way, says why, and what the alternative is worth."""
    shot, player, all_dice = state.shot, state.players[state.player], state.ruleset.dice
    assert shot is not None  # its dice lie on the table
    best, other = advice.best, advice.other or advice.best
    everything = max(keeps_now(state), key=lambda keep: (points_with(shot, keep), len(keep.dice)))
    rival = state.players[advice.rival] if advice.rival is not None else None
    score = player.score + best.option.total
    value, other_value = format_apart(best.option.points, other.option.points)
    win, other_win = format_chances(best.win, other.win, best.estimate)
    phrases = {
        "dice": name_dice(best.option.keep.dice, everything.dice),
        "other_dice": name_dice(other.option.keep.dice, everything.dice),
        "win": win,
        "other_win": other_win,
        "chance": "" if advice.chance is None else format_chance(advice.chance),
    }
    return fill_sentences(
        choose_sentence(advice, over=may_go_over(state.ruleset)),
        phrases,
        all=name_all_dice(all_dice),
        total=number(best.option.total),
        score=number(score),
        left=format_dice_count(dice_left(shot.dice, best.option.keep.dice, all_dice)),
        bust=write_percent(best.option.bust),
        value=value,
        need=number(advice.need),
        name=rival.name if rival else "",
        lead=number(score - rival.score) if rival else "",
        other=number(other.option.total),
        other_left=format_dice_count(dice_left(shot.dice, other.option.keep.dice, all_dice)),
        other_bust=write_percent(other.option.bust),
        other_value=other_value,
    )


def choose_sentence(advice: Advice, *, over: bool) -> str:
    """Return the sentence for an advice's reason, with placeholders for its numbers.

    `over`: a throw may also end the turn without a bust, beyond an exact target.
    """
    known = advice.best.win is not None
    match advice.reason:
        case "six" if is_six_of_a_kind(advice.best.option.keep.dice):
            return _("Six of a kind: keep all six and win the game.")
        case "six":
            return _("Keep %(dice)s and win the game.")
        case "wins":
            return _("Keep %(dice)s and bank %(total)s: that wins the game with %(score)s.")
        case "shares":
            return _("Keep %(dice)s and bank %(total)s: that shares the win with %(score)s.")
        case "level":
            return _("Keep %(dice)s and bank %(total)s: that is level with %(name)s.")
        case "finishing" if known:
            return _("Keep %(dice)s and bank %(total)s: that begins the final round with %(score)s, %(win)s to win.")
        case "finishing":
            return _("Keep %(dice)s and bank %(total)s: that begins the final round with %(score)s.")
        case "ahead" if known:
            return _("Keep %(dice)s and bank %(total)s: you lead %(name)s by %(lead)s, %(win)s to win.")
        case "ahead":
            return _("Keep %(dice)s and bank %(total)s: you lead %(name)s by %(lead)s.")
        case "behind":
            return choose_chase_sentence(advice)
        case "get_in" | "minimum":
            return choose_minimum_sentence(advice)
        case "only" | "win" | "points" if advice.best.option.then == "bank" and advice.other is None:
            return _("That was your last throw: keep %(dice)s and bank %(total)s.")
        case "only" if over:
            return _("There is only one way: keep %(dice)s and throw %(left)s. %(bust)s risk: bust or over the target.")
        case "only":
            return _("There is only one way: keep %(dice)s and throw %(left)s, %(bust)s bust risk.")
        case "sweep" if over and advice.other is None:
            return _("Hot dice, throw all %(all)s again: %(total)s so far. %(bust)s risk: bust or over the target.")
        case "sweep":
            return choose_sweep_sentence(advice)
        case "win":
            return choose_chance_sentence(advice)
    return choose_points_sentence(advice)


def choose_chase_sentence(advice: Advice) -> str:
    """Return the sentence for throwing on because a rival is ahead, with the most telling chance that is known."""
    if advice.best.win is not None:
        return _(
            "You need %(need)s this turn to pass %(name)s. Keep %(dice)s and throw %(left)s: %(win)s chance to win."
        )
    if advice.chance is not None:
        return _("You need %(need)s this turn to pass %(name)s. Keep %(dice)s and throw %(left)s: %(chance)s chance.")
    return _("You need %(need)s this turn to pass %(name)s. Keep %(dice)s and throw %(left)s: %(bust)s bust risk.")


def choose_minimum_sentence(advice: Advice) -> str:
    """Return the sentence for throwing on because points are missing to bank, compared with the next best way."""
    known = advice.best.win is not None
    match advice.reason:
        case "get_in" if known:
            return _(
                "You need %(need)s for your first bank. Keep %(dice)s and throw %(left)s: %(win)s to win. "
                "Keeping %(other_dice)s and throwing %(other_left)s makes it %(other_win)s."
            )
        case "get_in":
            return _(
                "You need %(need)s for your first bank. Keep %(dice)s and throw %(left)s: %(value)s on average. "
                "Keeping %(other_dice)s and throwing %(other_left)s gives %(other_value)s."
            )
        case "minimum" if known:
            return _(
                "You need %(need)s to bank. Keep %(dice)s and throw %(left)s: %(win)s to win. "
                "Keeping %(other_dice)s and throwing %(other_left)s makes it %(other_win)s."
            )
    return _(
        "You need %(need)s to bank. Keep %(dice)s and throw %(left)s: %(value)s on average. "
        "Keeping %(other_dice)s and throwing %(other_left)s gives %(other_value)s."
    )


def choose_sweep_sentence(advice: Advice) -> str:
    """Return the sentence for throwing all dice again."""
    if advice.other is None:
        return _("Hot dice, throw all %(all)s again: %(total)s so far, %(bust)s bust risk.")
    if advice.best.win is not None:
        return _("Hot dice, throw all %(all)s again: %(win)s to win. Banking %(other)s makes it %(other_win)s.")
    if leaves_dice(advice.other):
        return _(
            "Hot dice, throw all %(all)s again: %(value)s on average. "
            "Banking %(other)s is worth %(other_value)s, since the next player may pick up."
        )
    return _("Hot dice, throw all %(all)s again: %(value)s on average; the best bank gives %(other)s.")


def choose_chance_sentence(advice: Advice) -> str:
    """Return the sentence for the largest chance to win, where that is not the most points."""
    if advice.other is None:
        return _("Best chance to win: keep %(dice)s and throw %(left)s, %(win)s.")
    if advice.best.option.then == "throw":
        return _(
            "Best chance to win: keep %(dice)s and throw %(left)s, %(win)s. Banking %(other)s makes it %(other_win)s."
        )
    if advice.other.option.keep == advice.best.option.keep:
        return _("Best chance to win: keep %(dice)s and bank %(total)s, %(win)s. Throwing makes it %(other_win)s.")
    return _(
        "Best chance to win: keep %(dice)s and bank %(total)s, %(win)s. "
        "Keeping %(other_dice)s and throwing %(other_left)s makes it %(other_win)s."
    )


def choose_points_sentence(advice: Advice) -> str:
    """Return the sentence for the most points on average."""
    best, other = advice.best, advice.other
    if leaves_dice(best):
        return _(
            "Best on average: keep %(dice)s and bank %(total)s, worth %(value)s since the next player may pick up. "
            "Throwing %(other_left)s is worth %(other_value)s."
        )
    if other is None:
        return _("Best on average: keep %(dice)s and throw %(left)s. That gives %(value)s.")
    if leaves_dice(other):
        return _(
            "Best on average: keep %(dice)s and throw %(left)s, worth %(value)s. "
            "Banking %(other)s is worth %(other_value)s, since the next player may pick up."
        )
    if best.option.then == "throw":
        return _(
            "Best on average: keep %(dice)s and throw %(left)s. "
            "That gives %(value)s; the best bank gives %(other_value)s."
        )
    if other.option.keep == best.option.keep:
        return _(
            "Best on average: keep %(dice)s and bank %(total)s. "
            "Throwing %(other_left)s gives %(other_value)s and busts %(other_bust)s of the time."
        )
    return _(
        "Best on average: keep %(dice)s and bank %(total)s. "
        "Keeping %(other_dice)s and throwing %(other_left)s gives %(other_value)s."
    )


def leaves_dice(rated: RatedOption) -> bool:
    """Return whether this bank is worth less than its points, because the next player may pick up the dice."""
    return rated.option.then == "bank" and rated.option.total - rated.option.points > EQUAL_WITHIN


def advise_pick_up(state: State) -> str:
    """Return the sentence about the dice on offer; empty if there are none, or nothing is worked out yet."""
    if state.pick_up is None or request_readiness(state.ruleset, state.target) == "not yet":
        return ""
    choice, names = judge_pick_up(state), [player.name for player in state.players]
    return describe_pick_up_choice(choice, names, state.ruleset.dice) if choice else ""


def describe_pick_up_choice(choice: PickUpChoice, names: Sequence[str], all_dice: int) -> str:
    """Return whether to pick up, and what either choice is worth. `all_dice`: how many dice the game is played with."""
    if choice.by_win:
        taken, fresh = format_chances(choice.taken, choice.fresh, estimated=len(names) > 2)
    elif choice.rival is None:
        taken, fresh = format_apart(choice.taken, choice.fresh)
    else:
        taken, fresh = format_chance(choice.taken), format_chance(choice.fresh)
    return choose_pick_up_sentence(choice) % {
        "all": name_all_dice(all_dice),
        "dice": format_dice_count(choice.dice),
        "points": number(choice.points),
        "need": number(choice.need),
        "name": "" if choice.rival is None else names[choice.rival],
        "taken": taken,
        "fresh": fresh,
    }


def choose_pick_up_sentence(choice: PickUpChoice) -> str:
    """Return the sentence for the better choice, with placeholders for what either is worth: chances, or points."""
    if choice.by_win and choice.takes:
        return _(
            "Pick up %(dice)s from %(points)s: your chance to win is then %(taken)s. With fresh dice it is %(fresh)s."
        )
    if choice.by_win:
        return _(
            "Throw %(all)s fresh dice: your chance to win is then %(fresh)s. "
            "Picking up %(dice)s from %(points)s makes it %(taken)s."
        )
    if choice.rival is None and choice.takes:
        return _("Pick up %(dice)s from %(points)s: %(taken)s on average. Fresh dice give %(fresh)s.")
    if choice.rival is None:
        return _("Throw %(all)s fresh dice: %(fresh)s on average. Picking up %(dice)s from %(points)s gives %(taken)s.")
    if choice.takes:
        return _(
            "You need %(need)s to pass %(name)s. Pick up %(dice)s: %(taken)s chance, %(all)s fresh dice %(fresh)s."
        )
    return _("You need %(need)s to pass %(name)s. Throw %(all)s fresh dice: %(fresh)s chance, picking up %(taken)s.")


def format_chances(win: float | None, other: float | None, estimated: bool) -> tuple[str, str]:
    """Return two chances to win, 0–1, with as few decimals as tell them apart; an estimate as "about 40.1%"."""
    if win is None:
        return "", ""
    second = win if other is None else other
    texts = format_chance(win), format_chance(second)
    low, high = sorted(round(100 * chance, PLACES_MOST) for chance in (win, second))
    if texts[0] == texts[1] and 0 < low < high < 100:  # otherwise one would read as certain, or both as equal
        first, last = format_apart(100 * win, 100 * second)
        texts = add_percent(first), add_percent(last)
    if estimated:
        return _("about %(chance)s") % {"chance": texts[0]}, _("about %(chance)s") % {"chance": texts[1]}
    return texts


def format_chance(value: float) -> str:
    """Return a chance to win, 0–1, as text that never calls it certain or impossible if it isn't."""
    if NEVER > value > 0:
        return _("under %(chance)s") % {"chance": write_percent(NEVER, 2)}
    if 1 > value > ALWAYS:
        return _("over %(chance)s") % {"chance": write_percent(ALWAYS, 2)}
    return write_percent(value, 1)


def format_apart(one: float, two: float) -> tuple[str, str]:
    """Return two numbers with as few decimals as tell them apart; with none if `PLACES_MOST` are too few."""
    for places in range(PLACES_MOST + 1):
        if number(one, places) != number(two, places):
            return number(one, places), number(two, places)
    return number(one, 0), number(two, 0)


def name_dice(dice: Sequence[int], everything: Sequence[int]) -> str:
    """Return the dice of a keep for a sentence: "the 5", "all four" if no others score, else their faces."""
    if len(dice) == 1:
        return _("the %(face)s") % {"face": dice[0]}
    if dice == everything:
        return (_("both"), _("all three"), _("all four"), _("all five"), _("all six"))[len(dice) - 2]
    return "\u00a0".join(map(str, dice))
