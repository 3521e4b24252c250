"""A game at one moment, as a value: constant in size however long the game has lasted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from game.rules.events import Event
from game.rules.play.moves import Mode
from game.rules.ruleset import Ruleset

STATE_FORMAT = 1
LEVELS = ("beginner", "careful", "balanced", "bold", "best")

T = TypeVar("T")


@dataclass(frozen=True)
class Player:
    """A seat. A `level` makes it a computer's; `streak` counts busts in a row since the last bank or penalty.

    `since`: the number of the shot that made the score what it is. `waiting`: joined, plays from the next round.
    `played`: has had the shot of this round; `last`: has had the last shot, or needs none.
    """

    name: str
    level: str | None = None
    score: int = 0
    entered: bool = False
    active: bool = True
    streak: int = 0
    since: int = 0
    waiting: bool = False
    played: bool = False
    last: bool = False


@dataclass(frozen=True)
class Shot:
    """A running shot.

    `points` gathered in earlier throws, picked-up ones included. `dice` on the table that await a choice, as they
    fell. `aside`: dice set aside since the last sweep, sorted, and what they counted. `left`: how many dice lie on the
    table or are thrown next. `tries`: misses so far with the last die. `picked_up`: how many dice were taken over, None
    for none. `throws` so far. `swept`: all six dice were just set aside.
    """

    player: int
    left: int
    points: int = 0
    dice: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    aside_points: int = 0
    tries: int = 0
    picked_up: int | None = None
    throws: int = 0
    swept: bool = False


@dataclass(frozen=True)
class Offer:
    """What the next player may pick up: the dice left by `player`, and the points that he banked."""

    player: int
    dice: int
    points: int


@dataclass(frozen=True)
class State:
    """A game at one moment.

    `to_throw` > 0: so many dice are due to be thrown. Otherwise, until `finished`, it is for `player` to choose a move.
    `order` of play by seats; `starting`: seats that throw for the first player. `round` counts from 1; `round_begun`:
    a shot of it has ended. `shots` counts those that have ended. `final`: the final round runs, begun by `first`;
    `extra`: extra rounds so far. `won_at_once`: six equal dice, or the first at the target, ended it. `pot` in the
    smallest coin. `mode`: how the next shot is played.
    """

    ruleset: Ruleset
    target: int
    players: tuple[Player, ...]
    order: tuple[int, ...]
    player: int = 0
    starting: tuple[int, ...] = ()
    shot: Shot | None = None
    to_throw: int = 0
    offer: Offer | None = None
    round: int = 1
    round_begun: bool = False
    shots: int = 0
    final: bool = False
    first: int | None = None
    extra: int = 0
    pot: int = 0
    finished: bool = False
    winners: tuple[int, ...] = ()
    won_at_once: bool = False
    mode: Mode = "auto"

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that take part, in the order of play."""
        return tuple(seat for seat in self.order if self.players[seat].active)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The active seats with the highest score, the one that has held it longest first."""
        top = max((self.players[seat].score for seat in self.active), default=0)
        tied = [seat for seat in self.active if self.players[seat].score == top]
        return tuple(sorted(tied, key=lambda seat: self.players[seat].since))

    @property
    def pick_up(self) -> tuple[int, int] | None:
        """How many dice, and with how many points, the player may pick up now; None if nothing is offered."""
        offer = self.offer
        if not self.ruleset.pick_up or offer is None or self.shot is not None or self.finished:
            return None
        allowed = offer.player != self.player and self.players[self.player].entered
        return (offer.dice, offer.points) if allowed else None

    @property
    def last_shots(self) -> bool:
        """Whether everybody but the first at the target has one last shot (no extra round)."""
        return self.final and self.ruleset.ending == "last_shot_each" and not self.extra

    @property
    def due(self) -> tuple[int, ...]:
        """In the final round, the seats that still have a shot, in turn, from the player on; otherwise none."""
        if not self.final or self.finished:
            return ()
        place = self.order.index(self.player)
        return tuple(seat for seat in self.order[place:] + self.order[:place] if self.has_shot(seat))

    def has_shot(self, seat: int) -> bool:
        """Whether a seat still has a shot in the final round."""
        player = self.players[seat]
        return player.active and not (player.last if self.last_shots else player.played)

    @property
    def by_hand(self) -> bool:
        """Whether the player enters the points of real dice now. Computers always throw."""
        return self.mode == "manual" and self.shot is None and self.players[self.player].level is None

    @property
    def shares(self) -> tuple[int, ...]:
        """What each seat gets of the pot: winners alike, odd coins to the earlier seats; nothing before the end."""
        each, odd = divmod(self.pot, len(self.winners)) if self.winners else (0, 0)
        places = {seat: place for place, seat in enumerate(sorted(self.winners))}
        return tuple(each + (places[seat] < odd) if seat in places else 0 for seat in range(len(self.players)))


class Step(NamedTuple):
    """A transition: the state it led to, and what happened on the way."""

    state: State
    events: tuple[Event, ...]


def alter(value: T, **changes: Any) -> T:
    """A copy of a frozen dataclass with other values. `dataclasses.replace` does the same four times slower."""
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", {**value.__dict__, **changes})
    return copy


def with_player(state: State, seat: int, **changes: Any) -> State:
    """The state with one player changed."""
    players = state.players
    return alter(state, players=(*players[:seat], alter(players[seat], **changes), *players[seat + 1 :]))


def dump(state: State) -> dict[str, Any]:
    """Everything that is needed to go on, but for the ruleset, as JSON has it."""
    plain: dict[str, Any] = {"format": STATE_FORMAT, **vars(state)}
    del plain["ruleset"]
    plain["players"] = [dict(vars(player)) for player in state.players]
    for name in ("shot", "offer"):
        plain[name] = plain[name] and dict(vars(plain[name]))
    return {name: _listed(value) for name, value in plain.items()}


def load(ruleset: Ruleset, data: Mapping[str, Any]) -> State:
    """The state that was dumped. Raises `ValueError` for a format that this code does not know."""
    if data.get("format") != STATE_FORMAT:
        raise ValueError(f"A state of format {data.get('format')!r} cannot be read, only {STATE_FORMAT}.")
    values = {name: _tupled(value) for name, value in data.items() if name != "format"}
    values["players"] = tuple(Player(**player) for player in data["players"])
    values["shot"] = values["shot"] and Shot(**values["shot"])
    values["offer"] = values["offer"] and Offer(**values["offer"])
    return State(ruleset=ruleset, **values)


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _listed(each) for name, each in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _tupled(each) for name, each in value.items()}
    return tuple(value) if isinstance(value, list) else value
