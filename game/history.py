"""The reading side of games: turns that were played, lists of games, a whole game as a record."""

from __future__ import annotations

from django.db.models import Prefetch, Q, QuerySet

from game.models import Change, Game, Player, Shot, Throw, Visitor


def running_shot(game: Game) -> Shot | None:
    """The shot being played, with its throws in order. Two queries."""
    return shots_with_throws(game).filter(outcome="", cancelled=False).first()


def last_shot(game: Game) -> Shot | None:
    """The last finished shot that counts, with its throws: whose dice still lie there. Two queries."""
    return shots_with_throws(game).exclude(outcome="").filter(cancelled=False).last()


def shots_with_throws(game: Game) -> QuerySet[Shot]:
    return game.shots.prefetch_related(Prefetch("throws", Throw.objects.order_by("pk")))


def latest_shots(game: Game, most: int) -> list[Shot]:
    """The last finished turns, newest first, those taken back among them. One query."""
    return list(game.shots.exclude(outcome="").select_related("player").order_by("-place")[:most])


def latest_changes(game: Game, most: int) -> list[Change]:
    return list(game.changes.select_related("player").order_by("-place")[:most])


def scores_by_round(game: Game) -> list[tuple[int, int, int]]:
    """(seat, round, score) after each finished turn that counts, in order of play. One query."""
    finished = game.shots.exclude(outcome="").filter(cancelled=False)
    return list(finished.order_by("place").values_list("player__seat", "round", "score"))


def games_of(visitor: Visitor, status: str) -> QuerySet[Game]:
    """The games in which this visitor holds a seat or which it made, last played first; players come along."""
    seats = Player.objects.filter(visitor=visitor).values("game")
    mine = Game.objects.filter(Q(pk__in=seats) | Q(host=visitor), status=status)
    return mine.select_related("ruleset").prefetch_related("players").order_by("-touched", "-pk")


def best_turn(game: Game) -> Shot | None:
    return counted(game).filter(outcome="bank").order_by("-points", "place").first()


def counted(game: Game) -> QuerySet[Shot]:
    """The finished turns that were not taken back."""
    return game.shots.exclude(outcome="").filter(cancelled=False).select_related("player")


def bravest_throw(game: Game) -> tuple[str, int, int] | None:
    """(name, dice, points at stake) of the throw with the fewest dice, and the most at stake, that did not bust."""
    best: tuple[int, int, str] | None = None
    for shot in counted(game).filter(outcome="bank", count__gt=1).prefetch_related("throws"):
        stake = 0
        for throw in shot.throws.all():
            if stake and throw.kept:
                best = max(best or (-7, 0, ""), (-len(throw.dice), stake, shot.player.name))
            stake += throw.points
    return (best[2], -best[0], best[1]) if best else None
