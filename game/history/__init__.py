"""Reads what was played: the latest turns and changes of a game, what an undo would cancel, and the rematch."""

from collections.abc import Collection
from typing import TypeVar

from django.db.models import Count, OuterRef, QuerySet, Subquery

from game.models import ChangeRow, Game, Player, ShotRow
from game.models.compiled import CompiledQuery
from game.storage import query_level_then

ShotOrChange = TypeVar("ShotOrChange", ShotRow, ChangeRow)


def find_last_shot(game: Game) -> ShotRow | None:
    """Return the last finished shot that was not undone. One query."""
    return game.shots.exclude(outcome="").filter(cancelled=False).last()


def list_latest_shots(game: Game, most: int) -> list[ShotRow]:
    """Return the last finished turns, newest first, including undone ones. One query."""
    return attach_players(game, SHOTS(game.pk, most=most))


SHOTS = CompiledQuery(
    lambda game: ShotRow.objects.filter(game=game).exclude(outcome="", cancelled=False).order_by("-place"), -1
)


def has_banked_before(shot: ShotRow) -> bool:
    """Return whether the player of a turn has banked in an earlier one that counts. One query."""
    return EARLIER_BANKS.exists(shot.player_id, shot.place)


EARLIER_BANKS = CompiledQuery(
    lambda player, place: (
        ShotRow.objects.filter(player=player, place__lt=place, outcome=ShotRow.Outcome.BANK, cancelled=False)
        .order_by()
        .values_list("pk")
    ),
    -1,
    999_999,
)


def find_undoable_shot(game: Game) -> ShotRow | None:
    """Return the newest turn of a person that was not undone: an undo cancels it, with the computers' turns after it.

    Turns that a computer played for a person do not count, even if the person has taken the seat back. One query.
    """
    return filter_undoable(game.shots.all()).select_related("player").last()


def find_undoable_shots(games: Collection[Game]) -> dict[int, ShotRow]:
    """Return what `find_undoable_shot` finds for each of these games, by the game's key. One query."""
    newest = filter_undoable(ShotRow.objects.filter(game=OuterRef("pk"))).order_by("-place").values("pk")[:1]
    keys = Game.objects.filter(pk__in=[game.pk for game in games]).values_list(Subquery(newest))
    return {shot.game_id: shot for shot in ShotRow.objects.filter(pk__in=keys).select_related("player")}


def filter_undoable(shots: QuerySet[ShotRow]) -> QuerySet[ShotRow]:
    """Leave those of these turns that a person played and that were not undone."""
    return shots.filter(cancelled=False).annotate(level_then=query_level_then()).filter(level_then="")


def list_latest_changes(game: Game, most: int) -> list[ChangeRow]:
    """Return the newest changes apart from the dice, newest first. One query."""
    return attach_players(game, CHANGES(game.pk, most=most))


def list_changes_after(game: Game, place: int) -> list[ChangeRow]:
    """Return all changes after a place in the order of turns and changes, newest first. One query."""
    return list(game.changes.filter(place__gt=place).order_by("-place"))


CHANGES = CompiledQuery(lambda game: ChangeRow.objects.filter(game=game).order_by("-place"), -1)


def attach_players(game: Game, rows: list[ShotOrChange]) -> list[ShotOrChange]:
    """Return the rows with their players set from those the game has loaded already."""
    players = {player.pk: player for player in game.seats}
    for row in rows:
        if row.player_id in players:
            row.player = players[row.player_id]
    return rows


def is_first_game(game: Game, visitor: int) -> bool:
    """Return whether a visitor, given by primary key, held no seat in an earlier game. One query."""
    return not EARLIER_SEATS.exists(visitor, game.pk)


EARLIER_SEATS = CompiledQuery(
    lambda visitor, game: Player.objects.filter(visitor=visitor, game__lt=game).order_by().values_list("pk"), -1, -2
)


def count_board_busts(games: Collection[Game]) -> dict[int, int]:
    """Return how often each player, by primary key, went bust after their first bank. One query for all games."""
    counted = ShotRow.objects.filter(game__in=games, cancelled=False)
    banks = counted.filter(player=OuterRef("player"), outcome=ShotRow.Outcome.BANK).order_by("place")
    busts = counted.filter(outcome=ShotRow.Outcome.BUST, place__gt=Subquery(banks.values("place")[:1]))
    return dict(busts.order_by("player_id").values_list("player_id").annotate(Count("pk")))


REMATCHES = CompiledQuery(lambda game: Game.objects.filter(follows=game), -1)


def find_rematch(game: Game) -> Game | None:
    """Return the rematch of this game, if there is one."""
    return REMATCHES.first(game.pk)


def count_turns_since_handed(game: Game, player: Player) -> int:
    """Return how many turns a computer has finished for a person since it took the seat over. Two queries."""
    handed = game.changes.filter(kind="hand", player=player).last()
    since = handed.place if handed else 0
    return game.shots.filter(player=player, place__gt=since, cancelled=False).exclude(outcome="").count()
