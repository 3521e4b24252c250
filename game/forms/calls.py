"""Reading where a browser can be called, as its page posts it."""

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from game.calling.due import is_zone
from game.calling.push_address import Forbidden, split_address
from game.calling.push_key import decode_key
from game.forms.commands import Nonsense
from game.prefs import Prefs
from game.services.calls import CallWishes, PushKeys

POINT_BYTES, SECRET_BYTES = 65, 16


def read_push_keys(form: QueryDict) -> PushKeys:
    """Return the push address and keys of a browser. Raises `Nonsense` for anything that a browser would not send."""
    endpoint, public_key, auth_secret = (form.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    try:
        split_address(endpoint)
        good = (len(decode_key(public_key)), len(decode_key(auth_secret))) == (POINT_BYTES, SECRET_BYTES)
    except (Forbidden, ValueError):
        good = False
    if not good:
        raise Nonsense(_("This browser does not say where to send notifications."))
    return PushKeys(endpoint, public_key.rstrip("="), auth_secret.rstrip("="))


def read_wishes(request: HttpRequest) -> CallWishes:
    """Return how the person at this browser wants to be called; in UTC if its page names no known time zone."""
    site, zone = f"{request.scheme}://{request.get_host()}", request.POST.get("zone", "")
    return CallWishes(request.LANGUAGE_CODE, zone if is_zone(zone) else "UTC", Prefs.of(request).quiet, site)
