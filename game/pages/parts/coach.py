"""The coach of Ways to keep: which way is the best, and one sentence that names it, why, and true numbers."""

from __future__ import annotations

from django.utils.translation import gettext as _

from game.pages.parts.text import dice_count, number, percent
from game.rules import Keep, State, dice_left, keeps_now, points_with
from game.strategy.coach import EQUAL_WITHIN, Advice, PickUpChoice, give_advice, judge_pick_up
from game.strategy.preload import rate_if_ready, request_readiness
from game.strategy.win import RatedOption

NEVER, ALWAYS = 0.0005, 0.9995
PLACES = (1, 2, 3)


def advised(state: State) -> Advice | None:
    """What the coach says of the dice on the table; nothing while it is not ready, or where points have no bound."""
    rated = rate_if_ready(state)
    return give_advice(state, rated) if rated else None


def offered(state: State) -> str:
    """The sentence about dice that may be picked up; empty where there are none, or nothing is ready."""
    if state.pick_up is None or request_readiness(state.ruleset, state.target) == "not yet":
        return ""
    choice = judge_pick_up(state)
    return pick_up(state, choice) if choice else ""


# ── the sentence ──


def sentence(state: State, advice: Advice) -> str:
    said = said_of(state, advice)
    match advice.reason:
        case "six":
            return _("Six alike: keep all six and win the game.")
        case "wins":
            return _("Keep %(dice)s and bank %(total)s: that wins the game with %(score)s.") % said
        case "shares":
            return _("Keep %(dice)s and bank %(total)s: that shares the win with %(score)s.") % said
        case "level":
            return _("Keep %(dice)s and bank %(total)s: that is level with %(name)s.") % said
        case "ahead" | "behind" | "finishing":
            return in_the_end(advice, said)
        case "get_in":
            return (
                _("You need %(need)s this turn to get in. Keep %(dice)s and throw %(left)s: %(bust)s bust risk.") % said
            )
        case "minimum":
            return _("You need %(need)s a turn to bank. Keep %(dice)s and throw %(left)s: %(bust)s bust risk.") % said
        case "only":
            return _("There is only one way: keep %(dice)s and throw %(left)s, %(bust)s bust risk.") % said
        case "sweep":
            return sweep(advice, said)
        case "win":
            return by_chance(advice, said)
    return with_pick_up(advice, said) if any(map(is_taken, (advice.best, advice.other))) else by_points(advice, said)


def said_of(state: State, advice: Advice) -> dict[str, str]:
    """The numbers of the best way and of the best that does the other thing, as the sentences have them."""
    best, other = advice.best, advice.other
    thrown = state.shot.dice if state.shot else ()
    score = state.players[state.player].score + best.option.total
    rival = state.players[advice.rival] if advice.rival is not None else None
    values = apart(best.option.points, other.option.points if other else best.option.points)
    said = {
        "dice": the_dice(state, best.option.keep),
        "total": number(best.option.total),
        "score": number(score),
        "left": dice_count(dice_left(thrown, best.option.keep.dice)),
        "bust": percent(best.option.bust),
        "value": values[0],
        "other_value": values[1],
        "need": number(advice.need),
        "name": rival.name if rival else "",
        "lead": number(score - rival.score) if rival else "",
    }
    if other:
        said |= {
            "other_dice": the_dice(state, other.option.keep),
            "other": number(other.option.total),
            "other_left": dice_count(dice_left(thrown, other.option.keep.dice)),
            "other_bust": percent(other.option.bust),
        }
    return said | chances(state, best, other)


def chances(state: State, best: RatedOption, other: RatedOption | None) -> dict[str, str]:
    """The chances to win, told apart as far as they differ; called about so much where they are an estimate."""
    if best.win is None:
        return {}
    second = other.win if other and other.win is not None else best.win
    texts = [chance(best.win), chance(second)]
    low, high = sorted(round(100 * each, PLACES[-1]) for each in (best.win, second))
    if texts[0] == texts[1] and 0 < low < high < 100:  # else one would read as certain, or both alike
        texts = [text + "%" for text in apart(100 * best.win, 100 * second)]
    if is_estimate(state):
        texts = [_("about %(chance)s") % {"chance": text} for text in texts]
    return {"win": texts[0], "other_win": texts[1]}


def is_estimate(state: State) -> bool:
    return len(state.active) > 2 and not (state.final and len(state.due) <= 2)


def chance(value: float) -> str:
    """A chance to win, 0 to 1, never called certain or impossible where it is not."""
    if NEVER > value > 0:
        return _("under %(chance)s") % {"chance": number(100 * NEVER, 2) + "%"}
    if 1 > value > ALWAYS:
        return _("over %(chance)s") % {"chance": number(100 * ALWAYS, 2) + "%"}
    return number(100 * value, 1) + "%"


def apart(one: float, two: float) -> tuple[str, str]:
    """Two numbers with as few places as tell them apart."""
    for places in (0, *PLACES):
        texts = number(one, places), number(two, places)
        if texts[0] != texts[1]:
            break
    else:
        texts = number(one, 0), number(two, 0)
    return texts


def the_dice(state: State, keep: Keep) -> str:
    """The dice of a keep as a sentence names them: all that score by their number, a single one by its face."""
    shot = state.shot
    everything = max(keeps_now(state), key=lambda each: (shot and points_with(shot, each), len(each.dice)))
    if len(keep.dice) == 1:
        return _("the %(face)s") % {"face": keep.dice[0]}
    if keep.dice == everything.dice:
        return (_("both"), _("all three"), _("all four"), _("all five"), _("all six"))[len(keep.dice) - 2]
    return "\u00a0".join(map(str, keep.dice))


