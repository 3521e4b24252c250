"""Browser contexts that tests use one after another: starting one with its process is half of a short test."""

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

from tests import patience

ANSWER_MS = 10_000  # a context whose page takes longer is not used again, which fails no test


class Contexts:
    """Contexts that look unused: everything that a page can store is cleared before the next test."""

    def __init__(self, browser: Browser, address: str) -> None:
        """Lend contexts for pages of the site at `address`."""
        self.browser, self.address = browser, address
        self.waiting: defaultdict[str, list[BrowserContext]] = defaultdict(list)
        self.devtools: dict[BrowserContext, CDPSession] = {}

    @contextlib.contextmanager
    def lend(self, *, first_visit: bool = False, **options: Any) -> Iterator[BrowserContext]:
        """Yield a context with these options of Playwright's `new_context`, which no other test has meanwhile.

        Its cache holds files that earlier tests fetched; with `first_visit` it is new and has none.
        """
        waiting = self.waiting[repr(sorted(options.items()))]
        context = waiting.pop() if waiting and not first_visit else self.make_context(**options)
        try:
            yield context
        finally:
            if not first_visit and self.clear(context):
                waiting.append(context)
            else:
                del self.devtools[context]
                context.close()

    def make_context(self, **options: Any) -> BrowserContext:
        context = self.browser.new_context(base_url=self.address, viewport={"width": 1280, "height": 800}, **options)
        context.set_default_timeout(1000 * patience.SECONDS)
        empty = context.new_page()  # stays open: without any page the context's process would end
        self.devtools[context] = context.new_cdp_session(empty)
        return context

    def clear(self, context: BrowserContext) -> bool:
        """Clear what a test left in the context. Return `False` where that cannot be done."""
        empty, *pages = context.pages
        for page in pages:
            page.close()
        if not has_own_clock(empty):
            return False
        context.set_offline(False)
        context.clear_permissions()
        context.clear_cookies()
        everything = {"origin": self.address, "storageTypes": "all"}
        self.devtools[context].send("Storage.clearDataForOrigin", everything)
        return True


def has_own_clock(page: Page) -> bool:
    """Whether the page answers and no test has installed a clock, which Playwright cannot remove from a context."""
    with contextlib.suppress(Error):
        # Not `evaluate`, which would wait for ever for a page that has got stuck.
        clock = page.wait_for_function("() => '__pwClock' in window ? 'of a test' : 'own'", timeout=ANSWER_MS)
        return bool(clock.json_value() == "own")
    return False
