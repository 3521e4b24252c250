"""Addresses of push services. Anybody can post one as their browser's, so none may lead into our own network."""

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings

LONGEST = 1000
HTTPS_PORT = 443
PUBLIC_IPV6 = ipaddress.ip_network("2000::/3")
"""All that is given out as public IPv6 addresses. Python takes some others for public, which lead to an embedded IPv4
address (::/96, 64:ff9b::/96 and 64:ff9b:1::/48) or into the local network (fec0::/10)."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Forbidden(ValueError):
    """Nothing is sent to this address."""


def split_address(endpoint: str) -> tuple[str, int]:
    """Return host and port of a push service's address. Raises `Forbidden` for anything else."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname, parts.port or HTTPS_PORT
    except ValueError as broken:
        raise Forbidden from broken
    printable = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    if len(endpoint) > LONGEST or not printable or parts.scheme != "https" or parts.username is not None or not host:
        raise Forbidden
    return host, port


def resolve_public(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host, to connect to these and no others. Raises `Forbidden` if one is not allowed.

    Call it when sending, since a name can point elsewhere by then. Raises `OSError` if there is no answer.
    """
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(answer[4][0]) for answer in answers))
    if not all(may_be_sent_to(ipaddress.ip_address(address), port) for address in addresses):
        raise Forbidden
    return addresses


def may_be_sent_to(address: Address, port: int) -> bool:
    """Return whether we may send there: to a public address, or into a network that the operator has listed."""
    if any(address in network for network in settings.PUSH_NETWORKS):
        return True
    return port == HTTPS_PORT and address.is_global and not address.is_multicast and not is_special(address)


def is_special(address: Address) -> bool:
    """Return whether an IPv6 address is no ordinary public one, or embeds an IPv4 one, which may be private."""
    if isinstance(address, ipaddress.IPv4Address):
        return False
    return bool(address not in PUBLIC_IPV6 or address.sixtofour or address.teredo)
