"""What every page may show, whatever view made it."""

from django.http import HttpRequest

from game.prefs import Prefs


def page(request: HttpRequest) -> dict[str, Prefs]:
    return {"prefs": Prefs.of(request)}
