"""Numbers, dice and names as the reader writes them, and the sentence that says who won."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from django.utils.formats import number_format
from django.utils.text import capfirst, get_text_list
from django.utils.translation import pgettext

from game.currencies import count_decimals
from game.pages.parts.language import find_language, mark_places, ngettext
from game.pages.parts.language import gettext as _
from game.rules import State
from game.sentences import isolate

SENTENCE_HEAD = re.compile(r"(?:^|(?<=[.!?] ))%\((\w+)\)s")  # a place at which a sentence begins


def number(value: int | float, places: int | None = None) -> str:
    """Return a number in the reader's format: 4,350 · 4.350 · 4 350 · −400. Rounded, where Django would truncate."""
    return _number(value, places, find_language())


@lru_cache(maxsize=4096, typed=True)  # a page has a hundred numbers, mostly the same ones
def _number(value: int | float, places: int | None, _language: str | None) -> str:
    rounded = (value if places is None else round(value, places)) + 0  # without the sign of -0.0
    written = number_format(rounded, places, force_grouping=True)
    return written.replace("-", "−")  # the sign: a hyphen is half as wide, and a line may break after it


def write_percent(chance: float, places: int | None = None) -> str:
    """Return a chance, 0–1, with this many decimals; unless given, whole per cent, and one decimal below ten."""
    if places is None:
        places = 1 if chance < 0.0995 else 0
    return add_percent(number(100 * chance, places))


def put_label(label: object, text: object) -> str:
    """Return a text with its label in front, as in "Straight: 1,500"; French has a space before the colon."""
    return _("%(label)s: %(text)s") % {"label": label, "text": text}


def add_percent(amount: str) -> str:
    """Return a formatted number as "12%", or "12 %" where that is the custom."""
    # Translators: with a no-break space before the sign, where your language has a space there.
    return _("%(number)s%%") % {"number": amount}


def sign_number(value: int | float, places: int = 0) -> str:
    """Return a number with its sign: +450 · −8.1. What rounds to 0 has none."""
    return ("+" if round(value, places) > 0 else "") + number(value, places)


def write_luck(points: float) -> str:
    """Return points above or below the expectation."""
    rounded = round(points)
    return ngettext("%(points)s point", "%(points)s points", abs(rounded)) % {"points": sign_number(rounded)}


def format_amount(coins: int, currency: str) -> str:
    """Return an amount in a currency's smallest coin without its name: 145 is 1.45 in USD, 145 in JPY, 0.145 in KWD."""
    decimals = count_decimals(currency)
    return number(coins / 10**decimals, decimals)


def format_money(coins: int, currency: str) -> str:
    """Return an amount in a currency's smallest coin with its name: 1.45 USD."""
    return f"{format_amount(coins, currency)}\N{NO-BREAK SPACE}{currency}"


def format_dice(dice: Iterable[int]) -> str:
    """Return faces as "1 5 5"."""
    return " ".join(map(str, dice))


def format_dice_count(n: int) -> str:
    """Return "1 die" or "3 dice"."""
    return _format_dice_count(n, find_language())


@lru_cache
def _format_dice_count(n: int, _language: str | None) -> str:
    return ngettext("%(n)s die", "%(n)s dice", n) % {"n": n}


def name_all_dice(n: int) -> str:
    """Return the number of all dice as a word: "six"."""
    # Translators: as in "throw all six" and "six fresh dice".
    return _("five") if n == 5 else _("six")


def name_die(column: int, face: int) -> str:
    """Return what a screen reader calls a die: "Die 2: five"."""
    return _name_die(column, face, find_language())


@lru_cache(maxsize=256)  # the names of six faces in six columns, in each language
def _name_die(column: int, face: int, _language: str | None) -> str:
    faces = (
        pgettext("what a die shows", "one"),
        pgettext("what a die shows", "two"),
        pgettext("what a die shows", "three"),
        pgettext("what a die shows", "four"),
        pgettext("what a die shows", "five"),
        pgettext("what a die shows", "six"),
    )
    return _("Die %(column)s: %(face)s") % {"column": column, "face": faces[face - 1]}


def tie_dot(text: str) -> str:
    """Return a text whose dots never begin a line where it breaks."""
    return text.replace(" ·", "\u00a0·")


def quote(text: object) -> str:
    """Return a text in the quotation marks of the present language."""
    return _("“%(text)s”") % {"text": text}


def join_names(names: Sequence[str]) -> str:
    """Return names as "Ana, Bruno and Chloé"."""
    return str(get_text_list(list(map(isolate, names)), _("and")))


def list_figures(figures: Iterable[tuple[str, object]]) -> str:
    """Return what belongs to each name as "Ana 4, Bruno 2"."""
    return ", ".join(f"{isolate(name)} {figure}" for name, figure in figures)


def fill_sentences(text: str, phrases: Mapping[str, str], **values: str) -> str:
    """Fill in the places of a text. `phrases` are words of ours, of which one that begins a sentence gets a capital.

    Names among the `values` stay as their owners write them.
    """

    def begin(place: re.Match[str]) -> str:
        return capfirst(phrases[place[1]]).replace("%", "%%") if place[1] in phrases else place[0]

    return mark_places(SENTENCE_HEAD.sub(begin, text)) % {**phrases, **values}


def describe_winner(state: State, by_dice: bool, yours: Collection[int] = ()) -> str:
    """Return who won, as in "Bruno wins with 10,200!" or "Bruno wins with 10,200, reached before you.".

    `by_dice`: with dice that win at once; `yours`: seats called "You".
    """
    winners = [state.players[seat] for seat in state.winners]
    others = [seat for seat, player in enumerate(state.players) if seat not in state.winners and player.active]
    if not winners:
        return _("The game is over. Nobody is left to win it.")
    runner_up = max(others, key=lambda seat: state.players[seat].score, default=state.winners[0])
    second = state.players[runner_up]
    values = {
        "name": winners[0].name,
        "names": join_names([player.name for player in winners]),
        "score": number(winners[0].score),
        "second": second.name,
        "other": number(second.score),
    }
    if by_dice and state.ruleset.has_effect("wins"):
        return _("These dice win! %(name)s wins at once.") % values
    if by_dice:
        return _("Six of a kind! %(name)s wins at once.") % values
    if len(winners) > 1:
        return _("%(names)s share the win with %(score)s.") % values
    if others and second.score == winners[0].score and runner_up in yours:
        return _("%(name)s wins with %(score)s, reached before you.") % values
    if others and second.score == winners[0].score:
        return _("%(name)s wins with %(score)s, reached before %(second)s.") % values
    if len(state.players) == 2 and others:
        return _("%(name)s wins %(score)s to %(other)s!") % values
    return _("%(name)s wins with %(score)s!") % values
