"""Random rulesets, and random games that write their game file as they go."""

import random
from collections.abc import Iterator
from typing import Any, Literal

from hypothesis import strategies as st

from game.rules import (
    Bank,
    Change,
    Entry,
    Faces,
    Hand,
    IllegalMove,
    Join,
    Manual,
    Move,
    Rename,
    Ruleset,
    RulesetError,
    SetMode,
    SetTarget,
    Skip,
    State,
    StepIn,
    StepOut,
    Throw,
    Win,
    apply,
    events,
    legal_moves,
    new_game,
    throw,
)
from game.rules.play.state import alter
from game.rules.record import Record, RecordEvent, ShotRecord, from_json, replay, result_of, undo
from game.rules.record.model import End
from game.rules.ruleset import CONFIRM_KINDS
from game.rules.totals import nearest_totals
from tests.game_files import to_json
from tests.require import require

COMBINATIONS = [
    "straight", "low_straight", "high_straight", "full_house", "three_pairs", "two_triplets", "four_and_two",
    "nothing_bonus",
]  # fmt: skip
SWITCHES = ["four_and_two_is_three_pairs", "three_pairs_across_throws", "six_of_a_kind_wins", "pick_up"]
POINTS = st.sampled_from([0, 0, 50, 100, 150, 250, 300, 750, 1000, 1500, 3000])
LITTLE = st.sampled_from([0, 0, 30, 50, 100, 200])
FACES = st.lists(POINTS, min_size=6, max_size=6).map(tuple)


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any ruleset in which something scores, with low targets so that games end."""
    chosen: dict[str, Any] = {name: draw(POINTS) for name in COMBINATIONS}
    chosen |= {name: draw(st.booleans()) for name in SWITCHES}
    of_a_kind = draw(st.lists(FACES, min_size=4, max_size=4).map(tuple))
    return Ruleset(
        singles=(100, *draw(st.lists(LITTLE, min_size=5, max_size=5))),
        of_a_kind=of_a_kind,
        **chosen,
        entry_minimum=draw(st.sampled_from([0, 200, 500])),
        bank_minimum=draw(st.sampled_from([0, 0, 350])),
        sweep=draw(st.sampled_from(["must_throw", "may_bank"])),
        last_die_throws=draw(st.sampled_from([1, 3])),
        bust_streak=draw(st.sampled_from([0, 1, 2, 3])),
        bust_streak_penalty=draw(st.sampled_from([0, 500, 1000])),
        target=draw(st.sampled_from([1000, 1500, 3000])),
        ending=draw(st.sampled_from(["complete_round", "last_shot_each", "at_once"])),
        tie=draw(st.sampled_from(["extra_rounds", "leader_stands", "shared"])),
        first_player=draw(st.sampled_from(["seat_order", "throw_for_it"])),
        max_players=draw(st.sampled_from([4, 12])),
        ante=draw(st.sampled_from([0, 25])),
        bust_penalty=draw(st.sampled_from([0, 5])),
    )


PATTERNS = ["AA", "AABB", "AAABB", "1234", "12A", "AAAA", "ABCDE", "11", "2222", "666", "1A", "AAAAA", "5"]
SOME = st.sampled_from


@st.composite
def combinations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Combinations of a ruleset's own, some of them with effects that end a turn."""
    made: list[dict[str, Any]] = []
    for pattern in draw(st.lists(SOME(PATTERNS), max_size=3, unique=True)):
        effect = draw(SOME(["points"] * 3 + ["six"] * 2 + ["bust", "wins", "out"]))
        if effect == "six" and "A" in pattern:
            made.append({"pattern": pattern, "points": draw(SOME([[0, 200, 300, 400, 500, 600], [50] * 6]))})
        elif effect in ("points", "six") and len(pattern) > 1:
            made.append({"pattern": pattern, "points": draw(SOME([50, 100, 400])), "name": "Of our own"})
        elif effect == "bust" and len(pattern) > 1:
            made.append({"pattern": pattern, "effect": "bust"} | draw(SOME([{}, {"cost": 150}])))
        elif effect in ("wins", "out") and len(pattern) > 3:
            made.append({"pattern": pattern, "effect": effect})
    return made


