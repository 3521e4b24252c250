"""Positions to practise on: generated from a number, taken from a reviewed game, or the one on the help page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from game.history.reviews import pick_costliest
from game.models import Game, Player, Review, ThrowRow, Visitor
from game.pages.parts.language import gettext as _
from game.pages.parts.text import join_names
from game.rules import IllegalMove, Ruleset, State, Throw, apply, keeps_now, record, throw
from game.rules.play.state import alter
from game.storage import load_record
from game.strategy.practice import NoPosition, PositionKind, make_position

GAMES_MOST = 10
EXAMPLE = ((1, 3, 4, 4, 2, 6), (5, 3, 3, 6, 3))  # the turn on the help page, which keeps the 1 of the first throw


@dataclass(frozen=True)
class Position:
    """A choice to practise on. `query`: the parameters of its address; `following`: those of the next position."""

    state: State
    query: dict[str, str]
    following: dict[str, str]
    columns: tuple[int, ...]  # where the thrown dice lie, in the order in which they fell
    aside: dict[int, int]  # column → face of the dice kept before
    origin: str = ""  # the game that it is from, in words

    @property
    def address(self) -> str:
        """The address of the position."""
        return make_practice_address(self.query)

    @property
    def thrown(self) -> ThrowRow:
        """The dice on the table as the row of a throw; never save it."""
        assert self.state.shot is not None
        dice = "".join(map(str, self.state.shot.dice))
        return ThrowRow(pk=sum(map(ord, self.address)), dice=dice, columns="".join(map(str, self.columns)))


def make_practice_address(query: dict[str, str]) -> str:
    """Return the address of the practice page with these parameters."""
    return f"{reverse('game:practice')}?{urlencode(query)}"


def _place_dice(state: State, source: dict[str, str], number: int, origin: str = "") -> Position:
    """Return the position with its dice in columns chosen at random, but always the same for an address.

    `source`: the parameters of the address besides the number.
    """
    shot, query = state.shot, {**source, "n": str(number)}
    assert shot is not None
    places = [*range(1, state.ruleset.dice + 1)]
    Random(urlencode(query)).shuffle(places)
    aside = dict(zip(sorted(places[: len(shot.aside)]), shot.aside, strict=True))
    rest = sorted(places[len(shot.aside) :])[: len(shot.dice)]
    return Position(state, query, {**source, "n": str(number + 1)}, tuple(rest), aside, origin)


def make_numbered(ruleset: Ruleset, kind: PositionKind, number: int) -> Position:
    """Return the position with this number. Raises `NoPosition`."""
    state = make_position(ruleset, kind, number, (_("You"), "Bruno"))
    return _place_dice(state, {"mode": kind, "ruleset": ruleset.slug}, number)


def make_help_example(ruleset: Ruleset) -> Position | None:
    """Return the second throw of the help page's turn; None under a ruleset in which it is impossible."""
    try:
        state = alter(make_position(ruleset, "keep", 0, (_("You"), "Bruno")), shot=None, to_throw=0)
        state = throw(apply(state, Throw()).state, EXAMPLE[0]).state
        state = throw(apply(state, Throw((1,))).state, EXAMPLE[1]).state
    except (NoPosition, IllegalMove):  # for example with five dice
        return None
    if not keeps_now(state):
        return None
    query = {"mode": "example", "ruleset": ruleset.slug}
    return Position(state, query, {**query, "mode": "keep"}, (2, 3, 4, 5, 6), {1: 1})


def list_games_to_practise(visitor: Visitor) -> list[Game]:
    """Return the last finished games of a visitor that have costly choices of theirs. Two queries."""
    mine = Player.objects.filter(visitor=visitor).values("game")
    games = Game.objects.filter(pk__in=mine, status__in=Game.OVER, review__data__isnull=False)
    games = Game.with_seats(games.select_related("review").defer("state_data", "settings"))
    newest = games.order_by("-touched", "-pk")[:GAMES_MOST]
    return [game for game in newest if (data := game.review.data) and pick_costliest(game, visitor, data["decisions"])]


def take_from_game(game: Game, visitor: Visitor | None, number: int) -> Position | None:
    """Return the position at this place, from 1, in the list of the costliest choices; None if there is none."""
    decisions = list_costliest(game, visitor)
    if not 1 <= number <= len(decisions):
        return None
    decision = decisions[number - 1]
    others = [seat.name for seat in game.seats if seat.level or not visitor or seat.visitor_id != visitor.pk]
    values = {"round": decision["round"], "n": number, "most": len(decisions), "names": join_names(others)}
    if 0 < len(others) < len(game.seats):
        origin = _("Round %(round)s of your game against %(names)s · %(n)s of %(most)s") % values
    else:
        origin = _("Round %(round)s of this game · %(n)s of %(most)s") % values
    state = find_state_at_step(load_record(game), decision["step"])
    return None if state is None else _place_dice(state, {"game": game.code}, number, origin)


def list_costliest(game: Game, visitor: Visitor | None) -> list[dict[str, Any]]:
    """Return the costliest choices of dice of a reviewed game, as `pick_costliest` does."""
    review = Review.objects.filter(game=game).first()
    return pick_costliest(game, visitor, review.data["decisions"] if review and review.data else [])


def find_state_at_step(whole: record.Record, step: int) -> State | None:
    """Return the state just after the dice of this step fell; None if nothing was kept of them.

    Steps count the throws of a record, from 1; a turn without throws counts as one.
    """
    before = 0
    for place, event in enumerate(whole.events):
        if not isinstance(event, record.ShotRecord):
            continue
        throws = max(1, len(event.throws))
        if before < step <= before + throws:
            return _replay_to(whole, whole.events[:place], event, step - before)
        before += throws
    return None


def _replay_to(
    whole: record.Record, events: Sequence[record.RecordEvent], shot: record.ShotRecord, throws: int
) -> State | None:
    fallen = shot.throws[:throws]
    if not fallen or fallen[-1].keep is None:
        return None
    open_shot = replace(shot, end=None, points=None, throws=(*fallen[:-1], replace(fallen[-1], keep=None)))
    state = record.replay(replace(whole, events=(*events, open_shot), result=None, proof=None)).state
    return state if keeps_now(state) else None


def sort_dice(at: Position) -> Position:
    """Return the position with its thrown dice in the order of their faces, from the left."""
    places = dict(zip(sorted(range(len(at.columns)), key=at.thrown.faces.__getitem__), at.columns, strict=True))
    return replace(at, columns=tuple(places[place] for place in range(len(at.columns))))


def list_chosen_faces(at: Position, columns: Sequence[int]) -> tuple[int, ...]:
    """Return the sorted faces of the thrown dice in these columns."""
    by_column = at.thrown.by_column
    return tuple(sorted(by_column[column] for column in set(columns) if column in by_column))
