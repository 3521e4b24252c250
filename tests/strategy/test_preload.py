"""The values that a page asks for are loaded beside it, so that a later page has them."""

import subprocess
import sys
from queue import SimpleQueue

import pytest

from game.rules import Entry, Ruleset, Throw, apply, new_game, preset, throw
from game.strategy import preload
from tests import patience

# As on the site: a page asks, and asks again until a thread has loaded everything.
ASK_UNTIL_READY = """
from threading import Event
from game.rules import preset
from game.strategy.preload import request_readiness
while request_readiness(preset("classic"), 10_000) != "all":
    Event().wait(0.01)
"""


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preload, "_ready", {})
    monkeypatch.setattr(preload, "_waiting", SimpleQueue())


def test_a_page_has_no_odds_until_they_are_loaded() -> None:
    game = new_game(preset("classic"), [Entry("Ana"), Entry("Bo")]).state
    state = throw(apply(game, Throw()).state, (1, 1, 1, 2, 3, 4)).state
    assert [preload.rate_if_ready(state) for _page in range(2)] == [(), ()]
    preload.load_next()
    assert preload.rate_if_ready(state)[0].win is not None


def test_rulesets_are_loaded_in_the_order_in_which_pages_ask_for_them() -> None:
    first, second = (preset("classic"), 10_000), (preset("pot"), 5_000)
    ready = [[preload.request_readiness(*first), preload.request_readiness(*second)]]
    for _ruleset in range(2):
        preload.load_next()
        ready.append([preload.request_readiness(*first), preload.request_readiness(*second)])
    assert ready == [["not yet", "not yet"], ["all", "not yet"], ["all", "all"]]


def test_in_a_flood_of_rulesets_whoever_asks_again_gets_the_place_of_one_that_was_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[int] = []
    monkeypatch.setattr(preload, "preload_ruleset", lambda _ruleset, target: loaded.append(target))
    flood, late = list(range(1_000, 4_000, 50)), 10_000
    for target in (*flood, late):
        preload.request_readiness(preset("classic"), target)
    preload.load_next()
    preload.request_readiness(preset("classic"), late)
    for _ruleset in range(preload.WAITING_MOST):
        preload.load_next()
    assert loaded == [*flood[: preload.WAITING_MOST], late]


def test_values_of_a_limited_number_of_rulesets_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preload, "preload_ruleset", lambda _ruleset, _target: None)
    targets = [1_000 + 50 * number for number in range(2 * preload.REMEMBERED)]
    for target in targets:
        preload.request_readiness(preset("classic"), target)
        preload.load_next()
    assert [target for _ruleset, target in preload._ready] == targets[preload.REMEMBERED :]


def test_a_ruleset_that_cannot_be_loaded_keeps_no_other_from_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loaded: list[int] = []

    def load(_ruleset: Ruleset, target: int) -> None:
        if target == 5_000:
            raise MemoryError
        loaded.append(target)

    monkeypatch.setattr(preload, "preload_ruleset", load)
    for target in (5_000, 10_000):
        preload.request_readiness(preset("classic"), target)
        preload.load_next()
    assert loaded == [10_000] and caplog.messages == ["classic to 5000 could not be preloaded."]


@pytest.mark.own_site
def test_a_thread_of_the_site_loads_what_pages_ask_for() -> None:
    subprocess.run([sys.executable, "-c", ASK_UNTIL_READY], check=True, timeout=patience.SECONDS)
