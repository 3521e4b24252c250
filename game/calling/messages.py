"""What a call says: whose table, in the language of whoever is called. Nothing that not everybody there may see."""

import json

from django.utils.translation import gettext as _
from django.utils.translation import override

from game.calling.push import PushMessage
from game.identity import derive_token
from game.models import CallSettings, Game, Player, TurnCall
from game.pages.parts.text import join_names
from game.pages.rulesets.names import name_ruleset

TOPIC_BYTES = 24


def write_call(game: Game, seat: Player, call: TurnCall, wishes: CallSettings) -> PushMessage:
    """Return the message for one browser."""
    subscription = call.subscription
    assert subscription is not None  # there is no other way yet
    with override(wishes.language):
        content = {
            "title": write_title(game, seat),
            "body": write_body(game),
            "url": game.get_absolute_url(),
        }
    return PushMessage(
        endpoint=subscription.endpoint,
        public_key=subscription.public_key,
        auth_secret=subscription.auth_secret,
        topic=derive_token("game.call", game.code, subscription.pk, size=TOPIC_BYTES),
        text=json.dumps(content, ensure_ascii=False),
    )


def write_title(game: Game, seat: Player) -> str:
    """Return "Your turn against Bruno", by name where several people play at this browser."""
    mine = [each for each in game.seats if each.visitor_id == seat.visitor_id and not each.level]
    others = [each.name for each in game.seats if each.active and each not in mine]
    names = {"name": seat.name, "names": join_names(others)}
    if len(mine) > 1:
        return _("%(name)s’s turn against %(names)s") % names if others else _("%(name)s’s turn") % names
    return _("Your turn against %(names)s") % names if others else _("Your turn")


def write_body(game: Game) -> str:
    """Return which game it is, for who plays several of them."""
    return name_ruleset(game.rules)
