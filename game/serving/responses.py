"""The types of ASGI messages, and responses that need neither Django nor a thread."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from game.serving.headers import HEADERS

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

TEXT = "text/plain; charset=utf-8"


def make_start(status: int, more: Mapping[str, str]) -> Message:
    """Return the start of a response, with the headers of every response and `more`."""
    headers = {**HEADERS, "Cache-Control": "no-store", **more}
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http.response.start", "status": status, "headers": pairs}


async def send_sentence(send: Send, status: int, sentence: str, **more: str) -> None:
    """Respond with a sentence as plain text. `more`: headers, written with _ for -."""
    body = sentence.encode()
    own = {"Content-Type": TEXT, "Content-Length": str(len(body))}
    await send(make_start(status, own | {name.replace("_", "-"): value for name, value in more.items()}))
    await send({"type": "http.response.body", "body": body})
