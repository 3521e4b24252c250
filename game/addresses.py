"""The addresses of pages by name, cached because Django takes longer to build one than to write the link."""

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=2048)
def find_address(name: str, *arguments: object) -> str:
    """Return the URL of a page, given its name and the variable parts of its path.

    It is the same for every request, since the site is at the root of its host. It has no language prefix: `localize`
    adds that.
    """
    return reverse(name, args=arguments)
