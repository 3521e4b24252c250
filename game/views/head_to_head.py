"""Head to head: `/games/with/<name>`, for the people of this browser."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.forms.commands import read_number
from game.history.head_to_head import find_opponents
from game.identity import PageRequest
from game.pages.head_to_head import build_head_to_head, link_opponents
from game.rules import IllegalMove, clean_name


@require_safe
@never_cache
def head_to_head(request: PageRequest, name: str) -> HttpResponse:
    """Among several with this name, `?who=2` is the second one met; by default the last one played."""
    try:
        name = clean_name(name)
    except IllegalMove as error:
        raise Http404 from error
    visitor = request.browser.visitor()
    found = find_opponents(visitor, name) if visitor else []
    if visitor is None or not found:
        return render(request, "game/head_to_head.html", {"name": name, "heads": None})
    who = read_number(request.GET.get("who", "")) or 0
    chosen = found[who - 1] if 0 < who <= len(found) else max(found, key=lambda heads: heads.last)
    context = {
        "name": name,
        "heads": build_head_to_head(visitor, chosen),
        "others": link_opponents(found, chosen),
    }
    return render(request, "game/head_to_head.html", context)
