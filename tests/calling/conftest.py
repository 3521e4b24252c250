"""The push service of the tests, and a caller that looks for due turns when a test says so."""

from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest
from pytest_django import Settings

from game.calling import push
from game.calling.caller import Caller
from game.models import Game
from tests import patience
from tests.calling.push_service import PushService, SubscribedBrowser, run_push_service
from tests.calling.turns import LONG, share_real_dice_game, switch_calls
from tests.cast import Device, device, let_time_pass, other_device, reload_game

__all__ = ["device", "other_device"]


@pytest.fixture(scope="session")
def _push_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PushService, Path]]:
    folder = tmp_path_factory.mktemp("push-service")
    with run_push_service(folder) as service:
        yield service, folder / "trusted.pem"


@pytest.fixture
def push_service(
    _push_service: tuple[PushService, Path],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> PushService:
    """The push service, with no messages yet; the site knows its network and its certificate."""
    service, certificate = _push_service
    service.left.clear()
    service.answers.clear()
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    settings.PUSH_NETWORKS = [ip_network("127.0.0.1/32")]
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    monkeypatch.setattr(push, "SECONDS_MOST", patience.SECONDS)
    return service


@pytest.fixture
def caller() -> Caller:
    return Caller()


@pytest.fixture
def browser(push_service: PushService) -> SubscribedBrowser:
    """Bruno's browser."""
    return push_service.subscribe()


@pytest.fixture
def game(device: Device, other_device: Device, browser: SubscribedBrowser) -> Game:
    """It is Ana's turn. Bruno, who has no quiet hours, pressed the switch and closed the page an hour ago."""
    other_device.client.cookies["prefs"] = "quiet=off"
    game = share_real_dice_game(device, other_device)
    assert switch_calls(other_device, game, browser) == 204
    let_time_pass(game, seen=LONG)
    return reload_game(game)
