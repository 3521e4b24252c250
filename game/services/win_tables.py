"""Solves the rulesets of this site in the background: on a coarse grid first, then on a fine one, then exactly.

Until a table is solved, and under rules for which there can be none, the best play goes by expected points.
"""

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from math import inf, isqrt
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django_tasks import task
from django_tasks.base import TASK_MAX_PRIORITY
from django_tasks_db.models import DBTaskResult

from game.database_trouble import has_database
from game.lock import write_lock
from game.models import RulesetRow, SolvedTable
from game.rules import Ruleset
from game.services.background import NotWanted, Progress
from game.services.refusals import Refusal
from game.strategy import win
from game.strategy.turn import NoBestPlay, solve_shot_points
from game.strategy.win import NoTable

# About how many scores the coarse grid has, and at most how many the fine grid has, if every score would be more.
COARSE, FINE_MOST = 25, 400
# The same where busts in a row cost points: a score counts once for each number of busts in a row that it can have.
COARSE_STREAKS, FINE_STREAKS = 27, 600
# The fine grid where dice are picked up as well: solving every score then takes two minutes of one core.
FINE_STREAKS_WITH_OFFERS = 240
# Both grids where a bust costs what a shot gathers beyond the points picked up, since each number of those points makes
# another shot.
COARSE_BROUGHT, FINE_BROUGHT = 12, 60
# How many points leads are apart on the coarse and the fine grid where rounds end the game and busts cost points.
COARSE_LEADS, FINE_LEADS = 1000, 100
# The values of dice on offer fill at most this many numbers, of 8 bytes each.
GAINS_MOST = 50_000_000
# After a fine grid every score is solved, beside other work, if that takes at most these bytes of memory and this many
# chances to win. The 360,000 chances of `noppa-10000` take 140 seconds of one core.
EXACT_BYTES_MOST, EXACT_CHANCES_MOST = 600 * 2**20, 1_500_000
# Work on every score waits while a grid is being solved, but not for a grid that was begun this long ago. It looks for
# such grids at most this often.
GRIDS_LAST, LOOK_SECONDS = timedelta(minutes=30), 1
# A missing table is looked up again at most this often.
ASK_SECONDS = 5
TABLES_MOST = 8
# Games under custom rules ask for no more tables while this many wait.
WAITING_MOST = 24
# Work without progress for this long is begun again when somebody asks for it or the ruleset is saved again.
SOLVING_STUCK = timedelta(hours=6)
# Tables of rules that this site does not offer are deleted after this time, and the oldest while all take more bytes.
TABLES_LAST = timedelta(days=180)
TABLES_BYTES_MOST = 500_000_000
# Tables are unpacked into files whose names begin like this, and which are deleted after this time.
SOLVED, UNPACKED_LAST = "solved-", timedelta(days=7)
# The queues of the first two grids, and of what is solved beside them.
GRID_QUEUE, LONG_QUEUE = "slow", "long"


class NothingToSolve(Refusal):
    """No table of chances to win can be made for these rules."""

    status = 422
    sentence = gettext_lazy("Under these rules the chance to win cannot be worked out. The best play goes by points.")


class ManyWait(Refusal):
    """Too many tables are waiting for the worker already, so no more are taken on."""

    sentence = gettext_lazy("Many rulesets are already waiting to be worked out. Try again later.")


def request_table(rules: Ruleset) -> None:
    """Queue the chances to win for the rules' own target, because somebody asked for them.

    Does nothing if they are solved or under way. Raises `NothingToSolve` if there can be no table, and `ManyWait`.
    Takes up to a second for complex rules.
    """
    if win.is_shipped(rules, rules.target) or ((solving := find_solving(rules, rules.target)) and not solving.stuck):
        return
    if count_waiting_tables() >= WAITING_MOST:
        raise ManyWait
    if not list_grid_steps(rules, rules.target):
        raise NothingToSolve
    solve_in_background(rules, [rules.target])


def solve_for_game(rules: Ruleset, target: int) -> None:
    """Queue the chances to win for a game that was played to its end, unless a table is there or can be cut from one.

    This is how custom rules get their tables; no more are taken on while too many are waiting for the worker.
    """
    if win.prepare_table(rules, target) is None and count_waiting_tables() < WAITING_MOST:
        solve_in_background(rules, [target])


def forget_tables() -> int:
    """Delete the tables that were asked for long ago, and the oldest if all take too much room; return how many.

    Those of the rulesets on offer stay. If a table is gone, the next game under its rules asks for it again.
    """
    rows = RulesetRow.query_offered()
    offered = {win.table_digest(row.rules, target) for row in rows for target in list_offered_targets(row.rules)}
    asked_for = SolvedTable.objects.annotate(size=Length("data")).order_by("-touched", "-pk")
    gone, room = [], TABLES_BYTES_MOST
    for pk, digest, touched, size in asked_for.values_list("pk", "digest", "touched", "size"):
        if digest in offered:
            continue
        room -= size or 0
        if room < 0 or timezone.now() - touched > TABLES_LAST:
            gone.append(pk)
    for pk in gone:  # one at a time, so that nobody waits long for the lock
        with write_lock():
            SolvedTable.objects.filter(pk=pk).delete()
    forget_unpacked()
    return len(gone)


