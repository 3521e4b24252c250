"""Which of the scoring dice on the table may be kept."""

from collections.abc import Sequence

from game.rules.play.banking import is_last_throw, points_with, why_not_bank_in
from game.rules.play.state import Shot, State
from game.rules.ruleset import Ruleset
from game.rules.scoring import Keep, keeps, value_of_growth


def keeps_scored(state: State, shot: Shot) -> tuple[Keep, ...]:
    """Return every keep of the throw on the table that scores for this player now, best first."""
    ruleset = state.ruleset
    if ruleset.is_plain:
        return keeps(ruleset, shot.dice, shot.aside, shot.aside_points)
    scored = keeps(
        ruleset,
        shot.dice,
        shot.aside,
        shot.aside_points,
        growing=shot.memory.growing,
        singles_only=_scores_singles_only(state, shot),
        factor=shot.factor(ruleset),
    )
    return () if scored and scored[0].nothing and not is_nothing_throw(ruleset, shot) else scored


def _scores_singles_only(state: State, shot: Shot) -> bool:
    """Return whether no combination counts for this player yet."""
    return state.ruleset.entry_needs == "singles" and not state.players[shot.player].entered


def do_sets_count(state: State, shot: Shot) -> bool:
    """Return whether combinations of two or more dice count in the throw on the table."""
    ruleset = state.ruleset
    needs_more = ruleset.sets_need_all_dice and len(shot.dice) < ruleset.dice
    return not needs_more and not _scores_singles_only(state, shot)


def is_nothing_throw(ruleset: Ruleset, shot: Shot) -> bool:
    """Return whether the settings for a throw of nothing apply to this throw, given that it has no combination."""
    first = shot.throws == 1 and shot.picked_up is None
    return len(shot.dice) == ruleset.dice and (ruleset.nothing_when == "all_dice" or first)


def is_allowed(state: State, shot: Shot, scored: tuple[Keep, ...], keep: Keep) -> bool:
    """Return whether this scored keep is allowed: a lone 5, an exact target or the last throw can forbid some."""
    ruleset = state.ruleset
    return ruleset.is_plain or (
        not is_lone_five(ruleset, shot, scored) and (keep.wins or _is_in_reach(state, shot, keep))
    )


def _is_in_reach(state: State, shot: Shot, keep: Keep) -> bool:
    """Return whether a keep stays within an exact target and, if it is one of the last throw, can be banked."""
    if is_beyond(state, points_with(shot, keep)):
        return False
    return not is_last_throw(state.ruleset, shot) or why_not_bank_in(state, shot, keep) is None


def is_lone_five(ruleset: Ruleset, shot: Shot, scored: Sequence[Keep]) -> bool:
    """Return whether a single 5 is all that scores in a throw of several dice, which is then thrown again."""
    if ruleset.lone_five != "rethrow" or len(shot.dice) == 1 or [keep.dice for keep in scored] != [(5,)]:
        return False
    growing = shot.memory.growing
    grows = growing[:1] == (5,) and value_of_growth(ruleset, growing) > 0
    return not scored[0].wins and not grows


def is_beyond(state: State, points: int) -> bool:
    """Return whether this many points of a shot would lift the player above an exact target."""
    return state.ruleset.exact != "no" and state.players[state.player].score + points > state.target
