"""Head to head in words: the standing between two players, how both bank, and their last games."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import pgettext

from game.history.head_to_head import (
    HeadToHead,
    Meeting,
    ReviewedFigures,
    Side,
    list_meetings,
    list_own_seats,
    read_reviewed,
)
from game.models import Visitor
from game.pages.parts.computer_levels import LEVELS
from game.pages.parts.language import gettext as _
from game.pages.parts.language import ngettext
from game.pages.parts.standings import address_of, write_sentence, write_standing
from game.pages.parts.text import number
from game.pages.rulesets.names import name_stored
from game.pages.statistics import write_luck

MEETINGS_SHOWN = 10
NOTHING = "–"
Figure = tuple[str, str, str]  # label, figure of the people here, figure of the opponent


@dataclass(frozen=True)
class MeetingRow:
    """A game of the two, as a row of the list."""

    url: str
    result: str  # 'won' 'lost' 'even'
    word: str
    score: str  # "10,050 : 8,900"
    ruleset: str
    touched: datetime


@dataclass(frozen=True)
class HeadToHeadPage:
    """The standing between the people here and one opponent."""

    title: str
    about: str  # who the opponent is, if the name alone does not say
    here: str  # the headings of the two columns
    there: str
    standing: str  # "12 : 9"
    sentence: str
    figures: tuple[Figure, ...]
    reviewed: str  # how many games the figures from reviews come from
    meetings: tuple[MeetingRow, ...]


@dataclass(frozen=True)
class OpponentLink:
    """A link to one of several opponents of the same name."""

    url: str
    label: str
    chosen: bool


def build_head_to_head(visitor: Visitor, heads: HeadToHead) -> HeadToHeadPage:
    """Return the page of one opponent. Four queries."""
    opponent, own = heads.opponent, list_own_seats(visitor, heads)
    reviewed = read_reviewed(own)
    values = {"name": heads.called, "here": opponent.here}
    return HeadToHeadPage(
        title=_("%(here)s and %(name)s") % values if opponent.here else _("You and %(name)s") % values,
        about=describe_opponent(heads),
        here=opponent.here or _("You"),
        there=heads.called,
        standing=write_standing(heads),
        sentence=write_sentence(heads),
        figures=(*list_banks(heads.mine, heads.theirs), *(list_reviewed(reviewed) if reviewed else ())),
        reviewed=describe_reviewed(reviewed) if reviewed else "",
        meetings=tuple(list_meeting(meeting) for meeting in list_meetings(own, MEETINGS_SHOWN)),
    )


def link_opponents(opponents: Sequence[HeadToHead], chosen: HeadToHead) -> tuple[OpponentLink, ...]:
    """Return links to all opponents of one name, numbered from the first one met; none if there is only one."""
    links = (
        OpponentLink(
            url=address_of(heads.opponent.name, n),
            label=label_opponent(heads),
            chosen=heads is chosen,
        )
        for n, heads in enumerate(opponents, 1)
    )
    return tuple(links) if len(opponents) > 1 else ()


def describe_opponent(heads: HeadToHead) -> str:
    """Return what is known of an opponent besides the name."""
    opponent = heads.opponent
    if opponent.level:
        return _("computer, %(level)s") % {"level": LEVELS[opponent.level].name}
    if opponent.here:
        return _("both on this device")
    return _("on another device") if opponent.visitor else _("has since left the game")


def label_opponent(heads: HeadToHead) -> str:
    """Return what distinguishes an opponent from others of the same name."""
    values = {"who": describe_opponent(heads), "here": heads.opponent.here, "games": number(heads.games)}
    if heads.opponent.here:
        return ngettext("with %(here)s, %(games)s game", "with %(here)s, %(games)s games", heads.games) % values
    return ngettext("%(who)s, %(games)s game", "%(who)s, %(games)s games", heads.games) % values


def list_banks(mine: Side, theirs: Side) -> list[Figure]:
    """Return how both sides bank."""
    return [
        (_("Average bank"), write_mean(mine.mean), write_mean(theirs.mean)),
        (_("Best turn"), write_best(mine), write_best(theirs)),
    ]


def list_reviewed(reviewed: ReviewedFigures) -> list[Figure]:
    """Return what reviews say of both sides: how well they chose and, separately, what the dice gave them."""
    rows = [
        (_("Accuracy"), write_mean(reviewed.accuracy), write_mean(reviewed.their_accuracy)),
        (_("Luck"), write_sum(reviewed.luck), write_sum(reviewed.their_luck)),
    ]
    return [row for row in rows if row[1:] != (NOTHING, NOTHING)]


def write_best(side: Side) -> str:
    """Return the points of the best bank."""
    return number(side.best) if side.banks else NOTHING


def write_mean(value: float | None) -> str:
    """Return a mean without decimals; a dash for None."""
    return NOTHING if value is None else number(value, 0)


def write_sum(value: float | None) -> str:
    """Return luck in points; a dash for None."""
    return NOTHING if value is None else write_luck(round(value))


def describe_reviewed(reviewed: ReviewedFigures) -> str:
    """Return how many games the figures from reviews come from."""
    return ngettext(
        "Accuracy and luck come from the last reviewed game.",
        "Accuracy and luck come from the last %(n)s reviewed games.",
        reviewed.games,
    ) % {"n": number(reviewed.games)}


def list_meeting(meeting: Meeting) -> MeetingRow:
    """Return a game of the two as a row."""
    result = {1: "won", -1: "lost", 0: "even"}[meeting.result]
    return MeetingRow(
        url=f"{meeting.game.get_absolute_url()}?at=last",
        result=result,
        word={
            "won": pgettext("a game", "won"),
            "lost": pgettext("a game", "lost"),
            "even": pgettext("a game", "tied"),
        }[result],
        score=f"{number(meeting.score)} : {number(meeting.their_score)}",
        ruleset=name_stored(meeting.game.settings),
        touched=meeting.game.touched,
    )
