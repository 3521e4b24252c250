"""A mail server on this machine that takes no mail, and says why."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_django import Settings


@contextmanager
def run_mail_server(settings: Settings, refusal: str) -> Iterator[None]:
    """Send mails to a server that answers every recipient with this line, as in "550 nobody of that name"."""

    class Session(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 ready\r\n")
            while command := self.rfile.readline():
                line = refusal if command.upper().startswith(b"RCPT") else "250 fine"
                self.wfile.write(f"{line}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address[:2]
        settings.EMAIL_USE_TLS = False
        try:
            yield
        finally:
            server.shutdown()
