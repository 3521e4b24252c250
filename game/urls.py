"""Every address of the site, with the view behind it."""

from django.contrib.auth.decorators import login_required
from django.urls import URLPattern, URLResolver, include, path, re_path, register_converter
from django.urls.converters import StringConverter

from game.models.visitors import CODE
from game.serving.languages import LANGUAGE_PREFIX, TRANSLATED, TRANSLATED_PAGES
from game.views import (
    account,
    actions,
    analysis,
    broadcasts,
    calls,
    cards,
    crews,
    fair,
    files,
    game,
    games,
    home,
    hosting,
    links,
    new,
    odds,
    own_rules,
    practice,
    prefs,
    replay,
    rulesets,
    site_files,
    site_pages,
)

app_name = "game"


class Code(StringConverter):
    """A game's public code. Anything else is a 404 without a query."""

    regex = CODE


class Digest(Code):
    """The digest of rules that were played."""

    regex = "[0-9a-f]{20}"


register_converter(Code, "code")
register_converter(Digest, "digest")

urlpatterns: list[URLPattern | URLResolver] = [
    # Django tries them in this order, so those that games ask for all the time come first.
    path("g/<code:code>/board", game.news, name="board"),
    path("g/<code:code>/throw", actions.throw, name="throw"),
    path("g/<code:code>/bank", actions.bank, name="bank"),
    path("g/<code:code>", game.page, name="page"),
    path("g/<code:code>/advance", actions.advance, name="advance"),
    path("g/<code:code>/choice", broadcasts.share_choice, name="choice"),
    path("", home.home, name="home"),
    path("quick", home.quick, name="quick"),
    path("new", new.new, name="new"),
    path("again", home.again, name="again"),
    path("crews", crews.crews_page, name="crews"),
    path("crew/<code:crew_code>", crews.crew_page, name="crew"),
    path("crew/<code:crew_code>/members", crews.crew_members, name="crew-members"),
    path("crew/<code:crew_code>/evening/<code:code>", crews.evening, name="evening"),
    path("crew/<code:crew_code>/evening/<code:code>.csv", crews.evening_table, name="evening-csv"),
    path("crew/<code:crew_code>/delete", crews.delete_crew, name="crew-delete"),
    path("games", games.games, name="games"),
    path("games/import", games.load, name="import"),
    path("games/archive", files.archive, name="archive"),
    path("games/archive.zip", files.download, name="archive-file"),
    path("games/statistics.csv", files.statistics_table, name="statistics-table"),
    path("games/with", games.head_to_head, name="head-to-head"),
    path("games/with/<path:name>", games.head_to_head, name="head-to-head"),
    path("rules", rulesets.rules, name="rules"),
    path("rules/change", own_rules.change, name="change-rules"),
    path("rules/x/<digest:digest>", own_rules.played, name="played-ruleset"),
    path("rules/x/<digest:digest>.json", own_rules.download, name="played-file"),
    path("rules/x/<digest:digest>/card.png", cards.played_card, name="played-card"),
    path("rules/x/<digest:digest>/keep", own_rules.keep, name="keep-rules"),
    path("rules/x/<digest:digest>/solve", own_rules.solve, name="solve-played"),
    path("rules/<slug:slug>/solve", rulesets.solve, name="solve"),
    path("rules/<slug:slug>", rulesets.ruleset, name="ruleset"),
    path("rules/<slug:slug>/card.png", cards.ruleset_card, name="ruleset-card"),
    path("card.png", cards.site_card, name="site-card"),
    path("rules/<slug:slug>.json", rulesets.download, name="ruleset-file"),
    path("rules/<slug:slug>/<int:version>", rulesets.ruleset, name="ruleset-version"),
    path("rules/<slug:slug>/<int:version>.json", rulesets.download, name="ruleset-version-file"),
    path("names", site_pages.show_names, name="names"),
    path("robots.txt", site_files.robots, name="robots"),
    path("sitemap.xml", site_files.sitemap, name="sitemap"),
    path("favicon.ico", site_files.favicon, name="favicon"),
    path("fair", fair.of_site, name="fair"),
    path("fair/check.py", fair.any_script, name="any-check"),
    path("odds", odds.odds, name="odds"),
    path("practice", practice.practice, name="practice"),
    path("prefs", prefs.prefs, name="prefs"),
    path("language", prefs.choose_language, name="language"),
    path("privacy", site_pages.show_privacy, name="privacy"),
    path("help", site_pages.help_page, name="help"),
    path("manifest.webmanifest", site_files.manifest, name="manifest"),
    path("sw.js", site_files.service_worker, name="worker"),
    path("offline", site_pages.offline, name="offline"),
    path("account/", account.account, name="account"),
    path("account/sign-up", account.sign_up, name="sign-up"),
    path("account/sign-in", account.sign_in, name="sign-in"),
    path("account/sign-out", account.sign_out, name="sign-out"),
    path("account/adopt", account.adopt, name="adopt"),
    path("account/data", account.data, name="account-data"),
    path("account/mail", calls.ask, name="call-mail"),
    path("mail/<str:token>", calls.link, name="mail-link"),
    path("account/delete", account.delete, name="account-delete"),
    path("account/password", login_required(account.ChangePassword.as_view()), name="password"),
    path("account/forgotten", account.send_password_link, name="forgotten"),
    path("account/mail-sent", account.mail_sent, name="mail-sent"),
    path("account/new-password/<uidb64>/<token>", account.NewPassword.as_view(), name="new-password"),
    path("g/<code:code>.json", files.file, name="file"),
    path("g/<code:code>.csv", files.table, name="csv"),
    path("g/<code:code>/delete", hosting.delete, name="delete"),
    path("g/<code:code>/sheet", files.sheet, name="sheet"),
    path("g/<code:code>/embed", replay.embed, name="embed"),
    path("oembed", replay.oembed, name="oembed"),
    path("g/<code:code>/card.png", cards.game_card, name="card"),
    path("g/<code:code>/result.svg", cards.result_picture, name="result-picture"),
    path("g/<code:code>/correct", files.correct, name="correct"),
    path("sheet", files.blank_sheet, name="blank-sheet"),
    path("g/<code:code>/fair", fair.of_game, name="fair-game"),
    path("g/<code:code>/check.py", fair.script, name="check"),
    path("g/<code:code>/analysis", analysis.analysis, name="analysis"),
    path("g/<code:code>/review", analysis.short, name="review"),
    path("g/<code:code>/reaction", broadcasts.share_reaction, name="reaction"),
    path("g/<code:code>/points", actions.points, name="points"),
    path("g/<code:code>/pad", actions.pad, name="pad"),
    path("g/<code:code>/undo", actions.undo, name="undo"),
    path("g/<code:code>/seats", actions.seats, name="seats"),
    path("g/<code:code>/target", actions.target, name="target"),
    path("g/<code:code>/mode", actions.mode, name="mode"),
    path("g/<code:code>/options", actions.options, name="options"),
    path("g/<code:code>/rematch", actions.rematch, name="rematch"),
    path("g/<code:code>/start", hosting.start, name="start"),
    path("g/<code:code>/rules", hosting.rules, name="choose-rules"),
    path("g/<code:code>/word", hosting.word, name="word"),
    path("g/<code:code>/links", hosting.links, name="links"),
    path("g/<code:code>/watching", hosting.watching, name="watching"),
    path("g/<code:code>/host", hosting.host, name="host"),
    path("g/<code:code>/skip", hosting.skip, name="skip"),
    path("g/<code:code>/hand", hosting.hand, name="hand"),
    path("g/<code:code>/undo/answer", hosting.answer_question, name="answer-undo"),
    path("g/<code:code>/call", calls.call, name="call"),
    path("g/<code:code>/transfer", links.transfer, name="transfer"),
    path("join", links.join, name="join"),
    path("j/<code:token>", links.invite, name="invite"),
    path("c/<code:token>", links.claim, name="claim"),
]

translated = [page for page in urlpatterns if isinstance(page, URLPattern) and page.name in TRANSLATED_PAGES]
urlpatterns.append(re_path(f"^{LANGUAGE_PREFIX}", include((translated, TRANSLATED))))
