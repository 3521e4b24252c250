"""Records who of a crew sits where in its games, so that an evening knows its people even after a change of names."""

from collections.abc import Sequence

from game.models import CrewSeat, Game


def seat_people(game: Game, people: Sequence[int | None]) -> None:
    """Record who of a crew sits in each seat, by primary keys of its people, None for a guest. Idempotent."""
    seats = zip(game.players.order_by("seat"), people, strict=True)
    rows = [CrewSeat(player=player, person_id=person) for player, person in seats if person is not None]
    CrewSeat.objects.bulk_create(rows, ignore_conflicts=True)


def follow_people(game: Game, following: Game) -> None:
    """Record the people of a crew in a game that follows another, by the names they had last in that one."""
    sat = dict(CrewSeat.objects.filter(player__game=game).values_list("player__name", "person"))
    if sat:
        names = following.players.order_by("seat").values_list("name", flat=True)
        seat_people(following, [sat.get(name) for name in names])
