"""From a stored review to the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from game.forms.commands import whole
from game.models import Game, Review
from game.pages.parts.components import Tray
from game.pages.parts.text import number, percent
from game.pages.replay.page import moment
from game.pages.replay.tray import tray
from game.pages.review import sentences
from game.pages.review.chart import Fall, drawing, points
from game.pages.review.components import Detail, Figures, Line, Page, Row, Short, Way
from game.pages.review.progress import state_of
from game.pages.review.sentences import Option
from game.services.reviews import OPTIONS_MOST

COSTLIEST = 3
LUCK_BAR = 1000  # points of luck that fill the bar, where nobody had more
WORST = {"??": 0, "?": 1, "?!": 2, "!": 3}


class Told:
    """A review that is done, and the game that it is of."""

    def __init__(self, game: Game, data: dict[str, Any]) -> None:
        self.game, self.data, self.by = game, data, data["by"]
        self.seats = game.seats
        self.falls = [Fall(*fall) for fall in data["throws"]]
        self.decisions: list[dict[str, Any]] = data["decisions"]
        self.people = [seat.seat for seat in self.seats if not seat.level]

    def options(self, index: int) -> list[Option]:
        return [Option(*option) for option in self.decisions[index]["options"]]

    def is_persons(self, index: int) -> bool:
        return not self.decisions[index]["computer"]

    def costliest(self) -> list[int]:
        """Decisions of people that lost something, the worst first."""
        lost = [i for i, each in enumerate(self.decisions) if self.is_persons(i) and each["mark"] in ("??", "?", "?!")]
        return sorted(lost, key=lambda i: -self.decisions[i]["loss"])


def page(game: Game, data: dict[str, Any], asked: str, every: bool) -> Page:
    """`asked`: the decision to show whole; `every`: list all of them, not only the marked ones."""
    told = Told(game, data)
    total = len(told.decisions)
    wanted = whole(asked)
    index = wanted if wanted is not None and wanted < total else None
    first = next(iter(told.costliest()), 0 if total else None)
    listed = [i for i, each in enumerate(told.decisions) if every or each["mark"]]
    shown = [row(told, i, every, i == index) for i in listed]
    return Page(
        by=told.by or "",
        note=" ".join(sentences.note(told.by, bool(data.get("typed")))),
        figures=figures(told, people_first(told)),
        drawing=drawing(told.falls, told.by, names(told), seat_shown(told), marks(told)),
        lines=lines(told),
        people=tuple(each for i, each in zip(listed, shown, strict=True) if told.is_persons(i)),
        computers=tuple(each for i, each in zip(listed, shown, strict=True) if not told.is_persons(i)),
        total=number(total),
        every=every,
        detail=detail(told, first if index is None else index, every) if total else None,
        practise=any(told.decisions[i]["throw"] for i in told.costliest()),
    )


def short(game: Game) -> Short:
    """For the page of a game that is over."""
    review = Review.objects.filter(game=game).first()
    if review is None or review.data is None:
        return Short(state_of(review), percent(review.progress / 100) if review else "")
    told = Told(game, review.data)
    if told.by is None:
        return Short("nothing", "")
    worst = [row(told, i, False) for i in told.costliest()[:COSTLIEST]]
    return Short("done", "", figures(told, told.people), tuple(worst))


def names(told: Told) -> list[str]:
    return [seat.name for seat in told.seats]


def people_first(told: Told) -> list[int]:
    return told.people + [seat.seat for seat in told.seats if seat.level]


def seat_shown(told: Told) -> int:
    return people_first(told)[0]


def figures(told: Told, seats: Iterable[int]) -> tuple[Figures, ...]:
    most = max([LUCK_BAR, *(abs(each["luck"] or 0) for each in told.data["players"])])
    return tuple(figure(told, seat, most) for seat in seats)


def figure(told: Told, seat: int, most: int) -> Figures:
    """`most`: the luck in points that fills the bar."""
    player, its = told.seats[seat], told.data["players"][seat]
    accuracy, luck, luck_win = its["accuracy"], its["luck"], its["luck_win"]
    bar = 50 * abs(luck or 0) / most
    return Figures(
        seat=seat + 1,
        name=player.name,
        computer=bool(player.level),
        accuracy="" if accuracy is None else number(accuracy),
        accuracy_bar=accuracy or 0,
        luck="" if luck is None else sentences.signed(luck),
        luck_from=50 if (luck or 0) > 0 else 50 - bar,
        luck_bar=bar,
        luck_win="" if luck_win is None else sentences.signed(luck_win, 2),
        busts=sentences.busts(its["busts"], its["expected_busts"]),
    )


def marks(told: Told) -> list[tuple[int, int, str]]:
    """(step, seat, mark) of people's decisions, the weightiest first; of computers' where nobody else played."""
    mine = [each for each in told.decisions if each["mark"] and (not told.people or not each["computer"])]
    worst = sorted(mine, key=lambda each: (WORST[each["mark"]], -each["loss"]))
    return [(each["step"], each["seat"], each["mark"]) for each in worst]


def lines(told: Told) -> tuple[Line, ...]:
    """The numbers of the chart. In a game of two the chance is that of the one whose area is drawn."""
    along, by_step = points(told.falls, told.by or "points"), {each["step"]: each for each in told.decisions}
    found = []
    throw, before = 0, None
    for point in along:
        turn = point.round, point.seat
        throw, before = (throw + 1 if turn == before else 1), turn
        decided = [by_step[step] for step in point.steps if step in by_step]
        win = point.win if point.win is None or told.by != "win" or point.seat == seat_shown(told) else 1 - point.win
        found.append(
            Line(
                place=sentences.place(point.round, throw if len(point.steps) == 1 else 0),
                name=told.seats[point.seat].name,
                win="" if win is None else sentences.chance(win),
                luck=sentences.gain(point.luck, told.by),
                mark=" ".join(each["mark"] for each in decided if each["mark"]),
            )
        )
    return tuple(found)


def row(told: Told, index: int, every: bool, shown: bool = False) -> Row:
    each, options = told.decisions[index], told.options(index)
    best, taken = options[0], options[each["chosen"]]
    against = sentences.against(best, taken)
    url = told.game.get_absolute_url()
    return Row(
        index=index,
        url=f"{url}/analysis?{'all=1&' if every else ''}d={index}#decision",
        replay=f"{url}?at={each['step']}",
        seat=each["seat"] + 1,
        name=told.seats[each["seat"]].name,
        place=sentences.place(each["round"], each["throw"]),
        place_label=sentences.place_label(each["round"], each["throw"]),
        mark=each["mark"],
        word=sentences.mark_word(each["mark"]),
        text=sentences.chosen(taken),
        better=sentences.better(best) if against else "",
        against=against,
        loss=sentences.lost(best, taken) if against else "",
        shown=shown,
    )


def detail(told: Told, index: int | None, every: bool) -> Detail | None:
    if index is None:
        return None
    each, options = told.decisions[index], told.options(index)
    rest = len(options) >= OPTIONS_MOST
    return Detail(
        row=replace(row(told, index, every), shown=True),
        tray=tray_at(told.game, each["step"]) if each["dice"] else None,
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
