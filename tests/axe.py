"""What axe finds wrong with a page, in half the time that the library's own `run` takes."""

from collections.abc import Sequence
from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

# Without fetching styles anew: axe would put them into the page, which our policy refuses.
WHOLE: Final[dict[str, Any]] = {"preload": False, "resultTypes": ["violations"]}
COLOURS: Final = WHOLE | {"runOnly": ["color-contrast", "link-in-text-block"]}

# What is right stays in the browser: to carry it here takes as long as the search for what is wrong. A colour that is
# on its way from one theme to the other has arrived.
RUN = """async ([options, where]) => {
    document.getAnimations().filter(each => each instanceof CSSTransition).forEach(each => each.finish())
    const parts = where ? window[where] : document
    return {violations: parts.length === 0 ? [] : (await axe.run(parts, options)).violations}
}"""
# What is visible now and was not, when this was last asked of the page.
APPEARED = """() => {
    const visible = [...document.body.querySelectorAll('*')].filter(
        part => part.checkVisibility({visibilityProperty: true}))
    window.appeared = visible.filter(part => !window.wasVisible.has(part))
    appeared.forEach(part => window.wasVisible.add(part))
    return appeared.length
}"""


def check_accessible(page: Page, *, dark: bool = False, options: dict[str, Any] = WHOLE) -> None:
    """Fail with what axe finds on the page as it is; with `dark` on the same page in its dark colours, too."""
    bring_axe(page)
    refuse_violations(page, options, "")
    if dark:
        check_dark(page)


def check_accessible_at_widths(page: Page, widths: Sequence[int], options: dict[str, Any] = WHOLE) -> None:
    """Fail with what axe finds on the page at one of these widths, and in its dark colours.

    What lies over what is the same in both themes, and colours are the same at all widths: what has been seen in dark
    colours at one width is not looked at again at the next, but only what is seen there alone.
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
