"""How to play: the rules in two minutes, an example turn, the keys, tips and questions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from game.forms.new import list_offered
from game.pages.board.status import list_tips
from game.pages.link_preview import preview_page
from game.pages.practice.positions import make_help_example
from game.pages.rulesets import summary
from game.views.practice import build_choice

KEYS = (
    ("R", _("Throw")),
    ("G +", _("Bank")),
    ("1 2 3 4 5 6", _("Keep or release the die in that column")),
    ("A", _("Keep all dice that score")),
    ("U", _("Pick up the last player’s dice")),
    ("H", _("Ways to keep: open or close")),
    ("N B", _("Next or previous way to keep")),
    ("B", _("With real dice: bust")),
    ("Backspace", _("With real dice: delete the last digit, or undo the last throw")),
    ("Ctrl+Z", _("Undo the last turn")),
    ("M", _("Sounds: on or off")),
    ("T", _("Announce the whole table again, for screen readers")),
    ("S", _("Save: download this game")),
    ("L", _("Load a game file: once more to choose it")),
    ("P", _("Play again with the same people")),
    ("?", _("This help")),
)

# The example turn: (dice, kept) of each throw.
FIRST = tuple(zip((1, 3, 4, 4, 2, 6), (True, False, False, False, False, False), strict=True))
SECOND = tuple(zip((5, 3, 3, 6, 3), (True, True, True, False, True), strict=True))


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Show the help, with the example turn to play."""
    ruleset = next(iter(list_offered()), None)
    example = make_help_example(ruleset.rules, ruleset.slug) if ruleset else None
    context = {
        "keys": [(names.split(), words) for names, words in KEYS],
        "tips": list_tips(),
        "first": FIRST,
        "second": SECOND,
        "tray": build_choice(request, example) if example else None,
        "played": ruleset.rules if ruleset else None,
        "scores": summary.list_scores(ruleset.rules) if ruleset else (),
        "preview": preview_page(
            gettext("How to play 10,000"),
            gettext("The rules in two minutes, an example turn to play, tips, and answers to common questions."),
            "help",
        ),
    }
    return render(request, "game/help.html", context)
