"""Contexts of the browser that tests use one after another: to start one with its process is half of a short test."""

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

from tests import patience

ANSWER_MS = 10_000  # a context whose page takes longer is not used again: nothing fails by that


class Contexts:
    """Contexts that nobody seems to have used: what pages can store is taken away before the next test."""

    def __init__(self, browser: Browser, address: str) -> None:
        """Lend contexts for pages of the site at `address`."""
        self.browser, self.address = browser, address
        self.waiting: defaultdict[str, list[BrowserContext]] = defaultdict(list)

    @contextlib.contextmanager
    def lend(self, *, first_visit: bool = False, **options: Any) -> Iterator[BrowserContext]:
        """Yield a context with these options of Playwright's `new_context`, that nobody else has meanwhile.

        The files that others fetched are in it: one that has never been at the site is for a `first_visit`.
        """
        waiting = self.waiting[repr(sorted(options.items()))]
        context = waiting.pop() if waiting and not first_visit else self.make_context(**options)
        try:
            yield context
        finally:
            if not first_visit and self.clear(context):
                waiting.append(context)
            else:
                context.close()

    def make_context(self, **options: Any) -> BrowserContext:
        context = self.browser.new_context(base_url=self.address, viewport={"width": 1280, "height": 800}, **options)
        context.set_default_timeout(1000 * patience.SECONDS)
        context.new_page()  # which stays: without any page its process would end
        return context

    def clear(self, context: BrowserContext) -> bool:
        """Take away what a test left in the context. Return `False` where that cannot be done."""
        empty, *pages = context.pages
        for page in pages:
            page.close()
        if not has_own_clock(empty):
            return False
        context.set_offline(False)
        context.clear_permissions()
        context.clear_cookies()
        devtools = context.new_cdp_session(empty)
        devtools.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "all"})
        devtools.detach()
        return True


def has_own_clock(page: Page) -> bool:
    """Whether the page answers, and no test has installed a clock: Playwright puts one into all pages for good."""
    with contextlib.suppress(Error):
        # Unlike `evaluate`, which a page that has got stuck would keep waiting for ever.
        clock = page.wait_for_function("() => '__pwClock' in window ? 'of a test' : 'own'", timeout=ANSWER_MS)
        return bool(clock.json_value() == "own")
    return False
