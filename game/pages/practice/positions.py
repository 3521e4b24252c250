"""What is practised on: a position made up by its number, one of a game that was reviewed, or that of the help page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from game.models import Game, Player, Review, ThrowRow, Visitor, reading
from game.rules import Ruleset, State, Throw, apply, find_keep, keeps_now, record, throw
from game.rules.play.state import alter
from game.strategy.practice import NoPosition, PositionKind, make_position

GAMES_MOST = 10
COSTLIEST = 10
EXAMPLE = ((1, 3, 4, 4, 2, 6), (5, 3, 3, 6, 3))  # the turn of the help page: the 1 is kept of the first throw


@dataclass(frozen=True)
class Position:
    """A choice to practise on. `query`: its address; `following`: that of the next one, empty after the last."""

    state: State
    query: dict[str, str]
    following: dict[str, str]
    columns: tuple[int, ...]  # where the thrown dice lie, in the order in which they fell
    aside: dict[int, int]  # column → face of those that were kept before
    told: str = ""  # where it is from

    @property
    def address(self) -> str:
        return address(self.query)

    @property
    def thrown(self) -> ThrowRow:
        """The dice on the table as the row of a throw, which is never saved."""
        assert self.state.shot is not None
        dice = "".join(map(str, self.state.shot.dice))
        return ThrowRow(pk=sum(map(ord, self.address)), dice=dice, columns="".join(map(str, self.columns)))


def address(query: dict[str, str]) -> str:
    return f"{reverse('game:practice')}?{urlencode(query)}"


def lying(state: State, query: dict[str, str], following: dict[str, str], told: str = "") -> Position:
    """The position with its dice in columns: by chance, but the same for the same address."""
    shot = state.shot
    assert shot is not None
    places = [1, 2, 3, 4, 5, 6]
    Random(urlencode(query)).shuffle(places)
    aside = dict(zip(sorted(places[: len(shot.aside)]), shot.aside, strict=True))
    rest = sorted(places[len(shot.aside) :])[: len(shot.dice)]
    return Position(state, query, following, tuple(rest), aside, told)


def made_up(ruleset: Ruleset, slug: str, kind: PositionKind, number: int) -> Position:
    """Raises `NoPosition`."""
    state = make_position(ruleset, kind, number, (_("You"), "Bruno"))
    query = {"mode": kind, "ruleset": slug, "n": str(number)}
    return lying(state, query, {**query, "n": str(number + 1)})


def of_help(ruleset: Ruleset, slug: str) -> Position | None:
    """The second throw of the help page's turn; None under rules in which it could not be."""
    try:
        state = make_position(ruleset, "keep", 0, (_("You"), "Bruno"))
    except NoPosition:
        return None
    state = alter(state, shot=None, to_throw=0)
    state = throw(apply(state, Throw()).state, EXAMPLE[0]).state
    if not find_keep(state, (1,)):
        return None
    state = throw(apply(state, Throw((1,))).state, EXAMPLE[1]).state
    if not keeps_now(state):
        return None
    query = {"mode": "example", "ruleset": slug}
    return Position(state, query, {"mode": "keep", "ruleset": slug}, (2, 3, 4, 5, 6), {1: 1})


# ── of games that were played ──


def reviewed(visitor: Visitor) -> list[Game]:
    """The last games of a visitor that were reviewed. Two queries."""
    mine = Player.objects.filter(visitor=visitor).values("game")
    games = Game.objects.filter(pk__in=mine, status__in=Game.OVER, review__data__isnull=False)
    games = Game.with_seats(games.defer("state_data", "settings"))
    return list(games.order_by("-touched", "-pk")[:GAMES_MOST])


def of_game(game: Game, visitor: Visitor | None, number: int) -> Position | None:
    """The choice that is so far down the list of what cost most, from 1; None after the last one."""
    decisions = costliest(game, visitor)
    if not 1 <= number <= len(decisions):
        return None
    decision = decisions[number - 1]
    query = {"game": game.code, "n": str(number)}
    told = _("Round %(round)s of this game, choice %(n)s of %(most)s.") % {
        "round": decision["round"],
        "n": number,
        "most": len(decisions),
    }
    state = moment(reading.record_of(game), decision["step"])
    return None if state is None else lying(state, query, {**query, "n": str(number + 1)}, told)


def costliest(game: Game, visitor: Visitor | None) -> list[dict]:
    """The choices of dice that cost most: the visitor's own, or of all people where none of the seats is his."""
    review = Review.objects.filter(game=game).first()
    people = [seat for seat in game.seats if not seat.level]
    own = {seat.seat for seat in people if visitor and seat.visitor_id == visitor.pk} or {seat.seat for seat in people}
    found = review.data["decisions"] if review and review.data else []
    lost = [each for each in found if each["seat"] in own and each["throw"] and each["loss"] > 0]
    return sorted(lost, key=lambda each: (-each["loss"], each["step"]))[:COSTLIEST]


def moment(whole: record.Record, step: int) -> State | None:
    """The state in which the dice of this step have just fallen, None if nothing was kept of them then.

    Steps count the throws of a record, from 1; a shot without throws is one, too.
    """
    before = 0
    for place, event in enumerate(whole.events):
        if not isinstance(event, record.ShotRecord):
            continue
        throws = max(1, len(event.throws))
        if before < step <= before + throws:
            return state_at(whole, whole.events[:place], event, step - before)
        before += throws
    return None


def state_at(
    whole: record.Record, events: Sequence[record.RecordEvent], shot: record.ShotRecord, throws: int
) -> State | None:
    fallen = shot.throws[:throws]
    if not fallen or fallen[-1].keep is None:
        return None
    open_shot = replace(shot, end=None, points=None, throws=(*fallen[:-1], replace(fallen[-1], keep=None)))
    state = record.replay(replace(whole, events=(*events, open_shot), result=None, proof=None)).state
    return state if keeps_now(state) else None


def chosen_faces(at: Position, columns: Sequence[int]) -> tuple[int, ...]:
    by_column = at.thrown.by_column
    return tuple(sorted(by_column[column] for column in set(columns) if column in by_column))
