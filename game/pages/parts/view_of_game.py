"""A game as one viewer sees it: read once per response, in a constant number of queries, and shared by all regions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from game import history, live, services
from game.history.head_to_head import HeadToHead, find_heads
from game.history.scores import Score, list_scores_by_round
from game.history.summary import GameEnd, read_end
from game.models import ChangeRow, Game, Player, ShotRow, ThrowRow, Visitor
from game.pages.parts.dice import find_aside, find_taken_over, sort_throws
from game.pages.parts.language import gettext as _
from game.prefs import Prefs
from game.rules import Keep, Move, State, Throw, dice_left, keeps_now, points_with
from game.rules.play.banking import is_last_throw
from game.storage import load_state
from game.strategy import computers
from game.strategy.odds import chance_to_end_next

TURNS_SHOWN = 5  # in the log, unless all are asked for
TURNS_MOST = 500  # at most, on one page


@dataclass(frozen=True)
class LegalKeep:
    """A way to keep dice of the throw on the table, and what it leads to."""

    keep: Keep
    gain: int  # points that it adds to the turn; a set that includes dice set aside replaces their points
    points: int  # of the turn with it
    left: int  # dice of the next throw, all of them after a sweep
    bust: float | None  # chance 0–1 that the next throw ends the turn; None if no throw follows: a win, or the last

    @property
    def key(self) -> str:
        """The sorted faces, by which the page knows this keep: "1155"."""
        return "".join(map(str, self.keep.dice))


@dataclass(frozen=True)
class ViewerGame:
    """A game as one viewer sees it.

    Whatever needs the database or the rules is worked out at its first use, and only once.
    """

    row: Game
    state: State
    url: str
    players: tuple[Player, ...]
    contacts: tuple[live.Contact, ...]  # by seat: whether somebody is there; always 'here' for the viewer's own
    presence: live.Presence
    held: frozenset[int]  # the viewer's seats, computers' among them
    people: frozenset[int]  # those of them that a person plays
    prefs: Prefs
    throws: tuple[ThrowRow, ...]  # of the running turn, once dice have fallen
    keeps: tuple[LegalKeep, ...]  # the ways to keep dice of the last throw; none where no choice is due
    name_due: str  # of the player at the dice
    host: int | None  # the primary key of the visitor with the host's powers
    is_host: bool
    viewer: Visitor | None  # None for a browser that holds nothing
    takes_part: bool  # as a player or as the host
    is_abandoned: bool  # ended with no winner, by hand or after a month of silence: its dice are shown, nobody goes on
    is_over: bool
    is_yours: bool  # a person is due whose seat the viewer holds
    computer_due: bool
    shared: bool  # other people of the game play on other devices
    leaves: bool  # others keep the game when the viewer deletes it; while it runs, that means to resign
    called_you: frozenset[int]  # the viewer's seat, if they are the only person who plays, and so need no name
    turns_most: int = TURNS_SHOWN  # in the log

    def address(self, action: str) -> str:
        """Return the address to which a form of the page posts."""
        return f"{self.url}/{action}"

    @cached_property
    def plan(self) -> tuple[Move, LegalKeep] | None:
        """The move that the computer at the dice is about to make, and its keep; None if no computer has to choose."""
        if not self.computer_due or not self.keeps:
            return None
        move = computers.choose_move(self.state)
        return move, next(keep for keep in self.keeps if keep.keep.dice == move.keep)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat, with "You" for a viewer who needs none."""
        return tuple(_("You") if seat in self.called_you else p.name for seat, p in enumerate(self.state.players))

    @property
    def next_is_yours(self) -> bool:
        """Whether somebody on another device is due, and a person on this one after them."""
        state = self.state
        if self.is_over or not self.shared or state.player in self.held:
            return False
        place = state.order.index(state.player)
        after = (seat for seat in (*state.order[place + 1 :], *state.order[:place]) if state.players[seat].active)
        following = next(after, None)
        return following in self.people and (not state.final_stands or following in state.due)

    @cached_property
    def previous(self) -> ShotRow | None:
        """The last finished turn that was not undone, while its dice still lie there; None after the next throw."""
        if self.throws:
            return None
        counted = next((shot for shot in self.latest if not shot.cancelled), None)
        shot = counted or (history.find_last_shot(self.row) if self.latest else None)
        if shot and self.prefs.order == "sorted":
            shot.fallen = list(sort_throws(shot.fallen))
        return shot

    @cached_property
    def latest(self) -> list[ShotRow]:
        """The turns that the log shows, newest first, and one more if there are further ones."""
        return history.list_latest_shots(self.row, self.turns_most + 1)

    @cached_property
    def aside(self) -> dict[int, int]:
        """Column → face of the dice set aside before the throw on the table, with those that came with a pick-up."""
        shot = self.state.shot
        taken = self.find_taken_over(self.throws, None) if shot and shot.picked_up is not None else {}
        return find_aside(self.throws[:-1], taken)

    @cached_property
    def previous_aside(self) -> dict[int, int]:
        """Column → face of the dice set aside before the last throw of the previous turn."""
        before = self.previous
        if before is None:
            return {}
        taken = self.find_taken_over(before.fallen, before) if before.picked_up is not None else {}
        return find_aside(before.fallen[:-1], taken)

    def find_taken_over(self, throws: Sequence[ThrowRow], shot: ShotRow | None) -> dict[int, int]:
        """Return column → face of the dice these throws took over. `shot`: their turn, None for the running one."""
        counted = [row for row in self.latest if not row.cancelled]
        return find_taken_over(throws, counted[counted.index(shot) + 1 :] if shot in counted else counted)

    @cached_property
    def changes(self) -> list[ChangeRow]:
        """The newest changes apart from the dice, newest first."""
        return history.list_latest_changes(self.row, self.turns_most)

    @cached_property
    def end(self) -> GameEnd:
        """The summary, scores and outcome of a game that is over."""
        return read_end(self.row)

    @cached_property
    def scores(self) -> Sequence[Score]:
        """The seat, the round and the score after each finished turn that counts, as a chart needs them."""
        return self.end.scores if self.is_over else list_scores_by_round(self.row)

    @cached_property
    def heads(self) -> dict[int, HeadToHead]:
        """The head to head against each of the others, by seat; empty for a viewer who doesn't play."""
        return find_heads(self.row, self.viewer.pk) if self.viewer and self.people else {}

    @cached_property
    def following(self) -> Game | None:
        """The game that somebody has opened after the end of this one; the viewer may not be allowed to see it."""
        following = history.find_rematch(self.row) if self.is_over else None
        return following if following and not services.has_lapsed(following) else None

    @cached_property
    def rematch(self) -> Game | None:
        """The game that follows this one, if the viewer may see it."""
        return self.following if self.following and services.may_see(self.following, self.viewer) else None

    @property
    def won_by_dice(self) -> bool:
        """Whether dice that win at once ended the game."""
        return self.end.outcome == ShotRow.Outcome.WIN

    @cached_property
    def hints(self) -> str:
        """The level of Ways to keep: the game's, if the host has set one, else the viewer's own, else by who plays."""
        chosen = self.row.hints or self.prefs.hints
        if chosen != "auto":
            return chosen
        if sum(player.level is None for player in self.state.players) > 1:
            return "points"
        visitor = self.players[min(self.held)].visitor_id if self.held else None
        return "coach" if visitor is not None and history.is_first_game(self.row, visitor) else "odds"


