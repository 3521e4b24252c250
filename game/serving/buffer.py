"""Takes answers from their threads as fast as they come, and sends them as fast as they are read."""

from tempfile import SpooledTemporaryFile

from game.serving.responses import App, Message, Receive, Send

IN_MEMORY = 1024 * 1024  # what is longer goes to disk
BLOCK = 64 * 1024


class Buffer:
    """Waits for the whole answer before it sends any of it.

    Otherwise a slow reader would hold one of the few page threads, and its database connection, for as long as the
    reading takes.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer once the whole answer is there."""
        with SpooledTemporaryFile(IN_MEMORY) as body:
            heads = []

            async def keep(message: Message) -> None:
                if message["type"] == "http.response.start":
                    heads.append(message)
                else:
                    body.write(message["body"])

            await self.app(scope, receive, keep)
            length = body.tell()
            body.seek(0)
            for head in heads:
                await send(head)
            while body.tell() < length:
                await send({"type": "http.response.body", "body": body.read(BLOCK), "more_body": True})
            await send({"type": "http.response.body", "body": b""})
