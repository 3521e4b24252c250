"""Calls by mail: only to an address whose owner confirmed it through a link; every mail has a link that ends them."""

import smtplib
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage, send_mail
from django.utils.crypto import salted_hmac

from game.calling.delivery import Delivered, Delivery, Later, Refused
from game.pages.parts.language import gettext as _
from game.services.calls import CallWishes

SALT = "game.calls.mail"
OFFER_LASTS = timedelta(days=3)
PERMANENT = 500  # from this status on a mail server's refusal is final; below, as in greylisting, a later try may do


@dataclass(frozen=True)
class MailMessage:
    """A mail to one address. Mail programs can offer `stop_link` as a button of their own (RFC 8058)."""

    address: str
    subject: str
    text: str
    stop_link: str
    domain = ""  # all go to the site's own mail server

    def deliver(self) -> Delivery:
        """Hand the mail to the mail server, and return what became of it. No database access."""
        headers = {
            "List-Unsubscribe": f"<{self.stop_link}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        }
        try:
            EmailMessage(self.subject, self.text, to=[self.address], headers=headers).send()
        except smtplib.SMTPRecipientsRefused as refused:
            ((status, _words),) = refused.recipients.values()
            return Refused(status) if status >= PERMANENT else Later()
        except (smtplib.SMTPException, OSError):
            return Later()
        return Delivered()


class MailOffer(NamedTuple):
    """An offer to call an account by mail, which is sent to the address so that its owner can accept it."""

    account: int
    address: str
    wishes: CallWishes
    standing: str  # the account's address and password when the link was sent, as `fingerprint_account` gives them


def sign_offer(offer: MailOffer) -> str:
    """Return the token of a link that turns calls by mail on."""
    content = [offer.account, offer.address, vars(offer.wishes), offer.standing]
    return signing.dumps(content, salt=SALT, compress=True)


def send_offer(user: User, address: str, link: str) -> None:
    """Ask whoever reads the mail of an address whether calls may be sent there. Raises what sending raises."""
    paragraphs = (
        _("%(name)s asked 10,000 to email this address when it’s their turn. If that’s you, open this link:")
        % {"name": user.username},
        link,
        _("If it wasn’t you, ignore this email: you won’t get another."),
    )
    send_mail(_("Emails when it’s your turn in 10,000"), "\n\n".join(paragraphs) + "\n", None, [address])


def fingerprint_account(user: User) -> str:
    """Return a text that changes with the account's address and password, so that older links stop working."""
    return salted_hmac(SALT, f"{user.email}|{user.password}").hexdigest()[:20]


def sign_stop(account: int) -> str:
    """Return the token of a link that turns calls by mail off. It never expires, and does nothing else."""
    return signing.dumps(account, salt=SALT)


def read_token(token: str) -> MailOffer | int | None:
    """Return what a link offers, or the account whose calls by mail it ends; None if it has expired."""
    try:
        match signing.loads(token, salt=SALT):
            case int(account):
                return account
            case [int(account), str(address), dict(wishes), str(standing)]:
                signing.loads(token, salt=SALT, max_age=OFFER_LASTS)
                return MailOffer(account, address, CallWishes(**wishes), standing)
    except signing.BadSignature:
        pass
    return None