LATER = {
    "dice": SOME([6, 5]),
    "combinations": combinations(),
    "sets_need_all_dice": st.booleans(),
    "sets_grow": SOME(["never", "of_a_kind"]),
    "must_keep": SOME(["one", "all"]),
    "lone_five": SOME(["keep", "rethrow"]),
    "confirm": st.lists(SOME(CONFIRM_KINDS), max_size=3, unique=True),
    "confirm_by": SOME(["any", "single", 100, 500]),
    "entry_in": SOME(["shot", "throw"]),
    "entry_needs": SOME(["any", "singles", "set"]),
    "bank_step": SOME([0, 50, 100]),
    "bank_dice_left_most": SOME([0, 2, 4]),
    "throws_most": SOME([0, 1, 3, 6]),
    "sweep_multiplier": SOME([1, 2, 3]),
    "nothing": SOME(["sweep", "again"]),
    "nothing_when": SOME(["all_dice", "first_throw"]),
    "nothing_cost": SOME([0, 250]),
    "bust_cost": SOME(["fixed", "shot", "everything"]),
    "below_zero": SOME(["never", "entered", "always"]),
    "pick_up_by": SOME(["entered", "all"]),
    "pick_up_worth": SOME(["banked", 1000]),
    "pick_up_cost": SOME([0, 100]),
    "rounds": SOME([0, 1, 3]),
    "exact": SOME(["no", "bust", "stay"]),
    "ending": SOME(["complete_round", "last_shot_each", "at_once", "rounds"]),
    "tie": SOME(["extra_rounds", "leader_stands", "shared", "tied_only"]),
    "first_player": SOME(["seat_order", "throw_for_it", "lowest"]),
    "last_die_throws": SOME([1, 2, 3]),
}


@st.composite
def world_rulesets(draw: st.DrawFn) -> Ruleset:
    """Any ruleset with some of the younger settings; those that contradict each other are left out."""
    settings = draw(rulesets()).to_json()
    for name in draw(st.lists(SOME(sorted(LATER)), max_size=8, unique=True)):
        settings[name] = draw(LATER[name])
    if settings.get("exact", "no") != "no":
        settings["singles"] = [100, 0, 0, 0, 50, 0]
        settings = {name: value for name, value in settings.items() if value != 30}
    if settings.get("dice") == 5:
        settings |= {name: type(settings[name])() for name in SIX_DICE} | {
            "of_a_kind": {**settings["of_a_kind"], "6": [0] * 6}
        }
    while True:
        try:
            return Ruleset.from_json(settings)
        except RulesetError as refusal:
            for problem in refusal.problems:
                settings.pop(problem.setting.split(".")[0], None)
                if problem.setting == "rounds":
                    settings.pop("ending", None)


SIX_DICE = [
    "straight", "three_pairs", "two_triplets", "four_and_two", "four_and_two_is_three_pairs",
    "three_pairs_across_throws", "six_of_a_kind_wins",
]  # fmt: skip
ENDS: dict[type, End] = {events.Bust: "bust", events.Over: "over", events.Eliminated: "eliminated"}


