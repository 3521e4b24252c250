"""Reviews: begun when a game ends, worked out in the background, and deleted when the end is undone."""

import pytest
from django_tasks_db.models import DBTaskResult

from game import services
from game.models import Game, Review
from game.services.background import NotWanted, Progress
from game.services.refusals import NotOver
from tests.cast import Device, reload_game
from tests.require import require
from tests.reviews import load_almost_finished_game, load_game_with_skip, write_reviews


def test_the_end_of_a_game_with_people_begins_its_review(device: Device) -> None:
    game = load_almost_finished_game(device)
    assert not Review.objects.exists()
    device.do(game, "bank", keep=[1, 2, 3])
    assert reload_game(game).status == Game.Status.FINISHED
    assert Review.objects.get(game=game).data is None
    write_reviews()
    data = require(Review.objects.get(game=game).data)
    assert data["by"] == "win" and len(data["players"]) == 2
    assert [decision["seat"] for decision in data["decisions"]] == [0, 1, 0]
    assert data["throws"][0][:3] == [1, 0, 1]


def test_a_game_that_ended_elsewhere_is_reviewed_when_somebody_asks(device: Device) -> None:
    game = load_game_with_skip(device)
    services.request_review(game)
    services.request_review(game)
    assert Review.objects.count() == DBTaskResult.objects.count() == 1


def test_a_running_game_is_not_reviewed(device: Device) -> None:
    with pytest.raises(NotOver):
        services.request_review(load_almost_finished_game(device))
    assert not Review.objects.exists()


def test_a_game_that_was_reopened_after_it_was_read_is_not_reviewed(device: Device) -> None:
    game = load_game_with_skip(device)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.RUNNING)
    with pytest.raises(NotOver):
        services.request_review(game)


def test_undoing_the_end_deletes_the_review(device: Device) -> None:
    game = load_almost_finished_game(device)
    device.do(game, "bank", keep=[1, 2, 3])
    write_reviews()
    device.do(game, "undo")
    assert reload_game(game).status == Game.Status.RUNNING
    assert not Review.objects.exists()
    write_reviews()
    assert not Review.objects.exists()


def test_work_on_a_deleted_review_ends(device: Device) -> None:
    game = load_game_with_skip(device)
    services.request_review(game)
    progress = Progress(Review.objects.get())
    Review.objects.all().delete()
    with pytest.raises(NotWanted):
        progress(0.5)


def test_progress_is_written_at_most_once_a_second(device: Device) -> None:
    services.request_review(load_game_with_skip(device))
    progress = Progress(Review.objects.get())
    progress(0.2)
    progress.last_write += 3600  # as if written just now, however long ago that is on a busy machine
    progress(0.7)
    assert Review.objects.get().progress == 20
    progress.last_write -= 3601
    progress(1.0)
    assert Review.objects.get().progress == 99


def test_a_review_that_is_stuck_is_begun_again_when_asked_for(device: Device) -> None:
    game = load_game_with_skip(device)
    services.request_review(game)
    Review.objects.update(touched=Review.objects.get().touched - services.reviews.REVIEW_STUCK * 2)
    services.request_review(game)
    assert DBTaskResult.objects.count() == 2


def test_a_game_of_computers_alone_is_not_reviewed_unless_asked_for(device: Device) -> None:
    game = device.game(players=("*HAL", "*EVE"), ruleset="greed-5000", target=1000)
    while reload_game(game).status == Game.Status.RUNNING:
        assert device.do(game, "advance").status_code == 303
    assert not Review.objects.exists()
