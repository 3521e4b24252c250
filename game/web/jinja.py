"""The Jinja environment: what every template of the site can call, and how its sentences are translated.

The site's pages are Jinja templates, which fill in values about four times as fast as Django's templates. The admin and
the mails use Django's, in `templates/django/`.
"""

import io
import itertools
import json
import re
import secrets
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

import jinja2
from django.conf import settings
from django.http import HttpRequest
from django.template.defaultfilters import date
from django.templatetags.static import static
from django.utils.html import conditional_escape
from django.utils.translation import get_language, get_language_bidi, gettext, ngettext, pgettext
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.runtime import Context
from markupsafe import Markup, escape

from game.addresses import find_address, is_only_here
from game.forms.new import HINTS, MODES
from game.pages.crews import name_crew
from game.pages.game_list import name_winners
from game.pages.link_preview import preview_page
from game.pages.parts.coach import format_chance
from game.pages.parts.components import Button, KeepChoice
from game.pages.parts.computer_levels import list_level_choices
from game.pages.parts.head_to_head import find_heads_address
from game.pages.parts.text import (
    format_amount,
    format_dice_count,
    format_money,
    name_all_dice,
    number,
    write_luck,
    write_percent,
)
from game.pages.rulesets.names import describe_player_count, name_ruleset, name_stored
from game.pages.rulesets.summary import list_card_facts
from game.prefs import Prefs
from game.rules import DEFAULT_LEVEL, PRESETS
from game.rules.ruleset import TARGET_LEAST, TARGET_MOST, TARGET_STEP
from game.sentences import isolate, isolate_values
from game.serving.languages import TRANSLATED, TRANSLATED_PAGES, find_return_address, is_translated, localize
from game.web.compiled_templates import find_folder
from game.web.page_environment import PageEnvironment

INDENT = re.compile(r"^[ \t]+", re.M)
MOMENT = Markup('<time datetime="{}" data-script="{}">{}</time>')
DAY = Markup('<time class="day" datetime="{}" data-script="{}">{}</time>')
# How many characters of a page's token, whose mask is random, the keys of its forms begin with: 131 bits.
KEY_START = 22
FORM_NUMBERS = itertools.count()


class Unindented(Extension):
    """Shrinks the indentation of templates to one space as they are compiled, since only readers of the source need it.

    The space has to stay: it separates two lines within an element if the first ends with a block, which swallows its
    newline.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Shrink the indentation of every line."""
        return INDENT.sub(" ", source)


def environment(**options: Any) -> jinja2.Environment:
    """Return the environment of the templates.

    A missing value is an error in development and in tests. In production its place stays empty, since a page that
    shows less is better than none.
    """
    undefined = jinja2.StrictUndefined if settings.DEBUG else jinja2.ChainableUndefined
    env = PageEnvironment(
        **options | {"undefined": undefined},
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n", Unindented],
    )
    env.policies["ext.i18n.trimmed"] = True
    env.newstyle_gettext = True  # type: ignore[attr-defined]
    env.compiled = None if env.auto_reload else find_folder()
    env.globals |= GLOBALS | LEFT_OUT | {"program": env.compiled.name if env.compiled else ""}
    env.constants = CONSTANTS
    env.filters |= FILTERS
    env.tests["only_here"] = is_only_here
    return env


def translate(message: str, **values: object) -> Markup:
    """Return the sentence in the reader's language; values are escaped as they are filled in, the sentence is not."""
    language = get_language()
    return _translated(message, language) % isolate_values(values) if values else _plain_sentence(message, language)


def translate_plural(singular: str, plural: str, num: int, **values: object) -> Markup:
    """Return the plural form for the number `num`, which replaces `%(num)s`, grouped as the reader writes it."""
    return Markup(ngettext(singular, plural, num)) % {"num": number(num), **isolate_values(values)}


def translate_in_context(context: str, message: str) -> Markup:
    """Return the translation of an ambiguous message; `context` says which meaning it has."""
    return Markup(pgettext(context, message))


@lru_cache(maxsize=8192)
def _translated(message: str, _language: str | None) -> Markup:
    return Markup(gettext(message))


@lru_cache(maxsize=8192)  # a board has sixty sentences that never change; looking them up took a fifth of its time
def _plain_sentence(message: str, language: str | None) -> Markup:
    return _translated(message, language) % {}


def make_key(token: str) -> str:
    """Return a key for a form that no other form has: the random start of its page's token, and a number.

    So the keys of a page begin alike and compress to a few bytes each. Without a token it is all random.
    """
    return f"{token[:KEY_START]}{next(FORM_NUMBERS) % 4096:03x}" if token else secrets.token_urlsafe(16)


