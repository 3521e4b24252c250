"""The addresses of pages by name, cached because Django takes long to build one; and which of them open only here."""

from functools import lru_cache
from urllib.parse import urlsplit

from django.urls import reverse


@lru_cache(maxsize=2048)
def find_address(name: str, *arguments: object) -> str:
    """Return the URL of a page, given its name and the variable parts of its path.

    It is the same for every request, since the site is at the root of its host. It has no language prefix: `localize`
    adds that.
    """
    return reverse(name, args=arguments)


def is_only_here(address: str) -> bool:
    """Return whether a URL leads to this computer only: no other device can open it, and browsers trust it."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "127.0.0.1", "::1") or host.endswith(".localhost")
