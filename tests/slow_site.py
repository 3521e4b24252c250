"""A site that answers late in one respect, on which tests fail that rely on a quick network.

With SLOW=scripts they run on a site whose scripts come late; likewise pages, answers (to presses) and stream.
"""

import asyncio
import os

from game.live.token import PATH
from game.serving.responses import App, Message, Receive, Send

SLOW = os.environ.get("SLOW")
LATE = 0.5  # seconds; longer than a test takes from finding a button to pressing it


def slow_down(application: App) -> App:
    """Return the application with a delay before responses of this kind, and between the messages of a stream."""
    if SLOW is None:
        return application

    async def respond(scope: Message, receive: Receive, send: Send) -> None:
        async def send_late(message: Message) -> None:
            is_start = message["type"] == "http.response.start"
            if is_start or SLOW == "stream":
                await asyncio.sleep(LATE)
            if is_start and SLOW == "scripts":  # every page has to fetch them again
                others = [header for header in message["headers"] if header[0].lower() != b"cache-control"]
                message = {**message, "headers": [*others, (b"cache-control", b"no-store")]}
            await send(message)

        is_slow = scope["type"] == "http" and find_kind(scope) == SLOW
        await application(scope, receive, send_late if is_slow else send)

    return respond


def find_kind(scope: Message) -> str:
    """Return what the response to this request is called in SLOW."""
    path = scope["path"]
    if path.startswith("/static/"):
        return "scripts" if path.startswith("/static/js/") else "files"
    if path.startswith(PATH):
        return "stream"
    return "answers" if scope["method"] == "POST" else "pages"
