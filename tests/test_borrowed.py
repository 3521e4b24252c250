"""Internals of other packages that we rely on without their promise: a release that changes one fails here, by name."""

import inspect
from collections.abc import Callable

import pytest
import uvicorn
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from game.management.commands import work
from game.serving import process


def list_args(function: Callable[..., object]) -> list[str]:
    return list(inspect.signature(function).parameters)


def test_uvicorn_still_calls_what_we_override() -> None:
    ours = process.make_protocol()
    assert isinstance(ours, type) and issubclass(ours, HttpToolsProtocol)
    added = {name for name, value in vars(ours).items() if inspect.isfunction(value)} - vars(HttpToolsProtocol).keys()
    assert added == {"refuse"}
    assert list_args(HttpToolsProtocol.data_received) == ["self", "data"]
    assert list_args(HttpToolsProtocol.on_headers_complete) == list_args(HttpToolsProtocol.on_message_complete)
    assert list_args(HttpToolsProtocol.send_400_response) == ["self", "msg"]
    assert "self.send_400_response(" in inspect.getsource(HttpToolsProtocol.data_received)
    assert list_args(uvicorn.Server.shutdown) == list_args(process.Server.shutdown)
    assert "self.shutdown(" in inspect.getsource(uvicorn.Server)


def test_the_task_worker_is_made_and_run_as_before() -> None:
    assert set(list_args(Worker)) == {
        "queue_names", "excluded_queue_names", "interval", "batch", "backend_name", "startup_delay", "max_tasks",
        "worker_id",
    }  # fmt: skip
    assert list_args(Worker.run) == ["self"]
    assert work.make_worker("*", batch=True).worker_id == work.NAME


@pytest.mark.django_db
def test_task_rows_have_the_fields_that_the_worker_puts_back() -> None:
    assert not DBTaskResult.objects.running().exists()
    fields = {field.name for field in DBTaskResult._meta.get_fields()}
    assert {"status", "finished_at", "started_at", "worker_ids", "task_path", "args_kwargs"} <= fields
