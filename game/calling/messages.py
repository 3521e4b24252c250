"""What a call says: whose turn it is, in the reader's language, and only what everybody at the table may see."""

import json

from django.urls import reverse
from django.utils.translation import override

from game.calling.mail import MailMessage, sign_stop
from game.calling.push import PushMessage
from game.identity import derive_token
from game.models import CallSettings, Game, Player, PushSubscription, TurnCall
from game.pages.parts.language import gettext as _
from game.pages.parts.text import join_names
from game.pages.rulesets.names import name_ruleset

TOPIC_BYTES = 24


CallMessage = PushMessage | MailMessage


def write_call(game: Game, seat: Player, call: TurnCall, wishes: CallSettings) -> CallMessage:
    """Return the message for one browser, or for the account's address."""
    with override(wishes.language):
        subscription = call.subscription
        return write_mail(game, seat, wishes) if subscription is None else write_push(game, seat, subscription)


def write_push(game: Game, seat: Player, subscription: PushSubscription) -> PushMessage:
    """Return the message for a browser, in the language that is active."""
    content = {"title": write_title(game, seat), "body": name_ruleset(game.rules), "url": game.get_absolute_url()}
    return PushMessage(
        endpoint=subscription.endpoint,
        public_key=subscription.public_key,
        auth_secret=subscription.auth_secret,
        topic=derive_token("game.call", game.code, subscription.pk, size=TOPIC_BYTES),
        text=json.dumps(content, ensure_ascii=False),
    )


def write_mail(game: Game, seat: Player, wishes: CallSettings) -> MailMessage:
    """Return the mail to the account's address, in the language that is active."""
    user = wishes.visitor.user
    assert user is not None  # only an account has an address
    stop_link = wishes.site + reverse("game:mail-link", args=[sign_stop(user.pk)])
    paragraphs = (
        write_title(game, seat),
        wishes.site + game.get_absolute_url(),
        _("You’re getting this email because you asked for it. This link stops it: %(link)s") % {"link": stop_link},
    )
    return MailMessage(user.email, write_title(game, seat), "\n\n".join(paragraphs) + "\n", stop_link)


def write_title(game: Game, seat: Player) -> str:
    """Return "Your turn against Bruno", or the player's name for "your" if several people play at this browser."""
    mine = [player for player in game.seats if player.visitor_id == seat.visitor_id and not player.level]
    others = [player.name for player in game.seats if player.active and player not in mine]
    names = {"name": seat.name, "names": join_names(others)}
    if len(mine) > 1:
        return _("%(name)s’s turn against %(names)s") % names if others else _("%(name)s’s turn") % names
    return _("Your turn against %(names)s") % names if others else _("Your turn")
