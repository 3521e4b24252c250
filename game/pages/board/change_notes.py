"""Notes on what became of a change at the table, for changes that no event announces."""

from game.models import Game
from game.pages.parts.language import gettext as _
from game.pages.rulesets.names import name_ruleset
from game.storage import load_state


def describe_undo(game: Game) -> str:
    """Return the note about an undo, or about asking for one. The only person who plays needs no name."""
    if game.asking_id:
        return _("Asked the other players.")
    state = load_state(game)
    player = state.players[state.player]
    yours = player.level is None and sum(other.level is None for other in state.players) == 1
    if state.mode == "manual":
        text = _("Undone. Your turn again.") if yours else _("Undone. %(name)s’s turn again.")
    elif game.seeds.filter(epoch=game.epoch, epoch__gt=1, first__gt=game.throws.count()).exists():
        # The end was undone, but by then the seed of the dice had been shown.
        sentence = _("Undone. %(name)s’s turn again, with newly sealed dice.")
        text = _("Undone. Your turn again, with newly sealed dice.") if yours else sentence
    else:
        sentence = _("Undone. %(name)s’s turn again, with the same dice.")
        text = _("Undone. Your turn again, with the same dice.") if yours else sentence
    return text % {"name": player.name}


def describe_chosen_rules(game: Game) -> str:
    """Return the note about the rules that are played now."""
    return _("Now you play %(rules)s.") % {"rules": name_ruleset(game.rules)}


def describe_host(game: Game) -> str:
    """Return the note about who is the host now."""
    host = game.find_person(game.host_id)
    assert host is not None  # only a person in a seat is made host
    return _("%(name)s is the host now.") % {"name": host.name}


def describe_watching(game: Game) -> str:
    """Return the note about who may see the game now."""
    return _("Spectators can watch.") if game.watching else _("Only players can see this game now.")


def describe_answer(game: Game) -> str:
    """Return the note about an answer to a question; empty if the dice were switched, which an event says."""
    if game.question != "undo":
        return "" if load_state(game).mode == game.question else _("The dice stay as they are.")
    return describe_undo(game) if game.dice_version == game.version else _("The turn stays as it is.")
