"""The server is killed again and again while people throw: every answered throw is kept, and happened once."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import threading
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest

from tests import patience
from tests.own_sites import RealSite
from tests.require import require

PEOPLE = 3
KILLS = int(os.environ.get("KILLS", "30"))

pytestmark = pytest.mark.django_db(transaction=True)

LAY_OUT = """
from game import identity, services
from game.models import RulesetRow
from game.rules import Entry
classic = RulesetRow.objects.get(slug="classic")
for n in range(%d):
    browser = identity.Browser(str(n) * 43, True)
    print(services.create_game(browser, str(n) * 22, classic, [Entry("Ana"), Entry("Bo")]).code)
"""
WHOLE = """
from game.models import Game
from game.storage import load_state, replay_rows
print(all(replay_rows(game) == load_state(game) for game in Game.objects.all()))
"""


@dataclass
class Person:
    """Somebody who throws again and again; a form that got no answer is sent once more, unchanged."""

    port: int
    cookie: str
    code: str
    kept: dict[str, str] = field(default_factory=dict)
    form: bytes | None = None
    answered: int = 0
    repeated: int = 0

    def ask(self, method: str, path: str, body: bytes | None = None) -> str:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience.SECONDS)
        cookies = {"visitor": self.cookie} | self.kept
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()), "HX-Request": "true"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            text = answer.read().decode()
            if match := re.search(r"\bcsrf=([^;]+)", " ".join(answer.headers.get_all("Set-Cookie", []))):
                self.kept["csrf"] = match[1]
        finally:
            line.close()
        problem = re.search(r'id="problem"[^>]*>([^<]*)', text)
        assert answer.status == 200, f"{method} {path}: {answer.status} {problem and problem[1]}"
        return text

    def throw(self) -> None:
        if self.form is None:
            self.form = encode_form(self.ask("GET", f"/g/{self.code}"))
            first = True
        else:
            first = False
        self.ask("POST", f"/g/{self.code}/throw", self.form)
        self.form = None
        self.answered += 1
        self.repeated += not first


def encode_form(page: str) -> bytes:
    """Return the form of the dice as the page has it, encoded."""
    tray = page.split('id="tray"')[1].split("</form>", maxsplit=1)[0]
    hidden = [re.search(rf'name="{name}" value="([^"]*)"', tray) for name in ("csrfmiddlewaretoken", "version", "key")]
    fields = [
        (name, require(match)[1]) for name, match in zip(("csrfmiddlewaretoken", "version", "key"), hidden, strict=True)
    ]
    ticked = re.findall(r'name="keep" value="(\d)" checked', tray)
    return urlencode([*fields, *(("keep", column) for column in ticked)]).encode()


class Load:
    """People who throw as fast as they can, and wait while the server is down."""

    def __init__(self, people: list[Person]) -> None:
        self.people = people
        self.up, self.over = threading.Event(), threading.Event()
        self.news = threading.Condition()
        self.wrong: list[BaseException] = []
        self.threads = [threading.Thread(target=self.play, args=[person]) for person in people]
        for thread in self.threads:
            thread.start()

    def play(self, person: Person) -> None:
        try:
            while not self.over.is_set():
                self.up.wait(1)
                try:
                    person.throw()
                except (OSError, http.client.HTTPException):
                    continue  # without an answer, nobody knows what became of the throw
                with self.news:
                    self.news.notify_all()
        except BaseException as error:  # shown by the test
            self.wrong.append(error)
            self.over.set()

    def wait_for(self, more: int) -> None:
        """Wait until this many more throws have been answered."""
        enough = self.sum_throws() + more
        with self.news:
            in_time = self.news.wait_for(lambda: self.wrong or self.sum_throws() >= enough, patience.SECONDS)
            assert in_time, "nobody throws"
        assert not self.wrong, self.wrong

    def sum_throws(self) -> int:
        return sum(person.answered for person in self.people)

    def finish(self) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join(patience.SECONDS)
        assert not self.wrong, self.wrong


def test_no_answered_throw_is_lost_or_doubled_when_the_server_is_killed(own_site: RealSite) -> None:
    codes = own_site.ask(LAY_OUT % PEOPLE).split()
    people = [Person(own_site.port, str(n) * 43, code) for n, code in enumerate(codes)]
    process = own_site.start()
    load = Load(people)
    load.up.set()
    try:
        for _kill in range(KILLS):
            load.wait_for(random.randint(1, 12))
            load.up.clear()
            own_site.kill(process)
            process = own_site.start()
            load.up.set()
        load.wait_for(PEOPLE)
    finally:
        load.finish()
    for person in people:
        if person.form:
            person.throw()
        file = json.loads(person.ask("GET", f"/g/{person.code}.json"))
        assert sum(len(shot["throws"]) for shot in file["events"]) == person.answered
    assert sum(person.repeated for person in people) >= 5
    assert own_site.ask(WHOLE) == "True"
    own_site.manage("verify")
    print(f"{KILLS} kills, {load.sum_throws()} throws, {sum(person.repeated for person in people)} of them sent again")
