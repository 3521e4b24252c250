"""How to play: two minutes, one turn to look at, the keys, tips and questions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from game.forms.new import list_offered
from game.pages.board.status import list_tips
from game.pages.practice.positions import of_help
from game.pages.rulesets import summary
from game.views.practice import to_choose

KEYS = (
    ("R", _("Throw")),
    ("G +", _("Bank")),
    ("1 2 3 4 5 6", _("Keep or release the die in that column")),
    ("A", _("Keep all dice that score")),
    ("U", _("Pick up the dice of the player before you")),
    ("H", _("Ways to keep: open or close")),
    ("N B", _("Next or previous way to keep")),
    ("B", _("With real dice: bust")),
    ("Backspace", _("With real dice: delete the last digit, or take back the last throw")),
    ("Ctrl+Z", _("Undo the last turn")),
    ("M", _("Sounds: on or off")),
    ("T", _("Say the whole table again, for screen readers")),
    ("S", _("Save: the link and the file of this game")),
    ("L", _("Your games, and loading a file")),
    ("P", _("New game")),
    ("?", _("This help")),
)

# The example turn: (dice, kept) of each throw.
FIRST = tuple(zip((1, 3, 4, 4, 2, 6), (True, False, False, False, False, False), strict=True))
SECOND = tuple(zip((5, 3, 3, 6, 3), (True, True, True, False, True), strict=True))


@require_safe
def help(request: HttpRequest) -> HttpResponse:
    ruleset = next(iter(list_offered()), None)
    example = of_help(ruleset.rules, ruleset.slug) if ruleset else None
    context = {
        "keys": [(names.split(), words) for names, words in KEYS],
        "tips": list_tips(),
        "first": FIRST,
        "second": SECOND,
        "tray": to_choose(request, example) if example else None,
        "played": ruleset.rules if ruleset else None,
        "scores": summary.list_scores(ruleset.rules) if ruleset else (),
    }
    return render(request, "game/help.html", context)
