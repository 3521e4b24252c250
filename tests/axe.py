"""What axe finds wrong with a page, in half the time that the library's own `run` takes."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page

Theme: TypeAlias = Literal["light", "dark"]

# No `preload`: axe would fetch the styles again and put them into the page, which our policy refuses.
WHOLE: Final[dict[str, Any]] = {"preload": False, "resultTypes": ["violations"]}
COLOUR_RULES: Final = ["color-contrast", "link-in-text-block"]  # four fifths of the time of all rules
COLOURS: Final = WHOLE | {"runOnly": COLOUR_RULES}

# Transitions between themes are finished first, or a colour would be judged half-way.
FINISH = "document.getAnimations().filter(each => each instanceof CSSTransition).forEach(each => each.finish())"
# Only violations leave the browser: carrying the rest here takes as long as the search itself.
RUN = f"""async ([options, where]) => {{
    {FINISH}
    return {{violations: (await axe.run(where ? window[where] : document, options)).violations}}
}}"""
# One visible text or field of each look that the page has not had in this theme so far; returns how many they are.
# Elements look the same if they and all that they lie in have the same kind, colours and size of text, and none of
# those is laid over the page at a place of its own.
NEW_LOOKS = f"""theme => {{
    {FINISH}
    const known = (window.known ??= {{}})[theme] ??= new Set(), looks = new Map()
    const look = part => {{
        if (!part) return ''
        if (!looks.has(part)) {{
            const style = getComputedStyle(part), {{x, y, width, height}} = part.getBoundingClientRect()
            const kind = [part.tagName, part.getAttribute('class'), part.matches(':disabled, [aria-disabled=true]')]
            const drawn = ['color', 'backgroundColor', 'backgroundImage', 'opacity', 'fontSize', 'fontWeight',
                'textShadow', 'textDecorationLine', 'borderBottom'].map(name => style[name])
            const laid = ['absolute', 'fixed', 'sticky'].includes(style.position) ? [x, y, width, height] : []
            looks.set(part, [look(part.parentElement), ...kind, ...drawn, ...laid].join())
        }}
        return looks.get(part)
    }}
    const hasText = part => part.matches('input, select, textarea') ||
        [...part.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim())
    window.anew = [...document.body.querySelectorAll('*')].filter(part => hasText(part) &&
        part.checkVisibility({{visibilityProperty: true}}) && !known.has(look(part)) && known.add(look(part)))
    return anew.length
}}"""


def check_accessible(page: Page, *, dark: bool = False, options: dict[str, Any] = WHOLE) -> None:
    """Fail with what axe finds on the page as it is and, with `dark`, in its dark colours as well."""
    bring_axe(page)
    refuse_violations(page, options, "")
    if dark:
        with use_dark_colours(page):
            refuse_violations(page, COLOURS, "in its dark colours")


def check_accessible_at_widths(page: Page, widths: Sequence[int], options: dict[str, Any] = WHOLE) -> None:
    """Fail with what axe finds on the page at any of these widths, in its light and its dark colours.

    Both themes have the same layout, so all but the colours is judged in the light one. Colours are judged in either
    theme, once for each look of an element.
    """
    no_colours = options | {"rules": options.get("rules", {}) | {rule: {"enabled": False} for rule in COLOUR_RULES}}
    bring_axe(page)
    page.evaluate("delete window.known")
    themes: list[Theme] = ["light", "dark"]
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            if theme == "light":
                refuse_violations(page, no_colours, f"{width} wide")
            if page.evaluate(NEW_LOOKS, theme):
                refuse_violations(page, COLOURS, f"{width} wide, in its {theme} colours", "anew")
        themes.reverse()  # the next width begins with the theme that this one ends with: changing it takes long
    page.emulate_media(color_scheme="light")


def bring_axe(page: Page) -> None:
    """Load axe into the page, and let the page be seen: of what is invisible axe judges no colours."""
    assert page.evaluate("document.adoptedStyleSheets = [], getComputedStyle(document.documentElement).opacity") == "1"
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)


@contextlib.contextmanager
def use_dark_colours(page: Page) -> Iterator[None]:
    page.emulate_media(color_scheme="dark")
    yield
    page.emulate_media(color_scheme="light")


def refuse_violations(page: Page, options: dict[str, Any], where: str, parts: str = "") -> None:
    results = AxeResults(page.evaluate(RUN, [options, parts]))
    assert results.violations_count == 0, f"{page.url} {where}\n{results.generate_report()}"
