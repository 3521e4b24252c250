"""What the parts of the game page, in `templates/board/`, can call: they are Jinja's, which places values about four
times as fast as Django's templates do. The frame of every page, and all other pages, are Django's own."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jinja2
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from game.templatetags import page


def environment(**options: Any) -> jinja2.Environment:
    """What is not there is empty, as in Django's templates: a page that shows less is better than none."""
    found = jinja2.Environment(**options | {"undefined": jinja2.ChainableUndefined})
    found.globals |= {
        "_": said,
        "fields": fields,
        "hx": page.hx,
        "icon": lru_cache(page.icon),
        "small_die": lru_cache(page.small_die),
        "static": static,
        "url": lambda name, *parts: reverse(name, args=parts),
    }
    found.filters |= {
        name: getattr(page, name)
        for name in ("choices", "colour", "head", "percent", "plain", "short_link", "strong_number", "thousands")
    }
    found.tests["only_here"] = page.only_here
    return found


def said(message: str) -> str:
    return _said(message, get_language())


@lru_cache(maxsize=1024)  # a board has sixty sentences that never change, and to look each up takes a fifth of its time
def _said(message: str, _language: str | None) -> str:
    return gettext(message)


@jinja2.pass_context
def fields(context: jinja2.runtime.Context, version: int | None = None) -> SafeString:
    return page.hidden_fields(context.get("csrf_token", ""), version)
