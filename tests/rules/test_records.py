"""Every point that the rules decide, as a game file that a person can read: tests/records/<the point>.json."""

import json
from pathlib import Path

import pytest

from game.rules import RecordError, Ruleset, State, preset
from game.rules.record import from_json, replay
from tests.game_files import to_json

FILES = sorted(Path(__file__).parent.parent.joinpath("records").glob("*.json"))

# Files that must be refused, with the place and the reason.
REFUSED = {
    "after-the-end-nobody-plays": ("event 3", "The game is over"),
    "after-the-end-nothing-but-a-rename": ("event 3", "The game is over"),
    "bank-minimum-holds-in-the-last-shot": ("event 4", "A bank must be at least 350 points. This one is 300"),
    "bank-minimum-of-350-is-needed": ("event 3", "A bank must be at least 350 points. This one is 300"),
    "boxcars-four-and-two-is-none-where-it-is-off": ("event 1, throw 2", "3 3 cannot be kept"),
    "boxcars-not-with-dice-that-were-picked-up-refused": ("event 4, throw 1", "3 3 4 4 cannot be kept"),
    "cancelled-shot-is-checked-for-its-dice": ("event 1, throw 1", "4 cannot be kept"),
    "cancelled-shot-is-checked-for-its-points": ("event 1", "The throws make 100 points, not 150"),
    "entering-needs-the-minimum-in-one-shot": (
        "event 1",
        "The first bank must be at least 500 points. This one is 250",
    ),
    "entry-minimum-stands-in-the-last-shot": ("event 2", "The first bank must be at least 500 points. This one is 450"),
    "extra-rounds-are-joined-by-nobody": ("event 3", "Nobody can join once the final round has begun"),
    "instant-win-cannot-be-banked": ("event 1", "These dice win the game: keep them all"),
    "instant-win-needs-one-throw": (
        "event 1",
        "These dice do not win at once: only those that the rules name do",
    ),
    "instant-win-only-where-the-rules-say-so": (
        "event 1",
        "These dice do not win at once: only those that the rules name do",
    ),
    "last-die-no-bank-between-the-tries": ("event 3", "Finish your three tries with the last die first"),
    "last-die-one-try-elsewhere": ("event 2, throw 3", "The turn ended before this throw"),
    "last-shot-each-gets-no-other-when-somebody-goes-higher": ("event 4", "The game is over"),
    "level-belongs-to-computers": ("player 0", "Only a computer has a level: a player whose name begins with *"),
    "manual-75-can-be-made-by-nothing": ("event 1", "No turn can make 75 points under these rules"),
    "manual-dice-left-has-to-go-with-the-points": ("event 1", "This turn cannot leave that number of dice"),
    "manual-no-pick-up-where-no-dice-were-left": ("event 4", "There are no dice to pick up"),
    "manual-one-picked-up-five-leaves-no-five-dice": ("event 4", "This turn cannot leave that number of dice"),
    "manual-picked-up-total-needs-a-throw-of-its-own": (
        "event 4",
        "The turn started from 300 points. Enter its total, including those points",
    ),
    "manual-under-the-minimum": ("event 1", "The first bank must be at least 500 points. This one is 350"),
    "manual-win-only-where-the-rules-say-so": (
        "event 1",
        "These dice do not win at once: only those that the rules name do",
    ),
    "manual-with-faces-and-other-dice-left": ("event 1", "This turn cannot leave that number of dice"),
    "manual-with-faces-leaves-only-dice-that-are-named": ("event 4", "There are no dice to pick up"),
    "manual-with-faces-that-make-other-points": ("event 1", "The throws make 300 points, not 350"),
    "name-is-taken-in-other-letters": ("player 1", "That name is taken. Choose another one"),
    "pick-up-never-after-a-bust": ("event 4", "There are no dice to pick up"),
    "pick-up-never-after-ones-own-shot": ("event 2", "There are no dice to pick up"),
    "pick-up-never-after-ones-own-shot-twice-in-a-row": ("event 5", "There are no dice to pick up"),
    "pick-up-never-before-entering": ("event 2", "There are no dice to pick up"),
    "pick-up-never-first-in-the-game": ("event 1", "There are no dice to pick up"),
    "pick-up-not-after-a-shot-in-which-somebody-stepped-out": ("event 6", "There are no dice to pick up"),
    "pick-up-not-after-a-skip": ("event 6", "There are no dice to pick up"),
    "pick-up-takes-the-dice-that-were-left": ("event 4", "The number of dice to pick up is 2"),
    "place-of-a-bust-that-is-none": ("event 1", "The last throw is not a bust"),
    "place-of-a-die-that-does-not-score": ("event 2, throw 2", "4 cannot be kept"),
    "place-of-a-die-that-was-not-thrown": ("event 1, throw 1", "This throw has no 5"),
    "place-of-a-missing-keep": ("event 1, throw 1", "Keep at least one scoring die"),
    "place-of-a-result-that-does-not-replay": ("result", "The replay comes to these scores: 500, 0"),
    "place-of-a-throw-after-the-bust": ("event 1, throw 2", "The turn ended before this throw"),
    "place-of-a-winner-who-has-not-won": ("result", "The replay has no winner"),
    "place-of-points-that-do-not-replay": ("event 1", "The throws make 100 points, not 150"),
    "place-of-too-many-dice": ("event 1, throw 2", "The number of dice to throw is 5"),
    "player-cannot-join-beyond-the-most": ("event 3", "The table is full: these rules allow up to 2 players"),
    "player-cannot-join-the-final-round": ("event 2", "Nobody can join once the final round has begun"),
    "player-in-when-in-is-refused": ("event 1", "This player is already playing"),
    "player-out-twice-is-refused": ("event 2", "This player is already sitting out"),
    "player-out-when-due-cannot-take-it-back": ("event 4", "It is player 2’s turn, not player 1’s"),
    "running-shot-that-is-bust-has-ended": ("event 1", "The last throw is a bust"),
    "start-in-seat-order-is-not-thrown-for": (
        "start",
        "Under these rules play starts in seat order: there is nothing to throw for",
    ),
    "start-is-thrown-by-those-who-tied-only": ("start", "Only the players who tied for first place throw again"),
    "start-with-more-rounds-than-needed": ("start", "There are more rounds than needed"),
    "start-without-a-single-highest": ("start", "The throws to see who goes first end in a tie"),
    "sweep-must-throw-whatever-the-score": (
        "event 3",
        "Hot dice: throw all dice again before you bank",
    ),
    "target-change-is-limited": ("event 1", "Choose a target from 100 to 100,000 in steps of 50"),
    "turn-of-somebody-else": ("event 1", "It is player 0’s turn, not player 1’s"),
    "world-bank-step-refuses-350": ("event 1", "A bank must be a multiple of 100 points. This one is 350"),
    "world-bank-with-too-many-dice-left": (
        "event 1",
        "You have too many dice left to bank: the most is 2. Throw again",
    ),
    "world-bust-with-real-dice-loses-what-can-be-made": (
        "event 1",
        "Points lost are entered only where a bust costs the points of its turn, and dice must be able to make them",
    ),
    "world-combination-of-four-in-a-row-does-not-take-the-six": ("event 1, throw 1", "6 cannot be kept"),
    "world-combination-that-is-a-bust-cannot-be-kept-from": ("event 1, throw 1", "1 1 cannot be kept"),
    "world-eliminated-does-not-come-back": ("event 2", "This player has been eliminated"),
    "world-eliminated-does-not-step-out-either": ("event 2", "This player has been eliminated"),
    "world-eliminated-goes-before-every-win": ("event 1, throw 1", "1 1 1 1 1 cannot be kept"),
    "world-eliminated-with-real-dice-only-where-the-rules-say-so": (
        "event 1",
        "The last throw does not eliminate the player",
    ),
    "world-entry-in-one-throw-with-too-few-in-all": (
        "event 1",
        "The first bank needs one throw with at least 1000 points",
    ),
    "world-entry-needs-a-set": ("event 1", "The first bank needs a combination of at least three dice"),
    "world-entry-not-in-two-throws": ("event 1", "The first bank needs one throw with at least 1000 points"),
    "world-exact-beyond-that-is-none": ("event 1", "The last throw is a bust"),
    "world-exact-no-keep-goes-beyond": ("event 3, throw 1", "5 cannot be kept"),
    "world-exact-with-real-dice-loses-no-points-above-the-target-with-those-picked-up": (
        "event 4",
        "The score would go above the target of 2000",
    ),
    "world-exact-over-only-where-such-a-turn-counts-for-nothing": (
        "event 3",
        "The last throw does not go beyond the target",
    ),
    "world-exact-no-target-at-which-somebody-is-already": (
        "event 2",
        "Choose a target that is above every score and a multiple of 50",
    ),
    "world-exact-no-target-that-a-score-has-passed": (
        "event 2",
        "Choose a target that is above every score and a multiple of 50",
    ),
    "world-exact-with-real-dice-loses-no-points-above-the-target": (
        "event 3",
        "The score would go above the target of 1000",
    ),
    "world-exact-with-real-dice-not-above-the-target": ("event 3", "The score would go above the target of 10000"),
    "world-five-dice-of-which-six-were-thrown": ("event 1, throw 1", "The number of dice to throw is 5"),
    "world-last-die-no-bank-between-two-tries": ("event 1", "Finish your two tries with the last die first"),
    "world-lone-five-cannot-be-kept": ("event 1, throw 1", "The dice must be thrown again"),
    "world-lone-five-is-no-bank": ("event 1", "The dice must be thrown again"),
    "world-lowest-needs-a-single-one": ("start", "The throws to see who goes first end in a tie"),
    "world-must-keep-all-and-not-a-part": ("event 1, throw 1", "1 cannot be kept"),
    "world-nothing-again-cannot-be-banked": ("event 1", "The dice must be thrown again"),
    "world-nothing-with-real-dice-in-the-first-throw-loses-no-more": (
        "event 3",
        "A throw of nothing costs points only as the first throw of a turn in which no dice were picked up",
    ),
    "world-nothing-with-real-dice-in-the-first-throw-not-after-picking-up": (
        "event 3",
        "A throw of nothing costs points only as the first throw of a turn in which no dice were picked up",
    ),
    "world-nothing-with-real-dice-needs-hot-dice-before-it": (
        "event 3",
        "Points lost are entered only where a bust costs the points of its turn, and dice must be able to make them",
    ),
    "world-nothing-with-real-dice-not-after-picking-up": ("event 3", "No turn can make 470 points under these rules"),
    "world-nothing-with-real-dice-only-where-it-costs": (
        "event 1",
        "A bust can be entered as a throw of nothing only where that costs points",
    ),
    "world-pick-up-not-to-an-exact-target": ("event 3", "There are no dice to pick up"),
    "world-proof-a-growth-is-unproved-itself": ("event 1", "Prove your points first: keep a single scoring die"),
    "world-proof-by-points-asks-for-the-rest": ("event 1", "Prove your points first: keep dice for 100 more points"),
    "world-proof-not-by-a-single-die-of-the-same-throw": (
        "event 1",
        "Prove your points first: keep a single scoring die",
    ),
    "world-proof-not-by-another-set": ("event 1", "Prove your points first: keep a single scoring die"),
    "world-proof-of-a-sweep": ("event 1", "Prove your points first: keep a single scoring die"),
    "world-proof-three-fives-cannot-be-banked": ("event 1", "Prove your points first: keep a single scoring die"),
    "world-rounds-and-no-other-target": (
        "event 1",
        "This game ends after a number of rounds: there is no target to change",
    ),
    "world-rounds-nobody-joins-the-last-one": ("event 3", "Nobody can join once the final round has begun"),
    "world-set-grown-to-six-does-not-win": (
        "event 1",
        "These dice do not win at once: only those that the rules name do",
    ),
    "world-set-is-forgotten-after-a-sweep": ("event 1, throw 3", "3 cannot be kept"),
    "world-throws-most-no-fourth-throw": ("event 1, throw 3", "That was the last throw of this turn. Bank now"),
    "world-throws-most-the-third-throw-must-be-banked": ("event 2, throw 3", "1 cannot be kept"),
    "world-tied-only-is-not-for-the-others": ("event 4", "It is player 0’s turn, not player 2’s"),
}

