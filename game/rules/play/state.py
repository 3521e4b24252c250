"""A game at one moment, as a value: constant in size however long the game has lasted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from game.rules.combinations import Dice
from game.rules.events import Event
from game.rules.play.moves import Mode
from game.rules.ruleset import Ruleset

STATE_FORMAT = 1
LEVELS = ("beginner", "careful", "balanced", "bold", "best")

T = TypeVar("T")


@dataclass(frozen=True)
class PlayerState:
    """The player at a seat, and how they stand."""

    name: str
    level: str | None = None
    """How well a computer plays, one of `LEVELS`; None for a person."""
    score: int = 0
    """Points banked."""
    entered: bool = False
    """Has banked before: is on the board."""
    active: bool = True
    """Takes part: has not stepped out."""
    streak: int = 0
    """Busts in a row since the last bank or penalty."""
    since: int = 0
    """The number of the shot that made the score what it is; 0 before the first."""
    waiting: bool = False
    """Has joined in the middle of a round, and plays from the next one."""
    played: bool = False
    """Has had the shot of this round."""
    last: bool = False
    """Has had the last shot of the final round, or needs none."""
    eliminated: bool = False
    """Is out of the game for good."""


@dataclass(frozen=True, order=True)
class ShotMemory:
    """What a shot has to remember besides its dice and points, if the ruleset needs it."""

    base: int = 0
    """How many of the points were picked up; noted only where a bust costs the other points."""
    raised: int = 0
    """How often a sweep has raised the multiplier of keeps."""
    growing: Dice = ()
    """The set among the dice aside that dice of later throws may join."""
    to_prove: int = 0
    """Points that later keeps must add before the shot can be banked; 1 if the proof is not about points."""
    big_keep: bool = False
    """One keep has added the entry minimum."""
    has_set: bool = False
    """A combination of three or more dice has been kept."""


@dataclass(frozen=True)
class Shot:
    """A running shot: a player's turn."""

    player: int
    left: int
    """How many dice lie on the table or are thrown next, 1 to 6."""
    points: int = 0
    """At risk: the points kept so far, those picked up included."""
    dice: Dice = ()
    """On the table, as they fell, awaiting a choice; none while dice are due."""
    aside: Dice = ()
    """Set aside since the last sweep, sorted. Dice of the player before do not count as set aside."""
    aside_points: int = 0
    """What the dice `aside` are worth."""
    tries: int = 0
    """Misses so far with the last die."""
    picked_up: int | None = None
    """How many dice were taken over from the player before; None for a shot that began with fresh dice."""
    throws: int = 0
    """How many throws there have been."""
    swept: bool = False
    """All dice have just been set aside."""
    memory: ShotMemory = ShotMemory()

    def factor(self, ruleset: Ruleset) -> int:
        """Return the multiplier of a keep now."""
        return min(self.memory.raised + 1, ruleset.sweep_multiplier)


@dataclass(frozen=True)
class Offer:
    """What the next player may pick up: how many dice `player` left, and the points that were banked with them."""

    player: int
    dice: int
    points: int


