"""Link previews: what a link says about its page before it is opened, in a chat or in search results."""

from dataclasses import dataclass, replace

from game.addresses import find_address
from game.history.reviews import find_review
from game.models import Game
from game.pages.lobby import describe_settings, list_free_seats, name_host
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.text import join_names, number
from game.pages.replay.page import Replay
from game.pages.review.summary import summarise_review
from game.pages.rulesets.names import name_ruleset
from game.sentences import isolate
from game.storage import load_state


@dataclass(frozen=True)
class LinkPreview:
    """The title, a sentence or two, and the addresses of the page and its picture."""

    title: str
    description: str
    address: str = ""  # the page's canonical path; "" for one with a key, which search engines and chats must not store
    picture: str = ""  # the path of its picture; without one, the site's picture is used
    embeds: bool = False  # other sites may show the page in a frame, because it is a replay


def preview_page(name: str, title: str, description: str) -> LinkPreview:
    """Return the preview of a page that is the same for everybody, by its URL name."""
    return LinkPreview(title, description, find_address(f"game:{name}"))


def preview_ruleset(name: str, address: str, picture: str) -> LinkPreview:
    """Return the preview of a ruleset's page. `name`: one that may be shown to anybody."""
    description = _("How to play %(name)s: what scores, when to bank, how it ends, with examples and odds.")
    return LinkPreview(name, description % {"name": name}, address, picture)


def preview_invite(game: Game) -> LinkPreview:
    """Return the preview of an invite: who invites to what, but nothing that would let anybody in."""
    free = len(list_free_seats(game)) + game.rules.max_players - len(game.seats)
    values = {
        "name": name_host(game),
        "rules": name_ruleset(game.rules),
        "settled": describe_settings(game),
        "num": free,
    }
    title = _("%(name)s invites you to a game") % values
    sentence = ngettext(
        "%(rules)s, %(settled)s. %(num)s seat is free.", "%(rules)s, %(settled)s. %(num)s seats are free.", free
    )
    return LinkPreview(title, sentence % values, picture=f"{game.rules_address}/card.png")


def preview_game(game: Game, result: str = "") -> LinkPreview | None:
    """Return the preview of a game as its spectators see it; None if nobody may watch. `result`: who won it."""
    if not game.watching:
        return None
    # With the version in its address, a picture cached elsewhere is replaced.
    picture = f"{find_address('game:card', game.code)}?v={game.version}"
    embeds, address = game.status != Game.Status.WAITING, game.get_absolute_url()
    return LinkPreview(name_game(game), _describe_state(game, result), address, picture, embeds)


def preview_step(game: Game, shown: Replay) -> LinkPreview | None:
    """Return the preview of one throw of a game: what fell and, unless hidden, what the player did."""
    if not game.watching or not shown.has_steps:
        return None
    address = shown.steps.here
    return LinkPreview(
        title=_("%(game)s: throw %(n)s") % {"game": name_game(game), "n": number(shown.steps.now)},
        description=(replace(shown, yours=()) if shown.yours else shown).live,
        address=address,
        picture=address.replace("?", "/card.png?"),
        embeds=True,
    )


def preview_review(game: Game) -> LinkPreview | None:
    """Return the preview of the review of a game."""
    if not game.watching or not game.is_over:
        return None
    players = summarise_review(game, find_review(game)).figures
    figures = join_names([f"{isolate(player.name)} {player.accuracy}" for player in players if player.accuracy])
    sentence = _("How good each decision was, and how lucky the dice were.")
    if figures:
        sentence = _("How good each decision was, out of 100: %(accuracy)s.")
    return LinkPreview(
        title=_("Review: %(game)s") % {"game": name_game(game)},
        description=sentence % {"accuracy": figures},
        address=find_address("game:analysis", game.code),
        picture=find_address("game:card", game.code),
    )


def name_game(game: Game) -> str:
    """Return what a game is called elsewhere: its rules and its players."""
    names, rules = join_names([seat.name for seat in game.seats]), name_ruleset(game.rules)
    return _("%(rules)s: %(names)s") % {"rules": rules, "names": names} if names else rules


def _describe_state(game: Game, result: str) -> str:
    if game.status == Game.Status.WAITING:  # it has no state yet
        return _("The game has not started yet.")
    if game.status == Game.Status.ABANDONED:
        return _("Nobody won this game.")
    state = load_state(game)
    if state.finished:
        return result
    players = sorted((player for player in state.players if player.active), key=lambda player: -player.score)
    values = {
        "round": state.round,
        "name": state.players[state.player].name,
        "leader": players[0].name if players else "",
        "first": number(players[0].score) if players else "",
        "second": number(players[1].score) if len(players) > 1 else "",
    }
    if len(players) == 2:
        return _("Round %(round)s: %(first)s to %(second)s. %(name)s is throwing.") % values
    if len(players) > 2 and players[0].score > players[1].score:
        return _("Round %(round)s: %(leader)s leads with %(first)s. %(name)s is throwing.") % values
    return _("Round %(round)s: %(name)s is throwing.") % values