# Facts that the result in a file doesn't hold: the coins in the pot, and the seat and the number of dice due next.
POTS = {
    "document-2-a-nickel-for-every-zero-after-the-first-1000": 60,
    "entering-bust-before-it-costs-no-coin": 50,
    "entering-with-a-minimum-of-0-is-the-first-bank": 5,
    "manual-bust-costs-coin-and-counts": 55,
    "player-out-in-the-middle-of-a-shot-loses-its-points": 10,
    "pot-bust-before-entering-costs-points-but-no-coin": 50,
    "pot-is-what-was-paid-in-also-after-the-end": 55,
    "pot-late-joiner-pays-the-ante": 75,
    "pot-skip-and-stepping-out-cost-nothing": 80,
}
NEXT = {
    "entering-bust-before-it-costs-no-coin": (0, 6),
    "complete-round-the-last-one-due-steps-out-after-the-target-was-raised": (1, 6),
    "final-round-is-not-kept-on-by-somebody-who-is-out": (2, 6),
    "final-round-the-last-one-due-steps-out-after-the-one-at-the-target": (2, 6),
    "final-round-the-last-one-due-steps-out-after-the-target-was-raised": (2, 6),
    "last-die-waiting-for-its-second-try": (0, 1),
    "player-out-when-due-gave-the-shot-away": (2, 6),
    "running-shot-awaits-a-choice": (1, 2),
    "running-shot-is-about-to-throw": (1, 2),
    "start-newcomer-joins-at-the-end-of-the-order": (1, 6),
    "undone-shot-of-somebody-who-stepped-out-since": (2, 6),
}
READ = [file for file in FILES if file.stem not in REFUSED]


