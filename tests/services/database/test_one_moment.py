"""A page that is read while others play shows one moment of the game, on either database."""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client

from game.consistent_read import consistent_read
from game.models import Game, Visitor
from game.rules import record
from tests.cast import Device
from tests.examples import count_tries

LOOKS, MOVES = count_tries(67), count_tries(32)  # at least: each look reads six things
PLAYERS = ("*HAL", "*Ada")

pytestmark = pytest.mark.django_db(transaction=True)


def run_in_thread(work: Callable[[], object]) -> None:
    """Do some work on a connection of its own; return when it is done."""

    def work_and_close() -> None:
        try:
            work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(work_and_close).result()


def delete_games_after(part: str) -> AbstractContextManager[None]:
    """Let somebody else delete all games after each query with this part, while the block still reads."""

    def delete_meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        read = execute(sql, *rest)
        if part in sql:
            run_in_thread(Game.objects.all().delete)
        return read

    return connection.execute_wrapper(delete_meanwhile)


def test_rows_read_first_and_rows_read_later_are_of_the_same_moment() -> None:
    game = Device().game()
    with consistent_read():
        before = Game.objects.values_list("hints", flat=True).get(pk=game.pk)
        run_in_thread(lambda: Game.objects.filter(pk=game.pk).update(hints="odds"))
        assert Game.objects.values_list("hints", flat=True).get(pk=game.pk) == before
    assert Game.objects.values_list("hints", flat=True).get(pk=game.pk) == "odds"


def test_a_page_that_only_reads_cannot_write() -> None:
    with consistent_read():
        assert not Visitor.objects.exists()
        with pytest.raises(DatabaseError, match=r"read-?only"):
            Visitor.objects.create(token_hash="x")
    with transaction.atomic():
        Visitor.objects.create(token_hash="x")  # the connection is as it was


def test_a_reader_does_not_keep_a_writer_waiting() -> None:
    game = Device().game()
    with consistent_read():
        assert Game.objects.count() == 1
        run_in_thread(lambda: Game.objects.filter(pk=game.pk).update(hints="odds"))


def test_a_page_that_reads_nothing_opens_no_connection() -> None:
    connection.close()
    with consistent_read():
        pass
    assert connection.connection is None


def list_pages(device: Device, game: Game, version: int) -> Iterator[tuple[str, int, str]]:
    """Yield every page that reads a running game: its path, the status and the text."""
    client = Client()
    client.cookies.update(device.client.cookies)
    home = game.get_absolute_url()
    for path in ("", f"/board?version={version}", ".json", ".csv", "/sheet", "?at=1"):
        answer = client.get(home + path, headers={"HX-Request": "true"} if "board" in path else {})
        yield path, answer.status_code, answer.content.decode()


def is_torn(path: str, text: str) -> bool:
    """Whether a text is a game file that does not replay, or whose result differs from its turns."""
    if path != ".json":
        return False
    data: dict[str, Any] = json.loads(text)
    try:
        record.replay(record.from_json(data))
    except record.RecordError:
        return True
    return False


@contextmanager
def let_computers_move(device: Device, game: Game) -> Iterator[tuple[list[int], Future[None]]]:
    """Let computers move while the test looks; yield the versions that they reach, and the future of their work."""
    over, versions = threading.Event(), [game.version]

    def play() -> None:
        try:
            while not over.is_set():
                device.do(game, "advance", htmx=True)
                versions.append(Game.objects.values_list("version", flat=True).get(pk=game.pk))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        playing = thread.submit(play)
        try:
            yield versions, playing
        finally:
            over.set()
            playing.result()


def test_nobody_sees_half_a_move() -> None:
    device = Device()
    game = device.game(players=PLAYERS, target=100_000)  # which nobody reaches meanwhile
    seen: list[tuple[str, int, str]] = []
    with let_computers_move(device, game) as (versions, playing):
        while len(seen) < LOOKS * 6 or (len(set(versions)) <= MOVES and not playing.done()):
            seen.extend(list_pages(device, game, max(versions[-1] - 1, 1)))
    assert {status for _path, status, _text in seen} <= {200, 204}
    assert [path for path, _status, text in seen if is_torn(path, text)] == []
    assert len(set(versions)) > MOVES  # somebody has played all the while
