"""Small helpers of the templates: command forms, icons, dice, the choices of a tray."""

import json
import re
import secrets
from urllib.parse import urlsplit

from django import template
from django.template import engines
from django.utils.formats import number_format
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag
def request_key() -> str:
    """A fresh key for one form, so that a repeated press is recognised as the same request."""
    return secrets.token_urlsafe(16)


@register.simple_tag
def hx() -> SafeString:
    """A command form sent by htmx: to where its pressed button says, one request at a time."""
    return mark_safe('hx-boost="true" hx-sync="this:drop"')


@register.simple_tag
def step(url: str) -> SafeString:
    """A link whose page htmx fetches in parts; its address becomes the page's, so that it can be shared."""
    return format_html('hx-get="{}" hx-push-url="true"', url)


@register.simple_tag(takes_context=True)
def fields(context: template.Context, version: int | None = None) -> SafeString:
    """The hidden fields of a command form: token, key and the version of the game that it was made for."""
    return hidden_fields(context.get("csrf_token", ""), version)


def hidden_fields(token: str, version: int | None) -> SafeString:
    """Their values are letters, digits and dashes: there is nothing to escape, and a page has a dozen forms."""
    values = {"csrfmiddlewaretoken": token, "key": request_key()} | ({} if version is None else {"version": version})
    return mark_safe("".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in values.items()))


@register.simple_tag(takes_context=True)
def part(context: template.Context, name: str, **more: object) -> SafeString:
    """A part of the game page, of `templates/board/`, in a page of Django's templates."""
    return mark_safe(engines["jinja2"].get_template(f"{name}.html").render({**context.flatten(), **more}))


@register.filter
def thousands(value: int) -> str:
    return number_format(value, decimal_pos=0, use_l10n=True, force_grouping=True)


@register.filter
def plain(value: float) -> str:
    """A number for an attribute: never localised."""
    return f"{value:g}"


@register.filter
def strong_number(text: str) -> SafeString:
    """'2 dice' with the number strong."""
    before, number, after = re.fullmatch(r"(\D*)(\d*)(.*)", text, re.S).groups()
    return format_html("{}<strong>{}</strong>{}", before, number, after)


@register.filter
def short_link(address: str) -> str:
    """An address without its scheme, for reading."""
    return address.partition("://")[2] or address


@register.filter
def only_here(address: str) -> bool:
    """An address that no other device can open."""
    return urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")


@register.simple_tag
def icon(name: str) -> SafeString:
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
def small_die(face: int, kind: str = "") -> SafeString:
    """A die of a list. Its face is said in words beside it."""
    return format_html('<svg class="d{}" aria-hidden="true"><use href="#f{}"/></svg>', kind and f" {kind}", face)


@register.filter
def colour(seat: int) -> str:
    """The class of a seat's colour and dash pattern; the ninth player has the first one's again."""
    return f"p{(seat - 1) % 8 + 1}"


@register.filter
def head(text: str) -> SafeString:
    """'To throw · 1 die' with its first part strong."""
    first, dot, rest = str(text).partition(" · ")
    return format_html("<b>{}</b>{}{}", first, dot, rest)


@register.filter
def choices(values: dict) -> SafeString:
    """What the tray says for each legal keep, for a data attribute in single quotes."""
    rows = {
        faces: [c.sum, c.this, c.shown, c.upper, c.lower, _button(c.bank), _button(c.throw), c.spoken, c.detail, c.word]
        for faces, c in values.items()
    }
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return mark_safe(text.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;"))


def _button(button) -> list:
    meter = [] if button.meter is None else [round(button.meter, 2)]
    return [button.line1, button.line2, int(button.does), *meter]


@register.filter
def plus(value: float, more: float) -> float:
    return value + more


@register.filter
def percent(value: float | None) -> str:
    """A width for an SVG attribute, always with a point."""
    return conditional_escape(f"{value or 0:.4g}%")
