"""Every state of the game page by its name: what has happened in a game, and how somebody looks at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from game import services
from game.models import Game
from game.rules.play.moves import Mode
from game.services.shipped_rulesets import list_shipped_rulesets
from tests.cast import ANA, BRUNO, HAL, Device, bank, bust, make_key, open_turn, reload_game, throw

PLAYERS = (ANA, BRUNO, HAL, "Chloé")
TWELVE = (*PLAYERS, "Dimitri", "Emma", "Farid", "Grace", "Hugo", "Ines", "*Deep", "Liv")
LONG_NAMES = ("Maximiliane Wolkenstein", "Bartholomew of Zanzibar", "*HAL nine thousand delux", 24 * "W")
RIGHT_TO_LEFT = ("מרים", "عبد الرحمن", HAL, "Chloé")


@dataclass(frozen=True)
class GalleryState:
    """A game after these events, as its file has them.

    `file`: what the file has besides, where that is not a classic game of four; `hints`: its level of Ways to keep;
    `mode`: of the next turn; `query`, `prefs`: with which the page is opened; `watched`: by a spectator.
    """

    events: Sequence[dict[str, Any]]
    file: Mapping[str, Any] = field(default_factory=dict)
    hints: str = "coach"
    mode: Mode = "auto"
    query: str = ""
    prefs: str = "coaching=off"
    watched: bool = False


def make_turn(seat: int, points: int) -> dict[str, Any]:
    """A turn with real dice; a bust if it has no points."""
    end = {"end": "bank", "points": points} if points else {"end": "bust"}
    return {"type": "shot", "player": seat, "manual": True, **end}


def make_rounds(*scores: Sequence[int]) -> list[dict[str, Any]]:
    """Whole rounds. `scores`: what each player banks in each of them, 0 for a bust."""
    return [make_turn(seat, points) for banks in zip(*scores, strict=True) for seat, points in enumerate(banks)]


# Six rounds, after which Chloé is not on the board yet.
BEFORE = make_rounds(
    (500, 700, 600, 0, 1300, 1250),
    (600, 0, 1500, 1350, 0, 1650),
    (500, 700, 900, 500, 700, 600),
    (0, 0, 0, 0, 0, 0),
)
ALL_IN = make_rounds((1000,), (1000,), (1000,), (1000,))
KEPT = throw("134426", "1")
DECISION = open_turn(0, KEPT, throw("53363"))
BANKED = bank(0, 450, KEPT, throw("53363", "5333"))
LEFT_TWO = bank(0, 600, throw("155536", "1555"))
MACKE = list_shipped_rulesets()["macke"].to_json()
TEN_ROUNDS = MACKE | {"ending": "rounds", "rounds": 10, "confirm": ["of_a_kind"]}

STATES = {
    "decision": GalleryState([*BEFORE, DECISION]),
    "released": GalleryState(
        [*make_rounds((4600, 4650), (5200, 5000), (4000, 4050), (3300, 3400)), DECISION],
        {"ruleset": "wikipedia", "target": 9500},
        query="?keep=3,4,6",
    ),
    "start": GalleryState([]),
    "fresh": GalleryState([*BEFORE, BANKED]),
    "pickup": GalleryState([*ALL_IN, LEFT_TWO], {"ruleset": "wikipedia"}),
    "bust": GalleryState([*BEFORE, bust(0, KEPT, throw("53363", "5333"), throw("4"))]),
    "tries": GalleryState(
        [*ALL_IN, open_turn(0, throw("111555", "11155"), throw("4"))],
        {"ruleset": "farkle", "start": [[6, 1, 1, 1]]},
    ),
    "grows": GalleryState(
        [*ALL_IN, open_turn(0, throw("115346", "11"), throw("5544"))],
        {"ruleset": "boxcars"},
    ),
    "proving": GalleryState(
        [*(9 * ALL_IN), open_turn(0, throw("33326", "333"), throw("15"))], {"ruleset": TEN_ROUNDS}, hints="odds"
    ),
    "sweep": GalleryState([*BEFORE, open_turn(0, throw("123456"))]),
    "other": GalleryState([*BEFORE, DECISION], watched=True),
    "computer": GalleryState(
        [*BEFORE, make_turn(0, 450), make_turn(1, 350), DECISION | {"player": 2}], prefs="coaching=off&pace=slow"
    ),
    "finished": GalleryState([*BEFORE, BANKED, make_turn(1, 350), make_turn(2, 0), make_turn(3, 0)], {"target": 5300}),
    "manual": GalleryState([*ALL_IN, LEFT_TWO], {"ruleset": "wikipedia"}, mode="manual"),
    "tie": GalleryState([*make_rounds((1000,), (1000,), (500,), (0,)), DECISION], {"target": 1000}),
    "pot": GalleryState([*ALL_IN, *make_rounds((0,), (350,), (350,), (350,)), DECISION], {"ruleset": "pot"}),
    "eight": GalleryState([DECISION], {"players": TWELVE[:8]}),
    "many": GalleryState([DECISION], {"players": TWELVE}),
    "long": GalleryState([*BEFORE, DECISION], {"players": LONG_NAMES}),
    "rtl": GalleryState([*BEFORE, DECISION], {"players": RIGHT_TO_LEFT}),
    "free": GalleryState([*BEFORE, DECISION], prefs="coaching=off&first=choose"),
    "entry": GalleryState([DECISION]),
    "ways": GalleryState([*BEFORE, open_turn(0, throw("151515"))], hints="odds"),
    "win": GalleryState([*ALL_IN, open_turn(0, throw("111111"))], {"ruleset": "boxcars"}),
}


def make_state(name: str) -> tuple[Game, Device]:
    """Make a game in this state; return it with the device that looks at it."""
    state, player = STATES[name], Device()
    game = player.game(*state.events, **{"players": PLAYERS, **state.file})
    if not game.is_over:
        services.set_hints(game.code, make_command(player, game), state.hints)
    if state.mode == "manual":
        services.set_mode(game.code, make_command(player, reload_game(game)), state.mode)
    return game, Device() if state.watched else player


def make_command(who: Device, game: Game) -> services.Command:
    return services.Command(who.browser.visitor(), make_key(), game.version, "")
