"""What the help page shows besides its text: the keys, and a turn step by step."""

from django.utils.translation import gettext_lazy as _

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
    ("L", _("Load a game file: press again to choose it")),
    ("P", _("Play again with the same people")),
    ("?", _("This help")),
)

# The example turn: (dice, kept) of each throw.
FIRST = tuple(zip((1, 3, 4, 4, 2, 6), (True, False, False, False, False, False), strict=True))
SECOND = tuple(zip((5, 3, 3, 6, 3), (True, True, True, False, True), strict=True))
