"""From a game's rows and its state to the whole page, for one viewer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from game import history
from game.models import Game, Shot, Visitor
from game.prefs import Prefs
from game.rules import points_with
from game.rules.events import Event
from game.views.board import Banner, Board, Say, Tray
from game.views.board import dice as lie
from game.views.board.chart import chart
from game.views.board.facts import Facts, read
from game.views.board.finish import finish
from game.views.board.log import log
from game.views.board.pad import pad
from game.views.board.people import options, people
from game.views.board.scores import cards
from game.views.board.tray import best_keep, gain, left_after, risk, tray
from game.views.board.ways import ways
from game.views.board.words import dice_count, faces, money, number, percent, tell, winner_sentence

EVERYTHING = frozenset(["top", "banner", "scores", "say", "tray", "ways", "turnlog", "chart", "people"])


@dataclass(frozen=True)
class Asking:
    """What this one page load wants beside the game itself."""

    ticked: Collection[int] | None = None  # columns chosen, after a refusal or by a link of Ways to keep
    happened: Sequence[Event] = ()
    refusal: str = ""
    said: str = ""  # an announcement that no event of the rules makes
    typed: str = ""  # manual points, after a refusal
    whole_log: bool = False
    link: str = ""
    regions: frozenset[str] = field(default=EVERYTHING)


def board(game: Game, visitor: Visitor | None, prefs: Prefs, asking: Asking) -> Board:
    facts = read(game, visitor, prefs)
    state = facts.state
    manual = state.by_hand and not state.finished
    dice = None if manual or state.finished else tray(facts, asking.ticked)
    chosen = chosen_faces(dice)
    people_shown = "people" in asking.regions
    return Board(
        code=game.code,
        version=game.version,
        url=game.get_absolute_url(),
        ruleset=state.ruleset.name,
        ruleset_url=game.ruleset.get_absolute_url() if game.ruleset else "",
        round=_("Round %(n)s") % {"n": state.round},
        pot=_("Pot %(amount)s") % {"amount": money(state.pot)} if state.pot else "",
        status=game.status,
        undo=bool(facts.mine) and bool(facts.shot or facts.previous),
        cards=cards(facts, at_risk(dice)),
        say=say(facts, dice),
        live=live(facts, asking),
        banner=banner(facts, asking.refusal),
        tray=dice,
        pad=pad(facts, asking.typed) if manual else None,
        finish=finish(facts) if state.finished else None,
        ways=ways(facts, chosen) if "ways" in asking.regions else None,
        log=log(facts, asking.whole_log) if "turnlog" in asking.regions else None,
        chart=scores_chart(facts) if "chart" in asking.regions else None,
        people=people(facts, asking.link) if people_shown else None,
        options=options(facts) if people_shown else None,
        saved=_("Saved. Come back by this link, or download the game."),
    )


def chosen_faces(dice: Tray | None) -> tuple[int, ...]:
    return tuple(sorted(d.face for d in dice.dice if d.checked)) if dice else ()


def at_risk(dice: Tray | None) -> int:
    return dice.shown if dice else 0


def scores_chart(facts: Facts) -> object:
    names = [player.name for player in facts.state.players]
    return chart(names, facts.state.target, history.scores_by_round(facts.game))


# ── the status sentence ──


def say(facts: Facts, dice: Tray | None) -> Say:
    state = facts.state
    if state.finished:
        return Say(winner_sentence(state, facts.by_six_alike), "")
    name = state.players[state.player].name
    title = _("Your turn, %(name)s") if facts.yours else _("%(name)s is deciding")
    if facts.shot is None:
        return Say(title % {"name": name}, before(facts, name), tip_after_bust(facts))
    return Say(title % {"name": name}, during(facts, dice), first_turns_tip(facts))


def before(facts: Facts, name: str) -> str:
    """How the turn before ended, and on one device whom to hand it to."""
    said = [ending(facts.previous)] if facts.previous else []
    if facts.shared and facts.yours and facts.previous:
        said.append(_("Pass to %(name)s.") % {"name": name})
    return " ".join(said)


def ending(shot: Shot) -> str:
    said = {"name": shot.player.name, "points": number(shot.points), "score": number(shot.score)}
    match shot.outcome:
        case Shot.Outcome.BANK:
            return _("%(name)s banked %(points)s.") % said
        case Shot.Outcome.BUST if shot.points:
            return _("Bust. %(points)s points lost.") % said
        case Shot.Outcome.BUST:
            return _("Bust. Nothing to lose yet.")
        case Shot.Outcome.OUT:
            return _("%(name)s stepped out.") % said
    return _("%(name)s was skipped.") % said


def during(facts: Facts, dice: Tray | None) -> str:
    shot = facts.running
    if shot.tries and not shot.dice:
        return _("Try %(k)s of 3 with one die.") % {"k": shot.tries + 1}
    if dice and dice.choices:
        return dice.choices["".join(map(str, chosen_faces(dice)))].detail
    return _("Throw %(k)s") % {"k": shot.throws}


def first_turns_tip(facts: Facts) -> str:
    """One line of coaching in each of the first three turns, for whoever is at the dice."""
    state = facts.state
    if not facts.yours or state.round > 3 or facts.hints == "off":
        return ""
    if state.round == 1:
        return _("Gold dice are yours to keep or throw again. Tap one and watch the numbers.")
    if state.round == 2 or state.players[state.player].entered or not state.ruleset.entry_minimum:
        return _("Bank adds your points to your score. Throw risks them.")
    return _("You need %(min)s in one turn to get in.") % {"min": number(state.ruleset.entry_minimum)}


def tips() -> tuple[str, ...]:
    return (
        _(
            "You need not keep all dice that score. "
            "One 1 and five dice to throw is often better than 150 points and four dice."
        ),
        _("With one or two dice left, most throws bust or nearly so: 67% and 44%."),
        _("When you trail far behind, take more risk. When you lead, bank more often."),
        _("Five dice bust only one time in thirteen."),
        _("If all six score you throw all six again. Keeping the last die can be worth more than its points."),
    )


def tip_after_bust(facts: Facts) -> str:
    last = facts.previous
    if last is None or last.outcome != Shot.Outcome.BUST or facts.hints == "off":
        return ""
    return tips()[last.place % len(tips())]


# ── announcements ──


def live(facts: Facts, asking: Asking) -> str:
    """What a screen reader says after an action: the refusal, or what happened and what can be done now."""
    if asking.refusal:
        return asking.refusal
    if not asking.happened:
        return asking.said
    thrown = lie.last_throw(facts.shot)
    if facts.yours and thrown and facts.running.dice:
        return decision(facts, thrown.faces)
    return tell(asking.happened, facts.state, facts.people)


def decision(facts: Facts, thrown: Sequence[int]) -> str:
    keep = best_keep(facts)
    left, aside = left_after(facts, keep)
    return _(
        "You threw %(dice)s: keeping %(kept)s is %(points)s points, %(total)s in all, "
        "with %(left)s to throw and %(risk)s bust risk."
    ) % {
        "dice": faces(thrown),
        "kept": faces(keep.dice),
        "points": number(gain(facts, keep)),
        "total": number(points_with(facts.running, keep)),
        "left": dice_count(left),
        "risk": percent(risk(facts, left, aside)),
    }


def banner(facts: Facts, refusal: str) -> Banner | None:
    state = facts.state
    if refusal:
        return Banner("error", refusal, alert=True)
    if state.finished or not state.final:
        return None
    best = max((p for p in state.players if p.active), key=lambda p: p.score)
    said = {"name": best.name, "score": number(best.score)}
    if state.extra:
        return Banner("tie", _("Tie at %(score)s. Everyone plays one more round.") % said)
    if facts.yours and state.player in state.due:
        return Banner("final", _("Final round. %(name)s has %(score)s. You have one turn left.") % said)
    return Banner("final", _("Final round. %(name)s has %(score)s.") % said)