def list_keeps(state: State) -> tuple[LegalKeep, ...]:
    """Return the ways to keep dice of the throw on the table; none where no choice is due."""
    shot, ways = state.shot, []
    if shot is None:
        return ()
    for keep in keeps_now(state):
        points, left = points_with(shot, keep), dice_left(shot.dice, keep.dice, state.ruleset.dice)
        is_last = keep.wins or is_last_throw(state.ruleset, shot)
        bust = None if is_last else chance_to_end_next(state, Throw(keep.dice))
        ways.append(LegalKeep(keep, points - shot.points, points, left, bust))
    return tuple(ways)


def find_newest_change(row: Game, changes: Sequence[ChangeRow]) -> ChangeRow | None:
    """Return the last change apart from the dice, unless something came after the turn in which it was made."""
    change = next(iter(changes), None)
    return change if change and change.place >= row.place - 1 else None


def find_seat_called_you(visitor: Visitor | None, seats: Sequence[Player]) -> frozenset[int]:
    """Return the viewer's seat if they are the only person who plays, and so need no name; else nothing."""
    people = [player for player in seats if not player.level]
    return frozenset(p.seat for p in people if visitor and len(people) == 1 and p.visitor_id == visitor.pk)


def load_viewer_game(
    row: Game,
    visitor: Visitor | None,
    prefs: Prefs,
    presence: live.Presence | None = None,
    *,
    whole_log: bool = False,
) -> ViewerGame:
    """Load a game for a viewer. Three queries, however long it is; one less if `presence` is known already."""
    state, players = load_state(row), tuple(row.seats)
    presence = presence or live.find_presence(row)
    held = frozenset(p.seat for p in players if visitor and p.visitor_id == visitor.pk)
    others = (p for p in players if p.visitor_id is not None and not p.level and p.seat not in held)
    due, host = state.players[state.player], services.find_host(row, visitor.pk if visitor else None)
    is_host = visitor is not None and host == visitor.pk
    is_abandoned = row.status == Game.Status.ABANDONED
    is_over = state.finished or is_abandoned
    throws = () if state.finished else row.running_throws
    people = frozenset(seat for seat in held if state.players[seat].level is None)
    return ViewerGame(
        row=row,
        state=state,
        url=row.get_absolute_url(),
        players=players,
        contacts=tuple("here" if seat in held else contact for seat, contact in enumerate(presence.seats)),
        presence=presence,
        held=held,
        people=people,
        prefs=prefs,
        throws=sort_throws(throws) if prefs.order == "sorted" else throws,
        keeps=list_keeps(state),
        name_due=due.name,
        host=host,
        is_host=is_host,
        viewer=visitor,
        takes_part=bool(held) or is_host,
        is_abandoned=is_abandoned,
        is_over=is_over,
        is_yours=state.player in held and due.level is None and not is_over,
        computer_due=due.level is not None,
        shared=any(p.active for p in others),
        leaves=visitor is not None and not services.is_deleted_for_all(row, visitor),
        called_you=find_seat_called_you(visitor, players),
        turns_most=TURNS_MOST if whole_log else TURNS_SHOWN,
    )
