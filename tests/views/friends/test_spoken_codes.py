"""Spoken codes: an invite as three words, said over the phone, typed by a guest, and too rare to be guessed."""

import html
import itertools
import re
import secrets
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from game.models import Game, Invite
from game.models.visitors import SPOKEN_BITS
from game.services.lobby import INVITE_LASTS
from game.services.spoken_codes import (
    cut_words,
    fold_words,
    join_places,
    list_spoken_languages,
    list_words,
    read_code,
    say_code,
)
from game.serving import rate_limits
from tests.cast import BRUNO, Device, Response, make_key, reload_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(device: Device) -> Game:
    return device.waiting_game()


@pytest.fixture
def words(game: Game) -> str:
    return say_code(game.invite.spoken)


def enter_code(client: Client, typed: str, address: str = "127.0.0.1") -> Response:
    return client.post("/join", {"key": make_key(), "words": typed}, REMOTE_ADDR=address)


def read_page(response: Response) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode()))


# ── said and typed ──


@pytest.mark.parametrize("language", list_spoken_languages())
def test_every_number_is_said_in_words_that_lead_back_only_to_it(language: str) -> None:
    for number in (0, 1, 1023, 1024, 2**20, 2**30 - 1, 123_456_789):
        with override(language):
            assert read_code(say_code(number)) == [number]


def test_a_guest_may_type_the_words_of_the_hosts_language_on_a_page_in_another(
    device: Device, client: Client, game: Game
) -> None:
    with override("de"):
        words = say_code(game.invite.spoken)
    device.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert f"<b>{words}</b>" in device.page(game)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    assert enter_code(client, words)["Location"] == f"/j/{game.invite.token}"


@pytest.mark.parametrize(
    ("language", "word", "spellings"),
    [
        ("de", "büffel", ["Büffel", "BUEFFEL", "buffel", "bu\u0308ffel"]),
        ("de", "fußball", ["Fußball", "fussball", "FUSSBALL"]),
        ("fr", "œuvre", ["œuvre", "oeuvre", "ŒUVRE"]),
        ("fr", "écureuil", ["ecureuil", "Écureuil"]),
        ("nl", "cadeau", ["Cadeau"]),
        ("sv", "fåtölj", ["fåtölj", "fatolj", "faatoelj"]),
    ],
)
def test_accents_and_umlauts_may_be_typed_in_any_common_way(language: str, word: str, spellings: list[str]) -> None:
    number = join_places([list_words(language).index(word)] * 3)
    assert [read_code(f"{spelling}-{spelling} {spelling}") for spelling in spellings] == [[number]] * len(spellings)


def test_the_host_reads_the_words_and_where_to_type_them(device: Device, game: Game, words: str) -> None:
    page = device.page(game)
    assert f"<b>{words}</b>" in page
    assert "testserver/join" in page
    assert f"<b>{words}</b>" in device.page(game, "?big")
    device.do(game, "seats", do="add", waiting="1")
    device.do(game, "start", waiting="1")
    page = device.page(game)
    assert f"<b>{words}</b>" in page and "testserver/join" in page


def test_a_spectator_does_not_read_the_words(other_device: Device, game: Game, words: str) -> None:
    assert words not in other_device.page(game)


@pytest.mark.parametrize(
    "typed",
    ["{}", " {} ", "{upper}", "{hyphens}", "{commas}", "{joined}", "{title}", "{wide}"],
)
def test_case_spaces_and_hyphens_do_not_matter(client: Client, game: Game, words: str, typed: str) -> None:
    wide = "".join(chr(ord(letter) + 0xFEE0) if letter.isalpha() else letter for letter in words)
    spelled = typed.format(
        words,
        upper=words.upper(),
        hyphens=words.replace(" ", "-"),
        commas=words.replace(" ", ", "),
        joined=words.replace(" ", ""),
        title=words.title(),
        wide=wide,
    )
    assert enter_code(client, spelled)["Location"] == f"/j/{game.invite.token}"


def test_the_order_of_the_words_matters(client: Client, game: Game) -> None:
    Invite.objects.update(spoken=1)
    first, second, third = say_code(1).split()
    assert enter_code(client, f"{third} {second} {first}").status_code == 410


def test_an_unknown_word_is_named_with_the_one_that_was_meant(client: Client) -> None:
    answer = enter_code(client, "oter lamp seven")
    assert answer.status_code == 422
    assert "“oter” isn’t one of our words. Did you mean “otter”?" in read_page(answer)
    assert "Did you mean “fåtölj”?" in read_page(enter_code(client, "fatölji lampa sju"))


