"""How mails are sent: by the mail server of the settings, and a line in the log if that fails."""

import logging
import smtplib
from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

LOG = logging.getLogger("game.mail")


class LoggedBackend(EmailBackend):
    """Logs why a mail could not be sent, whoever sends it, before that gets the error."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Send mails, and return how many were sent. Raises what `EmailBackend` does."""
        try:
            return super().send_messages(email_messages)
        except Exception as error:
            LOG.error("A mail could not be sent: %s.", describe_failure(error))
            raise


def describe_failure(error: Exception) -> str:
    """Return what failed, without the server's words, which may contain somebody's address."""
    why = error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else getattr(error, "strerror", None)
    return f"{type(error).__name__}, {why}" if why else type(error).__name__
