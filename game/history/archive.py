"""Games to download: one as a file, all of a browser as a zip file, or all of an account with its other data."""

import io
import json
import zipfile
from collections.abc import Collection, Iterator
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from game.consistent_read import consistent_read
from game.history.fair import list_epochs, list_seat_words, query_throws
from game.history.lists import GameFilter, query_game_keys
from game.models import CallSettings, Crew, CrewMember, Game, KeptRuleset, PushSubscription, Visitor
from game.rules import record
from game.storage import build_file_data, load_state

BEGUN = Game.OVER | {Game.Status.RUNNING}


def write_game(game: Game) -> str:
    """Return the game file as JSON."""
    return json.dumps(build_game_file(game), ensure_ascii=False, separators=(",", ":"))


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
            for row in list_epochs(game)
        ],
        "numbers": list(query_throws(game).values_list("number", flat=True)),
    }


def list_begun(visitor: Visitor | None) -> list[int]:
    """Return the keys of the games that a visitor has a part in, without those that wait for players, oldest first."""
    return list(query_game_keys(visitor, BEGUN, GameFilter(order="oldest"))) if visitor else []


def write_games(keys: Collection[int]) -> Iterator[tuple[str, str]]:
    """Yield (code, game file) of games that are still there; with only one at a time in memory."""
    for key in keys:
        with consistent_read():  # the game may be played or deleted while the file is being sent
            game = Game.objects.filter(pk=key).first()
            text = write_game(game) if game else ""
        if game:
            yield game.code, text


def pack_games(visitor: Visitor | None) -> Iterator[bytes]:
    """Yield the pieces of the zip file of a visitor's games."""
    piece = Piece()
    with zipfile.ZipFile(piece, "w", zipfile.ZIP_DEFLATED) as archive:
        for code, text in write_games(list_begun(visitor)):
            archive.writestr(f"ten-thousand-{code}.json", text)
            yield piece.take()
    yield piece.take()


class Piece(io.RawIOBase):
    """Buffer of what was written since the last piece was taken. Not seekable, so it need not keep earlier pieces."""

    def __init__(self) -> None:
        self.written = bytearray()

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Add data."""
        self.written += data
        return len(data)

    def take(self) -> bytes:
        """Return what was written, and forget it."""
        data = bytes(self.written)
        self.written.clear()
        return data


def write_account(user: User) -> Iterator[str]:
    """Yield the pieces of a JSON file with everything stored about an account."""
    kept_rules = KeptRuleset.objects.filter(visitor__user=user).select_related("played")
    crews = Crew.objects.filter(holder__user=user).prefetch_related("people")
    joined = CrewMember.objects.filter(visitor__user=user).select_related("crew")
    called = PushSubscription.objects.filter(visitor__user=user).order_by("created")
    language = user.visitors.exclude(language="").values_list("language", flat=True).first()
    about = {
        "account": {
            "name": user.username,
            "email": user.email,
            "since": user.date_joined.isoformat(),
            "language": language,
        },
        "calls": CallSettings.objects.filter(visitor__user=user).values("language", "zone", "quiet", "mail").first(),
        "called_browsers": [{"endpoint": row.endpoint, "since": row.created.isoformat()} for row in called],
        "rules": [{"name": kept.name, "ruleset": kept.played.settings} for kept in kept_rules],
        "crews": [
            {
                "name": crew.name,
                "ruleset": crew.settings or crew.ruleset,
                "target": crew.target,
                "mode": crew.mode,
                "people": [person.name for person in crew.people.all()],
            }
            for crew in crews
        ],
        # Whoever is still asking to be let in must not learn the crew's name.
        "crews_of_others": [{"name": row.crew.name if row.admitted else "", "as": row.name} for row in joined],
        "written": timezone.now().isoformat(),
    }
    yield json.dumps(about)[:-1] + ', "games": ['
    comma = ""
    for _code, text in write_games(list_begun(user.visitors.first())):
        yield f"{comma}\n{text}"
        comma = ","
    yield "\n]}\n"
