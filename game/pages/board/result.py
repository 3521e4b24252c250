"""The end of a game: who won, four short facts, and the way to the next one."""

from __future__ import annotations

from django.utils.translation import gettext as _

from game import history
from game.history.summary import summary
from game.pages.parts.components import GameResult
from game.pages.parts.text import dice_count, money, number, winner_sentence
from game.pages.parts.view_of_game import Facts
from game.pages.review.summary import summarize_review


def finish(facts: Facts) -> GameResult:
    following = history.rematch_of(facts.game)
    return GameResult(
        title=_("Nobody won this game") if facts.abandoned else winner_sentence(facts.state, facts.by_six_alike),
        facts=(*pot_facts(facts), *short_facts(facts)),
        rematch_url="" if following or not facts.mine else facts.address("rematch"),
        rematch_game=following.get_absolute_url() if following else "",
        review=summarize_review(facts.game),
    )


def pot_facts(facts: Facts) -> list[tuple[str, str]]:
    """Who takes how much of the pot."""
    shares = zip(facts.state.players, facts.state.shares, strict=True)
    taken = [f"{money(share)} · {player.name}" for player, share in shares if share]
    return [(_("The pot"), ", ".join(taken))] if taken else []


def short_facts(facts: Facts) -> list[tuple[str, str]]:
    """Best turn, bravest throw that worked, busts, average banked turn; those there are."""
    told = summary(facts.game, facts.turns)
    names = [player.name for player in facts.state.players]
    found = []
    if told.best:
        points, seat = told.best
        found.append((_("Best turn"), f"{number(points)} · {names[seat]}"))
    if told.bravest:
        dice, stake, seat = told.bravest
        said = {"dice": dice_count(dice), "points": number(stake), "name": names[seat]}
        found.append((_("Bravest throw"), _("%(dice)s with %(points)s at stake · %(name)s") % said))
    found.append((_("Busts"), number(told.busts)))
    if told.mean:
        found.append((_("Average banked turn"), number(round(told.mean))))
    return found