class Playing:
    """A game played at random. `record` is what its game file says; `state` is where the game is."""

    def __init__(self, ruleset: Ruleset, rng: random.Random, players: int = 3) -> None:
        self.rng = rng
        names = [Entry(f"P{seat}" if seat != 1 else "*HAL") for seat in range(players)]
        self.state = new_game(ruleset, names).state
        self.events: list[RecordEvent] = []
        self.start: list[tuple[int | None, ...]] = []
        self.throws: list[Faces] = []
        self.pick_up: int | None = None
        self.entries = tuple(names)
        while self.state.starting:
            self.throw_for_start()

    def throw_for_start(self) -> None:
        thrown = self.rng.choices(range(1, 7), k=self.state.to_throw)
        faces = dict(zip(self.state.starting, thrown, strict=True))
        self.start.append(tuple(faces.get(seat) for seat in range(len(self.state.players))))
        self.state = throw(self.state, thrown).state

    @property
    def record(self) -> Record:
        events = list(self.events)
        if self.throws:
            events.append(ShotRecord(self.state.player, None, tuple(self.throws), pick_up=self.pick_up))
        start = tuple(self.start) or None
        state = self.state
        return Record(state.ruleset, state.ruleset.target, self.entries, start, tuple(events), result_of(state))

    def do(self, move: Move | Change) -> None:
        self.state = apply(self.state, move).state

    def end_shot(self, player: int, end: End, points: int | None = None) -> None:
        self.events.append(ShotRecord(player, end, tuple(self.throws), points, pick_up=self.pick_up))
        self.throws, self.pick_up = [], None

    def move(self, move: Move) -> None:
        """Make a move of the player who is due, and throw the dice if the move asks for it."""
        player, state = self.state.player, self.state
        if isinstance(move, Throw) and move.pick_up:
            self.pick_up = require(state.pick_up)[0]
        if move.keep:
            self.throws[-1] = Faces(self.throws[-1].dice, move.keep)
        self.do(move)
        if isinstance(move, Bank):
            self.end_shot(player, "bank", self.state.players[player].score - state.players[player].score)
        elif isinstance(move, Win):
            self.end_shot(player, "win")
        if self.state.to_throw:
            self.let_dice_fall(player)

    def let_dice_fall(self, player: int) -> None:
        dice = tuple(self.rng.choices(range(1, 7), k=self.state.to_throw))
        self.throws.append(Faces(dice))
        self.state, happened = throw(self.state, dice)
        for event in happened:
            if type(event) in ENDS:
                self.end_shot(player, ENDS[type(event)])

    def move_at_random(self) -> None:
        self.move(self.rng.choice(legal_moves(self.state)))

    def enter_at_random(self) -> None:
        """Enter a whole turn with real dice, unless the rules refuse it."""
        state, rng = self.state, self.rng
        dice, base = state.pick_up if state.pick_up and rng.random() < 0.5 else (state.ruleset.dice, 0)
        made = nearest_totals(state.ruleset, rng.choice([300, 600, 1200]), dice)[1]
        ends: list[Literal["bank", "bust"]] = ["bank", "bank", "bust"]
        end = rng.choice(ends)
        left = rng.choice([None, 1, 2, 3]) if end == "bank" and state.ruleset.pick_up else None
        shot = Manual(base + made if end == "bank" and made else 0, end, dice if base else None, left)
        try:
            after = apply(alter(state, mode="manual"), shot).state
        except IllegalMove:
            return
        points = shot.points or None
        self.events.append(ShotRecord(state.player, end, (), points, manual=True, pick_up=shot.pick_up, dice_left=left))
        self.state = alter(after, mode="auto")

    def change_at_random(self) -> None:
        """Make a change other than a move with the dice, unless the rules refuse it."""
        rng, state = self.rng, self.state
        seat = rng.randrange(len(state.players))
        name = rng.choice(["Bo", "*Bo", "Di", "*Di", "Ed"])
        target = SetTarget(rng.choice([500, 1000, 1500, 2500, 8000]))
        changes: list[Change] = [
            target,
            Rename(seat, name),
            Join(name),
            StepOut(seat),
            StepIn(seat),
            Hand(seat, "bold"),
        ]
        change = rng.choice([*changes, Skip()])
        try:
            self.do(change)
        except IllegalMove:
            return
        self.note_change(change, state)

    def note_change(self, change: Change, before: State) -> None:
        mine = isinstance(change, StepOut) and change.player == before.player
        if isinstance(change, Skip) or (mine and self.throws):
            self.end_shot(before.player, "skip" if isinstance(change, Skip) else "out")
        else:
            assert not isinstance(change, Manual | SetMode)
            self.events.append(change)

    def undo(self) -> None:
        """Undo the last turn as the site does: the state then follows from the file."""
        try:
            undone, _ = undo(self.record)
        except IllegalMove:
            return
        self.throws, self.pick_up = [], None
        self.events = list(undone.events)
        self.state = replay(undone).state

    def reread_state(self) -> State:
        """Return the state that another machine has after reading the file."""
        return replay(from_json(to_json(self.record))).state

    def play(self, steps: int, *, wild: bool = True) -> Iterator[State]:
        for _ in range(steps):
            if self.state.finished and not (wild and self.rng.random() < 0.3):
                return
            choice = self.rng.random() if wild else 1
            if choice < 0.15:
                self.change_at_random()
            elif choice < 0.2:
                self.undo()
            elif self.state.finished:
                continue
            elif choice < 0.3 and self.state.shot is None:
                self.enter_at_random()
            else:
                self.move_at_random()
            yield self.state
