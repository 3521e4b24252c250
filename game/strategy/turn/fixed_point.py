"""Values that are the same when everything begins again, found from a few rounds."""

from __future__ import annotations

from game.strategy.arrays import Floats, np


def guess_next(history: list[tuple[Floats, Floats]]) -> Floats:
    """Combine former guesses so that their outcomes would agree with them best (Anderson acceleration).

    `history`: each guess with its outcome, arrays of one shape, the last one last; one pair more than guesses count.
    """
    outcome = history[-1][1]
    if len(history) == 1:
        return outcome
    misses = np.array([(after - before).ravel() for before, after in history])
    steps = np.diff(misses, axis=0).T
    shares = np.linalg.lstsq(steps, misses[-1], rcond=None)[0]
    moves = np.diff(np.array([after.ravel() for _, after in history]), axis=0).T
    guess: Floats = outcome - (moves @ shares).reshape(outcome.shape)
    return guess
