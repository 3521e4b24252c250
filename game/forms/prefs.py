"""Posted preferences: one control or the whole page."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from game.forms.fields import OneOf
from game.pages.parts.colours import COLOUR_NAMES

# For each preference: its question, a line of help, and its answers in words.
QUESTIONS = {
    "theme": (
        _("Colours"),
        "",
        {"auto": _("Match this device"), "light": _("Light"), "dark": _("Dark")},
    ),
    "motion": (
        _("Motion"),
        _("Reduced: dice fade in instead of tumbling."),
        {"auto": _("Match this device"), "reduced": _("Reduced"), "none": pgettext_lazy("motion", "None")},
    ),
    "dice": (
        _("Dice"),
        "",
        {"pips": _("Pips"), "numerals": _("Numerals"), "contrast": _("High contrast")},
    ),
    "colour": (
        _("Your colour"),
        _(
            "Only you see it, in games that nobody else plays on this device. "
            "Names and dashed lines tell players apart, too."
        ),
        {"seat": _("By seat"), **dict(COLOUR_NAMES)},
    ),
    "hand": (
        _("Buttons"),
        _("Which side Throw is on."),
        {"right": _("Right-handed"), "left": _("Left-handed")},
    ),
    "order": (
        _("Order of the dice"),
        _("Sorted: each throw is shown from low to high. Dice you set aside stay in place."),
        {"thrown": _("As they fell"), "sorted": _("Sorted")},
    ),
    "first": (
        _("After a throw"),
        _("What happens to scoring dice."),
        {"keep": _("Set aside for me"), "choose": _("I’ll pick them")},
    ),
    "hints": (
        _("Ways to keep"),
        _("A game can set this for all players."),
        {
            "auto": _("Automatic"),
            "off": _("Off"),
            "points": _("Points"),
            "odds": _("Points and bust chances"),
            "coach": _("Coach: the best choice, and why"),
        },
    ),
    "pace": (
        _("Computer speed"),
        _("Pause between its throws."),
        {"slow": _("Slow"), "normal": _("Normal"), "instant": _("Instant")},
    ),
    "entry": (
        _("Real dice"),
        _("How you enter a turn with the dice on your own table."),
        {"type": _("Type points"), "tap": _("Tap dice")},
    ),
    "coaching": (
        _("Tips for newcomers"),
        _("A line under the dice in the first three turns of your first game."),
        {"on": _("On"), "off": _("Off")},
    ),
    "sound": (
        _("Sounds"),
        _("Sounds start after your first tap. Press M to mute. Everything you hear is also shown."),
        {"off": _("Off"), "soft": _("Soft"), "full": _("Full")},
    ),
    "vibration": (
        _("Vibration"),
        _("For a bust, hot dice, your first points and a win, on phones that can vibrate."),
        {"on": _("On"), "off": _("Off")},
    ),
    "reactions": (
        _("Reactions"),
        _("Signs that players send each other: 👏 😱 🍀 🐢. Off: you neither see nor send them."),
        {"on": _("On"), "off": _("Off")},
    ),
    "quiet": (
        _("Quiet hours"),
        _("You won’t be called during these hours. If your turn comes then, you’ll hear about it afterwards."),
        {"night": _("10 p.m. to 8 a.m."), "long": _("8 p.m. to 10 a.m."), "off": pgettext_lazy("quiet hours", "None")},
    ),
    "keys": (
        _("Single-letter keys"),
        _("R throws, G banks, 1 to 6 keep a die. Turn these off if you use voice control."),
        {"on": _("On"), "off": _("Off")},
    ),
}

GROUPS = (
    (_("Look"), ("theme", "dice", "colour", "motion")),
    (pgettext_lazy("preferences", "Play"), ("hand", "order", "first", "hints", "coaching", "pace", "entry")),
    (_("Sound"), ("sound", "vibration", "reactions")),
    (_("Calls"), ("quiet",)),
    (_("Keyboard"), ("keys",)),
)


class PrefsForm(forms.Form):
    """The posted preferences; those left out stay as they are."""

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        for name, (_question, _help, answers) in QUESTIONS.items():
            self.fields[name] = OneOf(choices=answers.items(), required=False)

    def chosen(self) -> dict[str, str]:
        """Return the preferences that were posted, by name."""
        return {name: value for name, value in self.cleaned_data.items() if value}