@pytest.mark.parametrize("typed", ["", "otter", "oter lamp", "otter lamp seven otter", "7 8 9", "\0", "ﬁ" * 500])
def test_text_that_is_not_three_words_is_refused_with_an_example(client: Client, typed: str) -> None:
    answer = enter_code(client, typed)
    assert answer.status_code == 422
    assert "Type the three words of the invite, for example otter lamp seven." in read_page(answer)


def test_joined_words_are_cut_apart_in_one_way_only() -> None:
    known = fold_words("en")
    assert len(cut_words("otterlampseven", known)) == 3
    assert cut_words("otterxlamp", known) == []


def test_two_invites_never_have_the_same_words(device: Device, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter((game.invite.spoken, game.invite.spoken, 12345))
    monkeypatch.setattr(secrets, "randbits", lambda _bits: next(drawn))
    assert device.waiting_game(BRUNO).invite.spoken == 12345


# ── the end ──


def test_the_words_end_with_a_new_invite(device: Device, client: Client, game: Game, words: str) -> None:
    device.do(game, "links")
    assert enter_code(client, words).status_code == 410
    assert enter_code(client, say_code(reload_game(game).invite.spoken)).status_code == 303


def test_the_words_end_after_a_week(client: Client, game: Game, words: str) -> None:
    Invite.objects.update(created=timezone.now() - INVITE_LASTS - timedelta(minutes=1))
    assert enter_code(client, words).status_code == 410


def test_words_of_a_finished_game_and_of_none_get_the_same_answer(client: Client, game: Game, words: str) -> None:
    Game.objects.update(status=Game.Status.FINISHED)
    over = read_page(enter_code(client, words))
    game.delete()
    assert re.sub(r"\S{22,}", "", read_page(enter_code(client, words))) == re.sub(r"\S{22,}", "", over)


# ── guessing ──


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, settings: object) -> None:
    # All addresses together get a tenth of their real guesses here; the last test checks the real number.
    settings.LIMITS = {"guess": settings.RATES["guess"], "guesses": (30, 3600)}  # type: ignore[attr-defined]
    monkeypatch.setattr(rate_limits, "COUNTS", rate_limits.Counts())
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(monotonic=lambda: 0.0))  # a slow machine earns no guesses


def guess_codes(client: Client, times: int, address: str = "192.0.2.1") -> int:
    """Guess so many times; return how many of the guesses were looked up."""
    words = itertools.permutations(list_words("en"), 3)
    return sum(enter_code(client, " ".join(next(words)), address).status_code == 410 for _ in range(times))


def test_an_address_may_guess_ten_times_an_hour(client: Client, counted: None) -> None:
    assert guess_codes(client, 12) == 10
    answer = enter_code(client, "otter lamp seven", "192.0.2.1")
    assert answer.status_code == 429 and int(answer["Retry-After"]) > 60
    assert guess_codes(client, 2, "192.0.2.2") == 2


def test_all_addresses_together_have_a_limit_of_guesses_an_hour(client: Client, counted: None) -> None:
    assert sum(guess_codes(client, 5, f"192.0.2.{n}") for n in range(8)) == 30


def test_guessing_too_often_shuts_nobody_else_out(client: Client, counted: None) -> None:
    guess_codes(client, 40)
    assert guess_codes(client, 2, "192.0.2.2") == 2


def test_typing_mistakes_and_the_right_words_do_not_count_as_guesses(
    client: Client, game: Game, words: str, counted: None
) -> None:
    for _ in range(15):
        assert enter_code(client, "oter lamp seven").status_code == 422
        assert enter_code(client, words).status_code == 303


def test_guessing_is_hopeless_in_the_week_that_an_invite_lasts() -> None:
    """All guesses that the site allows find one of a hundred open invites less than once in two hundred weeks."""
    hours = INVITE_LASTS / timedelta(hours=1)

    def guesses_in_a_week(kind: str) -> float:
        times, seconds = settings.RATES[kind]
        return times + times * 3600 / seconds * hours

    codes = 2**SPOKEN_BITS
    assert guesses_in_a_week("guess") == 1690  # one address
    assert guesses_in_a_week("guess") / codes < 1 / 600_000
    assert guesses_in_a_week("guesses") == 50_700  # all addresses together: three hundred an hour
    assert 100 * guesses_in_a_week("guesses") / codes < 1 / 200
