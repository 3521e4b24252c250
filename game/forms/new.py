"""The form of a new game: the players, the ruleset, the target. Nonsense stops here."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from game.forms.commands import Mistyped
from game.forms.fields import TARGET_RANGE, OneOf, TargetField, read_typed_number
from game.forms.seats import check_seats, read_seats, suggest_name
from game.forms.shared_rules import read_shared_rules, write_shared_rules
from game.history.fair import falls_on_screen
from game.history.last_table import find_last_table
from game.models import Game, RulesetRow, Visitor
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.refusals import describe_refusal
from game.pages.rulesets.names import name_ruleset
from game.pages.rulesets.played_rules import show_played
from game.pages.rulesets.problems import describe_problem
from game.pages.rulesets.shortlist import list_shortlist
from game.rules import DEFAULT_LEVEL, IllegalMove, Ruleset, RulesetError
from game.rules.play.moves import read_mode
from game.rules.play.playable import why_unplayable
from game.rules.play.start import check_target
from game.services.crews import OWN_RULES, CrewSettings
from game.services.own_rules import copy_played, find_played, list_kept

HINTS = (
    ("", gettext_lazy("Each player chooses")),
    ("off", gettext_lazy("Off for everyone")),
    ("points", gettext_lazy("Points")),
    ("odds", gettext_lazy("Points and bust chances")),
    ("coach", gettext_lazy("Coach for everyone")),
)
MODES = (
    ("auto", gettext_lazy("Dice on screen")),
    ("manual", gettext_lazy("Real dice (enter points)")),
)

FEATURED_MOST = 4  # rulesets in front, if the site features none
PEOPLE = {"phone": ("", ""), "score": ("", ""), "computer": ("", "*HAL"), "friends": ("",)}
CARRIED_MOST, NOT_CARRIED = 8192, ("csrfmiddlewaretoken", "do", "own", "target")


def read_target(data: QueryDict) -> int:
    """Return the typed target; the rules decide whether it is allowed. Raises `Mistyped` if it is not a number."""
    value = read_typed_number(data.get("target", "").strip())
    if value is None:
        raise Mistyped(str(TARGET_RANGE))
    return value


def read_own_rules(text: str) -> Ruleset | None:
    """Return the ruleset in our hidden field, which was checked before it was written there; None for anything else."""
    try:
        return read_shared_rules(text)
    except RulesetError:
        return None


def suggest_game(query: QueryDict, visitor: Visitor | None, name: str, typed: str = "") -> QueryDict:
    """Return the initial form, in the shape of a post, with the rules that the address names.

    `typed`: the form as it was when its user went to look for rules, URL-encoded; "" for none.
    """
    data = QueryDict(typed, mutable=True) if typed else suggest_players(query, visitor, name)
    data.pop("key", None)  # a page that opens has some ruleset chosen, and says so if the one asked for is gone
    if slug := query.get("ruleset"):
        data["ruleset"] = slug
    choose_kept_rules(data, query.get("rules", ""), visitor)
    return data


def suggest_players(query: QueryDict, visitor: Visitor | None, name: str) -> QueryDict:
    """Return a form for one phone, friends, the computer, or keeping score.

    It names those who played last at this browser, with the same rules, or else only the name last used.
    """
    way = query.get("for", "")
    names = PEOPLE.get(way, PEOPLE["phone"])
    data = QueryDict(mutable=True)
    data.setlist("name", [name, *names[1:]])
    data.setlist("level", [DEFAULT_LEVEL if name else "" for name in names])
    data["mode"] = "manual" if way == "score" else "auto"
    data["wait"] = "1" if way == "friends" else ""
    table = find_last_table(visitor, way) if way != "friends" else None
    if table and len(table.seats) > 1:
        data.setlist("name", [seat.name for seat in table.seats])
        data.setlist("level", [seat.own_level for seat in table.seats])
        data.setlist("colour", [str(seat.colour or "") for seat in table.seats])
        if not {"ruleset", "rules"} & set(query):
            choose_same_rules(data, table.game)
    return data


def choose_kept_rules(data: QueryDict, digest: str, visitor: Visitor | None) -> None:
    """Put rules that were played into a form, as this visitor calls them; none if unknown."""
    if rules := find_played_rules(digest, visitor):
        data["ruleset"], data["own"] = OWN_RULES, write_shared_rules(rules)


def find_played_rules(digest: str, visitor: Visitor | None) -> Ruleset | None:
    """Return rules that were played, under the name by which this visitor keeps them, else under the name shown.

    The latter says which rules they are, so the slug is one whose name does not stay when they are changed.
    """
    played = find_played(digest) if digest else None
    if played is None:
        return None
    if own := next((kept.name for kept in list_kept(visitor) if kept.played == played), ""):
        return replace(played.rules, name=own)
    shown = " ".join(show_played(played).name.split())  # a number may contain a narrow space, which names may not
    return replace(played.rules, slug=copy_played(played)["slug"], name=shown)


def choose_same_rules(data: QueryDict, game: Game) -> None:
    """Put the rules and the target of a game into a form."""
    if game.ruleset is None:
        data["ruleset"], data["own"] = OWN_RULES, write_shared_rules(game.rules)
    else:
        data["ruleset"] = game.ruleset.slug
    data["target"] = str(game.target) if game.target != game.rules.target else ""


def find_chosen_rules(slug: str, data: QueryDict) -> Ruleset | None:
    """Return the rules chosen in the form of a new game, or the first on offer; None if none are.

    `slug`: the choice; with `OWN_RULES`, the rules are in the form itself.
    """
    own = read_own_rules(data.get("own", ""))
    if slug == OWN_RULES and own:
        return own
    rows = list_shortlist(slug)
    row = next((row for row in rows if row.slug == slug), None) or next(iter(rows), None)
    return row.rules if row else None


def carry_new_game(data: QueryDict) -> str:
    """Return the form of a new game, URL-encoded, for the form of its rules to carry; that may carry it already."""
    kept = [(name, value) for name, values in data.lists() for value in values if name not in NOT_CARRIED]
    return data.get("carried", urlencode(kept))[:CARRIED_MOST]


def continue_new_game(carried: str, rules: Ruleset, visitor: Visitor | None, name: str) -> QueryDict:
    """Return the form of a new game as it was, or an initial one, with these rules chosen.

    `carried`: the form as it was, URL-encoded; "" for none.
    """
    fresh = QueryDict(f"ruleset={OWN_RULES}")
    data = QueryDict(carried, mutable=True) if carried else suggest_game(fresh, visitor, name)
    data["ruleset"], data["own"] = OWN_RULES, write_shared_rules(rules)
    return data


class NewGameForm(forms.Form):
    """The settings of a new game as Django fields; the rows of players are in `seats`."""

    data: QueryDict
    ruleset = forms.Field(required=False)
    own = forms.Field(required=False)  # rules that were made at the table, as JSON
    target = TargetField(required=False)
    hints = OneOf(choices=HINTS, required=False)
    mode = OneOf(choices=MODES, required=False)
    free = forms.BooleanField(required=False)
    wait = forms.BooleanField(required=False)  # others take seats by invite before the game begins
    words = forms.BooleanField(required=False)  # players add words to the dice on screen before the game begins

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.rulesets = {row.slug: row for row in list_shortlist(data.get("ruleset", ""))}
        self.own_rules = read_own_rules(data.get("own", ""))
        self.seats = read_seats(data)

    def clean_ruleset(self) -> RulesetRow | Ruleset:
        if self.cleaned_data["ruleset"] == OWN_RULES and self.own_rules:
            if unplayable := why_unplayable(self.own_rules):
                raise ValidationError(describe_problem(unplayable))
            alike = (row for row in self.rulesets.values() if row.rules.digest == self.own_rules.digest)
            return next(alike, self.own_rules)
        row = self.rulesets.get(self.cleaned_data["ruleset"])
        if row is None:
            raise ValidationError(_("Choose a ruleset from this page."))
        return row

    def clean_target(self) -> int | None:
        target: int | None = self.cleaned_data["target"]
        chosen = self.cleaned_data.get("ruleset")
        if target is not None and chosen is not None:
            try:
                check_target(find_rules(chosen), target)
            except IllegalMove as refusal:
                raise ValidationError(describe_refusal(refusal)) from refusal
        return target

    def clean_mode(self) -> str:
        return self.cleaned_data["mode"] or "auto"

    def clean(self) -> dict[str, Any]:
        self.seats = check_seats(self.seats)
        if any(row.problem for row in self.seats):
            self.add_error(None, ValidationError(_("Check the names."), code="names"))
        ruleset = self.cleaned_data.get("ruleset")
        if ruleset and (why := check_player_count(ruleset, len(self.seats), more=self.cleaned_data.get("wait", False))):
            self.add_error(None, ValidationError(why, code="add"))
        if ruleset and self.cleaned_data.get("words"):
            computers = any(row.computer for row in self.seats)
            mode = self.cleaned_data.get("mode", "auto")
            self.cleaned_data["words"] = falls_on_screen(mode, computers=computers, rules=find_rules(ruleset))
        return self.cleaned_data

    def problems(self) -> list[tuple[str, str]]:
        """Return (id of the control, sentence) for the error summary, those of the rows first."""
        problems = [(name, error) for name, errors in self.errors.as_data().items() for error in errors]
        ids = {"ruleset": "ruleset-1", NON_FIELD_ERRORS: "add"}
        others = [(ids.get(name, name), error.messages[0]) for name, error in problems if error.code != "names"]
        return [*self.row_problems(), *others]

    def row_problems(self) -> list[tuple[str, str]]:
        """Return (id of the control, sentence) for each row with an error."""
        return [(f"name-{n}", row.refusal) for n, row in enumerate(self.seats, 1) if row.problem]

    def suggest_name(self, n: int) -> str:
        """Return the name that a row, counted from 1, gets if none is typed."""
        return suggest_name(self.seats, n)

    def find_first_name(self) -> str:
        """Return the first person's name, to be remembered, if somebody typed it; else an empty text."""
        people = [row.name for row in self.seats if not row.level]
        return people[0] if people and people[0] in self.data.getlist("name") else ""

    def uses_options(self, wrong: Collection[str]) -> bool:
        """Return whether an option is not at its default, or has an error. `wrong`: ids of the controls with errors."""
        chosen = any(self.data.get(name) for name in ("target", "hints", "free"))
        # A page opened for real dice has chosen them itself: only a posted form (with a key) counts.
        other_dice = "key" in self.data and self.data.get("mode", "auto") not in ("", "auto")
        return chosen or other_dice or not {"target", "hints", "mode", "free"}.isdisjoint(wrong)

    @property
    def settings(self) -> CrewSettings:
        """What a crew of these players plays. The form has to be valid."""
        chosen = self.cleaned_data
        return CrewSettings.of(chosen["ruleset"], chosen["target"], read_mode(chosen["mode"]))

    @property
    def featured(self) -> list[RulesetRow]:
        """The featured rulesets, or the first few if there are none; before them the chosen one, if it is another."""
        rows, chosen = list(self.rulesets.values()), self.chosen_ruleset
        front = [row for row in rows if row.place or row.home] or rows[:FEATURED_MOST]
        return front if chosen is None or chosen in front else [chosen, *front]

    @property
    def others(self) -> list[RulesetRow]:
        """The rulesets that are not featured."""
        featured = self.featured
        return [row for row in self.rulesets.values() if row not in featured]

    @property
    def chosen_ruleset(self) -> RulesetRow | None:
        """The chosen ruleset: the first when the page opens; None for rules that were made at the table."""
        slug = self.data.get("ruleset", "")
        if slug not in self.rulesets and not self.own_rules and not self.data.get("key"):
            return next(iter(self.rulesets.values()), None)
        return self.rulesets.get(slug)

    def find_missing(self) -> list[tuple[str, str]]:
        """Return (id of the control, sentence) if the page opens for a ruleset that was retired or never existed."""
        slug = self.data.get("ruleset", "")
        if not slug or slug == OWN_RULES or slug in self.rulesets or self.data.get("key"):
            return []
        return [("ruleset-1", _("The rules you asked for are no longer offered here. Choose another ruleset."))]

    @property
    def own_text(self) -> str:
        """The rules that were made at the table as JSON, for the hidden field; "" if there are none."""
        return write_shared_rules(self.own_rules) if self.own_rules else ""


def find_rules(chosen: RulesetRow | Ruleset) -> Ruleset:
    """Return the rules that were chosen on the page or made at the table."""
    return chosen.rules if isinstance(chosen, RulesetRow) else chosen


def check_player_count(chosen: RulesetRow | Ruleset, players: int, *, more: bool) -> str:
    """Return why this many players cannot play a ruleset, "" if they can. `more`: others are still to join."""
    rules = find_rules(chosen)
    least, most = rules.min_players, rules.max_players
    if players < least and not more:
        return ngettext(
            "%(rules)s needs at least %(n)s player. Add one more.",
            "%(rules)s needs at least %(n)s players. Add a player or a computer.",
            least,
        ) % {"rules": name_ruleset(chosen), "n": least}
    if players > most:
        return ngettext(
            "%(rules)s is for at most %(n)s player. Remove the others.",
            "%(rules)s is for at most %(n)s players. Remove some.",
            most,
        ) % {"rules": name_ruleset(chosen), "n": most}
    return ""
