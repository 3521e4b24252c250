"""The one answer that Django lacks."""

from django.http import HttpRequest, HttpResponse


def see_other(request: HttpRequest, url: str) -> HttpResponse:
    """303: go there with a GET. htmx is told so by a header, since it would swap the page in."""
    if getattr(request, "htmx", False):
        return HttpResponse(headers={"HX-Redirect": url})
    return HttpResponse(status=303, headers={"Location": url})
