"""The headers of every response, whether from a view, a static file, the admin, an error or the server itself."""

from collections.abc import Mapping

from django.conf import settings

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "media-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
NOT_USED = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")


def write_policy(policy: Mapping[str, str]) -> str:
    """Return a policy as a header value."""
    return "; ".join(f"{directive} {sources}" for directive, sources in policy.items())


HEADERS = {
    "Content-Security-Policy": write_policy(POLICY),
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in NOT_USED),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
if settings.SECURE_HSTS_SECONDS:
    HEADERS["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"

# The special headers of responses that other sites may show, by URL name: the picture of a link, and a replay in a
# frame. None: the response does not have this header.
CROSS_ORIGIN: dict[str, str | None] = {"Cross-Origin-Resource-Policy": "cross-origin"}
FRAMED = POLICY | {"frame-ancestors": "*", "form-action": "'none'"}
FOR_OTHER_SITES = {
    "game:card": CROSS_ORIGIN,
    "game:ruleset-card": CROSS_ORIGIN,
    "game:played-card": CROSS_ORIGIN,
    "game:site-card": CROSS_ORIGIN,
    "game:oembed": CROSS_ORIGIN | {"Access-Control-Allow-Origin": "*"},
    "game:embed": CROSS_ORIGIN | {"Content-Security-Policy": write_policy(FRAMED), "X-Frame-Options": None},
}

# URL parameters that identify games, crews, invites, links to another device and links in mails.
PRIVATE_PARTS = {"code", "crew_code", "token"}
NOT_TO_BE_FOUND = {"X-Robots-Tag": "noindex"}

METHODS = ("GET", "HEAD", "POST")  # any other gets 405, at every address
