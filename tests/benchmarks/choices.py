"""How soon two other browsers show what a player sets aside, from the tap on a die until they show the points.

`python tests/benchmarks/choices.py` on SQLite, and on PostgreSQL too where it is installed. Fails above its goal.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, sync_playwright  # noqa: E402

from tests import pgserver  # noqa: E402
from tests.chromium import ARGUMENTS, CHROMIUM  # noqa: E402
from tests.own_sites import RealSite, lend_database  # noqa: E402

TAPS = 40
GOAL_MS = 300  # for 150 of them, the page waits for the next tap

LAY_OUT = """
from tests.cast import IN, Device, bank, open_turn, share_game, throw
host, guest = Device(), Device()
game = share_game(host, guest, bank(0, 1000, IN), bank(1, 1000, IN), open_turn(0, throw("115236")))
print(game.get_absolute_url(), host.browser.token, guest.browser.token)
"""
NOTE_SUMS = """() => {
    window.sums = []
    new MutationObserver(() => sums.push([document.querySelector('#sum').textContent, Date.now()]))
        .observe(document.querySelector('#sum'), {childList: true, characterData: true, subtree: true})
}"""


def measure_delays(site: RealSite) -> dict[str, list[float]]:
    """Return the milliseconds of every tap, for each browser that watches."""
    address, *tokens = site.ask(LAY_OUT).splitlines()[-1].split()
    url = f"http://127.0.0.1:{site.port}"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)

        def open_page(token: str = "") -> Page:
            context = chromium.new_context()
            if token:
                context.add_cookies([{"name": "visitor", "value": token, "url": url}])
            page = context.new_page()
            page.goto(url + address)
            page.wait_for_function("() => newest > 0")
            return page

        chooser = open_page(tokens[0])
        others = {"opponent": open_page(tokens[1]), "spectator": open_page()}
        for page in others.values():
            page.evaluate(NOTE_SUMS)
        delays: dict[str, list[float]] = {name: [] for name in others}
        for _ in range(TAPS):
            chooser.evaluate("window.tapped = Date.now(); document.querySelector('#die-3').click()")
            shown, tapped = chooser.locator("#sum").inner_text(), chooser.evaluate("tapped")
            for name, page in others.items():
                page.wait_for_function("([sum, at]) => sums.some(s => s[0] === sum && s[1] > at)", arg=[shown, tapped])
                at = page.evaluate("([sum, at]) => sums.find(s => s[0] === sum && s[1] > at)[1]", [shown, tapped])
                delays[name].append(at - tapped)
        chromium.close()
    return delays


def measure_on(name: str, address: str) -> bool:
    """Measure on a database and print the delays; return whether they were short enough."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, lend_database(address) as more:
        site = RealSite(Path(folder), more | {"PYTHONPATH": str(ROOT)}, with_odds=False)
        site.manage("serve", "--set-up")
        site.start()
        try:
            delays = measure_delays(site)
        finally:
            site.stop()
    good = True
    for who, times in delays.items():
        p95 = statistics.quantiles(times, n=20)[-1]
        good = good and p95 <= GOAL_MS
        print(f"{name:12}{who:12}p50 {statistics.median(times):5.0f} ms   p95 {p95:5.0f} ms   at most {GOAL_MS}")
    return good


def main() -> None:
    good = [measure_on("sqlite", "")]
    if programs := pgserver.find_programs():
        with pgserver.run_server(programs) as address:
            good.append(measure_on("postgresql", address))
    sys.exit(not all(good))


if __name__ == "__main__":
    os.environ.pop("DATABASE_URL", None)
    main()
