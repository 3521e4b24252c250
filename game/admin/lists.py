"""Lists that answer a made-up query string without an error."""

import re
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

# A NUL, or a number too large for the column: each database reacts in its own way.
IMPOSSIBLE = re.compile(r"\0|\d{19}")
PATTERNS = ("__regex", "__iregex")  # a filter by a pattern, which may be broken, or take for ever


class SafeList:
    """For a ModelAdmin: an impossible filter or choice shows the plain list, while stock Django would answer 500."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        filters = (value for _name, values in request.GET.lists() for value in values)
        chosen = chain(filters, request.POST.getlist("_selected_action"))
        if any(map(IMPOSSIBLE.search, chosen)) or any(name.endswith(PATTERNS) for name in request.GET):
            return HttpResponseRedirect(request.path)
        try:
            return super().changelist_view(request, extra_context)  # type: ignore[misc, no-any-return]
        except (ValueError, OverflowError):
            return HttpResponseRedirect(request.path)
