"""The page of a review: figures, chart and decisions of a finished game."""

from typing import Any

from game.history.reviews import pick_costliest
from game.models import Game, Visitor
from game.pages.parts.coach import format_chance
from game.pages.parts.language import gettext as _
from game.pages.parts.text import number, write_percent
from game.pages.parts.turn_log import MARKS
from game.pages.parts.view_of_game import find_seat_called_you
from game.pages.replay.page import load_replay
from game.pages.review import sentences
from game.pages.review.chart import build_drawing, place_throws
from game.pages.review.components import OptionRow
from game.pages.review.summary import StoredReview, build_decision_row, summarise_players
from game.prefs import Prefs
from game.services.reviews import OPTIONS_MOST, StoredOption


def build_review(
    game: Game, visitor: Visitor | None, data: dict[str, Any], wanted: int | None, every: bool, prefs: Prefs
) -> dict[str, object]:
    """Return what the page shows. `wanted`: index of the decision shown in full; `every`: list also unmarked ones."""
    yours = find_seat_called_you(visitor, game.seats)
    review = StoredReview(game, data, yours)
    seats, total = _order_seats(review), len(review.decisions)
    index = wanted if wanted is not None and wanted < total else None
    first = next(iter(review.costliest()), 0)
    listed = [i for i, decision in enumerate(review.decisions) if every or decision["mark"]]
    shown = [build_decision_row(review, i, every, shown=i == index) for i in listed]
    return {
        "by": review.by,
        "typed": data.get("typed"),
        "figures": summarise_players(review, seats),
        "drawing": build_drawing(review.throws, review.by, review.names, seats[0], _list_marks(review)),
        "lines": _list_lines(review, seats[0]),
        "whose_chance": _("Your chance")
        if seats[0] in yours
        else _("%(name)s’s chance") % {"name": review.names[seats[0]]},
        "people": [row for i, row in zip(listed, shown, strict=True) if review.is_persons(i)],
        "computers": [row for i, row in zip(listed, shown, strict=True) if not review.is_persons(i)],
        "total": total,
        "every": every,
        "detail": _show_decision(review, first if index is None else index, every, prefs) if total else None,
        "practise": any(choice["mark"] for choice in pick_costliest(game, visitor, review.decisions)),
    }


def _order_seats(review: StoredReview) -> list[int]:
    """Return the seats, people first."""
    return review.people + [seat.seat for seat in review.seats if seat.level]


def _list_marks(review: StoredReview) -> list[tuple[int, int, str]]:
    """Return (step, seat, mark) of people's decisions, the worst first; of computers' if only they played."""
    marked = [d for d in review.decisions if d["mark"] and (not review.people or not d["computer"])]
    worst = sorted(marked, key=lambda d: (MARKS.index(d["mark"]), -d["loss"]))
    return [(d["step"], d["seat"], d["mark"]) for d in worst]


def _list_lines(review: StoredReview, area_seat: int) -> list[tuple[str, str, str, str, str]]:
    """Return the chart's numbers as a table: (place, player, chance to win, luck, mark) of each throw.

    `area_seat`: the player whose area is drawn in a game of two, where all chances are theirs.
    """
    along = place_throws(review.throws, review.by or "points")
    by_step = {d["step"]: d for d in review.decisions}
    rows = []
    throw, before = 0, None
    for point in along:
        turn = point.round, point.seat
        throw, before = (throw + 1 if turn == before else 1), turn
        decided = [by_step[step] for step in point.steps if step in by_step]
        win = point.win if point.win is None or review.by != "win" or point.seat == area_seat else 1 - point.win
        rows.append(
            (
                sentences.number_place(point.round, throw if len(point.steps) == 1 else 0),
                review.names[point.seat],
                "" if win is None else format_chance(win),
                sentences.sign_luck(point.luck, review.by),
                " ".join(decision["mark"] for decision in decided if decision["mark"]),
            )
        )
    return rows


def _show_decision(review: StoredReview, index: int, every: bool, prefs: Prefs) -> dict[str, object]:
    """Return a decision in full. `most`: how many of its best ways were stored, if there may be more."""
    decision, options = review.decisions[index], review.options(index)
    # A chosen way further down is stored in place of the last one.
    is_last = decision["chosen"] == OPTIONS_MOST - 1
    return {
        "row": build_decision_row(review, index, every, shown=True),
        "tray": load_replay(review.game, str(decision["step"]), "", prefs).tray if decision["dice"] else None,
        "ways": [_show_way(option, place, decision["chosen"]) for place, option in enumerate(options)],
        "most": OPTIONS_MOST - is_last if len(options) >= OPTIONS_MOST else 0,
        "chosen_is_last": is_last,
    }


def _show_way(option: StoredOption, place: int, chosen: int) -> OptionRow:
    return OptionRow(
        dice=tuple(map(int, option.keep)),
        then=sentences.name_action(option),
        win="" if option.win is None else format_chance(option.win),
        points=number(option.points, 0),
        bust=write_percent(option.bust) if option.bust else "",
        best=place == 0,
        chosen=place == chosen,
    )
