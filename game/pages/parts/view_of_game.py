"""What a page needs to know of a game before it can be worded: read once, with a constant number of queries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from game import history, live, services
from game.history.replay import Turn, turns
from game.models import ChangeRow, Game, Player, ShotRow, ThrowRow, Visitor
from game.prefs import Prefs
from game.rules import Keep, Move, Shot, State, find_keep, may_pick_up
from game.rules.play.state import Offer
from game.strategy import computers

TURNS_SHOWN = 5


@dataclass(frozen=True)
class Facts:
    """A game as one viewer finds it."""

    game: Game
    state: State
    players: tuple[Player, ...]
    mine: frozenset[int]  # seats that this visitor holds, computers' among them
    there: live.Presence
    host: bool
    prefs: Prefs
    throws: tuple[ThrowRow, ...]  # of the running turn, once dice have fallen
    asked: str = ""  # what the address of the page says before more is asked, with its "&"

    @cached_property
    def addresses(self) -> str:
        return self.game.get_absolute_url()

    def address(self, action: str) -> str:
        """Where a form of the page posts to."""
        return f"{self.addresses}/{action}"

    @property
    def yours(self) -> bool:
        """It is a person's turn, and this viewer holds the seat."""
        return self.state.player in self.mine and not self.computer_due and not self.abandoned

    @property
    def abandoned(self) -> bool:
        """Nobody has played for so long that its dice are shown: it is not played on."""
        return self.game.status == Game.Status.ABANDONED

    @property
    def over(self) -> bool:
        return self.state.finished or self.abandoned

    @property
    def elsewhere(self) -> bool:
        """Whether other people of the game play on other devices."""
        return any(
            p.visitor_id is not None and not p.level and p.active and p.seat not in self.mine for p in self.players
        )

    @property
    def next_is_yours(self) -> bool:
        """Somebody on another device is due, and after them a person on this one."""
        if self.over or self.state.player in self.mine or not self.elsewhere:
            return False
        order, due = self.state.order, self.state.due if self.state.final else range(len(self.players))
        place = order.index(self.state.player)
        after = (seat for seat in (*order[place + 1 :], *order[:place]) if self.state.players[seat].active)
        next_ = next(after, None)
        return next_ in self.people and next_ in due

    @property
    def host_seat(self) -> int | None:
        """The first seat of a person of whoever is the host now."""
        host = services.host_of(self.game)
        return next((p.seat for p in self.players if p.visitor_id == host and not p.level), None)

    def contact(self, seat: int) -> live.Contact:
        """Whether somebody is at this seat now. Of their own seats a viewer knows."""
        return "here" if seat in self.mine else self.there.seats[seat]

    @property
    def running(self) -> Shot:
        """The running shot as the rules know it; asked for only once dice have fallen."""
        assert self.state.shot is not None
        return self.state.shot

    @property
    def computer_due(self) -> bool:
        return self.state.players[self.state.player].level is not None

    @cached_property
    def plan(self) -> Move | None:
        """What the computer at the dice is about to do with those on the table."""
        deciding = self.computer_due and self.state.shot is not None and bool(self.state.shot.dice)
        return computers.choose_move(self.state) if deciding else None

    @property
    def plan_keep(self) -> Keep | None:
        return find_keep(self.state, self.plan.keep) if self.plan else None

    @property
    def name_due(self) -> str:
        return self.state.players[self.state.player].name

    @property
    def offer(self) -> Offer | None:
        """The dice that the player due could pick up now."""
        return self.state.offer if may_pick_up(self.state) else None

    @property
    def people(self) -> frozenset[int]:
        """The persons whose seats this viewer holds."""
        return frozenset(i for i in self.mine if self.state.players[i].level is None)

    @cached_property
    def previous(self) -> ShotRow | None:
        """The last finished turn that counts, while its dice still lie there: before the next throw."""
        if self.throws:
            return None
        found = next((shot for shot in self.latest if not shot.cancelled), None)
        if found is None and self.latest:
            return history.last_shot(self.game)
        return found

    @cached_property
    def latest(self) -> list[ShotRow]:
        """The turns that the log shows at first, newest first, and one more that tells whether there are others."""
        return history.latest_shots(self.game, TURNS_SHOWN + 1)

    @cached_property
    def changes(self) -> list[ChangeRow]:
        """The newest changes beside the dice."""
        return history.latest_changes(self.game, TURNS_SHOWN)

    @cached_property
    def turns(self) -> list[Turn]:
        """All turns of a game that is over, as light rows."""
        return turns(self.game)

    @property
    def by_six_alike(self) -> bool:
        """Whether six equal dice ended the game."""
        return [turn.outcome for turn in self.turns if not turn.cancelled][-1:] == [ShotRow.Outcome.WIN]

    @cached_property
    def hints(self) -> str:
        """The level of Ways to keep: the game's where it is locked, else the viewer's own, else by who plays."""
        if self.game.hints:
            return self.game.hints
        if self.prefs.hints != "auto":
            return self.prefs.hints
        people = sum(player.level is None for player in self.state.players)
        if people > 1:
            return "points"
        return "coach" if self.mine and self.first_game else "odds"

    @property
    def first_game(self) -> bool:
        """Whether this is the first game that the viewer holds a seat in. One query."""
        return history.is_first_game(self.game, self.players[min(self.mine)].visitor_id)


def read(game: Game, visitor: Visitor | None, prefs: Prefs, there: live.Presence | None = None) -> Facts:
    """Three queries, whatever the length of the game; one less where somebody knows already who is `there`."""
    players = tuple(game.seats)
    mine = frozenset(p.seat for p in players if visitor and p.visitor_id == visitor.pk)
    return Facts(
        game=game,
        state=game.state(),
        players=players,
        mine=mine,
        there=there or live.presence(game),
        host=visitor is not None and services.host_of(game) == visitor.pk,
        prefs=prefs,
        throws=history.running_throws(game),
    )
