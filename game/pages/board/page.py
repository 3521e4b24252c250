"""From a game's rows and its state to the whole page, for one viewer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.utils.translation import gettext as _

from game import history, services
from game.history.replay import counted
from game.live import Presence
from game.models import Game, Visitor
from game.pages.board import requests
from game.pages.board.catch_up import told_since
from game.pages.board.players_panel import options, people
from game.pages.board.real_dice_draft import decode_or_begin
from game.pages.board.real_dice_pad import Play, pad
from game.pages.board.regions import OF_ALL
from game.pages.board.result import finish
from game.pages.board.sound import cue
from game.pages.board.status import live, note_of, say
from game.pages.board.tray import tray
from game.pages.board.ways import ways
from game.pages.parts.components import Banner, Board, ScoreChart, Tray
from game.pages.parts.score_chart import chart
from game.pages.parts.scoreboard import cards
from game.pages.parts.text import money, number
from game.pages.parts.turn_log import earlier, log
from game.pages.parts.view_of_game import Facts, read
from game.prefs import Prefs
from game.rules.events import Event

# What a page lacks at most: who is there; what was changed at the table, too; or the dice, too.
Missed = Literal["people", "table", "dice"]


@dataclass(frozen=True)
class Asking:
    """What this one page load wants beside the game itself."""

    ticked: Collection[int] | None = None  # columns chosen, after a refusal or by a link of Ways to keep
    happened: Sequence[Event] = ()
    refusal: str = ""
    said: str = ""  # an announcement that no event of the rules makes
    typed: str = ""  # points or faces of real dice, after a refusal
    entered: Mapping[str, str] = field(default_factory=dict)  # a turn with real dice so far, as it came
    entry: str = ""  # 'type' 'tap', where it is switched just now
    whole_log: bool = False
    link: str = ""
    missed: Missed | None = None  # for a page that did not do it itself: what it lacks
    there: Presence | None = None  # who is at the game, where that is known already
    regions: frozenset[str] = OF_ALL


def board(game: Game, visitor: Visitor | None, prefs: Prefs, asking: Asking) -> Board:
    facts = read(game, visitor, prefs, asking.there)
    state = facts.state
    play = played_with(facts, asking)
    seen, dice = play.facts, play.tray
    people_shown = "people" in asking.regions
    note = play.said or note_of(facts, asking.said, asking.happened)
    return Board(
        code=game.code,
        version=game.version,
        url=facts.addresses,
        ruleset=state.ruleset.name,
        ruleset_url=game.rules_address if people_shown else "",
        round=_("Round %(n)s") % {"n": state.round},
        pot=_("Pot %(amount)s") % {"amount": money(state.pot)} if state.pot else "",
        undo=may_undo(facts),
        undo_label=undo_label(game, visitor),
        cards=cards(seen, play.points),
        status=say(seen, dice, note),
        live=asking.refusal or asking.said or play.said or announced(seen, asking),
        banner=banner(facts, asking.refusal) or requests.refused(facts),
        undo_request=requests.asks(facts),
        absence=requests.silence(facts),
        tray=dice,
        pad=play.pad,
        finish=finish(facts) if facts.over else None,
        ways=ways(seen, chosen_faces(dice)) if "ways" in asking.regions else None,
        log=log(seen, dice) if "turnlog" in asking.regions else None,
        earlier=earlier(facts, asking.whole_log) if "earlier" in asking.regions else None,
        chart=scores_chart(facts) if "chart" in asking.regions else None,
        people=people(facts, asking.link) if people_shown else None,
        options=options(facts) if people_shown else None,
        yours=facts.yours and not facts.over,
        sound_cue=cue(facts),
        presence=requests.there(game, facts.there),
    )


def played_with(facts: Facts, asking: Asking) -> Play:
    if facts.over:
        return Play(facts)
    if facts.state.by_hand:
        draft = decode_or_begin(asking.entered, facts.state.shots)
        return pad(facts, draft, asking.entry or facts.prefs.entry, asking.typed, asking.ticked)
    dice = tray(facts, asking.ticked)
    return Play(facts, dice, points=dice.shown)


def announced(facts: Facts, asking: Asking) -> str:
    if asking.missed is None:
        return live(facts, asking.happened)
    return "" if asking.missed == "people" else told_since(facts, asking.missed == "dice")


def may_undo(facts: Facts) -> bool:
    """Where dice have fallen, and nobody is asked already."""
    return bool(facts.people and (facts.throws or facts.previous)) and not (facts.abandoned or facts.game.asks_undo_id)


def undo_label(game: Game, visitor: Visitor | None) -> str:
    asks = visitor is not None and not services.at_once(game, visitor)
    return _("Ask to take it back") if asks else _("Undo")


def chosen_faces(dice: Tray | None) -> tuple[int, ...]:
    return tuple(sorted(d.face for d in dice.dice if d.checked)) if dice else ()


def scores_chart(facts: Facts) -> ScoreChart | None:
    names = [player.name for player in facts.state.players]
    rows = counted(facts.turns) if facts.over else history.scores_by_round(facts.game)
    return chart(names, facts.state.target, rows)


def banner(facts: Facts, refusal: str) -> Banner | None:
    state = facts.state
    if refusal:
        return Banner("error", refusal, alert=True)
    if facts.abandoned:
        return Banner("info", _("This game was abandoned. Its dice are shown."))
    if state.finished or not state.final:
        return None
    best = max((p for p in state.players if p.active), key=lambda p: p.score)
    said = {"name": best.name, "score": number(best.score)}
    if state.extra:
        return Banner("tie", _("Tie at %(score)s. Everyone plays one more round.") % said)
    if facts.yours and state.player in state.due:
        return Banner("final", _("Final round. %(name)s has %(score)s. You have one turn left.") % said)
    return Banner("final", _("Final round. %(name)s has %(score)s.") % said)
