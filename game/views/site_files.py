"""Files that browsers and search engines request from any site: the installed app's, robots.txt, sitemap, icon."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from game.models import RulesetRow
from game.pages import installed_app
from game.serving.languages import TRANSLATED_PAGES, localize

# Pages for people only: forms, and endless positions. Games and invites may be fetched, because otherwise no chat app
# could preview their links; their own headers keep them out of search results.
NOT_FOR_CRAWLERS = ("account", "games", "new", "practice", "prefs")

DAY = 24 * 60 * 60


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the app to the browser that installs it."""
    return JsonResponse(installed_app.build_manifest(request.LANGUAGE_CODE), content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker, which caches static files and two pages, but nothing of any game."""
    context = installed_app.build_service_worker(request.LANGUAGE_CODE)
    return render(request, "game/sw.js", context, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=DAY)
def robots(request: HttpRequest) -> HttpResponse:
    """Say which pages are not worth a search engine's time, and where the sitemap is."""
    lines = [f"Disallow: {reverse(f'game:{name}')}" for name in NOT_FOR_CRAWLERS]
    sitemap = request.build_absolute_uri(reverse("game:sitemap"))
    text = "\n".join(["User-agent: *", *lines, "", f"Sitemap: {sitemap}", ""])
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=DAY)
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the pages that search engines may keep, in every language that they have."""
    slugs = RulesetRow.query_offered().values_list("slug", flat=True)
    paths = [(reverse(f"game:{name}"), True) for name in TRANSLATED_PAGES if name != "ruleset"]
    paths += [(reverse("game:blank-sheet"), False)]
    paths += [(reverse("game:ruleset", args=[slug]), True) for slug in slugs]
    pages = []
    for path, translated in paths:
        codes = [code for code, _name in settings.LANGUAGES] if translated else [settings.LANGUAGE_CODE]
        addresses = [(code, request.build_absolute_uri(localize(path, code))) for code in codes]
        pages += [(address, addresses if len(codes) > 1 else []) for _code, address in addresses]
    return render(request, "game/sitemap.xml", {"pages": pages}, content_type="application/xml; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=DAY)
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for clients that ask for it without having read a page."""
    return redirect(static("icons/favicon.ico"))
