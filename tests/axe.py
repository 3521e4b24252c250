"""What axe finds wrong with a page, in half the time that the library's own `run` takes."""

from collections.abc import Sequence
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

# No `preload`: axe would fetch the styles again and put them into the page, which our policy refuses.
WHOLE: Final[dict[str, Any]] = {"preload": False, "resultTypes": ["violations"]}
COLOURS: Final = WHOLE | {"runOnly": ["color-contrast", "link-in-text-block"]}

# Only violations leave the browser: carrying the rest here takes as long as the search itself. Transitions between
# themes are finished first, or axe would judge a colour half-way.
RUN = """async ([options, where]) => {
    document.getAnimations().filter(each => each instanceof CSSTransition).forEach(each => each.finish())
    const parts = where ? window[where] : document
    return {violations: parts.length === 0 ? [] : (await axe.run(parts, options)).violations}
}"""
# The elements that have become visible since this last ran on the page; returns how many they are.
APPEARED = """() => {
    const visible = [...document.body.querySelectorAll('*')].filter(
        part => part.checkVisibility({visibilityProperty: true}))
    window.appeared = visible.filter(part => !window.wasVisible.has(part))
    appeared.forEach(part => window.wasVisible.add(part))
    return appeared.length
}"""


def check_accessible(page: Page, *, dark: bool = False, options: dict[str, Any] = WHOLE) -> None:
    """Fail with what axe finds on the page as it is and, with `dark`, in its dark colours as well."""
    bring_axe(page)
    refuse_violations(page, options, "")
    if dark:
        check_dark(page)


def check_accessible_at_widths(page: Page, widths: Sequence[int], options: dict[str, Any] = WHOLE) -> None:
    """Fail with what axe finds on the page at any of these widths, in its light and its dark colours.

    Both themes have the same layout, and all widths the same colours, so an element that was checked in dark colours
    at one width is not checked in them again at the next.
    """
    bring_axe(page)
    page.evaluate("window.wasVisible = new WeakSet()")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)
        refuse_violations(page, options, f"{width} wide")
        if page.evaluate(APPEARED):
            check_dark(page, "appeared")


def bring_axe(page: Page) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)


def check_dark(page: Page, parts: str = "") -> None:
    page.emulate_media(color_scheme="dark")
    refuse_violations(page, COLOURS, "in its dark colours", parts)
    page.emulate_media(color_scheme="light")


def refuse_violations(page: Page, options: dict[str, Any], where: str, parts: str = "") -> None:
    results = AxeResults(page.evaluate(RUN, [options, parts]))
    assert results.violations_count == 0, f"{page.url} {where}\n{results.generate_report()}"