@dataclass(frozen=True)
class State:
    """A game at one moment.

    While `to_throw` > 0, dice are due. Otherwise, until the game is `finished`, `player` has to choose a move.
    """

    ruleset: Ruleset
    target: int
    """Points to play to."""
    players: tuple[PlayerState, ...]
    """By seat."""
    order: tuple[int, ...]
    """The seats in the order of play."""
    player: int = 0
    """The seat whose turn it is."""
    starting: tuple[int, ...] = ()
    """The seats that still throw for who plays first."""
    shot: Shot | None = None
    """The running shot; None until its first throw is chosen."""
    to_throw: int = 0
    """How many dice are due to fall."""
    offer: Offer | None = None
    """What the previous shot left; `pick_up` says whether `player` may take it."""
    round: int = 1
    round_begun: bool = False
    """A shot of this round has ended."""
    shots: int = 0
    """How many shots have ended."""
    final: bool = False
    """The final round is on, extra rounds included."""
    first: int | None = None
    """The seat that led when the final round began."""
    extra: int = 0
    """Extra rounds so far."""
    tied: tuple[int, ...] = ()
    """The seats that play off a tie among themselves."""
    pot: int = 0
    """The pot, in the smallest coin."""
    finished: bool = False
    winners: tuple[int, ...] = ()
    """The seats that have won; none before the end, or if no active player was left."""
    mode: Mode = "auto"
    """How the next shot is played."""

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that take part, in the order of play."""
        return tuple(seat for seat in self.order if self.players[seat].active)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The active seats with the highest score, the one that has held it longest first."""
        seats = tuple(seat for seat in self.active if seat in self.tied) if self.tied else self.active
        top = max((self.players[seat].score for seat in seats), default=0)
        tied = [seat for seat in seats if self.players[seat].score == top]
        return tuple(sorted(tied, key=lambda seat: self.players[seat].since))

    @property
    def pick_up(self) -> tuple[int, int] | None:
        """How many dice, with how many points, the player may pick up now; None if nothing is offered."""
        offer, ruleset, player = self.offer, self.ruleset, self.players[self.player]
        if not ruleset.pick_up or offer is None or self.shot is not None or self.finished:
            return None
        points = offer.points if isinstance(ruleset.pick_up_worth, str) else ruleset.pick_up_worth
        beyond = ruleset.exact != "no" and player.score + points >= self.target
        allowed = offer.player != self.player and (player.entered or ruleset.pick_up_by == "all") and not beyond
        return (offer.dice, points) if allowed else None

    @property
    def goal(self) -> int:
        """The score that begins the end of the game; 0 where a number of rounds ends it."""
        return 0 if self.ruleset.ending == "rounds" else self.target

    @property
    def final_stands(self) -> bool:
        """Whether the final round is on and will stay on when this shot ends.

        It is called off if nobody is at the target any more, because the target was raised or they have stepped out.
        """
        reached = (player.active and player.score >= self.target for player in self.players)
        return self.final and (self.ruleset.ending == "rounds" or any(reached))

    @property
    def has_last_shots(self) -> bool:
        """Whether all but the first at the target have one last shot now; an extra round has none."""
        return self.final and self.ruleset.ending == "last_shot_each" and not self.extra

    @property
    def due(self) -> tuple[int, ...]:
        """The seats that still have a shot in the final round, in turn from `player` on; empty before it."""
        if not self.final or self.finished:
            return ()
        place = self.order.index(self.player)
        return tuple(seat for seat in self.order[place:] + self.order[:place] if self.has_shot(seat))

    def has_shot(self, seat: int) -> bool:
        """Return whether a seat still has a shot in the final round."""
        if self.tied and seat not in self.tied:
            return False
        player = self.players[seat]
        return player.active and not (player.last if self.has_last_shots else player.played)

    @property
    def by_hand(self) -> bool:
        """Whether the player enters the points of real dice now. Computers always throw."""
        return self.mode == "manual" and self.shot is None and self.players[self.player].level is None

    @property
    def shares(self) -> tuple[int, ...]:
        """What each seat gets of the pot, in the smallest coin; nothing before the end.

        Winners share alike, and the odd coins go to the earlier seats.
        """
        share, odd = divmod(self.pot, len(self.winners)) if self.winners else (0, 0)
        places = {seat: place for place, seat in enumerate(sorted(self.winners))}
        return tuple(share + (places[seat] < odd) if seat in places else 0 for seat in range(len(self.players)))


class Step(NamedTuple):
    """A transition: the state it leads to, and what happens on the way, in order."""

    state: State
    events: tuple[Event, ...] = ()

    def preceded_by(self, *events: Event) -> Step:
        """Return the same step with these events before its own."""
        return Step(self.state, events + self.events)


def alter(value: T, **changes: Any) -> T:
    """Return a copy of a frozen dataclass with other values.

    Four times as fast as `dataclasses.replace`, but unchecked: it neither rejects a wrong name nor runs
    `__post_init__`, so use it for states, players and shots, not for rulesets.
    """
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", value.__dict__ | changes)
    return copy


def with_player(state: State, seat: int, **changes: Any) -> State:
    """Return the state with one player changed."""
    players = state.players
    return alter(state, players=(*players[:seat], alter(players[seat], **changes), *players[seat + 1 :]))


def state_to_json(state: State) -> dict[str, Any]:
    """Return everything needed to continue, except the ruleset, as JSON values."""
    plain: dict[str, Any] = {"format": STATE_FORMAT, **vars(state)}
    del plain["ruleset"]
    plain["players"] = [_without_later(vars(player)) for player in state.players]
    plain["offer"] = plain["offer"] and dict(vars(plain["offer"]))
    if state.shot:
        memory = {name: value for name, value in vars(state.shot.memory).items() if value}
        plain["shot"] = _without_later({**vars(state.shot), "memory": memory})
    return {name: _convert_sequences(value, tuple, list) for name, value in _without_later(plain).items()}


def _without_later(values: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out empty fields that few rulesets need, so that other states are stored as before these fields."""
    return {name: value for name, value in values.items() if value or name not in _LATER}


_LATER = frozenset({"eliminated", "memory", "tied"})


def state_from_json(ruleset: Ruleset, data: Mapping[str, Any]) -> State:
    """Return the state that `state_to_json` wrote. Raises `ValueError` for an unknown format."""
    if data.get("format") != STATE_FORMAT:
        raise ValueError(f"A state of format {data.get('format')!r} cannot be read, only {STATE_FORMAT}.")
    dropped = ("format", "won_at_once")  # older releases stored the second, too, but nothing asks for it
    values = {name: _convert_sequences(value, list, tuple) for name, value in data.items() if name not in dropped}
    values["players"] = tuple(PlayerState(**player) for player in data["players"])
    if values["shot"]:
        memory = ShotMemory(**values["shot"].pop("memory", {}))
        values["shot"] = Shot(**values["shot"], memory=memory)
    values["offer"] = values["offer"] and Offer(**values["offer"])
    return State(ruleset=ruleset, **values)


def _convert_sequences(value: Any, old: type, new: Callable[[Any], Any]) -> Any:
    """Return the value with sequences of the old type, also in dictionaries, as ones of the new type."""
    if isinstance(value, dict):
        return {name: _convert_sequences(inner, old, new) for name, inner in value.items()}
    return new(value) if isinstance(value, old) else value
