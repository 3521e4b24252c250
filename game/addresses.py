"""The addresses of pages by their names, remembered: Django takes longer to build one than to write the link."""

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=2048)
def find_address(name: str, *arguments: object) -> str:
    """Return the URL of a page by its name and the variable parts of its path. The site is at the root of its host.

    It has no language: `localize` adds that.
    """
    return reverse(name, args=arguments)
