"""Preferences as they are posted: one control at a time, or the whole page."""

from django import forms
from django.utils.translation import gettext_lazy as _

from game.forms.fields import OneOf

# Per preference: its question, one line of help, and its answers in words.
QUESTIONS = {
    "theme": (
        _("Colours"),
        "",
        {"auto": _("As this device"), "light": _("Light"), "dark": _("Dark")},
    ),
    "motion": (
        _("Motion"),
        _("Reduced fades the dice instead of letting them fall."),
        {"auto": _("As this device"), "reduced": _("Reduced"), "none": _("None")},
    ),
    "first": (
        _("After a throw"),
        _("Which dice are kept before you touch any."),
        {"keep": _("Keep what scores"), "choose": _("I choose myself")},
    ),
    "hints": (
        _("Ways to keep"),
        _("A game can fix this for everyone who plays in it."),
        {
            "auto": _("As it suits the game"),
            "off": _("Off"),
            "points": _("Points"),
            "odds": _("Points and bust chances"),
            "coach": _("Coach: the best way, and why"),
        },
    ),
    "pace": (
        _("Computers’ pace"),
        _("The pause between two throws of a computer."),
        {"slow": _("Slow"), "normal": _("Normal"), "instant": _("Instant")},
    ),
    "entry": (
        _("Real dice"),
        _("How a turn with the dice on your own table is entered."),
        {"type": _("Type points"), "tap": _("Tap dice")},
    ),
    "sound": (
        _("Sounds"),
        _("Heard once you have touched the page. M switches them on and off. Whatever is heard is seen, too."),
        {"off": _("Off"), "soft": _("Soft"), "full": _("Full")},
    ),
    "keys": (
        _("Single-letter keys"),
        _("R throws, G banks, 1 to 6 keep a die. Switch them off if you speak to your computer."),
        {"on": _("On"), "off": _("Off")},
    ),
}

GROUPS = (
    (_("Look"), ("theme", "motion")),
    (_("Play"), ("first", "hints", "pace", "entry")),
    (_("Sound"), ("sound",)),
    (_("Keyboard"), ("keys",)),
)


class PrefsForm(forms.Form):
    """What is left out stays as it is."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        for name, (_question, _help, answers) in QUESTIONS.items():
            self.fields[name] = OneOf(choices=answers.items(), required=False)

    def chosen(self) -> dict[str, str]:
        return {name: value for name, value in self.cleaned_data.items() if value}
