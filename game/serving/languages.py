"""Which language a reader gets: the one in the URL, else their choice, else their browser's."""

import re

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

# Pages that are the same for everybody. Search engines find each of them in every language, as `/de/rules`; at their
# plain address they are in the reader's language, and in English for readers who ask for none.
TRANSLATED_PAGES = frozenset(("home", "rules", "ruleset", "help", "odds", "fair", "names", "privacy"))
TRANSLATED = "translated"  # the namespace of those URLs
PREFIX = "[a-z]{2}(?:-[a-z]{2,4})?/"


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
    match = re.match(f"/({PREFIX})", path)
    return (match[1].rstrip("/"), path[match.end() - 1 :]) if match else ("", path)


def localize(path: str, language: str | None) -> str:
    """Return the path of a translated page in a language; for English, and for None, the plain one."""
    plain = split_language(path)[1]
    return plain if language in (None, settings.LANGUAGE_CODE) else f"/{language}{plain}"


def is_translated(request: HttpRequest) -> bool:
    """Return whether this page has a URL in every language."""
    return request.resolver_match is not None and request.resolver_match.url_name in TRANSLATED_PAGES
