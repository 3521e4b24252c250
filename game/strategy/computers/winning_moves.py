"""Which moves win a game at its end, and which banks lose it."""

from game.rules import Bank, Move, State, Win, apply, keeps_now, legal_moves, points_with


def find_winning_move(state: State) -> Move | None:
    """Find the move that ends the game with this player as sole winner; of several, the one with the most points."""
    shot = state.shot
    if shot is None or not shot.dice:
        return None
    points = {keep.dice: points_with(shot, keep) for keep in keeps_now(state)}
    winning = (move for move in legal_moves(state) if _wins_alone(state, move, points[move.keep]))
    return max(winning, key=lambda move: points[move.keep], default=None)


def _wins_alone(state: State, move: Move, points: int) -> bool:
    """Return whether a move wins alone; the rules are asked only if it may end the game, which most banks may not."""
    reached = state.final or state.players[state.player].score + points >= state.goal
    if not (isinstance(move, Win) or (isinstance(move, Bank) and reached)):
        return False
    after = apply(state, move).state
    return after.finished and after.winners == (state.player,)


def is_lost(state: State, score: int) -> bool:
    """Return whether a bank that makes this score in the final round leaves the player behind for good."""
    if not state.final_stands:
        return False
    best = max((state.players[seat].score for seat in state.active if seat != state.player), default=0)
    return score < best or (score == best and state.ruleset.tie == "leader_stands")