def parametrize_files(files: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("file", files, ids=[file.stem for file in files])


def load_state(name: str) -> State:
    return replay(from_json(next(file for file in FILES if file.stem == name).read_bytes())).state


@parametrize_files(READ)
def test_a_game_file_replays_to_its_result(file: Path) -> None:
    record = from_json(file.read_bytes())
    replay(record)
    assert from_json(json.dumps(to_json(record))) == record


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_game_file_is_refused_by_place_and_reason(name: str) -> None:
    with pytest.raises(RecordError) as refusal:
        load_state(name)
    (flaw,) = refusal.value.problems
    assert (flaw.place, flaw.reason) == REFUSED[name]


@pytest.mark.parametrize("name", POTS)
def test_the_pot_holds_all_that_was_paid_in(name: str) -> None:
    assert load_state(name).pot == POTS[name]


@pytest.mark.parametrize("name", NEXT)
def test_a_state_says_who_throws_next_with_how_many_dice(name: str) -> None:
    state = load_state(name)
    assert (state.player, state.shot.left if state.shot else 6) == NEXT[name]


@parametrize_files(READ)
def test_a_game_has_a_winner_exactly_when_it_is_over(file: Path) -> None:
    state = replay(from_json(file.read_bytes())).state
    assert state.finished == bool(state.winners) or not state.active


def test_a_slug_alone_stands_for_the_shipped_ruleset() -> None:
    assert from_json(FILES[0].read_bytes()).ruleset.slug
    data = json.loads(next(file for file in FILES if file.stem.startswith("document-0")).read_bytes())
    assert from_json({**data, "ruleset": "classic"}).ruleset == preset("classic")
    assert Ruleset.from_json(preset("classic").to_json()) == preset("classic")
