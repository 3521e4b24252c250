"""The one answer that Django lacks."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect


class SeeOther(HttpResponseRedirect):
    """303: what was asked is done; go there with a GET."""

    status_code = 303


def see_other(request: HttpRequest, url: str) -> HttpResponse:
    """There with a GET. htmx is told so by a header, since it would swap the page in."""
    if getattr(request, "htmx", False):
        return HttpResponse(headers={"HX-Redirect": url})
    return SeeOther(url)