@jinja2.pass_context
def fields(context: Context, version: int | None = None, key: str = "", **more: object) -> Markup:
    """Return the hidden fields of a command form: token, key, the version of the game that it was made for, and more.

    Each form gets a new key, so that pressing its button again is recognised as the same request. Token, key and
    version are letters, digits and dashes, so they are not escaped: a page has a dozen forms, and it would cost time.
    """
    token = str(context.get("csrf_token", ""))
    values: dict[str, object] = {"csrfmiddlewaretoken": token, "key": key or make_key(token)}
    if version is not None:
        values["version"] = version
    values |= {name: escape(value) for name, value in more.items()}
    return Markup("".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in values.items()))


# Dice and icons use the symbols of sprite.html. They are cached: a board has a hundred of them, of which few differ.


@lru_cache(maxsize=64)
def die(face: int, kind: str = "") -> Markup:
    """Return the markup of a small die, hidden from screen readers: words beside it say what it shows."""
    return Markup('<svg class="d{}" aria-hidden="true"><use href="#f{}"/></svg>').format(kind and f" {kind}", face)


@lru_cache(maxsize=1024)
def dice(faces: tuple[int, ...], kind: str = "") -> Markup:
    """Return the markup of a row of small dice."""
    return Markup("").join(die(face, kind) for face in faces)


@lru_cache(maxsize=4096)
def thrown(faces: tuple[tuple[int, bool], ...]) -> Markup:
    """Return the markup of a throw. `faces`: (face, whether it was kept)."""
    return Markup("").join(die(face, "kept" if kept else "faint") for face, kept in faces)


def show_moment(value: datetime) -> Markup:
    """Return the markup of a date and time, which a script changes to the reader's own time zone."""
    return MOMENT.format(value.isoformat(), find_file("js/times.js"), date(value, "DATETIME_FORMAT"))


def show_day(value: datetime) -> Markup:
    """Return the markup of a moment's date, which a script changes to the date in the reader's own time zone."""
    return DAY.format(value.isoformat(), find_file("js/times.js"), date(value, "DATE_FORMAT"))


@lru_cache(maxsize=16)
def icon(name: str) -> Markup:
    """Return the markup of an icon, hidden from screen readers: words beside it say what it means."""
    return Markup('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>').format(name)


@jinja2.pass_context
def url(context: Context, name: str, *arguments: object) -> str:
    """Return the URL of a page by its name and the variable parts of its path.

    On a page whose URL has a language, links lead to the URLs of that language.
    """
    path = find_address(name, *arguments)
    if name.removeprefix("game:") in TRANSLATED_PAGES and "request" in context:
        match = context["request"].resolver_match
        if match and TRANSLATED in match.namespaces:
            return localize(path, get_language())
    return path


def find_constant_address(name: str, *arguments: object) -> str:
    """Return the address of a page, if it is the same for all readers. Raises `nodes.Impossible` if it isn't."""
    if name.removeprefix("game:") in TRANSLATED_PAGES:
        raise nodes.Impossible
    return find_address(name, *arguments)


@lru_cache(maxsize=256)
def find_file(path: str) -> str:
    """Return the address of a static file, which includes the file's hash as the process read it at its start."""
    return static(path)


def list_languages() -> list[tuple[str, str]]:
    """Return the languages to choose from, as (code, the language's own name)."""
    return list(settings.LANGUAGES)


def canonical(request: HttpRequest, path: str) -> str:
    """Return the canonical URL of this page in this language."""
    return request.build_absolute_uri(localize(path, get_language()) if is_translated(request) else path)


def list_translations(request: HttpRequest, path: str) -> list[tuple[str, str]]:
    """Return each language with the page's URL in it, and the default URL last; empty if it is not translated."""
    if len(settings.LANGUAGES) == 1 or not is_translated(request):
        return []
    addresses = [(code, request.build_absolute_uri(localize(path, code))) for code, _ in settings.LANGUAGES]
    return [*addresses, ("x-default", request.build_absolute_uri(path))]


def plain(value: float) -> str:
    """Return a number for an attribute, never localized."""
    return f"{value:g}"


def percent(value: float | None) -> str:
    """Return a width in per cent for an attribute of a drawing, always with a decimal point."""
    return f"{value or 0:.4g}%"


def has_long_word(text: str) -> bool:
    """Return whether a word of a text is likely to be wider than its line on a phone."""
    return any(len(word) > 19 for word in text.split())


def strong_number(text: str) -> Markup:
    """Return a text such as "2 dice" with its number in a strong element."""
    before, number, after = re.fullmatch(r"(\D*)(\d*)(.*)", text, re.S).groups()  # type: ignore[union-attr]
    return Markup(f"{escape(before)}<strong>{number}</strong>{escape(after)}")


def strong_head(text: str) -> Markup:
    """Return a text such as "To throw · 1 die" with its first part in bold."""
    first, dot, rest = text.partition(" · ")
    return Markup(f"<b>{escape(first)}</b>{dot}{escape(rest)}")


