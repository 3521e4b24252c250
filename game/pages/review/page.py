"""From a stored review to the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from game.models import Game
from game.pages.parts.components import Tray
from game.pages.parts.text import number, percent
from game.pages.replay.page import moment
from game.pages.replay.tray import tray
from game.pages.review import sentences
from game.pages.review.chart import drawing, points
from game.pages.review.components import Detail, Line, Page, Way
from game.pages.review.sentences import Option
from game.pages.review.summary import StoredReview, describe_decision, describe_players
from game.services.reviews import OPTIONS_MOST

WORST = {"??": 0, "?": 1, "?!": 2, "!": 3}


def page(game: Game, data: dict[str, Any], wanted: int | None, every: bool) -> Page:
    """`wanted`: the decision to show whole; `every`: list all of them, not only the marked ones."""
    review = StoredReview(game, data)
    total = len(review.decisions)
    index = wanted if wanted is not None and wanted < total else None
    first = next(iter(review.costliest()), 0 if total else None)
    listed = [i for i, each in enumerate(review.decisions) if every or each["mark"]]
    shown = [describe_decision(review, i, every, i == index) for i in listed]
    return Page(
        by=review.by or "",
        note=" ".join(sentences.note(review.by, bool(data.get("typed")))),
        figures=describe_players(review, people_first(review)),
        drawing=drawing(review.falls, review.by, names(review), seat_shown(review), marks(review)),
        lines=lines(review),
        people=tuple(each for i, each in zip(listed, shown, strict=True) if review.is_persons(i)),
        computers=tuple(each for i, each in zip(listed, shown, strict=True) if not review.is_persons(i)),
        total=number(total),
        every=every,
        detail=detail(review, first if index is None else index, every) if total else None,
        practise=any(review.decisions[i]["throw"] for i in review.costliest()),
    )


def names(review: StoredReview) -> list[str]:
    return [seat.name for seat in review.seats]


def people_first(review: StoredReview) -> list[int]:
    return review.people + [seat.seat for seat in review.seats if seat.level]


def seat_shown(review: StoredReview) -> int:
    return people_first(review)[0]


def marks(review: StoredReview) -> list[tuple[int, int, str]]:
    """(step, seat, mark) of people's decisions, the weightiest first; of computers' where nobody else played."""
    mine = [each for each in review.decisions if each["mark"] and (not review.people or not each["computer"])]
    worst = sorted(mine, key=lambda each: (WORST[each["mark"]], -each["loss"]))
    return [(each["step"], each["seat"], each["mark"]) for each in worst]


def lines(review: StoredReview) -> tuple[Line, ...]:
    """The numbers of the chart. In a game of two the chance is that of the one whose area is drawn."""
    along, by_step = points(review.falls, review.by or "points"), {each["step"]: each for each in review.decisions}
    found = []
    throw, before = 0, None
    for point in along:
        turn = point.round, point.seat
        throw, before = (throw + 1 if turn == before else 1), turn
        decided = [by_step[step] for step in point.steps if step in by_step]
        win = (
            point.win if point.win is None or review.by != "win" or point.seat == seat_shown(review) else 1 - point.win
        )
        found.append(
            Line(
                place=sentences.place(point.round, throw if len(point.steps) == 1 else 0),
                name=review.seats[point.seat].name,
                win="" if win is None else sentences.chance(win),
                luck=sentences.gain(point.luck, review.by),
                mark=" ".join(each["mark"] for each in decided if each["mark"]),
            )
        )
    return tuple(found)


def detail(review: StoredReview, index: int | None, every: bool) -> Detail | None:
    if index is None:
        return None
    each, options = review.decisions[index], review.options(index)
    rest = len(options) >= OPTIONS_MOST
    return Detail(
        row=replace(describe_decision(review, index, every), shown=True),
        tray=tray_at(review.game, each["step"]) if each["dice"] else None,
        ways=tuple(way(option, place, each["chosen"]) for place, option in enumerate(options)),
        more=_("The %(n)s best ways and the one that was chosen.") % {"n": number(OPTIONS_MOST)} if rest else "",
    )


def way(option: Option, place: int, chosen: int) -> Way:
    return Way(
        dice=tuple(map(int, option.keep)),
        text=sentences.action(option),
        win="" if option.win is None else sentences.chance(option.win),
        points=number(option.points, 0),
        bust=percent(option.bust) if option.bust else "",
        best=place == 0,
        chosen=place == chosen,
    )


def tray_at(game: Game, step: int) -> Tray | None:
    """The dice as they lay, as the replay shows them."""
    at = moment(game, str(step), "")
    return tray(at.turn, at.throws, at.index, at.base, at.hidden) if at.turn and at.throws else None
