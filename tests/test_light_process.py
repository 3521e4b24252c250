"""Packages that a serving process does not load until somebody needs them."""

from tests.own_sites import RealSite

PLAY = """
import sys
from django.test import Client
from game import identity, services
from game.models import RulesetRow
from game.rules import Entry
visitor = "1" * 43
browser = identity.Browser(visitor, True)
classic = RulesetRow.objects.get(slug="classic")
game = services.create_game(browser, "k" * 22, classic, [Entry("Ana"), Entry("Bo")])
client = Client(SERVER_NAME="localhost")
client.cookies["visitor"] = visitor
address = game.get_absolute_url()
for part in ("/", address, address + "/board?version=0"):
    assert client.get(part).status_code == 200, part
answer = client.post(address + "/throw", {"version": game.version, "key": "a" * 22})
assert answer.status_code == 303, answer.content
print("numpy" in sys.modules)
"""


def test_people_play_each_other_without_numpy(own_site: RealSite) -> None:
    assert own_site.ask(PLAY) == "False"