def short_link(address: str) -> str:
    """Return a URL without its scheme, for reading."""
    return address.partition("://")[2] or address


# One of the eight patterns that break up large areas (ISO/IEC 18004, 7.8). A camera reads a code with any of them.
# Trying them all would take most of the time, and the best is only 3 % better than this one on our links.
QR_MASK = 4


@lru_cache(maxsize=1000)  # a link never changes, and drawing it takes longer than the rest of the panel
def qr(link: str) -> Markup:
    """Return a link as a QR code, in SVG."""
    import segno  # only when a code is drawn, since the module stays in memory

    drawing = io.BytesIO()
    segno.make_qr(link, error="m", mask=QR_MASK).save(
        drawing, kind="svg", xmldecl=False, svgns=False, border=2, omitsize=True, svgclass="qr", lineclass=None
    )
    return Markup(drawing.getvalue().decode())


@jinja2.pass_context
def colour(context: Context, seat: int) -> str:
    """Return the class for a seat's colour and dash pattern, from the page's `seat_colours`. `seat`: from 1."""
    return f"p{context.resolve('seat_colours')[seat - 1]}"


def choices(values: dict[str, KeepChoice]) -> Markup:
    """Return what the tray shows for each legal keep as JSON, for a data attribute in single quotes."""
    rows = {faces: write_choice(choice) for faces, choice in values.items()}
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;"))


def write_choice(c: KeepChoice) -> list[object]:
    """Return a keep's numbers and texts in the order in which the script expects them."""
    buttons = _button(c.bank), _button(c.throw)
    return [c.sum, c.this, c.shown, c.upper, c.lower, *buttons, c.spoken, c.detail, c.remark, f"{c.risk:g}%"]


def _button(button: Button) -> list[object]:
    meter = [] if button.meter is None else [round(button.meter, 2)]
    return [button.line1, button.line2, int(button.does), *meter]


GLOBALS: dict[str, Any] = {
    "_": translate,
    "boosted": Markup('hx-boost="true" hx-sync="this:drop"'),  # for a command form: one request at a time
    "canonical": canonical,
    "classic": PRESETS["classic"],
    "dice": dice,
    "die": die,
    "fields": fields,
    # for a field with a player's name, in any script
    "for_names": Markup('dir="auto" autocomplete="off" autocapitalize="words" spellcheck="false"'),
    "gettext": translate,
    "heads_address": find_heads_address,
    "hints": HINTS,
    "icon": icon,
    "default_level": DEFAULT_LEVEL,
    "language": get_language,
    "languages": list_languages,
    "levels": list_level_choices,
    "modes": MODES,
    "ngettext": translate_plural,
    "pgettext": translate_in_context,
    "preview_page": preview_page,
    "return_address": find_return_address,
    "right_to_left": get_language_bidi,
    "static": find_file,
    "target_limits": (TARGET_LEAST, TARGET_MOST, TARGET_STEP),
    "thrown": thrown,
    "translations": list_translations,
    "url": url,
}

# What Jinja may call while it compiles a template for a language (see `PageEnvironment`).
CONSTANTS: dict[str, Callable[..., object]] = {
    **{name: GLOBALS[name] for name in ("_", "gettext", "icon", "language", "pgettext", "right_to_left")},
    "url": find_constant_address,
}

# Defaults for values that a page may leave out of its context.
LEFT_OUT: dict[str, Any] = {
    "big": False,  # it is the table view, for a television or a tablet in the middle of the table
    "has_error": False,  # the page's title begins with "Error"
    "out_of_band": "",  # the attribute of a region that replaces the one on the page
    "in_form": True,  # the tray is part of a form, not only to be looked at
    "preview": None,  # the page's link preview
    "prefs": Prefs(),  # for responses to malformed requests
    "problems": (),  # (id of the field, sentence)
    "quiet": False,  # there is nothing to announce
}

FILTERS: dict[str, Any] = {
    "all_dice": name_all_dice,
    "amount": format_amount,
    "card_facts": list_card_facts,
    "chance": write_percent,
    "choices": choices,
    "colour": colour,
    "crew_name": name_crew,
    "date": date,
    "day": show_day,
    "dice_count": format_dice_count,
    "has_long_word": has_long_word,
    "head": strong_head,
    "isolate": isolate,
    "isolate_values": isolate_values,
    "luck": write_luck,
    "markup": conditional_escape,  # for lazy sentences of Django that may be HTML
    "moment": show_moment,
    "money": format_money,
    "percent": percent,
    "plain": plain,
    "players_of": describe_player_count,
    "qr": qr,
    "ruleset_name": name_ruleset,
    "short_link": short_link,
    "stored_name": name_stored,
    "strong_number": strong_number,
    "thousands": number,
    "win_chance": format_chance,
    "winners": name_winners,
}
