"""What the parts of the ASGI application say to each other, and an answer that needs neither Django nor a thread."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from game.serving.headers import HEADERS

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

TEXT = "text/plain; charset=utf-8"


def start(status: int, more: Mapping[str, str]) -> Message:
    """The head of an answer: our headers and those of this one."""
    headers = {**HEADERS, "Cache-Control": "no-store", **more}
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http.response.start", "status": status, "headers": pairs}


async def answer(send: Send, status: int, sentence: str, **more: str) -> None:
    """A sentence as plain text. `more`: headers, with _ for their dashes."""
    body = sentence.encode()
    own = {"Content-Type": TEXT, "Content-Length": str(len(body))}
    await send(start(status, own | {name.replace("_", "-"): value for name, value in more.items()}))
    await send({"type": "http.response.body", "body": body})
