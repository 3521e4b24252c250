"""Many games side by side: scores, turns and ends, by the same rules as a game in `game.rules.play` without changes.

A test plays the same games by those rules and compares the two.
"""

from game.rules.ruleset import Ruleset
from game.strategy.arena.shots import NEVER, PlayedShots, Shots
from game.strategy.arrays import Flags, Floats, Hashes, Indices, np


class Games:
    """Games between this many players. In all arrays the first index is the game, the second the place in the order.

    `dice`: for each game, a number from which its dice follow. `shares`: what each place has won of a finished game: 1,
    0, or a part. The other names are those of the rules' `State`.
    """

    def __init__(self, ruleset: Ruleset, target: int, players: int, dice: Hashes) -> None:
        shape = (len(dice), players)
        self.ruleset, self.target, self.players, self.dice = ruleset, target, players, dice
        self.throws = np.zeros(shape[0], dtype=np.intp)
        self.score, self.streak, self.since = (np.zeros(shape, dtype=np.intp) for _ in range(3))
        self.entered, self.played, self.last = (np.zeros(shape, dtype=bool) for _ in range(3))
        self.player, self.shots, self.offered, self.points = (np.zeros(shape[0], dtype=np.intp) for _ in range(4))
        self.final, self.extra, self.finished = (np.zeros(shape[0], dtype=bool) for _ in range(3))
        self.shares: Floats = np.zeros(shape)

    def running(self) -> Indices:
        """Return the games that are not over."""
        return np.flatnonzero(~self.finished)

    def begin_shots(self, games: Indices) -> Shots:
        """Return the shots that are due in these games."""
        me = self.player[games]
        own, entered = self.score[games, me], self.entered[games, me]
        best = self._best_of_others(games)
        follower = (me + 1) % self.players
        picks = entered & (self.offered[games] > 0) & (self.players > 1)
        behind = best - own + (self.ruleset.tie == "leader_stands")
        return Shots(
            dice=self.dice[games],
            throws=self.throws[games],
            own=own,
            others=self.score[games].sum(axis=1) - own,
            entered=entered,
            streak=self.streak[games, me],
            taken=self.entered[games, follower] & (self.players > 1),
            offered=np.where(picks & self.ruleset.pick_up, self.offered[games], 0),
            points=self.points[games],
            won_from=np.where(self._wins_at_target(games), np.maximum(self.target, best + 1) - own, NEVER),
            lost_below=np.where(self.final[games], behind, -NEVER),
        )

    def _best_of_others(self, games: Indices) -> Indices:
        others = self.score[games].copy()
        others[np.arange(len(games)), self.player[games]] = 0
        best: Indices = others.max(axis=1)
        return best

    def _wins_at_target(self, games: Indices) -> Flags:
        """Return in which games a bank at the target ends the game, because nobody else has a shot after it."""
        if self.ruleset.ending == "at_once":
            return np.ones(len(games), dtype=bool)
        due = self.due(games)
        if self.ruleset.ending == "last_shot_each":
            due[~self.final[games]] = True
        due[np.arange(len(games)), self.player[games]] = False
        ends: Flags = due.sum(axis=1) == 0
        return ends

    def due(self, games: Indices) -> Flags:
        """Return who has a shot left (games x places): in the final round if it is on, else in this round."""
        last_shots = self.final[games] & ~self.extra[games] & (self.ruleset.ending == "last_shot_each")
        return ~np.where(last_shots[:, None], self.last[games], self.played[games])

    def end_shots(self, games: Indices, played: PlayedShots) -> None:
        """Apply the outcomes of the shots of these games."""
        self.throws[games] = played.throws
        me = self.player[games]
        self._bank(games[played.banked], me[played.banked], played.points[played.banked])
        bust = ~played.banked & ~played.won
        self._bust(games[bust], me[bust])
        self.offered[games] = np.where(played.banked, played.left, 0)
        self.points[games] = played.points
        self.shares[games[played.won], me[played.won]] = 1
        self.finished[games[played.won]] = True
        games = games[~played.won]
        me = self.player[games]
        self.played[games, me], self.last[games, me] = True, self.final[games]
        self.shots[games] += 1
        self._judge_final_round(games)
        self._pass_dice(games[~self.finished[games]])

    def _bank(self, games: Indices, me: Indices, points: Indices) -> None:
        self.score[games, me] += points
        self.entered[games, me] = True
        self.streak[games, me] = 0
        self.since[games, me] = self.shots[games] + 1

    def _bust(self, games: Indices, me: Indices) -> None:
        if not self.ruleset.bust_streak:
            return
        counts = self.entered[games, me]
        games, me = games[counts], me[counts]
        self.streak[games, me] += 1
        full = self.streak[games, me] >= self.ruleset.bust_streak
        games, me = games[full], me[full]
        self.streak[games, me] = 0
        lost = np.minimum(self.ruleset.bust_streak_penalty, self.score[games, me])
        self.score[games, me] -= lost
        self.since[games, me] = np.where(lost > 0, self.shots[games] + 1, self.since[games, me])

    def _judge_final_round(self, games: Indices) -> None:
        """Begin or call off the final round, by the scores at the end of a shot."""
        reached = self.score[games].max(axis=1) >= self.target
        off = games[self.final[games] & ~reached]
        self.final[off], self.extra[off], self.last[off] = False, False, False
        on = games[reached & ~self.final[games]]
        first = self._leader(on)
        if self.ruleset.ending == "at_once":
            self.shares[on, first] = 1
            self.finished[on] = True
            return
        self.final[on] = True
        self.last[on] = np.arange(self.players) == first[:, None]

    def _leader(self, games: Indices) -> Indices:
        """Return for each game the place with the highest score; of equal scores the one that was held longest."""
        score = self.score[games]
        held = np.where(score == score.max(axis=1, keepdims=True), self.since[games], NEVER)
        first: Indices = held.argmin(axis=1)
        return first

    def _pass_dice(self, games: Indices) -> None:
        """Pass the dice on, or end the game where nobody has a shot left."""
        due = self.due(games)
        me = self.player[games]
        turn = (me[:, None] + 1 + np.arange(self.players)) % self.players
        after = np.take_along_axis(due, turn, axis=1)
        final = self.final[games]
        after &= final[:, None] | (turn > me[:, None])
        anybody = after.any(axis=1)
        following = np.take_along_axis(turn, after.argmax(axis=1)[:, None], axis=1)[:, 0]
        over = final & ~anybody
        wraps = ~final & ~anybody
        again = final & anybody & (following <= me) & ~self.extra[games] & (self.ruleset.ending == "last_shot_each")
        self.played[games[wraps | again]] = False
        self.player[games] = np.where(anybody, following, 0)
        self._conclude(games[over])

    def _conclude(self, games: Indices) -> None:
        """End the final round: the highest score wins, and the ruleset says what follows from a tie."""
        score = self.score[games]
        leads = score == score.max(axis=1, keepdims=True)
        tied = leads.sum(axis=1) > 1
        if self.ruleset.tie == "extra_rounds":
            self.extra[games[tied]] = True
            self.played[games[tied]] = False
            games, leads = games[~tied], leads[~tied]
        if self.ruleset.tie != "shared":
            leads = np.arange(self.players) == self._leader(games)[:, None]
        self.shares[games] = leads / leads.sum(axis=1, keepdims=True)
        self.finished[games] = True
