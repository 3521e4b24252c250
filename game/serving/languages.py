"""Which language a reader gets: the one in the URL, else their choice, else their browser's."""

import re

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

from game.addresses import find_address

# Pages that are the same for everybody. Search engines find each of them in every language, as `/de/rules`; at their
# plain address they are in the reader's language, and in English for readers who ask for none.
TRANSLATED_PAGES = ("home", "rules", "ruleset", "names", "help", "odds", "fair", "privacy")
TRANSLATED = "translated"  # the namespace of those URLs
LANGUAGE_PREFIX = "[a-z]{2}(?:-[a-z]{2,4})?/"

# The addresses that answer only a POST, each with the page around its form, which has the same arguments. Those of a
# game are not listed: around them all is the game's page.
PAGES_AROUND = {
    "adopt": "account",
    "again": "home",
    "call-mail": "account",
    "crew-members": "crew",
    "keep-rules": "played-ruleset",
    "language": "home",
    "quick": "home",
    "sign-out": "account",
    "solve": "ruleset",
    "solve-played": "played-ruleset",
}


class LanguageMiddleware(LocaleMiddleware):
    """Django's own, with languages in the URLs of some pages. Raises `Http404` for a language that is not offered."""

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language of this response."""
        super().process_request(request)
        language, _ = split_language(request.path_info)
        if language == settings.LANGUAGE_CODE or (language and language not in dict(settings.LANGUAGES)):
            raise Http404
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = language

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers that say which language the response has, and what the choice depends on."""
        patch_vary_headers(response, ("Cookie",))
        return super().process_response(request, response)


def split_language(path: str) -> tuple[str, str]:
    """Return the language in a path, empty if there is none, and the path without it."""
    match = re.match(f"/({LANGUAGE_PREFIX})", path)
    return (match[1].rstrip("/"), path[match.end() - 1 :]) if match else ("", path)


def localize(path: str, language: str | None) -> str:
    """Return the path of a translated page in a language; for English, and for None, the plain one."""
    plain = split_language(path)[1]
    return plain if language in (None, settings.LANGUAGE_CODE) else f"/{language}{plain}"


def is_translated(request: HttpRequest) -> bool:
    """Return whether this page has a URL in every language."""
    return request.resolver_match is not None and request.resolver_match.url_name in TRANSLATED_PAGES


def find_return_address(request: HttpRequest) -> str:
    """Return the address at which a GET shows the page of this request, or the page around a form that was posted."""
    if request.method == "GET":
        return request.get_full_path()
    match = request.resolver_match
    if request.method != "POST" or match is None:
        return find_address("game:home")
    if "code" in match.kwargs:
        return find_address("game:page", match.kwargs["code"])
    if match.url_name in PAGES_AROUND:
        return find_address(f"game:{PAGES_AROUND[match.url_name]}", *match.kwargs.values())
    return request.get_full_path()