def forget_unpacked() -> None:
    """Delete files into which tables were unpacked long ago. Processes that read one keep it; others unpack again."""
    for path in settings.TABLES_DIR.glob(f"{SOLVED}*.npy"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > UNPACKED_LAST.total_seconds():
                path.unlink()


def count_waiting_tables() -> int:
    """Return how many grids wait to be solved, without those that have made no progress for `SOLVING_STUCK`."""
    return SolvedTable.objects.filter(data__isnull=True, touched__gt=timezone.now() - SOLVING_STUCK).count()


def solve_in_background(rules: Ruleset, targets: Sequence[int] | None = None) -> None:
    """Queue the chances to win for these targets, or all that the ruleset offers, unless solved already.

    Coarser grids come first, so that a rough answer does not wait for another ruleset's exact one. What comes after two
    grids has a queue of its own.
    """
    chosen = list_offered_targets(rules) if targets is None else targets
    stages = [(target, enumerate(list_grid_steps(rules, target))) for target in chosen]
    wanted = [(target, number, step, unit) for target, steps in stages for number, (step, unit) in steps]
    with write_lock(), transaction.atomic():
        for target, number, step, unit in wanted:
            row, is_new = SolvedTable.objects.get_or_create(digest=win.table_digest(rules, target), step=step * unit)
            if is_new or (row.data is None and timezone.now() - row.touched > SOLVING_STUCK):
                if not is_new:
                    row.save(update_fields=["touched"])  # so that it is queued again once, not with every press
                is_long = number > 1
                queue = LONG_QUEUE if is_long else GRID_QUEUE
                solving = solve_table.using(priority=min(step, TASK_MAX_PRIORITY), queue_name=queue)
                solving.enqueue(row.pk, rules.to_json(), target, step, is_long)


def list_offered_targets(rules: Ruleset) -> list[int]:
    """Return the targets that the ruleset offers, its own first, without those that come solved with the app."""
    offered = dict.fromkeys((rules.target, *rules.target_choices))
    return [target for target in offered if not win.is_shipped(rules, target)]


def list_grid_steps(rules: Ruleset, target: int) -> list[tuple[int, int]]:
    """Return, for each grid, how many rows apart its scores are, and the points of a row; the coarsest grid first.

    There is a single full grid if a number of rounds ends the game and no bust costs points, and none if there can be
    no table. The last grid has every score, unless that is too much to solve.
    """
    try:
        race = win.make_race(rules, target)
    except NoTable:
        return []
    unit = race.graph.unit
    if race.ending == "rounds":
        apart = [max(points // unit, 1) for points in (COARSE_LEADS, FINE_LEADS)] if race.may_fall else [1]
        if race.has_offers:  # with these a coarse grid takes as much memory as a full one
            apart = [max(COARSE_LEADS // unit, 1)] if find_exact_step(race) else []
        return [(step, unit) for step in dict.fromkeys([*apart, *find_exact_step(race)])]
    rows = race.streaks
    fine = FINE_STREAKS_WITH_OFFERS if race.has_offers else FINE_STREAKS
    scores = [max(3, most // rows) for most in (COARSE_STREAKS, fine)] if rows > 1 else [COARSE, FINE_MOST]
    if race.counts_brought and not race.offer_worth:
        scores = [COARSE_BROUGHT, FINE_BROUGHT]
    if race.has_offers and not race.offer_worth:
        gains = max(race.target // 2, 1) * rules.dice * race.offer_kinds  # for each pair of scores
        scores = [min(most, isqrt(GAINS_MOST // gains)) for most in scores]
    apart = [max(1, -(-(race.places - 1) // most)) for most in scores]
    return [(step, unit) for step in dict.fromkeys([*apart, *find_exact_step(race)])]


def find_exact_step(race: win.Race) -> list[int]:
    """Return the step of a grid with every score, [1], if it can be solved in memory and within hours; else []."""
    fits = win.estimate_bytes(race) <= EXACT_BYTES_MOST
    # How many numbers of points can be on offer, on average: each is a shot of its own beside the one with fresh dice.
    others = max(race.target // 2, 1) if race.counts_brought and not race.offer_worth else 0
    shots = 0 if race.ending == "rounds" else race.planes * race.places**2 * (1 + others)
    return [1] if fits and shots <= EXACT_CHANCES_MOST else []


@task(queue_name=GRID_QUEUE)
def solve_table(pk: int, plain_rules: dict[str, Any], target: int, step: int, gives_way: bool = False) -> None:
    """Solve one grid, and delete those that are coarser. `gives_way`: wait while other grids are being solved."""
    row = SolvedTable.objects.filter(pk=pk, data__isnull=True).first()
    if row is None:
        return
    rules, progress = Ruleset.from_json(plain_rules), (PatientProgress if gives_way else Progress)(row)
    with suppress(NotWanted, NoBestPlay):
        solve_shot_points(rules)  # raises NoBestPlay if a turn can continue without risk: there is nothing to solve
        race = win.make_race(rules, target)
        begin = find_finer_grid(row, rules, target) if race.may_fall and step == 1 else None
        progress.save_result(win.encode_table(win.solve_race(race, progress, step, begin)))
        coarser = SolvedTable.objects.filter(digest=row.digest, step__gt=row.step)
        with write_lock():
            coarser.delete()
        return
    with write_lock():
        SolvedTable.objects.filter(pk=pk, data__isnull=True).delete()


def find_finer_grid(row: SolvedTable, rules: Ruleset, target: int) -> win.WinTable | None:
    """Return the finest solved table of these rules, if its grid is finer than one of `FIRST_STEP`; else None."""
    grids = SolvedTable.objects.filter(digest=row.digest, step__gt=row.step, step__lt=row.step * win.FIRST_STEP)
    data = grids.filter(data__isnull=False).order_by("step").values_list("data", flat=True).first()
    return win.decode_table(rules, target, bytes(data)) if data else None


class PatientProgress(Progress):
    """The progress of work on every score, for which a good table is there already: it waits while a grid is solved."""

    looked = -inf

    def __call__(self, share: float) -> None:
        """Record the share that is done, and give way."""
        super().__call__(share)
        while time.monotonic() - self.looked >= LOOK_SECONDS and is_grid_under_way():
            time.sleep(LOOK_SECONDS)
            super().__call__(share)
        self.looked = time.monotonic()


def is_grid_under_way() -> bool:
    """Return whether a worker is solving a grid that others wait for; False if the database does not answer."""
    begun_lately = DBTaskResult.objects.running().filter(started_at__gt=timezone.now() - GRIDS_LAST)
    with suppress(DatabaseError):
        return begun_lately.filter(queue_name=GRID_QUEUE).exists()
    return False


@dataclass(frozen=True)
class Solving:
    """The progress towards a target's table: per cent of the last grid, and whether a coarser one serves already.

    `stuck`: nobody has worked on it for long.
    """

    target: int
    progress: int
    done: bool
    coarse: bool
    stuck: bool

    @property
    def is_under_way(self) -> bool:
        """Whether a page should look again soon."""
        return not (self.done or self.stuck)


def list_solving(rules: Ruleset) -> list[Solving]:
    """Return the progress for each target that the ruleset offers and this site solves."""
    targets = (find_solving(rules, target) for target in list_offered_targets(rules))
    return [solving for solving in targets if solving]


def find_solving(rules: Ruleset, target: int) -> Solving | None:
    """Return the progress towards a target's table; None if nobody has asked for it on this site."""
    rows = SolvedTable.objects.filter(digest=win.table_digest(rules, target)).order_by("step")
    grids = list(rows.annotate(solved=Q(data__isnull=False)).values_list("progress", "solved", "touched"))
    if not grids:
        return None
    progress, done, _touched = grids[0]
    coarse = not done and any(solved for _progress, solved, _touched in grids)
    waiting = [touched for _progress, solved, touched in grids if not solved]
    stuck = not done and timezone.now() - max(waiting) > SOLVING_STUCK
    return Solving(target, progress, done, coarse, stuck)


class Cached(NamedTuple):
    """What the rows said when last read, with the time on the process's clock, in seconds."""

    read_at: float = -inf
    step: int | None = None
    table: win.WinTable | None = None


class TableCache:
    """A source of tables for `game.strategy.win`: the rows of this site, cached in memory."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.tables: dict[str, Cached] = {}

    def __call__(self, rules: Ruleset, target: int) -> win.WinTable | None:
        """Return the finest solved grid; None if there is none, or no database to ask."""
        key = win.table_digest(rules, target)
        cached = self.tables.get(key, Cached())
        is_exact = cached.table is not None and cached.step == cached.table.race.graph.unit
        if is_exact or time.monotonic() - cached.read_at < ASK_SECONDS or not has_database():
            return cached.table
        was_closed = connection.connection is None  # a thread beside the requests: Django never closes its connection
        with self.lock, suppress(DatabaseError):  # without its tables the site still works, by expected points
            self.read(key, rules, target, cached)
        if was_closed:
            connection.close()
        return self.tables.get(key, Cached()).table

    def read(self, key: str, rules: Ruleset, target: int, cached: Cached) -> None:
        """Query the rows, and read the finest table if it is not the one known."""
        solved = SolvedTable.objects.filter(digest=key, data__isnull=False).order_by("step")
        finest, table = solved.values_list("step", flat=True).first(), cached.table
        if finest is not None and finest != cached.step:
            data = solved.values_list("data", flat=True)[0]
            content = bytes(data or b"")
            table = win.decode_table(rules, target, content, f"{SOLVED}{key}-{sha256(content).hexdigest()[:16]}")
        while len(self.tables) >= TABLES_MOST and key not in self.tables:
            del self.tables[next(iter(self.tables))]
        self.tables[key] = Cached(time.monotonic(), finest, table if finest is not None else None)


TABLE_CACHE = TableCache()
