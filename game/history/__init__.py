"""Reads games back: turns that were played, lists of games, whole games as records."""

from collections.abc import Collection
from typing import Any, TypeVar

from django.db.models import Count, F, OuterRef, QuerySet, Subquery

from game.models import ChangeRow, Game, Player, ShotRow, ThrowRow
from game.models.compiled import CompiledQuery
from game.rules import record
from game.storage import build_file_data, load_state, query_level_then

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
    return not EARLIER.exists(visitor, game.pk)


EARLIER = CompiledQuery(
    lambda visitor, game: Player.objects.filter(visitor=visitor, game__lt=game).order_by().values_list("pk"), -1, -2
)


def count_board_busts(games: Collection[Game]) -> dict[int, int]:
    """Return how often each player, by primary key, went bust after their first bank. One query for all games."""
    counted = ShotRow.objects.filter(game__in=games, cancelled=False)
    banks = counted.filter(player=OuterRef("player"), outcome=ShotRow.Outcome.BANK).order_by("place")
    busts = counted.filter(outcome=ShotRow.Outcome.BUST, place__gt=Subquery(banks.values("place")[:1]))
    return dict(busts.order_by("player_id").values_list("player_id").annotate(Count("pk")))


def build_game_file(game: Game) -> dict[str, Any]:
    """Return the whole game as a game file, with the proof of its dice once it is over.

    The rows are written directly: building a record of them first takes four times as long and gains nothing.
    """
    result = record.result_of(load_state(game))
    about = {"scores": list(result.scores), "winners": list(result.winners)}
    file = build_file_data(game) | {"ruleset": game.rules.to_json(), "result": about}
    if game.status == Game.Status.FINISHED:
        file["proof"] = build_proof(game)
    return file


def build_proof(game: Game) -> dict[str, Any]:
    """Return the seeds of a game that is over, and the number of each throw, in the order of docs/game-file.md."""
    return {
        "code": game.code,
        "words": list_seat_words(game),
        "epochs": [
            {"epoch": row.epoch, "seal": row.seal, "seed": bytes(row.seed).hex(), "first": row.first}
            for row in game.seeds.order_by("epoch")
        ],
        "numbers": list(query_throws(game).values_list("number", flat=True)),
    }


def query_throws(game: Game) -> QuerySet[ThrowRow]:
    """Return every throw of the game, undone ones too, in the game file's order: those for the first player first."""
    return game.throws.order_by(F("shot__place").asc(nulls_first=True), "pk")


def list_seat_words(game: Game) -> list[str]:
    """Return the word of each seat at the start, in seating order; empty for computers and latecomers."""
    later = game.changes.filter(kind="join").values("player")
    return list(game.players.exclude(pk__in=later).order_by("seat").values_list("word", flat=True))


REMATCHES = CompiledQuery(lambda game: Game.objects.filter(follows=game), -1)


def find_rematch(game: Game) -> Game | None:
    """Return the rematch of this game, if there is one."""
    return REMATCHES.first(game.pk)


def count_turns_since_handed(game: Game, player: Player) -> int:
    """Return how many turns a computer has finished for a person since it took the seat over. Two queries."""
    handed = game.changes.filter(kind="hand", player=player).last()
    since = handed.place if handed else 0
    return game.shots.filter(player=player, place__gt=since, cancelled=False).exclude(outcome="").count()