def in_the_end(advice: Advice, said: dict[str, str]) -> str:
    """In the final round, or at its beginning."""
    known = advice.best.win is not None
    if advice.reason == "finishing" and known:
        text = _("Keep %(dice)s and bank %(total)s: that begins the final round with %(score)s, %(win)s to win.")
    elif advice.reason == "finishing":
        text = _("Keep %(dice)s and bank %(total)s: that begins the final round with %(score)s.")
    elif advice.reason == "ahead" and known:
        text = _("Keep %(dice)s and bank %(total)s: you lead %(name)s by %(lead)s, %(win)s to win.")
    elif advice.reason == "ahead":
        text = _("Keep %(dice)s and bank %(total)s: you lead %(name)s by %(lead)s.")
    elif known:
        text = _(
            "You need %(need)s this turn to pass %(name)s. Keep %(dice)s and throw %(left)s: %(win)s chance to win."
        )
    elif advice.chance is not None:
        said = {**said, "chance": chance(advice.chance)}
        text = _("You need %(need)s this turn to pass %(name)s. Keep %(dice)s and throw %(left)s: %(chance)s chance.")
    else:
        text = _("You need %(need)s this turn to pass %(name)s. Keep %(dice)s and throw %(left)s: %(bust)s bust risk.")
    return text % said


def sweep(advice: Advice, said: dict[str, str]) -> str:
    if advice.other is None:
        return _("All six score, throw them again: %(total)s so far, %(bust)s bust risk.") % said
    if advice.best.win is not None:
        return _("All six score, throw them again: %(win)s to win. Banking %(other)s makes it %(other_win)s.") % said
    if is_taken(advice.other):
        return (
            _(
                "All six score, throw them again: %(value)s on average. "
                "Banking %(other)s is worth %(other_value)s, since the next player may pick up."
            )
            % said
        )
    return _("All six score, throw them again: %(value)s on average; the best bank gives %(other)s.") % said


def by_chance(advice: Advice, said: dict[str, str]) -> str:
    banks = advice.best.option.then == "bank"
    if advice.best.win is None and banks:  # the end of a game in which points are not what counts
        text = _("For the win, keep %(dice)s and bank %(total)s.")
    elif advice.best.win is None:
        text = _("For the win, keep %(dice)s and throw %(left)s: %(bust)s bust risk.")
    elif advice.other is None:
        text = _("Best chance to win: keep %(dice)s and throw %(left)s, %(win)s.")
    elif banks and advice.other.option.keep == advice.best.option.keep:
        text = _("Best chance to win: keep %(dice)s and bank %(total)s, %(win)s. Throwing makes it %(other_win)s.")
    elif banks:
        text = _(
            "Best chance to win: keep %(dice)s and bank %(total)s, %(win)s. "
            "Keeping %(other_dice)s and throwing %(other_left)s makes it %(other_win)s."
        )
    else:
        text = _(
            "Best chance to win: keep %(dice)s and throw %(left)s, %(win)s. Banking %(other)s makes it %(other_win)s."
        )
    return text % said


def by_points(advice: Advice, said: dict[str, str]) -> str:
    banks = advice.best.option.then == "bank"
    if advice.other is None:
        text = _("Best on average: keep %(dice)s and throw %(left)s. That gives %(value)s.")
    elif banks and advice.other.option.keep == advice.best.option.keep:
        text = _(
            "Best on average: keep %(dice)s and bank %(total)s. "
            "Throwing %(other_left)s gives %(other_value)s and busts %(other_bust)s of the time."
        )
    elif banks:
        text = _(
            "Best on average: keep %(dice)s and bank %(total)s. "
            "Keeping %(other_dice)s and throwing %(other_left)s gives %(other_value)s."
        )
    else:
        text = _(
            "Best on average: keep %(dice)s and throw %(left)s. "
            "That gives %(value)s; the best bank gives %(other_value)s."
        )
    return text % said


def is_taken(rated: RatedOption | None) -> bool:
    """Whether this is a bank that is worth less than its points, because the next player may go on from it."""
    return rated is not None and rated.option.then == "bank" and rated.option.total - rated.option.points > EQUAL_WITHIN


def with_pick_up(advice: Advice, said: dict[str, str]) -> str:
    if advice.best.option.then == "bank":
        text = _(
            "Best on average: keep %(dice)s and bank %(total)s, worth %(value)s since the next player may pick up. "
            "Throwing %(other_left)s is worth %(other_value)s."
        )
    else:
        text = _(
            "Best on average: keep %(dice)s and throw %(left)s, worth %(value)s. "
            "Banking %(other)s is worth %(other_value)s, since the next player may pick up."
        )
    return text % said


def pick_up(state: State, choice: PickUpChoice) -> str:
    said = {"dice": dice_count(choice.dice), "points": number(choice.points), "need": number(choice.need)}
    if choice.rival is not None:
        said |= {"name": state.players[choice.rival].name}
        said |= {"taken": chance(choice.taken), "fresh": chance(choice.fresh)}
        if choice.takes:
            text = _(
                "You need %(need)s to pass %(name)s. Pick up %(dice)s: %(taken)s chance, six fresh dice %(fresh)s."
            )
        else:
            text = _(
                "You need %(need)s to pass %(name)s. Throw six fresh dice: %(fresh)s chance, picking up %(taken)s."
            )
        return text % said
    taken, fresh = apart(choice.taken, choice.fresh)
    said |= {"taken": taken, "fresh": fresh}
    if choice.takes:
        text = _("Pick up %(dice)s from %(points)s: %(taken)s on average. Six fresh dice give %(fresh)s.")
    else:
        text = _("Throw six fresh dice: %(fresh)s on average. Picking up %(dice)s from %(points)s gives %(taken)s.")
    return text % said
