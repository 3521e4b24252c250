"""What a browser remembers in cookies, with no row in the database: a name, games it watched, a form half filled in."""

from urllib.parse import quote, unquote

from django.http import HttpRequest, HttpResponse

from game.cookies import HALF_A_YEAR, HOUR, NAME_COOKIE, NEW_GAME_COOKIE, WATCHING_COOKIE, YEAR, set_cookie
from game.forms.fields import clean_player_name
from game.rules import IllegalMove

WATCHED_MOST = 20
FORM_MOST = 3500  # characters: browsers drop a cookie of more than 4096


def recall_name(request: HttpRequest) -> str:
    """Return the name last used at this browser; empty if there is none, or the cookie was tampered with."""
    sent = unquote(request.COOKIES.get(NAME_COOKIE, "")[:400])
    try:
        name = clean_player_name(sent) if sent else ""
    except IllegalMove:
        return ""
    return "" if name.startswith("*") else name


def remember_name(response: HttpResponse, name: str) -> None:
    """Keep the name for the next form."""
    set_cookie(response, NAME_COOKIE, quote(name), lasts=YEAR)


def recall_new_game(request: HttpRequest) -> str:
    """Return the form of a new game as it was when its user went to look for rules, URL-encoded; "" if they didn't."""
    return unquote(request.COOKIES.get(NEW_GAME_COOKIE, ""))


def remember_new_game(response: HttpResponse, form: str) -> None:
    """Keep the form of a new game, URL-encoded, until its user comes back with rules; one that is too long is lost."""
    kept = quote(form)
    set_cookie(response, NEW_GAME_COOKIE, kept if len(kept) <= FORM_MOST else "", lasts=HOUR)


def recall_watched_codes(request: HttpRequest) -> list[str]:
    """Return the codes of the games that this browser lately watched without a seat, the last one first."""
    kept = request.get_signed_cookie(WATCHING_COOKIE, default="", max_age=HALF_A_YEAR)
    return kept.split(".") if kept else []


def remember_watching(request: HttpRequest, response: HttpResponse, code: str) -> HttpResponse:
    """Return the response, with this game added to the cookie."""
    before = recall_watched_codes(request)
    if before[:1] == [code]:
        return response
    codes = [code, *(other for other in before if other != code)][:WATCHED_MOST]
    set_cookie(response, WATCHING_COOKIE, ".".join(codes), lasts=HALF_A_YEAR, salt="")
    return response
