"""The end of a game: who won, four short facts, and the way to the next one."""

from django.utils.translation import gettext as _

from game import history
from game.history.summary import summarize_game
from game.pages.parts.components import GameResult
from game.pages.parts.text import describe_winner, format_dice_count, format_money, number
from game.pages.parts.view_of_game import ViewerGame
from game.pages.review.summary import summarize_review


def build_result(game: ViewerGame) -> GameResult:
    """Return what stands in the place of the tray once a game is over."""
    rematch = history.find_rematch(game.row)
    return GameResult(
        title=_("Nobody won this game") if game.is_abandoned else describe_winner(game.state, game.won_by_six),
        facts=(*list_pot_shares(game), *list_highlights(game)),
        rematch_url="" if rematch or not game.held else game.address("rematch"),
        rematch_game=rematch.get_absolute_url() if rematch else "",
        review=summarize_review(game.row),
    )


def list_pot_shares(game: ViewerGame) -> list[tuple[str, str]]:
    """Return who takes how much of the pot."""
    shares = zip(game.state.players, game.state.shares, strict=True)
    taken = [f"{format_money(share)} · {player.name}" for player, share in shares if share]
    return [(_("The pot"), ", ".join(taken))] if taken else []


def list_highlights(game: ViewerGame) -> list[tuple[str, str]]:
    """Return best turn, bravest throw that worked, busts, average banked turn; those there are."""
    totals = summarize_game(game.row, game.turns)
    names = [player.name for player in game.state.players]
    facts = []
    if totals.best:
        points, seat = totals.best
        facts.append((_("Best turn"), f"{number(points)} · {names[seat]}"))
    if totals.bravest:
        dice, stake, seat = totals.bravest
        values = {"dice": format_dice_count(dice), "points": number(stake), "name": names[seat]}
        facts.append((_("Boldest throw"), _("%(dice)s with %(points)s at risk · %(name)s") % values))
    facts.append((_("Busts"), number(totals.busts)))
    if totals.mean:
        facts.append((_("Average bank"), number(round(totals.mean))))
    return facts
