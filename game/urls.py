from django.conf import settings
from django.urls import path, register_converter

from game.views import actions, game, games, help, home, new, prefs, rulesets, sheet
from game.views.gallery import gallery

app_name = "game"


class Code:
    """A game's public code. Anything else is no address of ours, and a 404 without a look into the database."""

    regex = "[A-Za-z0-9_-]{22}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Code, "code")

urlpatterns = [
    path("", home.home, name="home"),
    path("quick", home.quick, name="quick"),
    path("new", new.new, name="new"),
    path("games", games.games, name="games"),
    path("games/import", games.load, name="import"),
    path("rules", rulesets.rules, name="rules"),
    path("rules/<slug:slug>", rulesets.ruleset, name="ruleset"),
    path("prefs", prefs.prefs, name="prefs"),
    path("help", help.help, name="help"),
    path("g/<code:code>", game.page, name="page"),
    path("g/<code:code>.json", game.file, name="file"),
    path("g/<code:code>/sheet", sheet.sheet, name="sheet"),
    path("g/<code:code>/throw", actions.throw, name="throw"),
    path("g/<code:code>/bank", actions.bank, name="bank"),
    path("g/<code:code>/points", actions.points, name="points"),
    path("g/<code:code>/advance", actions.advance, name="advance"),
    path("g/<code:code>/undo", actions.undo, name="undo"),
    path("g/<code:code>/seats", actions.seats, name="seats"),
    path("g/<code:code>/target", actions.target, name="target"),
    path("g/<code:code>/mode", actions.mode, name="mode"),
    path("g/<code:code>/options", actions.options, name="options"),
    path("g/<code:code>/rematch", actions.rematch, name="rematch"),
]

if settings.DEBUG:
    urlpatterns.append(path("gallery", gallery, name="gallery"))
