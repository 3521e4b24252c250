"""Every ruleset can be played to its end on the site: by five computers, and by people with forms."""

import html
import re
from collections.abc import Sequence

import pytest

from game.models import Game, RulesetRow
from game.rules import PRESETS, Ruleset
from game.services import verify
from game.services.shipped_rulesets import read_world_tables
from game.storage import list_event_rows
from tests.cast import Device, make_key, reload_game

pytestmark = [pytest.mark.django_db, pytest.mark.examples(costly=True)]
LEVELS = ("beginner", "careful", "balanced", "bold", "best")
SLUGS = (*PRESETS, *read_world_tables())
PRESSES_MOST = 400


def begin_game(device: Device, slug: str, names: Sequence[str], levels: Sequence[str], **more: str) -> Game:
    """Begin a game with the form of a new game."""
    form = {"key": make_key(), "name": names, "level": levels, "ruleset": slug, "mode": "auto", "hints": "odds", **more}
    answer = device.client.post("/new", form)
    assert answer.status_code == 303, answer.content.decode()
    return Game.objects.get(code=answer["Location"].rpartition("/")[2])


def count_players(rules: Ruleset) -> int:
    return max(rules.min_players, min(5, rules.max_players))


@pytest.mark.parametrize("slug", SLUGS)
def test_five_computers_play_a_game_under_every_ruleset_to_its_end(device: Device, slug: str) -> None:
    rules = RulesetRow.objects.get(slug=slug).rules
    seats = range(count_players(rules))
    shorter = {} if rules.ending == "rounds" else {"target": str(max(1000, rules.least_value * 4))}
    game = begin_game(device, slug, [f"*C{seat}" for seat in seats], [LEVELS[seat] for seat in seats], **shorter)
    for _press in range(PRESSES_MOST):
        if reload_game(game).is_over:
            break
        device.do(game, "advance")
    game = reload_game(game)
    assert game.status == Game.Status.FINISHED
    assert not list(verify.check_play(game, list_event_rows(game)))
    assert device.client.get(game.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("slug", SLUGS)
def test_people_play_a_game_under_every_ruleset_to_its_end_by_forms(device: Device, slug: str) -> None:
    rules = RulesetRow.objects.get(slug=slug).rules
    names = ["Ana", "Bo", "Cleo"][: max(2, rules.min_players)]
    shorter = {} if rules.ending == "rounds" else {"target": "1000"}
    game = begin_game(device, slug, names, ["" for _name in names], **shorter)
    for _press in range(PRESSES_MOST):
        page = html.unescape(device.page(game))
        if reload_game(game).is_over:
            break
        checked = re.findall(r'name="keep" value="(\d)"\s+checked', page)
        may_bank = re.search(r'id="bank"(?![^>]*aria-disabled)', page) is not None
        answer = device.do(game, "bank" if checked and may_bank else "throw", keep=checked)
        assert answer.status_code == 303, html.unescape(answer.content.decode())
    assert reload_game(game).status == Game.Status.FINISHED
    for address in ("", "?at=1", "?at=last", "/analysis", "/sheet", "/fair", ".json", ".csv"):
        assert device.client.get(game.get_absolute_url() + address).status_code == 200, address
